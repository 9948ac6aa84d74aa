#include "nn/measures/tokenizer_moses.h"

#include <autograd/text/characters.h>
#include <autograd/text/unicode.h>

#include <algorithm>

#include "nn/measures/tokenizer_13a.h"

namespace nn {
namespace {

using Text = std::u32string;
using Class = bool (*)(char32_t);

bool is_word_character(char32_t c) {
  return autograd::is_letter_or_number(c);
}
bool is_numeral(char32_t c) {
  return c >= U'0' && c <= U'9';
}
bool is_letter(char32_t c) {
  return is_word_character(c) && !is_numeral(c);
}
bool is_ascii_letter(char32_t c) {
  return c >= U'a' && c <= U'z';
}

Text characters_of(std::string_view line) {
  Text text;
  while (!line.empty()) text += autograd::take_character(line).code;
  return text;
}

// s/(left)mark(right)/\1 middle \2/g: what has been matched is not looked at again.
void replace_between(Text& text, Class left, char32_t mark, Class right, std::u32string_view middle) {
  Text result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (i + 2 >= text.size() || text[i + 1] != mark || !left(text[i]) || !right(text[i + 2])) continue;
    result += middle;
    result += text[i += 2];
  }
  text = result;
}

// ---- normalize-punctuation.perl ----------------------------------------------------------------------------------

// English has points and commas before the quotation mark, Czech has them where they are, others have them after it.
void move_quotation_marks(Text& text, std::string_view language) {
  if (language == "cs") return;
  for (std::size_t i = text.find(U'"'); i < text.size(); i = text.find(U'"', i + 1)) {
    std::size_t to = i;
    if (language == "en") {
      to = std::min(text.find_first_not_of(U",.", i + 1), text.size()) - 1;
    } else {
      if (to > 0 && text[to - 1] == U',') --to;
      while (to > 0 && text[to - 1] == U'.') --to;
    }
    text.erase(i, 1).insert(to, 1, U'"');
    i = to < i ? i + 1 : to;  // a second mark after one that has moved back stays
  }
}

// Without what that script does to spaces beside marks: they become words of their own.
Text normalize(std::string line, std::string_view language) {
  constexpr std::string_view replacements[][2] = {
      {"`", "'"}, {"''", " \" "}, {"„", "\""},  {"“", "\""},       {"”", "\""}, {"–", "-"}, {"—", " - "},
      {"´", "'"}, {"''", "\""},   {"…", "..."}, {"\u00A0»", "\""}, {"«", "\""}, {"»", "\""}};
  for (const auto& [from, to] : replacements) replace_all(line, from, to);
  Text text = characters_of(line);
  for (const char32_t quote : {U'‘', U'’'}) replace_between(text, is_ascii_letter, quote, is_ascii_letter, U"'");
  for (char32_t& c : text) {
    if (c == U'‘' || c == U'’' || c == U'‚') c = U'"';
  }
  move_quotation_marks(text, language);
  const bool has_comma = language == "de" || language == "fr" || language == "cs";
  replace_between(text, is_numeral, U'\u00A0', is_numeral, has_comma ? U"," : U".");
  text.erase(0, std::min(text.find_first_not_of(U" \t\u00A0"), text.size()));
  text.erase(text.find_last_not_of(U" \t\u00A0") + 1);
  return text;
}

// ---- tokenizer.perl ----------------------------------------------------------------------------------------------

// Sets apart all but letters, digits, hyphens, single points, commas within numbers, and apostrophes where there are
// rules for them.
Text set_marks_apart(const Text& text, bool apostrophes_have_rules) {
  Text result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char32_t c = text[i];
    const std::size_t points = c == U'.' ? std::min(text.find_first_not_of(U'.', i), text.size()) - i : 0;
    const bool in_number = (i == 0 || is_numeral(text[i - 1])) && i + 1 < text.size() && is_numeral(text[i + 1]);
    const bool stays = is_word_character(c) || autograd::is_white_space(c) || c == U'-' || points == 1 ||
                       (c == U',' && in_number) || (c == U'\'' && apostrophes_have_rules);
    result += stays ? Text(1, c) : U" " + text.substr(i, std::max<std::size_t>(points, 1)) + U" ";
    if (points > 1) i += points - 1;
  }
  return result;
}

void split_apostrophes(Text& text, bool is_english) {  // English don 't, French l' homme
  const Class other = [](char32_t c) { return !is_letter(c); };
  const Class mark = [](char32_t c) { return !is_word_character(c); };
  const Class s = [](char32_t c) { return c == U's'; };
  replace_between(text, other, U'\'', other, U" ' ");
  replace_between(text, is_english ? mark : other, U'\'', is_letter, U" ' ");
  replace_between(text, is_letter, U'\'', other, U" ' ");
  replace_between(text, is_letter, U'\'', is_letter, is_english ? U" '" : U"' ");
  if (is_english) replace_between(text, is_numeral, U'\'', s, U" '");
  if (text.ends_with(U".'")) text.insert(text.size() - 2, U" "), text.insert(text.size() - 1, U" ");
}

