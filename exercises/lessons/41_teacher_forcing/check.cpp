#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{"batch", 3}, {"steps", 5}, {"word", 2}, {"state", 6}, {"vocabulary", 9}};

// Not in given.h: in `learn mine` it is the learner's, with attention (exercises/mine/plugs).
Step given::decoder_step(const Tensor& words, const Tensor& state, const Decoder& decoder) {
  const Tensor x = embedding(decoder.embedding, words);
  const Tensor next = tanh(linear(x, decoder.from_word) + linear(state, decoder.from_state));
  return {linear(next, decoder.readout, decoder.readout_bias), next};
}

namespace {

Decoder random_decoder(Check& check) {
  Decoder decoder;
  decoder.embedding = check.uniform("embedding", {"vocabulary", "word"}, -4.0, 4.0);
  decoder.from_word = check.randn("from_word", {"state", "word"});
  decoder.from_state = check.randn("from_state", {"state", "state"});
  decoder.readout = check.randn("readout", {"vocabulary", "state"});
  const Tensor bias = autograd::zeros({check.size("vocabulary")}, autograd::float64);
  bias.set_({padding}, -20.0);  // this decoder never says padding or bos
  if (check.size("vocabulary") > 1) bias.set_({bos}, -20.0);
  decoder.readout_bias = check.input("readout_bias", bias);
  return decoder;
}

// So many words to say in sentence b, eos included: all steps, two fewer, four fewer, and again.
std::int64_t length_of(std::int64_t b, Check& check) {
  return std::max(std::min<std::int64_t>(2, check.size("steps")), check.size("steps") - 2 * (b % 3));
}

std::vector<Sentence> random_sentences(Check& check) {
  std::vector<Sentence> sentences;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) {
    Sentence sentence;
    for (std::int64_t t = 0; t + 1 < length_of(b, check); ++t) {
      sentence.push_back(check.random().integer(3, std::max<std::int64_t>(4, check.size("vocabulary"))));
    }
    sentences.push_back(sentence);
  }
  return sentences;
}

enum class Last { any_word, eos };

// [batch, steps], padding after the end. Where they end with eos, all others are words as make_targets() has them.
Tensor random_words(const std::string& name, Last last, Check& check) {
  std::vector<std::int64_t> words;
  const bool ends = last == Last::eos && check.size("vocabulary") > eos;
  for (std::int64_t b = 0; b < check.size("batch"); ++b) {
    for (std::int64_t t = 0; t < check.size("steps"); ++t) {
      std::int64_t word = check.random().integer(1, std::max<std::int64_t>(2, check.size("vocabulary")));
      if (ends)
        word = t + 1 == length_of(b, check) ? eos : std::max(word, std::min(eos + 1, check.size("vocabulary") - 1));
      words.push_back(t < length_of(b, check) ? word : padding);
    }
  }
  return check.input(name, autograd::ids(words, check.shape({"batch", "steps"})));
}

// What the decoder says if it is corrected once in each sentence: a teacher finds one mistake there, and left to itself
// the decoder never comes back from it.
Tensor words_with_one_correction(const Decoder& decoder, const Tensor& state, Check& check) {
  const std::int64_t batch = state.size(0);
  std::vector<Sentence> rows(static_cast<std::size_t>(batch));
  Tensor words = autograd::full({batch}, static_cast<double>(bos), autograd::int64);
  Tensor now = state;
  for (std::int64_t t = 0; t < check.size("steps"); ++t) {
    const Step step = decoder_step(words, now, decoder);
    std::vector<std::int64_t> said = step.logits.argmax(1).to_vector<std::int64_t>();
    for (std::int64_t b = 0; b < batch; ++b) {
      std::int64_t& word = said[static_cast<std::size_t>(b)];
      if (t == b % 2) word = word == check.size("vocabulary") - 1 ? eos : word + 1;
      rows[static_cast<std::size_t>(b)].push_back(t < length_of(b, check) ? word : padding);
    }
    words = autograd::ids(said, {batch});
    now = step.state;
  }
  return check.input("out of the test", stack_rows(rows, padding));
}

void check_targets(const Answer& answer, Check& check) {
  const Targets targets = answer.make_targets(random_sentences(check));
  check.compare("in", targets.in);
  check.compare("out", targets.out, {.may_be_zero = true});
}

// What is said at step t may depend on the words before t only.
void check_nothing_is_seen_early(const Answer& answer, const Decoder& decoder, const Tensor& state, Check& check) {
  std::vector<Sentence> sentences = random_sentences(check);
  const Tensor logits = answer.teacher_forced(decoder, state, answer.make_targets(sentences).in);
  const std::int64_t changed = check.size("steps") / 2 - 1;  // the word of this step becomes another one
  if (changed < 0 || check.size("vocabulary") < 5) return;
  auto& word = sentences[0][static_cast<std::size_t>(changed)];
  word = word == 3 ? 4 : 3;
  const Tensor others = answer.teacher_forced(decoder, state, answer.make_targets(sentences).in);
  const Tensor before = logits.narrow(1, 0, changed + 1);
  check.require("no word is seen before it is said",
                logits.size(1) > changed + 1 && autograd::allclose(before, others.narrow(1, 0, changed + 1)),
                "a word of the sentence was changed, and the logits of the step that has to say it changed as well: "
                "the step was given what it is to find out");
}

void check_loss(const Answer& answer, Check& check) {
  const Tensor logits = check.randn("logits", {"batch", "steps", "vocabulary"});
  const Tensor out = random_words("out of the loss", Last::eos, check);
  const Tensor loss = answer.sentence_loss(logits, out);
  check.compare("loss", loss, {.may_be_zero = true});

  const Tensor more_out = autograd::cat({out, autograd::full({out.size(0), 2}, padding, autograd::int64)}, 1);
  const Tensor more_logits =
      autograd::cat({logits, autograd::ones({out.size(0), 2, logits.size(2)}, autograd::float64)}, 1);
  const double longer = answer.sentence_loss(more_logits, more_out).item();
  check.require("padding does not change the loss", std::abs(longer - loss.item()) <= 1e-9 * std::abs(longer) + 1e-12,
                "two more columns of padding change your loss");
}

// Several sentences for one share, since two rules may well say the same few words. Four shares, since one may be right
// by chance.
void check_accuracy(const Answer& answer, const Decoder& decoder, Check& check) {
  const Tensor state = check.randn("state of the test", {24, "state"});
  const Tensor out = words_with_one_correction(decoder, state, check);
  std::int64_t first = 0;
  for (const std::int64_t count : {6, 8, 6, 4}) {
    check.compare("accuracy by itself, sentences " + std::to_string(first + 1) + " to " + std::to_string(first + count),
                  answer.free_running_accuracy(decoder, state.narrow(0, first, count), out.narrow(0, first, count)),
                  {.may_be_zero = true});
    first += count;
  }
  Decoder silent = decoder;
  silent.readout_bias = decoder.readout_bias.clone();
  silent.readout_bias.set_({padding}, 100.0);
  check.compare("accuracy by itself of a decoder that says padding only",
                answer.free_running_accuracy(silent, state, out), {.may_be_zero = true});
}

}  // namespace

void check(const Answer& answer, Check& check) {
  const Decoder decoder = random_decoder(check);
  const Tensor state = check.randn("state", {"batch", "state"});
  check_targets(answer, check);
  check.compare("logits", answer.teacher_forced(decoder, state, random_words("in", Last::any_word, check)));
  check_nothing_is_seen_early(answer, decoder, state, check);
  check_loss(answer, check);
  check_accuracy(answer, decoder, check);
}
