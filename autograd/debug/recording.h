// Recording: an observer that remembers what a program computed and what backward() did with it. The debugger, the
// gradient sanitizer, the search for the origin of a NaN and the trace are all views of one.
//
// It keeps a Call for every op on the tape whose graph is still alive, and a PassRecord of the last backward pass. A
// tensor is kept as a copy, since the program may overwrite its own; ops that use the same value share the copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"

namespace autograd::debug {

// One op of the program, as it ran; or a leaf, with the value that it had.
struct Call {
  Node* node = nullptr;  // not owned: the program must be able to let go of its graph
  std::vector<Ref<Node>>
      from;                   // the node of each input, none where no gradient is needed; Node::inputs may be released
  Inputs inputs;              // the values that it was given, detached copies that keep their names
  Tensor output;              // the value that it made
  std::uint32_t version = 0;  // of the output's memory when it was copied
};

// One contribution to a gradient.
struct Contribution {
  const Node* from = nullptr;  // the op whose backward gave it; nullptr for the gradient that the pass started with
  std::size_t input = 0;       // the input of `from` that it belongs to
  const Node* to = nullptr;    // the node whose output it is the gradient of
  Tensor value;                // of the shape of that output
};

// One op's backward.
struct Step {
  Ref<Node> node;
  Tensor dy;              // the gradient that it was given, after hooks
  Grads gradients;        // what its backward returned, before broadcasting is undone
  std::size_t first = 0;  // its contributions: PassRecord::contributions[first .. last)
  std::size_t last = 0;
};

struct PassRecord {
  std::uint64_t number = 0;    // 1 for the first pass of the recording
  Where called_at;             // the line that called backward() or grad()
  bool captures_only = false;  // grad(): no .grad is touched
  bool is_forward = false;     // no pass, but what the program has computed, in its order: Recording::program()
  bool completed = false;
  std::vector<Ref<Node>> order;  // all ops that the pass may run, in that order: descending numbers, then the leaves
  std::vector<Contribution> contributions;  // in the order of their arrival; those that the pass started with first
  std::vector<Step> steps;                  // what has run, in order
  std::unordered_map<const Node*, std::size_t> expected;  // the most contributions that may arrive at a node

  // For looking up by node without a search through a long pass; add() updates them.
  std::unordered_map<const Node*, std::vector<std::size_t>> arrivals;  // positions in `contributions`, ascending
  std::unordered_map<const Node*, std::size_t> step_positions;         // in `steps`
  void add(Contribution contribution);
  void add(Step step);

  // How many contributions to `node` had arrived after the first `steps_done` steps?
  std::size_t arrived(const Node& node, std::size_t steps_done) const;
  // Their sum, added in the order of their arrival as in the engine, so that the bits are the same; undefined while
  // there are none. Once the node's own step has run, the gradient that the step was given, after hooks.
  Tensor gradient(const Node& node, std::size_t steps_done) const;
  // The contributions to `node`, in order of arrival, of the first `steps_done` steps.
  std::vector<const Contribution*> contributions_to(const Node& node, std::size_t steps_done) const;
  // The number of contributions of the first `steps_done` steps.
  std::size_t contributions_after(std::size_t steps_done) const;
  // The position of the node's step, if it has run.
  std::optional<std::size_t> step_of(const Node& node) const;
};

class Recording : public ForwardingObserver {
 public:
  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override;
  Grads run(Node& node, const Tensor& dy) override;
  void accumulated(const Node& from, std::size_t input, const Tensor& contribution) override;
  void pass_begins(Pass& pass) override;
  void pass_ends(Pass& pass) override;

  // The call of this node, or nullptr if it ran before the recording began.
  const Call* call(const Node& node) const;
  // All calls by Node::number, which is the order of the program.
  const std::map<std::uint64_t, Call>& calls() const { return *calls_; }

  // The pass that is running, the innermost if there are several; nullptr if none is.
  const PassRecord* running() const { return running_.empty() ? nullptr : running_.back().get(); }
  // The last pass that ended, or nullptr. It keeps its graph alive.
  const PassRecord* last() const { return last_.get(); }
  // What is on the tape, up to this op: leaves first, then the ops in the program's order. For a stop in the forward
  // pass.
  std::unique_ptr<PassRecord> program(const Node* last = nullptr) const;

 protected:
  // Frees everything, or the last pass, once it is no longer needed.
  void forget();
  void forget_last() { last_.reset(); }

 private:
  void keep_leaf(const Tensor& leaf);
  Tensor copy_of_input(const Tensor& input);
  void forget_with(Node& node);

  using Calls = std::map<std::uint64_t, Call>;
  std::shared_ptr<Calls> calls_ = std::make_shared<Calls>();
  std::vector<std::unique_ptr<PassRecord>> running_;
  std::unique_ptr<PassRecord> last_;
  std::uint64_t passes_ = 0;
};

// ---- names ------------------------------------------------------------------------------------------------------

// What a node's output is called: the name given by set_name() or by a module, or "%17", its number.
std::string label(const Node& node);
// "encoder.rnn, step 3", or "" outside of any module.
std::string module_of(const Node& node);
// "%17 tanh at attention.cpp:40 in decoder.attention, step 3".
std::string describe(const Node& node);
// Text for a terminal or a transcript. Names come from the user's program: control characters and bytes that are not
// UTF-8 become \xNN, and what changes the reading direction or cannot be seen becomes \u{202e}.
std::string printable(std::string_view text);

}  // namespace autograd::debug
