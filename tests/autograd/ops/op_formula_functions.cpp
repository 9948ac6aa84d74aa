#include "tests/autograd/ops/op_formula_functions.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

using namespace autograd;

namespace op_mistakes {
namespace {

// ---- the dims that an op went along --------------------------------------------------------------------------------

// What `f` makes of x along some dim is y: which one?
std::int64_t dim_of(Place at, const std::function<Tensor(const Tensor& x, std::int64_t dim)>& f) {
  const NoGradGuard no_grad;
  for (int dim = 0; dim < at.x().dim(); ++dim) {
    if (allclose(f(at.x(), dim), at.run.y)) return dim;
  }
  throw std::logic_error("no dim gives this output");
}

std::int64_t along(Place at) {
  if (at.op == "softmax") return dim_of(at, [](const Tensor& x, std::int64_t dim) { return softmax(x, dim); });
  if (at.op == "log_softmax") return dim_of(at, [](const Tensor& x, std::int64_t dim) { return log_softmax(x, dim); });
  if (at.op == "cumsum") return dim_of(at, [](const Tensor& x, std::int64_t dim) { return cumsum(x, dim); });
  return at.x().dim() - 1;
}

Tensor reduced(Place at, const Dims& dims) {
  if (at.op == "logsumexp") return logsumexp(at.x(), dims, true);
  return amax(at.x(), dims, true);
}

// The dims over which the op made y of x.
Dims reduced_dims(Place at) {
  for (int subset = 1; subset < 1 << at.x().dim(); ++subset) {
    Dims dims;
    for (int dim = 0; dim < at.x().dim(); ++dim) {
      if (subset >> dim & 1) dims.push_back(dim);
    }
    const Tensor result = reduced(at, dims);
    if (result.numel() == at.run.y.numel() && allclose(result.flatten(), at.run.y.flatten())) return dims;
  }
  throw std::logic_error("no dims give this output");
}

// dy at each of the elements that became one.
Tensor spread(Place at) {
  return at.run.dy.reshape(reduced(at, reduced_dims(at)).shape()).expand(at.x().shape());
}

// The order of dims that makes y of x.
Dims order_of(Place at) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(at.x().dim()));
  std::iota(order.begin(), order.end(), 0);
  do {
    if (allclose(at.x().permute(Dims(order)), at.run.y)) return Dims(order);
  } while (std::next_permutation(order.begin(), order.end()));
  throw std::logic_error("no order of dims gives this output");
}

// The first dim in which x and y differ.
std::int64_t changed_dim(Place at) {
  const Shape& a = at.x().shape();
  const Shape& b = at.run.y.shape();
  int dim = 0;
  while (dim < a.dim() && dim < b.dim() && a[dim] == b[dim]) ++dim;
  return dim;
}

// ---- other places, other orders --------------------------------------------------------------------------------------

bool is_square(const Tensor& x) {
  return x.dim() >= 2 && x.size(-1) == x.size(-2);
}

Tensor turned(const Tensor& x) {
  return x.transpose(-2, -1);
}

Tensor reversed(const Tensor& x) {
  return flip(x.flatten(), 0).reshape(x.shape());
}

Tensor first_column(const Tensor& gradient) {
  if (gradient.dim() == 0) return zeros_like(gradient);
  return where(arange(gradient.size(-1)) == 0.0, gradient, 0.0);
}

// Brought from the output's shape to that of an input that was repeated, one dim at a time.
template <class Reduce> Tensor unrepeated(Place at, Tensor gradient, Reduce reduce) {
  const Shape& shape = at.x(at.input).shape();
  const int added = gradient.dim() - shape.dim();
  for (int dim = 0; dim < gradient.dim(); ++dim) {
    const bool repeated = dim < added || shape[dim - added] == 1;
    if (repeated && gradient.size(dim) > 1) gradient = reduce(gradient, dim);
  }
  return gradient;
}

