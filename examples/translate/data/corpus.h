// read_corpus, load_corpus: a corpus from files in a folder:
//
//   train.en  train.de    val.en  val.de    test*.en  test*.de (any number of them)    *.align (optional)
//
// One sentence per line, in UTF-8; line k of one file is the translation of line k of the other. split_words (text.h)
// makes the words.
//
// Lines without words: training leaves such a pair out, and a note says so. Validation and tests keep it, with no words
// on that side, so that all other lines keep their numbers and references.
//
// Known alignments: NAME.align belongs to the text NAME, as does a file with NAME between hyphens in its name
// (corpus-NAME-first60.align). Line k has the links of the k-th pair of sentences:
//
//   0-0 1-2 2p3        i-j: a sure link of source word i with target word j, from 0; ipj: a possible one
//
// fast_align writes sure links in this form. An empty line means that no word of that pair has a counterpart.
#pragma once

#include <string>

#include "examples/translate/data/parallel_text.h"
#include "examples/translate/options.h"

namespace translate {

// Returns the folder's corpus or the artificial language, without training pairs of more than max_words words; a note
// in the corpus says how many those are. Throws what read_corpus throws, and bad-file if no pair is left.
Corpus load_corpus(const DataOptions& options);

// Both throw bad-file, with the file and the line, for a folder that is missing or not a folder; missing files (all of
// them are named); a file that cannot be read, is empty or is not UTF-8 (text.h); files with different numbers of
// lines; no pair to train on; a link that cannot be read or leads beyond a sentence.
Corpus read_corpus(const std::string& folder, const std::string& source_language = "en",
                   const std::string& target_language = "de");
// Reads one pair of files, and keeps all lines. `name` becomes the name of the text.
ParallelText read_parallel_text(const std::string& name, const std::string& source_path,
                                const std::string& target_path);

// Gives the text's first pairs their alignments, one per line of the file, and returns how many. The pairs must be in
// the order of the lines. Throws bad-file, with the file and the line, if the file cannot be read or has more lines
// than there are pairs, if something is not a link, or if a link leads to a word that the sentence does not have.
std::size_t read_alignments(ParallelText& text, const std::string& path);

std::string fingerprint_of(const ParallelText& text);
// Covers the training and the validation text: a different fingerprint means different data.
std::string fingerprint_of(const Corpus& corpus);

}  // namespace translate
