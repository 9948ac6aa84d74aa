#include "examples/translate/data/alignment_file.h"

#include <fmt/core.h>
#include <nn/measures/tokenizer_13a.h>

#include <charconv>
#include <string_view>

#include "examples/translate/data/text_file.h"
#include "examples/translate/messages.h"

namespace translate {
namespace {

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

}  // namespace translate
