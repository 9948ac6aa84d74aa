// A trace in JSON: refused, or read, and the same when it is written and read again; the page and the graph are made of
// it, and it does not differ from itself.
#include <autograd/debug/trace/graphviz.h>
#include <autograd/debug/trace/page.h>
#include <autograd/debug/trace/trace.h>
#include <autograd/debug/trace/trace_difference.h>

#include <stdexcept>

#include "tests/fuzz/fuzz.h"

namespace fuzz_trace {

using namespace autograd::debug;

void run(const std::string& input) {
  Trace trace;
  if (fuzz::throws<std::invalid_argument>([&] { trace = trace_from_json(input); })) return;
  const std::string written = to_json(trace);
  fuzz::require(to_json(trace_from_json(written)) == written, "another trace when read again");
  fuzz::require(to_page(trace).find("</html>") != std::string::npos, "a page without an end");
  fuzz::require(to_graphviz(trace).starts_with("digraph"), "no graph");
  fuzz::require(!first_difference(trace, trace).found, "a trace differs from itself");
}

const fuzz::Target target("trace", run);

}  // namespace fuzz_trace
