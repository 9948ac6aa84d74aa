// Files of known alignments. Line k has the links of the k-th pair of sentences:
//
//   0-0 1-2 2p3        i-j: a sure link of source word i with target word j, from 0; ipj: a possible one
//
// Such files are common (fast_align writes sure links so). A line may be empty: no word of that pair has a counterpart.
#pragma once

#include <cstddef>
#include <string>

#include "examples/translate/data/parallel_text.h"

namespace translate {

// Gives the text's first pairs their alignments, as many as the file has lines, and returns how many. The pairs must be
// in the order of the lines. Throws bad-file, with the file and the line, if the file cannot be read or has more lines
// than there are pairs, if something is not a link, or leads to a word that the sentence does not have.
std::size_t read_alignments(ParallelText& text, const std::string& path);

}  // namespace translate
