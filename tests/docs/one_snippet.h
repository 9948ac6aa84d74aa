// One snippet of a page as a program that a reader can run and change: docs/try.
#pragma once

#include <cstddef>
#include <string>

#include "snippets.h"

namespace docs {

// The page's snippets by number, from 1, below its headings, each with its first line of code.
std::string list_snippets(const Page& page);
// A line for each snippet: "defines" what others use, "steps" through backward, or "runs".
std::string kinds_of_snippets(const Page& page);

// The program of snippet `number`: with it what it continues, the global definitions before it, and the members that
// these declare and the page defines later. Throws std::runtime_error if there is no such snippet, or if it is a
// definition that others use.
std::string write_one_program(const Page& page, std::size_t number);

}  // namespace docs
