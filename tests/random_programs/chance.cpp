#include "chance.h"

namespace random_programs {
namespace {

// G and L are the gates of a GRU and of an LSTM.
std::int64_t times(char letter) {
  return letter == 'G' ? 3 : letter == 'L' ? 4 : 1;
}

char base(char letter) {
  return times(letter) == 1 ? letter : 'h';
}

}  // namespace

std::int64_t size_of_letter(char letter, Sizes& sizes, const std::function<std::int64_t()>& another) {
  const auto known = sizes.find(base(letter));
  const std::int64_t size = known != sizes.end() ? known->second : another();
  sizes[base(letter)] = size;
  return times(letter) * size;
}

Shape shape_of_layout(const std::string& layout, Sizes& sizes, const std::function<std::int64_t()>& another) {
  Shape shape;
  for (const char letter : layout) shape.push_back(size_of_letter(letter, sizes, another));
  return shape;
}

bool has_layout(const Shape& shape, const std::string& layout, Sizes& sizes) {
  if (shape.dim() != std::ssize(layout)) return false;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    const std::int64_t size = shape[static_cast<std::int64_t>(i)];
    if (size != size_of_letter(layout[i], sizes, [&] { return size / times(layout[i]); })) return false;
  }
  return true;
}

}  // namespace random_programs
