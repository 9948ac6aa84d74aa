// The main() of an exercise's judge in WebAssembly: it judges the answer that its page runs for it, and prints the
// result as JSON. docs/playground/page/judge.js is the page's side.
//
//   judge [--calls F].. [--seed N] [--steps]     as in main.cpp
//
// Where the answer's program ends before its time, so does this one, with the same exit code, and prints nothing.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "judge/answer_program.h"
#include "judge/judge.h"
#include "judge/verdict_json.h"

// The page's. ask() gives the size of the reply, or -1 - the exit code with which the answer ended.
[[clang::import_module("answer"), clang::import_name("ask")]] std::int32_t page_ask(const char* bytes, std::size_t);
[[clang::import_module("answer"), clang::import_name("take_reply")]] void page_take_reply(char* room);
[[clang::import_module("answer"), clang::import_name("begin_anew")]] void page_begin_anew();

namespace {

class AnswerOfPage final : public judge::AnswerProgram {
 public:
  std::string ask(std::string_view request) override {
    const std::int32_t size = page_ask(request.data(), request.size());
    if (size < 0) throw judge::AnswerEnded{-1 - size};
    std::string reply(static_cast<std::size_t>(size), '\0');
    page_take_reply(reply.data());
    return reply;
  }
  void begin_anew() override { page_begin_anew(); }
};

std::string judged(const std::vector<std::string_view>& arguments) {
  AnswerOfPage program;
  judge::Candidate answer = judge::candidate_of(program);
  std::uint64_t seed = 0;
  bool steps = false;
  std::vector<std::string> calls;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--seed" && i + 1 < arguments.size()) seed = std::stoull(std::string(arguments[++i]));
    if (arguments[i] == "--calls" && i + 1 < arguments.size()) calls.emplace_back(arguments[++i]);
    if (arguments[i] == "--steps") steps = true;
  }
  answer.calls = judge::forbidden_calls(calls);
  return judge::to_line(steps ? nlohmann::json(judge::steps_of(answer)) : nlohmann::json(judge::judge(answer, seed)));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::fputs(judged({argv, argv + argc}).c_str(), stdout);
  } catch (const judge::AnswerEnded& ended) {
    return ended.exit_code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "course: %s\n", error.what());
    return 3;
  }
  return 0;
}
