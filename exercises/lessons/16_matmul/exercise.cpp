//= title: Matrix product
//= part: C
//= difficulty: 2
//= minutes: 20
//= after: 12
//= answer: matmul_backward, batched_matmul_backward
//= not: backward
//= mistake da_b_not_transposed
//=   question: da is [{m}, {k}], dy is [{m}, {n}], b is [{k}, {n}]. Does dy b have a shape at all, if all sizes
//=     differ?
//=   because: dy was multiplied by b as it stands. a[i, j] meets row j of b, so the sum runs over b's columns: b^T.
//=     With square matrices the product exists, and is wrong.
//= mistake db_a_not_transposed
//=   question: db is [{k}, {n}]. Over which index of a and dy does its sum run, and is that index in the right
//=     place?
//=   because: a was multiplied by dy as it stands. b[j, o] is used by every row of a, so the sum runs over the
//=     rows.
//= mistake db_other_order
//=   question: Write the shapes beside the factors of your db. Do the inner sizes agree, and what do the outer ones
//=     give?
//=   because: the factors are right, but in the wrong order. A matrix product is not commutative, so neither is its
//=     derivative: b stood on the right, and dy stays on the right.
//= mistake db_transposed
//=   premise: Your db has the right numbers.
//=   question: Does it have b's shape?
//=   because: dy^T a is the transpose of what you need. (For a linear layer, whose weight is [out, in] and is used
//=     transposed, that would be the gradient.)
//= mistake gradients_exchanged
//=   question: Which of the two results did you return first?
//=   because: da and db have changed places.
//= mistake without_dy
//=   question: If the loss does not depend on y[0, 0] at all, which entry of which tensor says so?
//=   because: dy was replaced by ones. That is right for the loss y.sum() and for no other.
//= mistake elementwise
//=   question: In how many entries of y does a[0, 0] appear, and how many numbers did you sum up for its gradient?
//=   because: `*` multiplies element by element. a[i, j] appears in a whole row of y: its gradient is a sum over
//=     that row.
//= mistake batch_first_only
//=   question: The factor without a batch dim was used by all {batch} products. How many of them send a gradient
//=     back?
//=   because: the first product's gradient was taken. All {batch} must be summed.
//= mistake batch_mean
//=   question: Where {batch} products share a factor, its gradient is 1/{batch} of the true one. Where does a
//=     division come from?
//=   because: the gradients of all uses of the factor were averaged. Uses add up.
//= mistake batch_kept
//=   question: b has shape [{k}, {n}] for the whole batch. Which shape does your db have?
//=   because: this is one gradient per product. The factor was broadcast, so its gradient is the sum over the batch.
//= mistake only_b_may_be_shared
//=   question: a [1, {m}, {k}] is used by all {batch} products. Which shape does your da have?
//=   because: only db was summed over the batch. Either factor may be the shared one, and each gradient has the shape
//=     of its own factor.
//= mistake only_a_may_be_shared
//=   question: b [{k}, {n}] is used by all {batch} products. Which shape does your db have?
//=   because: only da was summed over the batch. Either factor may be the shared one, and each gradient has the shape
//=     of its own factor.
//= mistake size_one_not_summed
//=   question: a [1, {m}, {k}] is used by all {batch} products. Which shape does your da have?
//=   because: you sum where dims are missing, and only there. A batch dim of size 1 was repeated, too: unbroadcast
//=     sees both, and does nothing where nothing was repeated.
//= mistake dims_counted_in_front
//=   question: In a [{heads}, {batch}, {m}, {k}], which two dims does transpose(1, 2) exchange?
//=   because: with one batch dim in front, the last two are dims 1 and 2; with two they are 2 and 3. Counted from the
//=     end they are -2 and -1 always.
//= mistake one_missing_dim
//=   question: b is [{k}, {n}], and dy is [{heads}, {batch}, {m}, {n}]. By how many products is b used, and over how
//=     many dims do you sum?
//=   because: at most one dim in front was summed away. Two or more may be missing: an `if` there should be a
//=     `while`.
//= mistake batch_summed_first
//=   question: Is the sum of products a_i^T dy_i the product of the two sums?
//=   because: a and dy were summed over the batch before they were multiplied. That mixes a of one product with dy
//=     of another: sum after multiplying.
//= mistake batch_last_only
//=   question: Is something overwritten, in a loop over the batch, that should be added to?
//=   because: only the last product's gradient is left, but every product contributes to the gradient of a shared
//=     factor.

#include "given.h"

FactorGradients matmul_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  //[
  //- // TODO: write the shapes beside each product.
  //- todo("matmul_backward: da and db for y = a b");
  const Tensor da = matmul(dy, b.t());  // [m, n] x [n, k]
  //~ da_b_not_transposed | const Tensor da = matmul(dy, b);
  //~ elementwise | const Tensor da = dy * b;
  //~ without_dy | const Tensor da = matmul(ones_like(dy), b.t());
  const Tensor db = matmul(a.t(), dy);  // [k, m] x [m, n]
  //~ db_a_not_transposed | const Tensor db = matmul(a, dy);
  //~ db_other_order | const Tensor db = matmul(dy, a.t());
  //~ db_transposed | const Tensor db = matmul(dy.t(), a);
  //~ elementwise | const Tensor db = dy * a;
  //~ without_dy | const Tensor db = matmul(a.t(), ones_like(dy));
  return {da, db};
  //~ gradients_exchanged | return {db, da};
  //]
}

