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
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "autograd/autograd.h"
#include "autograd/debug/nan/nan_origin.h"
#include "autograd/debug/start.h"
#include "autograd/debug/trace/graphviz.h"
#include "autograd/debug/trace/mathml.h"
#include "autograd/debug/trace/page.h"
#include "autograd/debug/trace/trace_difference.h"
#include "autograd/debug/trace/tracer.h"
#include "autograd/tape/leaf.h"
#include "autograd/tape/observer.h"
#include "autograd/tape/record.h"
#include "tests/support/expect.h"
#include "tests/support/pattern.h"

namespace trace_test {

using namespace autograd;
using namespace autograd::debug;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

std::string temporary(const std::string& name) {
  return testing::TempDir() + "backstep_trace_" + name;
}

std::string content_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
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
  EXPECT_THAT(line.file, HasSubstr("trace_test.cpp"));
  EXPECT_THAT(line.text, HasSubstr("h = tanh(h.matmul(w) * scale);"));
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

// Of square tensors, whose shapes say nothing.
TEST(Trace, KnowsWhichElementsAnOpCopiesAndWhichDimsItRunsAlong) {
  Recording recording;
  const ObserverGuard guard(recording);
  const Tensor x = ones({2, 2}).requires_grad_();
  const Tensor turned = x.t();
  const Tensor filled = masked_fill(x, mask({{true, false}, {false, false}}), 3.0);
  const Tensor soft = softmax(x, 0);
  const Tensor rows = x.sum({1});
  const Tensor loss = nll_loss(x, ids({1, 0}));
  (loss + turned.sum() + filled.sum() + soft.sum() + rows.sum()).backward();
  const Trace trace = make_trace(recording, *recording.last());
  EXPECT_EQ(values_of(trace, node_of(trace, turned).copied_from), (std::vector<double>{0, 2, 1, 3}));
  EXPECT_EQ(values_of(trace, node_of(trace, filled).copied_from), (std::vector<double>{-1, 1, 2, 3}));
  EXPECT_EQ(node_of(trace, soft).along, std::vector<std::int64_t>{0});
  EXPECT_EQ(node_of(trace, rows).along, std::vector<std::int64_t>{1});
  EXPECT_EQ(node_of(trace, soft).copied_from, none);
  EXPECT_EQ(values_of(trace, node_of(trace, loss).factors), (std::vector<double>{0, -0.5, -0.5, 0}));
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
  EXPECT_FALSE(product.inputs[1].node);
  EXPECT_EQ(values_of(trace, product.inputs[1].value), (std::vector<double>{3, 4}));
}

// Every node and use stands in exactly one row of its group, and every group in one of its parent.
void expect_complete_layout(const Trace& trace) {
  std::set<std::pair<int, std::size_t>> seen;
  for (std::size_t g = 0; g < trace.groups.size(); ++g) {
    for (const auto& row : trace.groups[g].rows) {
      EXPECT_FALSE(row.empty());
      for (const TraceItem& item : row) {
        EXPECT_TRUE(seen.insert({static_cast<int>(item.kind), item.index}).second) << "stands twice";
        const int group = static_cast<int>(g);
        EXPECT_TRUE(item.kind != TraceItem::Kind::node || trace.nodes[item.index].group == group);
        EXPECT_TRUE(item.kind != TraceItem::Kind::group || trace.groups[item.index].parent == group);
      }
    }
  }
  std::size_t ops = 0;
  for (const TraceNode& node : trace.nodes) ops += node.is_leaf ? 0 : 1;
  EXPECT_EQ(seen.size(), ops + trace.uses.size() + trace.groups.size() - 1);
}

TEST(TraceLayout, StepsOfALoopStandBesideEachOtherInTheOrderOfTime) {
  const Program program;
  const Trace trace = program.trace();
  expect_complete_layout(trace);
  const TraceGroup* loop = nullptr;
  for (const TraceGroup& group : trace.groups) {
    if (group.kind == TraceGroup::Kind::loop) loop = &group;
  }
  ASSERT_NE(loop, nullptr);
  ASSERT_EQ(loop->rows.size(), 1u);
  std::vector<std::string> names;
  for (const TraceItem& item : loop->rows[0]) names.push_back(trace.groups[item.index].name);
  EXPECT_EQ(names, (std::vector<std::string>{"step 0", "step 1", "step 2"}));
}

TEST(TraceLayout, OpsStandBelowTheirInputsAlsoBetweenStepsAndInLoopsThatRunBackwards) {
  Recording recording;
  const ObserverGuard guard(recording);
  const Tensor x = ones({2}).requires_grad_();
  Tensor h = x;
  Tensor total = x.sum();
  for (int t = 4; t >= 0; --t) {
    {
      const StepScope step(t);
      h = h * 2.0 + x;
    }
    total = total + h.sum();  // between two steps
  }
  for (int t = 0; t < 2; ++t) {
    const StepScope step(t);
    total = total * 0.5;
  }
  total.backward();
  const Trace trace = make_trace(recording, *recording.last());
  expect_complete_layout(trace);
  std::vector<std::string> loops;
  for (const TraceGroup& group : trace.groups) {
    if (group.kind != TraceGroup::Kind::loop) continue;
    std::string text;
    for (const TraceItem& item : group.rows[0]) {
      const TraceGroup& column = trace.groups[item.index];
      text += column.kind == TraceGroup::Kind::step ? fmt::format("{}", column.step) : "|";
    }
    loops.push_back(text);
  }
  EXPECT_EQ(loops, (std::vector<std::string>{"0|1|2|3|4", "01"}));

  for (const TraceGroup& group : trace.groups) {
    std::map<std::uint64_t, std::size_t> row_of;
    for (std::size_t r = 0; r < group.rows.size(); ++r) {
      for (const TraceItem& item : group.rows[r]) {
        if (item.kind == TraceItem::Kind::node) row_of[trace.nodes[item.index].id] = r;
      }
    }
    for (const auto& [id, row] : row_of) {
      for (const TraceInput& input : trace.find(id)->inputs) {
        const bool is_here = input.node && row_of.contains(*input.node);
        EXPECT_TRUE(!is_here || row_of[*input.node] < row) << id;
      }
    }
  }
}

TEST(TraceLayout, SecondDerivativesAndReleasedGraphsAreTracedToo) {
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
  expect_complete_layout(trace);
  EXPECT_EQ(values_of(trace, node_of(trace, x).gradient), (std::vector<double>{3, -9}));
  for (const TraceNode& node : trace.nodes) EXPECT_EQ(node.is_leaf, node.inputs.empty()) << node.op;
}

TEST(TraceLayout, IsQuickForADeepGraph) {
  Recording recording;
  const ObserverGuard guard(recording);
  Tensor x = ones({1}).requires_grad_();
  for (int i = 0; i < 5000; ++i) x = x * 1.0;
  x.backward();
  const Trace trace = make_trace(recording, *recording.last());
  expect_complete_layout(trace);
  EXPECT_EQ(trace.groups[0].rows.size(), 5001u);
}

// ---- large tensors
// ------------------------------------------------------------------------------------------------------

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
  const Trace trace = make_trace(recording, *recording.last(), {.values_in_all = 10'000});
  std::size_t kept = 0;
  for (const TraceTensor& tensor : trace.tensors) kept += tensor.values.size() + tensor.cells.size();
  EXPECT_LE(kept, 10'000u);
  EXPECT_GT(kept, 5'000u);
}

// ---- JSON
// -----------------------------------------------------------------------------------------------------------------

TEST(TraceJson, HasTheDocumentedFields) {
  const Program program;
  const Json json = Json::parse(to_json(program.trace()));
  EXPECT_EQ(json.at("format"), "backstep-trace");
  EXPECT_EQ(json.at("version"), 1);
  const std::string documented = content_of(BACKSTEP_SOURCE "/docs/trace-format.md");
  const auto expect_documented = [&](const Json& object) {
    for (const auto& [key, value] : object.items()) EXPECT_THAT(documented, HasSubstr("`" + key + "`"));
  };
  expect_documented(json);
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
    trace.mark = {5, true, "here"};
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

TEST(TraceJson, RefusesWhatIsNoTraceAndSaysWhy) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      trace_from_json(text);
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
    return "read";
  };
  EXPECT_THAT(message("{"), HasSubstr("this is no trace"));
  EXPECT_THAT(message("[]"), HasSubstr("its format is not"));
  EXPECT_THAT(message(R"({"format": "backstep-trace", "version": 99})"), HasSubstr("version 99"));
  const Program program;
  Trace trace = program.trace();
  trace.sources = {{"a.cpp", "int main() {}\n", ""}, {"b.cpp", "", "it was not found"}};  // this file is long
  const std::string good = to_json(trace);
  // Damage everywhere: an error or a trace, never a crash.
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string bad = good;
    bad[i] = static_cast<char>('0' + i % 75);
    message(bad);
    message(good.substr(0, i));
  }
}

// ---- hostile names
// ----------------------------------------------------------------------------------------------------------

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

TEST(TraceNames, AreHarmlessInThePage) {
  const Hostile hostile;
  const Trace trace = make_trace(hostile.recording, *hostile.recording.last());
  const std::string page = to_page(trace);
  const std::size_t begin = page.find("<script type=\"application/json\"");
  const std::size_t end = page.find("</script>", begin);
  const std::string json = page.substr(page.find('>', begin) + 1, end - page.find('>', begin) - 1);
  EXPECT_EQ(json.find('<'), std::string::npos);
  const Json read = Json::parse(json);  // it ended where it should
  EXPECT_EQ(read.at("strings").at(read.at("nodes").at("label").at(0).get<std::size_t>()),
            "x</script><script>alert(1)</script>\\u{202e}\\x07\\xff PAGE_TRACE /*PAGE_JS*/");
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy\" content=\"default-src 'none';"));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
}

