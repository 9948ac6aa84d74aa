// The trace: what it says is what the engine computed, in every form in which it is written.

#include "autograd/debug/trace/trace.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nn/nn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "autograd/autograd.h"
#include "autograd/debug/nan/nan_origin.h"
#include "autograd/debug/start.h"
#include "autograd/debug/trace/page.h"
#include "autograd/debug/trace/trace_difference.h"
#include "autograd/debug/trace/tracer.h"
#include "autograd/tape/node.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/record.h"
#include "autograd/text/words.h"
#include "tests/support/expect.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace trace_test {

using namespace autograd;
using namespace autograd::debug;
using fixtures::content_of;
using Json = nlohmann::json;

std::string temporary(const std::string& name) {
  return testing::TempDir() + "backstep_trace_" + name;
}

// A weight used at each of three steps; two ops use h.
struct Program {
  explicit Program(double scale = 1.0) {
    const ObserverGuard guard(recording);
    manual_seed(3);
    w = randn({2, 2}).requires_grad_();
    w.set_name("w");
    Tensor h = randn({4, 2});
    {
      const ScopeGuard module("cell", Where::current());
      for (int t = 0; t < 3; ++t) {
        const StepScope step(t);
        h = tanh(h.matmul(w) * scale);
      }
    }
    last = h;
    loss = (h * h).sum();
    loss.backward();
  }
  Trace trace(const TraceOptions& options = {}) const { return make_trace(recording, *recording.last(), options); }

  Recording recording;
  Tensor w, last, loss;
};

const TraceNode& node_of(const Trace& trace, const Tensor& tensor) {
  return *trace.find(gradient_node(tensor)->number);
}

const std::vector<double>& values_of(const Trace& trace, int tensor) {
  return trace.tensors.at(static_cast<std::size_t>(tensor)).values;
}

// ---- structure ------------------------------------------------------------------------------------------------------

TEST(Trace, HasTheOpsInTheOrderOfTheProgramAndTheStepsInThatOfThePass) {
  const Program program;
  const Trace trace = program.trace();
  std::vector<std::string> ops;
  for (const TraceNode& node : trace.nodes) ops.push_back(node.op);
  EXPECT_EQ(ops, (std::vector<std::string>{"leaf", "matmul", "mul", "tanh", "matmul", "mul", "tanh", "matmul", "mul",
                                           "tanh", "mul", "sum"}));
  ASSERT_EQ(trace.steps.size(), trace.nodes.size());
  EXPECT_EQ(trace.find(trace.steps.front().node)->op, "sum");
  EXPECT_EQ(trace.find(trace.steps.back().node)->op, "leaf");
  EXPECT_TRUE(trace.completed);
}

TEST(Trace, KnowsLineModuleAndTimeStep) {
  const Program program;
  const Trace trace = program.trace();
  const TraceNode& node = node_of(trace, program.last);
  EXPECT_EQ(node.module, "cell, step 2");
  EXPECT_EQ(node.time_steps, std::vector<std::int64_t>{2});
  const TraceLine& line = trace.lines.at(static_cast<std::size_t>(node.line));
  EXPECT_EQ(std::filesystem::path(line.file).filename(), "trace_test.cpp");
  EXPECT_EQ(line.text, "h = tanh(h.matmul(w) * scale);");
  EXPECT_EQ(trace.find_op("tanh")->derivative, "dx = dy * (1 - y^2)");
}

TEST(Trace, HasTheWholeSourceAndSaysWhatIsMissing) {
  Recording recording;
  const ObserverGuard guard(recording);
  const Tensor x = ones({2}).requires_grad_();
  exp(x).sum({}, false, Where::current("no/such.cpp", 3)).backward();
  const Trace trace = make_trace(recording, *recording.last());
  std::map<std::string, TraceSource> sources;
  for (const TraceSource& source : trace.sources) sources[source.file] = source;
  EXPECT_EQ(sources.size(), 2u);
  EXPECT_EQ(sources.at("no/such.cpp").text, "");
  EXPECT_EQ(sources.at("no/such.cpp").missing, "it was not found");
  sources.erase("no/such.cpp");
  EXPECT_EQ(sources.begin()->second.text, content_of(BACKSTEP_SOURCE "/tests/autograd/debug/trace_test.cpp"));
}

