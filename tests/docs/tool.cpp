// docs_tool write PAGE NAME PROGRAM.cpp    writes the program of a page
// docs_tool update PAGE NAME PROGRAM       runs it, and puts what it prints into the page and its pictures beside it
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "snippets.h"

namespace {

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

void write(const std::string& path, const std::string& name, const std::string& program) {
  write_file(program, docs::write_program(docs::read_page(path, name)));
}

void update(const std::string& path, const std::string& name, const std::string& program) {
  const docs::Page page = docs::read_page(path, name);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const std::string pictures = (folder / "pictures").string();
  const docs::Printed printed = docs::run_program(page, program, pictures);
  const docs::Lines changes = docs::differences(page, printed);
  if (changes.empty()) return;
  write_file(path, docs::updated(page, printed));
  fmt::print("{}: {} outputs rewritten\n", name, changes.size());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string command = argc == 5 ? argv[1] : "";
    if (command == "write") {
      write(argv[2], argv[3], argv[4]);
    } else if (command == "update") {
      update(argv[2], argv[3], argv[4]);
    } else {
      fmt::print(stderr, "usage: docs_tool write|update PAGE NAME PROGRAM\n");
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
