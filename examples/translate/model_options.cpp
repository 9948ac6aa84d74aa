#include "examples/translate/model_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nn/attention/attention_kinds.h>
#include <nn/translation/recurrent_translator.h>
#include <nn/translation/transformer_translator.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "examples/translate/artificial_language.h"
#include "examples/translate/refuse.h"

namespace translate {
namespace {

std::string comma_separated(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

void check_one_of(const std::string& option, const std::string& value, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  refuse_option(fmt::format("--{} is \"{}\"", option, value), "choose one of " + comma_separated(known));
}

void check_probability(const std::string& option, double value) {
  if (!(0.0 <= value && value < 1.0))
    refuse_option(fmt::format("--{} is {}", option, value), "it is from 0 to below 1");
}

const std::vector<std::pair<std::string, nn::OutputKind>>& outputs() {
  static const std::vector<std::pair<std::string, nn::OutputKind>> list = {
      {"linear", nn::OutputKind::linear},
      {"state_and_context", nn::OutputKind::state_and_context},
      {"maxout", nn::OutputKind::maxout},
      {"attentional", nn::OutputKind::attentional}};
  return list;
}

nn::OutputKind output_kind(const std::string& name) {
  for (const auto& [known, kind] : outputs()) {
    if (known == name) return kind;
  }
  return nn::OutputKind::linear;  // checked before
}

std::vector<std::string> output_names() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : outputs()) names.push_back(name);
  return names;
}

// An option that is not what it is when nobody sets it, although this model does not have it.
template <class Value>
void check_unused(const ModelOptions& options, const std::string& name, const Value& value, const Value& unset) {
  if (value == unset) return;
  refuse_option(fmt::format("--{} is set, but a model \"{}\" has no such choice", name, options.model), "leave it out");
}

void check_names(const ModelOptions& options) {
  check_one_of("model", options.model, {"attention", "vanilla", "transformer"});
  check_one_of("attention", options.attention, nn::attention_kinds());
  check_one_of("cell", options.cell, {"gru", "lstm"});
  check_one_of("output", options.output, output_names());
}

void check_what_fits_the_model(const ModelOptions& options) {
  const ModelOptions unset;
  if (options.model != "attention") {
    check_unused(options, "attention", options.attention, unset.attention);
    check_unused(options, "attention-dropout", options.attention_dropout, unset.attention_dropout);
    check_unused(options, "input-feeding", options.input_feeding, unset.input_feeding);
  }
  if (options.model != "transformer") {
    check_unused(options, "heads", options.heads, unset.heads);
    return;
  }
  check_unused(options, "cell", options.cell, unset.cell);
  check_unused(options, "output", options.output, unset.output);
  if (options.dim % options.heads != 0) {
    refuse_option(fmt::format("--heads is {}, which does not divide --dim, {}", options.heads, options.dim),
                  "change one of them");
  }
}

}  // namespace

void check_model_options(const ModelOptions& options) {
  check_names(options);
  check_range("layers", options.layers, 1, 64);
  check_range("dim", options.dim, 1, 16'384);
  check_range("heads", options.heads, 1, 16'384);
  check_probability("dropout", options.dropout);
  check_probability("attention-dropout", options.attention_dropout);
  check_what_fits_the_model(options);
}

// ---- making it -----------------------------------------------------------------------------------------------

namespace {

nn::RecurrentTranslatorOptions recurrent_options(const ModelOptions& options) {
  nn::RecurrentTranslatorOptions result;
  result.embed_dim = options.dim;
  result.hidden_dim = options.dim;
  result.n_layers = options.layers;
  result.cell = options.cell == "lstm" ? nn::RecurrentKind::lstm : nn::RecurrentKind::gru;
  result.attention = options.model == "vanilla" ? "none" : options.attention;
  result.order = options.input_feeding ? nn::DecoderOrder::luong : nn::DecoderOrder::bahdanau;
  result.output = output_kind(options.output);
  result.dropout = options.dropout;
  result.attention_dropout = options.attention_dropout;
  result.padding_idx = Vocabulary::pad;
  return result;
}

nn::TransformerTranslatorOptions transformer_options(const ModelOptions& options) {
  nn::TransformerTranslatorOptions result;
  result.d_model = options.dim;
  result.nhead = options.heads;
  result.num_encoder_layers = options.layers;
  result.num_decoder_layers = options.layers;
  result.dim_feedforward = 2 * options.dim;
  result.dropout = options.dropout;
  result.norm_first = true;
  result.padding_idx = Vocabulary::pad;
  return result;
}

}  // namespace

std::unique_ptr<nn::TranslationModel> make_model(const ModelOptions& options, const Vocabulary& source,
                                                 const Vocabulary& target) {
  check_model_options(options);
  if (options.model == "transformer") {
    nn::TransformerTranslatorOptions transformer = transformer_options(options);
    transformer.source_vocab = source.size();
    transformer.target_vocab = target.size();
    return std::make_unique<nn::TransformerTranslator>(transformer);
  }
  nn::RecurrentTranslatorOptions recurrent = recurrent_options(options);
  recurrent.source_vocab = source.size();
  recurrent.target_vocab = target.size();
  const bool has_segments = options.attention == "hierarchical" && source.contains(sentence_end);
  if (has_segments) recurrent.separator = source.id(sentence_end);
  return std::make_unique<nn::RecurrentTranslator>(recurrent);
}

}  // namespace translate