// Moses' lists of what keeps its point, without what has capitals or points; German has 1 to 99 besides.
constexpr std::string_view english_abbreviations = " rev v vs ";
constexpr std::string_view german_abbreviations =
    " a b c d e f g h i j k l m n o p q r s t u v w x y z bzgl bzw ca dergl dgl etc evtl ff ggf ii iii iv ix jun pp "
    "sen sog sogen spp usf usw vgl vi vii viii vs xi xii xiii xiv xix xv xvi xvii xviii xx zzt ";
constexpr std::string_view french_abbreviations =
    " b c d e f g h i j k l m n o p q r s t u v w x y z al ann apr art auj av boul ca cf chap contr dir env etc ex "
    "fasc fig fr fém hab ibid id inf lib masc ms pl pp sec sect sing sq sqq suiv sup suppl tél vb vol vs éd ";
constexpr std::string_view czech_abbreviations =
    " abl absol abt ad adj adv aj ak akt alch amer anat angl anglosas anon ap apod arab arch archit arg astr astrol "
    "atd atp att aut bd belg bibl biogr biol boh bot br bulh bás cca chcsl chem cit cizojaz col csl círk dat dep "
    "dial dl doc dol dop dopr dosl dór děj dět ed ekon epic etnonym eufem ev event f facs fam fasc fem fil film "
    "fol form fot fr franc fut fyz gen geogr geol geom germ gram hebr herald hist hl hod hor horn hovor hrsg hud "
    "hut ibid ie il imp impf ind indoevr inf instr interj iron it ión jap jhdt jv kanad katalán kl klas kniž koed "
    "kol komp konj konkr korej kr krit kuch kř lat les lid lit liturg log lok lék m mat maď meteor metr mj ml mld "
    "mod mp ms mysl n např neklas nepubl nesklon než no nom nprap nr náb námoř násl něm ob obch obr obyč odd odp "
    "ojed okr opr opt orig p part pas pejor pers pf phil pl plpf pokrač pol pomn popř port pozn prep prof práv "
    "pseud pt předl přel přeprac přivl příl r rcsl red refl reg repr resp revid rkp roz rozš roč rum rus s samohl "
    "samost sect sest seš sg sign sl slang slov souhl spec sport srov srv st stfr stol stsl střv subj subst superl "
    "sv sz tab tech telev teol tis tj trans typogr tzn tzv táz tř univ uspoř var vedl verb voj vok vol vs vulg vyd "
    "vyobr vztaž výtv vč vůb zahr zal zast zejm zeměd zkr zprac zvl zájm zř č čas čes čj čp čín ř řec šk špan švýc ";

bool is_abbreviation(const std::string& word, std::string_view language) {
  const bool is_number = word.find_first_not_of("0123456789") == std::string::npos;
  if (language == "de" && is_number) return word.size() <= 2 && word[0] != '0';
  const std::string_view list = language == "de"   ? german_abbreviations
                                : language == "fr" ? french_abbreviations
                                : language == "cs" ? czech_abbreviations
                                                   : english_abbreviations;
  return list.find(" " + word + " ") != std::string_view::npos;
}

bool begins_lower(const std::string& word) {
  const char32_t first = characters_of(word)[0];
  return autograd::has_case(first) && autograd::lower(first) == first;
}

// Whether the point at the end of word `i` belongs to it.
bool keeps_point(const std::vector<std::string>& words, std::size_t i, std::string_view language) {
  const std::string before = words[i].substr(0, words[i].size() - 1);
  const Text characters = characters_of(before);
  const bool has_points =
      before.find('.') != std::string::npos && std::any_of(characters.begin(), characters.end(), is_letter);
  const bool is_mark = before.empty() || before.ends_with('.');  // "." or "..."
  const bool goes_on = i + 1 < words.size() && begins_lower(words[i + 1]);
  return is_mark || has_points || goes_on || is_abbreviation(before, language);
}

}  // namespace

std::vector<std::string> tokenize_moses(std::string_view line, std::string_view language) {
  const bool apostrophes_have_rules = language == "en" || language == "fr";
  Text text = set_marks_apart(normalize(autograd::lower_case(line), language), apostrophes_have_rules);
  if (apostrophes_have_rules) split_apostrophes(text, language == "en");
  std::string bytes;
  for (const char32_t c : text) autograd::append_character(bytes, c);
  const std::vector<std::string> words = split_at_white_space(bytes);
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < words.size(); ++i) {
    tokens.push_back(words[i]);
    if (!words[i].ends_with('.') || keeps_point(words, i, language)) continue;
    tokens.back().pop_back();
    tokens.emplace_back(".");
  }
  return tokens;
}

}  // namespace nn
