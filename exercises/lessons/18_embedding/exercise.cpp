//= title: Embedding
//= part: C
//= difficulty: 2
//= minutes: 15
//= after: 15
//= answer: lookup, lookup_backward
//= not: backward, embedding, index_select, index_add, gather, scatter_add
//= mistake rows_by_position
//=   question: What decides which row of the table a token gets: its position, or its id?
//=   because: the rows were taken in order, one for each position. The id says which row it is.
//= mistake ids_from_one
//=   question: Which row of the table belongs to id 0?
//=   because: 1 was subtracted from the ids. They count from 0, so every token got the row before its own, and id 0
//=     the last one.
//= mistake sentences_interleaved
//=   question: ids [{batch}, {time}] read row by row: which token comes after the first one, its neighbour in the
//=     sentence or the first token of the next sentence?
//=   because: the list of rows was cut as if the batch changed fastest. The last dim changes fastest: whole
//=     sentences, one after the other.
//= mistake repeats_overwritten
//=   question: One id occurs several times. How many of its occurrences are in your gradient?
//=   because: each occurrence overwrote the one before it. The row was used several times, and its uses add up.
//= mistake rows_share_one_tensor
//=   question: How many different tensors do the rows in your list stand for?
//=   because: one. A Tensor is a handle, and the list has n handles on the same tensor: add_ on one changes all of
//=     them, so every row of your gradient is the same. rows.at(i) = rows.at(i) + .. puts a new tensor into that
//=     place.
//= mistake first_use_only
//=   question: What happens in your loop when an id comes for the second time?
//=   because: only the first occurrence of each id counted. All of them used the row.
//= mistake once_per_sentence
//=   question: What happens in your loop when an id comes for the second time in the same sentence?
//=   because: each id counted once per sentence. A word that appears twice in a sentence used its row twice.
//= mistake gradient_by_position
//=   question: The gradient at position 3 goes to which row of the table?
//=   because: it was added to the row with the number of the position. It belongs to the row with the number of the
//=     id that stands there.
//= mistake divided_by_count
//=   question: A word that occurs three times gets three gradients. What do you do with the three?
//=   because: they were averaged. If the row moves, all three uses move with it, so their gradients are added.
//= mistake mean_over_tokens
//=   question: Your gradient is 1/(the number of tokens) of the true one. Where does a division come from?
//=   because: if the loss is a mean, its division has already arrived inside dy. The lookup itself divides nothing.
//= mistake padding_is_always_zero
//=   question: Where the padding is id 3, which rows of your dw are zero?
//=   because: the row of id 0 was left out whatever padding_idx is, or all rows up to the padding's row. Both are
//=     right where it is 0. Which id stands for padding is the vocabulary's choice.
//= mistake padding_trained
//=   question: Which row of the table is there only to fill up short sentences, and what is its gradient in your dw?
//=   because: dy was added for padding as well. That row stands for no word, and must not be trained.
//= mistake padding_by_product
//=   premise: Your dw is right, but it has NaN as soon as dy has NaN at the padding.
//=   question: What is NaN times 0?
//=   because: what came from the padding was multiplied by 0, and 0 times NaN is NaN. Do not add what should be
//=     left out, or replace it with masked_fill or where.
//= mistake stops_at_padding
//=   question: What does your loop do with the sentences after the first one that is filled up with padding?
//=   because: the loop ended at the first padding. The sentences after it have tokens of their own.
//= mistake first_sentence_only
//=   question: How many sentences are in the batch, and how many of them has your loop seen?
//=   because: the loop ran over {time} positions, one sentence. There are {batch} times {time}.
//= mistake dy_interleaved
//=   question: ids were read sentence by sentence. In which order did you read dy?
//=   because: dy was read time step by time step, and the ids sentence by sentence, so that most rows got the gradient
//=     of another token.
//= equal mutant: vocabulary = AT_FIRST(vocabulary);
//=   because: the rows are made by then, and their number is not used again.

