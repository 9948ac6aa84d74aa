// A corpus in a folder:
//
//   train.en  train.de    val.en  val.de    test*.en  test*.de (any number of them)    *.align (optional)
//
// one sentence per line in UTF-8; line k of the one file is the translation of line k of the other. The words are those
// of split_words (text.h).
//
// Lines without words: in training such a pair is left out, and a note says so. In validation and tests it stays, with
// no words on that side, so that all other lines keep their numbers and references.
//
// Known alignments: NAME.align, or a file with NAME as one of the parts of its name between hyphens
// (corpus-NAME-first60.align), belongs to the text NAME. Line k has the links of the k-th pair of sentences:
//
//   0-0 1-2 2p3        i-j: a sure link of source word i with target word j, from 0; ipj: a possible one
//
// Such files are common (fast_align writes sure links so). A line may be empty: no word of that pair has a counterpart.
#pragma once

#include <string>

#include "examples/translate/data/parallel_text.h"
#include "examples/translate/options.h"

namespace translate {

// The folder, or the artificial language, without pairs of more than max_words, of which the corpus has a note. Throws
// what read_corpus throws, and bad-file if all are left out.
Corpus load_corpus(const DataOptions& options);

// Both throw bad-file, with the file and the line, for: a folder that is missing or is none; files that are
// missing (all of them are named); a file that cannot be read, is empty or not UTF-8 (text.h); files with
// different numbers of lines; no pair to train on; a link that cannot be read or leads beyond a sentence.
Corpus read_corpus(const std::string& folder, const std::string& source_language = "en",
                   const std::string& target_language = "de");
// One pair of files. name is what it is called in the result; all lines stay.
ParallelText read_parallel_text(const std::string& name, const std::string& source_path,
                                const std::string& target_path);

// Gives the text's first pairs their alignments, as many as the file has lines, and returns how many. The pairs must be
// in the order of the lines. Throws bad-file, with the file and the line, if the file cannot be read or has more lines
// than there are pairs, if something is not a link, or leads to a word that the sentence does not have.
std::size_t read_alignments(ParallelText& text, const std::string& path);

std::string fingerprint_of(const ParallelText& text);
// Of the words that a training reads and is validated on: another one means other data.
std::string fingerprint_of(const Corpus& corpus);

}  // namespace translate
