// Models that are made in a moment: whether a file's options say that it has one. A model of many gigabytes is no
// mistake, but nothing to wait for.
#pragma once

#include <autograd/tensor/error.h>

#include "examples/translate/options.h"

namespace fuzz {

inline bool describes_small_model(const translate::OptionTexts& texts) {
  translate::ModelOptions options;
  try {
    translate::set_options(options, texts);
  } catch (const autograd::Error&) {
    return true;  // it will be refused
  }
  return options.dim <= 64 && options.layers <= 3;
}

}  // namespace fuzz
