// `learn why`: all that the last check found out, and what it means.
#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/show/show_report.h"

namespace learn {

int why(const Context& context, const std::string& what) {
  Situation situation = situation_of(context, what);
  const Report report = last_or_new_report(situation);
  show(context.style, explain_report(context.style, situation.exercise, report, situation.file));
  show_notice(context, situation.progress);
  return report.passed() ? 0 : 1;
}

}  // namespace learn
