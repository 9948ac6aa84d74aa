// Random programs from a seed. Every line is tried out while the program is made: the maker knows its values, and takes
// only lines that the comparison of derivatives with differences can bear: no kink nearby, nothing large.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "program.h"
#include "run.h"

namespace random_programs {

enum class Size {
  small,  // tensors of a few elements
  deep,   // the same, in long chains
  large,  // so large that kernels use several threads, and linear() packs its weights
};

// The program of this seed.
Program make_program(std::uint64_t seed);
Size size_of(std::uint64_t seed);

// What proposals (words_*.cpp) choose from. Each value is given by its number.
class Maker {
 public:
  explicit Maker(std::uint64_t seed, Size size) : random_(seed), size_(size) {}

  Program make();

  // ---- chance --------------------------------------------------------------------------------------------------
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  // A factor of two decimals from -1.5 to 1.5, none near 0.
  double factor();
  std::int64_t seed() { return below(1'000'000); }
  std::int64_t size();
  Shape shape(std::int64_t dims);

  // ---- values --------------------------------------------------------------------------------------------------
  const Tensor& operator[](int value) const { return values_.at(value); }
  using Fits = std::function<bool(const Tensor&)>;
  // A fitting value, rather a late one, if there is one.
  std::optional<int> find(const Fits& fits);
  int some();                                                // any number
  int with_dims(std::int64_t least, std::int64_t most = 8);  // new if there is none
  int shaped(const Shape& shape);                            // likewise
  int broadcasting_with(int value);                          // to the value's own shape, or the other way round
  std::optional<int> positive();                             // all elements well above 0
  std::optional<int> apart_from_zero();                      // no element near 0
  int leaf(const Shape& shape);
  int mask(const Shape& shape);
  int integers(const Shape& shape, std::int64_t bound);
  // A dim of the value, counted from the front or from the end.
  std::int64_t dim_of(int value);
  std::vector<std::int64_t> dims_of(int value);  // some, none twice
  // What may be changed in place: memory of its own, which no other value shares and no derivative needs.
  std::optional<int> changeable();
  // A leaf that no step has used yet.
  std::optional<int> unused_leaf();

 private:
  bool try_line();
  bool accept(const Step& step);
  Tensor run_or_explain(const Step& step, const std::vector<Tensor>& operands);
  bool is_good(const Tensor& value) const;
  int add_source(Step step);
  int add(const Step& step, const Tensor& value);
  std::vector<int> choose_roots();

  std::mt19937_64 random_;
  Size size_;
  std::vector<Step> steps_;
  Values values_;
  std::vector<int> order_;       // of the floating values, as they were made
  std::map<int, Kind> kinds_;    // of the word that made each value
  std::map<int, int> uses_;      // by steps that need the value, or see its memory
  std::map<int, int> mentions_;  // by any step
  Records records_;
  int next_ = 0;
};

}  // namespace random_programs