// Of dy, what belongs to this input of cat(), if it began at `start`.
Tensor part_of_dy(Place at, std::int64_t start) {
  if (at.run.x.size() == 1) return at.right();
  const std::int64_t dim = changed_dim(at);
  return at.run.dy.narrow(dim, start, at.x(at.input).size(dim));
}

Tensor part_of_opposite_order(Place at) {
  std::int64_t start = 0;
  for (std::size_t later = at.input + 1; later < at.run.x.size(); ++later) start += at.x(later).size(changed_dim(at));
  return part_of_dy(at, start);
}

// As if the inputs had been joined along the first dim.
Tensor part_in_row_order(Place at) {
  std::int64_t start = 0;
  for (std::size_t before = 0; before < at.input; ++before) start += at.x(before).numel();
  const Tensor& x = at.x(at.input);
  return at.run.dy.flatten().narrow(0, start, x.numel()).reshape(x.shape());
}

// As if the slice had begun at 0 and taken every element.
Tensor at_start(Place at, const Tensor& dy) {
  const std::int64_t dim = changed_dim(at);
  return dim == at.x().dim() ? at.right() : slice_backward(dy, at.x().shape(), dim, 0, 1);
}

Tensor rows_at(Place at, const std::vector<std::int64_t>& positions) {
  const Tensor rows = at.run.dy.reshape({-1, at.run.dy.size(-1)});
  return index_add(zeros(at.x().shape(), at.run.dy.dtype()), 0, ids(positions, rows.size(0)), rows);
}

// The t-th row of dy goes to row t of the table.
Tensor rows_in_order(Place at) {
  std::vector<std::int64_t> order;
  for (std::int64_t t = 0; t < at.run.dy.numel() / at.run.dy.size(-1); ++t) order.push_back(t % at.x().size(0));
  return rows_at(at, order);
}

// It goes to the row that it was taken from, the padding's too.
Tensor rows_by_ids(Place at) {
  const Tensor rows = at.run.y.reshape({-1, at.run.y.size(-1)});
  std::vector<std::int64_t> found;
  for (std::int64_t t = 0; t < rows.size(0); ++t) {
    for (std::int64_t id = 0; id < at.x().size(0); ++id) {
      if (allclose(rows[t], at.x()[id])) found.push_back(id);
    }
  }
  return rows_at(at, found);
}

// dy's first elements along each dim, in the shape of the second input.
Tensor first_elements(Place at, const Tensor& dy) {
  const Shape& shape = at.x(1).shape();
  Tensor part = dy;
  for (int dim = 0; dim < shape.dim(); ++dim) part = part.narrow(dim, 0, std::min(shape[dim], dy.size(dim)));
  return part.shape() == shape ? part : dy.mean().expand(shape);
}

// What each element of dy contributes is put over what was there before.
Tensor overwritten(Place at) {
  Tensor gradient = zeros_like(at.right());
  const Tensor position = arange(at.run.dy.numel()).reshape(at.run.dy.shape());
  for (std::int64_t i = 0; i < at.run.dy.numel(); ++i) {
    const Tensor one_element = where(position == static_cast<double>(i), at.run.dy, 0.0);
    const Tensor contribution = at.run.right_for(one_element)[at.input];
    gradient = where(contribution != 0.0, contribution, gradient);
  }
  return gradient;
}

// Where clamp() cut x off to one of its limits, or x is one: they show in the elements that were cut off.
Tensor is_limit(Place at) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor& y = at.run.y;
  const Tensor low = amax(where(at.x() < y, y, -infinity));
  const Tensor high = amin(where(at.x() > y, y, infinity));
  return logical_or(y == low, y == high);
}

// The elements moved on by one along a dim.
Tensor moved_along(const Tensor& x, std::int64_t dim) {
  const std::int64_t last = x.size(dim) - 1;
  return last < 1 ? x : cat({x.narrow(dim, last, 1), x.narrow(dim, 0, last)}, dim);
}

