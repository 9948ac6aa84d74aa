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
#include "examples/translate/experiments/side_by_side.h"
#include "examples/translate/experiments/word_classes.h"

namespace translate {

namespace {

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

std::string number_text(double value) {
  return std::isnan(value) ? "–" : fmt::format("{:.2f}", value);
}

std::string error_rate_text(const ClassCounts& counts) {
  return counts.looking.linked == 0 ? "–" : percent_text(counts.links.error_rate());
}

std::string entropy_text(const ClassCounts& counts) {
  return number_text(counts.entropy());
}

// Where the articles look: only those that have a link.
ReportTable article_table(const std::vector<Looked>& all) {
  ReportTable table{.caption = "What the articles look at, while the references are written",
                    .columns = {"model", "articles", "the linked word, %", "one word ahead, %", "one word behind, %",
                                "entropy, nats"}};
  for (const Looked& looked : all) {
    const auto found = looked.by_class.find(WordClass::articles);
    if (found == looked.by_class.end() || found->second.looking.linked == 0) continue;
    const nn::LookingCounts& looking = found->second.looking;
    table.rows.push_back({looked.label, fmt::format("{}", looking.linked), percent_text(looking.right_share()),
                          percent_text(looking.ahead_share()), percent_text(looking.behind_share()),
                          number_text(found->second.entropy())});
  }
  return table;
}

// A row per model, a column per class of word.
ReportTable class_table(const std::vector<Looked>& all, const std::string& caption,
                        std::string (*text)(const ClassCounts& counts)) {
  ReportTable table{.caption = caption, .columns = {"model"}};
  for (const Looked& looked : all) table.rows.push_back({looked.label});
  for (const WordClass one : all_word_classes) {
    std::vector<std::string> cells;
    for (const Looked& looked : all) {
      const auto found = looked.by_class.find(one);
      cells.push_back(found == looked.by_class.end() ? "–" : text(found->second));
    }
    const bool is_there = std::any_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell != "–"; });
    if (is_there) add_column(table, name(one), cells);
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
                     capitalised(looked.label), counts.linked, 100.0 * counts.right_share(),
                     100.0 * counts.ahead_share());
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
  std::string text = fmt::format("Alignment error rate of {} by class: {}.", looked.label, listed(parts));
  if (looked.by_class.count(WordClass::compounds) > 0) {
    text += " A compound has three linked words and one strongest weight: 50 % is as low as it can be.";
  }
  return text;
}

// The models with a value, the lowest first.
std::vector<const CandidateResult*> sorted_by(const std::vector<CandidateResult>& results, double Measures::*measure) {
  const auto value = [measure](const CandidateResult* result) {
    return measured(*result, LengthGroup::all, measure).mean();
  };
  std::vector<const CandidateResult*> sorted;
  for (const CandidateResult& result : results) {
    if (!std::isnan(value(&result))) sorted.push_back(&result);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&value](const CandidateResult* a, const CandidateResult* b) { return value(a) < value(b); });
  return sorted;
}

std::string finding_kinds(const std::vector<CandidateResult>& results, double Measures::*measure,
                          const std::string& words) {
  const std::vector<const CandidateResult*> sorted = sorted_by(results, measure);
  if (sorted.size() < 2) return "";
  const Measured lowest = measured(*sorted.front(), LengthGroup::all, measure);
  const Measured highest = measured(*sorted.back(), LengthGroup::all, measure);
  if (highest.mean() - lowest.mean() < 1.0) {
    return fmt::format("Over {}, the alignment error rate is about the same for all models, from {} to {} %.", words,
                       lowest.text(), highest.text());
  }
  return fmt::format("Over {}, the alignment error rate is lowest with {} ({} %) and highest with {} ({} %).", words,
                     sorted.front()->candidate.label, lowest.text(), sorted.back()->candidate.label, highest.text());
}

