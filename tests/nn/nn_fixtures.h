// What the tests of nn share: reading the Python call of a fixture, and holding a module against a case of
// modules.json.
#pragma once

#include <autograd/tape/observer.h>
#include <nn/nn.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/support/expect.h"
#include "tests/support/fixtures.h"

namespace fixtures {

// All numbers in a text: "(0.8, 0.95)" or "0.1".
std::vector<double> all_numbers(const std::string& text);

// "nn.GRU(3, 4, num_layers=2, bidirectional=True)": its name, and its arguments as texts.
struct Call {
  std::string name;                               // "GRU"
  std::vector<std::string> positional;            // "3", "4"
  std::map<std::string, std::string> by_keyword;  // num_layers -> "2", bidirectional -> "True"

  bool has(const std::string& keyword) const { return by_keyword.count(keyword) != 0; }
  double number(const std::string& keyword, double otherwise) const;
  std::int64_t integer(const std::string& keyword, std::int64_t otherwise) const;
  bool flag(const std::string& keyword, bool otherwise) const;
  std::string text(const std::string& keyword, const std::string& otherwise) const;
  std::vector<double> numbers(const std::string& keyword) const;
  std::int64_t at(std::size_t position) const;
};

Call parse_call(const std::string& text);

// A case of modules.json, or of another file with that layout: makes the inputs, fills the parameters, compares outputs
// and all gradients.
class ModuleCase {
 public:
  explicit ModuleCase(const std::string& id, const std::string& file = "modules.json");

  const Call& call() const { return call_; }
  const Json& json() const { return json_; }
  // Undefined if the case has no such input.
  autograd::Tensor input(const std::string& name) const;
  std::vector<std::int64_t> lengths(const std::string& name) const;

  // renamed: PyTorch's name -> ours, where a seed document calls a layer otherwise ("W_q." -> "W_dec.").
  void load(const nn::Module& module, const std::map<std::string, std::string>& renamed = {});

  // Holds the outputs against PyTorch's, goes backward from the cotangents, and compares all gradients.
  void check(const nn::Module& module, const std::map<std::string, autograd::Tensor>& outputs) const;

 private:
  std::string ours(const std::string& name) const;

  const Json& json_;
  Call call_;
  std::map<std::string, autograd::Tensor> inputs_;
  std::map<std::string, std::string> renamed_;
};

// "nn.GRU(3, 4, num_layers=2, batch_first=True)", float64.
nn::RecurrentOptions recurrent_options(const Call& call);

// The scopes of all ops that are recorded while it is attached (autograd/tape/observer.h).
class Scopes : public autograd::Observer {
 public:
  void recorded(autograd::Node& node, const autograd::Inputs&, const autograd::Tensor&) override {
    paths.insert(autograd::scope_path(node.scope));
  }
  std::set<std::string> paths;
};

}  // namespace fixtures
