#include <judge/check.h>

#include <algorithm>

#include "given.h"

const Axes judge::axes = {{"planes", 2}, {"rows", 4}, {"columns", 3}};

namespace {

// Random numbers; more than the arrays below need.
std::shared_ptr<std::vector<double>> random_memory(Check& check, std::size_t size) {
  auto memory = std::make_shared<std::vector<double>>(size);
  for (double& number : *memory) number = check.random().normal();
  return memory;
}

std::int64_t count(const Sizes& shape) {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product *= size;
  return product;
}

// Can it be read at all?
bool makes_sense(const Array& x) {
  const std::int64_t total = count(x.shape);
  return x.memory && x.strides.size() == x.shape.size() && total >= 1 && total <= 1000;
}

// Where in memory its elements are, worked out here and not by the answer's own functions.
std::vector<std::int64_t> places(const Array& x) {
  std::vector<std::int64_t> found;
  Sizes index(x.shape.size(), 0);
  do {
    std::int64_t at = x.offset;
    for (std::size_t dim = 0; dim < index.size(); ++dim) at += index[dim] * x.strides[dim];
    found.push_back(at);
  } while (next_index(index, x.shape));
  return found;
}

bool is_inside(const Array& x, std::int64_t place) {
  return place >= 0 && place < static_cast<std::int64_t>(x.memory->size());
}

// What an array shows; 0 stands for what is outside its memory.
Tensor elements(const Array& x) {
  if (!makes_sense(x)) return Tensor();
  std::vector<double> values;
  for (const std::int64_t at : places(x)) {
    values.push_back(is_inside(x, at) ? (*x.memory)[static_cast<std::size_t>(at)] : 0.0);
  }
  return autograd::from_vector(values, autograd::Shape(x.shape), autograd::float64);
}

std::string in_words(const Sizes& sizes) {
  return to_string(autograd::Shape(sizes));
}

std::string in_words(const Array& x) {
  std::string words =
      "shape " + in_words(x.shape) + ", strides " + in_words(x.strides) + ", offset " + std::to_string(x.offset);
  if (!makes_sense(x)) return words;
  const auto all = places(x);
  if (!std::all_of(all.begin(), all.end(), [&](std::int64_t at) { return is_inside(x, at); })) {
    words += ", which leads outside its memory of " + std::to_string(x.memory->size());
  }
  return words;
}

void look_at(Check& check, const std::string& name, const Array& x) {
  check.text(name, in_words(x));
  check.compare("elements of " + name, elements(x));
}

Tensor all_positions(const Answer& answer, const Array& x) {
  std::vector<double> positions;
  Sizes index(x.shape.size(), 0);
  do {
    positions.push_back(static_cast<double>(answer.position(x, index)));
  } while (next_index(index, x.shape));
  return autograd::from_vector(positions, autograd::Shape(x.shape), autograd::float64);
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const std::int64_t planes = check.size("planes");
  const std::int64_t rows = check.size("rows");
  const std::int64_t columns = check.size("columns");
  const auto fresh = [&] { return random_memory(check, static_cast<std::size_t>(2 * planes * rows * columns)); };
  // Each function is looked at by itself: strides and offsets are given here, and every array has its own memory.
  const auto plain = [&] { return Array{fresh(), {planes, rows, columns}, {rows * columns, columns, 1}, 0}; };
  const auto view = [&] { return Array{fresh(), {columns, planes, rows}, {1, rows * columns, columns}, 5}; };
  const auto repeated_row = [&] { return Array{fresh(), {rows, columns}, {0, 1}, 2}; };

  check.text("strides of [rows, columns]", in_words(answer.row_major_strides({rows, columns})));
  check.text("strides of [planes, rows, columns]", in_words(answer.row_major_strides({planes, rows, columns})));
  check.text("strides of [columns, planes, rows, planes]",
             in_words(answer.row_major_strides({columns, planes, rows, planes})));
  check.text("strides of [columns]", in_words(answer.row_major_strides({columns})));

  check.compare("positions", all_positions(answer, plain()));
  check.compare("positions in a view", all_positions(answer, view()));
  check.compare("positions in a repeated row", all_positions(answer, repeated_row()));

  const Array changed = view();
  answer.add_at(changed, {columns - 1, 0, rows - 1}, 0.5);
  check.compare("elements after add_at", elements(changed));
  const Array summed = repeated_row();
  for (std::int64_t row = 0; row < rows; ++row) answer.add_at(summed, {row, 0}, 1.0 + static_cast<double>(row));
  check.compare("elements after adding to a repeated row", elements(summed));

  const Array x = plain();
  const Array turned = answer.transposed(x, 1, 2);
  look_at(check, "transposed(x, 1, 2)", turned);
  check.require("a transposed array shares the memory", turned.memory == x.memory,
                "the transposed array has memory of its own; a view shares that of x");
  look_at(check, "transposed(view, 2, 0)", answer.transposed(view(), 2, 0));

  const Array whole = plain();
  const Array part = answer.narrowed(whole, 1, 1, 2);
  look_at(check, "narrowed(x, 1, 1, 2)", part);
  check.require("a narrowed array shares the memory", part.memory == whole.memory,
                "the narrowed array has memory of its own; a view shares that of x");
  look_at(check, "narrowed(view, 2, 1, 2)", answer.narrowed(view(), 2, 1, 2));
  look_at(check, "narrowed(view, 2, 0, 1)", answer.narrowed(view(), 2, 0, 1));
  look_at(check, "narrowed to the last one along dim 0", answer.narrowed(view(), 0, columns - 1, 1));

  const Array scattered = view();
  const Array copy = answer.contiguous_copy(scattered);
  look_at(check, "contiguous_copy(view)", copy);
  look_at(check, "contiguous_copy(repeated row)", answer.contiguous_copy(repeated_row()));
  // These have no gaps as they are, the second one with an offset.
  const Array gapless = plain();
  const Array copy_of_gapless = answer.contiguous_copy(gapless);
  look_at(check, "contiguous_copy(x)", copy_of_gapless);
  const Array later = {fresh(), {rows, columns}, {columns, 1}, 5};
  const Array copy_of_later = answer.contiguous_copy(later);
  look_at(check, "contiguous_copy(x from an offset on)", copy_of_later);
  check.require("a contiguous copy has memory of its own",
                copy.memory != scattered.memory && copy_of_gapless.memory != gapless.memory &&
                    copy_of_later.memory != later.memory,
                "a contiguous copy shares the memory of the array it was made from");
}
