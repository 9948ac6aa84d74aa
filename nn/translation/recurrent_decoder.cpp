#include "nn/translation/recurrent_decoder.h"

#include <fmt/core.h>

#include "nn/attention/coverage_attention.h"
#include "nn/checks.h"

namespace nn {

// ---- parts ---------------------------------------------------------------------------------------------------

namespace {

std::unique_ptr<AttentionMechanism> checked(std::unique_ptr<AttentionMechanism> attention,
                                            const RecurrentDecoderOptions& options, Where where) {
  if (!attention) return attention;
  const AttentionOptions& sizes = attention->options;
  if (sizes.decoder_dim == options.hidden_dim && sizes.encoder_dim == options.context_dim) return attention;
  autograd::fail(
      ErrorId::bad_argument, "RecurrentDecoder", where,
      fmt::format("the attention was made with decoder_dim {} and encoder_dim {}, the decoder with hidden_dim "
                  "{} and context_dim {}",
                  sizes.decoder_dim, sizes.encoder_dim, options.hidden_dim, options.context_dim),
      "make the attention with the decoder's hidden_dim and context_dim");
}

}  // namespace

RecurrentDecoder::RecurrentDecoder(const RecurrentDecoderOptions& given,
                                   std::unique_ptr<AttentionMechanism> given_attention, Where where)
    : options(given),
      embedding({.num_embeddings = options.vocab_size,
                 .embedding_dim = options.embed_dim,
                 .padding_idx = options.padding_idx,
                 .dtype = options.dtype},
                where),
      attention(checked(std::move(given_attention), options, where)),
      rnn(make_recurrent(options.cell,
                         {.input_size = options.embed_dim + fed_dim(),
                          .hidden_size = options.hidden_dim,
                          .batch_first = true,
                          .dtype = options.dtype},
                         where)),
      output({.kind = options.output,
              .state_dim = options.hidden_dim,
              .context_dim = options.context_dim,
              .embed_dim = options.embed_dim,
              .vocab_size = options.vocab_size,
              .maxout_dim = options.maxout_dim,
              .dtype = options.dtype},
             where),
      dropout({.p = options.dropout}, where) {
  {
    const autograd::NoGradGuard no_grad;
    embedding.weight.mul_(options.embedding_std);  // from standard normal numbers; a row of zeros stays one
  }
  register_module("embedding", embedding);
  if (attention) register_module("attention", *attention);
  register_module("rnn", *rnn);
  register_module("output", output);
  register_module("dropout", dropout);
}

bool RecurrentDecoder::feeds_attentional_vector() const {
  return attention && options.order == DecoderOrder::luong && options.output == OutputKind::attentional;
}

// The size of the RNN's input besides the word.
std::int64_t RecurrentDecoder::fed_dim() const {
  return feeds_attentional_vector() ? options.hidden_dim : options.context_dim;
}

// ---- one step ------------------------------------------------------------------------------------------------

DecoderState RecurrentDecoder::start(const Tensor& outputs, const Tensor& mask, const Tensor& summary,
                                     const RecurrentState& initial, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  DecoderState state;
  state.recurrent = initial;
  if (!attention) {
    state.context = summary;
    return state;
  }
  state.source = attention->read_source(outputs, mask);
  const bool feeds_input = options.order == DecoderOrder::luong;
  if (feeds_input) state.context = autograd::zeros({outputs.size(0), fed_dim()}, outputs.dtype());
  return state;
}

// embedded [B, M], context [B, fed_dim]
RecurrentState RecurrentDecoder::next_state(const Tensor& embedded, const Tensor& context,
                                            const RecurrentState& before) const {
  return step_recurrent(*rnn, autograd::cat({embedded, context}, -1), before);
}

RecurrentDecoder::Advance RecurrentDecoder::attend_then_update(const Tensor& embedded,
                                                               const DecoderState& before) const {
  Advance now{.embedded = embedded, .state = before};
  const auto [context, weights] = (*attention)(before.recurrent.hidden, before.source, now.state.memory);
  now.weights = weights;
  now.context = context;
  now.state.recurrent = next_state(embedded, context, before.recurrent);
  const bool reads_state_before = options.output == OutputKind::maxout;
  now.read = reads_state_before ? before.recurrent.hidden : now.state.recurrent.hidden;
  return now;
}

RecurrentDecoder::Advance RecurrentDecoder::update_then_attend(const Tensor& embedded,
                                                               const DecoderState& before) const {
  Advance now{.embedded = embedded, .state = before};
  now.state.recurrent = next_state(embedded, before.context, before.recurrent);
  now.read = now.state.recurrent.hidden;
  const auto [context, weights] = (*attention)(now.read, before.source, now.state.memory);
  now.weights = weights;
  now.context = context;
  now.state.context = feeds_attentional_vector() ? output.features(now.read, context, embedded) : context;
  return now;
}

RecurrentDecoder::Advance RecurrentDecoder::update(const Tensor& embedded, const DecoderState& before) const {
  Advance now{.embedded = embedded, .context = before.context, .state = before};
  now.state.recurrent = next_state(embedded, before.context, before.recurrent);
  now.read = now.state.recurrent.hidden;
  return now;
}

RecurrentDecoder::Advance RecurrentDecoder::advance(const Tensor& embedded, const DecoderState& state) const {
  if (!attention) return update(embedded, state);
  return options.order == DecoderOrder::bahdanau ? attend_then_update(embedded, state)
                                                 : update_then_attend(embedded, state);
}

// [B, F]
Tensor RecurrentDecoder::features_of(const Advance& step) const {
  if (feeds_attentional_vector()) return step.state.context;
  return output.features(step.read, step.context, step.embedded);
}

TranslationModel::Step RecurrentDecoder::step(const Tensor& words, const DecoderState& state, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("RecurrentDecoder", "words", words, {state.recurrent.hidden.size(0)}, "[batch]", where);
  const Advance now = advance(dropout(embedding(words)), state);
  return {output.logits(features_of(now)), now.weights, now.state};
}

// ---- all steps -----------------------------------------------------------------------------------------------

namespace {

void check_has_words(const Tensor& tgt_in, Where where) {
  if (tgt_in.size(1) >= 1) return;
  autograd::fail(ErrorId::bad_length, "RecurrentDecoder", where,
                 fmt::format("tgt_in is {}, without a single step", tgt_in.shape()), "begin every sentence with bos");
}

}  // namespace

TranslationModel::Output RecurrentDecoder::all_steps(const Tensor& tgt_in, const DecoderState& state,
                                                     const TeacherForcing& teacher_forcing, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("RecurrentDecoder", "tgt_in", tgt_in, {state.recurrent.hidden.size(0), -1}, "[batch, target]", where);
  check_has_words(tgt_in, where);
  check_range("RecurrentDecoder", "the ratio of teacher forcing", teacher_forcing.ratio, 0.0, 1.0, where);
  if (!attention && teacher_forcing.ratio == 1.0) return without_attention(tgt_in, state, teacher_forcing.positions);
  return step_by_step(tgt_in, state, teacher_forcing);
}

// All inputs are known, so the RNN runs over all steps at once.
TranslationModel::Output RecurrentDecoder::without_attention(const Tensor& tgt_in, const DecoderState& state,
                                                             const Tensor& positions) const {
  const Tensor embedded = dropout(embedding(tgt_in));                                     // [B, T, M]
  const Tensor contexts = state.context.unsqueeze(1).expand({-1, embedded.size(1), -1});  // [B, T, E]
  RecurrentState first;
  first.hidden = state.recurrent.hidden.unsqueeze(0);  // [1, B, H]
  if (state.recurrent.cell.defined()) first.cell = state.recurrent.cell.unsqueeze(0);
  const RecurrentOutput states = run_recurrent(*rnn, autograd::cat({embedded, contexts}, -1), first);
  TranslationModel::Output result;
  const Tensor features = output.features(states.output, contexts, embedded);  // [B, T, F]
  result.logits = output.logits(features_at(features, positions));             // [B, T, V] or [N, V]
  return result;
}

namespace {

// [B, ..] per step -> [B, T, ..]; undefined for no steps.
Tensor stack_steps(const std::vector<Tensor>& steps) {
  return steps.empty() ? Tensor() : autograd::stack(steps, 1);
}

}  // namespace

// The embedding of the most probable word, which no gradient flows through: argmax has none.
Tensor RecurrentDecoder::embed_best_word(const Advance& step) const {
  Tensor words;
  {
    const autograd::NoGradGuard no_grad;
    words = output.logits(features_of(step)).argmax(-1);  // [B]
  }
  return dropout(embedding(words));
}

// [B, T, F], from one call for all steps unless each has its own already. embedded [B, T, M]: the words that they were
// told.
Tensor RecurrentDecoder::features_of_all(const std::vector<Advance>& steps, const Tensor& embedded) const {
  std::vector<Tensor> features;
  std::vector<Tensor> read;
  std::vector<Tensor> contexts;
  for (const Advance& step : steps) {
    if (feeds_attentional_vector()) features.push_back(step.state.context);
    read.push_back(step.read);
    contexts.push_back(step.context);
  }
  if (feeds_attentional_vector()) return stack_steps(features);
  return output.features(stack_steps(read), stack_steps(contexts), embedded);
}

TranslationModel::Output RecurrentDecoder::step_by_step(const Tensor& tgt_in, const DecoderState& first,
                                                        const TeacherForcing& teacher_forcing) const {
  const Tensor right_words = dropout(embedding(tgt_in));  // [B, T, M]
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
    if (attention) weights.push_back(now.weights);
    const bool counts_coverage = attention && attention->keeps_coverage();
    if (counts_coverage) losses.push_back(coverage_loss(now.weights, state.memory.coverage));
    state = now.state;
  }
  const Tensor embedded = teacher_forcing.ratio == 1.0 ? right_words : stack_steps(told);
  const Tensor features = features_of_all(steps, embedded);
  TranslationModel::Output result;
  result.logits = output.logits(features_at(features, teacher_forcing.positions));  // [B, T, V] or [N, V]
  result.weights = stack_steps(weights);
  result.coverage_loss = stack_steps(losses);
  return result;
}

}  // namespace nn
