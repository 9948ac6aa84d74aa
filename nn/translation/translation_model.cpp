#include "nn/translation/translation_model.h"

namespace nn {
namespace {

Tensor rows_of(const Tensor& x, const Tensor& rows) {
  return x.defined() ? x.index_select(0, rows) : x;
}

// Puts these rows of what was read into a state that has been selected within its sentences.
void select_sources(DecoderState& chosen, const DecoderState& all, const Tensor& rows) {
  chosen.source = all.source.select(rows);
  for (std::size_t i = 0; i < all.members.size(); ++i) select_sources(chosen.members[i], all.members[i], rows);
}

}  // namespace

DecoderState DecoderState::select(const Tensor& rows) const {
  DecoderState chosen = select_within_sentences(rows);
  select_sources(chosen, *this, rows);
  return chosen;
}

DecoderState DecoderState::select_within_sentences(const Tensor& rows) const {
  DecoderState chosen;
  chosen.source = source;
  chosen.memory = memory.select(rows);
  chosen.recurrent.hidden = rows_of(recurrent.hidden, rows);
  chosen.recurrent.cell = rows_of(recurrent.cell, rows);
  chosen.context = rows_of(context, rows);
  for (const Tensor& cache : caches) chosen.caches.push_back(rows_of(cache, rows));
  for (const DecoderState& member : members) chosen.members.push_back(member.select_within_sentences(rows));
  return chosen;
}

Tensor features_at(const Tensor& features, const Tensor& positions) {
  return positions.defined() ? features.flatten(0, 1).index_select(0, positions) : features;
}

}  // namespace nn
