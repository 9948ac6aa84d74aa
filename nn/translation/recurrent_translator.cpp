#include "nn/translation/recurrent_translator.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "nn/attention/attention_kinds.h"
#include "nn/attention/hierarchical_attention.h"
#include "nn/layers/checks.h"

namespace nn {
namespace {

RecurrentTranslatorOptions with_defaults(RecurrentTranslatorOptions options, Where where) {
  check_size("RecurrentTranslator", "source_vocab", options.source_vocab, where);
  check_size("RecurrentTranslator", "target_vocab", options.target_vocab, where);
  check_size("RecurrentTranslator", "embed_dim", options.embed_dim, where);
  check_size("RecurrentTranslator", "hidden_dim", options.hidden_dim, where);
  check_layers("RecurrentTranslator", "n_layers", options.n_layers, where);
  check_range("RecurrentTranslator", "dropout", options.dropout, 0.0, 1.0, where);
  check_range("RecurrentTranslator", "embedding_std", options.embedding_std, 0.0, std::numeric_limits<double>::max(),
              where);
  if (options.encoder_hidden_dim == 0) options.encoder_hidden_dim = options.hidden_dim;
  if (options.attention_dim == 0) options.attention_dim = options.hidden_dim;
  return options;
}

void check_attention_kind(const std::string& wanted, Where where) {
  const std::vector<std::string>& kinds = attention_kinds();
  if (std::find(kinds.begin(), kinds.end(), wanted) != kinds.end()) return;
  autograd::fail(ErrorId::bad_argument, "RecurrentTranslator", where,
                 fmt::format("there is no attention \"{}\"", wanted),
                 fmt::format("choose one of none, {}", fmt::join(kinds, ", ")));
}

std::unique_ptr<AttentionMechanism> make_attention_of(const RecurrentTranslatorOptions& given, Where where) {
  if (given.attention == "none") return nullptr;
  check_attention_kind(given.attention, where);
  const RecurrentTranslatorOptions options = with_defaults(given, where);
  return make_attention(options.attention,
                        {.decoder_dim = options.hidden_dim,
                         .encoder_dim = 2 * options.encoder_hidden_dim,
                         .attention_dim = options.attention_dim,
                         .dropout = options.attention_dropout,
                         .dtype = options.dtype},
                        where);
}

RecurrentEncoderOptions encoder_of(const RecurrentTranslatorOptions& options) {
  return {.vocab_size = options.source_vocab,
          .embed_dim = options.embed_dim,
          .hidden_dim = options.encoder_hidden_dim,
          .decoder_dim = options.hidden_dim,
          .n_layers = options.n_layers,
          .cell = options.cell,
          .dropout = options.dropout,
          .context_dropout = options.context_dropout,
          .padding_idx = options.padding_idx,
          .embedding_std = options.embedding_std,
          .dtype = options.dtype};
}

RecurrentDecoderOptions decoder_of(const RecurrentTranslatorOptions& options) {
  return {.vocab_size = options.target_vocab,
          .embed_dim = options.embed_dim,
          .hidden_dim = options.hidden_dim,
          .context_dim = 2 * options.encoder_hidden_dim,
          .cell = options.cell,
          .order = options.order,
          .output = options.output,
          .maxout_dim = options.maxout_dim,
          .dropout = options.dropout,
          .output_dropout = options.output_dropout,
          .padding_idx = options.padding_idx,
          .embedding_std = options.embedding_std,
          .dtype = options.dtype};
}

void check_tied_sizes(std::string_view what, const Tensor& own, const Tensor& of_target, Where where) {
  if (own.shape() == of_target.shape()) return;
  autograd::fail(
      ErrorId::bad_argument, "RecurrentTranslator", where,
      fmt::format("the matrix of {} is {}, that of the target's embedding {}", what, own.shape(), of_target.shape()),
      "matrices of the same shape can be one: OutputKind::deep, and for WeightTying::all one vocabulary");
}

}  // namespace

RecurrentTranslator::RecurrentTranslator(const RecurrentTranslatorOptions& given, Where where)
    : RecurrentTranslator(given, make_attention_of(given, where), where) {}

RecurrentTranslator::RecurrentTranslator(const RecurrentTranslatorOptions& given,
                                         std::unique_ptr<AttentionMechanism> attention, Where where)
    : options(with_defaults(given, where)),
      encoder(encoder_of(options), where),
      decoder(decoder_of(options), std::move(attention), where) {
  register_module("encoder", encoder);
  register_module("decoder", decoder);
  tie_weights(where);
}

// Two handles of one tensor: it gets both gradients, and the optimiser sees it once.
void RecurrentTranslator::tie_weights(Where where) {
  if (options.tying == WeightTying::none) return;
  check_tied_sizes("the output layer", decoder.output.fc_out.weight, decoder.embedding.weight, where);
  decoder.output.fc_out.weight = decoder.embedding.weight;
  if (options.tying == WeightTying::target) return;
  check_tied_sizes("the source's embedding", encoder.embedding.weight, decoder.embedding.weight, where);
  encoder.embedding.weight = decoder.embedding.weight;
}

DecoderState RecurrentTranslator::read(const Tensor& src, const std::vector<std::int64_t>& lengths) const {
  const RecurrentEncoder::Output source = encoder(src, lengths);
  const Tensor mask = lengths.empty() ? Tensor() : autograd::length_mask(lengths, src.size(1));  // [B, S]
  DecoderState state = decoder.start(source.outputs, mask, source.summary, source.initial);
  if (decoder.attention && options.separator) state.source.segments = segments_of(src, *options.separator, mask);
  return state;
}

TranslationModel::Output RecurrentTranslator::operator()(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                                         const Tensor& tgt_in, const TeacherForcing& teacher_forcing,
                                                         Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return decoder.all_steps(tgt_in, read(src, lengths), teacher_forcing);
}

DecoderState RecurrentTranslator::start(const Tensor& src, const std::vector<std::int64_t>& lengths,
                                        Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return read(src, lengths);
}

TranslationModel::Step RecurrentTranslator::step(const Tensor& words, const DecoderState& state, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  return decoder.step(words, state);
}

}  // namespace nn
