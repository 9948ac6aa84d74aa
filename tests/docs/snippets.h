// The C++ snippets of a Markdown page: they are compiled, and what they print is held against what the page says.
//
// A block that opens with ```cpp is a snippet, and the next block that opens with ```text is its output. Of a page,
// one program is made (write_program):
//
//   ```cpp                 statements, the body of a function; or a whole program with its int main()
//   ```cpp continued       more statements in the function of the snippet before
//   ```cpp step            statements run under BACKSTEP=step: the output is the session, and what stands behind its
//                          "(backstep) " is typed
//   ```cpp global          definitions that all later snippets of the page can use; prints nothing
//   ```cpp from FILE       an excerpt: these lines stand in that file, one after the other; "// ..." skips some
//   ```cpp global from FILE    both: an excerpt that later snippets of the page can use
//   ```text from FILE      the same of a transcript that another test keeps true
//   ```cpp nocheck         not a program: left alone
//
// A picture that takes code of its own is drawn by a file beside it, pictures/NAME.cpp: statements too, which see the
// global definitions of the page that its first line names, "// Drawn with docs/12-bahdanau-attention.md".
//
// Every snippet that is not `continued` is a process of its own. In error messages its lines are those of
// "example.cpp", counted from the first line of the block (of the first one, if it is continued).
// A file name as the last word replaces that: ```cpp global softplus.cpp
//
// Statements see all of autograd and nn (`using namespace autograd`); a whole program includes what it needs.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace docs {

using Lines = std::vector<std::string>;

// Fence to fence.
struct Block {
  int line = 0;      // of the opening fence, from 1
  std::string info;  // what stands behind the opening fence: "cpp continued"
  Lines lines;
};

struct Snippet {
  enum class Kind { statements, continued, global, program };
  Kind kind = Kind::statements;
  int line = 0;      // of the opening fence
  int end = 0;       // of the closing fence
  std::string file;  // what its messages call it
  Lines code;
  bool is_session = false;  // under the debugger; the commands are in the output
  bool has_output = false;
  int output_line = 0;  // of the output's opening fence
  Lines output;
};

struct Excerpt {
  int line = 0;  // of the opening fence
  std::string file;
  Lines lines;
};

// A failure names page and line: "docs/errors.md:17: ...".
struct Page {
  std::string name;  // "docs/errors.md"
  Lines lines;
  std::vector<Block> blocks;
  std::vector<Snippet> snippets;
  std::vector<Excerpt> excerpts;
  std::vector<Snippet> drawings;  // each with the line of the page that first shows its picture
};

// Throws std::runtime_error for a page that cannot be read or breaks the rules above.
Page read_page(const std::string& path, const std::string& name);
Page parse_page(const std::string& text, const std::string& name);
// The blocks alone: for Markdown whose blocks follow no rules.
Page read_blocks(const std::string& path, const std::string& name);

// What is typed in a session.
Lines commands_of(const Snippet& snippet);

// The C++ program of all snippets. It prints a mark before the output of each.
std::string write_program(const Page& page);

// What the program printed, by the line of the snippet.
struct Printed {
  std::map<int, Lines> by_line;
  std::string failure;  // "docs/errors.md:17: the snippet ends with an error: ...", or ""
};
// Runs it in a new directory with a folder "pictures". What the snippets write there is copied to `pictures`, if given.
Printed run_program(const Page& page, const std::string& program, const std::string& pictures = "");
Printed parse_printed(const Page& page, const std::string& text);

// "" if the excerpt is in this text, else its first line that is not.
std::string missing_line(const Excerpt& excerpt, const std::string& text);

// One sentence for every snippet that prints something else than the page says, but for rounding (same_line.h).
Lines differences(const Page& page, const Printed& printed);

// The page with what was printed in place of what it says.
std::string updated(const Page& page, const Printed& printed);

}  // namespace docs
