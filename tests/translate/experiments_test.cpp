// Reports are held word for word by tests/golden/translate_report.txt.
#include "examples/translate/experiments/experiments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <limits>

#include "examples/translate/experiments/candidates.h"
#include "examples/translate/experiments/word_classes.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/stop_signal.h"
#include "tests/support/expect.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace translate_experiments_test {

using autograd::ErrorId;
using fixtures::message_of;
using translate::Measured;
using translate::Report;
using translate::WordClass;

// ---- numbers and reports -----------------------------------------------------------------------------------------

TEST(Measured, MeanAndSpread) {
  const Measured measured{{1.0, 2.0, 6.0}};
  EXPECT_DOUBLE_EQ(measured.mean(), 3.0);
  EXPECT_DOUBLE_EQ(measured.spread(), std::sqrt(7.0));  // ((-2)^2 + (-1)^2 + 3^2) / 2
  EXPECT_EQ(measured.text(), "3.0 ± 2.6");
  EXPECT_EQ(Measured{{97.25}}.text(2), "97.25");
  EXPECT_EQ(Measured{}.text(), "–");
  EXPECT_EQ(Measured{{std::numeric_limits<double>::quiet_NaN()}}.text(), "–");
}

TEST(Measured, AStatementHoldsInTheSeedsInWhichANumberIsAboveAllOthers) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const translate::Held held =
      held_in(Measured{{3.0, 3.0, 3.0, none, 3.0}}, {Measured{{1.0, 2.0, 3.0, 1.0}}, Measured{{2.0, 4.0, 1.0, 1.0}}});
  EXPECT_EQ(held.held, 1U);  // a tie does not count
  EXPECT_EQ(held.of, 3U);    // one was not measured, and the experiment was stopped in the last one
}

TEST(TranslateReport, IsMarkdownWithItsPicturesBesideIt) {
  const fixtures::TemporaryFolder folder;
  Report report("Attention");
  report.heading("Quality");
  report.paragraph("");
  report.paragraph("It helps\nby 3 | 4 *points*, <script> # \x1b[2J < 10.");
  report.table({.caption = "test_2016",
                .columns = {"model", "BLEU", "note"},
                .rows = {{"schläft", "32.8", "1|2"}, {"犬", "–", "`x`"}}});
  report.table({.columns = {"model"}, .rows = {{"without numbers"}}});
  report.picture("loss", "<svg 1>", "The [loss].");
  report.picture("other", "<svg 2>", "Another.");
  report.note = "Stopped.";
  report.settings = {{"seed", "1"}, {"data", "a/*"}};
  EXPECT_EQ(report.write(folder.path(), "name"), folder / "name.md");
  EXPECT_EQ(fixtures::content_of(folder / "name.md"), report.markdown("name"));
  EXPECT_EQ(fixtures::content_of(folder / "name-loss.svg"), "<svg 1>");
  EXPECT_EQ(fixtures::content_of(folder / "name-other.svg"), "<svg 2>");
  message_of(ErrorId::bad_file, [&] { report.write("/nowhere", "name"); });
  EXPECT_TRUE(fixtures::is_golden("translate_report", report.markdown("name")));
}

TEST(TranslateReport, AColumnWithoutNumbersIsLeftOut) {
  translate::ReportTable table{.columns = {"model"}, .rows = {{"a"}, {"b"}}};
  translate::add_column(table, "unknown", {"–", "–"});
  translate::add_column(table, "known", {"–", "1"});
  EXPECT_EQ(table.columns, (translate::Words{"model", "known"}));
  EXPECT_EQ(table.rows[1], (translate::Words{"b", "1"}));
}

// ---- classes of words --------------------------------------------------------------------------------------------

