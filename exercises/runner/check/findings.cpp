#include "runner/check/findings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "autograd/text/printable.h"
#include "runner/explain/crash.h"
#include "runner/system/files.h"
#include "runner/text/printable_json.h"

namespace learn {

using Outcome = Report::Outcome;

AnswerFile Findings::answer_file() const {
  return {file_, lines_of(file_), exercise_.source.answer};
}

std::vector<Problem> Findings::warnings_in(const std::string& messages) const {
  return explain_warnings(autograd::printable_lines(messages), answer_file());
}

void Findings::read_messages(const Built& built) {
  if (built.messages.find("No space left on device") != std::string::npos) {
    throw std::runtime_error("the disk is full, so nothing can be compiled. Your file is as it was.");
  }
  const AnswerFile answer = answer_file();
  report_.outcome = Outcome::does_not_compile;
  const std::string messages = autograd::printable_lines(built.messages);
  report_.raw = messages;
  if (built.out_of_time) {
    report_.problem = {"the compiler took too long over your file, and was stopped",
                       "Is something worked out while it is compiled: a recursive template, a constexpr loop?",
                       {}};
    return;
  }
  if (!built.foreign_include.empty()) {
    report_.problem = {
        "your file includes " + autograd::printable_lines(built.foreign_include) + ", which is not part of your answer",
        "Include what is given, the library and the standard library, and files of your own folder.",
        place_of_line("#include", file_name(built.foreign_include))};
    return;
  }
  if (!built.foreign_symbol.empty()) {
    report_.problem = {
        "your file uses " + autograd::printable_lines(built.foreign_symbol) +
            ", which belongs to the check and the judge",
        "Leave it out, or give it another name. What an answer needs is in the library and in the standard library.",
        {}};
    return;
  }
  report_.problem = built.compiled ? explain_link_error(messages, answer) : explain_compile_error(messages, answer);
}

void Findings::read_result(const Finished& finished, const std::string& logs) {
  const std::string text = autograd::printable_lines(finished.output + logs);
  report_.printed = without_reports(autograd::printable_lines(finished.output));
  if (finished.result.empty() || finished.timed_out) {
    explain_end(finished, text);
    return;
  }
  report_.verdict = read_verdict(printable_json(nlohmann::json::parse(finished.result)));
  switch (report_.verdict->outcome) {
    case Verdict::Outcome::passed: report_.outcome = Outcome::passed; break;
    case Verdict::Outcome::unwritten: report_.outcome = Outcome::unwritten; break;
    case Verdict::Outcome::wrong: report_.outcome = Outcome::wrong; break;
  }
  if (auto leak = explain_leak(logs, file_name(file_)); leak && report_.passed()) {
    report_.outcome = Outcome::crashed;
    report_.problem = std::move(leak);
    report_.raw = logs;
  }
}

void Findings::explain_end(const Finished& finished, const std::string& text) {
  report_.raw = text;
  if (const Place place = place_of_main(); place.known()) {
    report_.outcome = Outcome::does_not_compile;
    report_.problem = {"your file has a main() of its own, so the check never ran",
                       "Leave it out: the check calls your functions. To try something, print inside them.", place};
    return;
  }
  // What we stop from outside has had all the time that we have.
  const int seconds = std::max(seconds_, finished.timed_out ? static_cast<int>(finished.seconds) : 0);
  Explained explained = explain_ending(
      {finished.exit_code, finished.timed_out, text, seconds, lines_of(file_), finished.trap}, file_name(file_));
  report_.outcome = explained.outcome;
  report_.problem = std::move(explained.problem);
}

Place Findings::place_of_line(const std::string& begin, const std::string& part) const {
  const std::vector<std::string> lines = lines_of(file_);
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.rfind(begin, 0) == 0 && line.find(part) != std::string::npos;
  });
  return found == lines.end() ? Place{} : Place{file_name(file_), static_cast<int>(found - lines.begin()) + 1, 0};
}

Place Findings::place_of_main() const {
  const Place place = place_of_line("int main(");
  return place.known() ? place : place_of_line("auto main(");
}

}  // namespace learn
