#include "nn/translation/seq2seq.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "nn/layers/checks.h"
#include "nn/translation/search.h"

namespace nn {

// ---- encoder -------------------------------------------------------------------------------------------------

BahdanauEncoder::Output BahdanauEncoder::operator()(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                                    Where where) const {
  const RecurrentEncoder::Output read = RecurrentEncoder::operator()(src, lengths, where);
  return {read.outputs, read.initial.hidden};
}

// ---- decoder -------------------------------------------------------------------------------------------------

namespace {

BahdanauDecoderOptions with_defaults(BahdanauDecoderOptions options) {
  if (options.encoder_dim == 0) options.encoder_dim = 2 * options.hidden_dim;
  if (options.attention_dim == 0) options.attention_dim = options.hidden_dim;
  return options;
}

}  // namespace

BahdanauDecoder::BahdanauDecoder(const BahdanauDecoderOptions& given, Where where)
    : options(with_defaults(given)),
      embedding({.num_embeddings = options.vocab_size,
                 .embedding_dim = options.embed_dim,
                 .padding_idx = options.padding_idx,
                 .dtype = options.dtype},
                where),
      attention({.decoder_dim = options.hidden_dim,
                 .encoder_dim = options.encoder_dim,
                 .attention_dim = options.attention_dim,
                 .dtype = options.dtype},
                where),
      rnn({.input_size = options.embed_dim + options.encoder_dim,
           .hidden_size = options.hidden_dim,
           .batch_first = true,
           .dtype = options.dtype},
          where),
      fc_out({.in_features = options.hidden_dim + options.encoder_dim + options.embed_dim,
              .out_features = options.vocab_size,
              .dtype = options.dtype},
             where),
      dropout({.p = options.dropout}, where) {
  register_module("embedding", embedding);
  register_module("attention", attention);
  register_module("rnn", rnn);
  register_module("fc_out", fc_out);
  register_module("dropout", dropout);
}

DecoderSteps BahdanauDecoder::steps() const {
  return DecoderSteps({
      .type = "BahdanauDecoder",
      .embedding = embedding,
      .attention = &attention,
      .rnn = rnn,
      .dropout = dropout,
      .features =
          [](const Tensor& state, const Tensor& context, const Tensor& embedded) {
            return autograd::cat({state, context, embedded}, -1);
          },
      .logits = [this](const Tensor& features) { return fc_out(features); },
  });
}

namespace {

DecoderState state_of(const Tensor& hidden, const ProjectedKeys& source, const Tensor& mask) {
  DecoderState state;
  state.source.keys = source.keys;
  state.source.values = source.values;
  state.source.mask = mask;
  state.recurrent.hidden = hidden;
  return state;
}

}  // namespace

TranslationModel::Step BahdanauDecoder::step(const Tensor& words, const DecoderState& state, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return steps().one(words, state, where);
}

TranslationModel::Output BahdanauDecoder::all_steps(const Tensor& tgt_in, const DecoderState& state,
                                                    Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return steps().all(tgt_in, state, {}, where);
}

BahdanauDecoder::Output BahdanauDecoder::operator()(const Tensor& input_token, const Tensor& hidden,
                                                    const ProjectedKeys& source, const Tensor& mask,
                                                    Where where) const {
  const TranslationModel::Step now = step(input_token, state_of(hidden, source, mask), where);
  return {now.logits, now.state.recurrent.hidden, now.weights};
}

BahdanauDecoder::Output BahdanauDecoder::operator()(const Tensor& input_token, const Tensor& hidden,
                                                    const Tensor& encoder_outputs, const Tensor& mask,
                                                    Where where) const {
  return (*this)(input_token, hidden, precompute(encoder_outputs, mask, where), mask, where);
}

ProjectedKeys BahdanauDecoder::precompute(const Tensor& encoder_outputs, Where where) const {
  return precompute(encoder_outputs, Tensor(), where);
}

ProjectedKeys BahdanauDecoder::precompute(const Tensor& encoder_outputs, const Tensor& mask, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return attention.precompute(encoder_outputs, encoder_outputs, mask);
}

BahdanauDecoder::Sequence BahdanauDecoder::teacher_forced(const Tensor& tgt_in, const Tensor& hidden,
                                                          const ProjectedKeys& source, const Tensor& mask,
                                                          Where where) const {
  const TranslationModel::Output all = all_steps(tgt_in, state_of(hidden, source, mask), where);
  return {all.logits, all.weights};
}

// ---- both ----------------------------------------------------------------------------------------------------

namespace {

Seq2SeqOptions checked(const Seq2SeqOptions& options, Where where) {
  const RecurrentEncoderOptions& encoder = options.encoder;
  const BahdanauDecoderOptions decoder = with_defaults(options.decoder);
  if (encoder.cell != RecurrentKind::gru) {
    autograd::fail(ErrorId::bad_argument, "Seq2Seq", where, "the encoder's cell is an LSTM, the decoder's a GRU",
                   "leave it out, or take a RecurrentTranslator, which has both");
  }
  const std::int64_t state_dim = encoder.decoder_dim == 0 ? encoder.hidden_dim : encoder.decoder_dim;
  if (decoder.hidden_dim == state_dim && decoder.encoder_dim == 2 * encoder.hidden_dim) return options;
  autograd::fail(ErrorId::bad_argument, "Seq2Seq", where,
                 fmt::format("the encoder's hidden_dim is {}, the decoder's hidden_dim {} and encoder_dim {}",
                             encoder.hidden_dim, decoder.hidden_dim, decoder.encoder_dim),
                 "give both the same hidden_dim, and the decoder twice that as encoder_dim, or leave it out");
}

}  // namespace

Seq2Seq::Seq2Seq(const Seq2SeqOptions& options, Where where)
    : encoder(checked(options, where).encoder, where), decoder(options.decoder, where) {
  register_module("encoder", encoder);
  register_module("decoder", decoder);
}

DecoderState Seq2Seq::read(const Tensor& src, const std::vector<std::int64_t>& lengths) const {
  const auto [outputs, hidden] = encoder(src, lengths);
  const Tensor mask = lengths.empty() ? Tensor() : autograd::length_mask(lengths, src.size(1));
  return state_of(hidden, decoder.precompute(outputs), mask);
}

Seq2Seq::Output Seq2Seq::operator()(const Tensor& src, const std::vector<std::int64_t>& lengths, const Tensor& tgt_in,
                                    Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const TranslationModel::Output all = decoder.all_steps(tgt_in, read(src, lengths));
  return {all.logits, all.weights};
}

// ---- greedy decoding -----------------------------------------------------------------------------------------

namespace {

// What search asks of a model.
struct Searched final : TranslationModel {
  const BahdanauDecoder& decoder;
  const DecoderState first;

