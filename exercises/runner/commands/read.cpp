// `learn read`: the exercise's text.
#include <fmt/format.h>

#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/course/course.h"
#include "runner/system/files.h"
#include "runner/text/markdown.h"

namespace learn {

int read(const Context& context, const std::string& what) {
  const Exercise exercise = what.empty() ? situation_of(context, what).exercise : load_exercise(find_exercise(what));
  show(context.style, show_markdown(context.style, read_file(exercise.folder + "/README.md")));
  show(context.style, context.style.dim(fmt::format("\nWhat is given: {}/given.h\n", exercise.folder)));
  return 0;
}

}  // namespace learn
