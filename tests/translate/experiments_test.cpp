#include "examples/translate/experiments/experiments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/first_word_model.h"
#include "examples/translate/experiments/measured.h"
#include "examples/translate/experiments/word_classes.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/stop_signal.h"
#include "tests/support/expect.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/temporary_folder.h"

namespace translate_experiments_test {

using autograd::Tensor;
using translate::compare;
using translate::Context;
using translate::Differences;
using translate::is_clearly_above;
using translate::Measured;
using translate::WordClass;

// ---- numbers and the words for them ------------------------------------------------------------------------------

TEST(Measured, MeanAndSpread) {
  const Measured measured{{1.0, 2.0, 6.0}};
  EXPECT_DOUBLE_EQ(measured.mean(), 3.0);
  EXPECT_DOUBLE_EQ(measured.spread(), std::sqrt(7.0));  // ((-2)^2 + (-1)^2 + 3^2) / 2
  EXPECT_EQ(measured.text(), "3.0 ± 2.6");
  EXPECT_EQ(Measured{{97.25}}.text(2), "97.25");
  EXPECT_EQ(Measured{}.text(), "–");
  EXPECT_EQ(Measured{{std::numeric_limits<double>::quiet_NaN()}}.text(), "–");
}

TEST(Measured, OnlyLargeDifferencesAreClear) {
  const Differences differences{.small = 1.0, .large = 5.0};
  EXPECT_FALSE(is_clearly_above({{90.0}}, {{87.0}}, differences));
  EXPECT_TRUE(is_clearly_above({{90.0}}, {{80.0}}, differences));
  EXPECT_FALSE(is_clearly_above({{80.0}}, {{90.0}}, differences));
  EXPECT_FALSE(is_clearly_above({}, {{80.0}}, differences));
  EXPECT_FALSE(is_clearly_above({{90.0}}, {}, differences));
}

TEST(Measured, LargeDifferencesWithALargeSpreadAreDoubted) {
  EXPECT_FALSE(is_clearly_above({{99.0, 71.0}}, {{80.0, 60.0}}, {}));
  EXPECT_TRUE(is_clearly_above({{86.0, 84.0}}, {{71.0, 69.0}}, {}));
}

TEST(Measured, Sentences) {
  EXPECT_EQ(compare("additive", {{97.3}}, "dot", {{85.3}}, {}),
            "additive is better than dot by 12.0 points (97.3 against 85.3)");
  EXPECT_EQ(compare("additive", {{85.3}}, "dot", {{97.3}}, {}),
            "additive is worse than dot by 12.0 points (85.3 against 97.3)");
  EXPECT_EQ(compare("additive", {{97.3}}, "dot", {{95.3}}, {}),
            "additive seems better than dot, by 2.0 points (97.3 against 95.3), which may be chance");
  EXPECT_EQ(compare("additive", {{97.3}}, "dot", {{97.1}}, {}), "additive and dot are about alike (97.3 and 97.1)");
  EXPECT_EQ(compare("additive", {{97.3}}, "dot", {}, {}), "additive and dot were not both measured");
}

TEST(Measured, Slope) {
  EXPECT_DOUBLE_EQ(translate::slope({1.0, 2.0, 4.0}, {3.0, 5.0, 9.0}), 2.0);
  EXPECT_TRUE(std::isnan(translate::slope({1.0, 1.0}, {3.0, 5.0})));
  EXPECT_TRUE(std::isnan(translate::slope({}, {})));
}

TEST(Measured, NothingIsNegativeZero) {
  EXPECT_EQ(translate::signed_text(-0.04), "0.0");
  EXPECT_EQ(translate::signed_text(-0.06), "-0.1");
  EXPECT_EQ(translate::signed_text(0.04, 2), "0.04");
  EXPECT_EQ(translate::signed_text(-0.4, 0), "0");
}

TEST(Measured, SentencesBeginWithACapital) {
  EXPECT_EQ(translate::capitalised("of long sentences"), "Of long sentences");
  EXPECT_EQ(translate::capitalised("über"), "über");
  EXPECT_EQ(translate::capitalised(""), "");
}

// ---- classes of words --------------------------------------------------------------------------------------------

TEST(WordClasses, ArtificialWordsByTheirLinks) {
  // "la teke na mupu demura": an article, a compound made from three words, a particle and its stem; nothing for ","
  const translate::SentencePair pair{
      .source = {"la", "teke", "na", "mupu", "demura"},
      .target = {"dar", "holtgarn", ",", "ak", "bolgen", "x"},
      .gold = translate::Alignment{{0, 0, true}, {1, 1, true}, {2, 1, true}, {3, 1, true}, {4, 3, true}, {4, 4, true}}};
  const std::vector<std::optional<WordClass>> expected = {WordClass::articles,    WordClass::compounds,   std::nullopt,
                                                          WordClass::split_verbs, WordClass::split_verbs, std::nullopt};
  EXPECT_EQ(classes_of(pair, true), expected);
}

TEST(WordClasses, GermanWordsByThemselves) {
  const translate::SentencePair pair{.source = {"a", "man", "on", "a", "road", "."},
                                     .target = {"ein", "mann", "auf", "straße", "."}};
  const std::vector<std::optional<WordClass>> expected = {
      WordClass::articles, WordClass::others, WordClass::function_words, WordClass::others, WordClass::punctuation};
  EXPECT_EQ(classes_of(pair, false), expected);
}

// ---- whole experiments, very small -------------------------------------------------------------------------------

class QuickExperiment : public testing::TestWithParam<std::string> {};

TEST_P(QuickExperiment, EndsInAReport) {
  const fixtures::TemporaryFolder folder;
  EXPECT_EQ(translate::run_experiment(GetParam(), {.out = folder.path(), .quick = true}), 0);
  const std::string page = fixtures::content_of(folder / (GetParam() + ".html"));
  for (const char* part : {"What was found", "<table", "--quick"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  const bool has_pictures = page.find("<svg") != std::string::npos;
  EXPECT_TRUE(has_pictures || GetParam() == "alignments");  // an untrained model shows no shapes to draw
  for (const char* wrong : {"nan", ">inf", "1 epochs", "-0.0"}) {
    EXPECT_EQ(page.find(wrong), std::string::npos) << wrong << page.substr(page.find(wrong), 100);
  }
}

INSTANTIATE_TEST_SUITE_P(All, QuickExperiment,
                         testing::Values("bottleneck", "alignments", "length", "variants", "interpretability", "scores",
                                         "gradient-flow"));

TEST(Experiments, ModelsTrainedBeforeAreUsedAgain) {
  const fixtures::TemporaryFolder folder;
  const translate::ExperimentOptions options{.out = folder.path(), .quick = true};
  const auto models = [&] {
    const translate::Setting setting = setting_of(options);
    return train_and_test(options, setting, {candidate(setting, "attention", "additive")});
  };
  EXPECT_FALSE(models().front().trained.front().was_kept);
  const std::vector<translate::CandidateResult> again = models();
  EXPECT_TRUE(again.front().trained.front().was_kept);
  EXPECT_EQ(again.front().trained.front().tests.size(), 2U);
  EXPECT_EQ(again.front().trained.front().measures.size(), 2U);
}

TEST(Experiments, ATransformerIsTrainedInItsOwnWay) {
  const translate::Setting artificial = translate::setting_of({});
  const translate::Candidate additive = candidate(artificial, "additive", "additive");
  const translate::Candidate transformer = candidate(artificial, "transformer", "transformer");
  EXPECT_EQ(additive.training.epochs, 14);
  EXPECT_EQ(transformer.training.epochs, 28);
  EXPECT_GT(transformer.training.warmup, 0);
  const auto lines = settings_of(artificial, {});
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](const auto& line) { return line.first == "training"; }), 1);
  std::vector<translate::CandidateResult> results;
  results.push_back({additive});
  results.push_back({transformer});
  bool is_said = false;
  for (const auto& [name, text] : settings_of(artificial, results)) {
    EXPECT_NE(name, "training of additive");
    if (name != "training of transformer") continue;
    is_said = true;
    EXPECT_TRUE(fixtures::mentions(text, {"28 epochs", "warm-up"}));
  }
  EXPECT_TRUE(is_said);
}

