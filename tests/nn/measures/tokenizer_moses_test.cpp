// Hand-made sentences, and what Moses makes of them. Each was run through the scripts of Moses' version 3a0631a:
//
//   lowercase.perl | normalize-punctuation.perl -l LANGUAGE | tokenizer.perl -l LANGUAGE -no-escape
#include <gtest/gtest.h>
#include <nn/measures/tokenizer_moses.h>

namespace nn_tokenizer_moses_test {

struct Case {
  const char* line;
  const char* tokens;
};

template <std::size_t n> void expect_tokens(const std::string& language, const Case (&cases)[n]) {
  for (const Case& expected : cases) {
    std::string tokens;
    for (const std::string& token : nn::tokenize_moses(expected.line, language)) {
      tokens += (tokens.empty() ? "" : " ") + token;
    }
    EXPECT_EQ(tokens, expected.tokens);
  }
}

TEST(TokenizerMoses, English) {
  expect_tokens(
      "en",
      {{"\"Don't,\" says the man's friend, \"the boys' T-shirts cost 1,000 dollars.\"",
        "\" don 't , \" says the man 's friend , \" the boys ' t-shirts cost 1,000 dollars . \""},
       {"A man in a 1990's car (50% rust) waits until 5 p.m., for the U.S. Army.",
        "a man in a 1990 's car ( 50 % rust ) waits until 5 p.m. , for the u.s. army ."},
       {"It reads `Joe’s & Sons…’ and ‘open’ – or not?", "it reads ' joe 's & sons ... \" and \" open \" - or not ?"},
       {"He stops. she runs vs. him, no. 5 wins. They rest.", "he stops. she runs vs. him , no . 5 wins. they rest ."},
       {"The \"sign\", he says, reads 'hello.'", "the \" sign , \" he says , reads ' hello . '"}});
}

TEST(TokenizerMoses, German) {
  expect_tokens("de",
                {{"Ein Mann trägt ein „I ♥ NY“-Shirt, „neu.“", "ein mann trägt ein \" i ♥ ny \" -shirt , \" neu \" ."},
                 {"Mit 10\u00A0000 Zuschauern, ca. 5 m entfernt: McDonald's am 3.",
                  "mit 10,000 zuschauern , ca. 5 m entfernt : mcdonald ' s am 3."},
                 {"Er ruft „Halt,“ und geht – rückwärts. der Hund auch.",
                  "er ruft \" halt \" , und geht - rückwärts. der hund auch ."}});
}

TEST(TokenizerMoses, French) {
  expect_tokens("fr", {{"L’homme (à gauche) dit : «\u00A0Viens\u00A0!\u00A0» et s'assied aujourd'hui.",
                        "l' homme ( à gauche ) dit : \" viens ! \" et s' assied aujourd' hui ."},
                       {"Une affiche « 5 € », l’été, avec l'art. 3, «vivre».",
                        "une affiche \" 5 € \" , l \" été , avec l' art. 3 , \" vivre \" ."},
                       {"Il fait 3,5 km en vol. Elle attend... sans rien.",
                        "il fait 3,5 km en vol. elle attend ... sans rien ."}});
}

TEST(TokenizerMoses, Czech) {
  expect_tokens("cs",
                {{"Muž řekl: „Ahoj,“ a běží kolem domu č. 5 s.", "muž řekl : \" ahoj , \" a běží kolem domu č. 5 s."},
                 {"Dívka v tričku O'Neill, 20\u00A0000 lidí atd.", "dívka v tričku o ' neill , 20,000 lidí atd."},
                 {"Dva psi_skáčou ... přes 2,5 m, např. plot.", "dva psi _ skáčou ... přes 2,5 m , např. plot ."}});
}

TEST(TokenizerMoses, IgnoresWhiteSpaceAtTheEnds) {
  expect_tokens("fr", {{"", ""}, {" \u00A0 ", ""}, {"\t'a'  ", "'a'"}});
}

}  // namespace nn_tokenizer_moses_test
