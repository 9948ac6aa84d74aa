//= title: Strides and views
//= part: C
//= difficulty: 2
//= minutes: 25
//= answer: row_major_strides, position, add_at, transposed, narrowed, contiguous_copy
//= mistake first_dim_innermost
//=   question: For shape [{planes}, {rows}, {columns}], along which dim are the neighbours in memory, by your
//=     strides?
//=   because: these are the strides of column-major order, where the first dim changes fastest. In row-major order
//=     the last dim has stride 1.
//= mistake own_size_counted
//=   question: Your last stride is {columns}. How many numbers lie between two neighbours of one row?
//=   because: a stride is the product of the sizes *after* the dim. Here its own size was multiplied in first.
//= mistake next_size_only
//=   premise: Your strides would be right for a matrix.
//=   question: How many numbers are in a whole plane of {rows} rows?
//=   because: each stride is the size of the next dim alone. One step along the first dim skips a plane, {rows} rows
//=     of {columns}, so the sizes after it are multiplied.
//= mistake last_size_only
//=   question: By which size do you multiply on the way from the stride of rows to the stride of planes?
//=   because: each stride is the next one times the last size, {columns}. One step along a dim skips the whole of the
//=     next dim, as many steps of it as it is long: {rows} rows for one plane.
//= mistake offset_forgotten
//=   question: Where does a view begin that leaves out the first row?
//=   because: your positions count from the start of the memory. In a view, element [0, 0, ..] is at its offset, so
//=     all positions are too small by the same number.
//= mistake views_without_offset
//=   question: Where does a view begin that leaves out the first row? And does what you narrow start from there?
//=   because: the offset of x is left out, in the positions and in what is narrowed, which may have been copied
//=     from position(). In a view, element [0, 0, ..] is at its offset.
//= mistake position_by_shape
//=   premise: Your positions are right for an array that is not a view.
//=   question: What is different about a transposed one?
//=   because: the positions come from the shape alone, as if the memory were in row-major order without gaps. The
//=     array says in its own strides how to read it.
//= mistake added_to_a_copy
//=   question: After add_at the memory is as it was before. What was the value added to?
//=   because: `std::vector<double> memory = *x.memory` copies every number. The sum goes into the copy, which is
//=     gone when the function returns. A gradient that lands on a copy of a parameter is lost in the same way.
//= mistake set_not_added
//=   question: {rows} elements of a repeated row share one place in memory. What should be there after adding to
//=     each?
//=   because: `=` keeps only what came last. The gradients of repeated elements are added up in just the way asked
//=     for here.
//= mistake transpose_shape_only
//=   premise: Your transposed array has the right shape.
//=   question: Read its first row: which numbers of x are they?
//=   because: only the sizes were exchanged. The strides say how the memory is walked, and they are still those of
//=     x.
//= mistake transpose_strides_only
//=   question: x has {rows} rows of {columns}. How many rows does your transposed array have, and how long is each?
//=   because: the strides were exchanged, but the sizes were not. Both belong to the dim: where the two sizes
//=     differ, some elements are missing and others are read from outside.
//= mistake transpose_new_strides
//=   question: Your transposed array has the strides of an array that lies row by row in memory. Did anything in
//=     x's memory move?
//=   because: a view walks the memory of x as it lies. With row-major strides of the new shape it walks it in the old
//=     order: that is a reshape. A transposed array steps along each dim as x stepped along the other.
//= mistake position_by_sizes
//=   question: One step along dim 0: how many numbers of memory is that?
//=   because: the index was multiplied by the size of its dim. The strides say how far one step goes.
//= mistake transpose_ends
//=   question: Which two dims does your function exchange when it is asked for dims 1 and 2 of three?
//=   because: the first and the last dim are exchanged, whatever was asked for. For a matrix that is the same.
//= mistake copied
//=   question: You add to an element of your result. Does x see it?
//=   because: the memory was copied. A view shares it, which is what makes it free.
//= mistake start_not_in_strides
//=   question: You skip one row of {columns} columns. How many numbers of memory do you skip?
//=   because: the offset counts numbers in memory, and `start` counts steps along the dim, each as long as its
//=     stride.
//= mistake offset_replaced
//=   question: You narrow an array that is a view already. From where is the second start counted?
//=   because: the offset was replaced, not added to, so what the first view had skipped is back.
//= mistake length_as_end
//=   question: You asked for 2 elements and got fewer. What does the last argument mean?
//=   because: `length` was taken for the position of the end, and start was subtracted from it.
//= mistake narrow_new_strides
//=   question: From the start of one row of your narrowed array, how far is it to the start of the next in memory?
//=   because: the strides were recomputed from the smaller shape. What was left out still lies between the rest: a
//=     view keeps the strides of what it was made from.
//= mistake memory_copied_as_is
//=   question: In which order do the numbers lie in your contiguous copy: in the order of x's elements, or of x's
//=     memory?
//=   because: the memory was copied from its start to its end. A transposed or narrowed array reads it in another
//=     order, and only parts of it.
//= mistake old_strides_kept
//=   premise: Your contiguous copy holds the right numbers in the right order.
//=   question: By which strides does it read them?
//=   because: the strides of x describe the old memory. The new one is in row-major order.
//= mistake old_layout_kept
//=   question: Your contiguous copy has memory of its own. By which strides does it read it, and from which offset on?
//=   because: it began as a copy of x and kept the strides and the offset, which describe the old memory. The new one
//=     is in row-major order and begins at 0.
//= mistake relabelled
//=   question: Does the contiguous copy have memory of its own?
//=   because: the old memory was given new strides, and no number was moved. Where x is a view, these are other
//=     numbers.
//= mistake offset_kept
//=   question: The new memory holds the elements of the copy and nothing else. Where in it is element [0, 0, ..]?
//=   because: the offset was taken over from x. It says where x begins in the old memory; the new one begins with the
//=     first element, at 0.
//= mistake contiguous_not_copied
//=   question: x has no gaps and is in row-major order already. You add to an element of its contiguous copy. Does x
//=     see it?
//=   because: an array that is contiguous was returned as it is, with its old memory. The exercise always asks for
//=     new memory: what is added to a copy must not arrive in x. (PyTorch's contiguous() does return x itself;
//=     clone() does not.)
//= mistake row_major_not_copied
//=   question: x is in row-major order already, maybe from an offset on. You add to an element of its contiguous
//=     copy. Does x see it?
//=   because: an array with row-major strides was returned as it is, with its old memory and its offset. The
//=     exercise always asks for new memory: what is added to a copy must not arrive in x. (PyTorch's contiguous()
//=     does return x itself; clone() does not.)
//= equal mutant: Sizes strides(shape);
//=   because: every entry is written before it is read; only the number of them counts.