TEST(Experiments, HowSoonItWasLearnt) {
  translate::CandidateResult result;
  const auto add = [&result](const std::vector<double>& exact_match) {
    translate::Trained trained;
    for (std::size_t i = 0; i < exact_match.size(); ++i) {
      trained.curve.push_back({.step = 1, .epoch = static_cast<std::int64_t>(i + 1)});  // in the middle of the epoch
      trained.curve.push_back({.step = 2, .epoch = static_cast<std::int64_t>(i + 1), .exact_match = exact_match[i]});
    }
    result.trained.push_back(std::move(trained));
  };
  add({10.0, 95.0, 80.0, 99.0});
  add({10.0, 20.0, 94.9, 95.1});
  add({0.0, 1.0});
  EXPECT_EQ(epochs_until(result, 95.0).values, (std::vector<double>{2.0, 4.0}));
  EXPECT_TRUE(epochs_until(result, 99.5).values.empty());
}

// ---- interruptions and mistakes ----------------------------------------------------------------------------------

TEST(Experiments, StoppedTheySayWhatThereIsAndGoOn) {
  const fixtures::TemporaryFolder folder;
  const translate::ExperimentOptions options{.out = folder.path(), .quick = true};
  for (const char* name : {"bottleneck", "gradient-flow", "scores"}) {
    std::signal(SIGINT, SIG_DFL);  // a shell may have had it ignored
    {
      const translate::StopSignal pressed_before;
      std::raise(SIGINT);
      EXPECT_EQ(translate::run_experiment(name, options), 128 + SIGINT);
    }
    const std::string page = folder / (std::string(name) + ".html");
    const std::string how = std::string(name) == "gradient-flow" ? "same command begins anew" : "same command goes on";
    EXPECT_TRUE(fixtures::mentions(fixtures::content_of(page), {"stopped before its end", how}));
    EXPECT_EQ(translate::run_experiment(name, options), 0);
    EXPECT_EQ(fixtures::content_of(page).find("stopped before its end"), std::string::npos);
  }
}

