#include "examples/translate/generator_state.h"

#include <bit>

#include "examples/translate/refuse.h"

namespace translate {

autograd::Tensor to_tensor(const autograd::Generator::State& state) {
  std::vector<std::int64_t> numbers;
  for (const std::uint64_t word : state.words) numbers.push_back(std::bit_cast<std::int64_t>(word));
  numbers.push_back(std::bit_cast<std::int64_t>(state.spare_normal));
  numbers.push_back(state.has_spare ? 1 : 0);
  return autograd::ids(numbers, {6});
}

autograd::Generator::State generator_state(const autograd::Tensor& tensor) {
  const bool fits = tensor.defined() && tensor.dtype() == autograd::int64 && tensor.shape() == autograd::Shape{6};
  if (!fits) refuse_files("the state of a random generator is not six whole numbers", "train again");
  const autograd::Tensor numbers = tensor.contiguous();
  const std::int64_t* next = numbers.data_ptr<std::int64_t>();
  autograd::Generator::State state;
  for (std::uint64_t& word : state.words) word = std::bit_cast<std::uint64_t>(*next++);
  state.spare_normal = std::bit_cast<double>(*next++);
  state.has_spare = *next == 1;
  return state;
}

}  // namespace translate
