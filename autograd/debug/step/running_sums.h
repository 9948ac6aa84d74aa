// RunningSums: a gradient as it was after each of its contributions, for conditions and watches that ask at every
// position of a pass. A weight may get thousands of contributions, so none is added up from the first one each time.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "autograd/debug/recording.h"
#include "autograd/debug/step/pick.h"

namespace autograd::debug {

class RunningSums {
 public:
  // The sum of the first `count` contributions to the picked elements of the node's gradient, added in the order of
  // their arrival, so that the bits are the engine's. Undefined if `count` is 0.
  Tensor sum(const PassRecord& pass, const Node& node, const std::vector<Pick>& picks, std::size_t count);

 private:
  // All sums of one block, and the sum with which each block starts: few tensors are kept, and few added, whichever
  // way one goes.
  struct Sums {
    std::vector<Tensor> starts = {Tensor()};
    std::size_t block = 0;
    std::vector<Tensor> of_block;
  };
  static void fill(Sums& sums, std::size_t block, std::size_t count, const PassRecord& pass, const Node& node,
                   const std::vector<Pick>& picks);

  std::map<std::pair<const Node*, std::string>, Sums> sums_;
};

}  // namespace autograd::debug
