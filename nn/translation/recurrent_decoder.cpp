#include "nn/translation/recurrent_decoder.h"

#include <fmt/core.h>

#include "nn/attention/multi_head_attention.h"
#include "nn/layers/checks.h"

namespace nn {

// ---- parts ---------------------------------------------------------------------------------------------------

namespace {

std::unique_ptr<AttentionMechanism> checked(std::unique_ptr<AttentionMechanism> attention,
                                            const RecurrentDecoderOptions& options, Where where) {
  if (!attention && options.order == DecoderOrder::conditional) {
    autograd::fail(ErrorId::bad_argument, "RecurrentDecoder", where, "the conditional order without attention",
                   "give it one: it comes between the two transitions");
  }
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

std::unique_ptr<Recurrent> make_second_transition(const RecurrentDecoderOptions& options, Where where) {
  if (options.order != DecoderOrder::conditional) return nullptr;
  return make_recurrent(options.cell,
                        {.input_size = options.context_dim,
                         .hidden_size = options.hidden_dim,
                         .batch_first = true,
                         .dtype = options.dtype},
                        where);
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
      rnn_context(make_second_transition(options, where)),
      output({.kind = options.output,
              .state_dim = options.hidden_dim,
              .context_dim = options.context_dim,
              .embed_dim = options.embed_dim,
              .vocab_size = options.vocab_size,
              .maxout_dim = options.maxout_dim,
              .dtype = options.dtype},
             where),
      dropout({.p = options.dropout}, where),
      output_dropout({.p = options.output_dropout}, where) {
  {
    const autograd::NoGradGuard no_grad;
    embedding.weight.mul_(options.embedding_std);  // from standard normal numbers; a row of zeros stays one
  }
  register_module("embedding", embedding);
  if (attention) register_attention();
  register_module("rnn", *rnn);
  if (rnn_context) register_module("rnn_context", *rnn_context);
  register_module("output", output);
  register_module("dropout", dropout);
  register_module("output_dropout", output_dropout);
}

namespace {

struct MultiHead : Module {
  explicit MultiHead(Module& attention) { register_module("multi_head", attention); }
};

}  // namespace

// The weights of multi-head attention are called attention.multi_head.*, as in the first checkpoints.
void RecurrentDecoder::register_attention() {
  if (dynamic_cast<MultiHeadAttention*>(attention.get())) multi_head_ = std::make_unique<MultiHead>(*attention);
  register_module("attention", multi_head_ ? *multi_head_ : *attention);
}

DecoderSteps RecurrentDecoder::steps() const {
  return DecoderSteps({
      .type = "RecurrentDecoder",
      .embedding = embedding,
      .attention = attention.get(),
      .rnn = *rnn,
      .dropout = dropout,
      .features = [this](const Tensor& state, const Tensor& context,
                         const Tensor& embedded) { return output.features(state, context, embedded); },
      .logits = [this](const Tensor& features) { return output.logits(output_dropout(features)); },
      .order = options.order,
      .output = options.output,
      .rnn_context = rnn_context.get(),
  });
}

// The size of the RNN's input besides the word.
std::int64_t RecurrentDecoder::fed_dim() const {
  if (options.order == DecoderOrder::conditional) return 0;
  const bool feeds_vector = feeds_attentional_vector(options.order, options.output, attention != nullptr);
  return feeds_vector ? options.hidden_dim : options.context_dim;
}

// ---- the calls -------------------------------------------------------------------------------------------------

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

TranslationModel::Step RecurrentDecoder::step(const Tensor& words, const DecoderState& state, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return steps().one(words, state, where);
}

TranslationModel::Output RecurrentDecoder::all_steps(const Tensor& tgt_in, const DecoderState& state,
                                                     const TeacherForcing& teacher_forcing, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return steps().all(tgt_in, state, teacher_forcing, where);
}

}  // namespace nn