#include "given.h"

Tensor lookup(const Tensor& weight, const Tensor& ids) {
  //[
  //- // TODO: ids.to_vector<std::int64_t>() is the list of ids, sentence by sentence.
  //- todo("lookup: the rows of weight, by id");
  std::vector<Tensor> rows;
  for (const std::int64_t id : ids.to_vector<std::int64_t>()) rows.push_back(weight.select(0, id));
  //~ rows_by_position | for (std::int64_t i = 0; i < ids.numel(); ++i) rows.push_back(weight.select(0, i));
  //~ ids_from_one | for (const double id : ids.to_vector()) {
  //~ ids_from_one |   rows.push_back(weight.select(0, static_cast<std::int64_t>(id) - 1));
  //~ ids_from_one | }
  const Tensor y = autograd::stack(rows);  // [batch * time, features]
  return y.reshape({ids.size(0), ids.size(1), weight.size(1)});
  //~ sentences_interleaved | return y.reshape({ids.size(1), ids.size(0), weight.size(1)}).transpose(0, 1);
  //]
}

Tensor lookup_backward(const Tensor& dy, const Tensor& ids, std::int64_t vocabulary, std::int64_t padding_idx) {
  // dw, row by row: one tensor [features] for each id.
  std::vector<Tensor> rows(static_cast<std::size_t>(vocabulary), autograd::zeros({dy.size(2)}, dy.dtype()));
  //[
  //- // TODO: dy.reshape({ids.numel(), dy.size(2)}) has one row for each token. To which row of dw does it belong?
  //- todo("lookup_backward: dw, the gradient of the table");
  const std::vector<std::int64_t> list = ids.to_vector<std::int64_t>();
  const Tensor tokens = dy.reshape({ids.numel(), dy.size(2)});
  //~ dy_interleaved | const Tensor tokens = dy.transpose(0, 1).reshape({ids.numel(), dy.size(2)});
  for (std::int64_t i = 0; i < ids.numel(); ++i) {
    //~ first_sentence_only | for (std::int64_t i = 0; i < ids.size(1); ++i) {
    const std::int64_t id = list[i];
    if (id == padding_idx) continue;
    //~ padding_trained |
    //~ padding_by_product |
    //~ padding_is_always_zero | if (id == 0) continue;
    //~ padding_is_always_zero.all_up_to_it | if (id <= padding_idx) continue;
    //~ stops_at_padding | if (id == padding_idx) break;
    rows.at(id) = rows.at(id) + tokens.select(0, i);
    //~ padding_by_product | rows.at(id) = rows.at(id) + (id == padding_idx ? 0.0 : 1.0) * tokens.select(0, i);
    //~ rows_share_one_tensor | rows.at(id).add_(tokens.select(0, i));
    //~ repeats_overwritten | rows.at(id) = tokens.select(0, i);
    //~ gradient_by_position | rows.at(i) = rows.at(i) + tokens.select(0, i);
    //~ first_use_only | const bool seen = std::count(list.begin(), list.begin() + i, id) > 0;
    //~ first_use_only | if (!seen) rows.at(id) = rows.at(id) + tokens.select(0, i);
    //~ once_per_sentence | const auto sentence = list.begin() + i / ids.size(1) * ids.size(1);
    //~ once_per_sentence | const bool seen = std::count(sentence, list.begin() + i, id) > 0;
    //~ once_per_sentence | if (!seen) rows.at(id) = rows.at(id) + tokens.select(0, i);
    //~ divided_by_count | const auto count = static_cast<double>(std::count(list.begin(), list.end(), id));
    //~ divided_by_count | rows.at(id) = rows.at(id) + tokens.select(0, i) / count;
  }
  return autograd::stack(rows);
  //~ mean_over_tokens | return autograd::stack(rows) / static_cast<double>(ids.numel());
  //]
}
