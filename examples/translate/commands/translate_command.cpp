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
#include "examples/translate/training/run_folder.h"

namespace translate {
namespace {

// Returns the words that the vocabulary lacks, each once.
Words unknown_words(const Words& words, const nn::Vocabulary& vocabulary) {
  Words unknown;
  for (const std::string& word : words) {
    const bool is_new = std::ranges::find(unknown, word) == unknown.end();
    if (is_new && !vocabulary.contains(word)) unknown.push_back(word);
  }
  return unknown;
}

// ---- a text --------------------------------------------------------------------------------------------------

void print_translations(const TrainedModel& model, const std::vector<nn::Translation>& translations, std::size_t line,
                        const SearchSettings& search) {
  for (const nn::Translation& translation : translations) {
    const std::string text = join(model.target.words(translation.words));
    if (search.n_best == 1) {
      fmt::print("{}\n", text);
    } else {
      fmt::print("{}\t{:.4f}\t{}\n", line, translation.score, text);
    }
  }
}

// A line without words gets an empty translation, so that the lines of both texts keep matching.
void translate_lines(const TrainedModel& model, const std::vector<Words>& lines, std::size_t first,
                     const SearchSettings& search) {
  std::vector<Words> sentences;
  std::ranges::copy_if(lines, std::back_inserter(sentences), [](const Words& w) { return !w.empty(); });
  const auto translations = translate_sentences(model, sentences, search);
  auto next = translations.begin();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_empty = lines[i].empty();
    print_translations(model, is_empty ? std::vector<nn::Translation>(1) : *next++, first + i, search);
  }
  std::fflush(stdout);
}

void tell_unknown(const Words& unknown) {
  if (unknown.empty()) return;
  constexpr std::size_t shown = 20;
  const Words first(unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(std::min(shown, unknown.size())));
  const std::string count = counted(std::ssize(unknown), "word");
  say(fmt::format("{}{}\n", in_one_line(fmt::format("{} not known: {}", count, join(first))),
                  unknown.size() > shown ? " .." : ""));
}

void translate_file(const TrainedModel& model, const TranslateCommand& command) {
  const std::vector<std::string> lines = lines_of(command.file);
  Words all_words;
  std::vector<Words> part;  // the lines that are translated at once
  for (std::size_t i = 0; i < lines.size(); ++i) {
    part.push_back(words_of_line(lines[i], command.file, i + 1));
    all_words.insert(all_words.end(), part.back().begin(), part.back().end());
    const bool is_full = part.size() == static_cast<std::size_t>(command.search.batch);
    if (!is_full && i + 1 < lines.size()) continue;
    translate_lines(model, part, i + 2 - part.size(), command.search);
    part.clear();
  }
  tell_unknown(unknown_words(all_words, model.source));
}

// ---- at a terminal -------------------------------------------------------------------------------------------

void show(const TrainedModel& model, const Words& words, const std::vector<nn::Translation>& translations) {
  for (const nn::Translation& translation : translations) {
    const std::string score = translations.size() > 1 ? fmt::format("   ({:.2f})", translation.score) : "";
    fmt::print("{}{}\n", in_one_line(join(model.target.words(translation.words))), score);
  }
  const nn::Translation& best = translations.front();
  if (!best.finished) fmt::print("(cut off: it would not end)\n");
  if (best.weights.defined()) {
    fmt::print("\n{}", AttentionPicture{words, model.target.words(best.words), best.weights}.text());
  }
}

void answer(const TrainedModel& model, const std::string& line, const SearchSettings& search) {
  if (first_invalid_byte(line)) {
    fmt::print("This is not UTF-8.\n");
    return;
  }
  const Words words = split_words(line);
  if (words.empty()) return;
  if (words.size() > longest_sentence) {
    fmt::print("This is a sentence of {} words, where {} are the most.\n", words.size(), longest_sentence);
    return;
  }
  const Words unknown = unknown_words(words, model.source);
  if (!unknown.empty()) fmt::print("not known: {}\n", in_one_line(join(unknown)));
  show(model, words, translate_sentences(model, {words}, search).front());
}

void talk(const TrainedModel& model, const TranslateCommand& command) {
  const std::string prompt = model.data.data.empty() ? "artificial" : model.data.source_language;
  fmt::print("A sentence per line; Ctrl-D ends.\n");
  std::string line;
  while (true) {
    fmt::print("{}> ", prompt);
    std::fflush(stdout);
    if (!std::getline(std::cin, line)) break;
    answer(model, line, command.search);
  }
  fmt::print("\n");
}

}  // namespace

int run_translate(const TranslateCommand& command) {
  check_options(command.search);
  const TrainedModel model = load_model(model_file_of(command.run));
  const bool is_at_terminal = is_standard_input(command.file) && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  if (is_at_terminal) {
    talk(model, command);
  } else {
    translate_file(model, command);
  }
  return 0;
}

}  // namespace translate
