// TrainedModel: a model with all that its use takes, in one file (nn/saving/checkpoint.h): its options and weights, the
// words that it knows, and what it was trained on.
#pragma once

#include <nn/saving/safetensors.h>
#include <nn/translation/batches.h>
#include <nn/translation/byte_pair_encoding.h>
#include <nn/translation/translation_model.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "examples/translate/data/parallel_text.h"
#include "examples/translate/options.h"

namespace translate {

// How a model reads or writes a language: by words, or by the pieces that words are made of.
struct Language {
  nn::Vocabulary vocabulary = {};
  std::optional<nn::BytePairEncoding> subwords = std::nullopt;

  Words units(const Words& words) const { return subwords ? subwords->pieces(words) : words; }
  std::vector<std::int64_t> encode(const Words& words) const { return vocabulary.encode(units(words)); }
  // Whether no unit of the word is <unk>.
  bool knows(const std::string& word) const;
  // The way back from units to words.
  Words words(const std::vector<std::int64_t>& ids) const;

  bool operator==(const Language& other) const = default;
};

struct TrainedModel {
  ModelOptions options = {};
  DataOptions data = {};
  Language source = {};
  Language target = {};
  std::unique_ptr<nn::TranslationModel> model = nullptr;
};

// Returns a new model for these data, with merges and vocabularies from corpus.train and weights from the default
// generator. It knows all pieces, and all words of the artificial language, however rare. Throws bad-argument for
// options out of range, and if no word is known.
TrainedModel new_model(const ModelOptions& options, const DataOptions& data, const Corpus& corpus);

// Returns the text in the numbers of the model's words or pieces.
std::vector<nn::EncodedPair> encode(const ParallelText& text, const TrainedModel& model);

// Returns the options in a file of this program. Throws bad-file if there are none.
Json json_in(const nn::Metadata& texts, const std::string& path);

// Throws bad-file.
void save_model(const std::string& path, const TrainedModel& model);
// Returns a model that is ready to translate (eval()). Throws bad-safetensors, and bad-file for a file of another
// version of this program.
TrainedModel load_model(const std::string& path);

}  // namespace translate