// The same with 0 in place of all but the last along a dim.
Tensor last_along(const Tensor& x, std::int64_t dim) {
  const std::int64_t last = x.size(dim) - 1;
  return cat({zeros_like(x.narrow(dim, 0, last)), x.narrow(dim, last, 1)}, dim);
}

// Of additive_score(): all sums of a query and a key, [batch, queries, source, n], and dy for all n features of each.
Tensor query_plus_key(Place at) {
  const Tensor query = at.x(0).dim() == 3 ? at.x(0) : at.x(0).unsqueeze(1);
  return query.unsqueeze(2) + at.x(1).unsqueeze(1);
}
Tensor dscores(Place at) {
  const Tensor dy = at.run.dy.dim() == 3 ? at.run.dy : at.run.dy.unsqueeze(1);
  return dy.unsqueeze(-1);
}

// Do all inputs have the same shape, of square matrices?
bool all_square(Place at) {
  return std::all_of(at.run.x.begin(), at.run.x.end(),
                     [&](const Tensor& x) { return is_square(x) && x.shape() == at.x().shape(); });
}

Tensor rows(const Tensor& dy) {
  return dy.flatten(0, -2);
}

// ---- the list ----------------------------------------------------------------------------------------------------

using Arguments = std::vector<Expression>;
using Function = std::function<Value(Place at, const Arguments& arguments)>;

// Of tensors alone, and of tensors and the place.
Function of(Tensor (*f)(const Tensor& x)) {
  return [f](Place at, const Arguments& a) { return Value{f(a.at(0)(at).tensor)}; };
}
Function of(Tensor (*f)(Place at, const Tensor& x)) {
  return [f](Place at, const Arguments& a) { return Value{f(at, a.at(0)(at).tensor)}; };
}
Function of(Tensor (*f)(Place at)) {
  return [f](Place at, const Arguments&) { return Value{f(at)}; };
}
// Of a tensor and whole numbers, such as dims.
Function of(Tensor (*f)(const Tensor& x, const std::vector<std::int64_t>& numbers)) {
  return [f](Place at, const Arguments& a) {
    std::vector<std::int64_t> numbers;
    for (std::size_t i = 1; i < a.size(); ++i) numbers.push_back(static_cast<std::int64_t>(a[i](at).number));
    return Value{f(a.at(0)(at).tensor, numbers)};
  };
}
using Numbers = const std::vector<std::int64_t>&;

double as_double(std::int64_t count) {
  return static_cast<double>(count);
}
Function number_of(double (*f)(Place at)) {
  return [f](Place at, const Arguments&) { return Value{{}, f(at)}; };
}

Value right_for(Place at, const Arguments& a) {
  const Value dy = a.at(0)(at);
  return {at.run.right_for(dy.tensor.defined() ? dy.tensor : full_like(at.run.dy, dy.number))[at.input]};
}

// The argument is evaluated only where it makes sense; elsewhere what is right is right.
Value if_square(Place at, const Arguments& a) {
  return all_square(at) ? a.at(0)(at) : Value{at.right()};
}
Value if_alike(Place at, const Arguments& a) {
  const Value value = a.at(0)(at);
  return value.tensor.shape() == at.right().shape() ? value : Value{at.right()};
}
Value if_any(Place at, const Arguments& a) {
  return at.x().numel() > 0 ? a.at(0)(at) : Value{at.right()};
}
Value if_reduced(Place at, const Arguments& a) {
  return at.run.y.dim() == 0 ? a.at(0)(at) : Value{at.right()};
}

