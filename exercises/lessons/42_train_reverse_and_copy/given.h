// What is given in exercise 42: a small translator made of the library's parts, batches, and the functions to write.
#pragma once

#include <judge/learner.h>
#include <nn/optim/clip_grad.h>
#include <nn/optim/optimizer.h>
#include <nn/translation/seq2seq.h>

namespace given {

constexpr std::int64_t padding = 0;  // fills short words up, and is not a letter
constexpr std::int64_t bos = 1;      // the first input of the decoder
constexpr std::int64_t eos = 2;      // what it says when it is done
constexpr std::int64_t first_letter = 3;

using Letters = std::vector<std::int64_t>;

// Words, each a row of letters; int64.
struct Batch {
  Tensor source;                      // [batch, longest]
  std::vector<std::int64_t> lengths;  // of the sources: a number for each
  Tensor target_in;                   // [batch, longest + 1]: bos and the target
  Tensor target_out;                  // [batch, longest + 1]: the target and eos
};

// What the decoder gets from the encoder.
struct Source {
  nn::ProjectedKeys memory;  // keys and values of attention, made once for all steps
  Tensor mask;               // [batch, longest], true where there is a letter; undefined where that is everywhere
  Tensor state;              // [batch, hidden]: the decoder's first state
};

struct TranslatorOptions {
  std::int64_t letters = 26;
  std::int64_t embed_dim = 16;
  std::int64_t hidden_dim = 32;
  bool attention = true;  // false: the memory has one place, with the encoder's last states in it
  autograd::DType dtype = autograd::float32;
};

// The library's encoder (a GRU in both directions) and decoder (attention and a GRU), and what lies between them.
class Translator : public nn::Module {
 public:
  explicit Translator(const TranslatorOptions& given)
      : options(given),
        encoder({.vocab_size = first_letter + options.letters,
                 .embed_dim = options.embed_dim,
                 .hidden_dim = options.hidden_dim,
                 .padding_idx = padding,
                 .dtype = options.dtype}),
        decoder({.vocab_size = first_letter + options.letters,
                 .embed_dim = options.embed_dim,
                 .hidden_dim = options.hidden_dim,
                 .padding_idx = padding,
                 .dtype = options.dtype}) {
    register_module("encoder", encoder);
    register_module("decoder", decoder);
  }

  // Reads the source [batch, longest], of these lengths. Without lengths, all words are taken to be as long as the
  // longest.
  Source read(const Tensor& source, const std::vector<std::int64_t>& lengths) const {
    const auto [outputs, state] = encoder(source, lengths);  // [batch, longest, 2 hidden], [batch, hidden]
    const Tensor mask = lengths.empty() ? Tensor() : autograd::length_mask(lengths, source.size(1));
    if (options.attention) return {decoder.precompute(outputs), mask, state};
    return {decoder.precompute(last_states(outputs, lengths)), Tensor(), state};
  }

  const TranslatorOptions options;
  nn::BahdanauEncoder encoder;
  nn::BahdanauDecoder decoder;

 private:
  // The state of each direction when it has read everything: [batch, 1, 2 hidden].
  static Tensor last_states(const Tensor& outputs, const std::vector<std::int64_t>& lengths) {
    const std::int64_t hidden = outputs.size(2) / 2;
    std::vector<std::int64_t> last;
    for (std::int64_t b = 0; b < outputs.size(0); ++b) {
      const std::int64_t length = lengths.empty() ? outputs.size(1) : lengths[static_cast<std::size_t>(b)];
      last.insert(last.end(), static_cast<std::size_t>(hidden), length - 1);
    }
    const Tensor forwards = outputs.narrow(2, 0, hidden).gather(1, autograd::ids(last, {outputs.size(0), 1, hidden}));
    const Tensor backwards = outputs.narrow(1, 0, 1).narrow(2, hidden, hidden);
    return autograd::cat({forwards, backwards}, 2);
  }
};

// What the translator wrote by itself.
struct Written {
  std::vector<Letters> letters;  // of each word, without bos and eos
  Tensor weights;                // [batch, steps, longest]: where each step looked
};

constexpr double max_norm = 1.0;  // longer gradients are shortened to this

}  // namespace given

using given::Batch;
using given::bos;
using given::eos;
using given::Letters;
using given::max_norm;
using given::padding;
using given::Source;
using given::Translator;
using given::Written;

// One update of the model's parameters on one batch. Returns the loss, as it was before the update.
double train_step(const Translator& model, nn::Optimizer& optimizer, const Batch& batch);

// Writes word by word until each has its eos, or for max_steps steps. Records no graph.
// source [batch, longest], lengths: one for each row
Written greedy(const Translator& model, const Tensor& source, const std::vector<std::int64_t>& lengths,
               std::int64_t max_steps);

struct Answer {
  decltype(&::train_step) train_step;
  decltype(&::greedy) greedy;
};
