#include "nn/attention/attention_mechanism.h"

#include "nn/attention/attention_mask.h"
#include "nn/layers/checks.h"
#include "nn/layers/padding.h"

namespace nn {

// ---- the same for a part of the batch ------------------------------------------------------------------------

namespace {

Tensor select_rows(const Tensor& x, const Tensor& rows) {
  return x.defined() ? x.index_select(0, rows) : Tensor();
}

}  // namespace

AttentionSource AttentionSource::select(const Tensor& rows) const {
  return {select_rows(keys, rows), select_rows(values, rows), select_rows(mask, rows), select_rows(segments, rows)};
}

AttentionMemory AttentionMemory::select(const Tensor& rows) const {
  return {step, select_rows(coverage, rows)};
}

// ---- construction --------------------------------------------------------------------------------------------

AttentionOptions checked_options(std::string_view type, AttentionOptions options, Where where) {
  check_size(type, "decoder_dim", options.decoder_dim, where);
  check_size(type, "encoder_dim", options.encoder_dim, where);
  if (options.attention_dim == 0) options.attention_dim = options.decoder_dim;
  check_size(type, "attention_dim", options.attention_dim, where);
  check_range(type, "dropout", options.dropout, 0.0, 1.0, where);
  check_parameter_dtype(type, options.dtype, where);
  return options;
}

AttentionMechanism::AttentionMechanism(std::string_view type, const AttentionOptions& given, Where where)
    : options(checked_options(type, given, where)), type_(type) {}

// ---- the calls -----------------------------------------------------------------------------------------------

AttentionSource AttentionMechanism::read_source(const Tensor& encoder_outputs, const Tensor& mask, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_shape(type_, "encoder_outputs", encoder_outputs, {-1, -1, options.encoder_dim}, "[batch, source, encoder_dim]",
              where);
  check_attention_mask(type_, mask, encoder_outputs.size(0), encoder_outputs.size(1), where);
  const ProjectedKeys projected = project(without_padding(encoder_outputs, mask));
  return {projected.keys, projected.values, mask, Tensor()};
}

AttentionMechanism::Output AttentionMechanism::operator()(const Tensor& query, const AttentionSource& source,
                                                          AttentionMemory& memory, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  check_step(query, source, memory, where);
  const Output output = attend(query, source, memory);
  memory.step += 1;
  if (keeps_coverage()) memory.coverage = memory.coverage.defined() ? memory.coverage + output.weights : output.weights;
  return output;
}

Tensor AttentionMechanism::context_of(const Tensor& weights, const Tensor& values) const {
  const Tensor thinned = autograd::dropout(weights, options.dropout, training());
  return autograd::bmm(thinned.unsqueeze(1), values).squeeze(1);
}

AttentionMechanism::Output ScoredAttention::attend(const Tensor& query, const AttentionSource& source,
                                                   const AttentionMemory& memory) const {
  const Tensor weights_of_step = weights(query, scores(query, source, memory), source, memory);
  return {context_of(weights_of_step, source.values), weights_of_step};
}

Tensor ScoredAttention::weights(const Tensor&, const Tensor& scores_of_step, const AttentionSource& source,
                                const AttentionMemory&) const {
  return softmax_over(scores_of_step, source.mask);
}

// ---- arguments -----------------------------------------------------------------------------------------------

void AttentionMechanism::check_step(const Tensor& query, const AttentionSource& source, const AttentionMemory& memory,
                                    Where where) const {
  check_defined(type_, "the source's keys (made by read_source)", source.keys, where);
  check_defined(type_, "the source's values (made by read_source)", source.values, where);
  const std::int64_t batch = source.values.size(0);
  const std::int64_t positions = source.values.size(1);
  check_shape(type_, "query", query, {batch, options.decoder_dim}, "[batch, decoder_dim]", where);
  check_attention_mask(type_, source.mask, batch, positions, where);
  check_segments(source, batch, positions, where);
  if (!memory.coverage.defined()) return;
  check_shape(type_, "the memory's coverage", memory.coverage, {batch, positions},
              "[batch, source] (a new batch starts with a fresh memory)", where);
}

void AttentionMechanism::check_segments(const AttentionSource& source, std::int64_t batch, std::int64_t positions,
                                        Where where) const {
  if (!source.segments.defined()) return;
  check_boolean(type_, "the segments are", source.segments, "make them with segments_of", where);
  check_shape(type_, "the source's segments", source.segments, {batch, -1, positions}, "[batch, segments, source]",
              where);
}

}  // namespace nn
