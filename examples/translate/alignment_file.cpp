#include "examples/translate/alignment_file.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>
#include <nn/measures/tokenizer_13a.h>

#include <charconv>
#include <string_view>

#include "examples/translate/text_file.h"

namespace translate {
namespace {

using autograd::ErrorId;

// A line of a file, for what is complained about in it.
struct Line {
  const std::string& path;
  std::size_t number;
  Where where;

  [[noreturn]] void fail(const std::string& found, const std::string& advice) const {
    autograd::fail(ErrorId::bad_file, "read_alignments", where, fmt::format("{}, line {}: {}", path, number, found),
                   advice);
  }
};

Link parse_link(std::string_view text, const Line& line) {
  const char* const end = text.data() + text.size();
  Link link{};
  const auto [mark, source_error] = std::from_chars(text.data(), end, link.source);
  const bool has_mark = source_error == std::errc() && mark != end && (*mark == '-' || *mark == 'p');
  if (has_mark) {
    link.sure = *mark == '-';
    const auto [rest, target_error] = std::from_chars(mark + 1, end, link.target);
    if (target_error == std::errc() && rest == end && link.source >= 0 && link.target >= 0) return link;
  }
  line.fail(fmt::format("\"{}\" is not a link", text), "write 3-5 for a sure link and 3p5 for a possible one");
}

void check_word(int word, const Words& words, std::string_view side, const Link& link, const Line& line) {
  if (static_cast<std::size_t>(word) < words.size()) return;
  line.fail(
      fmt::format("link {}{}{} leads to {} word {} of {}, counted from 0", link.source, link.sure ? '-' : 'p',
                  link.target, side, word, words.size()),
      "check that the file belongs to this text, and counts as a word each run of letters and digits, and each other "
      "character, such as a comma, by itself");
}

Alignment parse_alignment(const std::string& text, const SentencePair& pair, const Line& line) {
  Alignment alignment;
  for (const std::string& part : nn::split_at_white_space(text)) {
    const Link link = parse_link(part, line);
    check_word(link.source, pair.source, "source", link, line);
    check_word(link.target, pair.target, "target", link, line);
    alignment.push_back(link);
  }
  return alignment;
}

}  // namespace

std::size_t read_alignments(ParallelText& text, const std::string& path, Where where) {
  const std::vector<std::string> lines = read_lines(path, where);
  if (lines.size() > text.pairs.size()) {
    autograd::fail(
        ErrorId::bad_file, "read_alignments", where,
        fmt::format("{} has {} lines, but {} only {} pairs", path, lines.size(), text.name, text.pairs.size()),
        "its line k has the links of the k-th pair");
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text.pairs[i].gold = parse_alignment(lines[i], text.pairs[i], {path, i + 1, where});
  }
  return lines.size();
}

}  // namespace translate