TEST(TraceNames, AreHarmlessInDot) {
  const Hostile hostile;
  const std::string dot = to_graphviz(make_trace(hostile.recording, *hostile.recording.last()));
  // Outside of strings there is nothing but what the writer put there.
  std::string outside;
  bool in_string = false;
  for (std::size_t i = 0; i < dot.size(); ++i) {
    if (in_string && dot[i] == '\\') {
      ++i;
    } else if (dot[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      outside += dot[i];
    } else {
      EXPECT_GE(static_cast<unsigned char>(dot[i]), 0x20);
    }
  }
  EXPECT_FALSE(in_string);
  EXPECT_THAT(outside, Not(HasSubstr("script")));
}

// ---- dot
// ------------------------------------------------------------------------------------------------------------------------

TEST(Graphviz, HasClustersAndALeafForEachUse) {
  const Program program;
  const std::string dot = to_graphviz(program.trace());
  EXPECT_THAT(dot, HasSubstr("label=\"cell\""));
  EXPECT_THAT(dot, HasSubstr("label=\"step 2\""));
  for (const char* use : {"u0 [", "u1 [", "u2 [", "u0 -> n", "u1 -> n", "u2 -> n"}) EXPECT_THAT(dot, HasSubstr(use));
  EXPECT_EQ(std::count(dot.begin(), dot.end(), '{'), std::count(dot.begin(), dot.end(), '}'));
}

// ---- formulas
// ----------------------------------------------------------------------------------------------------------------------

// Without the spaces and names of elements that say nothing.
std::string brief(const std::string& formula) {
  std::string text = to_mathml(formula);
  const auto remove = [&](const std::string& part) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) text.erase(at, part.size());
  };
  for (const char* part : {"<mrow>", "</mrow>", "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">", "</math>",
                           " mathvariant=\"normal\"", "<mo>&#x2061;</mo>"}) {
    remove(part);
  }
  return text;
}