TEST(WordClasses, ArtificialWordsByTheirLinks) {
  // "la teke na mupu demura": an article, a compound made from three words, a particle and its stem; nothing for ","
  const translate::SentencePair pair{
      .source = {"la", "teke", "na", "mupu", "demura"},
      .target = {"dar", "holtgarn", ",", "ak", "bolgen", "x"},
      .gold = nn::ReferenceAlignment{.sure = {{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 3}, {4, 4}}, .possible = {}}};
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

// Two sentences in four languages, for training, validation and a test.
void write_four_languages(const fixtures::TemporaryFolder& folder) {
  const std::pair<const char*, const char*> texts[] = {
      {"en", "the red car sleeps here .\na man and a dog .\n"},
      {"de", "das rote auto schläft hier .\nein mann und ein hund .\n"},
      {"fr", "la voiture rouge dort ici .\nun homme et un chien .\n"},
      {"cs", "červené auto tady spí .\nmuž a pes .\n"}};
  for (const auto& [language, text] : texts) {
    for (const char* name : {"train.", "val.", "test."}) fixtures::write(folder / (name + std::string(language)), text);
  }
}

class QuickExperiment : public testing::TestWithParam<translate::Experiment> {};

TEST_P(QuickExperiment, EndsInAReport) {
  const fixtures::TemporaryFolder folder;
  const std::string name = GetParam().name;
  translate::ExperimentOptions options{.out = folder.path(), .quick = true};
  if (GetParam().needs_data) {
    message_of(ErrorId::bad_argument, [&] { translate::run_experiment(name, options); });
    options.data = folder.path();
    write_four_languages(folder);
  }
  EXPECT_EQ(translate::run_experiment(name, options), 0);
  const std::string page = fixtures::content_of(folder / (name + ".md"));
  EXPECT_NE(page.find("| ---"), std::string::npos) << page;
  for (const char* wrong : {"nan", "inf ", "-0.0 "}) EXPECT_EQ(page.find(wrong), std::string::npos) << wrong << page;
  for (const std::string& picture : fixtures::matches(page, R"(\]\(([^)]*\.svg)\))")) {
    EXPECT_TRUE(fixtures::content_of(folder / picture).starts_with("<svg")) << picture;
  }
}

INSTANTIATE_TEST_SUITE_P(All, QuickExperiment, testing::ValuesIn(translate::experiments()),
                         [](const auto& one) { return one.param.name; });

TEST(Experiments, PairsNeedAllFourLanguages) {
  const fixtures::TemporaryFolder folder;
  write_four_languages(folder);
  const translate::ExperimentOptions options{.out = folder / "out", .data = folder.path(), .seeds = 2, .quick = true};
  EXPECT_EQ(translate::run_experiment("pairs", options), 0);
  const auto models = std::filesystem::directory_iterator(folder / "out/models");
  EXPECT_EQ(std::distance(begin(models), end(models)), 4 * 2);
  std::filesystem::remove_all(folder / "out");
  std::filesystem::remove(folder / "val.cs");
  message_of(ErrorId::bad_file, [&] { translate::run_experiment("pairs", options); });
  EXPECT_FALSE(std::filesystem::exists(folder / "out/models"));  // nothing was trained
}

// Seven steps are trained; the beam takes the models of the step before it, and the ensemble has a row of its own.
TEST(Experiments, EachStepIsTrainedOnTopOfTheLast) {
  const fixtures::TemporaryFolder folder;
  write_four_languages(folder);
  const translate::ExperimentOptions options{.out = folder / "out", .data = folder.path(), .seeds = 2, .quick = true};
  EXPECT_EQ(translate::run_experiment("steps", options), 0);
  const auto models = std::filesystem::directory_iterator(folder / "out/models");
  EXPECT_EQ(std::distance(begin(models), end(models)), 7 * 2);
  const std::string page = fixtures::content_of(folder / "out/steps.md");
  EXPECT_EQ(fixtures::matches(page, R"(\n(\|))").size(), 2U + 9U) << page;  // the head of the table, and its rows
}

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

TEST(Experiments, StoppedTheyGoOn) {
  const fixtures::TemporaryFolder folder;
  const translate::ExperimentOptions options{.out = folder.path(), .quick = true};
  std::signal(SIGINT, SIG_DFL);  // a shell may have had it ignored
  {
    const translate::StopSignal pressed_before;
    std::raise(SIGINT);
    const translate::StopSignal inside;  // does not forget it
    EXPECT_EQ(translate::run_experiment("bottleneck", options), 128 + SIGINT);
  }
  const std::string stopped = fixtures::content_of(folder / "bottleneck.md");
  EXPECT_EQ(stopped.find('|'), std::string::npos);
  EXPECT_EQ(translate::run_experiment("bottleneck", options), 0);
  EXPECT_NE(fixtures::content_of(folder / "bottleneck.md").find('|'), std::string::npos);
}

// A terminal that closes may send more than one.
TEST(StopSignals, MoreThanOneHangUpIsOne) {
  std::signal(SIGHUP, SIG_DFL);
  const translate::StopSignal listening;
  std::raise(SIGHUP);
  std::raise(SIGHUP);
  EXPECT_EQ(translate::StopSignal::received(), SIGHUP);
}

TEST(Experiments, TwoAtOnceInOneFolderAreRefusedAtOnce) {
  const fixtures::TemporaryFolder folder;
  const translate::RunLock first(folder.path(), "experiment");
  message_of(ErrorId::bad_file,
             [&] { translate::run_experiment("bottleneck", {.out = folder.path(), .quick = true}); });
  EXPECT_FALSE(std::filesystem::exists(folder / "models"));
}

TEST(Experiments, OptionsOutOfRangeAreRefused) {
  const fixtures::TemporaryFolder folder;
  const translate::ExperimentOptions wrong[] = {{.epochs = 0}, {.epochs = -1}, {.steps = 0}, {.seeds = 0}};
  for (translate::ExperimentOptions options : wrong) {
    options.out = folder / "out";
    options.quick = true;
    message_of(ErrorId::bad_argument, [&] { translate::run_experiment("length", options); });
  }
  EXPECT_EQ(folder.size(), 0U);  // before anything was done
  message_of(ErrorId::bad_argument, [] { translate::run_experiment("speed", {}); });
}

TEST(Experiments, DataWithoutATestAreRefused) {
  const fixtures::TemporaryFolder folder;
  for (const char* name : {"train.en", "train.de", "val.en", "val.de"}) fixtures::write(folder / name, "a b c\n");
  message_of(ErrorId::bad_file,
             [&] { translate::run_experiment("length", {.out = folder / "out", .data = folder.path()}); });
}

}  // namespace translate_experiments_test