#include "given.h"

Sizes row_major_strides(const Sizes& shape) {
  //[
  //- // TODO: the last dim has stride 1. What is the stride of the dim before it?
  //- todo("row_major_strides: from a shape to the strides of memory without gaps");
  Sizes strides(shape.size());
  std::int64_t step = 1;
  for (int dim = static_cast<int>(shape.size()) - 1; dim >= 0; --dim) {
    //~ first_dim_innermost | for (int dim = 0; dim < static_cast<int>(shape.size()); ++dim) {
    strides[dim] = step;
    step *= shape[dim];
    //~ next_size_only | step = shape[dim];
    //~ last_size_only | step *= shape.back();
    //~ own_size_counted 2 | step *= shape[dim];
    //~ own_size_counted | strides[dim] = step;
  }
  return strides;
  //]
}

std::int64_t position(const Array& x, const Sizes& index) {
  //[
  //- // TODO: start at the offset, and take index[dim] steps along each dim.
  //- todo("position: where in memory the element at this index is");
  std::int64_t at = x.offset;
  //~ offset_forgotten | std::int64_t at = 0;
  //~ views_without_offset | std::int64_t at = 0;
  for (std::size_t dim = 0; dim < index.size(); ++dim) at += index[dim] * x.strides[dim];
  //~ position_by_sizes | for (std::size_t dim = 0; dim < index.size(); ++dim) at += index[dim] * x.shape[dim];
  //~ position_by_shape | const Sizes strides = row_major_strides(x.shape);
  //~ position_by_shape | for (std::size_t dim = 0; dim < index.size(); ++dim) at += index[dim] * strides[dim];
  return at;
  //]
}

