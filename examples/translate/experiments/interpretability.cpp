#include "examples/translate/experiments/interpretability.h"

#include <fmt/format.h>
#include <nn/attention/attention_kinds.h>
#include <nn/measures/alignment.h>
#include <nn/measures/attention_measures.h>
#include <nn/pictures/bar_chart.h>
#include <nn/pictures/heatmap.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/experiment_report.h"
#include "examples/translate/experiments/word_classes.h"

namespace translate {

namespace {

constexpr Differences in_error_rate{.small = 1.0, .large = 5.0, .more_is_better = false, .unit = "points of AER"};

// ---- measuring by class ------------------------------------------------------------------------------------------

struct ClassCounts {
  nn::LookingCounts looking;
  nn::AlignmentCounts links;
  std::vector<double> entropies;

  double entropy() const { return Measured{entropies}.mean(); }
};
using ByClass = std::map<WordClass, ClassCounts>;

nn::ReferenceAlignment reference_of(const SentencePair& pair) {
  nn::ReferenceAlignment reference;
  for (const Link& link : *pair.gold) {
    nn::AlignmentLinks& links = link.sure ? reference.sure : reference.possible;
    links.push_back({.source = link.source, .target = link.target});
  }
  return reference;
}

// The rows of `weights` whose word is not wanted made zero, so that they are not counted.
Tensor rows_of(const Tensor& weights, const std::vector<bool>& wanted) {
  std::vector<double> keep(wanted.begin(), wanted.end());
  return weights * autograd::from_vector(keep, {weights.size(0), 1}, weights.dtype());
}

void count_class(ClassCounts& counts, const SentencePair& pair, const Tensor& weights,
                 const std::vector<bool>& wanted) {
  const std::vector<double> entropies = nn::attention_entropy(weights);
  for (std::size_t t = 0; t < wanted.size(); ++t) {
    if (wanted[t] && std::isfinite(entropies[t])) counts.entropies.push_back(entropies[t]);
  }
  if (!pair.gold) return;
  const nn::ReferenceAlignment reference = nn::links_of_targets(reference_of(pair), wanted);
  counts.looking += nn::compare_looking(rows_of(weights, wanted), reference);
  counts.links += nn::compare_links(nn::links_of_targets(nn::strongest_links(weights), wanted), reference);
}

// While the references are written, so that each word has a class.
ByClass count_by_class(const std::vector<TranslatedSentence>& sentences, bool is_artificial) {
  ByClass by_class;
  for (const TranslatedSentence& sentence : sentences) {
    const SentencePair& pair = sentence.pair;
    if (!sentence.forced_weights.defined() || pair.target.empty() || pair.source.empty()) continue;
    const Tensor weights = sentence.forced_weights.narrow(0, 0, static_cast<std::int64_t>(pair.target.size()))
                               .narrow(1, 0, static_cast<std::int64_t>(pair.source.size()));
    const std::vector<std::optional<WordClass>> classes = classes_of(pair, is_artificial);
    for (const WordClass one : all_word_classes) {
      std::vector<bool> wanted;
      for (const auto& word_class : classes) wanted.push_back(word_class == one);
      if (std::find(wanted.begin(), wanted.end(), true) == wanted.end()) continue;
      count_class(by_class[one], pair, weights, wanted);
    }
  }
  return by_class;
}

// ---- a model, or the same model on other data --------------------------------------------------------------------

struct Looked {
  std::string label;
  ByClass by_class;  // all seeds together
};

Looked look(const CandidateResult& result, const std::string& label, bool is_artificial) {
  Looked looked{.label = label, .by_class = {}};
  for (const Trained& trained : result.trained) {
    for (auto& [word_class, counts] : count_by_class(trained.tests.front(), is_artificial)) {
      ClassCounts& sum = looked.by_class[word_class];
      sum.looking += counts.looking;
      sum.links += counts.links;
      sum.entropies.insert(sum.entropies.end(), counts.entropies.begin(), counts.entropies.end());
    }
  }
  return looked;
}

bool has_links(const Looked& looked) {
  return std::any_of(looked.by_class.begin(), looked.by_class.end(),
                     [](const auto& entry) { return entry.second.looking.linked > 0; });
}

std::string percent_text(double share) {
  return std::isnan(share) ? "–" : fmt::format("{:.1f}", 100.0 * share);
}

ReportTable class_table(const std::vector<Looked>& all) {
  ReportTable table{.caption = "By class of word, while the references are written",
                    .columns = {"model", "words", "number", "AER %", "look at a linked word %", "one word ahead %",
                                "one word behind %", "entropy, nats"}};
  for (const Looked& looked : all) {
    for (const auto& [word_class, counts] : looked.by_class) {
      table.rows.push_back({looked.label, name(word_class), fmt::format("{}", counts.entropies.size()),
                            percent_text(counts.links.error_rate()), percent_text(counts.looking.right_share()),
                            percent_text(counts.looking.ahead_share()), percent_text(counts.looking.behind_share()),
                            std::isnan(counts.entropy()) ? "–" : fmt::format("{:.2f}", counts.entropy())});
    }
  }
  return table;
}

// ---- what was found, in words ------------------------------------------------------------------------------------

double ahead_of_articles(const Looked& looked) {
  const auto found = looked.by_class.find(WordClass::articles);
  return found == looked.by_class.end() ? not_measured : 100.0 * found->second.looking.ahead_share();
}

std::string finding_articles(const Looked& looked) {
  const auto found = looked.by_class.find(WordClass::articles);
  if (found == looked.by_class.end() || found->second.looking.linked == 0) return "";
  const nn::LookingCounts& counts = found->second.looking;
  return fmt::format("{}: of {} articles, {:.0f} % look at the source's article, {:.0f} % one word further.",
                     looked.label, counts.linked, 100.0 * counts.right_share(), 100.0 * counts.ahead_share());
}

// Is it the agreement that makes them look ahead?
std::string finding_agreement(const Looked& with, const Looked& without) {
  const double difference = ahead_of_articles(with) - ahead_of_articles(without);
  if (std::isnan(difference)) return "";
  std::string text = fmt::format("{} {} ", finding_articles(with), finding_articles(without));
  if (difference > 20.0) {
    return text +
           "The language is the same but for the form of the article: when it depends on the noun, attention goes to "
           "where the noun is known, and that need not be the word that is linked. So the alignment error of these "
           "words says nothing about their translation.";
  }
  if (difference > 5.0)
    return text + "When the article's form depends on the noun, more of them look ahead, though not most.";
  return text +
         "In this run the dependence of the article on its noun makes no clear difference to where it looks: the "
         "encoder's state of the article, which is made from both directions, can know the noun too.";
}

std::string finding_classes(const Looked& looked) {
  std::vector<std::string> parts;
  for (const auto& [word_class, counts] : looked.by_class) {
    if (counts.links.found == 0 || counts.looking.linked == 0) continue;
    parts.push_back(fmt::format("{} {:.1f} %", name(word_class), 100.0 * counts.links.error_rate()));
  }
  if (parts.empty()) return "";
  return fmt::format("Alignment error rate of {} by class: {}.", looked.label, listed(parts));
}

std::string finding_kinds(const std::vector<CandidateResult>& results, double Measures::*measure,
                          const std::string& what) {
  std::vector<std::pair<double, const CandidateResult*>> sorted;
  for (const CandidateResult& result : results) {
    const double value = measured(result, LengthGroup::all, measure).mean();
    if (!std::isnan(value)) sorted.emplace_back(value, &result);
  }
  if (sorted.size() < 2) return "";
  std::sort(sorted.begin(), sorted.end());
  const CandidateResult& lowest = *sorted.front().second;
  const CandidateResult& highest = *sorted.back().second;
  return fmt::format("{}: {}.", what,
                     compare(lowest.candidate.label, measured(lowest, LengthGroup::all, measure),
                             highest.candidate.label, measured(highest, LengthGroup::all, measure), in_error_rate));
}

// Do sharper models align better? The correlation over models, of which there are few.
std::string finding_entropy(const std::vector<CandidateResult>& results) {
  std::vector<double> entropy, error;
  for (const CandidateResult& result : results) {
    entropy.push_back(measured(result, LengthGroup::all, &Measures::entropy).mean());
    error.push_back(measured(result, LengthGroup::all, &Measures::alignment_error_rate).mean());
    if (std::isnan(entropy.back()) || std::isnan(error.back())) entropy.pop_back(), error.pop_back();
  }
  if (entropy.size() < 4) return "";
  const double r =
      std::sqrt(std::abs(slope(entropy, error) * slope(error, entropy))) * (slope(entropy, error) < 0.0 ? -1.0 : 1.0);
  const std::string verdict = r > 0.7    ? "the sharper ones align better here"
                              : r < -0.7 ? "the sharper ones align worse here"
                                         : "how sharp the attention is says little about how well it aligns";
  return fmt::format(
      "Over the {} models the correlation of entropy with AER is {:.2f}: {}. Sharp is not the same as right.",
      entropy.size(), r, verdict);
}

// ---- pictures ----------------------------------------------------------------------------------------------------

std::string looking_picture(const std::vector<Looked>& all) {
  std::vector<std::string> categories;
  nn::BarSeries right{.name = "at a linked word"};
  nn::BarSeries ahead{.name = "one word ahead"};
  for (const Looked& looked : all) {
    const auto found = looked.by_class.find(WordClass::articles);
    if (found == looked.by_class.end() || found->second.looking.linked == 0) continue;
    categories.push_back(looked.label);
    right.values.push_back(100.0 * found->second.looking.right_share());
    ahead.values.push_back(100.0 * found->second.looking.ahead_share());
  }
  return categories.empty() ? ""
                            : nn::bar_chart_svg(categories, {right, ahead},
                                                {.title = "What articles look at", .value_axis = "% of the articles"});
}

// One short sentence with articles, to see it with one's own eyes.
void draw_sentence(ExperimentReport& out, const CandidateResult& result, const std::string& label,
                   const std::string& file) {
  for (const TranslatedSentence& sentence : result.trained.front().tests.front()) {
    const bool fits = sentence.pair.target.size() >= 6 && sentence.pair.target.size() <= 10;
    if (!fits || sentence.translation != sentence.pair.target || !sentence.weights.defined()) continue;
    const Tensor weights = sentence.weights.narrow(0, 0, static_cast<std::int64_t>(sentence.translation.size()))
                               .narrow(1, 0, static_cast<std::int64_t>(sentence.pair.source.size()));
    out.picture(file,
                nn::heatmap_svg(weights, sentence.translation, sentence.pair.source,
                                {.title = label, .row_axis = "translation", .column_axis = "source"}),
                label + ": the first sentence of 6 to 10 words that is translated as its reference.",
                nn::heatmap_text(weights, sentence.translation, sentence.pair.source,
                                 {.style = nn::heatmap_style_for(stdout)}));
    return;
  }
}

std::vector<Candidate> all_kinds(const Setting& setting) {
  std::vector<Candidate> candidates;
  for (const std::string& kind : nn::attention_kinds()) {
    if (kind != "hierarchical") candidates.push_back(candidate(setting, kind, kind));  // without documents: additive
  }
  candidates.push_back(candidate(setting, "transformer", "transformer"));
  return candidates;
}

}  // namespace

void run_interpretability(const ExperimentOptions& options) {
  const Setting setting = setting_of(options);
  const std::vector<CandidateResult> done = with_models(train_and_test(options, setting, all_kinds(setting)));
  std::vector<CandidateResult> plain;  // the language whose articles have one form
  if (setting.is_artificial()) {
    const Setting other = setting_of(options, {.agreement = false});
    plain = with_models(train_and_test(options, other, {candidate(other, "additive, no agreement", "additive")}));
  }
  ExperimentReport out("interpretability", "What attention looks at", options);
  out.note_if_stopped();
  std::vector<Looked> looked;
  for (const CandidateResult& result : done)
    looked.push_back(look(result, result.candidate.label, setting.is_artificial()));
  if (!plain.empty())
    looked.insert(looked.begin() + (looked.empty() ? 0 : 1), look(plain.front(), "additive, no agreement", true));
  if (!looked.empty()) {
    out.report.heading("What was found");
    const bool has_both = !plain.empty() && !done.empty();
    std::vector<std::string> texts = {has_both ? finding_agreement(looked[0], looked[1]) : finding_articles(looked[0]),
                                      finding_classes(looked[0]),
                                      finding_kinds(done, &Measures::alignment_error_rate, "Over all words"),
                                      finding_kinds(done, &Measures::alignment_error_rate_must_look,
                                                    "Over the words that cannot be guessed without looking"),
                                      finding_entropy(done)};
    if (!has_links(looked[0]))
      texts.push_back("No alignment is known for these data, so only the entropy can be measured.");
    for (const std::string& text : texts) {
      if (!text.empty()) out.report.paragraph(text);
    }
    std::vector<std::pair<std::string, Measures>> models;
    for (const CandidateResult& result : done) {
      models.emplace_back(result.candidate.label, measure(result.trained.front().tests.front()));
    }
    out.report.table(comparison_table("The models, first seed", models));
    out.report.table(class_table(looked));
    const std::string picture = looking_picture(looked);
    if (!picture.empty()) out.picture("articles", picture, "Where the strongest weight of each article is.");
    if (!done.empty()) draw_sentence(out, done.front(), "Additive attention", "sentence");
    if (!plain.empty())
      draw_sentence(out, plain.front(), "Additive attention, articles with one form", "sentence-plain");
  }
  out.settings(settings_of(setting, done));
  out.finish();
}

}  // namespace translate
