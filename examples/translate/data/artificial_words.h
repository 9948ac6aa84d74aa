// The words of the artificial languages (artificial_language.h). Source words end in vowels, target words mostly do
// not, and no word belongs to both.
#pragma once

namespace translate {

struct WordPair {
  const char* source;
  const char* target;
};

struct NounPair {
  const char* source;
  const char* target;
  int gender;  // 0, 1 or 2; the word itself does not show it
};

inline constexpr NounPair nouns[] = {
    {"teke", "garn", 0},   {"lera", "nelm", 0},  {"vamu", "knorm", 0}, {"leba", "flalm", 0}, {"lome", "trern", 0},
    {"bave", "gosk", 0},   {"tiba", "krilt", 0}, {"nofa", "strop", 0}, {"sako", "drund", 0}, {"sona", "bron", 0},
    {"rada", "kromp", 0},  {"suro", "melk", 0},  {"bope", "brelt", 1}, {"pidu", "grent", 1}, {"lefu", "knelk", 1},
    {"reva", "strolk", 1}, {"tube", "trelk", 1}, {"kafi", "graff", 1}, {"bive", "brenk", 1}, {"nusi", "tralm", 1},
    {"fetu", "spink", 1},  {"taso", "foft", 1},  {"dipo", "dralt", 1}, {"neze", "flerm", 1}, {"depo", "krumpf", 2},
    {"susi", "pfelt", 2},  {"runo", "steng", 2}, {"lava", "nalm", 2},  {"tavo", "dulk", 2},  {"peru", "wirk", 2},
    {"tuti", "torm", 2},   {"fise", "grusk", 2}, {"lulo", "slint", 2}, {"dono", "brask", 2}, {"redi", "hilp", 2},
    {"kero", "mulk", 2},
};

// Nouns that form compounds: "teke na mupu" becomes one word, "holtgarn".
inline constexpr int compound_nouns[] = {0, 1, 12, 13, 24, 25};  // indices into `nouns`
inline constexpr WordPair materials[] = {
    {"mupu", "holt"}, {"valu", "stran"}, {"fonu", "gel"}, {"lubi", "brus"}, {"puki", "fir"},
};
inline constexpr const char* linker = "na";

inline constexpr WordPair adjectives[] = {
    {"zabetu", "krelig"},  {"sirema", "brosig"},  {"vomoto", "telkig"},  {"zirama", "wumpig"},
    {"fipoke", "nalmig"},  {"bofiti", "stridig"}, {"pudofu", "gorbig"},  {"lepira", "flumig"},
    {"pafuve", "kerstig"}, {"fimoso", "dolmig"},  {"pitadi", "snarig"},  {"dutona", "pintig"},
    {"supadu", "hurmig"},  {"misuvo", "lankig"},  {"fikiko", "brimmig"}, {"desipo", "velmig"},
};

inline constexpr WordPair verbs[] = {
    {"dovira", "kremmen"}, {"vovara", "stolken"},  {"lezira", "drinten"}, {"nipera", "galfen"},
    {"kasara", "murpen"},  {"mizara", "schalmen"}, {"nenura", "flasken"}, {"nefera", "brutten"},
    {"korira", "wengen"},  {"pivora", "lorpen"},   {"vepara", "pfinden"}, {"nirera", "knarsten"},
    {"manara", "gilpen"},  {"lurira", "tresken"},  {"nizara", "hopfern"}, {"zekera", "zunken"},
};

// Verbs that become two words: row s, column p is the verb for stem s with particle p.
inline constexpr const char* stems[] = {"bolgen", "strumen", "riften", "wasken"};
inline constexpr const char* particles[] = {"ak", "ol", "ep", "ur"};
inline constexpr const char* particle_verbs[4][4] = {
    {"demura", "zatira", "pepora", "bakura"},
    {"pozera", "rivura", "nakera", "perara"},
    {"milara", "ripira", "dafera", "direra"},
    {"kuzura", "vusara", "disara", "nopira"},
};

inline constexpr WordPair adverbs[] = {
    {"tazeti", "morks"}, {"kinibi", "heults"}, {"maroki", "stads"}, {"livoki", "plons"}, {"sanoti", "drims"},
    {"rutiri", "kirts"}, {"duzeti", "nurns"},  {"dazini", "felks"}, {"votedi", "gests"}, {"sivemi", "trels"},
};

inline constexpr WordPair prepositions[] = {
    {"po", "bai"}, {"ku", "unt"}, {"li", "hor"}, {"zo", "mig"}, {"mi", "zup"}, {"be", "vur"},
};

inline constexpr WordPair auxiliaries[] = {{"vo", "hest"}, {"ri", "wirs"}, {"ta", "moln"}};

// After a coordinating conjunction a clause has main-clause word order, after a subordinating one subordinate order.
inline constexpr WordPair coordinating[] = {{"ena", "ond"}, {"odo", "odr"}, {"ma", "abr"}};
inline constexpr WordPair subordinating[] = {{"kese", "wail"}, {"dume", "wenz"}, {"sivu", "damt"}};

// Articles by the gender of their noun: "la teke" is "dar garn", "la bope" is "dei brelt".
struct ArticlePair {
  const char* source;
  const char* target[3];
};
inline constexpr ArticlePair articles[] = {{"la", {"dar", "dei", "dos"}}, {"ne", {"nar", "nei", "nos"}}};

inline constexpr const char* politeness = "ya";  // a source word that is not translated
inline constexpr const char* comma = ",";        // a target word that translates nothing

}  // namespace translate
