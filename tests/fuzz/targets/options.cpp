// Options of the program translate, one on each line: as texts in a file, where they are refused or the same when
// written and read again; and on the command line, where a mistake is one line of advice and the exit code 2.
#include "examples/translate/options.h"

#include <fmt/core.h>

#include <cstdio>
#include <iostream>
#include <sstream>

#include "examples/translate/commands/command_line.h"
#include "tests/fuzz/fuzz.h"

namespace fuzz_options {

using autograd::ErrorId;
using translate::OptionTexts;

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// ---- in a file ---------------------------------------------------------------------------------------------------

template <class Options> void check_texts(const OptionTexts& texts, void (*check)(const Options&)) {
  Options options;
  if (fuzz::refuses({ErrorId::bad_argument}, [&] { translate::set_options(options, texts); })) return;
  const OptionTexts written = translate::texts_of(options);
  Options again;
  translate::set_options(again, written);
  fuzz::require(translate::texts_of(again) == written, "other options when read again");
  fuzz::refuses({ErrorId::bad_argument}, [&] { check(options); });
}

void check_data(const translate::DataOptions& options) {
  translate::check_options(options);
  translate::check_what_fits_the_data(options);
}

OptionTexts texts_in(const Lines& lines) {
  OptionTexts texts;
  for (const std::string& line : lines) {
    const std::size_t equals = line.find('=');
    if (line.starts_with("--") && equals != std::string::npos)
      texts[line.substr(2, equals - 2)] = line.substr(equals + 1);
  }
  return texts;
}

// ---- on the command line -----------------------------------------------------------------------------------------

// What is written to standard output and error meanwhile.
class Caught {
 public:
  Caught() {
    stdout = stderr = ::open_memstream(&text_, &size_);
    std::cout.rdbuf(stream_.rdbuf());
    std::cerr.rdbuf(stream_.rdbuf());
  }
  ~Caught() {
    std::fclose(stdout);
    std::free(text_);
    stdout = out_;
    stderr = error_;
    std::cout.rdbuf(out_buffer_);
    std::cerr.rdbuf(error_buffer_);
  }
  Caught(const Caught&) = delete;
  Caught& operator=(const Caught&) = delete;

  std::string text() {
    std::fflush(stdout);
    return text_;
  }

 private:
  std::FILE* out_ = stdout;
  std::FILE* error_ = stderr;
  std::streambuf* out_buffer_ = std::cout.rdbuf();
  std::streambuf* error_buffer_ = std::cerr.rdbuf();
  std::ostringstream stream_;
  char* text_ = nullptr;
  std::size_t size_ = 0;
};

// Nothing is ever done: the last argument is no option. After "--" it would be the name of a file.
void check_command_line(const Lines& lines) {
  std::vector<const char*> arguments{"translate"};
  for (const std::string& line : lines) {
    if (line.c_str() != std::string_view("--")) arguments.push_back(line.c_str());
  }
  arguments.push_back("--no-such-option");
  std::string said;
  int code = 0;
  {
    Caught caught;
    code = translate::run_command_line(static_cast<int>(arguments.size()), arguments.data());
    said = caught.text();
  }
  const bool is_help = code == 0;
  fuzz::require(is_help || code == 2, fmt::format("the exit code {}", code));
  if (is_help) return;
  fuzz::require(said.starts_with("translate: ") && said.find('\n') == said.size() - 1, "not one line: " + said);
  fuzz::require_harmless(said, "an error");
}

void run(const std::string& input) {
  const Lines lines = lines_of(input);
  const OptionTexts texts = texts_in(lines);
  check_texts<translate::ModelOptions>(texts, translate::check_options);
  check_texts<translate::TrainingOptions>(texts, translate::check_options);
  check_texts<translate::DataOptions>(texts, check_data);
  check_command_line(lines);
}

const fuzz::Target target("options", run);

}  // namespace fuzz_options
