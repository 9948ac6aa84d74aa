// A snippet that runs under the debugger (snippets.h): its text as a file, and the commands that are typed.
#pragma once

#include <autograd/debug/step/terminal_debugger.h>

#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace docs {

class Session {
 public:
  Session(const std::string& file, const std::string& source, const std::vector<std::string>& commands)
      : debugger_(commands, std::cout) {
    std::ofstream(file) << source;
  }

 private:
  autograd::debug::StepThrough debugger_;
};

}  // namespace docs
