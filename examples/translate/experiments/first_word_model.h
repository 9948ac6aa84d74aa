// FirstWordModel: the smallest model that can show how a gradient gets from the end of the decoder back to the
// beginning of the encoder, with and without attention. The encoder reads S words, the decoder makes as many steps, and
// after the last one it has to say which word came first:
//
//   h_i   = GRU(x_i, h_{i-1})           i = 1 .. S, forwards only
//   s_0   = tanh(W_0 h_S)
//   s_t   = GRU(c_t, s_{t-1})           t = 1 .. S
//   loss  = cross-entropy of W [s_S; c_S] with the word x_1
//
//   context    c_t                                                      the shortest way from h_1 to the loss
//   none       0 (Sutskever, Vinyals and Le 2014: the state carries all)     2 S - 1 steps of a GRU, and W_0
//   fixed      h_S at every step (Cho et al. 2014; "vanilla" here)           S - 1
//   attention  additive, over h_1 .. h_S (Bahdanau et al. 2015)              none: h_1 is in c_S
//
// Why not the translator itself? Its encoder also reads backwards, and the backward state of the first word is the
// *last* one that it computes, which would hide the effect. And one cannot ask for the gradients of states inside a
// recurrent layer; here the states are made one by one.
#pragma once

#include <nn/nn.h>

#include <string_view>
#include <vector>

namespace translate {

using autograd::Tensor;
using autograd::Where;

enum class Context { none, fixed, attention };
inline constexpr Context all_contexts[] = {Context::none, Context::fixed, Context::attention};
std::string_view name(Context context);

struct FirstWordModelOptions {
  Context context = Context::attention;
  std::int64_t words = 16;  // the vocabulary
  std::int64_t hidden_dim = 32;
};

class FirstWordModel : public nn::Module {
 public:
  explicit FirstWordModel(const FirstWordModelOptions& options);

  struct Output {
    Tensor logits;       // [batch, words]
    Tensor first_state;  // h_1 [batch, hidden], in the graph of the logits
  };
  // src: [batch, S] ids. Computes in float64, because the gradients of long sentences are too small for float32.
  Output operator()(const Tensor& src, Where where = Where::current()) const;

  const FirstWordModelOptions options;
  nn::Embedding embedding;
  nn::GRUCell encoder;
  nn::Linear initial;  // W_0
  nn::AdditiveAttention attention;
  nn::GRUCell decoder;
  nn::Linear output;  // W

 private:
  std::vector<Tensor> encode(const Tensor& src) const;  // h_1 .. h_S, each [batch, hidden]
};

// Returns random words: [batch, length], int64.
Tensor random_words(std::int64_t batch, std::int64_t length, std::int64_t words, autograd::Generator& random);

// How much of the error arrives at the first word, averaged over a batch of sentences of one length.
struct GradientNorms {
  double at_first_state = 0.0;  // |dL/dh_1|, L the loss of one sentence
  double at_logits = 0.0;       // |dL/dlogits|, which is small where the model is right already
  // |dL/dh_1| / |dL/dlogits|: how much of an error of size 1 arrives, however much has been learnt.
  double transmitted() const { return at_first_state / at_logits; }
};
GradientNorms gradient_norms(const FirstWordModel& model, const Tensor& src);

// Returns the share of first words that are right, 0 to 1.
double first_word_accuracy(const FirstWordModel& model, const Tensor& src);

}  // namespace translate
