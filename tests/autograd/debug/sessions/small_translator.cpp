// A translator with attention, as somebody may write one to learn: the program of docs/debugger.md.
#include <autograd/autograd.h>
#include <fmt/core.h>
#include <nn/nn.h>

using autograd::Tensor;
using autograd::Where;

// Which of the words read does the next word written need?
struct Attention : nn::Module {
  nn::Linear to_query{{.in_features = 6, .out_features = 5}};
  nn::Linear to_key{{.in_features = 6, .out_features = 5}};
  nn::Linear to_score{{.in_features = 5, .out_features = 1}};

  Attention() {
    register_module("to_query", to_query);
    register_module("to_key", to_key);
    register_module("to_score", to_score);
  }
  Tensor operator()(const Tensor& state, const Tensor& words, Where where = Where::current()) const {
    const autograd::ScopeGuard scope(name(), where);
    const Tensor query = to_query(state).unsqueeze(1);                               // [batch, 1, 5]
    const Tensor hidden = autograd::tanh(query + to_key(words)).set_name("hidden");  // [batch, source, 5]
    const Tensor scores = to_score(hidden).squeeze(2).set_name("scores");            // [batch, source]
    const Tensor weights = autograd::softmax(scores, 1).set_name("weights");         // [batch, source]
    return autograd::bmm(weights.unsqueeze(1), words).squeeze(1);                    // [batch, 6]
  }
};

struct Translator : nn::Module {
  nn::Embedding embedding{{.num_embeddings = 10, .embedding_dim = 4}};
  nn::GRU encoder{{.input_size = 4, .hidden_size = 6, .batch_first = true}};
  nn::GRUCell decoder{{.input_size = 4 + 6, .hidden_size = 6}};
  Attention attention;
  nn::Linear to_word{{.in_features = 6, .out_features = 10}};

  Translator() {
    register_module("embedding", embedding);
    register_module("encoder", encoder);
    register_module("decoder", decoder);
    register_module("attention", attention);
    register_module("to_word", to_word);
  }
  Tensor loss(const Tensor& source, const Tensor& target, Where where = Where::current()) const {
    const autograd::ScopeGuard scope("translator", where);
    const auto [words, last] = encoder(embedding(source));
    Tensor state = last.select(0, 0);
    Tensor sum = autograd::zeros({});
    for (std::int64_t step = 0; step + 1 < target.shape()[1]; ++step) {
      const autograd::StepScope time(step);
      const Tensor context = attention(state, words).set_name("context");
      state = decoder(autograd::cat({embedding(target.select(1, step)), context}, 1), state).set_name("state");
      sum = sum + autograd::cross_entropy(to_word(state), target.select(1, step + 1));
    }
    return sum;
  }
};

int main() {
  autograd::manual_seed(7);
  const Translator translator;
  const Tensor source = autograd::tensor({{3, 4, 5, 6}, {7, 8, 3, 9}}, autograd::int64);
  const Tensor target = autograd::tensor({{1, 6, 5, 4, 2}, {1, 9, 3, 8, 2}}, autograd::int64);
  nn::Adam optimizer(translator.parameters(), {.lr = 0.01});
  for (int epoch = 0; epoch < 3; ++epoch) {
    optimizer.zero_grad();
    const Tensor loss = translator.loss(source, target).set_name("loss");
    loss.backward();
    optimizer.step();
    fmt::print("epoch {}: loss {:.4f}\n", epoch, loss.item());
  }
}
