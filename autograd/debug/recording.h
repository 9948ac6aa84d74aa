// Recording: an observer that remembers what a program computed and what backward() did with it. The debugger, the
// gradient sanitizer, the search for the origin of a NaN and the trace are all views of one.
//
// It keeps a Call for every op on the tape whose graph is still alive, and a PassRecord of the last backward pass. A
// tensor is kept as a copy, since the program may overwrite its own; ops that use the same value share the copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autograd/debug/history.h"
#include "autograd/debug/kept_tensor.h"
#include "autograd/debug/trail.h"
#include "autograd/debug/variables.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/pass.h"

namespace autograd::debug {

// One op of the program, as it ran; or a leaf, with the value that it had.
struct Call {
  Node* node = nullptr;  // not owned: the program must be able to let go of its graph
  SmallVector<Ref<Node>, 3>
      from;       // the node of each input, none where no gradient is needed; Node::inputs may be released
  Inputs inputs;  // the values that it was given, detached copies that keep their names
  Tensor output;  // the value that it made
};

// A Call as it is kept.
struct KeptCall {
  Node* node = nullptr;
  SmallVector<Ref<Node>, 3> from;
  SmallVector<KeptTensor, 3> inputs;
  KeptTensor output;
  std::uint32_t version = 0;  // of the output's memory when it was copied
  std::uint8_t runs = 0;      // how many ops have to run again for the output, one after the other; 0 if it was kept
  const char* composite = nullptr;  // the composite that it is part of
};

// A use of a node's output: the i-th input of `user`.
struct Use {
  const Node* user = nullptr;
  std::size_t input = 0;
};

// One contribution to a gradient.
struct Contribution {
  const Node* from = nullptr;  // the op whose backward gave it; nullptr for the gradient that the pass started with
  const Node* to = nullptr;    // the node whose output it is the gradient of
  std::uint32_t input = 0;     // the input of `from` that it belongs to
  KeptTensor value;            // of the shape of that output; PassRecord::value_of() computes again what was not kept
};

// One op's backward.
struct Step {
  Ref<Node> node;
  KeptTensor dy;                         // the gradient that it was given, after hooks: PassRecord::dy_of()
  SmallVector<KeptTensor, 3> gradients;  // what its backward returned, before broadcasting is undone: gradients_of()
  std::uint32_t first = 0;               // its contributions are those from here to the next step's
  std::uint8_t runs = 0;                 // how many ops' backwards have to run again for dy; 0 if it was kept
};

class Recording;

class PassRecord {
 public:
  const Recording* recording = nullptr;
  std::uint64_t number = 0;    // 1 for the first pass of the recording
  Where called_at;             // the line that called backward() or grad()
  bool captures_only = false;  // grad(): no .grad is touched
  bool is_forward = false;     // no pass, but what the program has computed, in its order: Recording::program()
  bool completed = false;
  // All ops that the pass may run, in that order: descending numbers, then the leaves. If is_forward, the reverse.
  std::vector<Ref<Node>> order;
  std::deque<Contribution> contributions;  // in the order of their arrival; those that the pass started with first
  std::deque<Step> steps;                  // what has run, in order

  // Reads the graph of `order`, because {.release_graph = true} takes it apart on the way. No pass: the program itself.
  void begin(const Pass* running);
  void add(Contribution contribution);
  void add(Step step);

  // "3 ops and 1 leaf": those of `order`, or of `steps`.
  std::string all_text() const;
  std::string ran_text() const;
  // The place in `order`.
  std::optional<std::size_t> position(const Node& node) const;
  const Node* numbered(std::uint64_t number) const;
  // The uses that may contribute to the gradient of the node's output, in the order in which they run.
  std::span<const Use> uses(const Node& node) const;
  // The most contributions that may arrive at a node.
  std::size_t expected(const Node& node) const { return arrived(node, 0) + uses(node).size(); }

  // How many contributions to `node` had arrived after the first `steps_done` steps?
  std::size_t arrived(const Node& node, std::size_t steps_done) const;
  // Their sum, added in the order of their arrival as in the engine, so that the bits are the same; undefined while
  // there are none. Once the node's own step has run, the gradient that the step was given, after hooks.
  Tensor gradient(const Node& node, std::size_t steps_done) const;
  // The contributions to `node`, in order of arrival, of the first `steps_done` steps.
  std::vector<const Contribution*> contributions_to(const Node& node, std::size_t steps_done) const;
  // The i-th of them.
  const Contribution& contribution_to(const Node& node, std::size_t i) const;
  // The number of contributions of the first `steps_done` steps.
  std::size_t contributions_after(std::size_t steps_done) const;
  // The position of the node's step, if it has run.
  std::optional<std::size_t> step_of(const Node& node) const;

  // The numbers themselves. They throw Refused if they were not kept and the op's backward gives others now.
  Tensor value_of(const Contribution& contribution) const;
  Tensor dy_of(const Step& step) const;
  Grads gradients_of(const Step& step) const;

