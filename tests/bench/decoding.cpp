// Greedy decoding of 64 sentences with the translator of seq2seq_step, in one batch or one by one.

#include <nn/nn.h>

#include <cstdint>
#include <string>
#include <vector>

#include "bench/translator.h"
#include "bench/workload.h"

namespace bench {
namespace {

using autograd::Tensor;

void greedy_decode(const Run& run, std::int64_t batch) {
  const TranslatorSizes sizes = full_translator;
  nn::Seq2Seq model(options_of(sizes));
  model.eval();
  const Sentences data(sizes);
  constexpr std::int64_t no_end = -1;  // all sentences get the whole number of words
  const auto decode_all = [&] {
    for (std::int64_t first = 0; first < sizes.batch; first += batch) {
      const Tensor source = data.source.narrow(0, first, batch);
      const auto lengths = data.lengths.begin() + first;
      keep(model.greedy(source, {lengths, lengths + batch}, {.bos = 1, .eos = no_end, .max_length = sizes.target}));
    }
  };
  const Timing timing = run.time(decode_all);
  run.record_time("all_sentences", timing, "ms");
  run.record_rate("sentences", timing, static_cast<double>(sizes.batch), 1.0, "sentences/s");
  run.record_time("token", timing, "us/token", static_cast<double>(sizes.batch * sizes.target));
}

}  // namespace

void add_decoding(std::vector<Workload>& all) {
  for (const std::int64_t batch : {64, 1}) {
    const std::string number = std::to_string(batch);
    all.push_back({"greedy_decode_batch" + number, "model of seq2seq_step, 64 sentences, 15 steps, batch " + number,
                   [batch](const Run& run) { greedy_decode(run, batch); }});
  }
}

}  // namespace bench
