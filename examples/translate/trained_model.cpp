#include "examples/translate/trained_model.h"

#include <fmt/core.h>

#include "examples/translate/refuse.h"
#include "examples/translate/state_file.h"

namespace translate {
namespace {

constexpr const char* kind = "trained model";

TrainedModel with_weights(TrainedModel model) {
  model.model = make_model(model.options, model.source, model.target);
  return model;
}

void check_knows_words(const Vocabulary& vocabulary, const std::string& language, std::int64_t min_frequency) {
  if (vocabulary.num_known_words() > 0) return;
  refuse_option(fmt::format("--min-frequency is {}: no word of train.{} is seen so often", min_frequency, language),
                "give a smaller one, or more text");
}

std::string text_in(const nn::Metadata& texts, const std::string& name, const std::string& path) {
  const auto found = texts.find(name);
  if (found == texts.end())
    refuse_files(fmt::format("{} has no \"{}\"", path, name), "it is of another version of this program: train again");
  return found->second;
}

}  // namespace

TrainedModel new_model(const ModelOptions& options, const DataOptions& data, const Corpus& corpus) {
  const std::int64_t min_frequency = data.data.empty() ? 1 : data.min_frequency;
  TrainedModel model;
  model.options = options;
  model.data = data;
  model.source = Vocabulary::of_source(corpus.train, min_frequency);
  model.target = Vocabulary::of_target(corpus.train, min_frequency);
  check_knows_words(model.source, corpus.source_language, min_frequency);
  check_knows_words(model.target, corpus.target_language, min_frequency);
  return with_weights(std::move(model));
}

void save_model(const std::string& path, const TrainedModel& model) {
  StateFile file{model.model->state_dict(), {}};
  file.texts = texts_of(model.options);
  file.texts.merge(texts_of(model.data));
  file.texts["vocabulary.source"] = model.source.to_json();
  file.texts["vocabulary.target"] = model.target.to_json();
  if (model.update) file.texts["update"] = option_text(*model.update);
  if (model.perplexity) file.texts["validation-perplexity"] = option_text(*model.perplexity);
  save_state_file(path, kind, file);
}

TrainedModel load_model(const std::string& path) {
  const StateFile file = load_state_file(path, kind);
  TrainedModel model;
  set_options(model.options, file.texts);
  set_options(model.data, file.texts);
  model.source = Vocabulary::from_json(text_in(file.texts, "vocabulary.source", path), path);
  model.target = Vocabulary::from_json(text_in(file.texts, "vocabulary.target", path), path);
  if (file.texts.count("update") != 0) {
    read_option("update", file.texts.at("update"), model.update.emplace());
    read_option("validation-perplexity", text_in(file.texts, "validation-perplexity", path),
                model.perplexity.emplace());
  }
  model = with_weights(std::move(model));
  model.model->load_state_dict(file.tensors);
  model.model->eval();
  return model;
}

}  // namespace translate