// Where no alignment is known.
std::string finding_without_links(const std::vector<CandidateResult>& results) {
  std::string text = "No alignment is known for these data, so only the entropy can be measured.";
  const std::vector<const CandidateResult*> sorted = sorted_by(results, &Measures::entropy);
  if (sorted.size() < 2) return text;
  const auto entropy = [](const CandidateResult* result) {
    return measured(*result, LengthGroup::all, &Measures::entropy).text(2);
  };
  return text + fmt::format(" The weights of {} are the sharpest ({} nats per word), those of {} the most spread ({}).",
                            sorted.front()->candidate.label, entropy(sorted.front()), sorted.back()->candidate.label,
                            entropy(sorted.back()));
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

// One sentence as one model translated it, to see it with one's own eyes.
void draw_sentence(ExperimentReport& out, const CandidateResult& result, const TranslatedSentence& sentence,
                   const std::string& file, const std::string& caption) {
  const Tensor weights = sentence.weights.narrow(0, 0, static_cast<std::int64_t>(sentence.translation.size()))
                             .narrow(1, 0, static_cast<std::int64_t>(sentence.pair.source.size()));
  out.picture(
      file,
      nn::heatmap_svg(weights, sentence.translation, sentence.pair.source,
                      {.title = fmt::format("Attention, {}", result.candidate.label),
                       .row_axis = "translation",
                       .column_axis = "source"}),
      caption,
      nn::heatmap_text(weights, sentence.translation, sentence.pair.source, {.style = nn::heatmap_style_for(stdout)}));
}

// Short enough to be seen at once, and translated as its reference.
bool can_be_shown(const TranslatedSentence& sentence) {
  const std::size_t words = sentence.pair.target.size();
  return words >= 6 && words <= 10 && sentence.translation == sentence.pair.target && sentence.weights.defined();
}

// The same right translation by the model whose attention is nearest to the alignment and the one furthest from it.
void draw_nearest_and_furthest(ExperimentReport& out, const std::vector<CandidateResult>& results) {
  const std::vector<const CandidateResult*> sorted = sorted_by(results, &Measures::alignment_error_rate);
  if (sorted.size() < 2) return;
  const auto& nearest = sorted.front()->trained.front().tests.front();
  const auto& furthest = sorted.back()->trained.front().tests.front();
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    if (!can_be_shown(nearest[i]) || !can_be_shown(furthest[i])) continue;
    out.report.heading("One sentence, two models");
    out.report.paragraph(
        "Both translate it as the reference is: the first sentence of 6 to 10 words of which that is true.");
    const auto caption = [](const CandidateResult& result, const char* which) {
      return fmt::format("Of all models, {} has the {} alignment error rate over all words, {} %.",
                         result.candidate.label, which,
                         measured(result, LengthGroup::all, &Measures::alignment_error_rate).text());
    };
    draw_sentence(out, *sorted.front(), nearest[i], "sentence-nearest", caption(*sorted.front(), "lowest"));
    draw_sentence(out, *sorted.back(), furthest[i], "sentence-furthest", caption(*sorted.back(), "highest"));
    return;
  }
}

// For data whose alignment is not known.
void draw_first(ExperimentReport& out, const CandidateResult& result) {
  const auto& sentences = result.trained.front().tests.front();
  const auto first = std::find_if(sentences.begin(), sentences.end(), can_be_shown);
  if (first == sentences.end()) return;
  draw_sentence(out, result, *first, "sentence", "The first sentence of 6 to 10 words that is translated right.");
}

std::vector<Candidate> all_kinds(const Setting& setting) {
  std::vector<Candidate> candidates;
  for (const std::string& kind : nn::attention_kinds()) {
    if (kind != "hierarchical") candidates.push_back(candidate(setting, kind, kind));  // without documents: additive
  }
  candidates.push_back(candidate(setting, "transformer", "transformer"));
  return candidates;
}

void add_pictures(ExperimentReport& out, const std::vector<CandidateResult>& results,
                  const std::vector<Looked>& looked) {
  const std::string picture = looking_picture(looked);
  if (!picture.empty()) out.picture("articles", picture, "Where the strongest weight of each article is.");
  if (results.empty()) return;
  out.picture(
      "entropy",
      bars_of_results(results, {{"entropy", &Measures::entropy}}, "How spread the weights are", "nats per word"),
      "Entropy of the weights, mean over the words of the models' own translations: 0 if all weight is on one "
      "word.");
}

void add_tables(ExperimentReport& out, const std::vector<CandidateResult>& results, const std::vector<Looked>& looked) {
  out.report.table(table_of_results("The models", "attention", results,
                                    {{"exact %", &Measures::exact_match},
                                     {"AER %", &Measures::alignment_error_rate},
                                     {"AER must look %", &Measures::alignment_error_rate_must_look},
                                     {"look at a linked word %", &Measures::looks_right},
                                     {"one word ahead %", &Measures::looks_ahead},
                                     {"entropy, nats", &Measures::entropy, 2},
                                     {"source words neglected %", &Measures::neglected},
                                     {"overused %", &Measures::overused}}));
  if (std::any_of(looked.begin(), looked.end(), has_links)) {
    out.report.table(article_table(looked));
    out.report.table(class_table(looked, "Alignment error rate by class of word, %", error_rate_text));
  }
  out.report.table(class_table(looked, "Entropy by class of word, nats", entropy_text));
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
    std::vector<std::string> texts = {
        finding_kinds(done, &Measures::alignment_error_rate, "all words"),
        finding_kinds(done, &Measures::alignment_error_rate_must_look, "words that cannot be guessed without looking"),
        finding_classes(looked[0]), has_both ? finding_agreement(looked[0], looked[1]) : finding_articles(looked[0]),
        finding_entropy(done)};
    if (!has_links(looked[0])) texts.push_back(finding_without_links(done));
    for (const std::string& text : texts) {
      if (!text.empty()) out.report.paragraph(text);
    }
    add_pictures(out, done, looked);
    add_tables(out, done, looked);
    if (has_links(looked[0])) {
      draw_nearest_and_furthest(out, done);
    } else if (!done.empty()) {
      draw_first(out, done.front());
    }
  }
  out.settings(settings_of(setting, done));
  out.finish();
}

}  // namespace translate
