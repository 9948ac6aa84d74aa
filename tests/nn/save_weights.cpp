// Loads PyTorch's weights of the small encoder-decoder and saves the model's state_dict again, for
// tests/fixtures/check_state_dict.py, which loads the file into PyTorch with strict=True:
//
//   save_weights FILE.safetensors
#include <nn/nn.h>

#include <cstdio>
#include <exception>

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::fprintf(stderr, "usage: save_weights FILE.safetensors\n");
    return 2;
  }
  try {
    nn::Seq2Seq model({.encoder = {.vocab_size = 11, .embed_dim = 3, .hidden_dim = 4},
                       .decoder = {.vocab_size = 13, .embed_dim = 5, .hidden_dim = 4}});
    model.load_state_dict(nn::load_safetensors(BACKSTEP_FIXTURES "/weights.safetensors").tensors);
    nn::save_safetensors(arguments[1], model.state_dict());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