 private:
  static constexpr std::uint32_t has_not_run = UINT32_MAX;
  // For each node of `order`:
  std::vector<SmallVector<std::uint32_t, 2>> arrivals_;  // positions in `contributions`, ascending
  std::vector<std::uint32_t> step_positions_;            // in `steps`
  std::vector<std::uint32_t> first_use_;                 // in uses_; the next one's is where they end
  std::vector<Use> uses_;
};

// Of what is large, a Recording can keep fingerprints alone: a weight that is used at each step of a long program gets
// as many contributions, each as large as itself. When a tensor is asked for, its op runs again, or its backward, and
// what that gives must fit the fingerprint. So that few ops have to run for one tensor, every fourth in a row is kept.
class Recording : public Observer {
 public:
  enum class Keeps { everything, what_is_small };
  explicit Recording(Keeps keeps = Keeps::everything) : keeps_(keeps) {}

  void recorded(Node& node, const Inputs& inputs, const Tensor& output) override;
  void untaped(const Tensor& input, const Untaped& use) override;
  Grads run(Node& node, const Tensor& dy) override;
  void accumulated(const Node& from, std::size_t input, const Tensor& contribution) override;
  void pass_begins(Pass& pass) override;
  void pass_ends(Pass& pass) override;

  // The call of this node; nothing if it ran before the recording began.
  std::optional<Call> call(const Node& node) const;
  const KeptCall* kept(const Node& node) const;
  // What it computed, and from what. They throw Refused if that was not kept and an op's forward() gives something
  // else.
  Tensor output_of(const KeptCall& call) const;
  Tensor input_of(const KeptCall& call, std::size_t i) const;
  Inputs inputs_of(const KeptCall& call) const;
  // All calls by Node::number, which is the order of the program.
  const std::map<std::uint64_t, KeptCall>& calls() const { return *calls_; }

  // The pass that is running, the innermost if there are several; nullptr if none is.
  const PassRecord* running() const { return running_.empty() ? nullptr : running_.back().get(); }
  // The last pass that ended, or nullptr. It keeps its graph alive.
  const PassRecord* last() const { return last_.get(); }
  // Why does this leaf, or this op's output, which is not part of the pass or got no contribution, get no gradient in
  // it?
  NoGradient why_not(const KnownLeaf& leaf, const PassRecord& pass) const;
  NoGradient why_not(const Node& node, const PassRecord& pass) const;
  // Of all passes, also of those while it rests.
  const History& history() const { return history_.history(); }
  // What has run since the last pass, up to this op, and what that was computed from: leaves first, then the ops in the
  // program's order. For a stop in the forward pass.
  std::unique_ptr<PassRecord> program(const Node* last = nullptr) const;

 protected:
  // From here on it passes everything on and records nothing but the end of the passes that it has begun; or no longer.
  void rest(bool resting = true) { resting_ = resting; }
  bool is_resting() const { return resting_; }
  // Frees everything, or the last pass, once it is no longer needed.
  void forget();
  void forget_last() { last_.reset(); }

 private:
  void keep_leaf(Node& leaf);
  void name_variables(bool has_stopped) const;
  KeptTensor copy_of_input(const Tensor& input);
  void forget_with(Node& node);
  KeptTensor kept_output(KeptCall& call, const Tensor& output);
  void shrink_newest();
  KeptTensor kept_dy(Step& step, const Tensor& dy) const;
  KeptTensor kept_gradient(const Tensor& gradient, const Step& step, std::size_t input) const;

  using Calls = std::map<std::uint64_t, KeptCall>;
  const Keeps keeps_;
  bool resting_ = false;
  int unseen_passes_ = 0;  // that have begun since then, and not ended
  std::shared_ptr<Calls> calls_ = std::make_shared<Calls>();
  std::vector<std::unique_ptr<PassRecord>> running_;
  std::unique_ptr<PassRecord> last_;
  std::uint64_t passes_ = 0;
  // The op that was recorded last may not run again: what it keeps for its forward() is not in place yet.
  std::uint64_t newest_ = 0;
  KeptTensor fingerprint_of_newest_;
  std::uint64_t last_of_passes_ = 0;  // the last op that had run when the last pass ended
  Trail trail_;
  mutable Variables variables_;
  HistoryKeeper history_;
};

// ---- names ------------------------------------------------------------------------------------------------------

// What a node's output is called: the name given by set_name() or by a module, the variable that it was assigned to
// (variables.h), or "%17", its number.
std::string label(const Node& node);
// "encoder.rnn, step 3", or "" outside of any module.
std::string module_of(const Node& node);
// "%17 tanh at attention.cpp:40 in decoder.attention, step 3".
std::string describe(const Node& node);
// The module that an op ran in, without time steps: "decoder.attention"; "" outside of any.
std::string module_name(const Scope* scope);
// Identifies the place of an op in the program, which is its op, line and module. All rounds of a loop have the same. A
// key, not a text to be shown.
std::string place_of(const Node& node);

}  // namespace autograd::debug
