//= title: Hierarchical attention
//= part: H
//= difficulty: 3
//= minutes: 40
//= after: 37
//= answer: attention_pool, read_document, word_importance, read_document_backward
//= mistake softmax_over_batch
//=   question: Do the weights of one sentence sum to 1? Over which axis do yours?
//=   because: the softmax ran over the first axis, the {batch} documents of the batch, which have nothing to do with
//=     each other. It must run over the last one.
//= mistake tanh_forgotten
//=   question: How many layers does the network between a state and its score have?
//=   because: without the tanh, weight and context are one vector, and a score is linear in the state.
//= mistake bias_outside
//=   question: Change the bias. Do your weights change?
//=   because: a bias that is added after the tanh adds the same number to every score, and softmax sees only
//=     differences.
//= mistake mask_multiplied
//=   question: A score of 0: how much weight does that get from a softmax whose other scores are -1?
//=   because: exp(0) is 1, not 0. A score multiplied by a mask of 0 still takes part; only minus infinity does not.
//= mistake mask_after_softmax
//=   question: What do the weights of the real words of a short sentence sum to?
//=   because: the padding was cut off after the softmax had given it a share. What is left sums to less than 1.
//= mistake mean_of_weighted
//=   premise: Your vector is exactly a fraction of the right one, with the length in the denominator.
//=   question: What do the weights already sum to?
//=   because: the weights sum to 1, so the weighted sum is a mean already; `mean` divides by the length once more.
//= mistake word_mask_forgotten
//=   question: Do your word weights change when a longer sentence joins the batch?
//=   because: the words were pooled as if every position were a word.
//= mistake empty_sentences_count
//=   question: The vector of a sentence without words is 0. Is its score then minus infinity?
//=   because: the score of a zero vector is context . tanh(bias), a number like any other, so sentences that only
//=     fill the batch get weight. They need a mask of their own.
//= mistake sentence_of_its_first_place
//=   question: A sentence whose first place is masked: may a word still come after it?
//=   because: only the first place of each sentence was looked at. A sentence is empty when none of its places has a
//=     word.
//= mistake one_word_is_none
//=   question: How many words must a sentence have in order not to be empty?
//=   because: a sentence of a single word was taken for an empty one. A sentence is empty when none of its places has a
//=     word.
//= mistake sentence_guessed_from_its_vector
//=   question: The vector of a sentence without words is 0. Is a sentence whose vector is 0 always without words?
//=   because: which sentences are there was guessed from their vectors. Words whose states are 0, or cancel, make a
//=     vector of 0, too; the mask knows.
//= mistake certain_dims_only
//=   question: With states [length, hidden], which dim is `length`? And with five dims?
//=   because: the sum goes over a dim that is counted from the front, which fits 3 and 4 dims only. Counted from the
//=     end, `length` is the same dim for any number of dims.
//= mistake even_where_nothing
//=   question: All words of a sentence have the same large negative score. What does a softmax make of them?
//=   because: softmax sees differences only. With -1e9 at every place, a sentence without words gets even weights,
//=     where it should get 0. masked_softmax gives 0.
//= mistake sentences_averaged
//=   question: Which sentence has more weight than another in your document?
//=   because: the second level is an attention too. A mean over the sentences gives each the same weight.
//= mistake one_pool_for_both
//=   question: Which of the two pools did you use for the sentences?
//=   because: words and sentences are weighted by different criteria; each level has its own weights.
//= mistake importance_of_word_alone
//=   question: What does your importance sum to over a document with {sentence} sentences? What should it sum to?
//=   because: word weights sum to 1 in every sentence, so over a document to the number of its sentences. A
//=     sentence is only a part of the document: its weight is a factor.
//= mistake importance_added
//=   question: A word with weight 1 in a sentence with weight 0: how much of the document's vector is it?
//=   because: the two weights follow each other as factors: the document is the sum of beta_s (sum of alpha_sw
//=     h_sw).
//= mistake straight_down
//=   question: Which gradient did the word level get: that of the document, or that of its sentence?
//=   because: the document's gradient was handed to every sentence as its own. It goes through the sentence pool
//=     first, which shares it out.
//= mistake keys_forgotten
//=   question: A sentence vector is used twice by the second pool. What for, besides being summed?
//=   because: only the path as a value was taken, beta_s d_vector. The sentence vector also decides about its own
//=     weight.
//= mistake importance_as_gradient
//=   premise: If the weights were constants, yours would be right.
//=   question: Are the weights constants?
//=   because: importance times d_vector is the path as values through both levels. At each level the states also
//=     decide about the weights.
//= equal mutant: const Tensor sentence_mask = word_mask.sum({-1}) > 0.0;
//= equal mutant: const Tensor sentence_mask = word_mask.to(autograd::float64).mean({-1}) > 0.0;
//=   because: sum() counts where a mask is true, and a mean is above 0 where a sum is.

#include "given.h"

