// What model is trained: the options of `translate train` that decide about the weights' names and shapes.
#pragma once

#include <nn/translation/translation_model.h>

#include <cstdint>
#include <memory>
#include <string>

#include "examples/translate/option_texts.h"
#include "examples/translate/vocabulary.h"

namespace translate {

struct ModelOptions {
  std::string model = "attention";     // attention, vanilla (a fixed context), transformer
  std::string attention = "additive";  // one of nn::attention_kinds(); of the model "attention" only
  std::string cell = "gru";            // gru, lstm; not of a transformer
  std::int64_t layers = 1;             // of the encoder; of a transformer's decoder too
  std::int64_t dim = 256;              // of embeddings, states (per direction in the encoder) and attention
  std::int64_t heads = 4;              // of a transformer; they divide dim
  double dropout = 0.3;                // on embedded words and between layers; of a transformer, on all sublayers
  double attention_dropout = 0.0;      // on attention weights; a transformer has `dropout` there
  bool input_feeding = false;          // Luong's order, in which each step's output is fed into the next one
  std::string output = "linear";       // linear, state_and_context, maxout, attentional (nn/translation/output_layer.h)

  template <class Self, class Visit> static void each(Self& self, Visit&& visit) {
    visit("model", self.model, "attention, vanilla (a fixed context) or transformer");
    visit("attention", self.attention, "kind of attention; a wrong name lists them");
    visit("cell", self.cell, "gru or lstm");
    visit("layers", self.layers, "of the encoder; of a transformer's decoder too");
    visit("dim", self.dim, "size of embeddings, states and attention; 64 without --data");
    visit("heads", self.heads, "of a transformer; they divide --dim");
    visit("dropout", self.dropout, "on embedded words and between layers; 0.1 without --data");
    visit("attention-dropout", self.attention_dropout, "on the weights of attention");
    visit("input-feeding", self.input_feeding, "Luong's decoder: each step's output is an input of the next step");
    visit("output", self.output, "linear, state_and_context, maxout or attentional");
  }
};

// Throws bad-argument, which lists what there is, for an unknown model, attention, cell or output, for sizes out of
// range, and for an option that this model does not have.
void check_model_options(const ModelOptions& options);

// Its weights are drawn from the default generator. Hierarchical attention takes the full stop for the end of a
// segment. Throws bad-argument as above.
std::unique_ptr<nn::TranslationModel> make_model(const ModelOptions& options, const Vocabulary& source,
                                                 const Vocabulary& target);

}  // namespace translate
