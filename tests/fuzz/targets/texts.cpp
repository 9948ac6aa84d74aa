// Anybody's text in the translator. For a terminal and for pictures it is made harmless: one line of UTF-8, without
// control characters. As two files of a corpus it is refused with file and line, or read, and words come back the same
// when they are joined and split again, or turned into numbers and back; BLEU stays within its bounds. As a
// vocabulary's JSON it is refused, or read, and the same when it is written and read again.
#include <autograd/text/characters.h>
#include <autograd/text/layout.h>
#include <autograd/text/printable.h>
#include <nn/measures/bleu.h>
#include <nn/measures/tokenizer_13a.h>
#include <nn/measures/tokenizer_moses.h>
#include <nn/translation/vocabulary.h>

#include <algorithm>

#include "examples/translate/data/corpus.h"
#include "examples/translate/data/detokenizer.h"
#include "examples/translate/data/text.h"
#include "examples/translate/messages.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_texts {

using autograd::ErrorId;
using nn::Vocabulary;
using translate::ParallelText;
using translate::Words;

using Lines = std::vector<std::string>;

void check_lines(const std::string& file) {
  Lines lines;
  if (fuzz::refuses({ErrorId::bad_file}, [&] { lines = translate::read_lines(file); })) return;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    fuzz::refuses({ErrorId::bad_file}, [&] { translate::words_of_line(lines[i], file, i + 1); });
  }
}

void check_tokens(const std::string& text) {
  for (const Lines& tokens : {nn::tokenize_13a(text), nn::tokenize_moses(text, "en"), nn::tokenize_moses(text, "fr")}) {
    for (const std::string& token : tokens) {
      fuzz::require(nn::split_at_white_space(token) == Lines{token}, "white space in a token");
    }
  }
}

void check_score(const nn::BleuScore& score) {
  fuzz::require(score.score >= 0.0 && score.score <= 100.0001, "a score that is not a percentage");
}

void check_bleu(const ParallelText& text) {
  Lines hypotheses;
  Lines references;
  for (const translate::SentencePair& pair : text.pairs) {
    hypotheses.push_back(translate::join(pair.source));
    references.push_back(translate::join(pair.target));
  }
  for (const auto smoothing :
       {nn::BleuSmoothing::exp, nn::BleuSmoothing::none, nn::BleuSmoothing::floor, nn::BleuSmoothing::add_k}) {
    for (const bool effective : {false, true}) {
      const nn::BleuOptions options{.smoothing = smoothing, .effective_order = effective};
      check_score(nn::corpus_bleu(hypotheses, {references}, options));
      check_score(nn::corpus_bleu(hypotheses, {references, hypotheses}, options));
    }
  }
}

void check_words(const Words& words, const Vocabulary& vocabulary) {
  fuzz::require(translate::split_words(translate::join(words)) == words, "other words when joined and split");
  fuzz::require(translate::split_words(translate::detokenize(words)) == words, "other words when detokenised");
  fuzz::require(vocabulary.words(vocabulary.ids(words)) == words, "other words when numbered");
}

void check_shown(const std::string& input) {
  const std::string line = translate::in_one_line(input);
  fuzz::require(!translate::first_invalid_byte(line), "a printable text is not UTF-8");
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; };
  fuzz::require(std::none_of(line.begin(), line.end(), is_control), "a control character in a printable text");
  fuzz::require(autograd::printable(line) == line, "a printable text is not as it is printed");

  std::string together;
  std::size_t width = 0;
  for (const std::string& character : autograd::letters_of(line)) {
    together += character;
    width += autograd::display_width(character);
  }
  fuzz::require(together == line, "the characters are not the text");
  fuzz::require(width == autograd::display_width(line), "the characters are not as wide as the text");
  if (!translate::first_invalid_byte(input)) {
    fuzz::require(!translate::first_invalid_byte(autograd::lower_case(input)), "its lower case is not UTF-8");
  }
}

