// Drawn with docs/13-deriving-attention-gradients.md
#include <docs/graph.h>

const auto leaf = [](const char* name, Shape shape) { return randn(shape, float64).set_name(name).requires_grad_(); };
const Tensor s = leaf("s", {2}), H = leaf("H", {3, 4}), W = leaf("W", {5, 2}), U = leaf("U", {5, 4}),
             v = leaf("v", {5});
const Tensor q = W.matmul(s);  // in statements of their own: which operand of + comes first, the compiler chooses
const Tensor keys = H.matmul(U.t());
const Tensor z = (q + keys).set_name("z");
const Tensor u = tanh(z).set_name("u");
const Tensor e = u.matmul(v).set_name("e");
const Tensor alpha = e.softmax(0).set_name("alpha");
docs::write_graph_svg("pictures/attention-tape.svg", alpha.matmul(H).set_name("c"), "Additive attention");
