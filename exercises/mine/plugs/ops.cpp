// The answers of 11 to 26, but for 13 and 20: derivatives of ops.
#include "mine/plug.h"

#ifdef PLUG_11  // derivatives of products and differences
extern "C" void plug_in(mine::Parts& parts) {
  parts.multiply_backward = mine::in_order(mul_backward);
  parts.subtract_backward = mine::in_order(sub_backward);
}
#endif

#ifdef PLUG_12  // derivatives where shapes broadcast
extern "C" void plug_in(mine::Parts& parts) {
  parts.unbroadcast = unbroadcast;
  parts.product_backward = mine::in_order(product_backward);
}
#endif

#ifdef PLUG_14  // derivatives of transposing and flipping
extern "C" void plug_in(mine::Parts& parts) {
  parts.transpose_backward = transpose_backward;
  parts.flip_backward = flip_backward;
}
#endif

#ifdef PLUG_15  // derivatives of joining and cutting
extern "C" void plug_in(mine::Parts& parts) {
  parts.cat_backward = cat_backward;
  parts.stack_backward = stack_backward;
  parts.narrow_backward = narrow_backward;
}
#endif

#ifdef PLUG_16  // derivatives of matrix products
extern "C" void plug_in(mine::Parts& parts) {
  parts.matmul_backward = mine::in_order(matmul_backward);
  parts.batched_matmul_backward = mine::in_order(batched_matmul_backward);
}
#endif

#ifdef PLUG_17  // derivatives of sums and means
extern "C" void plug_in(mine::Parts& parts) {
  parts.sum_backward = sum_backward;
  parts.mean_backward = mean_backward;
}
#endif

#ifdef PLUG_18  // embeddings of words
extern "C" void plug_in(mine::Parts& parts) {
  parts.lookup = lookup;
  parts.lookup_backward = lookup_backward;
}
#endif

#ifdef PLUG_19  // derivatives of linear layers
extern "C" void plug_in(mine::Parts& parts) {
  parts.linear_backward = [](const Tensor& dy, const Tensor& x, const Tensor& weight) {
    const auto [dx, dw, db] = linear_backward(dy, x, weight);
    return mine::Tensors{dx, dw, db};
  };
}
#endif

#ifdef PLUG_21  // the loss of words, by log-sum-exp
static Tensor right_words(const Tensor& logits, const Tensor& target) {
  return one_hot(target, logits.size(1)).to(logits.dtype());
}

extern "C" void plug_in(mine::Parts& parts) {
  parts.word_loss = [](const Tensor& logits, const Tensor& target) {
    return (log_sum_exp(logits) - (logits * right_words(logits, target)).sum({1})).mean();
  };
  parts.word_loss_backward = [](const Tensor& dy, const Tensor& logits, const Tensor& target) {
    const Tensor each = (dy / static_cast<double>(logits.size(0))).expand({logits.size(0)}).clone();
    const Tensor from_sum = log_sum_exp_backward(each, logits, log_sum_exp(logits));
    return from_sum - each.unsqueeze(1) * right_words(logits, target);
  };
}
#endif

#ifdef PLUG_22  // derivative of the attention weights
extern "C" void plug_in(mine::Parts& parts) {
  parts.weights_backward = [](const Tensor& dy, const Tensor& scores, const Tensor& mask) {
    return softmax_vjp(dy, masked_softmax(scores, mask));
  };
}
#endif

#ifdef PLUG_23  // the loss of words, by log-probabilities
// Of the right words, in the mean of -log p.
static Tensor shares(const Tensor& logits, const Tensor& target) {
  return one_hot(target, logits.size(1)).to(logits.dtype()) / static_cast<double>(-logits.size(0));
}

extern "C" void plug_in(mine::Parts& parts) {
  parts.word_loss = [](const Tensor& logits, const Tensor& target) {
    return (log_probabilities(logits) * shares(logits, target)).sum();
  };
  parts.word_loss_backward = [](const Tensor& dy, const Tensor& logits, const Tensor& target) {
    return log_softmax_vjp(dy * shares(logits, target), log_probabilities(logits));
  };
}
#endif

#ifdef PLUG_24  // the loss of words, by cross-entropy
extern "C" void plug_in(mine::Parts& parts) {
  parts.word_loss = cross_entropy_loss;
  parts.word_loss_backward = cross_entropy_backward;
}
#endif

#ifdef PLUG_25  // attention weights that leave out padding
extern "C" void plug_in(mine::Parts& parts) {
  parts.weights = masked_weights;
  parts.attention_weights = masked_weights;
  parts.weights_backward = masked_weights_vjp;
}
#endif

#ifdef PLUG_26  // the loss of a sentence, without its padding
extern "C" void plug_in(mine::Parts& parts) {
  parts.token_loss = mean_token_loss;
  parts.token_loss_backward = mean_token_loss_backward;
}
#endif
