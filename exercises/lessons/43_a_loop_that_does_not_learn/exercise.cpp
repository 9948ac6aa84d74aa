//= title: A loop that does not learn
//= part: F
//= difficulty: 2
//= minutes: 40
//= after: 41
//= pairs: none
//= answer: expected_first_loss, left_of_one_batch, gradient_norms, train_step, train
//= mistake no_zero_grad
//=   premise: A single update of your loop is right.
//=   question: Give your loop one batch, again and again, with a rate of 0: the gradient should be the same each time.
//=     How large is yours at the second update, and at the third?
//=   because: gradients add up until they are dropped. The second update goes along the sum of two of them, the third
//=     along that of three, and what was left from before is in all of them.
//= mistake left_in_eval_mode
//=   question: With a learning rate of 0 and all words dropped, the training loss should be the same in each epoch.
//=     Yours changes after the first. What happens to the model between two epochs?
//=   because: the held-out loss is measured in eval mode, and nobody switches back. Dropout acts in the first epoch
//=     only: model.train() belongs before each epoch's first batch.
//= mistake padding_in_the_mean
//=   question: What is the loss before the first step? What should it be with {words} words and 3 special ones that are
//=     all equally likely? And where no sentence is short?
//=   because: the losses of the real words were added up, and divided by the number of all places, padding included.
//=     The gradients shrink with it, by another factor in each batch.
//= mistake state_detached
//=   question: Look at the gradients by layer: which of them never move? Which line lies between them and the loss?
//=   because: detach() cuts the graph between encoder and decoder: no gradient reaches what reads the source, so the
//=     decoder has to make do with what a random encoder tells it. All gradients that exist are right.
//= mistake shuffled_apart
//=   premise: On one batch your loop learns.
//=   question: Look at what goes into the model. Which target does a source have after your shuffling, and which one
//=     before?
//=   because: sources and targets were each put into an order of their own. What a batch holds can still be learned by
//=     heart, but it is not what the data say, and none of it holds for held-out sentences.
//= mistake zeroed_before_the_step
//=   question: Give your loop one batch, again and again: the loss does not move at all. What does step() find?
//=   because: the gradients were dropped after backward() had made them and before step() could use them.
//= mistake zeroed_at_the_end
//=   question: Suppose that gradients were computed before your first update. Where are they when backward() adds to
//=     them?
//=   because: the gradients are dropped after the update. The first update has those from before it as well; and after
//=     each update there are no gradients left to look at.
//= mistake padding_counted
//=   question: With equally likely words your first loss is right, and with others it is not. What should the model say
//=     after the end of a short sentence, according to your loss?
//=   because: padding counts as a word to be said. Where all words are equally likely it costs as much as any other, so
//=     that the first loss does not show it.
//= mistake sum_not_mean
//=   question: What is your loss before the first step, and what is it with twice as many sentences in the batch?
//=   because: the losses were added up and not divided by the number of words. So the gradients, and the steps, grow
//=     with the batch.
//= mistake mean_over_sentences
//=   question: What is your loss before the first step, and what is it with sentences twice as long?
//=   because: the sum was divided by the number of sentences. It is the loss of a sentence, not of a word.
//= mistake mean_of_sentence_means
//=   premise: With equally likely words your first loss is right.
//=   question: Does a word of a long sentence count as much in your loss as a word of a short one?
//=   because: the mean of the sentences' means gives the words of short sentences more weight. All words and eos of
//=     the batch must have the same weight.
//= mistake eos_not_counted
//=   question: What is the loss before the first step? How many things must be said for a sentence of {words} words?
//=   because: the sum was divided by the number of words alone. eos must be said, too, and its loss is in the sum.
//= mistake source_not_handed_on
//=   question: Look at the gradients by layer: which of them never move? What does your decoder know about the source?
//=   because: the state was left out altogether, where only its detach() was wrong. The decoder begins with zeros and
//=     says the same for every source.
//= mistake decoder_detached
//=   question: Look at the gradients by layer: how many of them move?
//=   because: the cut was moved behind the decoder. Now nothing but the readout learns.
//= mistake held_out_with_dropout
//=   premise: Your training losses are right.
//=   question: In which mode should a model be when it is tested?
//=   because: the held-out loss is measured with dropout, as if words would be missing when the model is used. eval()
//=     is needed there; what was missing is the switch back.
//= mistake same_order_each_epoch
//=   premise: Your pairs stay together.
//=   question: Which sentences are in the first batch of the first epoch, and which ones are in the first batch of
//=     the second?
//=   because: without shuffling, or with one shuffling for all epochs, each epoch takes the same batches in the same
//=     order. The same sentences always come last.
//= mistake base_two
//=   question: Which logarithm is in cross_entropy?
//=   because: -log2(1/words) is the same in bits. cross_entropy takes the natural logarithm.
//= mistake not_a_loss
//=   question: What does a cross-entropy make of a probability?
//=   because: 1 / words is the probability of each word; the loss is minus its logarithm.
//= mistake one_update_too_few
//=   question: The loss that update() returns is from before its update. How many calls does it take to see the loss
//=     after the last one?
//=   because: the last loss that you asked for is the one from before the last update.
//= mistake upside_down
//=   question: Nothing is left of a loss. Is your share 0 then?
//=   because: the first loss was divided by the last one.
//= mistake difference_of_losses
//=   question: What is your share if nothing was learned?
//=   because: the difference is what was learned; what is left is the quotient.
//= mistake norms_added
//=   question: Two parameters of a layer have gradients with the norms 3 and 4: which norm do they have as one long
//=     vector?
//=   because: norms were added. It is their squares that are added, and the root is taken at the end.
//= mistake root_forgotten
//=   question: A gradient (3, 4): what is its norm?
//=   because: the squares were added up, and the root was not taken.
//= mistake norm_of_each_parameter
//=   question: How many layers does the translator have, and how many do you list?
//=   because: each parameter has a line of its own. A layer is all of its parameters together, and the eye finds one
//=     zero among five numbers faster than among twelve.
//= mistake no_gradient_left_out
//=   question: A layer gets no gradient at all. Where do you see that?
//=   because: parameters without a gradient were passed over before their layer was noted. Of all layers it is this one
//=     that you are looking for: its norm is 0.
//= equal mutant: layers.back().norm = std::hypot(norm, layers.back().norm);
//=   because: hypot(a, b) is hypot(b, a).

