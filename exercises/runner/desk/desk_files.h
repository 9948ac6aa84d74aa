// What lies on a desk: every file that `learn start` puts there, and its text as it would be written today.
#pragma once

#include <string>
#include <vector>

#include "runner/desk/desk.h"

namespace learn {

struct DeskFile {
  enum class Kind {
    answer,  // the learner's to write in
    text,    // the exercise's page
    tool     // for editors and the shell
  };
  std::string name;  // relative to the desk
  std::string content;
  Kind kind = Kind::tool;
  bool executable = false;
};

std::vector<DeskFile> desk_files(const Desk& desk);

// Puts a file there and remembers it as what it began as. False if something lies there already: that is never touched.
bool put_new_file(const Desk& desk, const DeskFile& file);
// Writes it over what is there.
void replace_file(const Desk& desk, const DeskFile& file);

}  // namespace learn
