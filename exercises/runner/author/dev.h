// `learn dev ..`: what authors of exercises run, and CI. Each is a file of its own, and returns the exit code.
#pragma once

#include <string>
#include <vector>

#include "runner/commands/commands.h"

namespace learn {

// Every stub compiles and fails with its own message; every solution passes under -Werror and sanitizers; every known
// mistake fails and is recognised as itself; the texts are there. All exercises, or those named, `jobs` at a time (0:
// as many as there are processors). `slow`: solutions reach their training targets,
// and pairs of mistakes are recognised, too.
int dev_check(const std::vector<std::string>& ids, bool slow, int jobs);

// Every small change of a solution (mutants.h) must fail its check, but those that make no difference: these are stated
// in exercise.cpp, with the reason. Prints how many live, which, and where. `slow`: those that live try the training,
// too.
int dev_mutants(const std::vector<std::string>& ids, bool slow, int jobs);

// The files of a new exercise, "54_my_subject", small but whole: they pass dev_check.
int dev_new(const std::string& id, const std::string& title, const std::string& part);

// How long it takes from saving to the verdict, on one processor: each exercise with a known mistake in it, and with
// its solution; the fastest of `repeat`.
int dev_time(const std::vector<std::string>& ids, int repeat, const std::string& json);

// What a learner sees who makes known mistakes, one or two at once; none: the stub as it is given out. `explain`: also
// what `learn why` says.
int dev_try(const Context& context, const std::string& id, const std::vector<std::string>& mistakes, bool explain);

}  // namespace learn
