#include "examples/translate/experiments/first_word_model.h"

#include <algorithm>

namespace translate {

namespace {

constexpr autograd::DType dtype = autograd::float64;

// Returns the mean norm of the rows of x [batch, n].
double mean_row_norm(const Tensor& x) {
  return x.pow(2).sum({1}).sqrt().mean().item();
}

}  // namespace

std::string_view name(Context context) {
  constexpr std::string_view names[] = {"state only", "fixed context", "attention"};
  return names[static_cast<std::size_t>(context)];
}

FirstWordModel::FirstWordModel(const FirstWordModelOptions& given)
    : options(given),
      embedding({.num_embeddings = given.words, .embedding_dim = given.hidden_dim, .dtype = dtype}),
      encoder({.input_size = given.hidden_dim, .hidden_size = given.hidden_dim, .dtype = dtype}),
      initial({.in_features = given.hidden_dim, .out_features = given.hidden_dim, .dtype = dtype}),
      attention({.decoder_dim = given.hidden_dim, .encoder_dim = given.hidden_dim, .dtype = dtype}),
      decoder({.input_size = given.hidden_dim, .hidden_size = given.hidden_dim, .dtype = dtype}),
      output({.in_features = 2 * given.hidden_dim, .out_features = given.words, .dtype = dtype}) {
  register_module("embedding", embedding);
  register_module("encoder", encoder);
  register_module("initial", initial);
  if (options.context == Context::attention) register_module("attention", attention);
  register_module("decoder", decoder);
  register_module("output", output);
}

std::vector<Tensor> FirstWordModel::encode(const Tensor& src) const {
  const Tensor embedded = embedding(src);  // [batch, S, hidden]
  std::vector<Tensor> states;
  for (std::int64_t i = 0; i < src.size(1); ++i) {
    const autograd::StepScope step(i);
    states.push_back(encoder(embedded.select(1, i), states.empty() ? Tensor() : states.back()));
  }
  return states;
}

FirstWordModel::Output FirstWordModel::operator()(const Tensor& src, Where where) const {
  const autograd::ScopeGuard scope(name(), where);
  const std::vector<Tensor> states = encode(src);
  Tensor state = initial(states.back()).tanh();                                // s_0 [batch, hidden]
  Tensor context = autograd::zeros({src.size(0), options.hidden_dim}, dtype);  // c_t
  if (options.context == Context::fixed) context = states.back();
  nn::ProjectedKeys source;
  if (options.context == Context::attention) source = attention.precompute(autograd::stack(states, 1));
  for (std::int64_t t = 0; t < src.size(1); ++t) {
    const autograd::StepScope step(t);
    if (options.context == Context::attention) context = attention(state, source).context;
    state = decoder(context, state);
  }
  return {output(autograd::cat({state, context}, 1)), states.front()};
}

Tensor random_words(std::int64_t batch, std::int64_t length, std::int64_t words, autograd::Generator& random) {
  std::vector<std::int64_t> drawn;
  for (std::int64_t i = 0; i < batch * length; ++i) drawn.push_back(random.integer(0, words));
  return autograd::ids(drawn, {batch, length});
}

GradientNorms gradient_norms(const FirstWordModel& model, const Tensor& src) {
  const auto [logits, first_state] = model(src);
  // With the sum over the batch, each row of the gradients belongs to the loss of one sentence.
  const Tensor loss = autograd::cross_entropy(logits, src.select(1, 0), {.reduction = autograd::Reduction::sum});
  const std::vector<Tensor> gradients = autograd::grad(loss, {first_state, logits});
  return {mean_row_norm(gradients[0]), mean_row_norm(gradients[1])};
}

double first_word_accuracy(const FirstWordModel& model, const Tensor& src) {
  const autograd::NoGradGuard no_grad;
  const std::vector<double> right = (model(src).logits.argmax(1) == src.select(1, 0)).to_vector();
  return static_cast<double>(std::ranges::count(right, 1.0)) / static_cast<double>(right.size());
}

}  // namespace translate