#include "given.h"

double expected_first_loss(std::int64_t words) {
  //[
  //- // TODO: every word has the probability 1 / words.
  //- todo("expected_first_loss: the loss of a model that knows nothing");
  return std::log(static_cast<double>(words));
  //~ base_two | return std::log2(static_cast<double>(words));
  //~ not_a_loss | return 1.0 / static_cast<double>(words);
  //]
}

double left_of_one_batch(const std::function<double()>& update, int updates) {
  //[
  //- // TODO: update() returns the loss from before its update.
  //- todo("left_of_one_batch: what is left of the loss, as a share of the first one");
  const double first = update();
  double last = first;
  for (int i = 0; i < updates; ++i) last = update();
  //~ one_update_too_few | for (int i = 1; i < updates; ++i) last = update();
  return last / first;
  //~ upside_down | return first / last;
  //~ difference_of_losses | return first - last;
  //]
}

std::vector<Layer> gradient_norms(const nn::NamedTensors& parameters) {
  //[
  //- // TODO: name.substr(0, name.find('.')) is the layer, parameter.grad() is undefined if there is none.
  //- todo("gradient_norms: how much gradient reaches each layer");
  std::vector<Layer> layers;
  for (const auto& [name, parameter] : parameters) {
    //~ no_gradient_left_out | for (const auto& [name, parameter] : parameters) {
    //~ no_gradient_left_out |   if (!parameter.grad().defined()) continue;
    const std::string layer = name.substr(0, name.find('.'));
    if (layers.empty() || layers.back().name != layer) layers.push_back({layer});
    //~ norm_of_each_parameter | layers.push_back({layer});
    if (!parameter.grad().defined()) continue;
    const double norm = parameter.grad().norm().item();
    layers.back().norm = std::hypot(layers.back().norm, norm);
    //~ norms_added | layers.back().norm += norm;
    //~ root_forgotten | layers.back().norm += norm * norm;
  }
  return layers;
  //]
}

// ---- Somebody's loop. It compiles, no shape is wrong, every derivative is right, and it does not learn: there are five
// ---- faults in it.

// What the model says: logits [batch, steps, words].
Tensor logits_of(const Translator& model, const Batch& batch) {
  const Tensor state = model.encoder(model.source_words(batch.source)).state;  // [1, batch, hidden]
  const Tensor heard = model.dropout(model.target_words(batch.target_in));     // [batch, steps, 4]
  //[
  //- return model.readout(model.decoder(heard, state.detach()).output);
  return model.readout(model.decoder(heard, state).output);
  //~ state_detached | return model.readout(model.decoder(heard, state.detach()).output);
  //~ source_not_handed_on | return model.readout(model.decoder(heard).output);
  //~ decoder_detached | return model.readout(model.decoder(heard, state).output.detach());
  //]
}

