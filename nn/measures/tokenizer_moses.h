// The tokens that papers on Multi30k count BLEU on: those of lowercase.perl | normalize-punctuation.perl |
// tokenizer.perl of Moses (Koehn et al. 2007; its version 3a0631a), which made the data set's files *.lc.norm.tok.*.
//
//   tokenize_moses("L’homme (à gauche) dit : «Viens.»", "fr")   ->   l' homme ( à gauche ) dit : " viens " .
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nn {

// The tokens of a line of UTF-8 in lower case, without the entities (&apos;) that Moses writes for some characters.
// `language`: "en", "de", "fr" or "cs"; in others, apostrophes become words of their own, and English abbreviations
// keep their point. Equals Moses on the four languages' texts; elsewhere, digits are 0 to 9 alone, and what Moses does
// to control characters and to numbers after "pp." is not done here.
std::vector<std::string> tokenize_moses(std::string_view line, std::string_view language);

}  // namespace nn
