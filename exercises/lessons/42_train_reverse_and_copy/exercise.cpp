//= title: Train: reverse and copy
//= part: F
//= difficulty: 3
//= minutes: 45
//= after: 20, 41
//= fast track
//= seconds: 120
//= answer: train_step, greedy
//= mistake no_zero_grad
//=   premise: Your first update is right and the second is not.
//=   question: What do the gradients hold when the second begins?
//=   because: gradients add up until they are dropped. Your second update goes along the sum of both batches'
//=     gradients, the third along that of three.
//= mistake uphill
//=   question: Your parameters move exactly against the expected change. Should the loss rise?
//=   because: the gradient of minus the loss points downhill, and the optimiser subtracts it: so every step goes
//=     uphill.
//= mistake clipped_after_the_step
//=   question: Your change is longer than max_norm times the learning rate. When does step() read the gradients?
//=   because: step() has used the long gradient by the time it is shortened; and zero_grad() then throws the short
//=     one away. It is as if there were no clipping.
//= mistake clipped_one_by_one
//=   question: All your parameters together change too much. The norm of what should be max_norm: of each, or of all?
//=   because: each parameter is shortened by its own norm, so long ones shrink and short ones do not: the direction
//=     changes. One norm over all parameters keeps it.
//= mistake lengthened_to_max_norm
//=   question: What becomes of a gradient that is shorter than max_norm already? By how much do your parameters move
//=     then?
//=   because: max_norm is a bound. Yours is made exactly that long, a short gradient too, so that no step of training
//=     can become small where there is little left to learn.
//= mistake step_before_backward
//=   question: Your first update changes nothing. Which gradients does step() use?
//=   because: step() runs before backward(), finds no gradients and leaves everything as it is. From then on, with
//=     zero_grad() before it, it never finds any.
//= mistake padding_counted
//=   question: Your loss is not the mean over the letters and eos. What does target_out hold after a short word's
//=     end?
//=   because: padding counts as something to be said, the model learns to say it, and short words in a batch push out
//=     the long ones.
//= mistake mean_of_words
//=   question: Does a letter in your loss count as much in a long word as in a short one?
//=   because: a mean of the words' means gives a letter of a short word more weight. What is asked for is the mean
//=     over all letters and eos of the batch.
//= mistake loss_against_the_input
//=   question: Your loss asks each step for the letter that it has just been given. Which of the two targets is the
//=     one to be said?
//=   because: target_in is what the decoder hears. Repeating it is easy, and useless.
//= mistake target_out_fed
//=   question: What do you tell the decoder before it answers?
//=   because: it is given target_out, the answer itself. The loss falls to nothing, and left to itself the decoder
//=     has nobody to ask.
//= mistake lengths_forgotten
//=   question: Your loss depends on how far short words are filled up. Who tells the encoder where a word ends?
//=   because: without lengths there is no mask, padding is read like letters, and the backward direction begins in
//=     it.
//= mistake lengths_forgotten_in_greedy
//=   premise: Your training is right.
//=   question: Who tells the encoder where a short word ends when the model writes by itself?
//=   because: greedy() reads without the lengths, so there is no mask, padding is read like letters, and the backward
//=     direction begins in it.
//= mistake batch_and_time_mixed
//=   question: Your loss compares letters with targets of other words. Is the first row of your logits followed by
//=     the second step or by the second word?
//=   because: logits [batch, steps, letters] were turned into [steps, batch, letters] before flattening, and the
//=     targets were not. The sizes are the same, the order is not.
//= mistake softmax_twice
//=   premise: Your loss cannot fall far below log V, however right the model is.
//=   question: What does cross_entropy expect, logits or probabilities?
//=   because: cross_entropy takes the softmax itself. The softmax of numbers between 0 and 1 is nearly flat, and so
//=     are the gradients.
//= mistake eos_kept
//=   question: Your words end with the id 2. Is eos a letter?
//=   because: eos says that the word is finished, and is not part of it.
//= mistake writes_on_after_eos
//=   question: Some of your words are longer than they should be. What is said after a word's own eos, while others
//=     in the batch go on?
//=   because: a batch runs until its last word is done, and the finished ones go on saying something. Those letters
//=     do not count.
//= mistake stops_at_the_first_eos
//=   question: Your long words are cut off. Whose eos ends the loop?
//=   because: you stop as soon as one word of the batch has its eos; the others have not finished.
//= mistake never_done
//=   premise: Your letters are right, and your weights go on up to max_steps.
//=   question: What is there to look for when every word has had its eos?
//=   because: the loop runs max_steps times, whatever is said. The batch is done when all of its words are.
//= mistake eos_ends_nothing
//=   question: You leave eos out and go on to max_steps. What does eos say, beyond its own place?
//=   because: a word ends at its eos; all that it says afterwards is not part of it. When every word has had its eos,
//=     the batch is done.
//= mistake ends_with_one_step_of_eos
//=   premise: Your letters are right, and there are too many steps.
//=   question: When is the batch done: when all of its words say eos in the same step, or when each has said it?
//=   because: a word that has had its eos goes on saying something else while the others finish. Keep for each word
//=     whether it has ended.
//= mistake last_step_not_kept
//=   question: Your weights lack one step. At which step does the last word say eos, and did it look anywhere then?
//=   because: the loop is left before the weights of that step are kept. Saying eos is a step like the others.
//= mistake letters_of_the_first_word
//=   premise: Your first word is right, and the others are not.
//=   question: Whose letter is handed on to them?
//=   because: each of the {batch} words goes on with the letter that it said itself. You hand on that of row 0 to all.
//= mistake always_bos
//=   premise: Your first letter is right.
//=   question: What is the decoder given at the second step?
//=   because: it hears bos at every step, since the letter that it said is not handed on.
//= mistake state_not_carried
//=   premise: Your first letter is right.
//=   question: From which state does the second step start?
//=   because: every step starts from the encoder's state, so the decoder does not know how far it has come.
//= mistake mask_forgotten
//=   question: Your weights are above 0 after the end of short words. What does a decoder step need, besides the
//=     memory?
//=   because: without the mask the softmax runs over the padding as well, and its places take weight from the
//=     letters.
//= mistake graph_recorded
//=   premise: Your letters are right.
//=   question: What is recorded while they are written, and who will ask for it?
//=   because: all parameters require gradients, so every op is put on the tape and kept, for a backward() that never
//=     comes. Memory and time grow with each step.