void add_at(const Array& x, const Sizes& index, double value) {
  //[
  //- // TODO: memory->at(i) is memory[i], checked.
  //- todo("add_at: add the value to one element");
  x.memory->at(position(x, index)) += value;
  //~ set_not_added | x.memory->at(position(x, index)) = value;
  //~ added_to_a_copy | std::vector<double> memory = *x.memory;
  //~ added_to_a_copy | memory.at(position(x, index)) += value;
  //]
}

Array transposed(const Array& x, int dim0, int dim1) {
  //[
  //- // TODO: a copy of an Array shares its memory. What must change in the copy?
  //- todo("transposed: a view with two dims exchanged");
  Array y = x;
  //~ copied | Array y = {std::make_shared<std::vector<double>>(*x.memory), x.shape, x.strides, x.offset};
  //~ copied.transposed | Array y = {std::make_shared<std::vector<double>>(*x.memory), x.shape, x.strides, x.offset};
  std::swap(y.shape[dim0], y.shape[dim1]);
  //~ transpose_ends | std::swap(y.shape.front(), y.shape.back());
  //~ transpose_strides_only |
  std::swap(y.strides[dim0], y.strides[dim1]);
  //~ transpose_ends | std::swap(y.strides.front(), y.strides.back());
  //~ transpose_shape_only |
  //~ transpose_new_strides | y.strides = row_major_strides(y.shape);
  return y;
  //]
}

Array narrowed(const Array& x, int dim, std::int64_t start, std::int64_t length) {
  //[
  //- // TODO: which of shape, strides and offset change?
  //- todo("narrowed: a view of a part along one dim");
  Array y = x;
  //~ copied | Array y = {std::make_shared<std::vector<double>>(*x.memory), x.shape, x.strides, x.offset};
  //~ copied.narrowed | Array y = {std::make_shared<std::vector<double>>(*x.memory), x.shape, x.strides, x.offset};
  y.offset += start * x.strides[dim];
  //~ start_not_in_strides | y.offset += start;
  //~ offset_replaced | y.offset = start * x.strides[dim];
  //~ views_without_offset | y.offset = start * x.strides[dim];
  y.shape[dim] = length;
  //~ length_as_end | y.shape[dim] = length - start;
  return y;
  //~ narrow_new_strides | y.strides = row_major_strides(y.shape);
  //~ narrow_new_strides | return y;
  //]
}

Array contiguous_copy(const Array& x) {
  //[
  //- // TODO: visit every index of x with next_index, in order, and put what is there into new memory.
  //- todo("contiguous_copy: the same elements in memory of their own");
  Array y{std::make_shared<std::vector<double>>(), x.shape, row_major_strides(x.shape), 0};
  //~ old_strides_kept | Array y{std::make_shared<std::vector<double>>(), x.shape, x.strides, 0};
  //~ old_layout_kept | Array y{std::make_shared<std::vector<double>>(), x.shape, x.strides, x.offset};
  //~ offset_kept | Array y{std::make_shared<std::vector<double>>(), x.shape, row_major_strides(x.shape), x.offset};
  //~ contiguous_not_copied | if (x.strides == row_major_strides(x.shape) && x.offset == 0) return x;
  //~ contiguous_not_copied | Array y{std::make_shared<std::vector<double>>(), x.shape, row_major_strides(x.shape), 0};
  //~ row_major_not_copied | if (x.strides == row_major_strides(x.shape)) return x;
  //~ row_major_not_copied | Array y{std::make_shared<std::vector<double>>(), x.shape, row_major_strides(x.shape), 0};
  Sizes index(x.shape.size(), 0);
  do {
    y.memory->push_back(x.memory->at(position(x, index)));
  } while (next_index(index, x.shape));
  //~ memory_copied_as_is 4 | *y.memory = *x.memory;
  //~ relabelled 4 | y.memory = x.memory;
  //~ relabelled | y.offset = x.offset;
  return y;
  //]
}
