#include "nn/translation/translation_model.h"

namespace nn {
namespace {

Tensor select_rows(const Tensor& x, const Tensor& rows) {
  return x.defined() ? x.index_select(0, rows) : x;
}

}  // namespace

DecoderState DecoderState::select(const Tensor& rows) const {
  DecoderState chosen;
  chosen.source = source.select(rows);
  chosen.memory = memory.select(rows);
  chosen.recurrent.hidden = select_rows(recurrent.hidden, rows);
  chosen.recurrent.cell = select_rows(recurrent.cell, rows);
  chosen.context = select_rows(context, rows);
  for (const Tensor& cache : caches) chosen.caches.push_back(select_rows(cache, rows));
  return chosen;
}

}  // namespace nn