using Slopes = std::map<std::pair<int, int>, double>;  // by the positions in the output and in the input

Slopes slopes_of(const Trace& trace, const TraceInput& input) {
  Slopes slopes;
  const std::vector<double>& found = values_of(trace, input.slopes);
  for (std::size_t i = 0; i + 2 < found.size(); i += 3) {
    slopes[{static_cast<int>(found[i]), static_cast<int>(found[i + 1])}] = found[i + 2];
  }
  return slopes;
}

// Of square tensors, whose shapes say nothing.
TEST(Trace, KnowsTheDerivativesOfEveryElementOfSmallOps) {
  Recording recording;
  const ObserverGuard guard(recording);
  const Tensor x = ones({2, 2}, float64).requires_grad_();
  const Tensor row = tensor({2, 3}, float64).requires_grad_();
  const Tensor turned = x.t();
  const Tensor filled = masked_fill(x, mask({{true, false}, {false, false}}), 3.0);
  const Tensor soft = softmax(x, 0);
  const Tensor product = x * row;
  const Tensor loss = nll_loss(x, ids({1, 0}));
  (loss + turned.sum() + filled.sum() + soft.sum() + product.sum()).backward();
  const auto of = [&](const Trace& trace, const Tensor& y, std::size_t input) {
    return slopes_of(trace, node_of(trace, y).inputs.at(input));
  };
  const Trace trace = make_trace(recording, *recording.last());
  EXPECT_EQ(of(trace, turned, 0), (Slopes{{{0, 0}, 1}, {{1, 2}, 1}, {{2, 1}, 1}, {{3, 3}, 1}}));
  EXPECT_EQ(of(trace, filled, 0), (Slopes{{{1, 1}, 1}, {{2, 2}, 1}, {{3, 3}, 1}}));
  EXPECT_EQ(of(trace, loss, 0), (Slopes{{{0, 1}, -0.5}, {{0, 2}, -0.5}}));
  EXPECT_EQ(of(trace, product, 0), (Slopes{{{0, 0}, 2}, {{1, 1}, 3}, {{2, 2}, 2}, {{3, 3}, 3}}));
  EXPECT_EQ(of(trace, product, 1), (Slopes{{{0, 0}, 1}, {{1, 1}, 1}, {{2, 0}, 1}, {{3, 1}, 1}}));
  const Slopes columns = of(trace, soft, 0);
  EXPECT_EQ(columns.size(), 8u);
  EXPECT_EQ(columns.at({0, 0}), 0.25);
  EXPECT_EQ(columns.at({0, 2}), -0.25);
  const Trace few = make_trace(recording, *recording.last(), {.slopes_in_all = 25});
  EXPECT_EQ(node_of(few, turned).inputs[0].slopes, none);
  EXPECT_EQ(of(few, loss, 0).size(), 2u);
}

TEST(Trace, ValuesGradientsAndContributionsAreTheEngines) {
  const Program program;
  const Trace trace = program.trace();
  const TraceNode& w = node_of(trace, program.w);
  EXPECT_EQ(values_of(trace, w.value), program.w.to_vector());
  EXPECT_EQ(values_of(trace, w.gradient), program.w.grad().to_vector());
  EXPECT_EQ(values_of(trace, node_of(trace, program.last).value), program.last.to_vector());

  EXPECT_EQ(w.expected, 3u);
  std::vector<float> sum(4, 0.0f);
  int arrived = 0;
  for (const TraceContribution& contribution : trace.contributions) {
    if (contribution.to != w.id) continue;
    const auto& values = values_of(trace, contribution.value);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] = arrived == 0 ? static_cast<float>(values[i]) : sum[i] + static_cast<float>(values[i]);
    }
    ++arrived;
  }
  EXPECT_EQ(arrived, 3);
  EXPECT_EQ(std::vector<double>(sum.begin(), sum.end()), program.w.grad().to_vector());
}

TEST(Trace, DrawsALeafOnceForEveryUse) {
  const Program program;
  const Trace trace = program.trace();
  ASSERT_EQ(trace.uses.size(), 3u);
  std::set<int> seen;
  for (const TraceContribution& contribution : trace.contributions) {
    if (contribution.use != none) seen.insert(contribution.use);
  }
  EXPECT_EQ(seen.size(), 3u);
  EXPECT_EQ(trace.uses[1].leaf, node_of(trace, program.w).id);
}

