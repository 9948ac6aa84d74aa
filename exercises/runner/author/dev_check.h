// `learn dev check`: what authors and CI run. Every stub compiles and fails with its own message; every solution passes
// under -Werror and sanitizers; every known mistake fails and is recognised as itself; the texts are there.
#pragma once

#include <string>
#include <vector>

namespace learn {

// All exercises, or those named, `jobs` at a time (0: as many as there are processors). Returns the exit code. `slow`:
// solutions reach their training targets, too.
int dev_check(const std::vector<std::string>& ids, bool slow, int jobs);

}  // namespace learn
