// load_corpus: the artificial language, or a corpus from files in a folder:
//
//   train.en  train.de    val.en  val.de    test*.en  test*.de (any number of them)    NAME.align (optional)
//
// One sentence per line, in UTF-8; line k of one file is the translation of line k of the other. split_words (text.h)
// makes the words. Pairs without words on one side are left out of training; validation and tests keep them, so that
// all other lines keep their numbers and references.
//
// Known alignments: line k of NAME.align has the links of the k-th pair of sentences of the text NAME:
//
//   0-0 1-2 2p3        i-j: a sure link of source word i with target word j, from 0; ipj: a possible one
//
// fast_align writes sure links in this form. An empty line means that no word of that pair has a counterpart.
#pragma once

#include <string>

#include "examples/translate/data/parallel_text.h"
#include "examples/translate/options.h"

namespace translate {

// Returns the folder's corpus or the artificial language, without training pairs of more than max_words words; notes in
// the corpus say how many were left out. Throws bad-file, with the file and the line, for a folder or a file that is
// missing or cannot be read, is empty or not UTF-8 (text.h); files with different numbers of lines; no pair to train
// on; a link that cannot be read or leads beyond a sentence.
Corpus load_corpus(const DataOptions& options);

// Covers the training and the validation text: a different fingerprint means different data.
std::string fingerprint_of(const Corpus& corpus);

}  // namespace translate
