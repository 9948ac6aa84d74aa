// The main() of a program that runs the learner's answer on the check's inputs, once, and nothing else: what is stepped
// through in a debugger, and what shows what the answer prints. (A check program runs it, the solution and all known
// mistakes, several times.)
#include <course/exercise.h>

#include <iostream>

int main() {
  const course::Observed observed = course::observe(course::exercise.learner, course::axes);
  for (const course::Observation& observation : observed.record.observations) {
    using Kind = course::Observation::Kind;
    if (observation.kind == Kind::threw) std::cerr << observation.text << '\n';
  }
}
