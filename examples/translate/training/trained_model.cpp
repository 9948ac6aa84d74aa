#include "examples/translate/training/trained_model.h"

#include <fmt/core.h>
#include <nn/saving/checkpoint.h>
#include <nn/translation/recurrent_translator.h>
#include <nn/translation/transformer_translator.h>

#include <algorithm>

#include "examples/translate/messages.h"

namespace translate {
namespace {

constexpr const char* kind = "trained model";

nn::WeightTying tying_of(const std::string& name) {
  if (name == "target") return nn::WeightTying::target;
  return name == "all" ? nn::WeightTying::all : nn::WeightTying::none;
}

nn::DecoderOrder order_of(const ModelOptions& options) {
  if (options.conditional) return nn::DecoderOrder::conditional;
  return options.input_feeding ? nn::DecoderOrder::luong : nn::DecoderOrder::bahdanau;
}

nn::TransformerTranslatorOptions transformer_options(const TrainedModel& model) {
  const ModelOptions& options = model.options;
  return {.source_vocab = model.source.vocabulary.size(),
          .target_vocab = model.target.vocabulary.size(),
          .d_model = options.dim,
          .nhead = options.heads,
          .num_encoder_layers = options.layers,
          .num_decoder_layers = options.layers,
          .dim_feedforward = 2 * options.dim,
          .dropout = options.dropout,
          .norm_first = true,
          .tying = tying_of(options.tying),
          .padding_idx = nn::Vocabulary::pad};
}

// With hierarchical attention, the full stop ends a segment.
nn::RecurrentTranslatorOptions recurrent_options(const TrainedModel& model) {
  const ModelOptions& options = model.options;
  nn::RecurrentTranslatorOptions recurrent{
      .source_vocab = model.source.vocabulary.size(),
      .target_vocab = model.target.vocabulary.size(),
      .embed_dim = options.embedding > 0 ? options.embedding : options.dim,
      .hidden_dim = options.dim,
      .n_layers = options.layers,
      .cell = options.cell == "lstm" ? nn::RecurrentKind::lstm : nn::RecurrentKind::gru,
      .attention = options.model == "vanilla" ? "none" : options.attention,
      .order = order_of(options),
      .output = options.conditional ? nn::OutputKind::deep : nn::OutputKind::linear,
      .dropout = options.dropout,
      .context_dropout = options.context_dropout,
      .output_dropout = options.output_dropout,
      .tying = tying_of(options.tying),
      .padding_idx = nn::Vocabulary::pad};
  const bool has_segments = options.attention == "hierarchical" && model.source.vocabulary.contains(".");
  if (has_segments) recurrent.separator = model.source.vocabulary.id(".");
  return recurrent;
}

TrainedModel with_weights(TrainedModel model) {
  check_options(model.options);
  if (model.options.model == "transformer") {
    model.model = std::make_unique<nn::TransformerTranslator>(transformer_options(model));
  } else {
    model.model = std::make_unique<nn::RecurrentTranslator>(recurrent_options(model));
  }
  return model;
}

void check_knows_words(const nn::Vocabulary& vocabulary, const std::string& language, std::int64_t min_frequency) {
  if (vocabulary.num_known_words() > 0) return;
  refuse_option(fmt::format("--min-frequency is {}: no word of train.{} is seen so often", min_frequency, language),
                "give a smaller one, or more text");
}

std::string text_in(const nn::Metadata& texts, const std::string& name, const std::string& path) {
  const auto found = texts.find(name);
  if (found != texts.end()) return found->second;
  refuse_files(fmt::format("{} has no \"{}\"", path, name), "it is of another version of this program: train again");
}

std::vector<Words> both(std::vector<Words> source, const std::vector<Words>& target) {
  source.insert(source.end(), target.begin(), target.end());
  return source;
}

// Merges of both languages together spell a name that both have in the same way.
void learn_subwords(TrainedModel& model, const std::vector<Words>& source, const std::vector<Words>& target) {
  if (model.data.bpe_apart) {
    model.source.subwords = nn::BytePairEncoding::learn(source, model.data.bpe);
    model.target.subwords = nn::BytePairEncoding::learn(target, model.data.bpe);
    return;
  }
  model.source.subwords = model.target.subwords = nn::BytePairEncoding::learn(both(source, target), model.data.bpe);
}

nn::Vocabulary vocabulary_of(const std::vector<Words>& sentences, const Language& language,
                             std::int64_t min_frequency) {
  std::vector<Words> units;
  for (const Words& words : sentences) units.push_back(language.units(words));
  return nn::Vocabulary(units, min_frequency);
}

// One embedding for both languages needs one list of pieces.
void check_pieces_are_shared(const DataOptions& data) {
  if (data.bpe > 0 && !data.bpe_apart) return;
  refuse_option("--tying all is one embedding for both languages, which here are not cut into the same pieces",
                "give --bpe, without --bpe-apart, or choose --tying target");
}

void save_language(nn::Metadata& texts, const std::string& side, const Language& language) {
  texts["vocabulary." + side] = language.vocabulary.to_json();
  if (language.subwords) texts["subwords." + side] = language.subwords->to_text();
}

Language load_language(const nn::Metadata& texts, const std::string& side, const std::string& path) {
  Language language{nn::Vocabulary::from_json(text_in(texts, "vocabulary." + side, path), path)};
  const auto subwords = texts.find("subwords." + side);
  if (subwords != texts.end()) language.subwords = nn::BytePairEncoding::from_text(subwords->second, path);
  return language;
}

}  // namespace

bool Language::knows(const std::string& word) const {
  const Words parts = units({word});
  return std::ranges::all_of(parts, [this](const std::string& unit) { return vocabulary.contains(unit); });
}

Words Language::words(const std::vector<std::int64_t>& ids) const {
  const Words units = vocabulary.words(ids);
  return subwords ? nn::words_of_pieces(units) : units;
}

TrainedModel new_model(const ModelOptions& options, const DataOptions& data, const Corpus& corpus) {
  const std::int64_t min_frequency = data.data.empty() || data.bpe > 0 ? 1 : data.min_frequency;
  const std::vector<Words> source = side_of(corpus.train, &SentencePair::source);
  const std::vector<Words> target = side_of(corpus.train, &SentencePair::target);
  TrainedModel model{.options = options, .data = data};
  if (data.bpe > 0) learn_subwords(model, source, target);
  if (options.tying == "all") {
    check_pieces_are_shared(data);
    model.source.vocabulary = model.target.vocabulary = vocabulary_of(both(source, target), model.source, 1);
  } else {
    model.source.vocabulary = vocabulary_of(source, model.source, min_frequency);
    model.target.vocabulary = vocabulary_of(target, model.target, min_frequency);
  }
  check_knows_words(model.source.vocabulary, corpus.source_language, min_frequency);
  check_knows_words(model.target.vocabulary, corpus.target_language, min_frequency);
  return with_weights(std::move(model));
}

std::vector<nn::EncodedPair> encode(const ParallelText& text, const TrainedModel& model) {
  std::vector<nn::EncodedPair> pairs;
  for (const SentencePair& pair : text.pairs) {
    pairs.push_back({model.source.encode(pair.source), model.target.encode(pair.target)});
  }
  return pairs;
}

Json json_in(const nn::Metadata& texts, const std::string& path) {
  const Json json = Json::parse(text_in(texts, "options", path), nullptr, false);
  if (json.is_object()) return json;
  refuse_files(fmt::format("the options in {} are no JSON", path), "train again");
}

void save_model(const std::string& path, const TrainedModel& model) {
  Json options = to_json(model.options);
  options.update(to_json(model.data));
  nn::Metadata texts{{"options", options.dump()}};
  save_language(texts, "source", model.source);
  save_language(texts, "target", model.target);
  nn::save_checkpoint(path, kind, {model.model->state_dict(), texts});
}

TrainedModel load_model(const std::string& path) {
  const nn::Checkpoint file = nn::load_checkpoint(path, kind);
  const Json options = json_in(file.texts, path);
  TrainedModel model;
  set_options(model.options, options);
  set_options(model.data, options);
  model.source = load_language(file.texts, "source", path);
  model.target = load_language(file.texts, "target", path);
  model = with_weights(std::move(model));
  model.model->load_state_dict(file.tensors);
  model.model->eval();
  return model;
}

}  // namespace translate
