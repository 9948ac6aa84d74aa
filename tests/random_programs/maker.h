// Random programs from a seed. Every line is tried out while the program is made: the maker knows its values, and takes
// only lines that the comparison of derivatives with differences can bear: no kink nearby, nothing large.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "chance.h"
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
class Maker : public Chance {
 public:
  explicit Maker(std::uint64_t seed, Size size) : Chance(seed), size_(size) {}

  Program make();
  // What the arguments of the word ask for; no, if there is nothing that fits.
  bool fit(Step& step);

  // A factor of two decimals from -1.5 to 1.5, none near 0.
  double factor();
  std::int64_t seed() { return below(1'000'000); }
  std::int64_t size();
  Shape shape(std::int64_t dims);

  const Tensor& operator[](int value) const { return values_.at(value); }
  using Fits = std::function<bool(const Tensor&)>;
  // A fitting value, rather a late one, if there is one.
  std::optional<int> find(const Fits& fits);
  int some();                                                               // any number
  int with_dims(std::int64_t least, std::int64_t most = 8);                 // new if there is none
  int shaped(const Shape& shape);                                           // likewise
  int broadcasting_with(int value, bool (*fits)(const Tensor&) = nullptr);  // to its own shape, or the other way round
  int leaf(const Shape& shape, bool positive);
  int leaf(const Shape& shape) { return leaf(shape, chance(25)); }
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
  bool fit(const Arg& arg, Step& step);
  std::optional<int> fitting(const Arg& arg);
  int laid_out(const std::string& layout);
  bool try_line();
  bool accept(Step step);
  Result run_or_explain(const Step& step);
  bool is_good(const Tensor& value) const;
  int add_source(Step step);
  int add(const Step& step, const Tensor& value);
  std::vector<int> choose_roots();

  Size size_;
  Sizes sizes_;  // of the line that is being made
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