#include "given.h"

double train_step(const Translator& model, nn::Optimizer& optimizer, const Batch& batch) {
  //[
  //- // TODO: model.read(..), model.decoder.teacher_forced(in, state, memory, mask) -> {logits, weights}, the loss over
  //- // the letters that are not padding, backward(), nn::clip_grad_norm_(model.parameters(), max_norm), step().
  //- todo("train_step: one update on one batch");
  optimizer.zero_grad();
  //~ no_zero_grad |
  const Source source = model.read(batch.source, batch.lengths);
  //~ lengths_forgotten | const Source source = model.read(batch.source, {});
  const Tensor& in = batch.target_in;
  //~ target_out_fed | const Tensor& in = batch.target_out;
  const auto [logits, weights] = model.decoder.teacher_forced(in, source.state, source.memory, source.mask);
  const Tensor said = logits.flatten(0, 1);  // [batch * steps, letters]
  //~ batch_and_time_mixed | const Tensor said = logits.transpose(0, 1).flatten(0, 1);
  //~ softmax_twice | const Tensor said = logits.flatten(0, 1).softmax(1);
  const Tensor to_be_said = batch.target_out.flatten();
  //~ loss_against_the_input | const Tensor to_be_said = batch.target_in.flatten();
  const Tensor loss = cross_entropy(said, to_be_said, {.ignore_index = padding});
  //~ mean_of_words | std::vector<Tensor> of_words;
  //~ mean_of_words | for (std::int64_t b = 0; b < logits.size(0); ++b) {
  //~ mean_of_words |   const Tensor out = batch.target_out.select(0, b);
  //~ mean_of_words |   of_words.push_back(cross_entropy(logits.select(0, b), out, {.ignore_index = padding}));
  //~ mean_of_words | }
  //~ mean_of_words | const Tensor loss = autograd::stack(of_words, 0).mean();
  //~ padding_counted | const Tensor loss = cross_entropy(said, to_be_said);
  loss.backward();
  //~ uphill | (-loss).backward();
  nn::clip_grad_norm_(model.parameters(), max_norm);
  //~ lengthened_to_max_norm | const double norm = nn::clip_grad_norm_(model.parameters(), INFINITY);
  //~ lengthened_to_max_norm | for (const Tensor& each : model.parameters()) {
  //~ lengthened_to_max_norm |   if (each.grad().defined()) each.grad().mul_(max_norm / norm);
  //~ lengthened_to_max_norm | }
  optimizer.step();
  //~ clipped_after_the_step 2 | optimizer.step();
  //~ clipped_after_the_step | nn::clip_grad_norm_(model.parameters(), max_norm);
  //~ clipped_one_by_one 2 | for (const Tensor& each : model.parameters()) nn::clip_grad_norm_({each}, max_norm);
  //~ clipped_one_by_one | optimizer.step();
  //~ step_before_backward 3 | optimizer.step();
  //~ step_before_backward | loss.backward();
  //~ step_before_backward | nn::clip_grad_norm_(model.parameters(), max_norm);
  return loss.item();
  //]
}

