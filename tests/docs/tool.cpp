// docs_tool write PAGE NAME PROGRAM.cpp    writes the program of a page
// docs_tool update PAGE NAME PROGRAM       runs it, and puts what it prints into the page and its pictures beside it
// docs_tool list PAGE NAME                 prints which snippets the page has
// docs_tool kinds PAGE NAME                prints a word for each: defines, steps or runs
// docs_tool extract PAGE NAME NUMBER       prints the program of one snippet
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "marked_numbers.h"
#include "one_snippet.h"
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
  if (!changes.empty()) {
    write_file(path, docs::updated(page, printed));
    fmt::print("{}: {} outputs rewritten\n", name, changes.size());
  }
  for (const std::string& number : docs::stale_numbers(docs::read_page(path, name), folder.string())) {
    fmt::print("{}\n", number);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bool is_of_page = argc == 4 && (std::string(argv[1]) == "list" || std::string(argv[1]) == "kinds");
    const std::string command = argc == 5 || is_of_page ? argv[1] : "";
    if (command == "list") {
      fmt::print("{}", docs::list_snippets(docs::read_page(argv[2], argv[3])));
    } else if (command == "kinds") {
      fmt::print("{}", docs::kinds_of_snippets(docs::read_page(argv[2], argv[3])));
    } else if (command == "extract") {
      fmt::print("{}", docs::write_one_program(docs::read_page(argv[2], argv[3]), std::stoul(argv[4])));
    } else if (command == "write") {
      write(argv[2], argv[3], argv[4]);
    } else if (command == "update") {
      update(argv[2], argv[3], argv[4]);
    } else {
      fmt::print(stderr,
                 "usage: docs_tool write|update PAGE NAME PROGRAM, list|kinds PAGE NAME, extract PAGE NAME NUMBER\n");
      return 2;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
