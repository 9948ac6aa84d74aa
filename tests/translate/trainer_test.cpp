#include "examples/translate/training/trainer.h"

#include <gtest/gtest.h>
#include <nn/saving/checkpoint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "examples/translate/training/recipes.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/trained_model.h"
#include "tests/support/expect.h"
#include "tests/translate/run_fixtures.h"

namespace translate_trainer_test {

using autograd::ErrorId;
using translate::IfRunExists;
using translate::RunOptions;
using translate::RunResult;
using translate::TrainedModel;
using translate::Trainer;

// A new model with its data and its trainer.
struct Training {
  explicit Training(const translate::TrainingOptions& training = fixtures::small_run("").training,
                    const translate::ModelOptions& model = fixtures::small_run("").model) {
    autograd::manual_seed(training.seed);
    trained = translate::new_model(model, {}, corpus);
    pairs = translate::encode(corpus.train, trained);
    trainer = std::make_unique<Trainer>(*trained.model, pairs, training);
  }

  std::vector<double> losses(int updates) {
    std::vector<double> found;
    for (int i = 0; i < updates; ++i) {
      if (trainer->is_at_end_of_epoch()) trainer->begin_next_epoch();
      found.push_back(trainer->compute_gradient().loss);
      trainer->update_weights();
    }
    return found;
  }

  translate::Corpus corpus = fixtures::small_corpus();
  TrainedModel trained;
  std::vector<nn::EncodedPair> pairs;
  std::unique_ptr<Trainer> trainer;
};

// Returns the contents of all files that a run leaves, except the pictures.
std::vector<std::string> files_of(const std::filesystem::path& folder) {
  const translate::RunFolder run{folder};
  return {fixtures::content_of(run.checkpoint()), fixtures::content_of(run.best()),
          fixtures::content_of(folder / "curve.csv")};
}

RunResult train(RunOptions options, IfRunExists if_exists = IfRunExists::refuse) {
  options.if_exists = if_exists;
  const translate::Corpus corpus = fixtures::small_corpus();
  return translate::train_run(options, &corpus);
}

// Trains in a process of its own, which gets a signal after a while. Returns whether it came to its end.
bool train_and_signal(const RunOptions& options, int signal, std::chrono::milliseconds after) {
  std::signal(signal, SIG_DFL);  // a shell may have had it ignored, and a training before this one caught it
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(train(options, IfRunExists::resume_or_start).stopped_by == 0 ? 0 : 3);
    } catch (const std::exception& error) {
      fprintf(stderr, "%s\n", error.what());
      _exit(4);
    }
  }
  std::this_thread::sleep_for(after);
  kill(child, signal);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_NE(WIFEXITED(status) ? WEXITSTATUS(status) : 0, 4);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Interrupts a run again and again, each time a little later, until it is over. Returns how often.
int train_with_interruptions(const RunOptions& options, int signal) {
  int interruptions = 0;
  auto after = std::chrono::milliseconds(0);  // the first one is never too late
  while (!train_and_signal(options, signal, after)) {
    ++interruptions;
    after += after / 4 + std::chrono::milliseconds(3);
  }
  return interruptions;
}

// ---- single updates ------------------------------------------------------------------------------------------

TEST(Trainers, TheLossIsTheMeanOverTheWords) {
  Training training({.batch = 5}, {.dim = 4, .dropout = 0.0});
  autograd::Generator order(1);
  const nn::Batch batch = nn::make_batch(training.pairs, nn::training_batches(training.pairs, 5, order).front());
  const nn::TranslationModel& model = *training.trained.model;
  double sum = 0.0;
  std::int64_t words = 0;
  for (const std::size_t position : batch.positions) {  // one by one: no padding
    const nn::Batch one = nn::make_batch(training.pairs, {position});
    const auto output = model(one.src, one.lengths, one.tgt_in);
    sum += autograd::cross_entropy(output.logits.flatten(0, 1), one.tgt_out.flatten(),
                                   {.reduction = autograd::Reduction::sum})
               .item();
    words += one.target_words;
  }
  const Trainer::Update update = training.trainer->compute_gradient();
  EXPECT_EQ(update.words, words);
  EXPECT_NEAR(update.loss, sum / static_cast<double>(words), 1e-5);
}

