// The page: one file that replays a trace in any browser, without a network. Built from page/page.{html,css,js}, which
// are compiled in.
#pragma once

#include <string>

#include "autograd/debug/trace/trace.h"

namespace autograd::debug {

std::string to_page(const Trace& trace);

// All these write the whole file or nothing: a temporary file is renamed at the end. They throw bad-file.
void write_page(const Trace& trace, const std::string& file);
void write_page(const Recording& recording, const PassRecord& pass, const std::string& file);

// Chooses by the file's extension: .json is the trace, any other the page.
void write_trace(const Trace& trace, const std::string& file);
void write_file(const std::string& file, const std::string& content);

}  // namespace autograd::debug
