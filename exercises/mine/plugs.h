// Plugs: the learner's answers, each compiled into a library of its own with its plug (plugs/), which fills its parts.
// So the names in one answer do not get in the way of those in another.
#pragma once

#include <string>
#include <vector>

#include "mine/parts.h"

namespace mine {

struct Plug {
  int exercise = 0;
  std::string title;  // "Linear layer"
  std::string part;   // what it is in this program
  std::string file;   // the library; "" if the exercise is not plugged in
  std::string why;    // it is not: "open", "not right any more"
  void (*plug_in)(Parts& parts) = nullptr;
};

// Reads a list of plugs, five columns divided by tabs: exercise, title, part, file, why. Throws std::runtime_error.
std::vector<Plug> read_plugs(const std::string& path);

// The library's parts, with those plugs of which `wanted` is true. What is plugged in though there is something to say
// of it was asked for, so it takes the place of others.
template <class Wanted> Parts parts_from(const std::vector<Plug>& plugs, Wanted wanted) {
  Parts filled = of_the_library();
  for (const bool asked_for : {false, true}) {
    for (const Plug& plug : plugs) {
      plugging_in = plug.exercise;
      if (plug.plug_in && wanted(plug) && plug.why.empty() != asked_for) plug.plug_in(filled);
    }
  }
  plugging_in = 0;
  return filled;
}

std::string name_of(const Plug& plug);  // "19 Linear layer"

}  // namespace mine
