#include "nn/translation/decoder_steps.h"

#include <fmt/core.h>

#include "nn/attention/coverage_attention.h"
#include "nn/layers/checks.h"

namespace nn {

// ---- one step ------------------------------------------------------------------------------------------------

// embedded [B, M], context [B, fed_dim]
RecurrentState DecoderSteps::next_state(const Tensor& embedded, const Tensor& context,
                                        const RecurrentState& before) const {
  return step_recurrent(parts_.rnn, autograd::cat({embedded, context}, -1), before);
}

DecoderSteps::Advance DecoderSteps::attend_then_update(const Tensor& embedded, const DecoderState& before) const {
  Advance now{.embedded = embedded, .state = before};
  const auto [context, weights] = (*parts_.attention)(before.recurrent.hidden, before.source, now.state.memory);
  now.weights = weights;
  now.context = context;
  now.state.recurrent = next_state(embedded, context, before.recurrent);
  const bool reads_state_before = parts_.output == OutputKind::maxout;
  now.read = reads_state_before ? before.recurrent.hidden : now.state.recurrent.hidden;
  return now;
}

DecoderSteps::Advance DecoderSteps::update_then_attend(const Tensor& embedded, const DecoderState& before) const {
  Advance now{.embedded = embedded, .state = before};
  now.state.recurrent = next_state(embedded, before.context, before.recurrent);
  now.read = now.state.recurrent.hidden;
  const auto [context, weights] = (*parts_.attention)(now.read, before.source, now.state.memory);
  now.weights = weights;
  now.context = context;
  now.state.context = feeds_vector() ? parts_.features(now.read, context, embedded) : context;
  return now;
}

DecoderSteps::Advance DecoderSteps::attend_between(const Tensor& embedded, const DecoderState& before) const {
  Advance now{.embedded = embedded, .state = before};
  const RecurrentState between = step_recurrent(parts_.rnn, embedded, before.recurrent);
  const auto [context, weights] = (*parts_.attention)(between.hidden, before.source, now.state.memory);
  now.weights = weights;
  now.context = context;
  now.state.recurrent = step_recurrent(*parts_.rnn_context, context, between);
  now.read = now.state.recurrent.hidden;
  return now;
}

DecoderSteps::Advance DecoderSteps::update(const Tensor& embedded, const DecoderState& before) const {
  Advance now{.embedded = embedded, .context = before.context, .state = before};
  now.state.recurrent = next_state(embedded, before.context, before.recurrent);
  now.read = now.state.recurrent.hidden;
  return now;
}

DecoderSteps::Advance DecoderSteps::advance(const Tensor& embedded, const DecoderState& state) const {
  if (!parts_.attention) return update(embedded, state);
  switch (parts_.order) {
    case DecoderOrder::bahdanau: return attend_then_update(embedded, state);
    case DecoderOrder::luong: return update_then_attend(embedded, state);
    case DecoderOrder::conditional: return attend_between(embedded, state);
  }
  return Advance();
}

// [B, F]
Tensor DecoderSteps::features_of(const Advance& step) const {
  if (feeds_vector()) return step.state.context;
  return parts_.features(step.read, step.context, step.embedded);
}

TranslationModel::Step DecoderSteps::one(const Tensor& words, const DecoderState& state, Where where) const {
  check_shape(parts_.type, "words", words, {state.recurrent.hidden.size(0)}, "[batch]", where);
  const Advance now = advance(parts_.dropout(parts_.embedding(words)), state);
  return {parts_.logits(features_of(now)), now.weights, now.state};
}

// ---- all steps -----------------------------------------------------------------------------------------------

namespace {

void check_has_words(std::string_view type, const Tensor& tgt_in, Where where) {
  if (tgt_in.size(1) >= 1) return;
  autograd::fail(ErrorId::bad_length, type, where, fmt::format("tgt_in is {}, without a single step", tgt_in.shape()),
                 "begin every sentence with bos");
}

}  // namespace

TranslationModel::Output DecoderSteps::all(const Tensor& tgt_in, const DecoderState& state,
                                           const TeacherForcing& teacher_forcing, Where where) const {
  check_shape(parts_.type, "tgt_in", tgt_in, {state.recurrent.hidden.size(0), -1}, "[batch, target]", where);
  check_has_words(parts_.type, tgt_in, where);
  check_range(parts_.type, "the ratio of teacher forcing", teacher_forcing.ratio, 0.0, 1.0, where);
  if (!parts_.attention && teacher_forcing.ratio == 1.0)
    return without_attention(tgt_in, state, teacher_forcing.positions);
  return step_by_step(tgt_in, state, teacher_forcing);
}

// All inputs are known, so the RNN runs over all steps at once.
TranslationModel::Output DecoderSteps::without_attention(const Tensor& tgt_in, const DecoderState& state,
                                                         const Tensor& positions) const {
  const Tensor embedded = parts_.dropout(parts_.embedding(tgt_in));                       // [B, T, M]
  const Tensor contexts = state.context.unsqueeze(1).expand({-1, embedded.size(1), -1});  // [B, T, E]
  RecurrentState first;
  first.hidden = state.recurrent.hidden.unsqueeze(0);  // [1, B, H]
  if (state.recurrent.cell.defined()) first.cell = state.recurrent.cell.unsqueeze(0);
  const RecurrentOutput states = run_recurrent(parts_.rnn, autograd::cat({embedded, contexts}, -1), first);
  TranslationModel::Output result;
  const Tensor features = parts_.features(states.output, contexts, embedded);  // [B, T, F]
  result.logits = parts_.logits(features_at(features, positions));             // [B, T, V] or [N, V]
  return result;
}

namespace {

// [B, ..] per step -> [B, T, ..]; undefined for no steps.
Tensor stack_steps(const std::vector<Tensor>& steps) {
  return steps.empty() ? Tensor() : autograd::stack(steps, 1);
}

}  // namespace

// The embedding of the most probable word, which no gradient flows through: argmax has none.
Tensor DecoderSteps::embed_best_word(const Advance& step) const {
  Tensor words;
  {
    const autograd::NoGradGuard no_grad;
    words = parts_.logits(features_of(step)).argmax(-1);  // [B]
  }
  return parts_.dropout(parts_.embedding(words));
}

// [B, T, F], from one call for all steps unless each has its own already. embedded [B, T, M]: the words that they were
// told.
Tensor DecoderSteps::features_of_all(const std::vector<Advance>& steps, const Tensor& embedded) const {
  std::vector<Tensor> features;
  std::vector<Tensor> read;
  std::vector<Tensor> contexts;
  for (const Advance& step : steps) {
    if (feeds_vector()) features.push_back(step.state.context);
    read.push_back(step.read);
    contexts.push_back(step.context);
  }
  if (feeds_vector()) return stack_steps(features);
  return parts_.features(stack_steps(read), stack_steps(contexts), embedded);
}

TranslationModel::Output DecoderSteps::step_by_step(const Tensor& tgt_in, const DecoderState& first,
                                                    const TeacherForcing& teacher_forcing) const {
  const Tensor right_words = parts_.dropout(parts_.embedding(tgt_in));  // [B, T, M]
  std::vector<Advance> steps;
  std::vector<Tensor> told;  // the embedded words, right or own
  std::vector<Tensor> weights;
  std::vector<Tensor> losses;  // of coverage
  DecoderState state = first;
  for (std::int64_t t = 0; t < tgt_in.size(1); ++t) {
    const autograd::StepScope step_scope(t);
    const bool is_free = t > 0 && teacher_forcing.ratio < 1.0;  // bos is always given
    const bool is_own = is_free && autograd::default_generator().uniform() >= teacher_forcing.ratio;
    told.push_back(is_own ? embed_best_word(steps.back()) : right_words.select(1, t));
    steps.push_back(advance(told.back(), state));
    const Advance& now = steps.back();
    if (parts_.attention) weights.push_back(now.weights);
    const bool counts_coverage = parts_.attention && parts_.attention->keeps_coverage();
    if (counts_coverage) losses.push_back(coverage_loss(now.weights, state.memory.coverage));
    state = now.state;
  }
  const Tensor embedded = teacher_forcing.ratio == 1.0 ? right_words : stack_steps(told);
  const Tensor features = features_of_all(steps, embedded);
  TranslationModel::Output result;
  result.logits = parts_.logits(features_at(features, teacher_forcing.positions));  // [B, T, V] or [N, V]
  result.weights = stack_steps(weights);
  result.coverage_loss = stack_steps(losses);
  return result;
}

}  // namespace nn
