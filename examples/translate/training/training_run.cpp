#include "examples/translate/training/training_run.h"

#include <fmt/core.h>
#include <nn/saving/checkpoint.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "examples/translate/data/corpus.h"
#include "examples/translate/evaluation.h"
#include "examples/translate/messages.h"
#include "examples/translate/training/progress.h"
#include "examples/translate/training/recent_weights.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/stop_signal.h"

namespace translate {
namespace {

constexpr const char* checkpoint_kind = "checkpoint of a training";
constexpr std::int64_t updates_per_curve_point = 50;

std::string name_of(const DataOptions& data) {
  return data.data.empty() ? "the artificial language" : data.data;
}

// ---- the training itself -------------------------------------------------------------------------------------

// Sums up a mean loss.
struct LossSum {
  double loss = 0.0;  // of all words together
  double words = 0.0;

  void add(const Trainer::Update& update) {
    loss += update.loss * static_cast<double>(update.words);
    words += static_cast<double>(update.words);
  }
  double mean() const { return words == 0.0 ? not_measured : loss / words; }
};

// A point that is not a validation is never better.
bool is_better(const CurvePoint& point, const CurvePoint& best, const std::string& best_by) {
  if (best_by == "bleu") return std::isfinite(point.bleu) && !(point.bleu <= best.bleu);
  return std::isfinite(point.perplexity) && !(point.perplexity >= best.perplexity);
}

class TrainingRun {
 public:
  TrainingRun(const RunOptions& options, const Corpus& corpus);

  // Call one of these two before run().
  void begin();
  void go_on_from(const nn::Checkpoint& checkpoint);

  RunResult run();

 private:
  bool is_at_end() const;
  bool is_out_of_patience() const;
  bool is_validated() const;
  bool is_over() const { return is_at_end() && is_validated(); }
  bool is_at_validation() const { return trainer_->is_at_end_of_epoch() || is_at_end(); }

  bool update();
  bool finish_epoch();
  bool validate();
  std::optional<Measures> measure_validation_text() const;
  void note_validation(const Measures& measures);
  CurvePoint& point_of_this_step();
  void save_checkpoint();

  void say_what_it_is();
  void say_what_was_found(const CurvePoint& validation);
  void tell_scale();

  RunOptions options_;
  RunFolder folder_;
  const Corpus& corpus_;
  std::vector<nn::EncodedPair> pairs_;
  TrainedModel trained_;
  std::unique_ptr<Trainer> trainer_;
  Progress progress_;

