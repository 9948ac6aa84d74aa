#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>

#include "examples/translate/attention_picture.h"
#include "examples/translate/commands.h"
#include "examples/translate/messages.h"
#include "examples/translate/refuse.h"
#include "examples/translate/run_folder.h"
#include "examples/translate/sentences.h"

namespace translate {
namespace {

// ---- a text --------------------------------------------------------------------------------------------------

void print_translations(const TrainedModel& model, const std::vector<nn::Translation>& translations, std::size_t line,
                        const SearchSettings& search) {
  if (search.n_best == 1) {
    fmt::print("{}\n", join(model.target.words(translations.front().words)));
    return;
  }
  for (const nn::Translation& translation : translations) {
    fmt::print("{}\t{:.4f}\t{}\n", line, translation.score, join(model.target.words(translation.words)));
  }
}

// A line without words stays one.
std::vector<std::vector<nn::Translation>> translate_lines(const TrainedModel& model, const std::vector<Words>& lines,
                                                          const SearchSettings& search) {
  std::vector<Words> sentences;
  for (const Words& words : lines) {
    if (!words.empty()) sentences.push_back(words);
  }
  auto found = translate_sentences(model, sentences, search);
  std::vector<std::vector<nn::Translation>> all;
  std::size_t next = 0;
  for (const Words& words : lines) all.push_back(words.empty() ? std::vector<nn::Translation>(1) : found[next++]);
  return all;
}

void tell_unknown(const Words& unknown) {
  if (unknown.empty()) return;
  constexpr std::size_t shown = 20;
  const Words first(unknown.begin(), unknown.begin() + static_cast<std::ptrdiff_t>(std::min(shown, unknown.size())));
  say(fmt::format(
      "{}{}\n",
      in_one_line(fmt::format("{} not known: {}", counted(static_cast<std::int64_t>(unknown.size()), "word"),
                              fmt::join(first, " "))),
      unknown.size() > shown ? " .." : ""));
}

void translate_file(const TrainedModel& model, const TranslateCommand& command) {
  const std::vector<std::string> lines = lines_of(command.file);
  Words all_words;
  const auto at_once = static_cast<std::size_t>(command.search.batch);
  for (std::size_t start = 0; start < lines.size(); start += at_once) {
    std::vector<Words> part;
    for (std::size_t i = start; i < std::min(lines.size(), start + at_once); ++i)
      part.push_back(words_of_line(lines[i], command.file, i + 1));
    const auto translations = translate_lines(model, part, command.search);
    for (std::size_t i = 0; i < part.size(); ++i) {
      print_translations(model, translations[i], start + i + 1, command.search);
      all_words.insert(all_words.end(), part[i].begin(), part[i].end());
    }
    std::fflush(stdout);
  }
  tell_unknown(unknown_words(all_words, model.source));
}

// ---- at a terminal -------------------------------------------------------------------------------------------

void show(const TrainedModel& model, const Words& words, const std::vector<nn::Translation>& translations) {
  for (const nn::Translation& translation : translations) {
    const std::string text = join(model.target.words(translation.words));
    fmt::print("{}{}\n", in_one_line(text),
               translations.size() > 1 ? fmt::format("   ({:.2f})", translation.score) : "");
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

void run_translate(const TranslateCommand& command) {
  const TrainedModel model = load_model(model_file_of(command.run));
  const bool is_at_terminal = is_standard_input(command.file) && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  if (is_at_terminal) {
    talk(model, command);
  } else {
    translate_file(model, command);
  }
}

}  // namespace translate
