// Which file of this machine a line of the program is in. The compiler may have been given a relative name.
#pragma once

#include <string>

#include "autograd/debug/step/settings.h"
#include "autograd/debug/step/view.h"

namespace autograd::debug {

// The absolute path, or "" if there is no such file in any of settings.directories.
std::string absolute_source(const std::string& name, const Settings& settings);
// The name under which the ops of this pass have the file; "" if none of them is in it.
std::string compiled_name(const std::string& path, const View& view, const Settings& settings);

}  // namespace autograd::debug
