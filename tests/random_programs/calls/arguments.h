// Random arguments of a call: mostly fitting ones, sometimes anything at all. After rewind() the same ones come again.
//
// The rooms: arguments (this), calls (the table: one line per function, calls_*.cpp), judge (what must hold of every
// call).
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace random_calls {

using autograd::DType;
using autograd::Shape;
using autograd::Tensor;

bool shares_memory(const Tensor& a, const Tensor& b);

class Arguments {
 public:
  explicit Arguments(std::uint64_t seed);
  // The same call again: from here on the same is given as from the start.
  void rewind();

  // ---- tensors ---------------------------------------------------------------------------------------------------
  // Of numbers, float64 for most calls and float32 for some. Each letter is a size, the same one wherever it stands in
  // one call; G and L are three and four times that of h; "*" stands for up to three dims of any size.
  Tensor tensor(const std::string& layout);
  Tensor tensor() { return tensor("*"); }
  // Broadcasts with others of the same call, as a rule.
  Tensor operand();
  // Never with a gradient.
  Tensor constant(const std::string& layout);
  Tensor optional(const std::string& layout) { return flag() ? tensor(layout) : Tensor(); }
  Tensor mask(const std::string& layout);
  Tensor integers(const std::string& layout, std::int64_t bound);
  std::vector<Tensor> tensors(const std::string& layout);
  // To be changed in place: no leaf as a rule.
  Tensor changeable(const std::string& layout);

  // ---- the rest --------------------------------------------------------------------------------------------------
  std::int64_t size(char letter);                             // as in layouts; sometimes anything
  std::int64_t dim();                                         // -2 to 2, sometimes anything
  std::int64_t integer(std::int64_t low, std::int64_t high);  // sometimes anything
  double real(double low = -2.0, double high = 2.0);          // sometimes infinite, NaN, huge
  bool flag() { return below(2) == 0; }
  std::vector<std::int64_t> list(std::int64_t low, std::int64_t high);
  Shape shape() { return small_shape(list(-1, 4)); }
  Shape shape_of(const std::string& layout);  // sometimes another one
  autograd::Dims dims();
  DType dtype();
  DType floating();
  template <class T> T one_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(below(static_cast<std::int64_t>(choices.size())))];
  }

  // ---- for the judge ---------------------------------------------------------------------------------------------
  struct Given {
    Tensor tensor;
    std::vector<double> values;  // as they were
    std::uint32_t version;
  };
  const std::vector<Given>& given() const { return given_; }
  // After the next rewind() these are given, in their order; an empty list: what was given at first, again.
  void give_instead(std::vector<Tensor> tensors) { instead_ = std::move(tensors); }
  bool is_ordinary() const { return ordinary_; }  // no NaN, nothing infinite or huge among the numbers
  std::string text() const { return text_; }      // what was given, in its order

 private:
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(count));
  }
  bool chance(int percent) { return below(100) < percent; }
  std::int64_t strange();
  double strange_number();
  Shape small_shape(const std::vector<std::int64_t>& sizes);
  Tensor make(const Shape& shape, DType dtype);
  Tensor laid_out(const Tensor& x);
  Tensor give(Tensor x);
  template <class Make> Tensor given_again(Make&& make);
  void say(const std::string& what);

  std::uint64_t seed_;
  std::mt19937_64 random_;
  DType floating_ = autograd::float64;
  std::map<char, std::int64_t> sizes_;
  Shape any_;  // of "*"
  std::vector<Given> given_;
  std::vector<Tensor> instead_;
  std::size_t next_ = 0;  // tensor to be given
  bool ordinary_ = true;
  std::string text_;
};

}  // namespace random_calls
