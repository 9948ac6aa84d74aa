#include "examples/translate/training_run.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "examples/translate/evaluation.h"
#include "examples/translate/progress.h"
#include "examples/translate/refuse.h"
#include "examples/translate/run_folder.h"
#include "examples/translate/state_file.h"
#include "examples/translate/stop_signal.h"
#include "examples/translate/trained_model.h"
#include "examples/translate/trainer.h"

namespace translate {

const std::vector<std::string>& options_that_may_change() {
  static const std::vector<std::string> names = {"epochs", "steps", "lr"};
  return names;
}

namespace {

constexpr const char* checkpoint_kind = "checkpoint of a training";
constexpr std::int64_t updates_per_curve_point = 50;

// ---- options -------------------------------------------------------------------------------------------------

OptionTexts all_texts(const RunOptions& options) {
  OptionTexts texts = texts_of(options.model);
  texts.merge(texts_of(options.data));
  texts.merge(texts_of(options.training));
  return texts;
}

void set_all(RunOptions& options, const OptionTexts& texts) {
  set_options(options.model, texts);
  set_options(options.data, texts);
  set_options(options.training, texts);
}

void check_options(const RunOptions& options) {
  check_model_options(options.model);
  check_training_options(options.training);
  if (options.save_every < 1) refuse_option(fmt::format("--save-every is {}", options.save_every), "it is at least 1");
}

bool may_change(const std::string& name) {
  const std::vector<std::string>& names = options_that_may_change();
  return name == "data" || std::find(names.begin(), names.end(), name) != names.end();
}

// The options to go on with: those that are meant, and the run's own for the rest. Throws bad-argument if they do not
// go together.
RunOptions resumed_options(const RunOptions& wanted, const OptionTexts& of_run) {
  RunOptions stored = wanted;
  set_all(stored, of_run);
  const OptionTexts stored_texts = all_texts(stored);
  const OptionTexts wanted_texts = all_texts(wanted);
  OptionTexts texts = stored_texts;
  for (const auto& [name, text] : wanted_texts) {
    const bool is_meant = !wanted.given || wanted.given->count(name) != 0;
    if (is_meant) texts[name] = text;
  }
  std::vector<std::string> forbidden;
  for (const std::string& name : different_options(texts, stored_texts)) {
    if (!may_change(name)) forbidden.push_back(name);
  }
  if (!forbidden.empty()) {
    refuse_option(fmt::format("{} holds a training with other options: {}", wanted.folder.string(),
                              describe_differences(forbidden, texts, stored_texts)),
                  fmt::format("only --{} may change when it is resumed", fmt::join(options_that_may_change(), ", --")));
  }
  RunOptions resumed = wanted;
  set_all(resumed, texts);
  return resumed;
}

// ---- the training itself -------------------------------------------------------------------------------------

// A mean loss in the making.
struct LossSum {
  double loss = 0.0;  // of all words together
  double words = 0.0;

  void add(const Trainer::Update& update) {
    loss += update.loss * static_cast<double>(update.words);
    words += static_cast<double>(update.words);
  }
  double mean() const { return words == 0.0 ? not_measured : loss / words; }
};

class TrainingRun {
 public:
  TrainingRun(const RunOptions& options, const Corpus& corpus);

  // Before run(), one of the two.
  void begin();
  void go_on_from(const StateFile& checkpoint);

  RunResult run();

 private:
  bool is_at_end() const;
  bool is_over() const { return is_at_end() && is_validated(); }
  bool is_validated() const;
  bool is_at_validation() const;
  bool update();
  void note(const Trainer::Update& made, double seconds);
  bool finish_epoch();
  bool validate();
  CurvePoint& point_of_this_step();
  void keep_if_best(const CurvePoint& validation);
  void say_what_was_found(const CurvePoint& validation);
  void save_checkpoint();
  void say_what_it_is();
  void tell_scale();
  void train_and_validate();
  RunResult result() const;

