// Sentences and a file of their alignments: refused with file and line, or read, and the same when it is written and
// read again; what is counted of links is a share from 0 to 1.
#include <fmt/core.h>
#include <nn/measures/alignment.h>

#include <sstream>

#include "examples/translate/data/corpus.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_alignment {

using autograd::ErrorId;
using translate::Link;
using translate::ParallelText;

// Line k of the one and of the other are a pair.
ParallelText pairs_of(const std::string& sources, const std::string& targets) {
  ParallelText text{.name = "input"};
  std::istringstream source_lines(sources);
  std::istringstream target_lines(targets);
  std::string source;
  std::string target;
  while (std::getline(source_lines, source) && std::getline(target_lines, target)) {
    if (translate::first_invalid_byte(source) || translate::first_invalid_byte(target)) continue;
    text.pairs.push_back({.source = translate::split_words(source), .target = translate::split_words(target)});
  }
  return text;
}

std::string file_of(const ParallelText& text, std::size_t lines) {
  std::string file;
  for (std::size_t i = 0; i < lines; ++i) {
    for (const Link& link : *text.pairs[i].gold) {
      file += fmt::format("{}{}{} ", link.source, link.sure ? '-' : 'p', link.target);
    }
    file += '\n';
  }
  return file;
}

bool is_share(double value) {
  return value != value || (0.0 <= value && value <= 1.0);  // or 0 / 0
}

void check_counts(const translate::Alignment& gold) {
  nn::AlignmentLinks sure;
  nn::AlignmentLinks all;
  for (const Link& link : gold) {
    all.push_back({link.source, link.target});
    if (link.sure) sure.push_back(all.back());
  }
  nn::AlignmentCounts counts = nn::compare_links(all, {.sure = sure, .possible = all});
  counts += nn::compare_links(sure, {.sure = all, .possible = {}});
  fuzz::require(is_share(counts.precision()) && is_share(counts.recall()) && is_share(counts.error_rate()),
                "a measure beyond 0 and 1");
  const nn::AlignmentCounts itself = nn::compare_links(all, {.sure = all, .possible = {}});
  fuzz::require(all.empty() || itself.error_rate() == 0.0, "an alignment is not itself");
}

void run(const std::string& input) {
  const std::vector<std::string> parts = fuzz::parts_of(input, 3);
  ParallelText text = pairs_of(parts[0], parts[1]);
  std::size_t lines = 0;
  const std::string file = fuzz::file_with(parts[2]);
  if (fuzz::refuses({ErrorId::bad_file}, [&] { lines = translate::read_alignments(text, file); })) return;

  ParallelText again = text;
  const std::string written = fuzz::file_with(file_of(text, lines), "written");
  fuzz::require(translate::read_alignments(again, written) == lines, "other lines when read again");
  for (std::size_t i = 0; i < lines; ++i) {
    fuzz::require(again.pairs[i].gold == text.pairs[i].gold, "another alignment when read again");
    check_counts(*text.pairs[i].gold);
  }
}

const fuzz::Target target("alignment", run);

}  // namespace fuzz_alignment
