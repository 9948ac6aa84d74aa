#include "nn/seq2seq.h"

#include <fmt/core.h>

#include "nn/checks.h"
#include "nn/translation/recurrent_kind.h"

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

// embedded [B, embed], hidden [B, H]
BahdanauDecoder::Step BahdanauDecoder::step(const Tensor& embedded, const Tensor& hidden, const ProjectedKeys& source,
                                            const Tensor& mask) const {
  const auto [context, weights] = attention(hidden, source, mask);              // [B, encoder_dim], [B, S]
  const Tensor input = autograd::cat({embedded, context}, -1);                  // [B, embed + encoder_dim]
  const RecurrentState after = step_recurrent(rnn, input, {.hidden = hidden});  // [B, H]
  return {context, after.hidden, weights};
}

BahdanauDecoder::Output BahdanauDecoder::operator()(const Tensor& input_token, const Tensor& hidden,
                                                    const ProjectedKeys& source, const Tensor& mask,
                                                    Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("BahdanauDecoder", "input_token", input_token, {-1}, "[batch]", where);
  const Tensor embedded = dropout(embedding(input_token));  // [B, embed]
  const Step now = step(embedded, hidden, source, mask);
  const Tensor features = autograd::cat({now.hidden, now.context, embedded}, -1);  // [B, H + encoder_dim + embed]
  return {fc_out(features), now.hidden, now.weights};
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
  const autograd::ScopeGuard scope(name(), where);
  check_shape("BahdanauDecoder", "tgt_in", tgt_in, {-1, -1}, "[batch, target]", where);
  const Tensor embedded = dropout(embedding(tgt_in));  // [B, T, embed]
  std::vector<Tensor> states;
  std::vector<Tensor> contexts;
  std::vector<Tensor> weights;
  Tensor state = hidden;
  for (std::int64_t t = 0; t < tgt_in.size(1); ++t) {
    const autograd::StepScope step_scope(t);
    const Step now = step(embedded.select(1, t), state, source, mask);
    states.push_back(now.hidden);
    contexts.push_back(now.context);
    weights.push_back(now.weights);
    state = now.hidden;
  }
  const Tensor features = autograd::cat({autograd::stack(states, 1), autograd::stack(contexts, 1), embedded}, -1);
  return {fc_out(features), autograd::stack(weights, 1)};  // [B, T, V], [B, T, S]
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

Seq2Seq::Source Seq2Seq::read(const Tensor& src, const std::vector<std::int64_t>& lengths) const {
  const auto [outputs, hidden] = encoder(src, lengths);
  Source source;
  source.keys = decoder.precompute(outputs);
  if (!lengths.empty()) source.mask = autograd::length_mask(lengths, src.size(1));
  source.hidden = hidden;
  return source;
}

Seq2Seq::Output Seq2Seq::operator()(const Tensor& src, const std::vector<std::int64_t>& lengths, const Tensor& tgt_in,
                                    Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const Source source = read(src, lengths);
  return decoder.teacher_forced(tgt_in, source.hidden, source.keys, source.mask);
}

// ---- greedy decoding -----------------------------------------------------------------------------------------

namespace {

// Appends to each sentence its new word, unless it has ended or the word ends it. Returns how many go on.
std::int64_t append(const std::vector<std::int64_t>& words, std::int64_t eos, std::vector<bool>& ended,
                    std::vector<std::vector<std::int64_t>>& sentences) {
  std::int64_t going_on = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == eos) ended[i] = true;
    if (ended[i]) continue;
    sentences[i].push_back(words[i]);
    ++going_on;
  }
  return going_on;
}

}  // namespace

Seq2Seq::Translation Seq2Seq::greedy(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                     const GreedyOptions& options, Where where) const {
  const autograd::NoGradGuard no_grad;
  const autograd::ScopeGuard scope(name(), where);
  check_positive("greedy", "max_length", options.max_length, where);
  const Source source = read(src, lengths);
  const std::int64_t batch = src.size(0);
  Translation translation;
  translation.tokens.resize(static_cast<std::size_t>(batch));
  std::vector<bool> ended(static_cast<std::size_t>(batch), false);
  std::vector<Tensor> weights;
  Tensor words = autograd::ids(std::vector<std::int64_t>(static_cast<std::size_t>(batch), options.bos), {batch});
  Tensor hidden = source.hidden;
  for (std::int64_t t = 0; t < options.max_length; ++t) {
    const autograd::StepScope step_scope(t);
    const BahdanauDecoder::Output now = decoder(words, hidden, source.keys, source.mask);
    words = now.prediction.argmax(-1);  // [B]
    hidden = now.hidden;
    weights.push_back(now.weights);
    const std::int64_t going_on = append(words.to_vector<std::int64_t>(), options.eos, ended, translation.tokens);
    if (going_on == 0) break;
  }
  translation.weights = autograd::stack(weights, 1);
  return translation;
}

}  // namespace nn
