// Drawn with docs/15-translation.md, by the same rule and from the same probabilities
#include <docs/boxes.h>

const Garden model;
struct Beginning {
  std::string words;
  std::int64_t last;
  double p;
};
docs::Boxes picture("Beam search, beam 2", {.column = 86, .box = 76});
picture.box("begin", {2, 0}, {"begin", "p = 1.00"}, docs::learnt);
std::vector<Beginning> kept = {{"begin", 2, 1.0}};
for (int step = 1; step <= 2; ++step) {
  std::vector<Beginning> all;
  for (const Beginning& one : kept) {
    for (std::int64_t word = 4; word <= 8; ++word) {
      const double p = one.p * model.probabilities.at({one.last, word});
      if (p < 1e-6) continue;  // a word that never follows
      all.push_back({(step == 1 ? "" : one.words + " ") + std::to_string(word), word, p});
      picture.arrow(one.words, all.back().words);
    }
  }
  std::vector<Beginning> best = all;
  std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.p > b.p; });
  best.resize(2);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool stays = std::any_of(best.begin(), best.end(), [&](const auto& b) { return b.words == all[i].words; });
    const double middle = (static_cast<double>(all.size()) - 1.0) / 2.0;
    const double column = 2.0 + (static_cast<double>(i) - middle) * (step == 1 ? 2.5 : 1.0);
    picture.box(all[i].words, {column, 1.0 * step}, {all[i].words, fmt::format("p = {:.2f}", all[i].p)},
                stays ? docs::learnt : docs::op);
  }
  kept = best;
}
picture.write("pictures/beam-search.svg");