Pooled attention_pool(const Tensor& states, const PoolWeights& pool, const Tensor& mask) {
  //[
  //- // TODO: scores, weights, and the weighted sum. It works with any number of dims before the last two.
  //- // probe("scores", scores) shows an intermediate value to the checker.
  //- todo("attention_pool: one vector from many");
  const Tensor hidden = tanh(linear(states, pool.weight, pool.bias));  // [.., length, attention]
  //~ tanh_forgotten | const Tensor hidden = linear(states, pool.weight, pool.bias);
  //~ bias_outside | const Tensor hidden = tanh(linear(states, pool.weight)) + pool.bias;
  const Tensor scores = matmul(hidden, pool.context);  // [.., length]
  probe("scores", scores);
  const Tensor weights = masked_softmax(scores, mask);
  //~ softmax_over_batch | const Tensor turned = masked_softmax(scores.transpose(0, -1), mask.transpose(0, -1));
  //~ softmax_over_batch | const Tensor weights = turned.transpose(0, -1);
  //~ mask_multiplied | const Tensor weights = softmax(scores * mask.to(autograd::float64), -1);
  //~ mask_after_softmax | const Tensor weights = softmax(scores, -1) * mask.to(autograd::float64);
  //~ even_where_nothing | const Tensor weights = softmax(scores.masked_fill(logical_not(mask), -1e9), -1);
  return {(weights.unsqueeze(-1) * states).sum({-2}), weights};
  //~ certain_dims_only | return {(weights.unsqueeze(-1) * states).sum({states.dim() == 4 ? 2 : 1}), weights};
  //~ mean_of_weighted | return {(weights.unsqueeze(-1) * states).mean({-2}), weights};
  //]
}

Document read_document(const Tensor& states, const Tensor& word_mask, const Reader& reader) {
  //[
  //- // TODO: pool the words of each sentence, then the sentences of each document. Which sentences are there?
  //- todo("read_document: from words to sentences to one vector");
  const Pooled sentences = attention_pool(states, reader.words, word_mask);  // [batch, sentence, hidden]
  //~ word_mask_forgotten | const Pooled sentences = attention_pool(states, reader.words, word_mask == word_mask);
  const Tensor sentence_mask = word_mask.to(autograd::float64).sum({-1}) > 0.0;
  //~ empty_sentences_count | const Tensor sentence_mask = word_mask.to(autograd::float64).sum({-1}) >= 0.0;
  //~ sentence_of_its_first_place | const Tensor sentence_mask = word_mask.select(-1, 0);
  //~ one_word_is_none | const Tensor sentence_mask = word_mask.to(autograd::float64).sum({-1}) > 1.0;
  //~ sentence_guessed_from_its_vector | const Tensor sentence_mask = sentences.vector.sum({-1}) != 0.0;
  const Pooled document = attention_pool(sentences.vector, reader.sentences, sentence_mask);
  //~ one_pool_for_both | const Pooled document = attention_pool(sentences.vector, reader.words, sentence_mask);
  //~ sentences_averaged | const Tensor real = sentence_mask.to(autograd::float64);
  //~ sentences_averaged | const Tensor equal = real / real.sum({-1}, true);
  //~ sentences_averaged | const Pooled document{(equal.unsqueeze(-1) * sentences.vector).sum({-2}), equal};
  return {document.vector, sentences.weights, document.weights};
  //]
}

Tensor word_importance(const Document& document) {
  //[
  //- // TODO: the share of every word in the document's vector.
  //- todo("word_importance: the share of every word");
  return document.word_weights * document.sentence_weights.unsqueeze(-1);
  //~ importance_of_word_alone | return document.word_weights;
  //~ importance_added | return document.word_weights + document.sentence_weights.unsqueeze(-1);
  //]
}

Tensor read_document_backward(const Tensor& d_vector, const Tensor& states, const Tensor& sentences,
                              const Tensor& word_mask, const Reader& reader) {
  //[
  //- // TODO: the way back, level by level, with given::pool_backward(d_vector, states, pool, mask).
  //- // probe("d_sentences", d_sentences) shows an intermediate value to the checker.
  //- todo("read_document_backward: the gradient of every state");
  const Tensor sentence_mask = word_mask.to(autograd::float64).sum({-1}) > 0.0;
  //~ empty_sentences_count | const Tensor sentence_mask = word_mask.to(autograd::float64).sum({-1}) >= 0.0;
  //~ sentence_of_its_first_place | const Tensor sentence_mask = word_mask.select(-1, 0);
  //~ one_word_is_none | const Tensor sentence_mask = word_mask.to(autograd::float64).sum({-1}) > 1.0;
  //~ sentence_guessed_from_its_vector | const Tensor sentence_mask = sentences.sum({-1}) != 0.0;
  const Tensor d_sentences = given::pool_backward(d_vector, sentences, reader.sentences, sentence_mask);
  //~ one_pool_for_both | const PoolWeights& pool = reader.words;
  //~ one_pool_for_both | const Tensor d_sentences = given::pool_backward(d_vector, sentences, pool, sentence_mask);
  //~ straight_down | const Tensor d_sentences = d_vector.unsqueeze(1).expand(sentences.shape());
  //~ keys_forgotten | const Tensor beta = attention_pool(sentences, reader.sentences, sentence_mask).weights;
  //~ keys_forgotten | const Tensor d_sentences = beta.unsqueeze(-1) * d_vector.unsqueeze(1);
  probe("d_sentences", d_sentences);
  return given::pool_backward(d_sentences, states, reader.words, word_mask);
  //~ importance_as_gradient | const Tensor importance = word_importance(read_document(states, word_mask, reader));
  //~ importance_as_gradient | return importance.unsqueeze(-1) * d_vector.unsqueeze(1).unsqueeze(1);
  //]
}