TEST(Trainers, LabelSmoothingSpreadsAShareOfTheTargetOverAllWords) {
  const translate::ModelOptions model{.dim = 4, .dropout = 0.0};
  Training training({.batch = 5, .label_smoothing = 0.1}, model);
  autograd::Generator order(1);
  const nn::Batch batch = nn::make_batch(training.pairs, nn::training_batches(training.pairs, 5, order).front());
  const auto output =
      (*training.trained.model)(batch.src, batch.lengths, batch.tgt_in, {.positions = batch.word_positions});
  const autograd::Tensor log_p = log_softmax(output.logits, -1);  // [words, vocabulary]
  double sum = 0.0;
  for (std::int64_t word = 0; word < batch.target_words; ++word) {
    sum -= 0.9 * log_p[word][batch.words[word].item<std::int64_t>()].item() + 0.1 * log_p[word].mean().item();
  }
  EXPECT_NEAR(training.trainer->compute_gradient().loss, sum / static_cast<double>(batch.target_words), 1e-5);
}

TEST(Trainers, TheCoverageLossIsAddedOfWordsOnly) {
  const translate::ModelOptions model{.attention = "coverage", .dim = 4, .dropout = 0.0};
  Training without({.batch = 5}, model);
  Training with({.batch = 5, .coverage_loss = 2.0}, model);
  autograd::Generator order(1);
  const nn::Batch batch = nn::make_batch(with.pairs, nn::training_batches(with.pairs, 5, order).front());
  const auto output = (*with.trained.model)(batch.src, batch.lengths, batch.tgt_in);
  double sum = 0.0;
  for (std::size_t row = 0; row < batch.positions.size(); ++row) {
    const auto words = static_cast<std::int64_t>(with.pairs[batch.positions[row]].target.size());
    sum += output.coverage_loss[static_cast<std::int64_t>(row)].narrow(0, 0, words).sum().item();
  }
  const double difference = with.trainer->compute_gradient().loss - without.trainer->compute_gradient().loss;
  EXPECT_NEAR(difference, 2.0 * sum / static_cast<double>(batch.target_words), 1e-5);
  EXPECT_GT(difference, 0.0);
}

TEST(Trainers, WarmUpGrowsEvenly) {
  Training training({.batch = 7, .lr = 0.4, .warmup = 4});
  std::vector<double> rates;
  for (int i = 0; i < 5; ++i) {
    rates.push_back(training.trainer->lr());
    training.losses(1);
  }
  EXPECT_EQ(rates, (std::vector<double>{0.1, 0.2, 0.30000000000000004, 0.4, 0.4}));
}

TEST(Trainers, AfterTheWarmUpTheRateFallsWithTheRootOfTheUpdates) {
  Training training({.batch = 7, .lr = 0.4, .warmup = 2, .schedule = "inverse-sqrt"});
  for (const double rate : {0.2, 0.4, 0.4 * std::sqrt(2.0 / 3.0), 0.4 * std::sqrt(2.0 / 4.0)}) {
    EXPECT_DOUBLE_EQ(training.trainer->lr(), rate);
    training.losses(1);
  }
  fixtures::error_of(ErrorId::bad_argument, [] { translate::check_options({.schedule = "inverse-sqrt"}); });
}

TEST(Trainers, GoOnAsIfThereHadBeenNoBreak) {
  for (const int before : {0, 1, 3, 4, 6}) {  // of 4 per epoch
    Training straight;
    straight.losses(before);
    const std::vector<double> expected = straight.losses(5);

    Training first;
    first.losses(before);
    const nn::StateDict state = first.trainer->state_dict();
    autograd::manual_seed(777);
    Training second;
    second.losses(2);  // changes everything that a state must restore
    second.trainer->load_state_dict(state);
    EXPECT_EQ(second.losses(5), expected) << "after " << before;
  }
}

