#include "examples/translate/options.h"

#include <fmt/ranges.h>
#include <nn/attention/attention_kinds.h>

#include <algorithm>

#include "examples/translate/messages.h"

namespace translate {

Allowed kinds_of_attention() {
  return one_of(nn::attention_kinds());
}

void refuse_value(const std::string& name, const Json& value) {
  refuse_option(fmt::format("--{} is {} in the file", name, value.dump()), "train again");
}

// ---- checks --------------------------------------------------------------------------------------------------------

namespace {

void check_allowed(const std::string& name, const std::string& value, const Allowed& allowed) {
  const std::vector<std::string>& names = allowed.names;
  if (names.empty() || std::ranges::find(names, value) != names.end()) return;
  refuse_option(fmt::format("--{} is \"{}\"", name, value), fmt::format("choose one of {}", fmt::join(names, ", ")));
}

template <class Number> void check_allowed(const std::string& name, Number value, const Allowed& allowed) {
  const auto number = static_cast<double>(value);
  if (allowed.least <= number && number <= allowed.most) return;
  const std::string range = fmt::format("it is from {} to {}", allowed.least, allowed.most);
  refuse_option(fmt::format("--{} is {}", name, value), allowed.range ? allowed.range : range);
}

template <class Options> void check_members(const Options& options) {
  Options::each(options, [](const std::string& name, const auto& value, const Allowed& allowed, const char*) {
    check_allowed(name, value, allowed);
  });
}

// Refuses those of the named options that do not have their default value; `why` ends the message.
template <class Options>
void check_unset(const Options& options, std::initializer_list<const char*> names, const std::string& why) {
  const Json set = to_json(options);
  const Json unset = to_json(Options());
  for (const char* name : names) {
    if (set[name] != unset[name]) refuse_option(fmt::format("--{} is set, {}", name, why), "leave it out");
  }
}

}  // namespace

void check_options(const ModelOptions& options) {
  check_members(options);
  const std::string why = fmt::format("but a model \"{}\" has no such choice", options.model);
  if (options.model != "attention") check_unset(options, {"attention", "input-feeding", "conditional"}, why);
  if (options.model != "transformer") {
    check_unset(options, {"heads"}, why);
    if (!options.conditional) check_unset(options, {"tying"}, "but only a --conditional decoder has such a choice");
    if (options.conditional) check_unset(options, {"input-feeding"}, "which is another decoder than --conditional");
    return;
  }
  check_unset(options, {"cell", "embedding", "context-dropout", "output-dropout"}, why);
  if (options.dim % options.heads != 0) {
    refuse_option(fmt::format("--heads is {}, which does not divide --dim, {}", options.heads, options.dim),
                  "change one of them");
  }
}

void check_options(const TrainingOptions& options) {
  check_members(options);
  if (options.schedule == "inverse-sqrt" && options.warmup == 0) {
    refuse_option("--schedule inverse-sqrt needs a --warmup: the rate falls from its last update on",
                  "give one; 2000 is usual for 8000 updates");
  }
}

void check_options(const DataOptions& options) {
  check_members(options);
}

void check_what_fits_the_data(const DataOptions& options) {
  if (options.data.empty()) {
    check_unset(options, {"min-frequency", "source-language", "target-language"}, "which does nothing without --data");
  } else {
    check_unset(options, {"pairs", "clauses", "no-agreement", "data-seed"},
                "which does nothing with --data: it is of the artificial language");
  }
  if (options.bpe > 0) {
    check_unset(options, {"min-frequency"}, "which does nothing with --bpe: every piece is kept");
  } else {
    check_unset(options, {"bpe-apart"}, "which does nothing without --bpe");
  }
}

void check_options(const SearchSettings& settings) {
  check_members(settings);
}

}  // namespace translate
