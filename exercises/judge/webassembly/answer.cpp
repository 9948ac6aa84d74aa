// An answer's program in WebAssembly: functions that its page calls, in the place of a process that waits for
// questions. The page writes a question where question_room() says, calls answer_question(), and reads as many bytes
// from reply(). To begin anew, it makes another instance of the module.
#include "judge/webassembly/answer.h"

#include <cstddef>
#include <exception>
#include <string>

namespace {

std::string question;
std::string reply_bytes;

}  // namespace

extern "C" {

[[clang::export_name("question_room")]] char* question_room(std::size_t size) {
  question.resize(size);
  return question.data();
}

[[clang::export_name("answer_question")]] std::size_t answer_question() {
  try {
    reply_bytes = judge::reply_to(question, judge::answer_of_program());
  } catch (...) {  // and not noexcept, which would catch the end by exit() as well, and knows no message
    std::terminate();
  }
  return reply_bytes.size();
}

[[clang::export_name("reply")]] const char* reply() {
  return reply_bytes.data();
}

}  // extern "C"
