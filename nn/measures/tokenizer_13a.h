// The tokeniser of the mteval-v13a script, which published BLEU figures are computed with, exactly as sacreBLEU 2.6
// applies it. It splits off punctuation, but leaves points and commas within numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace nn {

// The words of a line of UTF-8:
//   1. "<skipped>" and a hyphen at a line's end are deleted, other line ends become spaces;
//   2. &quot; &amp; &lt; &gt; become what they stand for, in this order;
//   3. these characters become words: { | } ~ [ \ ] ^ _ ` ! " # $ % & ( ) * + : ; < = > ? @ /
//   4. a point or comma becomes a word unless a digit is before it; then, unless a digit is after it;
//   5. a hyphen after a digit becomes a word;
//   6. the line is split at white space.
// Each of steps 3 to 5 goes through the line once, from left to right, and does not look again at characters that it
// has matched: for "a..", the result differs from going character by character.
std::vector<std::string> tokenize_13a(std::string_view line);

// Split at white space, as Python's str.split() does: no-break, thin and ideographic spaces and the separators U+001C
// to U+001F and U+0085 count as well.
std::vector<std::string> split_at_white_space(std::string_view line);

// Replaces every `from`, from left to right, and does not look again at what it has put in.
void replace_all(std::string& text, std::string_view from, std::string_view to);

}  // namespace nn
