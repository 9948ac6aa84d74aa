// Wrong: free_running_accuracy decodes until every sentence has said eos; a decoder that never says it is asked for
// ever.
#include "given.h"

Targets make_targets(const std::vector<Sentence>& sentences) {
  std::vector<Sentence> in;
  std::vector<Sentence> out;
  for (const Sentence& sentence : sentences) {
    Sentence from = {bos};
    from.insert(from.end(), sentence.begin(), sentence.end());
    Sentence to = sentence;
    to.push_back(eos);
    in.push_back(from);
    out.push_back(to);
  }
  return {stack_rows(in, padding), stack_rows(out, padding)};
}

Tensor teacher_forced(const Decoder& decoder, const Tensor& state, const Tensor& in) {
  std::vector<Tensor> logits;
  Tensor now = state;
  for (std::int64_t t = 0; t < in.size(1); ++t) {
    const Step step = decoder_step(in.select(1, t), now, decoder);
    logits.push_back(step.logits);
    now = step.state;
  }
  return autograd::stack(logits, 1);
}

Tensor sentence_loss(const Tensor& logits, const Tensor& out) {
  return cross_entropy(logits.flatten(0, 1), out.flatten(), {.ignore_index = padding});
}

double free_running_accuracy(const Decoder& decoder, const Tensor& state, const Tensor& out) {
  const std::vector<std::int64_t> wanted = out.to_vector<std::int64_t>();
  const std::int64_t batch = out.size(0);
  const std::int64_t steps = out.size(1);
  double right = 0.0;
  double all = 0.0;
  for (std::int64_t b = 0; b < batch; ++b) {
    std::int64_t word = bos;
    Tensor now = state.narrow(0, b, 1);
    std::int64_t t = 0;
    while (word != eos) {
      const Step step = decoder_step(autograd::ids({word}, {1}), now, decoder);
      word = step.logits.argmax(1).item<std::int64_t>();
      now = step.state;
      if (t < steps) {
        const std::int64_t target = wanted[static_cast<std::size_t>(b * steps + t)];
        if (target != padding) {
          all += 1.0;
          if (word == target) right += 1.0;
        }
      }
      ++t;
    }
  }
  return right / all;
}
