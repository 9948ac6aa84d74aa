// The modules of nn: made with any options, called with any tensors.
#include <nn/nn.h>

#include "calls.h"

namespace random_calls {
namespace {

using namespace autograd;

// A size of the call's own tensors, at times anything.
std::int64_t option(Args& a, char letter) {
  const std::int64_t size = a.size(letter);
  return a.integer(size, size);
}

nn::RecurrentOptions recurrent(Args& a) {
  return {.input_size = option(a, 'i'),
          .hidden_size = option(a, 'h'),
          .num_layers = a.integer(1, 2),
          .bias = a.flag(),
          .batch_first = false,
          .dropout = a.real(0.0, 1.0),
          .bidirectional = false,
          .dtype = a.floating()};
}

Calls layers() {
  return {
      {"Linear",
       [](Args& a) -> Result {
         const nn::Linear module({option(a, 'i'), option(a, 'o'), a.flag(), a.floating()});
         return module(a.tensor("bi"));
       }},
      {"Embedding",
       [](Args& a) -> Result {
         const nn::Embedding module({.num_embeddings = option(a, 'v'), .embedding_dim = option(a, 'n')});
         return module(a.integers("bt", a.size('v')));
       }},
      {"LayerNorm",
       [](Args& a) -> Result {
         const nn::LayerNorm module({.normalized_shape = a.shape_of("n"),
                                     .eps = a.real(0.0, 0.1),
                                     .elementwise_affine = a.flag(),
                                     .bias = a.flag(),
                                     .dtype = a.floating()});
         return module(a.tensor("bn"));
       },
       Values::any},
      {"Dropout", [](Args& a) -> Result { return nn::Dropout({.p = a.real(-0.1, 1.1)})(a.tensor()); }},
      {"GRU",
       [](Args& a) -> Result {
         const nn::GRU module(recurrent(a));
         const auto found = module(a.tensor("tbi"), Tensor(), a.flag() ? a.list(1, 3) : std::vector<std::int64_t>());
         return std::vector{found.output, found.state};
       }},
      {"LSTM",
       [](Args& a) -> Result {
         const nn::LSTM module(recurrent(a));
         const auto found = module(a.tensor("tbi"));
         return std::vector{found.output, found.state, found.cell};
       }},
      {"GRUCell",
       [](Args& a) -> Result {
         const nn::GRUCell module({option(a, 'i'), option(a, 'h'), a.flag(), a.floating()});
         return module(a.tensor("bi"), a.optional("bh"));
       }},
      {"LSTMCell",
       [](Args& a) -> Result {
         const nn::LSTMCell module({option(a, 'i'), option(a, 'h'), a.flag(), a.floating()});
         const auto found = module(a.tensor("bi"), {a.optional("bh"), a.optional("bh")});
         return std::vector{found.hidden, found.cell};
       }},
  };
}

Result attend(Args& a, const std::string& kind) {
  const auto attention = nn::make_attention(kind, {.decoder_dim = option(a, 'd'),
                                                   .encoder_dim = option(a, 'e'),
                                                   .attention_dim = option(a, 'o'),
                                                   .dropout = 0.0,
                                                   .dtype = a.floating()});
  const Tensor outputs = a.tensor("bse");
  const nn::AttentionSource source = attention->read_source(outputs, a.flag() ? a.mask("bs") : Tensor());
  nn::AttentionMemory memory;
  const auto found = (*attention)(a.tensor("bd"), source, memory);
  return std::vector{found.context, found.weights};
}

Calls attention() {
  Calls calls = {
      {"AdditiveAttention",
       [](Args& a) -> Result {
         const nn::AdditiveAttention module({.decoder_dim = option(a, 'd'),
                                             .encoder_dim = option(a, 'e'),
                                             .attention_dim = option(a, 'o'),
                                             .bias = a.flag(),
                                             .dtype = a.floating()});
         const Tensor outputs = a.tensor("bse");
         const auto found = module(a.tensor("btd"), outputs, a.flag() ? a.mask("bs") : Tensor());
         return std::vector{found.context, found.weights};
       }},
      {"MultiHeadAttention",
       [](Args& a) -> Result {
         const nn::MultiHeadAttention module(
             {.embed_dim = option(a, 'e'), .num_heads = a.integer(1, 2), .bias = a.flag(), .dtype = a.floating()});
         const Tensor keys = a.tensor("bse");
         const auto found =
             module(a.tensor("bte"), keys, keys, {.mask = a.flag() ? a.mask("bs") : Tensor(), .causal = a.flag()});
         return std::vector{found.output, found.weights};
       }},
      {"coverage_loss", [](Args& a) -> Result { return nn::coverage_loss(a.tensor("bs"), a.optional("bs")); }},
      {"coverage_loss_of_steps", [](Args& a) -> Result { return nn::coverage_loss_of_steps(a.tensor("bts")); }},
  };
  for (const std::string& kind : nn::attention_kinds()) {
    calls.push_back({kind + " attention", [kind](Args& a) { return attend(a, kind); }});
  }
  return calls;
}

}  // namespace

Calls module_calls() {
  Calls together = layers();
  const Calls more = attention();
  together.insert(together.end(), more.begin(), more.end());
  return together;
}

}  // namespace random_calls
