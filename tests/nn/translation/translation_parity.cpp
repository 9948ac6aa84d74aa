// The first updates of a training beside PyTorch's, from the same weights on the same batches. Not a test: it needs the
// two files that translation_parity.py makes of a PyTorch program and real sentences.
//
//   translation_parity WEIGHTS.safetensors BATCHES.json
//
// Prints both losses of each update; the exit code is 1 if they differ by more than 1e-4 of PyTorch's.
#include <fmt/core.h>
#include <nn/optim/adam.h>
#include <nn/optim/clip_grad.h>
#include <nn/saving/safetensors.h>
#include <nn/translation/recurrent_translator.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>

using autograd::Tensor;
using Json = nlohmann::json;

namespace {

constexpr double tolerance = 1e-4;

// [[1, 2], [3, 4]]
Tensor ids(const Json& rows) {
  std::vector<std::int64_t> all;
  for (const Json& row : rows) {
    for (const std::int64_t id : row) all.push_back(id);
  }
  return autograd::ids(all, {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size())});
}

struct Update {
  double loss;
  double norm;
};

Update update(const nn::RecurrentTranslator& model, nn::Adam& adam, const Json& batch) {
  const auto lengths = batch["src_lengths"].get<std::vector<std::int64_t>>();
  const Tensor logits = model(ids(batch["src"]), lengths, ids(batch["tgt_in"])).logits;
  const Tensor words = ids(batch["tgt_out"]).flatten();
  const Tensor loss = autograd::cross_entropy(logits.flatten(0, 1), words, {.ignore_index = 0});
  adam.zero_grad();
  loss.backward({.release_graph = true});
  const double norm = nn::clip_grad_norm_(model.parameters(), 1.0);
  adam.step();
  return {loss.item(), norm};
}

double relative_difference(double ours, double theirs) {
  return std::abs(ours - theirs) / std::abs(theirs);
}

// The largest relative difference of the losses.
double compare(const Json& run, const nn::StateDict& weights) {
  const nn::RecurrentTranslator model({.source_vocab = run["source_vocab"].get<std::int64_t>(),
                                       .target_vocab = run["target_vocab"].get<std::int64_t>(),
                                       .attention = run["attention"]});
  model.load_state_dict(weights);
  nn::Adam adam(model.parameters());
  fmt::print("{} parameters\n", model.num_parameters());
  fmt::print("update      loss   PyTorch's  difference   gradient's norm   seconds\n");
  double largest = 0.0;
  for (std::size_t i = 0; i < run["batches"].size(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    const Update now = update(model, adam, run["batches"][i]);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const double difference = relative_difference(now.loss, run["losses"][i]);
    const double of_norm = relative_difference(now.norm, run["norms"][i]);
    fmt::print("{:6} {:9.6f}   {:9.6f}    {:8.1e}          {:8.1e}   {:7.2f}\n", i + 1, now.loss,
               run["losses"][i].get<double>(), difference, of_norm, seconds.count());
    const bool is_worse = !(difference <= largest);  // so written that NaN is kept
    if (is_worse) largest = difference;
  }
  return largest;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) {
    fmt::print(stderr, "usage: translation_parity WEIGHTS.safetensors BATCHES.json\n");
    return 2;
  }
  try {
    std::ifstream file(arguments[2]);
    const double largest = compare(Json::parse(file), nn::load_safetensors(arguments[1]).tensors);
    fmt::print("largest difference of the losses: {:.1e}\n", largest);
    return largest <= tolerance ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
