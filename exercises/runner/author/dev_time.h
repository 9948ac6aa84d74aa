// `learn dev time`: how long it takes from saving to the verdict, on one processor.
#pragma once

#include <string>
#include <vector>

namespace learn {

// Each exercise with a known mistake in it, and with its solution; the fastest of `repeat`. Returns the exit code.
int dev_time(const std::vector<std::string>& ids, int repeat, const std::string& json);

}  // namespace learn