  RunOptions options_;
  RunFolder folder_;
  const Corpus& corpus_;
  std::string data_fingerprint_;
  std::vector<EncodedPair> pairs_;
  TrainedModel trained_;
  std::unique_ptr<Trainer> trainer_;
  Progress progress_;

  Curve curve_;
  LossSum since_point_;
  LossSum of_epoch_;
  CurvePoint best_;
  std::int64_t saved_step_ = 0;  // that of the checkpoint
};

TrainingRun::TrainingRun(const RunOptions& options, const Corpus& corpus)
    : options_(options),
      folder_{options.folder},
      corpus_(corpus),
      data_fingerprint_(fingerprint_of(corpus)),
      progress_(options.progress) {
  autograd::manual_seed(options_.training.seed);
  trained_ = new_model(options_.model, options_.data, corpus_);
  pairs_ = encode(corpus_.train, trained_.source, trained_.target);
  trainer_ = std::make_unique<Trainer>(*trained_.model, pairs_, options_.training);
}

// Has this state of the model been validated?
bool TrainingRun::is_validated() const {
  return !curve_.empty() && curve_.back().step == trainer_->position().step && curve_.back().is_validation();
}

bool TrainingRun::is_at_end() const {
  const TrainingPosition& position = trainer_->position();
  const bool is_out_of_steps = options_.training.steps > 0 && position.step >= options_.training.steps;
  return is_out_of_steps || position.epoch >= options_.training.epochs;
}

RunResult TrainingRun::run() {
  const StopSignal stop_signal;
  say_what_it_is();
  tell_scale();
  try {
    train_and_validate();
  } catch (const NotFinite& found) {
    progress_.clear();
    throw NotFinite(fmt::format("{}; {} is that of update {}, still good: go on from there with a smaller --lr "
                                "(--resume --lr {})",
                                found.what(), folder_.checkpoint(), saved_step_, trainer_->lr() / 2.0),
                    found.origin);
  }
  progress_.clear();
  return result();
}

void TrainingRun::train_and_validate() {
  while (!is_over()) {
    const bool goes_on = is_at_validation() ? finish_epoch() : update();
    if (!goes_on) return;
  }
}

// Epochs end with a validation, and so does the whole training, wherever it ends.
bool TrainingRun::is_at_validation() const {
  return trainer_->is_at_end_of_epoch() || is_at_end();
}

RunResult TrainingRun::result() const {
  return {.curve = curve_,
          .best = best_,
          .position = trainer_->position(),
          .stopped_by = is_over() ? 0 : StopSignal::received(),
          .seconds = progress_.seconds(),
          .target_words = progress_.words()};
}

// False if it was stopped. A checkpoint is written only when the gradient after it is known to be finite: one from
// which the training can go on.
bool TrainingRun::update() {
  const auto start = std::chrono::steady_clock::now();
  const Trainer::Update made = trainer_->compute_gradient();
  const std::chrono::duration<double> of_gradient = std::chrono::steady_clock::now() - start;
  const bool is_stopped = StopSignal::received() != 0;
  const std::int64_t step = trainer_->position().step;
  if (is_stopped || (step % options_.save_every == 0 && step != saved_step_)) save_checkpoint();
  if (is_stopped) return false;

  const auto middle = std::chrono::steady_clock::now();
  trainer_->update_weights();
  const std::chrono::duration<double> of_weights = std::chrono::steady_clock::now() - middle;
  note(made, (of_gradient + of_weights).count());
  return true;
}

void TrainingRun::note(const Trainer::Update& made, double seconds) {
  since_point_.add(made);
  of_epoch_.add(made);
  const TrainingPosition& position = trainer_->position();
  progress_.update(position.epoch + 1, position.batch, made.loss, made.words, seconds);
  if (position.step % updates_per_curve_point != 0) return;
  point_of_this_step();
  write_curve(folder_.path, curve_);
}

// A new one, unless there is one already.
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

// Validates, unless this state of the model has been, and goes on to the next epoch. False if it was stopped.
bool TrainingRun::finish_epoch() {
  const bool is_stopped = !is_validated() && !validate();
  if (!is_stopped && trainer_->is_at_end_of_epoch()) {
    trainer_->begin_next_epoch();
    of_epoch_ = {};
  }
  save_checkpoint();
  return !is_stopped;
}

// False if it was stopped.
bool TrainingRun::validate() {
  progress_.doing("validating");
  const auto sentences = translate_text(trained_, corpus_.validation, {}, [] { return StopSignal::received() != 0; });
  if (!sentences) return false;
  const Measures measures = measure(*sentences);
  if (!std::isfinite(measures.perplexity)) {
    throw NotFinite(fmt::format("the perplexity on the validation text is {} after update {}", measures.perplexity,
                                trainer_->position().step),
                    "The weights are finite, but the model is no longer good for anything.");
  }
  const bool knows_words_to_look_at = !std::isnan(measures.alignment_error_rate_must_look);
  CurvePoint& point = point_of_this_step();
  point.perplexity = measures.perplexity;
  point.bleu = measures.bleu;
  point.exact_match = measures.exact_match;
  point.alignment_error_rate =
      knows_words_to_look_at ? measures.alignment_error_rate_must_look : measures.alignment_error_rate;
  keep_if_best(point);
  write_curve(folder_.path, curve_);
  say_what_was_found(point);
  return true;
}

bool is_better(const CurvePoint& point, const CurvePoint& best) {
  return std::isfinite(point.perplexity) && !(point.perplexity >= best.perplexity);
}

void TrainingRun::keep_if_best(const CurvePoint& validation) {
  if (!is_better(validation, best_)) return;
  trainer_->check_weights();
  save_model(folder_.best(), trained_);
  best_ = validation;
}

void TrainingRun::say_what_was_found(const CurvePoint& validation) {
  std::string line = fmt::format(
      "epoch {}/{}   loss {:.4f}   validation: perplexity {:.3f}   BLEU {:.2f}   exact {:.1f} %", validation.epoch,
      options_.training.epochs, of_epoch_.mean(), validation.perplexity, validation.bleu, validation.exact_match);
  if (!std::isnan(validation.alignment_error_rate)) {
    line += fmt::format("   AER {:.1f} %", validation.alignment_error_rate);
  }
  if (progress_.seconds() > 0.0) {
    line += fmt::format("   {:.0f} words/s", static_cast<double>(progress_.words()) / progress_.seconds());
  }
  progress_.say(line);
}

// ---- checkpoints ---------------------------------------------------------------------------------------------

void TrainingRun::save_checkpoint() {
  trainer_->check_weights();
  StateFile file{trainer_->state_dict(), all_texts(options_)};
  file.texts["data-fingerprint"] = data_fingerprint_;
  file.tensors["curve"] = to_tensor(curve_);
  file.tensors["sums"] = autograd::from_vector({since_point_.loss, since_point_.words, of_epoch_.loss, of_epoch_.words},
                                               {4}, autograd::float64);
  save_state_file(folder_.checkpoint(), checkpoint_kind, file);
  saved_step_ = trainer_->position().step;
}

void TrainingRun::begin() {
  std::error_code ignored;
  for (const char* name : {"best.safetensors", "curve.csv", "curve.svg", "quality.svg"}) {
    std::filesystem::remove(folder_.path / name, ignored);
  }
  save_checkpoint();
}

Tensor entry(const StateFile& file, const std::string& name) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end()) refuse_files(fmt::format("the checkpoint has no \"{}\"", name), "train again");
  return found->second;
}