TEST(Experiments, AStopIsNotForgottenByATrainingInside) {
  std::signal(SIGINT, SIG_DFL);
  const translate::StopSignal outer;
  std::raise(SIGINT);
  const translate::StopSignal inner;
  EXPECT_EQ(translate::StopSignal::received(), SIGINT);
}

TEST(Experiments, TwoAtOnceInOneFolderAreRefusedAtOnce) {
  const fixtures::TemporaryFolder folder;
  const translate::RunLock first(folder.path(), "experiment");
  EXPECT_TRUE(fixtures::mentions(
      fixtures::message_of(autograd::ErrorId::bad_file,
                           [&] { translate::run_experiment("bottleneck", {.out = folder.path(), .quick = true}); }),
      {"another experiment is at work in", folder.path().string(), "wait for it"}));
  EXPECT_FALSE(std::filesystem::exists(folder / "models"));
}

TEST(Experiments, OptionsOutOfRangeAreRefused) {
  const fixtures::TemporaryFolder folder;
  const auto refused = [&folder](translate::ExperimentOptions options) {
    options.out = folder / "out";
    options.quick = true;
    return fixtures::message_of(autograd::ErrorId::bad_argument,
                                [&] { translate::run_experiment("gradient-flow", options); });
  };
  EXPECT_TRUE(fixtures::mentions(refused({.epochs = 0}), {"--epochs is 0", "at least 1"}));
  EXPECT_TRUE(fixtures::mentions(refused({.epochs = -1}), {"--epochs is -1", "at least 1"}));
  EXPECT_TRUE(fixtures::mentions(refused({.steps = 0}), {"--steps is 0", "at least 1"}));
  EXPECT_TRUE(fixtures::mentions(refused({.seeds = 0}), {"--seeds is 0", "at least 1"}));
  EXPECT_EQ(folder.size(), 0U);  // before anything was done
}