TEST(MathMl, FormulasBecomeElements) {
  EXPECT_EQ(brief("dx = dy * (1 - y^2)"),
            "<mi>d</mi><mi>x</mi><mo>=</mo><mi>d</mi><mi>y</mi><mo>·</mo><mo>(</mo><mn>1</mn><mo>−</mo>"
            "<msup><mi>y</mi><mn>2</mn></msup><mo>)</mo>");
  EXPECT_EQ(
      brief("y = 1 / (1 + exp(-x))"),
      "<mi>y</mi><mo>=</mo><mfrac><mn>1</mn><mn>1</mn><mo>+</mo><msup><mi>e</mi><mo>−</mo><mi>x</mi></msup></mfrac>");
  EXPECT_EQ(brief("dA = dY B^T"),
            "<mi>d</mi><mi>A</mi><mo>=</mo><mi>d</mi><mi>Y</mi><mo>&#x2062;</mo><msup><mi>B</mi><mo>⊤</mo></msup>");
  EXPECT_EQ(brief("da = dy @ b^T"),
            "<mi>d</mi><mi>a</mi><mo>=</mo><mi>d</mi><mi>y</mi><mo>@</mo><msup><mi>b</mi><mo>⊤</mo></msup>");
  EXPECT_EQ(brief("dx = sum(y * dy)"),
            "<mi>d</mi><mi>x</mi><mo>=</mo><mo>∑</mo><mo>(</mo><mi>y</mi><mo>·</mo><mi>d</mi><mi>y</mi><mo>)</mo>");
  EXPECT_EQ(brief("y[i] = x[index[i]]"),
            "<msub><mi>y</mi><mi>i</mi></msub><mo>=</mo><msub><mi>x</mi><msub><mi>index</mi><mi>i</mi></msub></msub>");
}

