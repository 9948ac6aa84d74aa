//= title: Long sequences
//= part: I
//= difficulty: 3
//= minutes: 40
//= after: 21, 33
//= answer: global_cost, window_cost, chunked_context, window_context
//= mistake keys_every_step
//=   question: How often does the state of a word change while the decoder runs?
//=   because: U h_i was counted in every step, {target} times too often. The states do not change, so their
//=     projection is computed once for the sentence.
//= mistake query_for_every_word
//=   question: In one step, how many queries are there?
//=   because: W s was counted once per word. It is one vector per step; adding it to each of the projected keys is
//=     no multiplication.
//= mistake score_vector_forgotten
//=   question: How many numbers does tanh(..) give for one word, and what happens to them next?
//=   because: the product with v is missing: as many multiply-adds per word and step as there are hidden units.
//= mistake context_forgotten
//=   question: Your count ends with the weights. What is done with them?
//=   because: the weighted sum of the states is missing: one multiply-add for each number of each state, in every
//=     step.
//= mistake counted_in_32_bits
//=   question: What is the largest number that an int holds? And the cost of 2000 words?
//=   because: an int ends at 2147483647, and the text's 2000 words cost 2757 million. std::int64_t has room.
//= mistake window_of_the_radius
//=   question: Radius 2 around word 10: which words are these, and how many?
//=   because: centre - radius to centre + radius are 2 radius + 1 words.
//= mistake window_projects_per_step
//=   question: Two windows that lie side by side share most of their words. How often is each word projected?
//=   because: the words of the window were projected anew in every step. Projected once for the sentence, they
//=     serve all steps.
//= mistake window_projects_itself_only
//=   question: The windows of all steps together: which words do they look at, and which of these need their U h_i?
//=   because: only as many words were projected as one window has. Every word of the sentence is projected, once.
//= mistake window_cut_to_the_sentence
//=   question: How many words does a step look at according to the text, if the sentence is shorter than 2 radius +
//=     1?
//=   because: the cost was limited to the words that exist. The text asks for it as if there were no edges, so that
//=     it depends on radius alone.
//= mistake chunks_averaged
//=   question: One chunk holds the word that matters, the others nothing of interest. How much of your context
//=     comes from that chunk?
//=   because: a softmax was taken in each chunk and the contexts were averaged. Then every chunk counts the same,
//=     whatever its scores.
//= mistake old_sums_not_rescaled
//=   question: Which maximum was subtracted from the scores of the first chunk, and which from those of the second?
//=   because: what was summed before belongs to the old maximum. When the maximum rises, the old sums have to be
//=     multiplied by exp(old maximum - new maximum).
//= mistake only_values_rescaled
//=   premise: Your context is right up to a factor.
//=   question: Which of your two running sums follows the maximum?
//=   because: the weighted sum was rescaled, the sum of the weights was not, so the quotient is too small.
//= mistake only_total_rescaled
//=   question: Your sum of the weights follows the maximum. What does your weighted sum do when a larger score turns
//=     up?
//=   because: the sum of the weights was rescaled, the weighted sum was not, so the words before the new maximum count
//=     too much.
//= mistake rest_forgotten
//=   question: {source} words in chunks of 4: how many chunks, and how long is the last one?
//=   because: the number of chunks was rounded down, and the words after the last full chunk were never looked at.
//= mistake maximum_of_the_chunk
//=   question: The second chunk has smaller scores than the first. Which maximum is subtracted from them, and which did
//=     the first chunk's sums get?
//=   because: each chunk's own maximum was subtracted from its scores. All that is added up must have the same one:
//=     the largest so far, which may be in an earlier chunk.
//= mistake maximum_falls
//=   question: A later chunk has much smaller scores. What is exp(old maximum - new maximum) then, if the new one is
//=     the chunk's own?
//=   because: the running maximum was replaced by a smaller one. The old sums are then multiplied by more than 1, in
//=     the end by infinity. The largest of all so far stays.
//= mistake maximum_from_zero
//=   question: What is the largest of the scores -800 and -900? And your running maximum after them?
//=   because: the running maximum begins at 0, so scores that are all far below 0 never change it, and exp makes 0 of
//=     them. Before the first word it is minus infinity.
//= mistake maximum_not_subtracted
//=   question: What is exp(1000) in double precision?
//=   because: without subtracting a maximum, large scores overflow to infinity, and infinity / infinity is NaN.
//= mistake chunk_of_padding
//=   question: All scores of a chunk are minus infinity. What is minus infinity minus minus infinity?
//=   because: in a chunk that is all padding, before any word was seen, the maximum is still minus infinity, and
//=     the difference of the two is NaN. Such a chunk adds nothing and can be left out.
//= mistake padding_ends_the_pass
//=   question: After a chunk that is nothing but padding, can there still be words?
//=   because: the first chunk of padding ended the loop. It should be skipped; the next one may have words.
//= mistake short_chunk_left_out
//=   question: {source} words in chunks of 4: how long is the last chunk?
//=   because: chunks shorter than the others were never looked at: the last one, and all words where there are fewer
//=     than a chunk has.
//= mistake all_at_once
//=   question: How many scores does your code hold at the same time?
//=   because: the numbers are right, but they were computed from all scores at once: which is what you should avoid.
//= mistake two_passes
//=   question: How often did you ask for the score of word 0?
//=   because: the largest score was looked for in a pass of its own, and every score is the expensive part: a tanh
//=     layer. One pass is enough, if the sums follow the maximum.
//= mistake right_edge_left_out
//=   question: How many words are there from centre - radius to centre + radius, both included?
//=   because: the last one is missing: the window has 2 radius + 1 words.
//= mistake window_pushed_inside
//=   question: Near the start of the sentence, is the word at centre + radius + 1 in the window?
//=   because: the window was pushed inside to keep its length. Here it is cut off at the sentence's ends.
//= mistake end_from_the_start
//=   question: Radius 2 around word 1: which is the last word of the window?
//=   because: the end was counted from the start of the window, after that had been cut off. The window ends at
//=     centre + radius, whether it begins at centre - radius or not.
//= mistake softmax_over_all
//=   question: What do the weights inside your window sum to? And how many scores did you ask for?
//=   because: the softmax was over the whole sentence, cut to the window afterwards. The weights sum to less than
//=     1, and no score was saved.
//= equal mutant: double total = 1.0;
//=   because: the first chunk with a word multiplies it by 0.
//= equal mutant: const Tensor weights = softmax(score(first, end - first), -0);
//=   because: scores have one dim.

