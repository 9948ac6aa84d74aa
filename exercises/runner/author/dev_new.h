// `learn dev new`: the files of a new exercise, small but whole: they pass `learn dev check`.
#pragma once

#include <string>

namespace learn {

// `id`: "54_my_subject". Returns the exit code.
int dev_new(const std::string& id, const std::string& title, const std::string& part);

}  // namespace learn