// fast/'s op, which all_ops() leaves out: not one word is left in it.
TEST(MathMl, TheDerivativeOfCrossEntropyIsAFormulaToItsEnd) {
  const std::string formula = "dx[i][c] = dy * w[i] / sum_i(w[i]) * (softmax(x[i])[c] - [c == target[i]])";
  EXPECT_THAT(content_of(BACKSTEP_SOURCE "/autograd/fast/loss.cpp"), HasSubstr(formula));
  EXPECT_THAT(brief(formula), Not(HasSubstr("<mtext>")));
}

TEST(MathMl, WordsStayWords) {
  EXPECT_EQ(brief("y = x in another shape"), "<mi>y</mi><mo>=</mo><mi>x</mi><mtext>\u00a0in another shape</mtext>");
  EXPECT_EQ(brief("y's dim i is x's dim dims[i]"), "<mtext>y&#39;s dim i is x&#39;s dim dims[i]</mtext>");
  EXPECT_EQ(brief("<script>&\"(("), "<mtext>&lt;script&gt;&amp;&quot;((</mtext>");
}

// All of the letters, numbers and words of every op's formula arrive, in well-formed elements.
TEST(MathMl, NothingOfAnyOpIsLost) {
  const auto letters = [](const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) result += c;
    }
    return result;
  };
  for (const OpInfo* op : all_ops()) {
    for (const char* formula : {op->text.formula, op->text.derivative}) {
      const std::string mathml = to_mathml(formula);
      std::string text;
      std::vector<std::string> open;
      for (std::size_t i = 0; i < mathml.size(); ++i) {
        if (mathml[i] == '&') {
          i = mathml.find(';', i);
        } else if (mathml[i] == '<') {
          const std::size_t end = mathml.find('>', i);
          const std::string tag = mathml.substr(i + 1, end - i - 1);
          if (tag[0] == '/') {
            ASSERT_EQ(tag.substr(1), open.back()) << mathml;
            open.pop_back();
          } else if (tag.back() != '/') {
            open.push_back(tag.substr(0, tag.find(' ')));
          }
          i = end;
        } else {
          text += mathml[i];
        }
      }
      EXPECT_TRUE(open.empty()) << mathml;
      std::string expected = letters(formula);
      std::string found = letters(text);
      // exp(x) is written e^x, sqrt(x) as a root, sum(x) as a sign, b^T with a sign.
      for (const auto& [word, shown] :
           {std::pair<std::string, std::string>{"exp", "e"}, {"sqrt", ""}, {"sum", ""}, {"T", ""}}) {
        expected = fixtures::replace(expected, word, shown);
        found = fixtures::replace(found, word, shown);
      }
      EXPECT_EQ(found, expected) << formula;
    }
  }
}

