// A small part of the artificial language of examples/translate: sentences of a subject, a verb and an object.
//
//   la teke vomoto dovira ne bope   ->   dar telkig garn nei brelt kremmen
//
// Adjectives follow the noun here and before it there, and the verb goes to the end. The translator has whole
// layers that are differentiated by hand.
#include <map>

#include "examples/translate/data/artificial_words.h"
#include "mine/decoder.h"
#include "mine/layers.h"
#include "mine/ops.h"
#include "mine/translator.h"

namespace mine {
namespace {

// ---- the language --------------------------------------------------------------------------------------------------

constexpr translate::WordPair articles[] = {{"la", "dar"}, {"ne", "nei"}};

// Words by id, in both languages alike: the translation of a word has its id.
struct Vocabulary {
  std::vector<std::string> source = {"", "", ""};
  std::vector<std::string> target = {"", "", ""};

  template <class Words> std::pair<std::int64_t, std::int64_t> add(const Words& words) {
    const auto first = static_cast<std::int64_t>(source.size());
    for (const auto& word : words) {
      source.emplace_back(word.source);
      target.emplace_back(word.target);
    }
    return {first, static_cast<std::int64_t>(source.size())};
  }
};

class Language {
 public:
  Language()
      : article_(words.add(articles)),
        noun_(words.add(translate::nouns)),
        adjective_(words.add(translate::adjectives)),
        verb_(words.add(translate::verbs)) {}

  Pair sentence(autograd::Generator& random) const {
    Pair pair;
    add_noun(pair, random);
    const std::int64_t verb = any(verb_, random);
    pair.source.push_back(verb);
    add_noun(pair, random);
    pair.target.push_back(verb);
    return pair;
  }

  Vocabulary words;

 private:
  using Range = std::pair<std::int64_t, std::int64_t>;

  static std::int64_t any(const Range& range, autograd::Generator& random) {
    return random.integer(range.first, range.second);
  }

  void add_noun(Pair& pair, autograd::Generator& random) const {
    const std::int64_t article = any(article_, random);
    const std::int64_t noun = any(noun_, random);
    const bool has_adjective = random.integer(0, 2) == 1;
    const std::int64_t adjective = any(adjective_, random);
    pair.source.insert(pair.source.end(), {article, noun});
    pair.target.push_back(article);
    if (has_adjective) pair.source.push_back(adjective);
    if (has_adjective) pair.target.push_back(adjective);
    pair.target.push_back(noun);
  }

  Range article_, noun_, adjective_, verb_;
};

// A tenth of all sentences is kept for testing.
bool is_held_out(const Pair& pair) {
  std::int64_t sum = 0;
  for (const std::int64_t word : pair.source) sum = sum * 31 + word;
  return sum % 10 == 0;
}

Pair draw(const Language& language, autograd::Generator& random, bool held_out) {
  while (true) {
    Pair pair = language.sentence(random);
    if (is_held_out(pair) == held_out) return pair;
  }
}

// ---- the translator ------------------------------------------------------------------------------------------------

constexpr std::int64_t embed = 32;
constexpr std::int64_t encoder = 24;  // of each direction: too few numbers for a whole sentence
constexpr std::int64_t hidden = 64;

class SentenceTranslator final : public Translator {
 public:
  explicit SentenceTranslator(std::int64_t words)
      : source_embedding_(parameter("source embedding", {words, embed})),
        right_(recurrent("encoder, to the right: ")),
        left_(recurrent("encoder, to the left: ")),
        first_state_(parameter("first state: weight", {hidden, 2 * encoder})),
        target_embedding_(parameter("target embedding", {words, embed})),
        W_(parameter("attention: W", {hidden, hidden})),
        U_(parameter("attention: U", {hidden, 2 * encoder})),
        v_(parameter("attention: v", {hidden})),
        weight_ih_(parameter("GRU: weight_ih", {3 * hidden, embed + 2 * encoder})),
        weight_hh_(parameter("GRU: weight_hh", {3 * hidden, hidden})),
        readout_(parameter("readout: weight", {words, hidden})),
        readout_bias_(parameter("readout: bias", {words})) {}

  Tensor loss(const Batch& batch) const override {
    const Tensor H = read(batch);
    const Tensor words = ops::embedding(target_embedding_, batch.targets.in, padding);
    const Tensor states =
        decoder::decode({words, first_state(H, batch), H, batch.mask, W_, U_, v_, weight_ih_, weight_hh_});
    const Tensor logits = ops::linear(states.reshape({-1, hidden}), readout_, readout_bias_);
    return ops::token_loss(logits.reshape({states.size(0), states.size(1), readout_.size(0)}), batch.targets.out,
                           batch.targets.out != padding);
  }

  Start begin(const Batch& batch) const override {
    const Tensor H = read(batch);
    const Tensor keys = autograd::linear(H, U_);
    const Stepper stepper = [this, H, keys, mask = batch.mask](const Tensor& words, const Tensor& state) {
      const Tensor word = ops::embedding(target_embedding_, words.unsqueeze(1), padding).select(1, 0);
      const auto [next, weights] = decoder::memory_step(word, state, keys, H, mask, {W_, v_, weight_ih_, weight_hh_});
      return Step{ops::linear(next, readout_, readout_bias_), next, Tensor(), weights};
    };
    return {stepper, first_state(H, batch)};
  }

 private:
  // Both directions side by side, 0 at the padding.
  Tensor read(const Batch& batch) const {
    const Tensor words = ops::embedding(source_embedding_, batch.source, padding);
    const Tensor to_the_right = layers::rnn(words, right_);
    const Tensor reversed = layers::rnn(layers::reverse_tokens(words, batch.lengths), left_);
    const Tensor to_the_left = layers::reverse_tokens(reversed, batch.lengths);
    return ops::multiply(ops::cat({to_the_right, to_the_left}, 2), batch.mask.unsqueeze(2).to(autograd::float64));
  }

  // From the mean of all states.
  Tensor first_state(const Tensor& H, const Batch& batch) const {
    const Tensor share = 1.0 / batch.mask.to(autograd::float64).sum({1}, true);
    return tanh(ops::linear(ops::multiply(ops::sum(H, 1), share), first_state_));
  }

  Tensors recurrent(const std::string& name) {
    return {parameter(name + "weight_ih", {encoder, embed}), parameter(name + "weight_hh", {encoder, encoder}),
            parameter(name + "bias", {encoder})};
  }

  Tensor source_embedding_;
  Tensors right_, left_;
  Tensor first_state_;
  Tensor target_embedding_;
  Tensor W_, U_, v_, weight_ih_, weight_hh_;
  Tensor readout_, readout_bias_;
};

}  // namespace

Task sentences() {
  const auto language = std::make_shared<Language>();
  Task task;
  task.what = "sentences";
  task.about = "of one invented language -> another, with adjectives and verb in other places";
  task.source_words = language->words.source;
  task.target_words = language->words.target;
  task.separator = " ";
  task.translator = std::make_unique<SentenceTranslator>(task.source_words.size());
  task.draw = [language](autograd::Generator& random) { return draw(*language, random, false); };
  autograd::Generator random(1);
  for (int i = 0; i < 200; ++i) task.held_out.push_back(draw(*language, random, true));
  task.most_words = 9;
  task.steps = 600;
  task.learning_rate = 1e-2;
  return task;
}

}  // namespace mine
