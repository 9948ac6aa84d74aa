#include "nn/translation/translation_model.h"

namespace nn {
namespace {

Tensor select_rows(const Tensor& x, const Tensor& rows) {
  return x.defined() ? x.index_select(0, rows) : x;
}

}  // namespace

DecoderState DecoderState::select(const Tensor& rows) const {
  DecoderState chosen = select_within_sentences(rows);
  chosen.source = source.select(rows);
  return chosen;
}

DecoderState DecoderState::select_within_sentences(const Tensor& rows) const {
  DecoderState chosen;
  chosen.source = source;
  chosen.memory = memory.select(rows);
  chosen.recurrent.hidden = select_rows(recurrent.hidden, rows);
  chosen.recurrent.cell = select_rows(recurrent.cell, rows);
  chosen.context = select_rows(context, rows);
  for (const Tensor& cache : caches) chosen.caches.push_back(select_rows(cache, rows));
  return chosen;
}

Tensor features_at(const Tensor& features, const Tensor& positions) {
  return positions.defined() ? features.flatten(0, 1).index_select(0, positions) : features;
}

}  // namespace nn
