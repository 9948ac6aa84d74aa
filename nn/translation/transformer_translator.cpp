#include "nn/translation/transformer_translator.h"

#include <autograd/tensor/random.h>
#include <fmt/core.h>

#include <cmath>

#include "nn/layers/checks.h"
#include "nn/layers/init.h"

namespace nn {

// ---- parts and their first weights ---------------------------------------------------------------------------

namespace {

TransformerTranslatorOptions checked(const TransformerTranslatorOptions& options, Where where) {
  const std::string_view type = "TransformerTranslator";
  check_size(type, "source_vocab", options.source_vocab, where);
  check_size(type, "target_vocab", options.target_vocab, where);
  const bool same_size = options.source_vocab == options.target_vocab;
  if (options.tying == WeightTying::all && !same_size) {
    autograd::fail(
        ErrorId::bad_argument, type, where,
        fmt::format("one embedding for vocabularies of {} and {} words", options.source_vocab, options.target_vocab),
        "use one vocabulary for both languages, or WeightTying::target");
  }
  return options;
}

EmbeddingOptions embedding_options(std::int64_t vocab_size, const TransformerTranslatorOptions& options) {
  return {.num_embeddings = vocab_size,
          .embedding_dim = options.d_model,
          .padding_idx = options.padding_idx,
          .dtype = options.dtype};
}

TransformerStackOptions stack_options(std::int64_t num_layers, const TransformerTranslatorOptions& options) {
  return {.layer = {.d_model = options.d_model,
                    .nhead = options.nhead,
                    .dim_feedforward = options.dim_feedforward,
                    .dropout = options.dropout,
                    .norm_first = options.norm_first,
                    .dtype = options.dtype},
          .num_layers = num_layers,
          .norm = options.norm_first};
}

}  // namespace

TransformerTranslator::TransformerTranslator(const TransformerTranslatorOptions& given, Where where)
    : options(checked(given, where)),
      src_embedding(embedding_options(options.source_vocab, options), where),
      tgt_embedding(embedding_options(options.target_vocab, options), where),
      positional_encoding({.d_model = options.d_model, .dropout = options.dropout}, where),
      encoder(stack_options(options.num_encoder_layers, options), where),
      decoder(stack_options(options.num_decoder_layers, options), where),
      fc_out({.in_features = options.d_model, .out_features = options.target_vocab, .dtype = options.dtype}, where) {
  register_module("src_embedding", src_embedding);
  register_module("tgt_embedding", tgt_embedding);
  register_module("positional_encoding", positional_encoding);
  register_module("encoder", encoder);
  register_module("decoder", decoder);
  register_module("fc_out", fc_out);
  start_weights();
}

void TransformerTranslator::start_weights() {
  for (const Tensor& parameter : parameters()) {
    if (parameter.dim() > 1) init::xavier_uniform_(parameter);
  }
  for (const Embedding* embedding : {&src_embedding, &tgt_embedding}) {
    init::normal_(embedding->weight, 0.0, 1.0 / std::sqrt(static_cast<double>(options.d_model)));
    const std::optional<std::int64_t> padding = embedding->options.padding_idx;
    if (padding) init::zeros_(embedding->weight.select(0, *padding));
  }
  // Two handles of one tensor: it gets both gradients, and the optimiser sees it once.
  if (options.tying != WeightTying::none) fc_out.weight = tgt_embedding.weight;
  if (options.tying == WeightTying::all) src_embedding.weight = tgt_embedding.weight;
}

// ---- the source ----------------------------------------------------------------------------------------------

// ids [B, T], the first of them at position `first` -> [B, T, M]
Tensor TransformerTranslator::embed(const Embedding& embedding, const Tensor& ids, std::int64_t first) const {
  const double scale = std::sqrt(static_cast<double>(options.d_model));
  return positional_encoding(embedding(ids) * scale, first);
}

namespace {

// [B, S], or undefined if all sentences reach to S.
Tensor source_mask(const Tensor& src, const std::vector<std::int64_t>& lengths, Where where) {
  if (lengths.empty()) return Tensor();
  autograd::check_lengths("TransformerTranslator", lengths, src.size(0), src.size(1), where);
  return autograd::length_mask(lengths, src.size(1));
}

std::vector<Tensor> to_tensors(const TransformerDecoder::Caches& caches) {
  std::vector<Tensor> tensors;
  for (const TransformerDecoderCache& cache : caches) {
    tensors.insert(tensors.end(), {cache.source.keys, cache.source.values, cache.words.keys, cache.words.values});
  }
  return tensors;
}

TransformerDecoder::Caches to_caches(const std::vector<Tensor>& tensors) {
  TransformerDecoder::Caches caches;
  for (std::size_t i = 0; i + 3 < tensors.size(); i += 4) {
    caches.push_back({.source = {tensors[i], tensors[i + 1]}, .words = {tensors[i + 2], tensors[i + 3]}});
  }
  return caches;
}

}  // namespace

DecoderState TransformerTranslator::read(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                         Where where) const {
  const Tensor mask = source_mask(src, lengths, where);
  const Tensor memory = encoder(embed(src_embedding, src, 0), mask);  // [B, S, M]
  DecoderState state;
  state.source.mask = mask;
  state.caches = to_tensors(decoder.start(memory, mask));
  return state;
}

// ---- the target ----------------------------------------------------------------------------------------------

TranslationModel::Step TransformerTranslator::next(const Tensor& words, const DecoderState& state) const {
  TransformerDecoder::Caches caches = to_caches(state.caches);
  const Tensor embedded = embed(tgt_embedding, words.unsqueeze(1), state.memory.step);  // [B, 1, M]
  const auto [output, weights] = decoder(embedded, caches, state.source.mask);          // [B, 1, M], [B, 1, S]
  Step result;
  result.logits = fc_out(output.squeeze(1));
  result.weights = weights.squeeze(1);
  result.state = state;
  result.state.caches = to_tensors(caches);
  result.state.memory.step = state.memory.step + 1;
  return result;
}

TranslationModel::Output TransformerTranslator::all_at_once(const DecoderState& start_state, const Tensor& tgt_in,
                                                            const Tensor& positions) const {
  TransformerDecoder::Caches caches = to_caches(start_state.caches);
  const auto [output, weights] = decoder(embed(tgt_embedding, tgt_in, 0), caches, start_state.source.mask);
  return {fc_out(features_at(output, positions)), weights, Tensor()};
}

TranslationModel::Output TransformerTranslator::word_by_word(const DecoderState& start_state, const Tensor& tgt_in,
                                                             const TeacherForcing& teacher_forcing) const {
  std::vector<Tensor> logits;
  std::vector<Tensor> weights;
  DecoderState state = start_state;
  for (std::int64_t t = 0; t < tgt_in.size(1); ++t) {
    const autograd::StepScope step_scope(t);
    const bool told = t == 0 || autograd::default_generator().uniform() < teacher_forcing.ratio;
    const Tensor words = told ? tgt_in.select(1, t) : logits.back().argmax(-1);
    const Step step_t = next(words, state);
    logits.push_back(step_t.logits);
    weights.push_back(step_t.weights);
    state = step_t.state;
  }
  const Tensor all_logits = autograd::stack(logits, 1);  // [B, T, V], each needed for the next word
  return {features_at(all_logits, teacher_forcing.positions), autograd::stack(weights, 1), Tensor()};
}

// ---- the calls -----------------------------------------------------------------------------------------------

TranslationModel::Output TransformerTranslator::operator()(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                                           const Tensor& tgt_in, const TeacherForcing& teacher_forcing,
                                                           Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("TransformerTranslator", "src", src, {-1, -1}, "[batch, source]", where);
  check_shape("TransformerTranslator", "tgt_in", tgt_in, {src.size(0), -1}, "[batch, target]", where);
  check_range("TransformerTranslator", "teacher_forcing.ratio", teacher_forcing.ratio, 0.0, 1.0, where);
  const DecoderState start_state = read(src, lengths, where);
  if (teacher_forcing.ratio == 1.0) return all_at_once(start_state, tgt_in, teacher_forcing.positions);
  return word_by_word(start_state, tgt_in, teacher_forcing);
}

DecoderState TransformerTranslator::start(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                          Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("TransformerTranslator", "src", src, {-1, -1}, "[batch, source]", where);
  return read(src, lengths, where);
}

TranslationModel::Step TransformerTranslator::step(const Tensor& words, const DecoderState& state, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape("TransformerTranslator", "words", words, {-1}, "[batch]", where);
  return next(words, state);
}

}  // namespace nn