TEST(Trace, AConstantInputKeepsItsValue) {
  const Tensor x = tensor({1, 2}).requires_grad_();
  Recording recording;
  const ObserverGuard guard(recording);
  (x * tensor({3, 4})).sum().backward();
  const Trace trace = make_trace(recording, *recording.last());
  const TraceNode& product = trace.nodes.at(1);
  ASSERT_EQ(product.inputs.size(), 2u);
  EXPECT_EQ(product.inputs[1].node, 0u);
  EXPECT_EQ(values_of(trace, product.inputs[1].value), (std::vector<double>{3, 4}));
}

TEST(Trace, SecondDerivativesAndReleasedGraphsAreTracedToo) {
  Recording recording;
  const ObserverGuard guard(recording);
  const Tensor x = tensor({0.5, -1.5}, float64).requires_grad_();
  Tensor y;
  {
    const ScopeGuard module("cube", Where::current());
    y = (x * x * x).sum();
  }
  const Tensor dx = grad(y, {x}, {.create_graph = true})[0];
  dx.sum().backward({.release_graph = true});
  const Trace trace = make_trace(recording, *recording.last());
  EXPECT_EQ(values_of(trace, node_of(trace, x).gradient), (std::vector<double>{3, -9}));
  for (const TraceNode& node : trace.nodes) EXPECT_EQ(node.is_leaf, node.inputs.empty()) << node.op;
}

// ---- large tensors --------------------------------------------------------------------------------------------------

TEST(Trace, LargeTensorsBecomeStatisticsAndAPictureOfMeans) {
  Recording recording;
  const ObserverGuard guard(recording);
  const Tensor x = arange(64, float64).reshape({8, 8}).detach().requires_grad_();
  x.sum().backward();
  const Trace trace = make_trace(recording, *recording.last(), {.values_per_tensor = 16});
  const TraceTensor& value = trace.tensors.at(static_cast<std::size_t>(node_of(trace, x).value));
  EXPECT_FALSE(value.complete);
  EXPECT_TRUE(value.values.empty());
  EXPECT_EQ(value.min, 0);
  EXPECT_EQ(value.max, 63);
  EXPECT_EQ(value.mean, 31.5);
  EXPECT_DOUBLE_EQ(value.norm, std::sqrt(63.0 * 64.0 * 127.0 / 6.0));
  EXPECT_EQ(value.rows, 4);
  EXPECT_EQ(value.columns, 4);
  ASSERT_EQ(value.cells.size(), 16u);
  EXPECT_EQ(value.cells[0], (0 + 1 + 8 + 9) / 4.0);
  EXPECT_EQ(value.cells[15], (54 + 55 + 62 + 63) / 4.0);
}

