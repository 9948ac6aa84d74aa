#include "course/webassembly/answer.h"

namespace course {

Run answer_of_program() {
  return exercise.learner;
}

}  // namespace course
