#include "examples/translate/experiments/distance.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/temporary_folder.h"

namespace translate_distance_test {

using translate::CandidateResult;

TEST(Distance, EverySentenceHasAWordFromFarAway) {
  const translate::Setting setting = translate::setting_of({.quick = true});
  const translate::ParallelText text = sentences_with_far_words(setting, 2000, 20);
  ASSERT_EQ(text.pairs.size(), 20U);
  for (const translate::SentencePair& pair : text.pairs) {
    bool has_far_word = false;
    for (const translate::Link& link : *pair.gold) {
      const bool counts = pair.must_look[static_cast<std::size_t>(link.target)];
      has_far_word = has_far_word || (counts && std::abs(link.source - link.target) >= translate::far_distance);
    }
    EXPECT_TRUE(has_far_word) << translate::join(pair.source);
  }
}

// The model writes the same word everywhere, so it is right where the reference has that word.
TEST(Distance, OnlyFarWordsThatMustLookCount) {
  const fixtures::TemporaryFolder folder;
  const translate::ExperimentOptions options{.out = folder.path(), .quick = true};
  const translate::Setting setting = setting_of(options);
  std::vector<CandidateResult> results = train_and_test(options, setting, {candidate(setting, "additive", "additive")});
  translate::TrainedModel& model = results.front().trained.front().model;
  const std::int64_t word = nn::Vocabulary::eos + 1;
  const std::string known = model.target.words({word})[0];
  const std::string other = model.target.words({word + 1})[0];
  for (auto& [name, weight] : model.model->named_parameters()) {
    const autograd::NoGradGuard no_grad;
    weight.zero_();
    if (name.ends_with("bias") && weight.size(0) == model.target.size()) weight.set_({word}, 1.0);
  }
  translate::ParallelText text;
  text.pairs.push_back({.source = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"},
                        .target = {known, other, known, other},
                        .gold = translate::Alignment{{11, 0, true}, {3, 1, true}, {10, 2, true}, {3, 3, true}},
                        .must_look = {true, true, true, true}});
  EXPECT_EQ(words_from_afar(results.front(), text).values, std::vector<double>{100.0});  // the other words are not far
  text.pairs.push_back({.source = text.pairs[0].source,
                        .target = {other, known},
                        .gold = translate::Alignment{{11, 0, true}},
                        .must_look = {true, false}});
  EXPECT_EQ(words_from_afar(results.front(), text).values, std::vector<double>{50.0});
  text.pairs[1].must_look[0] = false;
  EXPECT_EQ(words_from_afar(results.front(), text).values, std::vector<double>{100.0});
}

}  // namespace translate_distance_test
