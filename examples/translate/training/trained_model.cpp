#include "examples/translate/training/trained_model.h"

#include <fmt/core.h>
#include <nn/saving/checkpoint.h>
#include <nn/translation/recurrent_translator.h>
#include <nn/translation/transformer_translator.h>

#include "examples/translate/messages.h"

namespace translate {
namespace {

constexpr const char* kind = "trained model";

nn::TransformerTranslatorOptions transformer_options(const TrainedModel& model) {
  const ModelOptions& options = model.options;
  return {.source_vocab = model.source.size(),
          .target_vocab = model.target.size(),
          .d_model = options.dim,
          .nhead = options.heads,
          .num_encoder_layers = options.layers,
          .num_decoder_layers = options.layers,
          .dim_feedforward = 2 * options.dim,
          .dropout = options.dropout,
          .norm_first = true,
          .padding_idx = nn::Vocabulary::pad};
}

// With hierarchical attention, the full stop ends a segment.
nn::RecurrentTranslatorOptions recurrent_options(const TrainedModel& model) {
  const ModelOptions& options = model.options;
  nn::RecurrentTranslatorOptions recurrent{
      .source_vocab = model.source.size(),
      .target_vocab = model.target.size(),
      .embed_dim = options.dim,
      .hidden_dim = options.dim,
      .n_layers = options.layers,
      .cell = options.cell == "lstm" ? nn::RecurrentKind::lstm : nn::RecurrentKind::gru,
      .attention = options.model == "vanilla" ? "none" : options.attention,
      .order = options.input_feeding ? nn::DecoderOrder::luong : nn::DecoderOrder::bahdanau,
      .dropout = options.dropout,
      .padding_idx = nn::Vocabulary::pad};
  const bool has_segments = options.attention == "hierarchical" && model.source.contains(".");
  if (has_segments) recurrent.separator = model.source.id(".");
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

}  // namespace

TrainedModel new_model(const ModelOptions& options, const DataOptions& data, const Corpus& corpus) {
  const std::int64_t min_frequency = data.data.empty() ? 1 : data.min_frequency;
  TrainedModel model{.options = options,
                     .data = data,
                     .source = nn::Vocabulary(side_of(corpus.train, &SentencePair::source), min_frequency),
                     .target = nn::Vocabulary(side_of(corpus.train, &SentencePair::target), min_frequency)};
  check_knows_words(model.source, corpus.source_language, min_frequency);
  check_knows_words(model.target, corpus.target_language, min_frequency);
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
  nn::save_checkpoint(path, kind,
                      {model.model->state_dict(),
                       {{"options", options.dump()},
                        {"vocabulary.source", model.source.to_json()},
                        {"vocabulary.target", model.target.to_json()}}});
}

TrainedModel load_model(const std::string& path) {
  const nn::Checkpoint file = nn::load_checkpoint(path, kind);
  const Json options = json_in(file.texts, path);
  TrainedModel model;
  set_options(model.options, options);
  set_options(model.data, options);
  model.source = nn::Vocabulary::from_json(text_in(file.texts, "vocabulary.source", path), path);
  model.target = nn::Vocabulary::from_json(text_in(file.texts, "vocabulary.target", path), path);
  model = with_weights(std::move(model));
  model.model->load_state_dict(file.tensors);
  model.model->eval();
  return model;
}

}  // namespace translate
