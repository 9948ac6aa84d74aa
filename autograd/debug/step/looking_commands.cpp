// Commands that show something and change nothing.
#include <fmt/core.h>

#include "autograd/debug/step/commands.h"
#include "autograd/debug/step/debugger.h"
#include "autograd/debug/step/refused.h"
#include "autograd/debug/trace/page.h"
#include "autograd/tensor/characters.h"
#include "autograd/tensor/error.h"

namespace autograd::debug {
namespace {

std::string state_text(bool enabled, int hits) {
  return fmt::format("{:<9} {:>4} hit{}", enabled ? "enabled" : "disabled", hits, hits == 1 ? "" : "s");
}

std::string breakpoints_text(const Debugger& debugger) {
  std::string text;
  for (const Breakpoint& item : debugger.breakpoints) {
    text += fmt::format("{:>3}  {}  {}{}\n", item.number, state_text(item.enabled, item.hits), to_string(item.spot),
                        item.temporary ? " (temporary)" : "");
  }
  for (const Watch& item : debugger.watches) {
    text += fmt::format("{:>3}  {}  watch {}\n", item.number, state_text(item.enabled, item.hits),
                        printable(item.expression.text));
  }
  return text.empty() ? "No breakpoints or watches.\n" : text;
}

std::string displays_text(const Debugger& debugger) {
  std::string text;
  for (const Display& item : debugger.displays) {
    const std::string flags = item.flags.empty() ? "" : "/" + item.flags + " ";
    text += fmt::format("{:>3}  {}{}\n", item.number, printable(flags), printable(item.expression));
  }
  return text.empty() ? "No displays.\n" : text;
}

bool begins(const std::string& whole, const std::string& word) {
  return !word.empty() && whole.rfind(word, 0) == 0;
}

void info(Debugger& debugger, const std::string& arguments) {
  std::string rest = arguments;
  const std::string topic = take_word(rest);
  if (begins("breakpoints", topic) || begins("watch", topic)) return debugger.write(breakpoints_text(debugger));
  if (begins("display", topic)) return debugger.write(displays_text(debugger));
  debugger.write(answer_info({debugger.view(), debugger.settings, arguments}));
}

// Writes what the pass has done so far.
void html(Debugger& debugger, const std::string& arguments) {
  const std::string file = trim(arguments);
  if (file.empty()) throw Refused("no file is named", "the file to write");
  try {
    write_trace(make_trace(debugger, *debugger.view().pass), file);
  } catch (const Error&) {
    throw Refused(fmt::format("{} cannot be written", printable(file)),
                  "a file in a folder that is there, and room for it");
  }
  debugger.write(fmt::format("Wrote {}\n", printable(file)));
}

}  // namespace

std::vector<Command> looking_commands() {
  return {
      {"print",
       {"p"},
       "[/s|/h|/x] EXPRESSION",
       "Show a tensor, its gradient, or some of it.\n"
       "W, W.grad, W.grad[1, 0:2], %17, loss; y, x0, dy, dx0 of the current op.\n"
       "/s statistics, /h a heatmap, /x every digit.",
       answer_print,
       nullptr},
      {"info",
       {"i"},
       "TOPIC",
       "Lists: nodes, leaves, locals, names, pass, breakpoints, ...\n"
       "nodes [all|OP|NAME|MODULE]  the ops of this pass and how far their gradients are\n"
       "leaves                      the parameters and inputs, and their gradients, or why they get none\n"
       "locals                      what the current op was given, made, and gets\n"
       "names, modules, ops         what there is to break at\n"
       "pass                        which pass this is, and how far\n"
       "breakpoints, watch, display",
       nullptr,
       info},
      {"where",
       {"backtrace", "bt"},
       "",
       "The module calls and time steps that the current op ran in.",
       answer_where,
       nullptr},
      {"list", {"l"}, "[NAME|%N]", "The source around the op's call.", answer_list, nullptr},
      {"graph",
       {},
       "[NAME|%N] [DEPTH]",
       "The ops around one: who uses it, and what it is made of.",
       answer_graph,
       nullptr},
      {"formula",
       {"f"},
       "[NAME|%N] [I,J]",
       "The op's derivative, and the same with actual numbers.\n"
       "Those of the element [I,J], or of the one where most flows; and the op's local Jacobian where it is small.",
       answer_formula,
       nullptr},
      {"cell",
       {},
       "NAME[.grad][I,J] [all]",
       "One element: what it came from, who wrote it, where it goes.\n"
       "With the values of these elements, and the slope between each of them and this one.\n"
       "A gradient is the sum of contributions by the ops that use its tensor; which are still to come is said too.\n"
       "More than 40 are grouped by place, unless `all` are asked for.",
       answer_cell,
       nullptr},
      {"why",
       {},
       "NAME[I,J]",
       "The paths from the loss that carry most of a gradient.\n"
       "Of a tensor that gets none: where its paths end instead.\n"
       "Of many contributions first what each place in the program gave: those sums are all of the gradient.",
       answer_why,
       nullptr},
      {"check",
       {},
       "[NAME|%N]",
       "This op's backward against finite differences.\nOf its forward, at its real inputs and the real gradient of "
       "its output.",
       answer_check,
       nullptr},
      {"bump",
       {},
       "NAME[I,J] [DELTA]",
       "What would the loss be if this value were different?\n"
       "Runs the ops that depend on it again and compares the loss's slope with the gradient.\n"
       "The program keeps its own values.",
       answer_bump,
       nullptr},
      {"html", {}, "FILE", "Write the page that replays this pass.", nullptr, html},
  };
}

}  // namespace autograd::debug