// ---- comparison
// ------------------------------------------------------------------------------------------------------------------------

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
  EXPECT_THAT(difference.text, HasSubstr("first difference: forward, the value at %"));
  EXPECT_THAT(difference.text, HasSubstr("in cell, step 0"));
  EXPECT_FALSE(first_difference(right.trace(), trace, {.tolerance = 0.5}).found);
}

// Doubles what the backward of the `count`-th tanh returns.
class Mistake : public ForwardingObserver {
 public:
  Grads run(Node& node, const Tensor& dy) override {
    Grads gradients = ForwardingObserver::run(node, dy);
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
  EXPECT_THAT(difference.text, testing::ContainsRegex("contributed by the backward of %[0-9]+ tanh"));
}

TEST(TraceDifference, FindsAnotherOp) {
  const auto trace_of = [](bool squares) {
    Recording recording;
    const ObserverGuard guard(recording);
    const Tensor x = ones({2}).requires_grad_();
    (squares ? x * x : sin(x)).sum().backward();
    return make_trace(recording, *recording.last());
  };
  const TraceDifference difference = first_difference(trace_of(true), trace_of(false));
  EXPECT_EQ(difference.kind, "structure");
  EXPECT_THAT(difference.text, testing::ContainsRegex("right %[0-9]+ mul.*, here %[0-9]+ sin"));
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

// ---- the tracer
// ----------------------------------------------------------------------------------------------------------------------------

void run_passes(int count) {
  const Tensor x = tensor({1, 2}).requires_grad_();
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
}

// What was asked for is written first, and then overwritten.
TEST(Tracer, WritesThePassInWhichSomethingIsFound) {
  const std::string file = temporary("found.json");
  Tracer tracer({.file = file});
  const ObserverGuard guard(tracer);
  const debug::ScopedNanOrigin origin;
  run_passes(2);
  EXPECT_EQ(read_trace(file).pass, 1u);
  const Tensor x = tensor({0, 2}).requires_grad_();
  const Tensor y = sqrt(x);
  y.sum().backward();
  const Trace trace = read_trace(file);
  EXPECT_EQ(trace.pass, 3u);
  ASSERT_TRUE(trace.mark);
  EXPECT_EQ(trace.mark->node, y.grad_fn()->number);
  EXPECT_TRUE(trace.mark->backward);
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
  EXPECT_THAT(other.difference().text, HasSubstr("%"));
  EXPECT_THAT(content_of(page), HasSubstr("\"mark\":{\"node\":"));
}

TEST(Tracer, ReadsItsOptions) {
  const TracerOptions options = parse_tracer_options("a,b.html,pass=3,compare=x.json,tolerance=0.5,values=7");
  EXPECT_EQ(options.file, "a,b.html");
  EXPECT_EQ(options.pass, 3u);
  EXPECT_EQ(options.compare, "x.json");
  EXPECT_EQ(options.difference.tolerance, 0.5);
  EXPECT_EQ(options.trace.values_per_tensor, 7);
  for (const char* bad : {"", "a", "a.txt", ",pass=1", "a.html,pass=0", "a.html,pass=x", "a.html,tolerance=-1",
                          "a.html,values=", "a.html,color=red"}) {
    EXPECT_THROW(parse_tracer_options(bad), std::invalid_argument) << bad;
  }
}

TEST(Tracer, RefusesBeforeTheProgramBegins) {
  EXPECT_THROW(Tracer({.file = "/no/such/folder/a.html"}), std::invalid_argument);
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
  EXPECT_THAT(fixtures::message_of(ErrorId::bad_file, [&] { write_page(program.trace(), "/no/such/folder/a.html"); }),
              HasSubstr("/no/such/folder/a.html was not written: No such file or directory"));
  const std::string file = temporary("whole.html");
  write_page(program.recording, *program.recording.last(), file);
  EXPECT_THAT(content_of(file), testing::EndsWith("</html>\n"));
}

}  // namespace trace_test
