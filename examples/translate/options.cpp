#include "examples/translate/options.h"

#include <fmt/ranges.h>
#include <nn/attention/attention_kinds.h>

#include <algorithm>
#include <charconv>

#include "examples/translate/messages.h"

namespace translate {

Allowed kinds_of_attention() {
  return one_of(nn::attention_kinds());
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
  const OptionTexts texts = texts_of(options);
  const OptionTexts unset = texts_of(Options());
  for (const char* name : names) {
    if (texts.at(name) != unset.at(name)) refuse_option(fmt::format("--{} is set, {}", name, why), "leave it out");
  }
}

}  // namespace

void check_options(const ModelOptions& options) {
  check_members(options);
  const std::string why = fmt::format("but a model \"{}\" has no such choice", options.model);
  if (options.model != "attention") check_unset(options, {"attention", "attention-dropout", "input-feeding"}, why);
  if (options.model != "transformer") {
    check_unset(options, {"heads"}, why);
    return;
  }
  check_unset(options, {"cell", "output"}, why);
  if (options.dim % options.heads != 0) {
    refuse_option(fmt::format("--heads is {}, which does not divide --dim, {}", options.heads, options.dim),
                  "change one of them");
  }
}

void check_options(const TrainingOptions& options) {
  check_members(options);
}

void check_options(const DataOptions& options) {
  check_members(options);
}

void check_what_fits_the_data(const DataOptions& options) {
  if (options.data.empty()) {
    check_unset(options, {"min-frequency", "source-language", "target-language"}, "which does nothing without --data");
  } else {
    check_unset(options, {"pairs", "clauses", "no-agreement", "documents", "data-seed"},
                "which does nothing with --data: it is of the artificial language");
  }
}

void check_options(const SearchSettings& settings) {
  check_members(settings);
  if (1 <= settings.n_best && settings.n_best <= settings.beam) return;
  refuse_option(fmt::format("--n-best is {}", settings.n_best),
                fmt::format("it is from 1 to --beam, {}", settings.beam));
}

// ---- from texts ----------------------------------------------------------------------------------------------------

void read_option(const std::string&, const std::string& text, std::string& value) {
  value = text;
}

void read_option(const std::string& name, const std::string& text, bool& value) {
  if (text != "on" && text != "off") refuse_option(fmt::format("--{} is \"{}\"", name, text), "it is on or off");
  value = text == "on";
}

template <class Number> void read_option(const std::string& name, const std::string& text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end) return;
  const char* what = std::is_floating_point_v<Number> ? "a number"
                     : std::is_signed_v<Number>       ? "a whole number of at most 18 digits"
                                                      : "a whole number from 0 to 18446744073709551615";
  refuse_option(fmt::format("--{}: \"{}\" is not {}", name, text, what), "give such a number");
}
template void read_option(const std::string&, const std::string&, std::int64_t&);
template void read_option(const std::string&, const std::string&, std::uint64_t&);
template void read_option(const std::string&, const std::string&, double&);

}  // namespace translate
