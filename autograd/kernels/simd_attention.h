// The scores of additive attention, e_ts = v . tanh(q_t + k_s), and their derivative, for one sentence. The derivative
// computes tanh again, which takes no longer than storing [queries, source, n] numbers and reading them back.
#pragma once

#include "autograd/kernels/simd_math.h"

namespace autograd::kernels {

template <class Isa, class T> struct AdditiveScore {
  using Math = VectorMath<Isa, T>;
  using Vector = typename Math::Vector;
  using Narrow = AdditiveScore<Half<Isa>, T>;
  static constexpr int64_t lanes = Math::lanes;

  // Features are done one vector at a time; the remaining ones in narrower vectors, and the last in a part of one.
  struct WholeVector {
    Vector load(const T* x) const { return Math::load(x); }
    void store(T* y, Vector value) const { Math::store(y, value); }
  };
  struct PartOfVector {
    int64_t count;
    Vector load(const T* x) const { return Math::load_part(x, count, 0); }
    void store(T* y, Vector value) const { Math::store_part(y, value, count); }
  };

  // ---- forward ---------------------------------------------------------------------------------------------------

  // y[t, s] = sum_i v[i] * tanh(query[t, i] + keys[s, i])
  static void forward(T* y, const T* query, const T* keys, const T* v, int64_t queries, int64_t source, int64_t n) {
    for (int64_t i = 0; i < queries * source; ++i) y[i] = 0;
    add_scores(y, query, keys, v, queries, source, n, 0);
  }

  // Adds to y the terms of the features from `from` on.
  static void add_scores(T* y, const T* query, const T* keys, const T* v, int64_t queries, int64_t source, int64_t n,
                         int64_t from) {
    const int64_t whole = n - (n - from) % lanes;
    for (int64_t t = 0; t < queries && whole > from; ++t) {
      const T* own = query + t * n;
      int64_t s = 0;
      for (; s + 8 <= source; s += 8) score_in_blocks<8>(y + t * source + s, own, keys + s * n, v, n, from, whole);
      for (; s < source; ++s) score_in_blocks<1>(y + t * source + s, own, keys + s * n, v, n, from, whole);
    }
    if (whole == n) return;
    if constexpr (Math::is_narrowest) {
      const PartOfVector rest{n - whole};
      for (int64_t t = 0; t < queries; ++t) {
        for (int64_t s = 0; s < source; ++s) {
          score_keys<1>(y + t * source + s, query + t * n, keys + s * n, v, n, whole, n, rest);
        }
      }
    } else {
      Narrow::add_scores(y, query, keys, v, queries, source, n, whole);
    }
  }

  // Sums blocks of features by themselves, because the rounding error of one long sum grows with its length.
  template <int count>
  static void score_in_blocks(T* y, const T* query, const T* keys, const T* v, int64_t n, int64_t from, int64_t to) {
    constexpr int64_t block = 128 * lanes;
    for (int64_t i = from; i < to; i += block) {
      score_keys<count>(y, query, keys, v, n, i, i + block < to ? i + block : to, WholeVector{});
    }
  }

  // Several keys side by side: their sums do not wait for each other, and their lanes are added up together.
  template <int count, class Access>
  static void score_keys(T* y, const T* query, const T* keys, const T* v, int64_t n, int64_t from, int64_t to,
                         Access access) {
    Vector sums[count] = {};
    for (int64_t i = from; i < to; i += lanes) {
      const Vector query_part = access.load(query + i);
      const Vector v_part = access.load(v + i);
      for (int s = 0; s < count; ++s) sums[s] += v_part * Math::tanh(query_part + access.load(keys + s * n + i));
    }
    T lane[count][lanes];
    for (int s = 0; s < count; ++s) Math::store(lane[s], sums[s]);
    for (int64_t j = 1; j < lanes; ++j) {
      for (int s = 0; s < count; ++s) lane[s][0] += lane[s][j];
    }
    for (int s = 0; s < count; ++s) y[s] += lane[s][0];
  }

  // ---- backward --------------------------------------------------------------------------------------------------

  struct Sentence {
    T *dquery, *dkeys, *dv;
    const T *dy, *query, *keys, *v;
    int64_t queries, source, n;
  };

  // Given dy[t, s], with h = tanh(query[t] + keys[s]) and d = dy[t, s] * v * (1 - h^2):
  //   dquery[t] = sum_s d    dkeys[s] = sum_t d    dv = sum_ts dy[t, s] * h
  static void backward(T* dquery, T* dkeys, T* dv, const T* dy, const T* query, const T* keys, const T* v,
                       int64_t queries, int64_t source, int64_t n) {
    differentiate(Sentence{dquery, dkeys, dv, dy, query, keys, v, queries, source, n}, 0);
  }

  template <class AnySentence> static void differentiate(const AnySentence& all, int64_t from) {
    const int64_t whole = all.n - (all.n - from) % lanes;
    differentiate_features(all, from, whole, WholeVector{});
    if (whole == all.n) return;
    if constexpr (Math::is_narrowest) {
      differentiate_features(all, whole, all.n, PartOfVector{all.n - whole});
    } else {
      Narrow::differentiate(all, whole);
    }
  }

  // May the pairs whose dy is 0 be left out? Not if 0 times something is NaN.
  template <class AnySentence, class Access>
  static bool may_leave_out(const AnySentence& all, int64_t from, int64_t to, Access access) {
    int64_t zeros = 0;
    for (int64_t i = 0; i < all.queries * all.source; ++i) zeros += all.dy[i] == 0;
    if (zeros == 0) return false;
    Vector odd = {};  // x - x is 0, or NaN
    const auto look_at = [&](const T* x, int64_t rows) {
      for (int64_t row = 0; row < rows; ++row) {
        for (int64_t i = from; i < to; i += lanes)
          odd += access.load(x + row * all.n + i) - access.load(x + row * all.n + i);
      }
    };
    look_at(all.query, all.queries);
    look_at(all.keys, all.source);
    look_at(all.v, 1);
    return Math::sum(odd) == 0;
  }

  // All pairs, for the features from `from` to `to`. Several keys are done side by side, so that what belongs to the
  // query and to v is loaded and stored once for all of them.
  template <class AnySentence, class Access>
  static void differentiate_features(const AnySentence& all, int64_t from, int64_t to, Access access) {
    constexpr int together = 4;
    set_zero(all.dv, 1, all.n, from, to, access);
    set_zero(all.dkeys, all.source, all.n, from, to, access);
    set_zero(all.dquery, all.queries, all.n, from, to, access);
    const bool leaves_out = may_leave_out(all, from, to, access);
    for (int64_t t = 0; t < all.queries; ++t) {
      const T* dy = all.dy + t * all.source;
      int64_t keys[together];
      int count = 0;
      for (int64_t s = 0; s < all.source; ++s) {
        if (leaves_out && dy[s] == 0) continue;  // the loss does not depend on this score, as on those of padding
        keys[count++] = s;
        if (count < together) continue;
        differentiate_keys<together>(all, t, keys, from, to, access);
        count = 0;
      }
      for (int i = 0; i < count; ++i) differentiate_keys<1>(all, t, keys + i, from, to, access);
    }
  }

  template <class Access> static void set_zero(T* y, int64_t rows, int64_t n, int64_t from, int64_t to, Access access) {
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t i = from; i < to; i += lanes) access.store(y + row * n + i, Vector{});
    }
  }

  template <int count, class AnySentence, class Access>
  static void differentiate_keys(const AnySentence& all, int64_t t, const int64_t* s, int64_t from, int64_t to,
                                 Access access) {
    T dy[count];
    const T* key[count];
    T* dkey[count];
    for (int j = 0; j < count; ++j) {
      dy[j] = all.dy[t * all.source + s[j]];
      key[j] = all.keys + s[j] * all.n;
      dkey[j] = all.dkeys + s[j] * all.n;
    }
    const T* query = all.query + t * all.n;
    T* dquery = all.dquery + t * all.n;
    for (int64_t i = from; i < to; i += lanes) {
      const Vector query_part = access.load(query + i);
      const Vector v = access.load(all.v + i);
      Vector sum_of_d = {};
      Vector dv = {};
      for (int j = 0; j < count; ++j) {
        const Vector h = Math::tanh(query_part + access.load(key[j] + i));
        const Vector d = (dy[j] * v) * (1 - h * h);
        dv += dy[j] * h;
        sum_of_d += d;
        access.store(dkey[j] + i, access.load(dkey[j] + i) + d);
      }
      access.store(dquery + i, access.load(dquery + i) + sum_of_d);
      access.store(all.dv + i, access.load(all.dv + i) + dv);
    }
  }
};

}  // namespace autograd::kernels