const std::map<std::string, Function>& functions() {
  static const std::map<std::string, Function> all = {
      {"abs", of([](const Tensor& x) { return abs(x); })},
      {"cos", of([](const Tensor& x) { return cos(x); })},
      {"detach", of([](const Tensor& x) { return x.detach(); })},
      {"exp", of([](const Tensor& x) { return exp(x); })},
      {"log", of([](const Tensor& x) { return log(x); })},
      {"mean", of([](const Tensor& x) { return mean(x); })},
      {"sigmoid", of([](const Tensor& x) { return sigmoid(x); })},
      {"sign", of([](const Tensor& x) { return sign(x); })},
      {"sin", of([](const Tensor& x) { return sin(x); })},
      {"softmax", of([](const Tensor& x) { return softmax(x, -1); })},
      {"sum", of([](const Tensor& x) { return sum(x); })},
      {"tanh", of([](const Tensor& x) { return tanh(x); })},
      {"matmul", [](Place at, const Arguments& a) { return Value{matmul(a.at(0)(at).tensor, a.at(1)(at).tensor)}; }},
      {"maximum", [](Place at, const Arguments& a) { return Value{maximum(a.at(0)(at), a.at(1)(at))}; }},
      {"where",
       [](Place at, const Arguments& a) { return Value{where(a.at(0)(at).tensor, a.at(1)(at), a.at(2)(at))}; }},
      {"numel",
       [](Place at, const Arguments& a) {
         return Value{{}, as_double(a.at(0)(at).tensor.numel())};
       }},
      {"size",
       [](Place at, const Arguments& a) {
         return Value{{}, as_double(a.at(0)(at).tensor.size(static_cast<std::int64_t>(a.at(1)(at).number)))};
       }},
      {"count",
       [](Place at, const Arguments& a) {
         return Value{{}, a.at(0)(at).tensor.sum().item()};
       }},
      {"at", of([](const Tensor& x, Numbers n) { return x.select(n.at(0), n.at(1)); })},  // dim, position
      {"part",
       of([](const Tensor& x, Numbers n) { return x.chunk(n.at(0), 1).at(static_cast<std::size_t>(n.at(1))); })},
      {"joined",  // as part() cuts
       [](Place at, const Arguments& a) {
         std::vector<Tensor> parts;
         for (const Expression& part : a) parts.push_back(part(at).tensor);
         return Value{cat(parts, 1)};
       }},

      {"right_for", right_for},
      {"if_square", if_square},
      {"if_alike", if_alike},
      {"if_any", if_any},
      {"if_reduced", if_reduced},

      {"sum_along", of([](Place at, const Tensor& x) { return sum(x, along(at), true); })},
      {"mean_along", of([](Place at, const Tensor& x) { return mean(x, along(at), true); })},
      {"sum_across", of([](Place at, const Tensor& x) { return sum(x, (along(at) + 1) % x.dim(), true); })},
      {"cumsum_along", of([](Place at, const Tensor& x) { return cumsum(x, along(at)); })},
      {"sum_over", of([](const Tensor& x, Numbers dims) { return x.sum(Dims(dims)); })},
      {"softmax_over", of([](const Tensor& x, Numbers n) { return softmax(x, n.at(0)); })},
      {"spread", of(spread)},
      {"largest", of([](Place at) { return amax(at.x(), reduced_dims(at), true); })},

      {"turned", of(turned)},
      {"turned_if_square", of([](const Tensor& x) { return is_square(x) ? turned(x) : x; })},
      {"moved_on", of(moved_on)},
      {"moved_along", of([](const Tensor& x, Numbers n) { return moved_along(x, n.at(0)); })},
      {"last_along", of([](const Tensor& x, Numbers n) { return last_along(x, n.at(0)); })},
      {"flipped", of([](const Tensor& x, Numbers n) { return flip(x, n.at(0)); })},
      {"reversed", of(reversed)},
      {"permuted", of([](Place at, const Tensor& x) { return x.permute(order_of(at)); })},
      {"in_shape_of_x", of([](Place at, const Tensor& x) { return x.reshape(at.x(at.input).shape()); })},
      {"first_column", of(first_column)},
      {"first_of_repeats", of([](Place at, const Tensor& x) {
         return unrepeated(at, x, [](const Tensor& y, std::int64_t dim) { return y.narrow(dim, 0, 1); });
       })},
      {"mean_of_repeats", of([](Place at, const Tensor& x) {
         return unrepeated(at, x, [](const Tensor& y, std::int64_t dim) { return y.mean(dim, true); });
       })},
      {"mean_of_first_dim", of([](const Tensor& x) { return x.mean(0, true).expand(x.shape()); })},
      {"cut_to_integers", of([](const Tensor& x) { return x.to(int64).to(x.dtype()); })},
      {"flat", of(rows)},
      {"row", [](Place at,
                 const Arguments& a) { return Value{rows(at.run.dy)[static_cast<std::int64_t>(a.at(0)(at).number)]}; }},
      {"count_of_rows", number_of([](Place at) { return as_double(rows(at.run.dy).size(0)); })},

      {"part_of_opposite_order", of(part_of_opposite_order)},
      {"part_in_row_order", of(part_in_row_order)},
      {"part_from_the_start", of([](Place at) { return part_of_dy(at, 0); })},
      {"at_start", of(at_start)},
      {"from_start",
       of([](Place at, const Tensor& dy) { return dy.narrow(changed_dim(at), 0, at.x().size(changed_dim(at))); })},
      {"unselected", of([](Place at, const Tensor& dy) { return dy.unsqueeze(changed_dim(at)); })},
      {"overwritten", of(overwritten)},
      {"rows_in_order", of(rows_in_order)},
      {"rows_by_ids", of(rows_by_ids)},
      {"first_elements", of(first_elements)},

      {"is_limit", of(is_limit)},
      {"every_class", of([](const Tensor& x) { return x.sum(1, true).expand(x.shape()); })},
      {"query_plus_key", of(query_plus_key)},
      {"dscores", of(dscores)},
  };
  return all;
}

}  // namespace

