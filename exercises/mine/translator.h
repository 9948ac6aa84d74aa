// A translator of sentences with Bahdanau attention, and the artificial language that it learns: that of
// examples/translate, with one clause to a sentence and articles that do not depend on their noun.
#pragma once

#include <string>
#include <vector>

#include "mine/parts.h"

namespace mine {

// ---- the language --------------------------------------------------------------------------------------------------

struct Pair {
  Sentence source, target;
};
Pair draw(autograd::Generator& random);  // to train on
const std::vector<Pair>& held_out();
std::vector<std::string> source_words(const Sentence& sentence);
std::vector<std::string> target_words(const Sentence& sentence);

struct Batch {
  Tensor source;  // [batch, source] ids
  Tensor mask;    // [batch, source], true where there is a word
  Lengths lengths;
  Targets targets;
};
Batch batch_of(const std::vector<Pair>& pairs);

// ---- the translator ------------------------------------------------------------------------------------------------

class Translator {
 public:
  Translator();

  // The same loss twice: once made of small ops and the decoder's steps, once of whole layers. Their mean.
  Tensor loss(const Batch& batch) const;
  // Reads the sources: what decodes them, step by step, and the state that it begins with.
  struct Start {
    Stepper stepper;
    Tensor state;
  };
  Start begin(const Batch& batch) const;

  const std::vector<std::string>& names() const { return names_; }
  const Tensors& parameters() const { return parameters_; }

 private:
  Tensor parameter(const std::string& name, const Shape& shape);
  RnnWeights recurrent(const std::string& name);
  Tensor read_by_ops(const Batch& batch) const;
  Tensor read(const Batch& batch) const;
  Tensor first_state(const Tensor& H, const Batch& batch) const;
  Tensor loss_by_layers(const Batch& batch) const;

  std::vector<std::string> names_;
  Tensors parameters_;
  Tensor source_embedding_;
  RnnWeights right_, left_;
  Tensor first_state_, target_embedding_;
  Tensor W_, U_, v_, weight_ih_, weight_hh_;
  Tensor readout_, readout_bias_;
};

// The decoder by itself, each step being given the word that the one before said.
struct Said {
  Tensor words;    // [batch, steps] ids
  Tensor weights;  // [batch, steps, source]
};
Said say(const Stepper& stepper, const Tensor& state, std::int64_t steps);

}  // namespace mine
