#include "examples/translate/data/corpus.h"

#include <fmt/ranges.h>
#include <nn/fingerprint.h>
#include <nn/measures/tokenizer_13a.h>

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

// ---- the files -----------------------------------------------------------------------------------------------

// The files of a corpus: one folder, two languages.
struct Place {
  std::string folder;
  std::string source_language;
  std::string target_language;

  std::string file(const std::string& name) const { return (std::filesystem::path(folder) / name).string(); }
  std::string source_file(const std::string& text) const { return text + "." + source_language; }
  std::string target_file(const std::string& text) const { return text + "." + target_language; }
  ParallelText read(const std::string& text) const {
    return read_parallel_text(text, file(source_file(text)), file(target_file(text)));
  }
};

// Returns the names of the files in the folder, sorted.
std::set<std::string> list_folder(const Place& place) {
  std::error_code error;
  std::filesystem::directory_iterator entries(place.folder, error);
  if (error) {
    refuse_files(fmt::format("{} cannot be read as a folder: {}", place.folder, error.message()),
                 "give the folder with train, val and test files");
  }
  std::set<std::string> names;
  for (const std::filesystem::directory_entry& entry : entries) names.insert(entry.path().filename().string());
  return names;
}

// Returns "test2016" if test2016.en or test2016.de is there, and so on.
std::set<std::string> test_names(const Place& place, const std::set<std::string>& files) {
  std::set<std::string> tests;
  for (const std::string& file : files) {
    const std::string name = std::filesystem::path(file).stem().string();
    const bool is_side = file == place.source_file(name) || file == place.target_file(name);
    if (file.starts_with("test") && is_side) tests.insert(name);
  }
  return tests;
}

void check_all_there(const Place& place, const std::set<std::string>& files, std::set<std::string> texts) {
  texts.insert({"train", "val"});
  std::vector<std::string> missing;
  for (const std::string& text : texts) {
    for (const std::string& file : {place.source_file(text), place.target_file(text)}) {
      if (files.count(file) == 0) missing.push_back(file);
    }
  }
  if (missing.empty()) return;
  refuse_files(
      fmt::format("{} has no {}", place.folder, fmt::join(missing, ", ")),
      fmt::format("it takes train.{0}, train.{1}, val.{0}, val.{1}, and any number of test*.{0} with test*.{1}",
                  place.source_language, place.target_language));
}

std::vector<std::string> read_some_lines(const std::string& path) {
  std::vector<std::string> lines = read_lines(path);
  if (lines.empty()) refuse_files(path + " is empty", "it has one sentence on each line");
  return lines;
}

// ---- what is left out ----------------------------------------------------------------------------------------

bool lacks_words(const SentencePair& pair) {
  return pair.source.empty() || pair.target.empty();
}

// Adds a note such as "3 lines of train (4, 17, 90) have no words in one of the languages; left out", if there are any.
void note_lacks(Corpus& corpus, const ParallelText& text, const std::string& consequence) {
  constexpr std::size_t shown = 5;
  std::vector<std::size_t> lines;
  for (const SentencePair& pair : text.pairs) {
    if (lacks_words(pair)) lines.push_back(pair.line);
  }
  if (lines.empty()) return;
  const std::size_t count = lines.size();
  lines.resize(std::min(count, shown));
  corpus.notes.push_back(fmt::format(
      "{} of {} ({}{}) {} no words in one of the languages; {}", counted(static_cast<std::int64_t>(count), "line"),
      text.name, fmt::join(lines, ", "), count > shown ? ", .." : "", count == 1 ? "has" : "have", consequence));
}

// Removes lines without words from the training text, and keeps them elsewhere.
void tidy(Corpus& corpus) {
  note_lacks(corpus, corpus.train, "left out");
  std::erase_if(corpus.train.pairs, lacks_words);
  const std::string kept = "kept, so that the others keep their numbers";
  note_lacks(corpus, corpus.validation, kept);
  for (const ParallelText& test : corpus.tests) note_lacks(corpus, test, kept);
}

// Adds a note such as "3 pairs are left out: more than 250 words (the first one: line 61 of train)", if there are any.
// A batch is as long as its longest sentence: a very long one would make it too large for the memory.
void leave_out_long_pairs(Corpus& corpus, std::int64_t max_words) {
  if (max_words == 0) return;
  std::vector<SentencePair>& pairs = corpus.train.pairs;
  const auto is_long = [max_words](const SentencePair& pair) {
    return std::max(pair.source.size(), pair.target.size()) > static_cast<std::size_t>(max_words);
  };
  const auto first = std::ranges::find_if(pairs, is_long);
  if (first == pairs.end()) return;
  const std::string place = first->line == 0 ? "" : fmt::format(" (the first one: line {} of train)", first->line);
  const auto count = static_cast<std::int64_t>(std::erase_if(pairs, is_long));
  const std::string note = fmt::format("{} {} left out: more than {}{}", counted(count, "pair"),
                                       count == 1 ? "is" : "are", counted(max_words, "word"), place);
  if (pairs.empty()) refuse_files(note + "; nothing is left to train on", "give a larger --max-words");
  corpus.notes.push_back(note);
}

// ---- alignments ----------------------------------------------------------------------------------------------

// `place`: the file and the line.
Link parse_link(std::string_view text, const std::string& place) {
  const char* const end = text.data() + text.size();
  Link link{};
  const auto [mark, source_error] = std::from_chars(text.data(), end, link.source);
  const bool has_mark = source_error == std::errc() && mark != end && (*mark == '-' || *mark == 'p');
  if (has_mark) {
    link.sure = *mark == '-';
    const auto [rest, target_error] = std::from_chars(mark + 1, end, link.target);
    if (target_error == std::errc() && rest == end && link.source >= 0 && link.target >= 0) return link;
  }
  refuse_files(fmt::format("{}: \"{}\" is not a link", place, text),
               "write 3-5 for a sure link and 3p5 for a possible one");
}

