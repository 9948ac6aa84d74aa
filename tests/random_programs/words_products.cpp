// Matrix products.
#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool matrices(Maker& maker, Step& step) {
  const int a = maker.with_dims(1, 3);
  const Tensor& x = maker[a];
  const std::int64_t inner = x.size(-1);
  Shape other = maker.chance(25) ? Shape{inner} : Shape{inner, maker.size()};
  if (other.dim() == 2 && x.dim() == 3 && maker.chance(50)) other.insert(0, maker.chance(50) ? x.size(0) : 1);
  step.operands = {a, maker.shaped(other)};
  return true;
}

bool batches(Maker& maker, Step& step) {
  const int a = maker.with_dims(3, 3);
  const Tensor& x = maker[a];
  step.operands = {a, maker.shaped({x.size(0), x.size(2), maker.size()})};
  return true;
}

bool layer(Maker& maker, Step& step) {
  const int x = maker.with_dims(1, 3);
  const std::int64_t outputs = maker.size();
  step.operands = {x, maker.shaped({outputs, maker[x].size(-1)})};
  if (maker.chance(60)) step.operands.push_back(maker.shaped({outputs}));
  return true;
}

}  // namespace

Words product_words() {
  using namespace autograd;
  return {
      {"matmul", "matmul({0}, {1})", "torch.matmul({0}, {1})", matrices, [](In x) { return matmul(x[0], x[1]); },
       Kind::plain},
      {"bmm", "bmm({0}, {1})", "torch.bmm({0}, {1})", batches, [](In x) { return bmm(x[0], x[1]); }, Kind::plain},
      {"linear", "linear({args})", "F.linear({args})", layer, [](In x) { return linear(x[0], x[1], x.optional(2)); },
       Kind::plain},
  };
}

}  // namespace random_programs
