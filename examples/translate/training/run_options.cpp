#include "examples/translate/training/run_options.h"

#include <fmt/ranges.h>

#include <limits>

#include "examples/translate/messages.h"

namespace translate {

OptionTexts texts_of(const RunOptions& options) {
  OptionTexts texts = texts_of(options.model);
  texts.merge(texts_of(options.data));
  texts.merge(texts_of(options.training));
  return texts;
}

void check_options(const RunOptions& options) {
  check_options(options.model);
  check_options(options.data);
  check_options(options.training);
  check_range("save-every", options.save_every, 1, std::numeric_limits<std::int64_t>::max());
}

void check_new_run(const RunOptions& options) {
  check_options(options);
  check_what_fits_the_data(options.data);
  const bool has_coverage = options.model.model == "attention" && options.model.attention == "coverage";
  if (options.training.coverage_loss > 0.0 && !has_coverage) {
    refuse_option("--coverage-loss is set, but only the attention \"coverage\" has such a loss",
                  "leave it out, or add --attention coverage");
  }
}

namespace {

RunOptions with_texts(RunOptions options, const OptionTexts& texts) {
  set_options(options.model, texts);
  set_options(options.data, texts);
  set_options(options.training, texts);
  return options;
}

bool may_change(const std::string& name) {
  return name == "epochs" || name == "steps" || name == "lr" || name == "data";
}

// "--dim 6 (4 there)"
std::string difference(const std::string& name, const std::string& ours, const std::string& theirs) {
  const auto shown = [](const std::string& text) { return text.empty() ? "none" : text; };
  return fmt::format("--{} {} ({} there)", name, shown(ours), shown(theirs));
}

}  // namespace

RunOptions resumed_options(const RunOptions& wanted, const OptionTexts& of_run) {
  OptionTexts texts = texts_of(with_texts(wanted, of_run));
  std::vector<std::string> forbidden;
  for (const auto& [name, text] : texts_of(wanted)) {
    const bool is_meant = !wanted.given || wanted.given->count(name) != 0;
    if (!is_meant || text == texts.at(name)) continue;
    if (!may_change(name)) forbidden.push_back(difference(name, text, texts.at(name)));
    texts[name] = text;
  }
  if (!forbidden.empty()) {
    refuse_option(
        fmt::format("{} holds a training with other options: {}", wanted.folder.string(), fmt::join(forbidden, ", ")),
        "only --epochs, --steps, --lr may change when it is resumed");
  }
  return with_texts(wanted, texts);
}

}  // namespace translate
