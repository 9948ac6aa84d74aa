// Which kind of attention cannot do what: whole sentences right by kind of sentence, words right by the distance that
// they come from, and what these numbers say, with the reason where one is known.
#pragma once

#include <string>
#include <vector>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/distance.h"
#include "examples/translate/html_report.h"

namespace translate {

// What can be hard.
enum class Hard { lengths, more_clauses, far_words };

// Something that is hard for some, with a percentage per model, in the order of the results.
struct HardCase {
  Hard what;
  std::string name;   // of the column: "long (> 20)"
  std::string where;  // in a sentence: "on sentences of more than 20 words"
  std::vector<Measured> right;
};

// Short, middle and long sentences, and those of the second test of the artificial language.
std::vector<HardCase> hard_sentences(const Setting& setting, const std::vector<CandidateResult>& results);
// Words from beyond the window of local attention; one value per result.
HardCase hard_words(const std::vector<ByDistance>& by_distance);

ReportTable table_of(const std::vector<CandidateResult>& results, const std::vector<HardCase>& cases);

// Of each case, who is clearly behind the best, and why as far as that is known. One paragraph per case that somebody
// is clearly behind in.
std::vector<std::string> findings_of(const std::vector<CandidateResult>& results, const std::vector<HardCase>& cases);

// Percentages by distance, a line per model.
std::string distance_picture(const std::vector<CandidateResult>& results, const std::vector<ByDistance>& by_distance);

}  // namespace translate
