// An answer's program in WebAssembly: functions that its page calls, in the place of a process that waits for questions.
// The page writes a question where question_room() says, calls answer_question(), and reads as many bytes from reply().
// To begin anew, it makes another instance of the module.
#include <cstddef>
#include <string>

#include "course/webassembly/answer.h"

namespace {

std::string question;
std::string reply_bytes;

}  // namespace

// noexcept: what no handler of the course takes ends the program with its message.
extern "C" {

[[clang::export_name("question_room")]] char* question_room(std::size_t size) noexcept {
  question.resize(size);
  return question.data();
}

[[clang::export_name("answer_question")]] std::size_t answer_question() noexcept {
  reply_bytes = course::reply_to(question, course::answer_of_program());
  return reply_bytes.size();
}

[[clang::export_name("reply")]] const char* reply() noexcept {
  return reply_bytes.data();
}

}  // extern "C"
