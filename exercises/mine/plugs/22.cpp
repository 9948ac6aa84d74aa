// the loss of words, by cross-entropy
#include "mine/plug.h"

extern "C" void plug_in(mine::Parts& parts) {
  parts.word_loss = cross_entropy_loss;
  parts.word_loss_backward = cross_entropy_backward;
}