TEST(Experiments, DataWithoutATestAreRefused) {
  const fixtures::TemporaryFolder folder;
  for (const char* name : {"train.en", "train.de", "val.en", "val.de"}) fixtures::write(folder / name, "a b c\n");
  EXPECT_TRUE(fixtures::mentions(fixtures::message_of(autograd::ErrorId::bad_file,
                                                      [&] {
                                                        translate::run_experiment(
                                                            "length", {.out = folder / "out", .data = folder.path()});
                                                      }),
                                 {folder.path().string(), "no test", "test*.en"}));
}

TEST(Experiments, AFullDiskLeavesTheText) {
  const fixtures::TemporaryFolder folder;
  testing::internal::CaptureStdout();
  {
    const fixtures::FileSizeLimit full(6000);  // room for the text, which has 4000 bytes, and not for a picture
    fixtures::message_of(autograd::ErrorId::bad_file,
                         [&] { translate::run_experiment("gradient-flow", {.out = folder.path(), .quick = true}); });
  }
  EXPECT_TRUE(fixtures::mentions(testing::internal::GetCapturedStdout(), {"What was found", "Settings"}));
  EXPECT_FALSE(std::filesystem::exists(folder / "gradient-flow.html"));
}

TEST(Experiments, AnUnknownNameListsThoseThereAre) {
  EXPECT_TRUE(fixtures::mentions(
      fixtures::message_of(autograd::ErrorId::bad_argument, [] { translate::run_experiment("speed", {}); }),
      {"\"speed\"", "bottleneck", "gradient-flow"}));
}

// ---- the gradient at the first word ------------------------------------------------------------------------------

translate::GradientNorms norms_of(Context context, std::int64_t length) {
  autograd::manual_seed(1);
  autograd::Generator random(1);
  const translate::FirstWordModel model({.context = context, .words = 7, .hidden_dim = 6});
  return gradient_norms(model, translate::random_words(3, length, 7, random));
}

TEST(FirstWordModel, WithoutAttentionTheGradientVanishesFaster) {
  const double state_only = norms_of(Context::none, 12).at_first_state / norms_of(Context::none, 2).at_first_state;
  const double fixed = norms_of(Context::fixed, 12).at_first_state / norms_of(Context::fixed, 2).at_first_state;
  const double attention =
      norms_of(Context::attention, 12).at_first_state / norms_of(Context::attention, 2).at_first_state;
  EXPECT_LT(state_only, 0.1 * fixed);
  EXPECT_LT(fixed, 0.1 * attention);
}

TEST(FirstWordModel, OneWordHasOneState) {
  const translate::GradientNorms norms = norms_of(Context::fixed, 1);
  EXPECT_GT(norms.at_first_state, 0.0);
  EXPECT_GT(norms.at_logits, 0.0);
  EXPECT_DOUBLE_EQ(norms.transmitted(), norms.at_first_state / norms.at_logits);
}

TEST(FirstWordModel, OnlyAttentionHasItsParameters) {
  const translate::FirstWordModel with({.context = Context::attention, .words = 7, .hidden_dim = 6});
  const translate::FirstWordModel without({.context = Context::fixed, .words = 7, .hidden_dim = 6});
  EXPECT_EQ(with.num_parameters() - without.num_parameters(), 6 * 6 + 6 * 6 + 6);
}

}  // namespace translate_experiments_test