void check_word(int word, const Words& words, std::string_view side, std::string_view link, const std::string& place) {
  if (static_cast<std::size_t>(word) < words.size()) return;
  refuse_files(
      fmt::format("{}: link {} leads to {} word {} of {}, counted from 0", place, link, side, word, words.size()),
      "check that the file belongs to this text, and counts as a word each run of letters and digits, and each "
      "other character, such as a comma, by itself");
}

Alignment parse_alignment(const std::string& line, const SentencePair& pair, const std::string& place) {
  Alignment alignment;
  for (const std::string& text : nn::split_at_white_space(line)) {
    const Link link = parse_link(text, place);
    check_word(link.source, pair.source, "source", text, place);
    check_word(link.target, pair.target, "target", text, place);
    alignment.push_back(link);
  }
  return alignment;
}

// Returns the text whose name stands between hyphens in the file's name; nullptr if there is none.
ParallelText* find_text(Corpus& corpus, const std::string& stem) {
  std::vector<ParallelText*> texts{&corpus.train, &corpus.validation};
  for (ParallelText& test : corpus.tests) texts.push_back(&test);
  const std::string parts = fmt::format("-{}-", stem);
  for (ParallelText* text : texts) {
    if (parts.find(fmt::format("-{}-", text->name)) != std::string::npos) return text;
  }
  return nullptr;
}

void attach_alignments(Corpus& corpus, const Place& place, const std::set<std::string>& files) {
  for (const std::string& file : files) {
    const std::filesystem::path path(file);
    if (path.extension() != ".align") continue;
    ParallelText* text = find_text(corpus, path.stem().string());
    if (text == nullptr) {
      corpus.notes.push_back(fmt::format("{} names none of the texts; left out", file));
      continue;
    }
    const std::size_t lines = read_alignments(*text, place.file(file));
    corpus.notes.push_back(fmt::format("{} has the alignments of the first {} lines of {}", file, lines, text->name));
  }
}

}  // namespace

std::size_t read_alignments(ParallelText& text, const std::string& path) {
  const std::vector<std::string> lines = read_lines(path);
  if (lines.size() > text.pairs.size()) {
    refuse_files(fmt::format("{} has {} lines, but {} only {} pairs", path, lines.size(), text.name, text.pairs.size()),
                 "its line k has the links of the k-th pair");
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text.pairs[i].gold = parse_alignment(lines[i], text.pairs[i], fmt::format("{}, line {}", path, i + 1));
  }
  return lines.size();
}

ParallelText read_parallel_text(const std::string& name, const std::string& source_path,
                                const std::string& target_path) {
  const std::vector<std::string> source = read_some_lines(source_path);
  const std::vector<std::string> target = read_some_lines(target_path);
  if (source.size() != target.size()) {
    refuse_files(fmt::format("{} has {} lines and {} has {}", source_path, source.size(), target_path, target.size()),
                 "line k of the one must be the translation of line k of the other");
  }
  ParallelText text{.name = name};
  for (std::size_t i = 0; i < source.size(); ++i) {
    text.pairs.push_back({.source = split_words(source[i]), .target = split_words(target[i]), .line = i + 1});
  }
  return text;
}

Corpus read_corpus(const std::string& folder, const std::string& source_language, const std::string& target_language) {
  const Place place{folder, source_language, target_language};
  const std::set<std::string> files = list_folder(place);
  const std::set<std::string> tests = test_names(place, files);
  check_all_there(place, files, tests);
  Corpus corpus{.source_language = source_language,
                .target_language = target_language,
                .train = place.read("train"),
                .validation = place.read("val")};
  for (const std::string& test : tests) corpus.tests.push_back(place.read(test));
  attach_alignments(corpus, place, files);
  tidy(corpus);
  if (corpus.train.pairs.empty()) {
    refuse_files(fmt::format("{} has no pair of lines with words to train on", place.folder),
                 "put a sentence on each line of the train files");
  }
  return corpus;
}

Corpus load_corpus(const DataOptions& options) {
  Corpus corpus = options.data.empty() ? artificial_corpus({.seed = options.data_seed,
                                                            .train = static_cast<std::size_t>(options.pairs),
                                                            .agreement = !options.no_agreement,
                                                            .clauses = static_cast<int>(options.clauses),
                                                            .documents = options.documents})
                                       : read_corpus(options.data, options.source_language, options.target_language);
  leave_out_long_pairs(corpus, options.max_words);
  return corpus;
}

// ---- fingerprints --------------------------------------------------------------------------------------------

namespace {

void add(nn::Fingerprint& fingerprint, const Words& words) {
  fingerprint.add(std::ssize(words));
  for (const std::string& word : words) fingerprint.add(word);
}

void add(nn::Fingerprint& fingerprint, const ParallelText& text) {
  fingerprint.add(std::ssize(text.pairs));
  for (const SentencePair& pair : text.pairs) {
    add(fingerprint, pair.source);
    add(fingerprint, pair.target);
  }
}

}  // namespace

std::string fingerprint_of(const ParallelText& text) {
  nn::Fingerprint fingerprint;
  add(fingerprint, text);
  return fingerprint.text();
}

std::string fingerprint_of(const Corpus& corpus) {
  nn::Fingerprint fingerprint;
  add(fingerprint, corpus.train);
  add(fingerprint, corpus.validation);
  return fingerprint.text();
}

}  // namespace translate
