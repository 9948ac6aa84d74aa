#include "examples/translate/training/recipes.h"

#include <fmt/ranges.h>

#include <map>
#include <set>

#include "examples/translate/messages.h"

namespace translate {
namespace {

const std::map<std::string, Json>& recipes() {
  static const std::map<std::string, Json> all = {
      {"lium-gru",
       {{"bpe", 10'000},
        {"conditional", true},
        {"embedding", 128},
        {"dim", 256},
        {"dropout", 0.3},
        {"context-dropout", 0.5},
        {"output-dropout", 0.5},
        {"tying", "target"},
        {"batch", 32},
        {"lr", 4e-4},
        {"weight-decay", 1e-5},
        {"clip", 5.0},
        {"best-by", "bleu"},
        {"patience", 10},
        {"epochs", 50}}},
      {"tiny-transformer",
       {{"model", "transformer"},
        {"bpe", 10'000},
        {"layers", 4},
        {"dim", 128},
        {"heads", 4},
        {"dropout", 0.3},
        {"tying", "all"},
        {"batch-words", 4096},
        {"lr", 0.005},
        {"warmup", 2000},
        {"schedule", "inverse-sqrt"},
        {"beta2", 0.98},
        {"label-smoothing", 0.1},
        {"average", 10},
        {"best-by", "bleu"},
        {"epochs", 80},
        {"steps", 8000}}},
  };
  return all;
}

}  // namespace

std::vector<std::string> names_of_recipes() {
  std::vector<std::string> names;
  for (const auto& [name, options] : recipes()) names.push_back(name);
  return names;
}

void apply_recipe(const std::string& name, RunOptions& options) {
  const auto found = recipes().find(name);
  if (found == recipes().end()) {
    refuse_option(fmt::format("there is no recipe \"{}\"", name),
                  fmt::format("choose one of {}", fmt::join(names_of_recipes(), ", ")));
  }
  std::set<std::string>& given = options.given ? *options.given : options.given.emplace();
  Json wanted = Json::object();
  for (const auto& [option, value] : found->second.items()) {
    const bool is_new = given.insert(option).second;
    if (is_new) wanted[option] = value;
  }
  set_options(options.model, wanted);
  set_options(options.training, wanted);
  set_options(options.data, wanted);
}

}  // namespace translate
