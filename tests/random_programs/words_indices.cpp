// Picking by index.
#include "maker.h"
#include "words.h"

namespace random_programs {
namespace {

bool in_list(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  const std::int64_t dim = maker.dim_of(x);
  const std::int64_t size = maker[x].size(dim);
  if (size == 0) return false;
  step.operands = {x, maker.integers({maker.between(1, 4)}, size)};
  step.numbers = {dim};
  return true;
}

bool first_in_list(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  const std::int64_t size = maker[x].size(0);
  if (size == 0) return false;
  step.operands = {x, maker.integers({maker.between(1, 4)}, size)};
  return true;
}

bool into_list(Maker& maker, Step& step) {
  if (!in_list(maker, step)) return false;
  Shape shape = maker[step.operands[0]].shape();
  const std::int64_t dim = step.numbers[0];
  shape[dim < 0 ? dim + shape.dim() : dim] = maker[step.operands[1]].size(0);
  step.operands.push_back(maker.shaped(shape));
  return true;
}

bool in_places(Maker& maker, Step& step) {
  const int x = maker.with_dims(1);
  const std::int64_t dim = maker.dim_of(x);
  const std::int64_t size = maker[x].size(dim);
  if (size == 0) return false;
  Shape shape = maker[x].shape();
  shape[dim < 0 ? dim + shape.dim() : dim] = maker.between(1, 4);
  step.operands = {x, maker.integers(shape, size)};
  step.numbers = {dim};
  return true;
}

bool into_places(Maker& maker, Step& step) {
  if (!in_places(maker, step)) return false;
  step.operands.push_back(maker.shaped(maker[step.operands[1]].shape()));
  return true;
}

bool rows(Maker& maker, Step& step) {
  const int weight = maker.with_dims(2, 2);
  const std::int64_t vocabulary = maker[weight].size(0);
  if (vocabulary == 0) return false;
  step.operands = {weight, maker.integers(maker.shape(maker.between(0, 2)), vocabulary)};
  step.numbers = {maker.below(vocabulary)};
  return true;
}

}  // namespace

Words index_words() {
  using namespace autograd;
  return {
      {"gather", "gather({0}, {n0}, {1})", "torch.gather({0}, {n0}, {1})", in_places,
       [](In x) { return gather(x[0], x.n(0), x[1]); }, Kind::plain},
      {"scatter_add", "scatter_add({0}, {n0}, {1}, {2})", "torch.scatter_add({0}, {n0}, {1}, {2})", into_places,
       [](In x) { return scatter_add(x[0], x.n(0), x[1], x[2]); }, Kind::plain},
      {"index_select", "index_select({0}, {n0}, {1})", "torch.index_select({0}, {n0}, {1})", in_list,
       [](In x) { return index_select(x[0], x.n(0), x[1]); }, Kind::plain},
      {"index_add", "index_add({0}, {n0}, {1}, {2})", "torch.index_add({0}, {n0}, {1}, {2})", into_list,
       [](In x) { return index_add(x[0], x.n(0), x[1], x[2]); }, Kind::plain},
      {"index_list", "{0}[{1}]", "{0}[{1}]", first_in_list, [](In x) { return x[0][x[1]]; }, Kind::plain},
      {"embedding", "embedding({0}, {1})", "F.embedding({1}, {0})", rows, [](In x) { return embedding(x[0], x[1]); },
       Kind::plain},
      {"embedding_padded", "embedding({0}, {1}, {n0})", "F.embedding({1}, {0}, {n0})", rows,
       [](In x) { return embedding(x[0], x[1], x.n(0)); }, Kind::plain},
  };
}

}  // namespace random_programs