// The mean over the words and eos of all sentences.
Tensor loss_of(const Tensor& logits, const Tensor& target) {
  //[
  //- const autograd::CrossEntropyOptions real_words = {.ignore_index = padding, .reduction = autograd::Reduction::sum};
  //- const Tensor sum = cross_entropy(logits.flatten(0, 1), target.flatten(), real_words);
  //- return sum / static_cast<double>(target.numel());
  return cross_entropy(logits.flatten(0, 1), target.flatten(), {.ignore_index = padding});
  //~ padding_in_the_mean | const autograd::CrossEntropyOptions real_words = {.ignore_index = padding,
  //~ padding_in_the_mean |                                                   .reduction = autograd::Reduction::sum};
  //~ padding_in_the_mean | const Tensor sum = cross_entropy(logits.flatten(0, 1), target.flatten(), real_words);
  //~ padding_in_the_mean | return sum / static_cast<double>(target.numel());
  //~ padding_counted | return cross_entropy(logits.flatten(0, 1), target.flatten());
  //~ sum_not_mean | const autograd::CrossEntropyOptions real_words = {.ignore_index = padding,
  //~ sum_not_mean |                                                   .reduction = autograd::Reduction::sum};
  //~ sum_not_mean | return cross_entropy(logits.flatten(0, 1), target.flatten(), real_words);
  //~ mean_of_sentence_means | std::vector<Tensor> means;
  //~ mean_of_sentence_means | for (std::int64_t b = 0; b < target.size(0); ++b) {
  //~ mean_of_sentence_means |   const Tensor said = logits.select(0, b);
  //~ mean_of_sentence_means |   means.push_back(cross_entropy(said, target.select(0, b), {.ignore_index = padding}));
  //~ mean_of_sentence_means | }
  //~ mean_of_sentence_means | return autograd::stack(means, 0).mean();
  //~ eos_not_counted | const autograd::CrossEntropyOptions real_words = {.ignore_index = padding,
  //~ eos_not_counted |                                                   .reduction = autograd::Reduction::sum};
  //~ eos_not_counted | const Tensor sum = cross_entropy(logits.flatten(0, 1), target.flatten(), real_words);
  //~ eos_not_counted | return sum / (target > static_cast<double>(eos)).to(autograd::float64).sum();
  //~ mean_over_sentences | const autograd::CrossEntropyOptions real_words = {.ignore_index = padding,
  //~ mean_over_sentences |                                                   .reduction = autograd::Reduction::sum};
  //~ mean_over_sentences | const Tensor sum = cross_entropy(logits.flatten(0, 1), target.flatten(), real_words);
  //~ mean_over_sentences | return sum / static_cast<double>(target.size(0));
  //]
}

double train_step(const Translator& model, nn::Optimizer& optimizer, const Batch& batch) {
  const Tensor loss = loss_of(logits_of(model, batch), batch.target_out);
  //[
  //- loss.backward();
  //- optimizer.step();
  optimizer.zero_grad();
  //~ no_zero_grad |
  loss.backward();
  //~ zeroed_before_the_step 2 | loss.backward();
  //~ zeroed_before_the_step | optimizer.zero_grad();
  optimizer.step();
  //~ zeroed_at_the_end 3 | loss.backward();
  //~ zeroed_at_the_end | optimizer.step();
  //~ zeroed_at_the_end | optimizer.zero_grad();
  //]
  return loss.item();
}

double held_out_loss(Translator& model, const Data& data) {
  const autograd::NoGradGuard no_grad;
  model.eval();
  //~ held_out_with_dropout |
  const std::vector<Batch> all = batches_of(data, data.sources.size());
  return loss_of(logits_of(model, all[0]), all[0].target_out).item();
}

Data shuffled(const Data& data, Generator& random) {
  const std::size_t count = data.sources.size();
  //[
  //- return {in_order(data.sources, random_order(count, random)), in_order(data.targets, random_order(count, random))};
  const std::vector<std::size_t> order = random_order(count, random);
  return {in_order(data.sources, order), in_order(data.targets, order)};
  //~ shuffled_apart 2 | const std::vector<std::size_t> order = random_order(count, random);
  //~ shuffled_apart | return {in_order(data.sources, order), in_order(data.targets, random_order(count, random))};
  //~ shuffled_apart.sources_only | return {in_order(data.sources, order), data.targets};
  //~ shuffled_apart.targets_twice | return {in_order(data.sources, order), in_order(in_order(data.targets, order), order)};
  //~ same_order_each_epoch 2 | (void)count;
  //~ same_order_each_epoch | return data;
  //]
}

History train(Translator& model, nn::Optimizer& optimizer, const Data& data, const Data& held_out, const Plan& plan,
              Generator& random) {
  History history;
  for (int epoch = 0; epoch < plan.epochs; ++epoch) {
    const std::vector<Batch> batches = batches_of(shuffled(data, random), plan.batch_size);
    //[
    model.train();
    //~ left_in_eval_mode |
    //]
    double sum = 0.0;
    for (const Batch& batch : batches) sum += train_step(model, optimizer, batch);
    history.training.push_back(sum / static_cast<double>(batches.size()));
    history.held_out.push_back(held_out_loss(model, held_out));
  }
  return history;
}
