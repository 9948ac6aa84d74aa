// What `learn check` says, for a page that has compiled and judged an answer itself (docs/playground/page/judge.js).
// The page starts it in a folder that has the exercise's files exercise.cpp and hints.md, the answer, and ended.json,
// which says what came of it:
//
//   {"compiled": true, "linked": true, "messages": "what the compiler said",
//    "result": "the judge's JSON, or nothing", "exit_code": 0, "timed_out": false, "printed": "",
//    "trap": "what the machine said when it stopped the answer, or nothing"}
//
//   report ID ANSWER.cpp     prints {"report": .., "headline": .., "said": [BLOCK ..], "why": [BLOCK ..],
//                            "marks": [{"line": .., "column": .., "severity": .., "text": ..}],
//                            "hints": [{"level": .., "text": ..}]}
//
// A BLOCK has a kind, a text, a name and a line (show/blocks.h).
#include <algorithm>
#include <cstdio>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "runner/check/findings.h"
#include "runner/explain/crash.h"
#include "runner/lessons/hints.h"
#include "runner/show/show_report.h"
#include "runner/system/files.h"

namespace {

using nlohmann::json;

learn::Exercise exercise_here(const std::string& id) {
  return {id, ".", learn::ExerciseSource::read("exercise.cpp")};
}

learn::Report report_on(const learn::Exercise& exercise, const std::string& file, const json& ended) {
  learn::Report report;
  report.id = exercise.id;
  report.file_state = learn::fingerprint(learn::read_file(file));
  learn::Built built;
  built.compiled = ended.at("compiled");
  built.ok = ended.at("linked");
  built.messages = ended.at("messages");
  learn::Findings findings(exercise, file, exercise.source.seconds, report);
  if (!built.ok) {
    findings.read_messages(built);
    return report;
  }
  learn::Finished finished;
  finished.exit_code = ended.at("exit_code");
  finished.timed_out = ended.at("timed_out");
  finished.output = ended.at("printed");
  finished.result = ended.at("result");
  finished.trap = ended.at("trap");
  findings.read_result(finished, "");
  if (!report.passed()) report.warnings = findings.warnings_in(built.messages);
  return report;
}

// What an editor shows below the lines of the answer.
json marks_on(const learn::Report& report, const std::string& file) {
  json marks = json::array();
  const auto add = [&](const learn::Place& place, const char* severity, const std::string& text) {
    if (!place.known() || place.file != learn::file_name(file)) return;
    marks.push_back(
        {{"line", place.line}, {"column", std::max(1, place.column)}, {"severity", severity}, {"text", text}});
  };
  if (report.problem) add(report.problem->place, "error", report.problem->sentence);
  if (report.verdict && report.verdict->thrown) {
    add(report.place_of_throw(learn::file_name(file)), "error",
        learn::explain_exception(report.verdict->thrown->message));
  }
  for (const learn::Problem& warning : report.warnings) add(warning.place, "warning", warning.sentence);
  return marks;
}

learn::Style style_of_page() {
  learn::Style style;
  style.in_page = true;
  return style;
}

json hints_of(const learn::Exercise& exercise, const learn::Report& report) {
  const learn::Hints hints(exercise);
  json levels = json::array();
  for (const std::string& level : hints.levels()) {
    const std::string text = level == learn::first_formula ? hints.first_formula_for(report) : hints.text(level);
    levels.push_back({{"level", level}, {"text", text}});
  }
  return levels;
}

json said(const std::string& id, const std::string& file) {
  const learn::Exercise exercise = exercise_here(id);
  const learn::Report report = report_on(exercise, file, json::parse(learn::read_file("ended.json")));
  const learn::Style style = style_of_page();
  return {{"report", to_json(report)},
          {"headline", headline(style, exercise, report)},
          {"said", to_json(blocks_of(style, exercise, report, file))},
          {"why", to_json(explanation_of(style, exercise, report, file))},
          {"marks", marks_on(report, file)},
          {"hints", hints_of(exercise, report)}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("report ID ANSWER.cpp\n", stderr);
    return 2;
  }
  try {
    const json all = said(argv[1], argv[2]);
    std::fputs(all.dump(-1, ' ', false, json::error_handler_t::replace).c_str(), stdout);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "report: %s\n", error.what());
    return 1;
  }
  return 0;
}
