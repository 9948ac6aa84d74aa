// The arguments of a request, read with a clear error for what is missing or of another type.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "autograd/debug/dap/connection.h"

namespace autograd::debug {

// `json` must outlive it. All throw Refused.
class Arguments {
 public:
  Arguments(const Json& json, std::string title);

  bool has(const char* name) const;
  std::string text(const char* name) const;
  std::string text_or(const char* name, const std::string& otherwise) const;
  std::int64_t whole(const char* name) const;
  std::int64_t whole_or(const char* name, std::int64_t otherwise) const;
  bool flag_or(const char* name, bool otherwise) const;
  Arguments object(const char* name) const;
  std::vector<Arguments> objects(const char* name) const;  // none if it is missing
  std::vector<std::string> texts(const char* name) const;  // none if it is missing

 private:
  const Json& get(const char* name, bool is_right, const char* expected) const;
  const Json* find(const char* name) const;

  const Json& json_;
  std::string title_;  // "setBreakpoints", "source of setBreakpoints"
};

}  // namespace autograd::debug
