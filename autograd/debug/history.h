// History: how large the gradients, the weights and their updates were in each backward pass of a run, by module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "autograd/tape/node.h"

namespace autograd::debug {

// Norms over all leaves of a module; NaN where it got no gradient, or has no pass to be compared with.
struct ModuleSizes {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double gradient = unknown;  // that this pass gave
  double weight = unknown;
  double update = unknown;  // what has changed since the pass before
};

struct ModuleHistory {
  std::string module;              // "encoder.rnn"; a leaf outside of any is one by itself
  std::vector<ModuleSizes> sizes;  // one for each of History::passes
};

struct History {
  std::uint64_t count = 0;  // of all passes
  // Those that are kept, by their numbers from 1: of a long run every second, fourth, .. None that an error ended.
  std::vector<std::uint64_t> passes;
  std::vector<ModuleHistory> modules;
};

class HistoryKeeper {
 public:
  void pass_begins();
  void leaf_gets(const Node& leaf, const Tensor& gradient);
  void pass_ends(bool to_its_end);
  const History& history() const { return history_; }

 private:
  struct Known {
    std::string module;
    Tensor weight;  // a copy, of its last pass
  };
  struct Squares {
    double gradient = 0, weight = 0, update = 0;
    bool has_update = true;
  };
  struct Running {
    std::uint64_t number = 0;
    std::map<std::string, Squares> modules;
  };

  void thin_out();

  std::map<std::uint64_t, Known> leaves_;  // by KnownLeaf::id
  std::vector<Running> running_;
  std::uint64_t stride_ = 1;
  History history_;
};

}  // namespace autograd::debug
