// JSON that others wrote, with what is text in it made harmless (autograd/text/printable.h).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "autograd/text/printable.h"

namespace learn {

inline nlohmann::json printable_json(nlohmann::json value) {
  if (value.is_string()) return autograd::printable_lines(value.get<std::string>());
  if (value.is_structured()) {
    for (nlohmann::json& part : value) part = printable_json(std::move(part));
  }
  return value;
}

}  // namespace learn
