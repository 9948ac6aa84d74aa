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
  if (step.word == "embedding_padded") step.numbers = {maker.below(vocabulary)};
  return true;
}

}  // namespace

Words index_words() {
  using namespace autograd;
  using enum Kind;
  using enum Expect;
  return {
      {"gather", "[mn] dim indices[qn]<2", [](In x) { return gather(x[0], x.n(0), x[1]); }, plain, in_places},
      {"scatter_add", "[mn] dim indices[qn]<2 [qn]", [](In x) { return scatter_add(x[0], x.n(0), x[1], x[2]); }, plain,
       into_places},
      {"index_select", "[mn] dim indices[q]<2", [](In x) { return index_select(x[0], x.n(0), x[1]); }, plain, in_list},
      {"index_add", "[mn] dim indices[q]<2 [qn]", [](In x) { return index_add(x[0], x.n(0), x[1], x[2]); }, plain,
       into_list},
      {"index_list", "[mn] indices[q]<m", [](In x) { return x[0][x[1]]; }, plain, first_in_list},
      {"index", "value int(-2,2)",
       [](In x) {
         return index(x[0], {Index(x.n(0)), Index::ellipsis()});
       }},
      {"index_all_kinds", "[mnk] int(-2,2) int(-2,4) int(1,2) indices[q]<n int(-1,0)",
       [](In x) {
         return index(x[0], {Slice{x.n(0), x.n(1), x.n(2)}, Index::new_axis(), x[1], x.n(3)});
       }},
      {"embedding", "[vn] indices[bt]<v", [](In x) { return embedding(x[0], x[1]); }, plain, rows},
      {"embedding_padded", "[vn] indices[bt]<v int(-2,2)", [](In x) { return embedding(x[0], x[1], x.n(0)); }, plain,
       cuts_gradients, rows},
  };
}

}  // namespace random_programs
