// Einstein's sum of two operands: a composite that sorts the dims by where they occur, for one product of matrices.
//
//   dims in both operands and in the result     batch
//   dims of a alone, of b alone                 rows, columns
//   dims in both, not in the result             summed by the product
#include <algorithm>
#include <cctype>
#include <string>

#include "autograd/composites/composites.h"
#include "autograd/ops/op.h"

namespace autograd {
namespace {

using Labels = std::string;  // one letter a dim

bool has(const Labels& labels, char label) {
  return labels.find(label) != Labels::npos;
}

struct Equation {
  Labels a, b, result;
};

[[noreturn]] void fail_equation(std::string_view equation, std::string_view found, Where where) {
  fail(ErrorId::bad_argument, "einsum", where, fmt::format("\"{}\": {}", equation, found),
       "write one letter for each dim, as in \"bij,bjk->bik\"");
}

// Throws unless all labels are letters, none of them twice.
void check_labels(std::string_view equation, const Labels& labels, Where where) {
  for (const char label : labels) {
    if (std::isalpha(static_cast<unsigned char>(label)) == 0) {
      fail_equation(equation, fmt::format("'{}' is not a letter", label), where);
    }
    if (std::count(labels.begin(), labels.end(), label) > 1) {
      fail_equation(equation, fmt::format("{} is twice in \"{}\"", label, labels), where);
    }
  }
}

// The labels that only one operand has, in alphabetical order.
Labels labels_that_occur_once(const Labels& a, const Labels& b) {
  Labels once;
  for (const char label : a + b) {
    if (has(a, label) != has(b, label)) once += label;
  }
  std::sort(once.begin(), once.end());
  return once;
}

Equation parse(std::string_view equation, Where where) {
  Labels text(equation);
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->");
  const Labels operands = text.substr(0, arrow);
  const std::size_t comma = operands.find(',');
  if (comma == Labels::npos) fail_equation(equation, "there are not two operands", where);
  Equation parsed{operands.substr(0, comma), operands.substr(comma + 1), {}};
  check_labels(equation, parsed.a, where);
  check_labels(equation, parsed.b, where);
  parsed.result = arrow == Labels::npos ? labels_that_occur_once(parsed.a, parsed.b) : text.substr(arrow + 2);
  check_labels(equation, parsed.result, where);
  for (const char label : parsed.result) {
    if (has(parsed.a + parsed.b, label)) continue;
    fail_equation(equation, fmt::format("no operand has the {} of the result", label), where);
  }
  return parsed;
}

void check_dims(std::string_view equation, const Tensor& x, const Labels& labels, Where where) {
  if (static_cast<int>(labels.size()) == x.dim()) return;
  fail(ErrorId::shape_mismatch, "einsum", where,
       fmt::format("\"{}\" names {} dims of an operand {}", equation, labels.size(), x.shape()),
       "write one letter for each dim of each operand");
}

std::int64_t size_of(char label, const Tensor& x, const Labels& labels) {
  return x.shape()[static_cast<std::int64_t>(labels.find(label))];
}

void check_sizes(const Tensor& a, const Tensor& b, const Equation& equation, Where where) {
  for (const char label : equation.a) {
    if (!has(equation.b, label) || size_of(label, a, equation.a) == size_of(label, b, equation.b)) continue;
    fail_shapes("einsum", a.shape(), b.shape(), where, fmt::format("the dim {} has two sizes", label),
                "a letter stands for one size");
  }
}

// Sums x over the dims that neither the other operand nor the result has, and removes their labels.
Tensor without_lone_dims(const Tensor& x, Labels& labels, const Labels& elsewhere) {
  Dims lone;
  for (const char label : labels) {
    if (!has(elsewhere, label)) lone.push_back(static_cast<std::int64_t>(labels.find(label)));
  }
  std::erase_if(labels, [&](char label) { return !has(elsewhere, label); });
  return lone.empty() ? x : sum(x, lone);
}

Tensor with_dims_ordered(const Tensor& x, const Labels& labels, const Labels& order) {
  Dims dims;
  for (const char label : order) dims.push_back(static_cast<std::int64_t>(labels.find(label)));
  return permute(x, dims);
}

Shape sizes_of(const Labels& labels, const Tensor& x, const Labels& labels_of_x) {
  Shape sizes;
  for (const char label : labels) sizes.push_back(size_of(label, x, labels_of_x));
  return sizes;
}

// The labels of `from` for which is_wanted(label) holds.
template <class Predicate> Labels chosen(const Labels& from, Predicate is_wanted) {
  Labels result;
  std::copy_if(from.begin(), from.end(), std::back_inserter(result), is_wanted);
  return result;
}

}  // namespace

Tensor einsum(std::string_view text, const Tensor& a, const Tensor& b, Where where) {
  const CompositeGuard composite("einsum", where);
  check_floating("einsum", a, where);
  check_same_dtype("einsum", a, b, where);
  Equation equation = parse(text, where);
  check_dims(text, a, equation.a, where);
  check_dims(text, b, equation.b, where);
  check_sizes(a, b, equation, where);
  const Tensor a_ = without_lone_dims(a, equation.a, equation.b + equation.result);
  const Tensor b_ = without_lone_dims(b, equation.b, equation.a + equation.result);

  const auto is_shared = [&](char label) { return has(equation.a, label) && has(equation.b, label); };
  const auto is_lone = [&](char label) { return !is_shared(label); };
  const Labels batch = chosen(equation.result, is_shared);
  const Labels rows = chosen(equation.a, is_lone);
  const Labels columns = chosen(equation.b, is_lone);
  const Labels inner = chosen(equation.a, [&](char label) { return is_shared(label) && !has(batch, label); });

  const std::int64_t batches = sizes_of(batch, a_, equation.a).numel();
  const std::int64_t n = sizes_of(inner, a_, equation.a).numel();
  const Shape row_sizes = sizes_of(rows, a_, equation.a);
  const Shape column_sizes = sizes_of(columns, b_, equation.b);
  const Tensor left = with_dims_ordered(a_, equation.a, batch + rows + inner);
  const Tensor right = with_dims_ordered(b_, equation.b, batch + inner + columns);
  const Tensor product =
      bmm(reshape(left, {batches, row_sizes.numel(), n}), reshape(right, {batches, n, column_sizes.numel()}));

  Shape sizes = sizes_of(batch, a_, equation.a);
  for (const std::int64_t size : row_sizes) sizes.push_back(size);
  for (const std::int64_t size : column_sizes) sizes.push_back(size);
  return with_dims_ordered(reshape(product, sizes), batch + rows + columns, equation.result);
}

}  // namespace autograd
