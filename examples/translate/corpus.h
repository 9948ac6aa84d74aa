// A corpus in a folder:
//
//   train.en  train.de    val.en  val.de    test*.en  test*.de (any number of them)    *.align (optional)
//
// one sentence per line in UTF-8; line k of the one file is the translation of line k of the other. The words are those
// of split_words (words.h).
//
// Lines without words: in training such a pair is left out, and a note says so. In validation and tests it stays, with
// no words on that side, so that all other lines keep their numbers and references.
//
// Known alignments: NAME.align, or a file with NAME as one of the parts of its name between hyphens
// (corpus-NAME-first60.align), belongs to the text NAME (alignment_file.h).
#pragma once

#include <string>

#include "examples/translate/parallel_text.h"

namespace translate {

// Both throw bad-file, with the file and the line, for: a folder that is missing or is none; files that are
// missing (all of them are named); a file that cannot be read, is empty or not UTF-8 (text_file.h); files with
// different numbers of lines; no pair to train on; a link that cannot be read or leads beyond a sentence.
Corpus read_corpus(const std::string& folder, const std::string& source_language = "en",
                   const std::string& target_language = "de", Where where = Where::current());

// One pair of files. name is what it is called in the result; all lines stay.
ParallelText read_parallel_text(const std::string& name, const std::string& source_path, const std::string& target_path,
                                Where where = Where::current());

}  // namespace translate