  Searched(const BahdanauDecoder& own, DecoderState state) : decoder(own), first(std::move(state)) {}

  Output operator()(const Tensor&, const std::vector<std::int64_t>&, const Tensor& tgt_in, const TeacherForcing&,
                    Where) const override {
    return decoder.all_steps(tgt_in, first);
  }
  DecoderState start(const Tensor&, const std::vector<std::int64_t>&, Where) const override { return first; }
  Step step(const Tensor& words, const DecoderState& state, Where) const override { return decoder.step(words, state); }
};

}  // namespace

Seq2Seq::Translation Seq2Seq::greedy(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                     const GreedyOptions& options, Where where) const {
  const autograd::NoGradGuard no_grad;
  const autograd::ScopeGuard scope(name(), where);
  const Searched model(decoder, read(src, lengths));
  const std::vector<nn::Translation> found = greedy_search(
      model, src, lengths, {.bos = options.bos, .eos = options.eos, .max_length = options.max_length}, where);
  Translation translation;
  std::int64_t steps = 0;
  for (const nn::Translation& one : found) {
    translation.tokens.push_back(one.words);
    steps = std::max(steps, one.weights.size(0));
  }
  translation.weights = autograd::zeros({src.size(0), steps, src.size(1)}, decoder.options.dtype);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Tensor& own = found[i].weights;  // [its steps, its words]
    const Tensor rows = translation.weights.select(0, i).narrow(0, 0, own.size(0));
    rows.narrow(1, 0, own.size(1)).copy_(own);
  }
  return translation;
}

}  // namespace nn