#include "given.h"

std::int64_t global_cost(const Sizes& sizes) {
  //[
  //- // TODO: what is done once per sentence, once per step, and once per step and word.
  //- todo("global_cost: multiply-adds of one sentence");
  const std::int64_t once = sizes.source * sizes.attention * sizes.encoder;  // U h_i
  const std::int64_t query = sizes.attention * sizes.decoder;                // W s
  //~ query_for_every_word | const std::int64_t query = sizes.source * sizes.attention * sizes.decoder;
  const std::int64_t scores = sizes.source * sizes.attention;  // v . tanh(..)
  //~ score_vector_forgotten | const std::int64_t scores = 0;
  const std::int64_t context = sizes.source * sizes.encoder;
  //~ context_forgotten | const std::int64_t context = 0;
  return once + sizes.target * (query + scores + context);
  //~ counted_in_32_bits | return static_cast<std::int32_t>(once + sizes.target * (query + scores + context));
  //~ keys_every_step | return sizes.target * (once + query + scores + context);
  //]
}

std::int64_t window_cost(const Sizes& sizes, std::int64_t radius) {
  //[
  //- // TODO: the same with fewer words per step.
  //- todo("window_cost: multiply-adds with a window");
  const std::int64_t words = 2 * radius + 1;
  //~ window_of_the_radius | const std::int64_t words = radius;
  //~ window_cut_to_the_sentence | const std::int64_t words = std::min(2 * radius + 1, sizes.source);
  const std::int64_t once = sizes.source * sizes.attention * sizes.encoder;
  //~ window_projects_itself_only | const std::int64_t projected = std::min(words, sizes.source);
  //~ window_projects_itself_only | const std::int64_t once = projected * sizes.attention * sizes.encoder;
  //~ window_projects_per_step | const std::int64_t once = sizes.target * words * sizes.attention * sizes.encoder;
  const std::int64_t query = sizes.attention * sizes.decoder;
  return once + sizes.target * (query + words * (sizes.attention + sizes.encoder));
  //]
}

