// The op cases, by family in op_cases_*.cpp: every call of fixtures/ops.json in C++, and calls that PyTorch lacks.
// Tests compare them with PyTorch (op_values_test), differentiate them (op_gradients_test), and make them wrong.
#pragma once

#include <autograd/autograd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace op_cases {

using autograd::Tensor;
using Tensors = std::vector<Tensor>;

struct OpCase {
  std::string id;  // "softmax/dim1", as in ops.json
  std::string op;  // the op that it is about, by the name in its OpText; "" for a composition, or for no derivative
  std::function<Tensor(const Tensors& x)> call;
  std::function<Tensors()> inputs = {};  // of a case that is not in ops.json
  bool random = false;                   // draws from the default generator
};

// All cases, in the order of the files.
const std::vector<OpCase>& all();
// Those about one op.
std::vector<OpCase> about(const std::string& op);
const OpCase& find(const std::string& id);

// New tensors with the case's inputs; those that take a gradient require it. The same numbers each time.
Tensors inputs_of(const OpCase& one);

// Does any input take a gradient?
bool is_differentiable(const OpCase& one);
// For random numbers that differ from case to case, and that adding a case leaves as they were.
std::uint64_t seed_of(const OpCase& one);
// Are the case's gradients those of ops.json?
bool agrees_with_pytorch(const OpCase& one);

// ---- for writing the table down --------------------------------------------------------------------------

using In = const Tensors&;  // the inputs of a call:  [](In x) { return x[0] + x[1]; }

// In place of an op's name, where a case is about none.
inline const std::string composed;
inline const std::string no_derivative;

struct Row {
  std::string kind;  // "dim1"
  std::function<Tensor(In x)> call;
  std::function<Tensors()> inputs = {};
};

class Table {
 public:
  // Cases with the ids "family/kind", all about one op.
  void add(const std::string& family, const std::string& op, const std::vector<Row>& rows);
  // The usual case: the family bears the name of its op.
  void add(const std::string& op, const std::vector<Row>& rows) { add(op, op, rows); }

  std::vector<OpCase> cases;
};

void add_elementwise_cases(Table& table);
void add_choice_cases(Table& table);
void add_reduction_cases(Table& table);
void add_product_cases(Table& table);
void add_shape_cases(Table& table);
void add_slice_cases(Table& table);
void add_gather_cases(Table& table);
void add_loss_cases(Table& table);
void add_recurrent_cases(Table& table);
void add_attention_cases(Table& table);
void add_composite_cases(Table& table);
void add_edge_cases(Table& table);

// float64 inputs that require a gradient: normal deviates; their absolute values + 1/4; written out.
Tensor normal(const autograd::Shape& shape);
Tensor positive(const autograd::Shape& shape);
Tensor values(const std::vector<double>& numbers, const autograd::Shape& shape);

}  // namespace op_cases
