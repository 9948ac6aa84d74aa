#include "examples/translate/experiments/hard_cases.h"

#include <fmt/format.h>
#include <nn/pictures/line_chart.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace translate {

namespace {

constexpr Differences in_percent{.small = 1.0, .large = 5.0, .unit = "points"};

// Why a model may be behind the others, or before them. It is said only of one that is.
struct Reason {
  std::string model;  // label of the candidate
  Hard what;
  std::string text;
};

const std::vector<Reason>& reasons_to_be_behind() {
  static const std::vector<Reason> all = {
      {"fixed context", Hard::lengths, "one vector has to hold the whole sentence, however long it is"},
      {"fixed context", Hard::far_words, "it looks nowhere; every word comes out of one vector"},
      {"local_monotonic", Hard::far_words,
       "its window reaches 10 words to each side of the target word's own place, so it cannot look at these; what it "
       "gets right is guessed, or known from another word's state"},
      {"local_predictive", Hard::far_words,
       "the centre of its window is learnt through the Gaussian alone, which has hardly a gradient far from it"},
  };
  return all;
}

const std::vector<Reason>& reasons_to_be_first() {
  static const std::vector<Reason> all = {
      {"coverage", Hard::more_clauses, "it is told how much each word has been looked at, and loses its place less"},
  };
  return all;
}

std::string reason_of(const std::vector<Reason>& reasons, const std::string& model, Hard what) {
  for (const Reason& reason : reasons) {
    if (reason.model == model && reason.what == what) return fmt::format(" For {}: {}.", model, reason.text);
  }
  return "";
}

// Places in the results, the best first; those without a number are left out.
std::vector<std::size_t> best_first(const HardCase& hard) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < hard.right.size(); ++i) {
    if (!std::isnan(hard.right[i].mean())) places.push_back(i);
  }
  std::stable_sort(places.begin(), places.end(),
                   [&hard](std::size_t a, std::size_t b) { return hard.right[a].mean() > hard.right[b].mean(); });
  return places;
}

// Where nobody is good, there is no need to list who is worse.
std::string finding_hard_for_all(const std::vector<CandidateResult>& results, const HardCase& hard,
                                 const std::vector<std::size_t>& places) {
  const Measured& best = hard.right[places.front()];
  const std::string& first = results[places.front()].candidate.label;
  std::string text =
      fmt::format("{}, nobody is good: from {} % ({}) to {} % ({}).", capitalised(hard.where),
                  hard.right[places.back()].text(), results[places.back()].candidate.label, best.text(), first);
  if (hard.what == Hard::more_clauses) {
    text += " How to go on after the last clause that training had was never learnt.";
  }
  const bool is_clear = judge(best, hard.right[places[1]], in_percent) == Verdict::better;
  return is_clear ? text + reason_of(reasons_to_be_first(), first, hard.what) : text;
}

// `said` are the reasons given before.
std::string finding_of(const std::vector<CandidateResult>& results, const HardCase& hard, std::set<std::string>& said) {
  const std::vector<std::size_t> places = best_first(hard);
  if (places.size() < 2) return "";
  const Measured& best = hard.right[places.front()];
  if (best.mean() < 50.0) return finding_hard_for_all(results, hard, places);
  std::vector<std::string> behind;
  std::string why;
  for (const std::size_t place : places) {
    if (judge(best, hard.right[place], in_percent) != Verdict::better) continue;
    const std::string& label = results[place].candidate.label;
    behind.push_back(fmt::format("{} ({} %)", label, hard.right[place].text()));
    const std::string reason = reason_of(reasons_to_be_behind(), label, hard.what);
    if (said.insert(reason).second) why += reason;
  }
  if (behind.empty()) return "";
  return fmt::format("{}, {} % are right at best; clearly behind: {}.{}", capitalised(hard.where), best.text(),
                     listed(behind), why);
}

}  // namespace

std::vector<HardCase> hard_sentences(const Setting& setting, const std::vector<CandidateResult>& results) {
  std::vector<HardCase> cases;
  const auto add = [&](const std::string& name, const std::string& where, LengthGroup group, std::size_t test) {
    HardCase hard{.what = test == 0 ? Hard::lengths : Hard::more_clauses, .name = name, .where = where, .right = {}};
    for (const CandidateResult& result : results) {
      hard.right.push_back(measured(result, group, &Measures::exact_match, test));
    }
    cases.push_back(hard);
  };
  for (const LengthGroup group : groups_of(results.front(), 0)) {
    const std::string text(name(group));  // "short (< 10)"
    if (group == LengthGroup::all) continue;
    add(text.substr(0, text.find(' ')), fmt::format("of {} sentences", text), group, 0);
  }
  if (setting.corpus.tests.size() > 1 && setting.is_artificial()) {
    add("one more clause", "of " + test_name(setting, 1), LengthGroup::all, 1);
  }
  return cases;
}

HardCase hard_words(const std::vector<ByDistance>& by_distance) {
  HardCase hard{
      .what = Hard::far_words,
      .name = fmt::format("words from {} away", distance_ranges.back().text()),
      .where = fmt::format("of words whose source stands {} places from their own", distance_ranges.back().text()),
      .right = {}};
  for (const ByDistance& one : by_distance) hard.right.push_back(one.back().right);
  return hard;
}

ReportTable table_of(const std::vector<CandidateResult>& results, const std::vector<HardCase>& cases) {
  ReportTable table{
      .caption = "Right, %: whole sentences (short: < 10 words, middle: 10–20, long: > 20), and words from far away",
      .columns = {"attention"}};
  for (const HardCase& hard : cases) table.columns.push_back(hard.name);
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::vector<std::string> row{results[i].candidate.label};
    for (const HardCase& hard : cases) row.push_back(hard.right[i].text());
    table.rows.push_back(row);
  }
  return table;
}

std::vector<std::string> findings_of(const std::vector<CandidateResult>& results, const std::vector<HardCase>& cases) {
  std::vector<std::string> findings;
  std::set<std::string> said;
  for (const HardCase& hard : cases) {
    const std::string finding = finding_of(results, hard, said);
    if (!finding.empty()) findings.push_back(finding);
  }
  return findings;
}

namespace {

// On the axis: the middle; of the last one, which has no end, the beginning.
double place_of(const DistanceRange& range) {
  return static_cast<double>(range.from == far_distance ? range.from : (range.from + range.to) / 2);
}

}  // namespace

std::string distance_picture(const std::vector<CandidateResult>& results, const std::vector<ByDistance>& by_distance) {
  std::vector<nn::ChartSeries> lines;
  for (std::size_t i = 0; i < results.size(); ++i) {
    nn::ChartSeries line{.name = results[i].candidate.label, .markers = true};
    for (std::size_t range = 0; range < distance_ranges.size(); ++range) {
      line.x.push_back(place_of(distance_ranges[range]));
      line.y.push_back(by_distance[i][range].right.mean());
    }
    lines.push_back(line);
  }
  return nn::line_chart_svg(lines, {.title = "Words right, by the distance of their source word",
                                    .x_axis = fmt::format("places between a word and its source; the last: {}",
                                                          distance_ranges.back().text()),
                                    .y_axis = "%",
                                    .y_from_zero = true});
}

}  // namespace translate
