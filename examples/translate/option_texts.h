// Options as texts by their command-line names: how they are kept in a run's files, compared, and named in errors.
//
// A struct of options has one list of its members, each with its name, from which everything else follows (command
// line, files, comparison):
//
//   template <class Self, class Visit> static void each(Self& self, Visit&& visit) {
//     visit("dim", self.dim, "size of embeddings and states");
//     visit("dropout", self.dropout, "on embedded words");
//   }
//
//   const OptionTexts texts = texts_of(options);       {"dim": "256", "dropout": "0.3"}
//   set_options(options, texts);                       the way back
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace translate {

using OptionTexts = std::map<std::string, std::string>;

// Numbers in as many digits as it takes to read the same number again.
std::string option_text(const std::string& value);
std::string option_text(std::int64_t value);
std::string option_text(std::uint64_t value);
std::string option_text(double value);
std::string option_text(bool value);

// Each throws bad-argument, naming the option, for a text that is no such value.
void read_option(const std::string& name, const std::string& text, std::string& value);
void read_option(const std::string& name, const std::string& text, std::int64_t& value);
void read_option(const std::string& name, const std::string& text, std::uint64_t& value);
void read_option(const std::string& name, const std::string& text, double& value);
void read_option(const std::string& name, const std::string& text, bool& value);

template <class Options> OptionTexts texts_of(const Options& options) {
  OptionTexts texts;
  Options::each(
      options, [&texts](const std::string& name, const auto& value, const char*) { texts[name] = option_text(value); });
  return texts;
}

// Options without a text keep their value: those that a later version of this program has added.
template <class Options> void set_options(Options& options, const OptionTexts& texts) {
  Options::each(options, [&texts](const std::string& name, auto& value, const char*) {
    const auto found = texts.find(name);
    if (found != texts.end()) read_option(name, found->second, value);
  });
}

// Names whose texts differ, or that only one of the two has.
std::vector<std::string> different_options(const OptionTexts& a, const OptionTexts& b);
// "--dim 256 (128 there), --layers 2 (1 there)": the values in `ours`, and in brackets those in `theirs`.
std::string describe_differences(const std::vector<std::string>& names, const OptionTexts& ours,
                                 const OptionTexts& theirs);

}  // namespace translate