void TrainingRun::go_on_from(const StateFile& checkpoint) {
  const auto fingerprint = checkpoint.texts.find("data-fingerprint");
  if (fingerprint == checkpoint.texts.end() || fingerprint->second != data_fingerprint_) {
    const std::string data = options_.data.data.empty() ? "the artificial language" : options_.data.data;
    refuse_files(fmt::format("{} was trained on other data: the sentences of {} have changed since",
                             options_.folder.string(), data),
                 "put them back, or begin anew with --force");
  }
  trainer_->load_state_dict(checkpoint.tensors);
  saved_step_ = trainer_->position().step;
  curve_ = curve_from(entry(checkpoint, "curve"));
  const std::vector<double> sums = entry(checkpoint, "sums").to_vector();
  if (sums.size() != 4) refuse_files("the checkpoint's sums are not four numbers", "train again");
  since_point_ = {sums[0], sums[1]};
  of_epoch_ = {sums[2], sums[3]};
  if (!folder_.has_best()) {
    if (std::any_of(curve_.begin(), curve_.end(), [](const CurvePoint& point) { return point.is_validation(); })) {
      progress_.say(fmt::format("{} is gone: the model of the next validation takes its place", folder_.best()));
    }
    return;
  }
  for (const CurvePoint& point : curve_) {
    if (is_better(point, best_)) best_ = point;
  }
}

