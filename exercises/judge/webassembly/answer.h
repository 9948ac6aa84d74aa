// What an answer's program in WebAssembly (answer.cpp) is to answer with.
#pragma once

#include "judge/answer_program.h"

namespace judge {

// The learner's; tests are linked with one of their own.
Run answer_of_program();

}  // namespace judge
