// A translator, as the training and the pictures see it; and what it is trained on.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mine/parts.h"

namespace mine {

struct Pair {
  Sentence source, target;
};

struct Batch {
  Tensor source;  // [batch, source] ids
  Tensor mask;    // [batch, source], true where there is a word
  Lengths lengths;
  Targets targets;
};
Batch batch_of(const std::vector<Pair>& pairs);

struct Parameter {
  std::string name;
  Tensor tensor;
};

class Translator {
 public:
  virtual ~Translator() = default;

  virtual Tensor loss(const Batch& batch) const = 0;
  // Reads the sources: what decodes them, and the state that it begins with.
  struct Start {
    Stepper stepper;
    Tensor state;
  };
  virtual Start begin(const Batch& batch) const = 0;

  const std::vector<Parameter>& parameters() const { return parameters_; }
  Tensors tensors() const;

 protected:
  // A new one, from -1 / sqrt(last size) to 1 / sqrt(last size).
  Tensor parameter(const std::string& name, const Shape& shape);

 private:
  std::vector<Parameter> parameters_;
};

// The decoder by itself, each step being given the word that the one before said.
struct Translation {
  std::vector<Sentence> sentences;
  Tensor weights;  // [batch, steps, source]
};
Translation translate(const Translator& translator, const Batch& batch, std::int64_t most_words);

// Something to be learnt: a translator, and pairs without end.
struct Task {
  std::string what;   // "dates"
  std::string about;  // what is read and what is written
  std::unique_ptr<Translator> translator;
  std::function<Pair(autograd::Generator& random)> draw;
  std::vector<Pair> held_out;                           // none of them is ever drawn
  std::vector<std::string> source_words, target_words;  // by id
  std::string separator;                                // between words
  std::int64_t most_words = 0;                          // of a translation
  int steps = 0;
  double learning_rate = 0.0;
};
Task dates();
Task sentences();

std::vector<std::string> labels(const std::vector<std::string>& words, const Sentence& sentence);
std::string text(const Task& task, const std::vector<std::string>& words, const Sentence& sentence);

}  // namespace mine