Tensor moved_on(const Tensor& gradient) {
  Tensor moved = gradient;
  for (int dim = 0; dim < gradient.dim(); ++dim) moved = moved_along(moved, dim);
  return moved;
}

Expression number(double value) {
  return [=](const Place&) { return Value{{}, value}; };
}

std::map<std::string, Expression>& definitions() {
  static std::map<std::string, Expression> all;
  return all;
}

Expression variable(const std::string& name) {
  const auto defined = definitions().find(name);
  if (defined != definitions().end()) return defined->second;
  if (name == "y") return [](const Place& at) { return Value{at.run.y}; };
  if (name == "dy") return [](const Place& at) { return Value{at.run.dy}; };
  if (name == "x") return [](const Place& at) { return Value{at.x()}; };
  if (name == "right") return [](const Place& at) { return Value{at.right()}; };
  const std::size_t i = static_cast<std::size_t>(name.back() - '0');
  if (name.size() == 2 && name[0] == 'x') return [=](const Place& at) { return Value{at.x(i)}; };
  if (name.size() == 6 && name.starts_with("right")) return [=](const Place& at) { return Value{at.run.right[i]}; };
  throw std::runtime_error("nothing is called " + name);
}

Expression binary(const std::string& sign, const Expression& a, const Expression& b) {
  return [=](const Place& at) -> Value {
    const Value x = a(at);
    const Value y = b(at);
    if (!x.tensor.defined() && !y.tensor.defined()) {
      if (sign == "/") return {{}, x.number / y.number};
      if (sign == "*") return {{}, x.number * y.number};
      throw std::runtime_error("no number is worked out with " + sign);
    }
    if (sign == "+") return {add(x, y)};
    if (sign == "-") return {sub(x, y)};
    if (sign == "*") return {mul(x, y)};
    if (sign == "/") return {div(x, y)};
    if (sign == "^") return {pow(x, y)};
    const Operand left = x, right = y;
    if (sign == "==") return {left == right};
    if (sign == "!=") return {left != right};
    if (sign == ">=") return {left >= right};
    if (sign == "<=") return {left <= right};
    return {sign == ">" ? left > right : left < right};
  };
}

Expression function(const std::string& name, const std::vector<Expression>& arguments) {
  const auto found = functions().find(name);
  if (found == functions().end()) throw std::runtime_error("there is no function " + name);
  return [f = found->second, arguments](const Place& at) { return f(at, arguments); };
}

}  // namespace op_mistakes