Tensor chunked_context(const ScoreFunction& score, const Tensor& values, std::int64_t chunk) {
  //[
  //- // TODO: one pass over the chunks, with a running maximum, a running sum of exp(score - maximum), and a running
  //- // sum of the same times the values. A chunk may be all padding.
  //- // probe("total", total) after each chunk shows the running sum of exp(score - maximum) to the checker.
  //- todo("chunked_context: the context, chunk by chunk");
  const std::int64_t source = values.size(0);
  double largest = -std::numeric_limits<double>::infinity();
  //~ maximum_from_zero | double largest = 0.0;
  double total = 0.0;
  Tensor sum = autograd::zeros({values.size(1)}, autograd::float64);
  //~ chunks_averaged | Tensor sum = autograd::zeros({values.size(1)}, autograd::float64);
  //~ chunks_averaged | double chunks = 0.0;
  for (std::int64_t first = 0; first < source; first += chunk) {
    //~ rest_forgotten | for (std::int64_t first = 0; first + chunk <= source; first += chunk) {
    //~ all_at_once | chunk = source;
    //~ all_at_once | for (std::int64_t first = 0; first < source; first += chunk) {
    const std::int64_t count = std::min(chunk, source - first);
    //~ short_chunk_left_out | const std::int64_t count = chunk;
    //~ short_chunk_left_out | if (first + chunk > source) break;
    const Tensor scores = score(first, count);
    const double new_largest = std::max(largest, scores.amax().item());
    //~ maximum_not_subtracted | const double new_largest = 0.0;
    //~ maximum_falls | const double own = scores.amax().item();
    //~ maximum_falls | const double new_largest = std::isinf(own) ? largest : own;
    //~ two_passes | double new_largest = largest;
    //~ two_passes | for (std::int64_t i = 0; i < source; i += chunk) {
    //~ two_passes |   new_largest = std::max(new_largest, score(i, std::min(chunk, source - i)).amax().item());
    //~ two_passes | }
    if (std::isinf(new_largest)) continue;  // nothing but padding so far
    //~ chunk_of_padding |
    //~ padding_ends_the_pass | if (std::isinf(scores.amax().item())) break;
    const double rescale = std::exp(largest - new_largest);  // 0 for the first chunk with a word
    //~ old_sums_not_rescaled | const double rescale = 1.0;
    //~ maximum_not_subtracted | const double rescale = 1.0;
    const Tensor shares = exp(scores - new_largest);
    //~ maximum_of_the_chunk | const Tensor shares = exp(scores - scores.amax());
    //~ chunks_averaged | const Tensor shares = softmax(scores, -1);
    total = total * rescale + shares.sum().item();
    //~ only_values_rescaled | total = total + shares.sum().item();
    //~ chunks_averaged | chunks += 1.0;
    //~ chunks_averaged | total = chunks;
    sum = sum * rescale + matmul(shares, values.narrow(0, first, count));
    //~ only_total_rescaled | sum = sum + matmul(shares, values.narrow(0, first, count));
    //~ chunks_averaged | sum = sum + matmul(shares, values.narrow(0, first, count));
    largest = new_largest;
    probe("total", total);
  }
  return sum / total;
  //~ padding_ends_the_pass | return total > 0.0 ? sum / total : sum;
  //~ short_chunk_left_out | return total > 0.0 ? sum / total : sum;
  //]
}

Tensor window_context(const ScoreFunction& score, const Tensor& values, std::int64_t centre, std::int64_t radius) {
  //[
  //- // TODO: a softmax over the words of the window alone.
  //- todo("window_context: the context of a window");
  const std::int64_t first = std::max<std::int64_t>(0, centre - radius);
  const std::int64_t end = std::min(values.size(0), centre + radius + 1);
  //~ end_from_the_start | const std::int64_t end = std::min(values.size(0), first + 2 * radius + 1);
  //~ right_edge_left_out | const std::int64_t end = std::min(values.size(0), centre + radius);
  //~ window_pushed_inside 2 | const std::int64_t longest = std::min(values.size(0), 2 * radius + 1);
  //~ window_pushed_inside | const std::int64_t last_start = values.size(0) - longest;
  //~ window_pushed_inside | const std::int64_t wanted = std::max<std::int64_t>(0, centre - radius);
  //~ window_pushed_inside | const std::int64_t first = std::min(wanted, last_start);
  //~ window_pushed_inside | const std::int64_t end = first + longest;
  const Tensor weights = softmax(score(first, end - first), -1);
  //~ softmax_over_all | const Tensor weights = softmax(score(0, values.size(0)), -1).narrow(0, first, end - first);
  return matmul(weights, values.narrow(0, first, end - first));
  //]
}