void check_vocabulary(const std::string& input) {
  Vocabulary vocabulary;
  if (fuzz::refuses({autograd::ErrorId::bad_file}, [&] { vocabulary = Vocabulary::from_json(input, "input"); })) return;
  fuzz::require(Vocabulary::from_json(vocabulary.to_json(), "written") == vocabulary, "another one after writing");
  for (std::int64_t id = 0; id < vocabulary.size(); ++id) {
    fuzz::require(vocabulary.id(vocabulary.word(id)) == id, "a word has the number of another one");
  }
  for (const std::int64_t id : {std::int64_t{-1}, vocabulary.size()}) {
    fuzz::require(fuzz::refuses({autograd::ErrorId::token_out_of_range}, [&] { (void)vocabulary.word(id); }),
                  "a word that it does not have");
  }
}

// Two files, separated by a line "=====".
void check_corpus(const std::string& input) {
  constexpr std::string_view separator = "=====\n";
  const std::size_t at = input.find(separator);
  const std::string first = input.substr(0, at);
  const std::string source = fuzz::file_with(first, "source");
  const std::string target =
      fuzz::file_with(at == std::string::npos ? "" : input.substr(at + separator.size()), "target");
  check_lines(source);
  check_tokens(first);

  Lines source_lines;
  Lines target_lines;
  const bool is_refused = fuzz::refuses({ErrorId::bad_file}, [&] {
    source_lines = translate::read_lines(source);
    target_lines = translate::read_lines(target);
  });
  if (is_refused) return;
  ParallelText text{.name = "input"};
  for (std::size_t i = 0; i < std::min(source_lines.size(), target_lines.size()); ++i) {
    text.pairs.push_back(
        {.source = translate::split_words(source_lines[i]), .target = translate::split_words(target_lines[i])});
  }
  std::vector<Words> source_words;
  std::vector<Words> target_words;
  for (const translate::SentencePair& pair : text.pairs) {
    source_words.push_back(pair.source);
    target_words.push_back(pair.target);
  }
  const Vocabulary sources(source_words);
  const Vocabulary targets(target_words, 1);
  for (const translate::SentencePair& pair : text.pairs) {
    check_words(pair.source, sources);
    check_words(pair.target, targets);
  }
  check_bleu(text);
}

void run(const std::string& input) {
  check_shown(input);
  check_corpus(input);
  check_vocabulary(input);
}

fuzz::Seeds seeds() {
  using std::string_literals::operator""s;
  return {{"empty", ""},
          {"plain", "plain"},
          {"control", "a\x1b[31mb\r\n\tc\x7f\xc2\x9b"},
          {"directions",
           "\xe2\x80\xae\xd7\xa9"
           "abc\xe2\x81\xa6"},
          {"wide_and_combining", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb 漢 e\xcc\x81\xcc\xa7 Ａ\xcc\x81"},
          {"invalid", "\xcc\x81\xff\xc3\xed\xa0\x80\xf4\x90\x80\x80\xc0\xaf"},
          {"invalid_utf8", "a\xc3(\n=====\nb\n"},
          {"other_number_of_lines", "a\nb\n=====\na\n"},
          {"strange_characters",
           "\xe2\x80\xa8\xc2\xa0\xe3\x80\x80x\xcc\x81 \xf0\x9f\x98\x80\xef\xbf\xbe\n\0a\x1f"
           "b\n=====\n\xed\xa0\x80\n\xc0\x80\n"s},
          {"tokens", "a&amp;b &quot;x&quot; 1.5-2,000 <skipped> a-\nb .,. ..a\n=====\n1\n2"},
          {"windows",
           "\xef\xbb\xbf"
           "Ein Mann, 38 m groß!\r\n\r\nΑΣ ΑΣΑ İI ǅ\n=====\nA man, 38 m tall!\n \nas asa ii\n"},
          {"short", R"({"words":["<pad>","<unk>"]})"},
          {"small", R"({"words":["<pad>","<unk>","<bos>","<eos>","a","\u00e4","\ud83d\ude00"]})"},
          {"twice", R"({"words":["<pad>","<unk>","<bos>","<eos>","a","a"]})"},
          {"strange_words", R"({"words":["<pad>","<unk>","<bos>","<eos>",""," ","\u0000"],"words":[]})"},
          {"no_words", R"({"words":["<pad>","<unk>","<bos>","<eos>",{"a":1e400},null,"\ud800"]})"}};
}

}  // namespace fuzz_texts

const fuzz::Target fuzz::target = {"texts", fuzz_texts::run, fuzz_texts::seeds};
