// The scores of additive attention, a sentence at a time.
#include "autograd/kernels/kernels.h"
#include "autograd/kernels/parallel.h"
#include "autograd/kernels/simd.h"

namespace autograd::kernels {
namespace {

// Calls f(sentence) for all sentences, on several threads if there is enough work.
template <class F> void for_each_sentence(const AdditiveSizes& size, const F& f) {
  constexpr int64_t elements = int64_t(1) << 13;
  const int64_t grain = elements / (size.queries * size.source * size.n + 1) + 1;
  parallel_for(size.batch, grain, [&](int64_t begin, int64_t end) {
    for (int64_t sentence = begin; sentence < end; ++sentence) f(sentence);
  });
}

}  // namespace

template <class T> void additive_score(T* y, const T* query, const T* keys, const T* v, const AdditiveSizes& size) {
  for_each_sentence(size, [=](int64_t b) {
    simd<T>().additive_score(y + b * size.queries * size.source, query + b * size.queries * size.n,
                             keys + b * size.source * size.n, v, size.queries, size.source, size.n);
  });
}

template <class T>
void additive_score_backward(T* dquery, T* dkeys, T* dv, const T* dy, const T* query, const T* keys, const T* v,
                             const AdditiveSizes& size) {
  for_each_sentence(size, [=](int64_t b) {
    const int64_t to_queries = b * size.queries * size.n;
    const int64_t to_keys = b * size.source * size.n;
    simd<T>().additive_score_backward(dquery + to_queries, dkeys + to_keys, dv + b * size.n,
                                      dy + b * size.queries * size.source, query + to_queries, keys + to_keys, v,
                                      size.queries, size.source, size.n);
  });
}

#define INSTANTIATE(T)                                                                  \
  template void additive_score(T*, const T*, const T*, const T*, const AdditiveSizes&); \
  template void additive_score_backward(T*, T*, T*, const T*, const T*, const T*, const T*, const AdditiveSizes&);
INSTANTIATE(float)
INSTANTIATE(double)

}  // namespace autograd::kernels
