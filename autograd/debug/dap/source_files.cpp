#include "autograd/debug/dap/source_files.h"

#include <filesystem>
#include <set>

#include "autograd/debug/step/answers.h"

namespace autograd::debug {
namespace {

std::string without_links(const std::string& path) {
  std::error_code problem;
  const std::filesystem::path real = std::filesystem::canonical(path, problem);
  return problem ? path : real.string();
}

// All that the pass has, also of module calls.
std::set<const char*> names_of_files(const View& view) {
  std::set<const char*> names;  // by address: quicker than by letters, and a name twice does no harm
  for (const Ref<Node>& node : view.pass->order) {
    names.insert(node->called_at.file);
    for (const Scope* at = node->scope.get(); at; at = at->parent.get()) names.insert(at->called_from.file);
  }
  return names;
}

}  // namespace

std::string absolute_source(const std::string& name, const Settings& settings) {
  const std::string found = find_source(name, settings);
  return found.empty() ? "" : without_links(found);
}

std::string compiled_name(const std::string& path, const View& view, const Settings& settings) {
  const std::string wanted = without_links(path);
  for (const char* name : names_of_files(view)) {
    if (absolute_source(name, settings) == wanted) return name;
  }
  return "";
}

}  // namespace autograd::debug