void TrainingRun::say_what_it_is() {
  for (const std::string& note : corpus_.notes) progress_.say(note);
  const TrainingPosition& position = trainer_->position();
  progress_.say(fmt::format(
      "{}: {} parameters, {} and {} words known, {} pairs of {}, {} updates per epoch{}", options_.folder.string(),
      trained_.model->num_parameters(), trained_.source.size(), trained_.target.size(), pairs_.size(),
      options_.data.data.empty() ? "the artificial language" : options_.data.data, trainer_->batches_per_epoch(),
      position.step > 0 ? fmt::format("; going on after update {}", position.step) : ""));
}

void TrainingRun::tell_scale() {
  const TrainingPosition& position = trainer_->position();
  const std::int64_t batches = trainer_->batches_per_epoch();
  std::int64_t updates = options_.training.epochs * batches;
  if (options_.training.steps > 0) updates = std::min(updates, options_.training.steps);
  const double words_per_update = static_cast<double>(count_target_words(pairs_)) / static_cast<double>(batches);
  progress_.start(
      {.epochs = options_.training.epochs,
       .batches = batches,
       .words = words_per_update * static_cast<double>(std::max<std::int64_t>(0, updates - position.step))});
}

// ---- from options to a run -----------------------------------------------------------------------------------

// The checkpoint to go on from, if the run is to be resumed.
std::optional<StateFile> checkpoint_to_resume(const RunOptions& options) {
  const RunFolder folder{options.folder};
  const std::string name = options.folder.string();
  const bool may_resume = options.if_exists == IfRunExists::resume || options.if_exists == IfRunExists::resume_or_start;
  if (may_resume && folder.has_checkpoint()) return load_state_file(folder.checkpoint(), checkpoint_kind);
  if (options.if_exists == IfRunExists::resume) {
    refuse_files(fmt::format("--resume: there is no {}", folder.checkpoint()), "without --resume a training begins");
  }
  const bool exists = folder.has_checkpoint() || folder.has_best();
  if (exists && options.if_exists != IfRunExists::replace) {
    refuse_files(fmt::format("{} holds a training already", name),
                 "go on with it by --resume, or begin anew with --force");
  }
  return std::nullopt;
}

RunResult run_with(RunOptions options, const Corpus* corpus) {
  options.data = checked(options.data);
  check_options(options);
  const RunLock lock(options.folder);
  const std::optional<StateFile> checkpoint = checkpoint_to_resume(options);
  if (checkpoint) options = resumed_options(options, checkpoint->texts);
  check_options(options);
  const Corpus loaded = corpus ? Corpus{} : load_corpus(options.data);
  TrainingRun run(options, corpus ? *corpus : loaded);
  if (checkpoint) {
    run.go_on_from(*checkpoint);
  } else {
    run.begin();
  }
  return run.run();
}

}  // namespace

RunResult train_run(const RunOptions& options) {
  return run_with(options, nullptr);
}

RunResult train_run(const RunOptions& options, const Corpus& corpus) {
  return run_with(options, &corpus);
}

}  // namespace translate
