// Drawn with docs/09-recurrence.md
#include <docs/graph.h>

const Tensor U = randn({2, 2}, float64).set_name("U").requires_grad_();
Tensor h = zeros({1, 2}, float64).set_name("h_0").requires_grad_();
for (int t = 1; t <= 3; ++t) h = tanh(linear(h, U)).set_name(fmt::format("h_{}", t));
docs::write_graph_svg("pictures/rnn-tape.svg", h, "h_t = tanh(h_{t-1} Uᵀ), three steps");
