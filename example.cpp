struct Net : nn::Module {
  nn::Linear first{{.in_features = 3, .out_features = 2}};
  nn::Linear second{{.in_features = 2, .out_features = 1}};
  nn::Linear spare{{.in_features = 2, .out_features = 1}};
  Net() {
    register_module("first", first);
    register_module("second", second);
    register_module("spare", spare);
  }
};
const Net net;
const Tensor hidden = tanh(net.first(randn({4, 3})));
const Tensor guess = net.second(hidden.detach());
guess.square().mean().backward();
