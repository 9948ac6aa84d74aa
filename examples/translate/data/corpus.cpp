#include "examples/translate/data/corpus.h"

#include <fmt/ranges.h>
#include <nn/measures/tokenizer_13a.h>
#include <nn/saving/fingerprint.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>

#include "examples/translate/data/artificial_language.h"
#include "examples/translate/data/text.h"
#include "examples/translate/messages.h"

namespace translate {
namespace {

// ---- alignments ----------------------------------------------------------------------------------------------

// Adds a link to the pair's alignment. `place`: the file and the line.
void add_link(SentencePair& pair, std::string_view text, const std::string& place) {
  const char* const end = text.data() + text.size();
  nn::AlignmentLink link;
  const auto [mark, source_error] = std::from_chars(text.data(), end, link.source);
  const bool has_mark = source_error == std::errc() && mark != end && (*mark == '-' || *mark == 'p');
  const auto [rest, target_error] = std::from_chars(has_mark ? mark + 1 : end, end, link.target);
  if (!has_mark || target_error != std::errc() || rest != end || link.source < 0 || link.target < 0) {
    refuse_files(fmt::format("{}: \"{}\" is not a link", place, text),
                 "write 3-5 for a sure link and 3p5 for a possible one");
  }
  if (link.source >= std::ssize(pair.source) || link.target >= std::ssize(pair.target)) {
    refuse_files(fmt::format("{}: link {} leads beyond a sentence: there are {} source and {} target words", place,
                             text, pair.source.size(), pair.target.size()),
                 "count from 0; a word is each run of letters and digits, and each other character by itself");
  }
  (*mark == '-' ? pair.gold->sure : pair.gold->possible).push_back(link);
}

// Gives the text's first pairs the alignments in the file, one per line.
void read_alignments(ParallelText& text, const std::string& path) {
  const std::vector<std::string> lines = read_lines(path);
  if (lines.size() > text.pairs.size()) {
    refuse_files(fmt::format("{} has {} lines, but {} only {} pairs", path, lines.size(), text.name, text.pairs.size()),
                 "its line k has the links of the k-th pair");
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text.pairs[i].gold.emplace();
    for (const std::string& link : nn::split_at_white_space(lines[i])) {
      add_link(text.pairs[i], link, fmt::format("{}, line {}", path, i + 1));
    }
  }
}

// ---- the files -----------------------------------------------------------------------------------------------

// Reads NAME.en, NAME.de and, if it is there, NAME.align.
ParallelText read_text(const DataOptions& place, const std::string& name) {
  const std::string path = (std::filesystem::path(place.data) / name).string() + ".";
  const std::vector<std::string> source = read_lines(path + place.source_language);
  const std::vector<std::string> target = read_lines(path + place.target_language);
  if (source.size() != target.size() || source.empty()) {
    refuse_files(fmt::format("{0}{1} has {2} lines and {0}{3} has {4}", path, place.source_language, source.size(),
                             place.target_language, target.size()),
                 "line k of the one must be the translation of line k of the other, and there must be some");
  }
  ParallelText text{.name = name};
  for (std::size_t i = 0; i < source.size(); ++i) {
    text.pairs.push_back({.source = split_words(source[i]),
                          .target = split_words(target[i]),
                          .target_line = RawLine{target[i], place.target_language},
                          .line = i + 1});
  }
  if (std::filesystem::exists(path + "align")) read_alignments(text, path + "align");
  return text;
}

// Returns "test2016" if test2016.en or test2016.de is there, and so on.
std::set<std::string> test_names(const DataOptions& place) {
  std::error_code error;
  std::filesystem::directory_iterator entries(place.data, error);
  if (error) {
    refuse_files(fmt::format("{} cannot be read as a folder: {}", place.data, error.message()),
                 "give the folder with train, val and test files");
  }
  std::set<std::string> names;
  for (const std::filesystem::directory_entry& entry : entries) {
    const std::filesystem::path file = entry.path().filename();
    const std::string end = file.extension().string();
    const bool is_side = end == "." + place.source_language || end == "." + place.target_language;
    if (file.string().starts_with("test") && is_side) names.insert(file.stem().string());
  }
  return names;
}

Corpus read_corpus(const DataOptions& place) {
  const std::set<std::string> tests = test_names(place);
  Corpus corpus{.source_language = place.source_language,
                .target_language = place.target_language,
                .train = read_text(place, "train"),
                .validation = read_text(place, "val")};
  for (const std::string& test : tests) corpus.tests.push_back(read_text(place, test));
  return corpus;
}

// Removes pairs from the training text, and says so.
template <class Unwanted> void leave_out(Corpus& corpus, const std::string& why, const Unwanted& unwanted) {
  std::vector<SentencePair>& pairs = corpus.train.pairs;
  const auto first = std::ranges::find_if(pairs, unwanted);
  if (first == pairs.end()) return;
  const std::size_t line = first->line == 0 ? static_cast<std::size_t>(first - pairs.begin()) + 1 : first->line;
  corpus.notes.push_back(fmt::format("left out of training, {}: {}, the first one in line {}", why,
                                     counted(std::ranges::count_if(pairs, unwanted), "pair"), line));
  std::erase_if(pairs, unwanted);
}

}  // namespace

Corpus load_corpus(const DataOptions& options) {
  Corpus corpus = options.data.empty() ? artificial_corpus({.seed = options.data_seed,
                                                            .train = static_cast<std::size_t>(options.pairs),
                                                            .agreement = !options.no_agreement,
                                                            .clauses = static_cast<int>(options.clauses)})
                                       : read_corpus(options);
  leave_out(corpus, "no words in one of the languages",
            [](const SentencePair& pair) { return pair.source.empty() || pair.target.empty(); });
  // A batch is as long as its longest sentence: a very long one would make it too large for the memory.
  const auto most = static_cast<std::size_t>(options.max_words);
  leave_out(corpus, "more than " + counted(options.max_words, "word"), [most](const SentencePair& pair) {
    return most > 0 && std::max(pair.source.size(), pair.target.size()) > most;
  });
  if (corpus.train.pairs.empty()) {
    refuse_files(fmt::format("nothing is left to train on: {}", fmt::join(corpus.notes, "; ")),
                 "put a sentence on each line of the train files, or give a larger --max-words");
  }
  return corpus;
}

std::string fingerprint_of(const Corpus& corpus) {
  nn::Fingerprint fingerprint;
  for (const ParallelText* text : {&corpus.train, &corpus.validation}) {
    fingerprint.add(std::ssize(text->pairs));
    for (const SentencePair& pair : text->pairs) {
      fingerprint.add(join(pair.source));
      fingerprint.add(join(pair.target));
    }
  }
  return fingerprint.text();
}

}  // namespace translate