Written greedy(const Translator& model, const Tensor& source, const std::vector<std::int64_t>& lengths,
               std::int64_t max_steps) {
  //[
  //- // TODO: read once; then model.decoder(letters, state, memory, mask) -> {prediction, hidden, weights}, step by
  //- // step and beginning with bos. prediction.argmax(1) are the letters said; to_vector<std::int64_t>() makes plain
  //- // numbers of them. autograd::NoGradGuard keeps the tape empty.
  //- todo("greedy: what the model writes by itself");
  const autograd::NoGradGuard no_grad;
  //~ graph_recorded |
  const Source read = model.read(source, lengths);
  //~ lengths_forgotten_in_greedy | const Source read = model.read(source, {});
  const std::int64_t batch = source.size(0);
  Written written;
  written.letters.resize(static_cast<std::size_t>(batch));
  std::vector<bool> ended(written.letters.size(), false);
  std::size_t going_on = ended.size();
  std::vector<Tensor> weights;
  Tensor letters = autograd::full({batch}, static_cast<double>(bos), autograd::int64);
  Tensor state = read.state;
  for (std::int64_t t = 0; t < max_steps && going_on > 0; ++t) {
    //~ never_done | for (std::int64_t t = 0; t < max_steps; ++t) {
    //~ eos_ends_nothing | for (std::int64_t t = 0; t < max_steps; ++t) {
    //~ stops_at_the_first_eos | for (std::int64_t t = 0; t < max_steps && going_on == ended.size(); ++t) {
    const auto now = model.decoder(letters, state, read.memory, read.mask);
    //~ mask_forgotten | const auto now = model.decoder(letters, state, read.memory);
    const Tensor said = now.prediction.argmax(1);
    const std::vector<std::int64_t> ids = said.to_vector<std::int64_t>();
    for (std::size_t b = 0; b < ids.size(); ++b) {
      if (!ended[b] && ids[b] == eos) {
        ended[b] = true;
        --going_on;
        //~ eos_kept 2 | ended[b] = true;
        //~ eos_kept | written.letters[b].push_back(eos);
        //~ eos_kept | --going_on;
      }
      if (!ended[b]) written.letters[b].push_back(ids[b]);
      //~ eos_ends_nothing | if (ids[b] != eos) written.letters[b].push_back(ids[b]);
      //~ writes_on_after_eos | if (ids[b] != eos) written.letters[b].push_back(ids[b]);
    }
    weights.push_back(now.weights);
    //~ ends_with_one_step_of_eos | const auto said_eos = std::count(ids.begin(), ids.end(), eos);
    //~ ends_with_one_step_of_eos | going_on = ids.size() - static_cast<std::size_t>(said_eos);
    //~ ends_with_one_step_of_eos | weights.push_back(now.weights);
    //~ last_step_not_kept | if (going_on > 0) weights.push_back(now.weights);
    letters = said;
    //~ letters_of_the_first_word | letters = said.narrow(0, 0, 1).expand({batch}).contiguous();
    //~ always_bos |
    state = now.hidden;
    //~ state_not_carried |
  }
  written.weights = autograd::stack(weights, 1);
  return written;
  //]
}