FactorGradients batched_matmul_backward(const Tensor& dy, const Tensor& a, const Tensor& b) {
  //[
  //- // TODO: transpose(-1, -2) exchanges the last two dims. unbroadcast(gradient, shape) is given.
  //- todo("batched_matmul_backward: da and db, the dims in front broadcast");
  const Tensor da = matmul(dy, b.transpose(-1, -2));  // [.., m, k]
  //~ dims_counted_in_front | const Tensor da = matmul(dy, b.dim() == 2 ? b.t() : b.transpose(1, 2));
  //~ without_dy | const Tensor da = matmul(ones_like(dy), b.transpose(-1, -2));
  //~ batch_summed_first | const auto summed = [](const Tensor& x, const Tensor& shared) {
  //~ batch_summed_first |   autograd::Shape shape = shared.shape();
  //~ batch_summed_first |   shape[shape.dim() - 1] = x.size(-1);
  //~ batch_summed_first |   shape[shape.dim() - 2] = x.size(-2);
  //~ batch_summed_first |   return unbroadcast(x, shape);
  //~ batch_summed_first | };
  //~ batch_summed_first | const Tensor da = matmul(summed(dy, a), summed(b, a).transpose(-1, -2));
  const Tensor db = matmul(a.transpose(-1, -2), dy);  // [.., k, n]
  //~ dims_counted_in_front | const Tensor db = matmul(a.dim() == 2 ? a.t() : a.transpose(1, 2), dy);
  //~ without_dy | const Tensor db = matmul(a.transpose(-1, -2), ones_like(dy));
  //~ batch_summed_first | const Tensor db = matmul(summed(a, b).transpose(-1, -2), summed(dy, b));
  return {unbroadcast(da, a.shape()), unbroadcast(db, b.shape())};
  //~ batch_summed_first | return {da, db};
  //~ batch_kept | return {da, db};
  //~ only_b_may_be_shared | return {da, unbroadcast(db, b.shape())};
  //~ only_a_may_be_shared | return {unbroadcast(da, a.shape()), db};
  //~ batch_mean.in_db | const Tensor sum = unbroadcast(db, b.shape());
  //~ batch_mean.in_db | return {unbroadcast(da, a.shape()), sum / static_cast<double>(db.numel() / sum.numel())};
  //~ size_one_not_summed | const auto summed = [](const Tensor& gradient, const autograd::Shape& shape) {
  //~ size_one_not_summed |   return gradient.dim() > shape.dim() ? unbroadcast(gradient, shape) : gradient;
  //~ size_one_not_summed | };
  //~ size_one_not_summed | return {summed(da, a.shape()), summed(db, b.shape())};
  //~ one_missing_dim | const auto summed = [](Tensor gradient, const autograd::Shape& shape) {
  //~ one_missing_dim |   if (gradient.dim() > shape.dim()) gradient = gradient.sum({0});
  //~ one_missing_dim |   for (int dim = 0; dim < shape.dim() - 2; ++dim) {
  //~ one_missing_dim |     if (shape[dim] == 1) gradient = gradient.sum({dim}, true);
  //~ one_missing_dim |   }
  //~ one_missing_dim |   return gradient;
  //~ one_missing_dim | };
  //~ one_missing_dim | return {summed(da, a.shape()), summed(db, b.shape())};
  //~ batch_first_only | const auto first = [](Tensor gradient, const Tensor& factor) {
  //~ batch_first_only |   while (gradient.dim() > factor.dim()) gradient = gradient.select(0, 0);
  //~ batch_first_only |   for (int dim = 0; dim < factor.dim(); ++dim) gradient = gradient.narrow(dim, 0, factor.size(dim));
  //~ batch_first_only |   return gradient;
  //~ batch_first_only | };
  //~ batch_first_only | return {first(da, a), first(db, b)};
  //~ batch_last_only | const auto last = [](Tensor gradient, const Tensor& factor) {
  //~ batch_last_only |   while (gradient.dim() > factor.dim()) gradient = gradient.select(0, -1);
  //~ batch_last_only |   for (int dim = 0; dim < factor.dim(); ++dim) {
  //~ batch_last_only |     gradient = gradient.narrow(dim, gradient.size(dim) - factor.size(dim), factor.size(dim));
  //~ batch_last_only |   }
  //~ batch_last_only |   return gradient;
  //~ batch_last_only | };
  //~ batch_last_only | return {last(da, a), last(db, b)};
  //~ batch_mean | const auto mean = [](const Tensor& gradient, const Tensor& factor) {
  //~ batch_mean |   const auto uses = static_cast<double>(gradient.numel() / factor.numel());
  //~ batch_mean |   return unbroadcast(gradient, factor.shape()) / uses;
  //~ batch_mean | };
  //~ batch_mean | return {mean(da, a), mean(db, b)};
  //]
}