// Between the gradient and the update, the state is that from before both.
TEST(Trainers, AStateTakenBeforeTheUpdateDoesItAgain) {
  Training training;
  training.losses(2);
  const Trainer::Update made = training.trainer->compute_gradient();
  Training other;
  other.trainer->load_state_dict(training.trainer->state_dict());
  EXPECT_EQ(other.trainer->position().step, 2);
  EXPECT_EQ(other.trainer->compute_gradient().loss, made.loss);
}

TEST(Trainers, AStateOfAnotherModelIsRefused) {
  Training small;
  Training large({.batch = 7}, {.dim = 6});
  const nn::StateDict state = large.trainer->state_dict();
  fixtures::message_of(ErrorId::state_dict_mismatch, [&] { small.trainer->load_state_dict(state); });
  nn::StateDict incomplete = small.trainer->state_dict();
  incomplete.erase("position");
  fixtures::message_of(ErrorId::bad_file, [&] { small.trainer->load_state_dict(incomplete); });
  nn::StateDict beyond = small.trainer->state_dict();
  beyond["position"] = autograd::ids({0, 5, 5});
  fixtures::message_of(ErrorId::bad_file, [&] { small.trainer->load_state_dict(beyond); });
}

TEST(Trainers, NoticeNaN) {
  Training training({.batch = 7, .lr = 1e30});
  training.losses(1);
  EXPECT_THROW(training.losses(3), translate::NotFinite);
}

// ---- whole runs ----------------------------------------------------------------------------------------------

TEST(TrainingRuns, LeaveAModelACheckpointAndACurve) {
  const fixtures::TemporaryFolder folder;
  const RunResult result = train(fixtures::small_run(folder.path()));
  EXPECT_EQ(result.stopped_by, 0);
  EXPECT_EQ(result.position.step, 8);
  EXPECT_EQ(result.curve.size(), 2U);
  EXPECT_TRUE(std::isfinite(result.best.perplexity));
  for (const char* name : {"checkpoint.safetensors", "best.safetensors", "curve.csv", "curve.svg", "quality.svg"}) {
    EXPECT_GT(std::filesystem::file_size(folder.path() / name), 0U) << name;
  }
  const TrainedModel model = translate::load_model(translate::model_file_of(folder.path()));
  EXPECT_EQ(model.options.dim, 4);
  EXPECT_FALSE(model.model->training());
}

TEST(TrainingRuns, OfEquallyGoodModelsTheFirstIsKept) {
  const fixtures::TemporaryFolder folder;
  RunOptions options = fixtures::small_run(folder.path());
  options.training.lr = 1e-30;  // smaller than what any weight rounds to
  const RunResult result = train(options);
  ASSERT_EQ(result.curve.size(), 2U);
  EXPECT_EQ(result.curve[0].perplexity, result.curve[1].perplexity);
  EXPECT_EQ(result.best.step, 4);
}

// Of the words that must look, where those are known; here their error rate is another than that of all words.
TEST(TrainingRuns, MeasureTheErrorRateOfWordsThatMustLook) {
  translate::Corpus corpus = fixtures::small_corpus();
  const fixtures::TemporaryFolder must_look;
  const double of_must_look =
      translate::train_run(fixtures::small_run(must_look.path()), &corpus).curve[0].alignment_error_rate;
  for (translate::SentencePair& pair : corpus.validation.pairs) pair.must_look.clear();
  const fixtures::TemporaryFolder all;
  const double of_all = translate::train_run(fixtures::small_run(all.path()), &corpus).curve[0].alignment_error_rate;
  EXPECT_TRUE(of_must_look >= 0.0 && of_all >= 0.0);
  EXPECT_NE(of_must_look, of_all);
}

// ---- which model is kept, and when it ends -------------------------------------------------------------------------

