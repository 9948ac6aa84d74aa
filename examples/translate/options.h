// ModelOptions, TrainingOptions, DataOptions, SearchSettings: the options of the program.
//
// each() lists the members of a struct once, each with its name on the command line, its allowed values, and a line of
// help. All else follows from this list: the command line, the checks, the JSON in a run's files, and its comparison.
//
//   const Json json = to_json(options);       {"dim": 256, "dropout": 0.3}
//   set_options(options, json);               and back
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace translate {

// The values that an option may have: numbers from `least` to `most`, or one of `names`.
struct Allowed {
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
  const char* range = nullptr;          // what errors say in place of "it is from .. to .."
  std::vector<std::string> names = {};  // if empty, any text
};
inline Allowed one_of(std::vector<std::string> names) {
  return {.names = std::move(names)};
}
inline const Allowed anything{.least = -std::numeric_limits<double>::infinity(),
                              .most = std::numeric_limits<double>::infinity()};
inline const Allowed any_share{.least = 0.0, .most = 1.0};
inline const Allowed share_below_1{.least = 0.0, .most = 1.0 - 1e-9, .range = "it is from 0 to below 1"};
inline const Allowed positive{.least = std::numeric_limits<double>::denorm_min(),
                              .range = "it is a finite number greater than 0"};
constexpr double ten_million = 1e7;
constexpr double billion = 1e9;

// The kinds of attention, as the command line names them (nn/attention/attention_kinds.h).
Allowed kinds_of_attention();

// These options determine the names and shapes of the weights.
struct ModelOptions {
  std::string model = "attention";
  std::string attention = "additive";
  std::string cell = "gru";
  std::int64_t layers = 1;
  std::int64_t dim = 256;      // in the encoder, of each of its two directions
  std::int64_t embedding = 0;  // 0: dim
  std::int64_t heads = 4;
  double dropout = 0.3;  // in a transformer, on all sublayers
  double context_dropout = 0.0;
  double output_dropout = 0.0;
  bool input_feeding = false;
  bool conditional = false;
  std::string tying = "none";

  template <class Self, class Visit> static void each(Self& self, Visit&& visit) {
    visit("model", self.model, one_of({"attention", "vanilla", "transformer"}),
          "attention, vanilla (a fixed context) or transformer");
    visit("attention", self.attention, kinds_of_attention(), "kind of attention; a wrong name lists them");
    visit("cell", self.cell, one_of({"gru", "lstm"}), "gru or lstm");
    visit("layers", self.layers, {1, 64}, "of the encoder; of a transformer's decoder too");
    visit("dim", self.dim, {1, 16'384}, "size of embeddings, states and attention; 64 without --data");
    visit("embedding", self.embedding, {0, 16'384}, "size of the embeddings of a recurrent model; 0: --dim");
    visit("heads", self.heads, {1, 16'384}, "of a transformer; they divide --dim");
    visit("dropout", self.dropout, share_below_1, "on embedded words and between layers; 0.1 without --data");
    visit("context-dropout", self.context_dropout, share_below_1, "on what a recurrent encoder returns");
    visit("output-dropout", self.output_dropout, share_below_1, "of a recurrent model, before the output layer");
    visit("input-feeding", self.input_feeding, anything,
          "Luong's decoder: each step's output is an input of the next step");
    visit("conditional", self.conditional, anything,
          "Nematus's decoder: two transitions with attention between, and its output layer (Sennrich et al. 2017)");
    visit("tying", self.tying, one_of({"none", "target", "all"}),
          "of a transformer or a conditional decoder: the target's embedding is the output layer too, or both "
          "languages' are; all needs --bpe");
  }
};

// These options determine the values of the weights. Only they and the options of the model and the data influence the
// result.
struct TrainingOptions {
  std::int64_t epochs = 8;
  std::int64_t steps = 0;
  std::int64_t batch = 64;
  std::int64_t batch_words = 0;
  double lr = 1e-3;
  double beta2 = 0.999;
  double weight_decay = 0.0;
  std::int64_t warmup = 0;  // a transformer needs a few hundred
  std::string schedule = "constant";
  double clip = 1.0;
  double teacher_forcing = 1.0;  // nn::TeacherForcing::ratio
  double label_smoothing = 0.0;
  double coverage_loss = 0.0;
  std::int64_t average = 1;
  std::string best_by = "perplexity";
  std::int64_t patience = 0;
  std::uint64_t seed = 1;

  template <class Self, class Visit> static void each(Self& self, Visit&& visit) {
    visit("epochs", self.epochs, {1, 1e6}, "how often all sentences are seen; 6 without --data");
    visit("steps", self.steps, {0, billion}, "stop after so many updates; 0: when the epochs are over");
    visit("batch", self.batch, {1, 1e6}, "sentence pairs per update");
    visit("batch-words", self.batch_words, {0, billion},
          "words per update in place of --batch, with padding, in the longer language; 0: by sentences");
    visit("lr", self.lr, positive, "learning rate of Adam; 0.003 without --data");
    visit("beta2", self.beta2, share_below_1, "of Adam: how long it averages the squares of the gradient");
    visit("weight-decay", self.weight_decay, any_share, "of Adam: this times each weight is added to its gradient");
    visit("warmup", self.warmup, {0, billion}, "updates in which the rate grows up to --lr");
    visit("schedule", self.schedule, one_of({"constant", "inverse-sqrt"}),
          "of the learning rate after the warm-up; inverse-sqrt: --lr times the root of warmup / update");
    visit("clip", self.clip, positive, "the longest gradient; longer ones are shortened to this");
    visit("teacher-forcing", self.teacher_forcing, any_share,
          "probability of the right word as input, not the model's own");
    visit("label-smoothing", self.label_smoothing, share_below_1,
          "this share of the target is spread over all words (Szegedy et al. 2016)");
    visit("coverage-loss", self.coverage_loss, {0, 1e6, "it is from 0 to 1000000; 1 is usual"},
          "weight of the coverage loss (coverage attention)");
    visit("average", self.average, {1, 1000},
          "what is validated and kept is the mean of the weights after so many epochs (Popel and Bojar 2018)");
    visit("best-by", self.best_by, one_of({"perplexity", "bleu"}), "of the validation: chooses the model that is kept");
    visit("patience", self.patience, {0, 1e6}, "stop after so many validations without a better one; 0: never");
    visit("seed", self.seed, anything, "of weights, dropout and the order of sentences");
  }
};

// What a model is trained on: a folder (corpus.h), or the artificial language (artificial_language.h).
struct DataOptions {
  std::string data = "";  // "": the artificial language
  std::string source_language = "en";
  std::string target_language = "de";
  std::int64_t min_frequency = 2;
  std::int64_t bpe = 0;
  bool bpe_apart = false;
  std::int64_t max_words = 250;
  std::int64_t pairs = 6000;
  std::int64_t clauses = 3;
  bool no_agreement = false;
  std::uint64_t data_seed = 0;

  template <class Self, class Visit> static void each(Self& self, Visit&& visit) {
    visit("data", self.data, anything, "folder with train, val and test files; none: the artificial language");
    visit("source-language", self.source_language, anything, "end of the names of the source files");
    visit("target-language", self.target_language, anything, "end of the names of the target files");
    visit("min-frequency", self.min_frequency, {1, ten_million}, "words of a folder seen less often are <unk>");
    visit("bpe", self.bpe, {0, ten_million}, "merges of byte-pair encoding: words become pieces; 0: whole words");
    visit("bpe-apart", self.bpe_apart, anything, "each language has merges of its own, not both the same ones");
    visit("max-words", self.max_words, {0, ten_million},
          "pairs with a longer sentence are left out of training; 0: none");
    visit("pairs", self.pairs, {1, ten_million}, "of the artificial language, to train on");
    visit("clauses", self.clauses, {1, 1000}, "of a sentence of the artificial language, at most");
    visit("no-agreement", self.no_agreement, anything,
          "articles of the artificial language do not depend on their noun");
    visit("data-seed", self.data_seed, anything, "of the artificial language");
  }
};

// How a trained model searches for translations.
struct SearchSettings {
  std::int64_t beam = 1;
  double length_penalty = 1.0;
  std::int64_t batch = 64;  // fewer if they are very long; changes results by rounding only

  template <class Self, class Visit> static void each(Self& self, Visit&& visit) {
    visit("beam", self.beam, {1, 1000}, "beginnings that are followed; 1: greedy");
    visit("length-penalty", self.length_penalty, {0, 100}, "rank by log p / length^this");
    visit("batch", self.batch, {1, 1e6}, "sentences at once");
  }
};

// All throw bad-argument for a value that is not allowed, for options that do not go together, and for those that this
// model does not have.
void check_options(const ModelOptions& options);
void check_options(const TrainingOptions& options);
void check_options(const DataOptions& options);
void check_options(const SearchSettings& settings);
// Throws bad-argument for an option that is set but has no effect on these data: one for folders with the artificial
// language, or the reverse.
void check_what_fits_the_data(const DataOptions& options);

// ---- in files ------------------------------------------------------------------------------------------------------

using Json = nlohmann::json;

template <class Options> Json to_json(const Options& options) {
  Json json = Json::object();
  Options::each(options, [&json](const std::string& name, const auto& value, const Allowed&, const char*) {
    json[name] = value;
  });
  return json;
}

[[noreturn]] void refuse_value(const std::string& name, const Json& value);

// Options that are missing keep their value, so that files written before an option existed can still be read. Throws
// bad-argument for a value of another type.
template <class Options> void set_options(Options& options, const Json& json) {
  Options::each(options, [&json](const std::string& name, auto& value, const Allowed&, const char*) {
    const auto found = json.find(name);
    if (found == json.end()) return;
    try {
      found->get_to(value);
    } catch (const Json::exception&) {
      refuse_value(name, *found);
    }
  });
}

}  // namespace translate
