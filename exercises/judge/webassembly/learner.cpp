#include "judge/webassembly/answer.h"

namespace judge {

Run answer_of_program() {
  return exercise.learner;
}

}  // namespace judge