std::vector<double> weights_of(const TrainedModel& model) {
  std::vector<double> all;
  for (const auto& [name, tensor] : model.model->state_dict()) {
    const std::vector<double> values = tensor.to_vector();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

TEST(TrainingRuns, KeepTheMeanOfTheLastEpochs) {
  std::vector<std::vector<double>> after;  // 1, 2 and 3 epochs
  for (const std::int64_t epochs : {1, 2, 3}) {
    const fixtures::TemporaryFolder folder;
    RunOptions options = fixtures::small_run(folder.path());
    options.training.epochs = epochs;
    train(options);
    const nn::Checkpoint checkpoint =
        nn::load_checkpoint(translate::RunFolder{folder.path()}.checkpoint(), "checkpoint of a training");
    TrainedModel model = translate::load_model(translate::model_file_of(folder.path()));
    model.model->load_state_dict(nn::with_prefix(checkpoint.tensors, "model."));
    after.push_back(weights_of(model));
  }
  const fixtures::TemporaryFolder folder;
  RunOptions options = fixtures::small_run(folder.path());
  options.training.epochs = 3;
  options.training.average = 2;
  const RunResult result = train(options);
  ASSERT_EQ(result.best.step, 12);  // it still improves
  const std::vector<double> kept = weights_of(translate::load_model(translate::model_file_of(folder.path())));
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_NEAR(kept[i], (after[1][i] + after[2][i]) / 2.0, 1e-6);
}

TEST(TrainingRuns, AveragingChangesNothingOfTheTrainingAndResumesToTheSameBytes) {
  const fixtures::TemporaryFolder plain;
  const fixtures::TemporaryFolder straight;
  const fixtures::TemporaryFolder stopped;
  RunOptions options = fixtures::small_run(plain.path());
  options.training.epochs = 3;
  const RunResult without = train(options);
  options.training.average = 3;
  options.folder = straight.path();
  const RunResult with = train(options);
  EXPECT_EQ(without.curve.back().training_loss, with.curve.back().training_loss);
  EXPECT_NE(without.curve.back().perplexity, with.curve.back().perplexity);
  options.folder = stopped.path();
  EXPECT_GT(train_with_interruptions(options, SIGINT), 0);
  EXPECT_EQ(files_of(straight.path()), files_of(stopped.path()));
}

TEST(TrainingRuns, EndWhenPatienceDoes) {
  const fixtures::TemporaryFolder folder;
  RunOptions options = fixtures::small_run(folder.path());
  options.training.lr = 1e-30;  // nothing becomes better
  options.training.epochs = 9;
  options.training.patience = 2;
  const RunResult result = train(options);
  EXPECT_EQ(result.position.step, 12);  // the first epoch, which is the best, and two more
  EXPECT_EQ(result.stopped_by, 0);
  EXPECT_EQ(train(options, IfRunExists::resume).target_words, 0);
}

// Each measure has its own best epoch here.
TEST(TrainingRuns, KeepTheBestByTheMeasureThatIsAskedFor) {
  const fixtures::TemporaryFolder folder;
  RunOptions options = fixtures::small_run(folder.path());
  options.training.epochs = 8;
  options.training.best_by = "bleu";
  const RunResult result = train(options);
  const auto bleu = [](const translate::CurvePoint& a, const translate::CurvePoint& b) { return a.bleu < b.bleu; };
  const auto best = std::max_element(result.curve.begin(), result.curve.end(), bleu);  // the first of equal ones
  EXPECT_EQ(result.best.step, best->step);
  EXPECT_EQ(result.best.bleu, best->bleu);
}

TEST(Recipes, SetWhatWasNotGiven) {
  RunOptions options;
  options.given = {"dim", "batch"};
  options.training.batch = 7;
  translate::apply_recipe("lium-gru", options);
  EXPECT_EQ(options.training.batch, 7);
  EXPECT_EQ(options.model.dim, translate::ModelOptions().dim);
  EXPECT_TRUE(options.model.conditional);
  EXPECT_EQ(options.data.bpe, 10'000);
  EXPECT_EQ(options.given->count("bpe"), 1U);
  const translate::Json before = to_json(options);
  fixtures::message_of(autograd::ErrorId::bad_argument, [&] { translate::apply_recipe("cake", options); });
  EXPECT_EQ(to_json(options), before);
  RunOptions nothing_given;
  translate::apply_recipe("lium-gru", nothing_given);
  EXPECT_EQ(nothing_given.training.batch, 32);
}

TEST(Recipes, AllCanBeTrained) {
  for (const std::string& name : translate::names_of_recipes()) {
    const fixtures::TemporaryFolder folder;
    RunOptions options = fixtures::small_run(folder.path());
    options.given = {"bpe", "steps", "dim", "embedding"};
    options.data.bpe = 20;
    options.training.steps = 3;
    options.model = {.dim = 8, .embedding = 4};
    if (name == "tiny-transformer") options.model.embedding = 0;
    translate::apply_recipe(name, options);
    EXPECT_EQ(train(options).position.step, 3) << name;
  }
}

TEST(TrainingRuns, TheSameSeedGivesTheSameBytes) {
  const fixtures::TemporaryFolder first;
  const fixtures::TemporaryFolder second;
  train(fixtures::small_run(first.path()));
  train(fixtures::small_run(second.path()));
  EXPECT_EQ(files_of(first.path()), files_of(second.path()));
  const fixtures::TemporaryFolder third;
  RunOptions other = fixtures::small_run(third.path());
  other.training.seed = 2;
  train(other);
  EXPECT_NE(files_of(first.path()), files_of(third.path()));
}

TEST(TrainingRuns, OneEpochAndAnotherAreTwoEpochs) {
  const fixtures::TemporaryFolder straight;
  const fixtures::TemporaryFolder divided;
  RunOptions two = fixtures::small_run(straight.path());
  two.save_every = 100;  // must not change the result
  train(two);
  RunOptions one = fixtures::small_run(divided.path());
  one.training.epochs = 1;
  train(one);
  EXPECT_NE(files_of(straight.path()), files_of(divided.path()));
  const RunResult resumed = train(fixtures::small_run(divided.path()), IfRunExists::resume);
  EXPECT_EQ(files_of(straight.path()), files_of(divided.path()));
  EXPECT_EQ(resumed.curve.size(), 2U);
  const std::vector<std::string> before = files_of(divided.path());
  EXPECT_EQ(train(fixtures::small_run(divided.path()), IfRunExists::resume).target_words, 0);
  EXPECT_EQ(files_of(divided.path()), before);
}

TEST(TrainingRuns, StoppedAtAnyMomentTheyGoOnToTheSameBytes) {
  const fixtures::TemporaryFolder straight;
  train(fixtures::small_run(straight.path()));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    const fixtures::TemporaryFolder stopped;
    EXPECT_GT(train_with_interruptions(fixtures::small_run(stopped.path()), signal), 0) << signal;
    EXPECT_EQ(files_of(straight.path()), files_of(stopped.path())) << signal;
    for (const auto& entry : std::filesystem::directory_iterator(stopped.path())) {
      EXPECT_NE(entry.path().extension(), ".tmp");
    }
  }
}

TEST(TrainingRuns, AreNotOverwritten) {
  const fixtures::TemporaryFolder folder;
  RunOptions options = fixtures::small_run(folder.path());
  train(options);
  const std::vector<std::string> before = files_of(folder.path());
  fixtures::message_of(ErrorId::bad_file, [&] { train(options); });
  options.training.seed = 5;
  fixtures::message_of(ErrorId::bad_argument, [&] { train(options, IfRunExists::resume); });
  options.model.dim = 6;
  options.given = std::set<std::string>{"dim"};
  fixtures::message_of(ErrorId::bad_argument, [&] { train(options, IfRunExists::resume); });
  EXPECT_EQ(files_of(folder.path()), before);
  options.given = std::set<std::string>{};  // so seed and dim are the run's own
  train(options, IfRunExists::resume);
  EXPECT_EQ(files_of(folder.path()), before);
  train(options, IfRunExists::replace);
  EXPECT_NE(files_of(folder.path()), before);
}

// The old model stays until something new is written.
TEST(TrainingRuns, AReplacementThatCannotBeginLeavesTheOldOne) {
  const fixtures::TemporaryFolder folder;
  train(fixtures::small_run(folder.path()));
  const std::vector<std::string> before = files_of(folder.path());
  {
    const fixtures::FileSizeLimit full(1000);
    fixtures::message_of(ErrorId::bad_file, [&] { train(fixtures::small_run(folder.path()), IfRunExists::replace); });
  }
  EXPECT_EQ(files_of(folder.path()), before);
  RunOptions none = fixtures::small_run(folder.path());
  none.data.data = folder / "none";
  none.if_exists = IfRunExists::replace;
  fixtures::message_of(ErrorId::bad_file, [&] { translate::train_run(none); });
  EXPECT_EQ(files_of(folder.path()), before);
}

TEST(TrainingRuns, SomebodysOwnFilesAreNotOverwritten) {
  for (const char* name : {"best.safetensors", "curve.csv", "curve.svg", "quality.svg"}) {
    const fixtures::TemporaryFolder folder;
    fixtures::write(folder / name, "mine");
    const RunOptions options = fixtures::small_run(folder.path());
    fixtures::message_of(ErrorId::bad_file, [&] { train(options); });
    EXPECT_EQ(fixtures::content_of(folder / name), "mine");
    train(options, IfRunExists::replace);
    EXPECT_NE(fixtures::content_of(folder / name), "mine");
  }
}

TEST(TrainingRuns, NeedWordsToBeChosenBy) {
  const fixtures::TemporaryFolder folder;
  translate::Corpus corpus = fixtures::small_corpus();
  for (translate::SentencePair& pair : corpus.validation.pairs) pair.target.clear();
  fixtures::message_of(ErrorId::bad_file,
                       [&] { translate::train_run(fixtures::small_run(folder.path() / "run"), &corpus); });
}

TEST(TrainingRuns, OtherDataAreRefused) {
  const fixtures::TemporaryFolder folder;
  train(fixtures::small_run(folder.path()));
  RunOptions options = fixtures::small_run(folder.path());
  options.if_exists = IfRunExists::resume;
  translate::Corpus changed = fixtures::small_corpus();
  changed.train.pairs[3].target.push_back("more");
  fixtures::message_of(ErrorId::bad_file, [&] { translate::train_run(options, &changed); });
  changed = fixtures::small_corpus();
  changed.validation.pairs[1].source.push_back("more");
  fixtures::message_of(ErrorId::bad_file, [&] { translate::train_run(options, &changed); });
}

TEST(TrainingRuns, WithoutACheckpointThereIsNothingToResume) {
  const fixtures::TemporaryFolder folder;
  fixtures::message_of(ErrorId::bad_file, [&] { train(fixtures::small_run(folder.path()), IfRunExists::resume); });
  fixtures::write(folder.path() / "file", "");
  fixtures::message_of(ErrorId::bad_file, [&] { train(fixtures::small_run(folder.path() / "file")); });
  train(fixtures::small_run(folder.path() / "new" / "folder"), IfRunExists::resume_or_start);
}

TEST(TrainingRuns, ADamagedCheckpointIsRefused) {
  const fixtures::TemporaryFolder folder;
  train(fixtures::small_run(folder.path()));
  const std::string path = translate::RunFolder{folder.path()}.checkpoint();
  std::string content = fixtures::content_of(path);
  content[content.size() - 3] = static_cast<char>(content[content.size() - 3] ^ 4);
  fixtures::write(path, content);
  fixtures::message_of(ErrorId::bad_safetensors,
                       [&] { train(fixtures::small_run(folder.path()), IfRunExists::resume); });
}

TEST(TrainingRuns, TwoAtOnceInOneFolderAreRefused) {
  const fixtures::TemporaryFolder folder;
  const translate::RunLock lock(folder.path());
  fixtures::message_of(ErrorId::bad_file, [&] { train(fixtures::small_run(folder.path())); });
}

TEST(TrainingRuns, AFullDiskLeavesTheLastCheckpoint) {
  const fixtures::TemporaryFolder straight;
  train(fixtures::small_run(straight.path()));
  const fixtures::TemporaryFolder folder;
  RunOptions one = fixtures::small_run(folder.path());
  one.training.epochs = 1;
  train(one);
  {
    const fixtures::FileSizeLimit full(1000);
    fixtures::message_of(ErrorId::bad_file, [&] { train(fixtures::small_run(folder.path()), IfRunExists::resume); });
  }
  train(fixtures::small_run(folder.path()), IfRunExists::resume);
  EXPECT_EQ(files_of(straight.path()), files_of(folder.path()));
}

TEST(TrainingRuns, AfterNaNThereIsACheckpointToGoOnFrom) {
  const fixtures::TemporaryFolder folder;
  RunOptions options = fixtures::small_run(folder.path());
  options.training.lr = 1e30;
  EXPECT_THROW(train(options), translate::NotFinite);
  options.training.lr = 1e-2;
  EXPECT_EQ(train(options, IfRunExists::resume).position.step, 8);
}

// With one update per epoch, the validation is the first to see what is wrong.
TEST(TrainingRuns, NaNInTheValidationIsTheSame) {
  const fixtures::TemporaryFolder folder;
  RunOptions options = fixtures::small_run(folder.path());
  options.training.batch = 24;
  for (const double lr : {1e10, 1e30, 1e300}) {
    options.training.lr = lr;
    EXPECT_THROW(train(options, IfRunExists::replace), translate::NotFinite);
  }
}

// Even if the training is over: the last model is validated again.
TEST(TrainingRuns, AFinishedOneWithoutItsBestModelMakesOne) {
  const fixtures::TemporaryFolder folder;
  const translate::RunFolder run{folder.path()};
  train(fixtures::small_run(folder.path()));
  std::filesystem::remove(run.best());
  fixtures::message_of(ErrorId::bad_file, [&] { translate::model_file_of(folder.path()); });
  const RunResult result = train(fixtures::small_run(folder.path()), IfRunExists::resume);
  EXPECT_EQ(result.best.step, 8);
  EXPECT_NO_THROW(translate::load_model(run.best()));
}

TEST(TrainingRuns, WithoutTheBestModelTheNextOneTakesItsPlace) {
  const fixtures::TemporaryFolder folder;
  RunOptions options = fixtures::small_run(folder.path());
  options.training.epochs = 1;
  train(options);
  std::filesystem::remove(translate::RunFolder{folder.path()}.best());
  const RunResult result = train(fixtures::small_run(folder.path()), IfRunExists::resume);
  EXPECT_EQ(result.best.step, 8);
  EXPECT_TRUE(translate::RunFolder{folder.path()}.has_best());
}

TEST(TrainingRuns, EveryModelCanBeSavedAndLoaded) {
  const std::vector<translate::ModelOptions> models = {
      {.model = "vanilla", .dim = 4},
      {.model = "transformer", .layers = 1, .dim = 4, .heads = 2},
      {.model = "attention", .attention = "general", .cell = "lstm", .layers = 2, .dim = 4, .input_feeding = true},
      {.model = "attention", .attention = "coverage", .dim = 4}};
  for (const translate::ModelOptions& model : models) {
    const fixtures::TemporaryFolder folder;
    RunOptions options = fixtures::small_run(folder.path());
    options.model = model;
    options.training.epochs = 1;
    if (model.attention == "coverage") options.training.coverage_loss = 1.0;
    train(options);
    EXPECT_EQ(translate::to_json(translate::load_model(translate::model_file_of(folder.path())).options),
              translate::to_json(model));
  }
}

TEST(Curves, ComeBackAndAreATable) {
  const translate::Curve curve = {{.step = 50, .epoch = 1, .training_loss = 4.25},
                                  {.step = 94, .epoch = 1, .training_loss = 0.1, .perplexity = 12.5, .bleu = 3.0}};
  EXPECT_EQ(translate::curve_csv(curve),
            "update,epoch,training_loss,validation_perplexity,bleu,exact_match,alignment_error_rate\n"
            "50,1,4.25,,,,\n"
            "94,1,0.1,12.5,3,,\n");
  EXPECT_EQ(translate::curve_csv(translate::curve_from(translate::to_tensor(curve))), translate::curve_csv(curve));
  EXPECT_TRUE(translate::curve_from(translate::to_tensor(translate::Curve())).empty());
  fixtures::message_of(ErrorId::bad_file, [] { translate::curve_from(autograd::zeros({2, 3})); });
}

}  // namespace translate_trainer_test