TEST(Trace, TheWholeStaysUnderItsBudget) {
  Recording recording;
  const ObserverGuard guard(recording);
  Tensor x = randn({16, 16}).requires_grad_();
  for (int i = 0; i < 200; ++i) x = sin(x);
  x.sum().backward();
  const Trace trace = make_trace(recording, *recording.last(), {.values_in_all = 10'000, .slopes_in_all = 1'000});
  std::size_t kept = 0;
  for (const TraceTensor& tensor : trace.tensors) kept += tensor.values.size() + tensor.cells.size();
  EXPECT_LE(kept, 13'000u);  // three numbers for each derivative
  EXPECT_GT(kept, 8'000u);
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

const Finding every_field = {Finding::Kind::exception, "no dim 3", "bad-dim", "sum", "main.cpp", 6, 5, true};

TEST(TraceJson, HasTheDocumentedFields) {
  const Program program;
  Trace trace = program.trace();
  trace.mark = every_field;
  const Json json = Json::parse(to_json(trace));
  EXPECT_EQ(json.at("format"), "backstep-trace");
  EXPECT_EQ(json.at("version"), 2);
  std::istringstream text(content_of(BACKSTEP_SOURCE "/autograd/debug/trace/FORMAT.md"));
  std::set<std::string> documented;  // what stands between backticks
  for (std::string part; std::getline(text, part, '`');) documented.insert(part);
  const auto expect_documented = [&](const Json& object) {
    for (const auto& [key, value] : object.items()) EXPECT_TRUE(documented.contains(key)) << key;
  };
  expect_documented(json);
  EXPECT_EQ(json.at("mark").size(), 8u);
  expect_documented(json.at("mark"));
  expect_documented(Json::parse(to_json(TraceReport{2, every_field})));
  for (const char* list : {"lines", "ops", "groups", "nodes", "uses", "tensors", "steps", "contributions"}) {
    ASSERT_FALSE(json.at(list).empty()) << list;
    for (const Json& entry : json.at(list)) expect_documented(entry);
  }
  for (const Json& node : json.at("nodes")) {
    for (const Json& input : node.at("inputs")) expect_documented(input);
  }
}

TEST(TraceJson, ReadsBackToTheSame) {
  const Program program;
  for (const TraceOptions& options : {TraceOptions{}, TraceOptions{.values_per_tensor = 2, .values_in_all = 1 << 20}}) {
    Trace trace = program.trace(options);
    trace.mark = every_field;
    const std::string text = to_json(trace);
    EXPECT_EQ(to_json(trace_from_json(text)), text);
  }
}

TEST(TraceJson, NumbersAreExactAndNanAndInfinityAreThere) {
  Recording recording;
  const ObserverGuard guard(recording);
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> numbers{0.1, 1.0 / 3, 1e-45, 3.4028234e38, -0.0, NAN, inf, -inf, 16777217};
  for (const DType dtype : {float32, float64}) {
    const Tensor x =
        tensor({0.1, 1.0 / 3, 1e-45, 3.4028234e38, -0.0, NAN, inf, -inf, 16777217}, dtype).requires_grad_();
    (x * 1.0).sum().backward();
    const Trace trace = trace_from_json(to_json(make_trace(recording, *recording.last())));
    const std::vector<double> read = values_of(trace, node_of(trace, x).value);
    const std::vector<double> expected = x.to_vector();
    ASSERT_EQ(read.size(), numbers.size());
    for (std::size_t i = 0; i < read.size(); ++i) {
      EXPECT_TRUE(std::isnan(read[i]) ? std::isnan(expected[i]) : read[i] == expected[i]) << i;
      EXPECT_EQ(std::signbit(read[i]), std::signbit(expected[i])) << i;
    }
  }
}

// What the refusal says; "read" if there was none.
std::string refusal(const std::string& text) {
  try {
    trace_from_json(text);
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "read";
}

TEST(TraceJson, RefusesWhatIsNoTrace) {
  for (const char* bad :
       {"{", "[]", R"({"format": "backstep-trace", "version": 99})", R"({"format": "backstep-trace", "version": 2})"}) {
    EXPECT_NE(refusal(bad), "read") << bad;
  }
  const Program program;
  Trace trace = program.trace();
  trace.sources = {{"a.cpp", "int main() {}\n", ""}, {"b.cpp", "", "it was not found"}};  // this file is long
  const std::string good = to_json(trace);
  // Damage everywhere: an error or a trace, never a crash.
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string bad = good;
    bad[i] = static_cast<char>('0' + i % 75);
    refusal(bad);
    EXPECT_NE(refusal(good.substr(0, i)), "read");
  }
}

// ---- hostile names --------------------------------------------------------------------------------------------------

struct Hostile {
  Hostile() {
    const ObserverGuard guard(recording);
    const ScopeGuard module("m\"</script><!--\x1b[2J\n\\", Where::current());
    const Tensor x = ones({2}).requires_grad_();
    x.set_name("x</script><script>alert(1)</script>\xE2\x80\xAE\x07\xFF PAGE_TRACE /*PAGE_JS*/");
    x.sum().backward();
  }
  Recording recording;
};

// What stands in its <script> element.
Json json_in(const std::string& page) {
  const std::size_t begin = page.find('>', page.find("<script type=\"application/json\"")) + 1;
  const std::string json = page.substr(begin, page.find("</script>", begin) - begin);
  EXPECT_EQ(json.find('<'), std::string::npos);
  return Json::parse(json);  // it ended where it should
}

TEST(TraceNames, AreHarmlessInThePage) {
  const Hostile hostile;
  const std::string page = to_page(make_trace(hostile.recording, *hostile.recording.last()));
  EXPECT_EQ(json_in(page).at("nodes").at(0).at("label"),
            "x</script><script>alert(1)</script>\\u{202e}\\x07\\xff PAGE_TRACE /*PAGE_JS*/");
}

// ---- comparison and the tracer --------------------------------------------------------------------------------------

TEST(TraceDifference, IsNoneForTheSameProgramThoughItsNumbersWentOn) {
  const Program first;
  const Program second;
  EXPECT_NE(first.trace().nodes.front().id, second.trace().nodes.front().id);
  EXPECT_FALSE(first_difference(first.trace(), second.trace()).found);
}

TEST(TraceDifference, FindsTheFirstWrongValue) {
  const Program right;
  const Program wrong(1.01);
  const TraceDifference difference = first_difference(right.trace(), wrong.trace());
  ASSERT_TRUE(difference.found);
  EXPECT_EQ(difference.kind, "value");
  const Trace trace = wrong.trace();
  EXPECT_EQ(trace.find(difference.node)->op, "mul");
  EXPECT_EQ(trace.find(difference.node)->module, "cell, step 0");
  EXPECT_NEAR(difference.relative, 0.01, 1e-5);
  EXPECT_FALSE(difference.backward);
  EXPECT_FALSE(first_difference(right.trace(), trace, {.tolerance = 0.5}).found);
}

// Doubles what the backward of the `count`-th tanh returns.
class Mistake : public Observer {
 public:
  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = Observer::run(node, dy);
    if (std::string(node.name()) == "tanh" && --count == 0) gradients[0] = gradients[0] * 2.0;
    return gradients;
  }
  int count = 2;
};

TEST(TraceDifference, FindsTheFirstWrongDerivative) {
  const Program right;
  Mistake mistake;
  const ObserverGuard guard(mistake);
  const Program wrong;
  const TraceDifference difference = first_difference(right.trace(), wrong.trace());
  ASSERT_TRUE(difference.found);
  EXPECT_EQ(difference.kind, "gradient");
  EXPECT_TRUE(difference.backward);
  EXPECT_EQ(wrong.trace().find(difference.node)->module, "cell, step 1");
  EXPECT_EQ(wrong.trace().find(difference.node)->op, "mul");
}

Trace square_or_sine(bool squares) {
  Recording recording;
  const ObserverGuard guard(recording);
  const Tensor x = ones({2}).requires_grad_();
  (squares ? x * x : sin(x)).sum().backward();
  return make_trace(recording, *recording.last());
}

TEST(TraceDifference, FindsAnotherOp) {
  const Trace right = square_or_sine(true);
  const Trace other = square_or_sine(false);
  const TraceDifference difference = first_difference(right, other);
  EXPECT_EQ(difference.kind, "structure");
  EXPECT_EQ(right.find(difference.right_node)->op, "mul");
  EXPECT_EQ(other.find(difference.node)->op, "sin");
}

TEST(TraceDifference, SeesNanAndComparesSummaries) {
  const auto trace_of = [](double first) {
    Recording recording;
    const ObserverGuard guard(recording);
    const Tensor x = ones({40}).set_({0}, first).requires_grad_();
    (x * 1.0).sum().backward();
    return make_trace(recording, *recording.last(), {.values_per_tensor = 16});
  };
  EXPECT_FALSE(first_difference(trace_of(NAN), trace_of(NAN)).found);
  EXPECT_TRUE(first_difference(trace_of(1), trace_of(NAN)).found);
  EXPECT_TRUE(first_difference(trace_of(1), trace_of(1.5)).found);
}

void run_passes(int count) {
  const Tensor x = tensor({1, 2}).set_name("x").requires_grad_();
  for (int i = 0; i < count; ++i) (x * (i + 1.0)).sum().backward();
}

TEST(Tracer, WritesTheWantedPass) {
  const std::string file = temporary("wanted.json");
  std::filesystem::remove(file);
  Tracer tracer({.file = file, .pass = 2});
  const ObserverGuard guard(tracer);
  run_passes(1);
  EXPECT_FALSE(std::filesystem::exists(file));
  run_passes(2);
  const Trace trace = read_trace(file);
  EXPECT_EQ(trace.pass, 2u);
  EXPECT_TRUE(tracer.written());
  EXPECT_TRUE(tracer.calls().empty());  // it lets go of the graph
  run_passes(2);
  tracer.program_ends();  // adds what came later
  const Json whole = Json::parse(content_of(file));
  EXPECT_EQ(whole.at("pass"), 2);
  EXPECT_EQ(whole.at("history").at("count"), 5);
  EXPECT_EQ(whole.at("history").at("passes"), Json({1, 2, 3, 4, 5}));
  const Json module = whole.at("history").at("modules").at(0);
  EXPECT_EQ(module.at("module"), "x");
  EXPECT_EQ(module.at("sizes").at(0).at(2), "NaN");
  EXPECT_NEAR(module.at("sizes").at(2).at(0).get<double>(), std::sqrt(8), 1e-4);  // of the second pass of two
}

// What was asked for is written first, and then overwritten.
TEST(Tracer, WritesThePassInWhichSomethingIsFound) {
  const std::string file = temporary("found.json");
  const std::string report = temporary("report.json");
  Tracer tracer({.file = file, .report = report});
  const ObserverGuard guard(tracer);
  const debug::ScopedNanOrigin origin;
  run_passes(2);
  EXPECT_EQ(read_trace(file).pass, 1u);
  const Tensor x = tensor({0, 2}).requires_grad_();
  const Where line = Where::current();
  const Tensor y = sqrt(x);
  y.sum().backward();
  const Trace trace = read_trace(file);
  EXPECT_EQ(trace.pass, 3u);
  ASSERT_TRUE(trace.mark);
  EXPECT_EQ(trace.mark->kind, Finding::Kind::not_finite);
  EXPECT_EQ(trace.mark->op, "sqrt");
  EXPECT_EQ(trace.mark->file, line.file);
  EXPECT_EQ(trace.mark->line, line.line + 1);
  EXPECT_EQ(trace.mark->node, y.grad_fn()->number);
  EXPECT_TRUE(trace.mark->backward);
  EXPECT_EQ(Json::parse(content_of(report)).at("found"), Json::parse(content_of(file)).at("mark"));
}

// The page of the pass that was asked for is written already, and stays.
TEST(Tracer, ReportsAnExceptionThatNobodyCatches) {
  const std::string file = temporary("before.json");
  const std::string report = temporary("uncaught.json");
  const Where line = Where::current();
  const auto run = [&] {
    start("trace:" + file + ",report=" + report);
    run_passes(2);
    try {
      fail(ErrorId::bad_dim, "sum", line, "there is no dim 3", "name another");
    } catch (const Error&) {
      std::terminate();
    }
  };
  EXPECT_EXIT(run(), testing::KilledBySignal(SIGABRT), "");
  const Json found = Json::parse(content_of(report)).at("found");
  const Json expected = {{"kind", "exception"}, {"text", "sum: there is no dim 3"},
                         {"id", "bad-dim"},     {"op", "sum"},
                         {"file", line.file},   {"line", line.line},
                         {"node", 0},           {"backward", false}};
  EXPECT_EQ(found, expected);
  EXPECT_EQ(read_trace(file).pass, 1u);
}

TEST(Tracer, AddsLaterPassesWhenTheProgramEnds) {
  const std::string file = temporary("whole.json");
  const auto run = [&] {
    start("trace:" + file);
    run_passes(3);
    std::exit(0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
  EXPECT_EQ(Json::parse(content_of(file)).at("history").at("count"), 3);
  EXPECT_EQ(read_trace(file).pass, 1u);
}

// The graph of the last step is alive when the next one fails, and does not belong to it.
TEST(Tracer, ShowsOnlyTheOpsOfTheForwardPassThatFails) {
  const std::string file = temporary("forward.json");
  Tracer tracer({.file = file});
  const ObserverGuard guard(tracer);
  const debug::ScopedNanOrigin origin;
  const Tensor x = tensor({0, 2}).requires_grad_();
  const Tensor shared = x * 2.0;
  const Tensor before = (exp(shared) + 1.0).sum();
  before.backward();
  const Tensor y = log(shared);
  const Trace trace = read_trace(file);
  ASSERT_TRUE(trace.mark);
  EXPECT_EQ(trace.mark->node, y.grad_fn()->number);
  EXPECT_FALSE(trace.mark->backward);
  ASSERT_EQ(trace.nodes.size(), 3u);  // x, x * 2, log
}

TEST(Tracer, ComparesWithAnotherTrace) {
  const std::string right = temporary("right.json");
  const std::string page = temporary("page.html");
  const auto run = [](Tracer& tracer, double factor) {
    const ObserverGuard guard(tracer);
    const Tensor x = tensor({1, 2}).requires_grad_();
    (x * factor).sum().backward();
  };
  Tracer first({.file = right});
  run(first, 2.0);
  Tracer same({.file = page, .compare = right});
  run(same, 2.0);
  EXPECT_FALSE(same.difference().found);
  Tracer other({.file = page, .compare = right});
  run(other, 3.0);
  ASSERT_TRUE(other.difference().found);
  EXPECT_EQ(json_in(content_of(page)).at("mark").at("node"), other.difference().node);
}

TEST(Tracer, ReadsItsOptions) {
  const TracerOptions options =
      parse_tracer_options("a,b.html,pass=3,compare=x.json,tolerance=0.5,values=7,report=r.json");
  EXPECT_EQ(options.file, "a,b.html");
  EXPECT_EQ(options.pass, 3u);
  EXPECT_EQ(options.compare, "x.json");
  EXPECT_EQ(options.difference.tolerance, 0.5);
  EXPECT_EQ(options.trace.values_per_tensor, 7);
  EXPECT_EQ(options.report, "r.json");
  for (const char* bad : {"", "a", "a.txt", ",pass=1", "a.html,pass=0", "a.html,pass=x", "a.html,tolerance=-1",
                          "a.html,values=", "a.html,color=red"}) {
    EXPECT_THROW(parse_tracer_options(bad), std::invalid_argument) << bad;
  }
}

TEST(Tracer, RefusesBeforeTheProgramBegins) {
  EXPECT_THROW(Tracer({.file = "/no/such/folder/a.html"}), std::invalid_argument);
  EXPECT_THROW(Tracer({.file = temporary("b.html"), .report = "/no/such/folder/r.json"}), std::invalid_argument);
  EXPECT_THROW(Tracer({.file = temporary("b.html"), .compare = "/no/such/a.json"}), std::invalid_argument);
  EXPECT_THROW(start("trace"), std::invalid_argument);
  EXPECT_THROW(start("step,step"), std::invalid_argument);  // would be two debuggers
  EXPECT_THROW(start("step:a,nan,step:b"), std::invalid_argument);
}

TEST(Page, DoesNotWaitForAReaderOfAPipe) {
  const Program program;
  const std::string pipe = temporary("pipe.html");
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(fixtures::message_of(ErrorId::bad_file, [&] { write_page(program.trace(), pipe); }), "");
  const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  std::thread writing([&] { write_page(program.trace(), pipe); });
  std::string text;
  for (char bytes[4096]; text.find("</html>") == std::string::npos;) {
    const ssize_t count = read(reader, bytes, sizeof bytes);
    if (count > 0) text.append(bytes, static_cast<std::size_t>(count));
  }
  writing.join();
  close(reader);
  std::filesystem::remove(pipe);
}

TEST(Page, IsWrittenCompletelyOrNotAtAll) {
  const Program program;
  EXPECT_NE(fixtures::message_of(ErrorId::bad_file, [&] { write_page(program.trace(), "/no/such/folder/a.html"); }),
            "");
  const std::string file = temporary("whole.html");
  write_page(program.recording, *program.recording.last(), file);
  EXPECT_THAT(content_of(file), testing::EndsWith("</html>\n"));
}

TEST(TraceWords, AreTheGoldenOnes) {
  const Program right;
  std::string text;
  for (const char* bad : {"[]", R"({"format": "backstep-trace", "version": 99})"}) text += refusal(bad) + "\n";
  text += fixtures::message_of(ErrorId::bad_file, [&] { write_page(right.trace(), "/no/such/folder/a.html"); }) + "\n";
  const auto add = [&](const Trace& one, const Trace& other) {
    const std::string found = first_difference(one, other).text;
    text += fixtures::replace(found, "%[0-9]+", "%N") + "\n";
  };
  add(right.trace(), Program(1.01).trace());
  add(square_or_sine(true), square_or_sine(false));
  Mistake mistake;
  const ObserverGuard guard(mistake);
  add(right.trace(), Program().trace());
  EXPECT_TRUE(fixtures::says("autograd_debug", lines_in(text)));
}

}  // namespace trace_test
