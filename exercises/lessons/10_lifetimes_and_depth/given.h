// What is given in exercise 10: a node that counts itself, and that asks dismantle() to take apart what is below it.
#pragma once

#include <judge/learner.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>

namespace given {

struct Node;
using NodePtr = std::shared_ptr<Node>;
using Gradients = std::vector<double>;  // one per input

// What the check measures; the exercise can be done without reading it.
struct Meter {
  static inline std::set<Node*> alive;
  static inline int nesting = 0;  // destructors of nodes that are running inside one another
  static inline int deepest_nesting = 0;
  static inline char* lowest_frame = nullptr;  // of those who asked for inputs, or took them
  static inline char* highest_frame = nullptr;
  static inline void (*dismantle)(Node& node) = nullptr;  // yours

  static void note_frame(char* frame) {
    lowest_frame = lowest_frame ? std::min(lowest_frame, frame) : frame;
    highest_frame = std::max(highest_frame, frame);
  }
  // Ends after all other members of its node are gone.
  struct Last {
    ~Last() { --nesting; }
  };
};

// One number, and where it came from.
struct Node {
 private:
  Meter::Last last_;
  std::vector<NodePtr> inputs_;

 public:
  double data = 0.0;
  double grad = 0.0;
  std::function<Gradients(double dy)> backward;  // dL/d(each input), given dy = dL/d(data); none for a leaf

  Node(double value, std::vector<NodePtr> inputs) : inputs_(std::move(inputs)), data(value) {
    Meter::alive.insert(this);
  }
  ~Node() {
    Meter::alive.erase(this);
    Meter::deepest_nesting = std::max(Meter::deepest_nesting, ++Meter::nesting);
    if (Meter::dismantle) Meter::dismantle(*this);
  }  // here backward and the inputs that are still held are freed
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // What it was computed from; none for a leaf.
  const std::vector<NodePtr>& inputs() const {
    Meter::note_frame(static_cast<char*>(__builtin_frame_address(0)));
    return inputs_;
  }
  // Gives them away. The node has none afterwards.
  std::vector<NodePtr> take_inputs() {
    Meter::note_frame(static_cast<char*>(__builtin_frame_address(0)));
    return std::exchange(inputs_, {});
  }
};

inline NodePtr make_node(double data, std::vector<NodePtr> inputs) {
  return std::make_shared<Node>(data, std::move(inputs));
}

}  // namespace given

using given::Gradients;
using given::make_node;
using given::Node;
using given::NodePtr;

// tanh(x) as a node. Its backward needs the result, y.
NodePtr tanh_of(const NodePtr& x);
// Called when `node` is about to die: frees what only it was holding, however deep that goes, without recursion.
void dismantle(Node& node);
// Every node that `output` was computed from, and output itself: each once, and each after all nodes that use it.
std::vector<Node*> order(const NodePtr& output);

struct Answer {
  decltype(&::tanh_of) tanh_of;
  decltype(&::dismantle) dismantle;
  decltype(&::order) order;
};
