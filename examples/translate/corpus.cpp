#include "examples/translate/corpus.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "examples/translate/alignment_file.h"
#include "examples/translate/text_file.h"

namespace translate {
namespace {

using autograd::ErrorId;

// What belongs to one folder and two languages.
struct Place {
  std::string folder;
  std::string source_language;
  std::string target_language;
  Where where;

  std::string file(const std::string& name) const { return (std::filesystem::path(folder) / name).string(); }
  std::string source_file(const std::string& text) const { return text + "." + source_language; }
  std::string target_file(const std::string& text) const { return text + "." + target_language; }
  [[noreturn]] void fail(const std::string& found, const std::string& advice) const {
    autograd::fail(ErrorId::bad_file, "read_corpus", where, found, advice);
  }
};

// ---- the files -----------------------------------------------------------------------------------------------

// The names of what is in the folder, in order.
std::set<std::string> list_folder(const Place& place) {
  std::error_code error;
  std::filesystem::directory_iterator entries(place.folder, error);
  if (error) {
    place.fail(fmt::format("{} cannot be read as a folder: {}", place.folder, error.message()),
               "give the folder with train, val and test files");
  }
  std::set<std::string> names;
  for (const std::filesystem::directory_entry& entry : entries) names.insert(entry.path().filename().string());
  return names;
}

// "test2016" if test2016.en or test2016.de is there.
std::set<std::string> test_names(const Place& place, const std::set<std::string>& files) {
  std::set<std::string> tests;
  for (const std::string& file : files) {
    const std::string name = std::filesystem::path(file).stem().string();
    const bool is_side = file == place.source_file(name) || file == place.target_file(name);
    if (file.starts_with("test") && is_side) tests.insert(name);
  }
  return tests;
}

void check_all_there(const Place& place, const std::set<std::string>& files, const std::set<std::string>& texts) {
  std::vector<std::string> missing;
  for (const std::string& text : texts) {
    for (const std::string& file : {place.source_file(text), place.target_file(text)}) {
      if (files.count(file) == 0) missing.push_back(file);
    }
  }
  if (missing.empty()) return;
  place.fail(fmt::format("{} has no {}", place.folder, fmt::join(missing, ", ")),
             fmt::format("it takes train.{0}, train.{1}, val.{0}, val.{1}, and any number of test*.{0} with test*.{1}",
                         place.source_language, place.target_language));
}

// ---- sentences -----------------------------------------------------------------------------------------------

std::vector<std::string> read_some_lines(const std::string& path, Where where) {
  std::vector<std::string> lines = read_lines(path, where);
  if (lines.empty()) {
    autograd::fail(ErrorId::bad_file, "read", where, path + " is empty", "it has one sentence on each line");
  }
  return lines;
}

bool lacks_words(const SentencePair& pair) {
  return pair.source.empty() || pair.target.empty();
}

// "3 lines of train (4, 17, 90) have no words on one side at least". Nothing if there is none.
std::string describe_lacks(const ParallelText& text) {
  constexpr std::size_t shown = 5;
  std::vector<std::size_t> lines;
  for (const SentencePair& pair : text.pairs) {
    if (lacks_words(pair)) lines.push_back(pair.line);
  }
  if (lines.empty()) return "";
  const std::size_t count = lines.size();
  lines.resize(std::min(count, shown));
  return fmt::format("{} {} of {} ({}{}) {} no words in one of the languages", count, count == 1 ? "line" : "lines",
                     text.name, fmt::join(lines, ", "), count > shown ? ", .." : "", count == 1 ? "has" : "have");
}

// Lines without words: in training they go, elsewhere they stay.
void tidy(Corpus& corpus) {
  const std::string in_training = describe_lacks(corpus.train);
  if (!in_training.empty()) corpus.notes.push_back(in_training + "; left out");
  std::erase_if(corpus.train.pairs, lacks_words);

  std::vector<const ParallelText*> others{&corpus.validation};
  for (const ParallelText& test : corpus.tests) others.push_back(&test);
  for (const ParallelText* text : others) {
    const std::string lacks = describe_lacks(*text);
    if (!lacks.empty()) corpus.notes.push_back(lacks + "; kept, so that the others keep their numbers");
  }
}

// ---- alignments ----------------------------------------------------------------------------------------------

// Is `name` one of the parts of `file` between hyphens?
bool is_part(const std::string& name, const std::string& stem) {
  return fmt::format("-{}-", stem).find(fmt::format("-{}-", name)) != std::string::npos;
}

// The text that the file's name names, if any.
ParallelText* find_text(Corpus& corpus, const std::string& stem) {
  std::vector<ParallelText*> texts{&corpus.train, &corpus.validation};
  for (ParallelText& test : corpus.tests) texts.push_back(&test);
  const auto found =
      std::find_if(texts.begin(), texts.end(), [&](const ParallelText* text) { return is_part(text->name, stem); });
  return found == texts.end() ? nullptr : *found;
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
    const std::size_t lines = read_alignments(*text, place.file(file), place.where);
    corpus.notes.push_back(fmt::format("{} has the alignments of the first {} lines of {}", file, lines, text->name));
  }
}

}  // namespace

ParallelText read_parallel_text(const std::string& name, const std::string& source_path, const std::string& target_path,
                                Where where) {
  const std::vector<std::string> source = read_some_lines(source_path, where);
  const std::vector<std::string> target = read_some_lines(target_path, where);
  if (source.size() != target.size()) {
    autograd::fail(ErrorId::bad_file, "read", where,
                   fmt::format("{} has {} lines and {} has {}", source_path, source.size(), target_path, target.size()),
                   "line k of the one must be the translation of line k of the other");
  }
  ParallelText text{.name = name};
  for (std::size_t i = 0; i < source.size(); ++i) {
    text.pairs.push_back(
        {.source = split_words(source[i], where), .target = split_words(target[i], where), .line = i + 1});
  }
  return text;
}

Corpus read_corpus(const std::string& folder, const std::string& source_language, const std::string& target_language,
                   Where where) {
  const Place place{folder, source_language, target_language, where};
  const std::set<std::string> files = list_folder(place);
  const std::set<std::string> tests = test_names(place, files);
  std::set<std::string> texts = tests;
  texts.insert({"train", "val"});
  check_all_there(place, files, texts);

  const auto read = [&place](const std::string& name) {
    return read_parallel_text(name, place.file(place.source_file(name)), place.file(place.target_file(name)),
                              place.where);
  };
  Corpus corpus{.source_language = source_language,
                .target_language = target_language,
                .train = read("train"),
                .validation = read("val")};
  for (const std::string& test : tests) corpus.tests.push_back(read(test));
  attach_alignments(corpus, place, files);
  tidy(corpus);
  if (corpus.train.pairs.empty()) {
    place.fail(fmt::format("{} has no pair of lines with words to train on", place.folder),
               "put a sentence on each line of the train files");
  }
  return corpus;
}

}  // namespace translate
