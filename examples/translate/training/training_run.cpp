#include "examples/translate/training/training_run.h"

#include <fmt/core.h>
#include <nn/checkpoint.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "examples/translate/data/corpus.h"
#include "examples/translate/evaluation.h"
#include "examples/translate/messages.h"
#include "examples/translate/training/progress.h"
#include "examples/translate/training/run_folder.h"
#include "examples/translate/training/stop_signal.h"

namespace translate {
namespace {

constexpr const char* checkpoint_kind = "checkpoint of a training";
constexpr std::int64_t updates_per_curve_point = 50;
constexpr const char* useless_weights = "The weights are finite, but so large that the model is good for nothing.";

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

bool is_better(const CurvePoint& point, const CurvePoint& best) {
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
  bool is_validated() const;
  bool is_over() const { return is_at_end() && is_validated(); }
  bool is_at_validation() const { return trainer_->is_at_end_of_epoch() || is_at_end(); }

  bool update();
  bool finish_epoch();
  bool validate();
  std::optional<std::vector<TranslatedSentence>> translate_validation_text() const;
  CurvePoint& point_of_this_step();
  void keep_if_best(const CurvePoint& validation);
  void draw_curve() const;

  void save_checkpoint();
  void check_data_of(const nn::Checkpoint& checkpoint) const;
  CurvePoint point_of_best(const std::optional<TrainedModel>& best);

  void say_what_it_is();
  void say_what_was_found(const CurvePoint& validation);
  void say_that_it_is_over();
  void tell_scale();

  RunOptions options_;
  RunFolder folder_;
  const Corpus& corpus_;
  bool knows_must_look_;  // if the validation text knows them, the AER is of these words only
  std::vector<nn::EncodedPair> pairs_;
  TrainedModel trained_;
  std::unique_ptr<Trainer> trainer_;
  Progress progress_;

  Curve curve_;
  LossSum since_point_;
  LossSum of_epoch_;
  CurvePoint best_;
  std::int64_t saved_step_ = 0;  // the step of the checkpoint
};

TrainingRun::TrainingRun(const RunOptions& options, const Corpus& corpus)
    : options_(options),
      folder_{options.folder},
      corpus_(corpus),
      knows_must_look_(std::ranges::any_of(corpus.validation.pairs,
                                           [](const SentencePair& pair) { return !pair.must_look.empty(); })),
      progress_(options.progress) {
  autograd::manual_seed(options_.training.seed);
  trained_ = new_model(options_.model, options_.data, corpus_);
  pairs_ = encode(corpus_.train, trained_);
  trainer_ = std::make_unique<Trainer>(*trained_.model, pairs_, options_.training);
}

bool TrainingRun::is_at_end() const {
  const TrainingPosition& position = trainer_->position();
  const bool is_out_of_steps = options_.training.steps > 0 && position.step >= options_.training.steps;
  return is_out_of_steps || position.epoch >= options_.training.epochs;
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
  if (is_over() && options_.if_exists == IfRunExists::resume) say_that_it_is_over();
  try {
    bool goes_on = true;
    while (goes_on && !is_over()) goes_on = is_at_validation() ? finish_epoch() : update();
  } catch (const NotFinite& found) {
    progress_.clear();
    const double smaller_lr = std::min(options_.training.lr / 2.0, TrainingOptions().lr);
    throw NotFinite(fmt::format("{}; {} is that of update {}, still good: go on from there with a smaller --lr "
                                "(--resume --lr {})",
                                found.what(), folder_.checkpoint(), saved_step_, smaller_lr),
                    found.origin);
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
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const Trainer::Update made = trainer_->compute_gradient();
  auto spent = Clock::now() - start;
  const bool is_stopped = stop_wanted();
  const std::int64_t step = trainer_->position().step;
  if (is_stopped || (step % options_.save_every == 0 && step != saved_step_)) save_checkpoint();
  if (is_stopped) return false;

  const auto middle = Clock::now();
  trainer_->update_weights();
  spent += Clock::now() - middle;
  since_point_.add(made);
  of_epoch_.add(made);
  const TrainingPosition& position = trainer_->position();
  progress_.update(position.epoch + 1, position.batch, made.loss, made.words,
                   std::chrono::duration<double>(spent).count());
  if (position.step % updates_per_curve_point == 0) {
    point_of_this_step();
    draw_curve();
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

void TrainingRun::draw_curve() const {
  write_curve(folder_.path, curve_, knows_must_look_ ? "AER of must-look words" : "alignment error rate");
}

// ---- validation ----------------------------------------------------------------------------------------------

// Validates unless this state of the model has been validated, then begins the next epoch. Returns false if it was
// stopped.
bool TrainingRun::finish_epoch() {
  const bool is_stopped = !is_validated() && !validate();
  if (!is_stopped && trainer_->is_at_end_of_epoch()) {
    trainer_->begin_next_epoch();
    of_epoch_ = {};
  }
  save_checkpoint();
  return !is_stopped;
}

// Finite but very large weights give logits that are not finite, which the search refuses: that becomes NotFinite.
std::optional<std::vector<TranslatedSentence>> TrainingRun::translate_validation_text() const {
  try {
    return translate_text(trained_, corpus_.validation, {}, stop_wanted);
  } catch (const autograd::Error& error) {
    if (error.id() != autograd::ErrorId::bad_argument) throw;
    throw NotFinite(fmt::format("the model cannot translate any more after update {}: there are NaN or infinities "
                                "where its words' scores should be",
                                trainer_->position().step),
                    useless_weights);
  }
}

// Returns false if it was stopped.
bool TrainingRun::validate() {
  progress_.doing("validating");
  trainer_->check_weights();
  const auto sentences = translate_validation_text();
  if (!sentences) return false;
  const Measures measures = measure(*sentences);
  if (!std::isfinite(measures.perplexity)) {
    throw NotFinite(fmt::format("the perplexity on the validation text is {} after update {}", measures.perplexity,
                                trainer_->position().step),
                    useless_weights);
  }
  CurvePoint& point = point_of_this_step();
  point.perplexity = measures.perplexity;
  point.bleu = measures.bleu;
  point.exact_match = measures.exact_match;
  point.alignment_error_rate =
      knows_must_look_ ? measures.alignment_error_rate_must_look : measures.alignment_error_rate;
  keep_if_best(point);
  draw_curve();
  say_what_was_found(point);
  return true;
}

void TrainingRun::keep_if_best(const CurvePoint& validation) {
  if (!is_better(validation, best_)) return;
  trained_.update = validation.step;
  trained_.perplexity = validation.perplexity;
  save_model(folder_.best(), trained_);
  best_ = validation;
}

// ---- checkpoints ---------------------------------------------------------------------------------------------

void TrainingRun::save_checkpoint() {
  trainer_->check_weights();
  nn::Checkpoint file{trainer_->state_dict(), texts_of(options_)};
  file.texts["train-fingerprint"] = fingerprint_of(corpus_.train);
  file.texts["validation-fingerprint"] = fingerprint_of(corpus_.validation);
  file.tensors["curve"] = to_tensor(curve_);
  file.tensors["sums"] = autograd::from_vector({since_point_.loss, since_point_.words, of_epoch_.loss, of_epoch_.words},
                                               {4}, autograd::float64);
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
  check_data_of(checkpoint);
  // Load the best model before the generators get their state: building it draws weights from the default generator.
  std::optional<TrainedModel> best;
  if (folder_.has_best()) best = load_model(folder_.best());
  trainer_->load_state_dict(checkpoint.tensors);
  saved_step_ = trainer_->position().step;
  curve_ = curve_from(tensor_in(checkpoint.tensors, "curve"));
  const std::vector<double> sums = tensor_in(checkpoint.tensors, "sums").to_vector();
  if (sums.size() != 4) refuse_files("the checkpoint's sums are not four numbers", "train again");
  since_point_ = {sums[0], sums[1]};
  of_epoch_ = {sums[2], sums[3]};
  best_ = point_of_best(best);
}

void TrainingRun::check_data_of(const nn::Checkpoint& checkpoint) const {
  std::vector<std::string> changed;
  const auto check = [&](const char* name, const ParallelText& text) {
    const auto found = checkpoint.texts.find(name);
    const bool is_same = found != checkpoint.texts.end() && found->second == fingerprint_of(text);
    if (!is_same) changed.push_back(text.name);
  };
  check("train-fingerprint", corpus_.train);
  check("validation-fingerprint", corpus_.validation);
  if (changed.empty()) return;
  refuse_files(fmt::format("{} was trained on other data: the sentences of {} have changed since in {}",
                           options_.folder.string(), name_of(options_.data), listed(changed)),
               "put them back, or begin anew with --force");
}

// Returns the curve's point for best.safetensors. None if the file is gone, or comes from a validation after this
// checkpoint, which will be repeated. Throws bad-file if it belongs to another training.
CurvePoint TrainingRun::point_of_best(const std::optional<TrainedModel>& best) {
  if (!best) {
    if (std::ranges::any_of(curve_, [](const CurvePoint& point) { return point.is_validation(); })) {
      progress_.say(fmt::format("{} is gone: the model of the next validation takes its place", folder_.best()));
    }
    return {};
  }
  const bool is_same_model = texts_of(best->options) == texts_of(options_.model) && best->source == trained_.source &&
                             best->target == trained_.target;
  if (is_same_model && best->update > trainer_->position().step) return {};
  const auto is_of_file = [&best](const CurvePoint& point) {
    return point.step == best->update && point.perplexity == best->perplexity;
  };
  const auto found = std::ranges::find_if(curve_, is_of_file);
  if (is_same_model && found != curve_.end()) return *found;
  refuse_files(fmt::format("{} is not of the training that {} is of", folder_.best(), folder_.checkpoint()),
               "put the right file back, or remove it: the next validation makes a new one");
}

// ---- messages ------------------------------------------------------------------------------------------------

void TrainingRun::say_what_it_is() {
  for (const std::string& note : corpus_.notes) progress_.say(note);
  const TrainingPosition& position = trainer_->position();
  progress_.say(fmt::format("{}: {} parameters, {} and {} known, {} of {}, {} per epoch{}", options_.folder.string(),
                            trained_.model->num_parameters(), trained_.source.num_known_words(),
                            counted(trained_.target.num_known_words(), "word"), counted(std::ssize(pairs_), "pair"),
                            name_of(options_.data), counted(trainer_->batches_per_epoch(), "update"),
                            position.step > 0 ? fmt::format("; going on after update {}", position.step) : ""));
}

void TrainingRun::say_what_was_found(const CurvePoint& validation) {
  std::string line = fmt::format("epoch {}/{}", validation.epoch, options_.training.epochs);
  if (of_epoch_.words > 0.0) line += fmt::format("   loss {:.4f}", of_epoch_.mean());
  line += fmt::format("   validation: perplexity {:.3f}   BLEU {:.2f}   exact {:.1f} %", validation.perplexity,
                      validation.bleu, validation.exact_match);
  if (!std::isnan(validation.alignment_error_rate)) {
    line += fmt::format("   AER{} {:.1f} %", knows_must_look_ ? " must-look" : "", validation.alignment_error_rate);
  }
  if (progress_.seconds() > 0.0) {
    line += fmt::format("   {:.0f} words/s", static_cast<double>(progress_.words()) / progress_.seconds());
  }
  progress_.say(line);
}

void TrainingRun::say_that_it_is_over() {
  const TrainingPosition& position = trainer_->position();
  const bool is_out_of_epochs = position.epoch >= options_.training.epochs;
  const std::string more =
      is_out_of_epochs ? fmt::format("--epochs {}", 2 * position.epoch) : fmt::format("--steps {}", 2 * position.step);
  progress_.say(fmt::format("Nothing was left to do. To train it further: translate train --resume --out {} {}",
                            quoted(options_.folder), more));
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

// Returns the checkpoint to go on from, if the run is to be resumed.
std::optional<nn::Checkpoint> checkpoint_to_resume(const RunOptions& options) {
  const RunFolder folder{options.folder};
  const std::string name = options.folder.string();
  const bool may_resume = options.if_exists == IfRunExists::resume || options.if_exists == IfRunExists::resume_or_start;
  if (may_resume && folder.has_checkpoint()) return nn::load_checkpoint(folder.checkpoint(), checkpoint_kind);
  if (options.if_exists == IfRunExists::replace) return std::nullopt;
  if (folder.has_checkpoint()) {
    refuse_files(fmt::format("{} holds a training already", name),
                 "go on with it by --resume, or begin anew with --force");
  }
  if (folder.has_best()) {
    refuse_files(fmt::format("{} holds a trained model, but no checkpoint to go on from", name),
                 "choose another folder, or begin anew with --force, which removes the model");
  }
  if (options.if_exists == IfRunExists::resume) {
    refuse_files(fmt::format("--resume: there is no {}", folder.checkpoint()), "without --resume a training begins");
  }
  if (!folder.foreign_file().empty()) {
    refuse_files(fmt::format("{} is there already, of no training in this folder", folder.foreign_file()),
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

RunResult run_with(RunOptions options, const Corpus* corpus) {
  // An absolute path, so that the run finds its data from anywhere.
  std::string& folder = options.data.data;
  if (!folder.empty()) folder = std::filesystem::absolute(folder).lexically_normal().string();
  if (options.if_exists != IfRunExists::resume) check_new_run(options);
  const RunLock lock(options.folder);
  const std::optional<nn::Checkpoint> checkpoint = checkpoint_to_resume(options);
  if (checkpoint) options = resumed_options(options, checkpoint->texts);
  check_options(options);
  const Corpus loaded = corpus ? Corpus{} : load_corpus(options.data);
  check_validation_text(corpus ? *corpus : loaded);
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
