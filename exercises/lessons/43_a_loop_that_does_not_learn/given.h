// What is given in exercise 43: a small translator, its data, and the functions to write and to repair.
#pragma once

#include <judge/learner.h>
#include <nn/layers/dropout.h>
#include <nn/layers/embedding.h>
#include <nn/layers/gru.h>
#include <nn/layers/linear.h>
#include <nn/optim/optimizer.h>

#include <functional>

namespace given {

using autograd::Generator;

constexpr std::int64_t padding = 0;  // fills short targets up
constexpr std::int64_t bos = 1;      // the first word that the decoder is given
constexpr std::int64_t eos = 2;      // the last one that it should say

using Sentence = std::vector<std::int64_t>;

// Target i is what source i should become. All sources have the same length.
struct Data {
  std::vector<Sentence> sources;
  std::vector<Sentence> targets;
};

// int64
struct Batch {
  Tensor source;      // [batch, source steps]
  Tensor target_in;   // [batch, steps]: bos and the target
  Tensor target_out;  // [batch, steps]: the target and eos
};

// Reads a sentence into one vector, and writes another sentence from it. Its layers are its members.
struct Translator : nn::Module {
  struct Options {
    std::int64_t words = 7;  // padding, bos and eos are three of them
    std::int64_t hidden = 16;
    double dropout = 0.0;
  };
  explicit Translator(const Options& options);

  nn::Embedding source_words;
  nn::GRU encoder;  // [batch, source steps, 4] -> .state [1, batch, hidden]
  nn::Embedding target_words;
  nn::Dropout dropout;
  nn::GRU decoder;     // [batch, steps, 4], state -> .output [batch, steps, hidden]
  nn::Linear readout;  // -> [batch, steps, words]
};

// All of the data, in batches of this size.
std::vector<Batch> batches_of(const Data& data, std::size_t batch_size);
// The numbers from 0 to count - 1 in a random order.
std::vector<std::size_t> random_order(std::size_t count, Generator& random);
// The sentences in this order.
std::vector<Sentence> in_order(const std::vector<Sentence>& sentences, const std::vector<std::size_t>& order);

struct Layer {
  std::string name;  // "encoder"
  double norm = 0.0;
};

struct Plan {
  int epochs = 1;
  std::size_t batch_size = 1;
};

// A loss for each epoch.
struct History {
  std::vector<double> training;  // the mean over the epoch's batches
  std::vector<double> held_out;  // after the epoch, of sentences that it is not trained on
};

}  // namespace given

using given::Batch;
using given::batches_of;
using given::bos;
using given::Data;
using given::eos;
using given::Generator;
using given::History;
using given::in_order;
using given::Layer;
using given::padding;
using given::Plan;
using given::random_order;
using given::Sentence;
using given::Translator;

// ---- to write: three instruments ------------------------------------------------------------------------------------
// The mean loss per word of a model for which all words are equally likely.
double expected_first_loss(std::int64_t words);

// update() makes one update, always on the same batch, and returns the loss from before it. Calls it and returns the
// loss that is left after so many updates, as a share of the first loss: 1 if nothing was learned.
double left_of_one_batch(const std::function<double()>& update, int updates);

// For each layer, in the order of the parameters, the norm of the gradient of all its parameters together; 0 for those
// that have none. The name of a layer is that of its parameters up to the dot: "encoder" of "encoder.weight_ih_l0".
std::vector<Layer> gradient_norms(const nn::NamedTensors& parameters);

// ---- to repair ------------------------------------------------------------------------------------------------------
// One update on one batch, whatever gradients were there before. Returns the loss from before it, and leaves the
// batch's gradients where they are, for gradient_norms() to look at.
double train_step(const Translator& model, nn::Optimizer& optimizer, const Batch& batch);

// Trains on the data, with dropout, and in a different order in each epoch. Held-out losses are measured without
// dropout.
History train(Translator& model, nn::Optimizer& optimizer, const Data& data, const Data& held_out, const Plan& plan,
              Generator& random);

struct Answer {
  decltype(&::expected_first_loss) expected_first_loss;
  decltype(&::left_of_one_batch) left_of_one_batch;
  decltype(&::gradient_norms) gradient_norms;
  decltype(&::train_step) train_step;
  decltype(&::train) train;
};
