#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "examples/translate/commands/commands.h"
#include "examples/translate/data/text.h"
#include "examples/translate/evaluation.h"
#include "examples/translate/messages.h"
#include "examples/translate/report/attention_picture.h"
#include "examples/translate/training/ensemble_of_runs.h"

namespace translate {
namespace {

// Returns the words that the language lacks, each once.
Words unknown_words(const Words& words, const Language& language) {
  Words unknown;
  for (const std::string& word : words) {
    const bool is_new = std::ranges::find(unknown, word) == unknown.end();
    if (is_new && !language.knows(word)) unknown.push_back(word);
  }
  return unknown;
}

// ---- a text --------------------------------------------------------------------------------------------------

// A line without words gets an empty translation, so that the lines of both texts keep matching.
void translate_lines(const TrainedModel& model, const std::vector<Words>& lines, const SearchSettings& search) {
  std::vector<Words> sentences;
  std::ranges::copy_if(lines, std::back_inserter(sentences), [](const Words& w) { return !w.empty(); });
  const auto translations = translate_sentences(model, sentences, search);
  auto next = translations.begin();
  for (const Words& line : lines) {
    fmt::print("{}\n", line.empty() ? "" : join((next++)->words));
  }
  std::fflush(stdout);
}

void translate_file(const TrainedModel& model, const TranslateCommand& command) {
  const std::vector<std::string> lines = read_lines(command.file);
  const auto at_once = static_cast<std::size_t>(command.search.batch);
  Words all_words;
  for (std::size_t first = 0; first < lines.size(); first += at_once) {
    std::vector<Words> part;
    for (std::size_t i = first; i < std::min(first + at_once, lines.size()); ++i) {
      part.push_back(words_of_line(lines[i], command.file, i + 1));
      all_words.insert(all_words.end(), part.back().begin(), part.back().end());
    }
    translate_lines(model, part, command.search);
  }
  const Words unknown = unknown_words(all_words, model.source);
  if (!unknown.empty()) say(in_one_line("not known: " + join(unknown)) + "\n");
}

// ---- at a terminal -------------------------------------------------------------------------------------------

void show(const Words& words, const Translation& translation) {
  fmt::print("{}\n", in_one_line(join(translation.words)));
  if (!translation.finished) fmt::print("(cut off: it would not end)\n");
  if (translation.weights.defined())
    fmt::print("\n{}", AttentionPicture{words, translation.words, translation.weights}.text());
}

void answer(const TrainedModel& model, const std::string& line, const SearchSettings& search) {
  const Words words = words_of_line(line, "", 1);
  if (words.empty()) return;
  const Words unknown = unknown_words(words, model.source);
  if (!unknown.empty()) fmt::print("not known: {}\n", in_one_line(join(unknown)));
  show(words, translate_sentences(model, {words}, search).front());
}

void talk(const TrainedModel& model, const TranslateCommand& command) {
  const std::string prompt = model.data.data.empty() ? "artificial" : model.data.source_language;
  fmt::print("A sentence per line; Ctrl-D ends.\n");
  std::string line;
  while (true) {
    fmt::print("{}> ", prompt);
    std::fflush(stdout);
    if (!std::getline(std::cin, line)) break;
    try {
      answer(model, line, command.search);
    } catch (const autograd::Error& error) {
      fmt::print("{}\n", in_one_line(error.what()));
    }
  }
  fmt::print("\n");
}

}  // namespace

int run_translate(const TranslateCommand& command) {
  check_options(command.search);
  const TrainedModel model = load_ensemble(command.run, command.with);
  const bool is_at_terminal = is_standard_input(command.file) && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  if (is_at_terminal) {
    talk(model, command);
  } else {
    translate_file(model, command);
  }
  return 0;
}

}  // namespace translate