  Curve curve_;
  LossSum since_point_;
  CurvePoint best_;
  RecentWeights recent_;
  std::int64_t saved_step_ = 0;  // the step of the checkpoint
};

TrainingRun::TrainingRun(const RunOptions& options, const Corpus& corpus)
    : options_(options),
      folder_{options.folder},
      corpus_(corpus),
      progress_(options.progress),
      recent_(static_cast<std::size_t>(options.training.average)) {
  autograd::manual_seed(options_.training.seed);
  trained_ = new_model(options_.model, options_.data, corpus_);
  pairs_ = encode(corpus_.train, trained_);
  trainer_ = std::make_unique<Trainer>(*trained_.model, pairs_, options_.training);
}

bool TrainingRun::is_at_end() const {
  const TrainingPosition& position = trainer_->position();
  const bool is_out_of_steps = options_.training.steps > 0 && position.step >= options_.training.steps;
  return is_out_of_steps || position.epoch >= options_.training.epochs || is_out_of_patience();
}

bool TrainingRun::is_out_of_patience() const {
  const auto is_later = [this](const CurvePoint& point) { return point.is_validation() && point.step > best_.step; };
  const std::int64_t patience = options_.training.patience;
  return patience > 0 && std::ranges::count_if(curve_, is_later) >= patience;
}

// Returns whether this state of the model has been validated and the best model is there.
bool TrainingRun::is_validated() const {
  const bool has_best = std::isfinite(best_.perplexity);
  return has_best && !curve_.empty() && curve_.back().step == trainer_->position().step &&
         curve_.back().is_validation();
}

// Every epoch ends with a validation, and so does the whole training, wherever it ends.
RunResult TrainingRun::run() {
  const StopSignal stop_signal;
  say_what_it_is();
  tell_scale();
  try {
    bool goes_on = true;
    while (goes_on && !is_over()) goes_on = is_at_validation() ? finish_epoch() : update();
  } catch (const NotFinite& found) {
    progress_.clear();
    throw NotFinite(fmt::format(
        "{}; {} is that of update {}, still good: go on from there with a smaller --lr "
        "(--resume --lr {}), or look for the place where it begins with BACKSTEP=nan",
        found.what(), folder_.checkpoint(), saved_step_, std::min(options_.training.lr / 2.0, TrainingOptions().lr)));
  }
  progress_.clear();
  return {.curve = curve_,
          .best = best_,
          .position = trainer_->position(),
          .stopped_by = is_over() ? 0 : StopSignal::received(),
          .target_words = progress_.words()};
}

// Returns false if it was stopped. Writes a checkpoint only when the next gradient is known to be finite, so that the
// training can go on from it.
bool TrainingRun::update() {
  const auto start = std::chrono::steady_clock::now();
  const Trainer::Update made = trainer_->compute_gradient();
  const bool is_stopped = stop_wanted();
  const std::int64_t step = trainer_->position().step;
  if (is_stopped || (step % options_.save_every == 0 && step != saved_step_)) save_checkpoint();
  if (is_stopped) return false;

  trainer_->update_weights();
  since_point_.add(made);
  const TrainingPosition& position = trainer_->position();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  progress_.update(position.epoch + 1, position.batch, made.loss, made.words, spent.count());
  if (position.step % updates_per_curve_point == 0) {
    point_of_this_step();
    write_curve(folder_.path, curve_);
  }
  return true;
}

// Adds a point for this step unless there is one.
CurvePoint& TrainingRun::point_of_this_step() {
  const TrainingPosition& position = trainer_->position();
  const bool is_new = curve_.empty() || curve_.back().step != position.step;
  if (is_new) {
    curve_.push_back({.step = position.step, .epoch = position.epoch + 1, .training_loss = since_point_.mean()});
    since_point_ = {};
  }
  return curve_.back();
}

// ---- validation ----------------------------------------------------------------------------------------------

// Validates unless this state of the model has been validated, then begins the next epoch. Returns false if it was
// stopped.
bool TrainingRun::finish_epoch() {
  const bool is_stopped = !is_validated() && !validate();
  if (!is_stopped && trainer_->is_at_end_of_epoch()) trainer_->begin_next_epoch();
  save_checkpoint();
  return !is_stopped;
}

// Returns nothing if it was stopped. The search refuses logits that are not finite, which very large weights give.
std::optional<Measures> TrainingRun::measure_validation_text() const {
  try {
    const auto sentences = translate_text(trained_, corpus_.validation, {}, stop_wanted);
    if (!sentences) return std::nullopt;
    const Measures measures = measure(*sentences);
    if (std::isfinite(measures.perplexity)) return measures;
  } catch (const autograd::Error& error) {
    if (error.id() != autograd::ErrorId::bad_argument) throw;
  }
  throw NotFinite(fmt::format("the model cannot translate any more after update {}", trainer_->position().step));
}

// Returns false if it was stopped. Validates and keeps the mean of the recent weights, and trains on with its own.
bool TrainingRun::validate() {
  progress_.doing("validating");
  trainer_->check_weights();
  const nn::StateDict own = trained_.model->state_dict();
  RecentWeights recent = recent_;
  recent.add(own);
  trained_.model->load_state_dict(recent.mean());
  const std::optional<Measures> measures = measure_validation_text();
  if (measures) {
    recent_ = std::move(recent);
    note_validation(*measures);
  }
  trained_.model->load_state_dict(own);
  return measures.has_value();
}

void TrainingRun::note_validation(const Measures& measures) {
  CurvePoint& point = point_of_this_step();
  point.perplexity = measures.perplexity;
  point.bleu = measures.bleu;
  point.exact_match = measures.exact_match;
  const double of_must_look = measures.alignment_error_rate_must_look;
  point.alignment_error_rate = std::isnan(of_must_look) ? measures.alignment_error_rate : of_must_look;
  if (is_better(point, best_, options_.training.best_by)) {
    save_model(folder_.best(), trained_);
    best_ = point;
  }
  write_curve(folder_.path, curve_);
  say_what_was_found(point);
}

// ---- checkpoints ---------------------------------------------------------------------------------------------

void TrainingRun::save_checkpoint() {
  trainer_->check_weights();
  nn::Checkpoint file{trainer_->state_dict(), {{"options", to_json(options_).dump()}}};
  file.texts["data-fingerprint"] = fingerprint_of(corpus_);
  recent_.add_to(file.tensors);
  file.tensors["curve"] = to_tensor(curve_);
  file.tensors["since-point"] = autograd::from_vector({since_point_.loss, since_point_.words}, {2}, autograd::float64);
  nn::save_checkpoint(folder_.checkpoint(), checkpoint_kind, file);
  saved_step_ = trainer_->position().step;
}

// Removes what an earlier training left only once there is something new in its place.
void TrainingRun::begin() {
  save_checkpoint();
  std::error_code ignored;
  std::filesystem::remove(folder_.best(), ignored);
  for (const char* name : curve_files) std::filesystem::remove(folder_.path / name, ignored);
}

void TrainingRun::go_on_from(const nn::Checkpoint& checkpoint) {
  const auto found = checkpoint.texts.find("data-fingerprint");
  if (found == checkpoint.texts.end() || found->second != fingerprint_of(corpus_)) {
    refuse_files(fmt::format("{} was trained on other data: the sentences to train or to validate with have changed "
                             "since in {}",
                             options_.folder.string(), name_of(options_.data)),
                 "put them back, or begin anew with --force");
  }
  trainer_->load_state_dict(checkpoint.tensors);
  saved_step_ = trainer_->position().step;
  curve_ = curve_from(tensor_in(checkpoint.tensors, "curve"));
  const std::vector<double> sum = tensor_in(checkpoint.tensors, "since-point").to_vector();
  if (sum.size() != 2) refuse_files("the checkpoint's sums are not two numbers", "train again");
  since_point_ = {sum[0], sum[1]};
  recent_.take_from(checkpoint.tensors);
  if (!folder_.has_best()) return;  // the next validation makes one
  for (const CurvePoint& point : curve_) {
    if (is_better(point, best_, options_.training.best_by)) best_ = point;
  }
}

// ---- messages ------------------------------------------------------------------------------------------------

void TrainingRun::say_what_it_is() {
  for (const std::string& note : corpus_.notes) progress_.say(note);
  const TrainingPosition& position = trainer_->position();
  progress_.say(fmt::format(
      "{}: {} parameters, {} and {} known, {} of {}, {} per epoch{}", options_.folder.string(),
      trained_.model->num_parameters(), trained_.source.vocabulary.num_known_words(),
      counted(trained_.target.vocabulary.num_known_words(), options_.data.bpe > 0 ? "piece" : "word"),
      counted(std::ssize(pairs_), "pair"), name_of(options_.data), counted(trainer_->batches_per_epoch(), "update"),
      position.step > 0 ? fmt::format("; going on after update {}", position.step) : ""));
}

void TrainingRun::say_what_was_found(const CurvePoint& validation) {
  std::string line =
      fmt::format("epoch {}/{}   loss {:.4f}   validation: perplexity {:.3f}   BLEU {:.2f}   exact {:.1f} %",
                  validation.epoch, options_.training.epochs, validation.training_loss, validation.perplexity,
                  validation.bleu, validation.exact_match);
  if (!std::isnan(validation.alignment_error_rate))
    line += fmt::format("   AER {:.1f} %", validation.alignment_error_rate);
  if (progress_.seconds() > 0.0) {
    line += fmt::format("   {:.0f} words/s", static_cast<double>(progress_.words()) / progress_.seconds());
  }
  progress_.say(line);
}

void TrainingRun::tell_scale() {
  const std::int64_t batches = trainer_->batches_per_epoch();
  std::int64_t updates = options_.training.epochs * batches;
  if (options_.training.steps > 0) updates = std::min(updates, options_.training.steps);
  const std::int64_t left = std::max<std::int64_t>(0, updates - trainer_->position().step);
  const double words_per_update = static_cast<double>(nn::count_target_words(pairs_)) / static_cast<double>(batches);
  progress_.start(
      {.epochs = options_.training.epochs, .batches = batches, .words = words_per_update * static_cast<double>(left)});
}

// ---- from options to a run -----------------------------------------------------------------------------------

// Returns the checkpoint to go on from, if the run resumes.
std::optional<nn::Checkpoint> checkpoint_to_resume(const RunOptions& options) {
  const RunFolder folder{options.folder};
  const bool may_resume = options.if_exists == IfRunExists::resume || options.if_exists == IfRunExists::resume_or_start;
  if (may_resume && folder.has_checkpoint()) return nn::load_checkpoint(folder.checkpoint(), checkpoint_kind);
  if (options.if_exists == IfRunExists::replace) return std::nullopt;
  if (folder.has_checkpoint()) {
    refuse_files(fmt::format("{} holds a training already", options.folder.string()),
                 "go on with it by --resume, or begin anew with --force");
  }
  if (options.if_exists == IfRunExists::resume) {
    refuse_files(fmt::format("--resume: there is no {}", folder.checkpoint()), "without --resume a training begins");
  }
  for (const char* name : {"best.safetensors", "curve.csv", "curve.svg", "quality.svg"}) {
    if (!std::filesystem::exists(options.folder / name)) continue;
    refuse_files(fmt::format("{} has a {}, but no checkpoint to go on from", options.folder.string(), name),
                 "choose another folder, or --force, which removes it");
  }
  return std::nullopt;
}

void check_validation_text(const Corpus& corpus) {
  const bool has_words = std::ranges::any_of(
      corpus.validation.pairs, [](const SentencePair& pair) { return !pair.source.empty() && !pair.target.empty(); });
  if (has_words) return;
  refuse_files(fmt::format("{} has no line with words in both languages", corpus.validation.name),
               "the best model is chosen by it: put some sentences into it");
}

}  // namespace

RunResult train_run(const RunOptions& options) {
  return train_run(options, nullptr);
}

RunResult train_run(RunOptions options, const Corpus* corpus) {
  // An absolute path, so that the run finds its data from anywhere.
  std::string& folder = options.data.data;
  if (!folder.empty()) folder = std::filesystem::absolute(folder).lexically_normal().string();
  if (options.if_exists != IfRunExists::resume) check_new_run(options);
  const RunLock lock(options.folder);
  const std::optional<nn::Checkpoint> checkpoint = checkpoint_to_resume(options);
  if (checkpoint)
    options = resumed_options(options, json_in(checkpoint->texts, RunFolder{options.folder}.checkpoint()));
  check_options(options);
  Corpus loaded;
  if (corpus == nullptr) loaded = load_corpus(options.data);
  const Corpus& data = corpus ? *corpus : loaded;
  check_validation_text(data);
  TrainingRun run(options, data);
  if (checkpoint) {
    run.go_on_from(*checkpoint);
  } else {
    run.begin();
  }
  return run.run();
}

}  // namespace translate
