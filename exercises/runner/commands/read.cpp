// `learn read`: the exercise's text.
#include <fmt/format.h>

#include <stdexcept>

#include "runner/commands/commands.h"
#include "runner/commands/situation.h"
#include "runner/lessons/course.h"
#include "runner/lessons/road.h"
#include "runner/system/files.h"
#include "runner/text/markdown.h"

namespace learn {
namespace {

// On the desk, if this is one.
std::string given_of(const Context& context, const Exercise& exercise) {
  try {
    const std::string given = find_desk(context.folder).given(exercise);
    if (exists(given)) return given;
  } catch (const std::runtime_error&) {
    // Texts can be read anywhere.
  }
  return exercise.folder + "/given.h";
}

}  // namespace

int read(const Context& context, const std::string& what) {
  const Exercise exercise = what.empty() ? situation_of(context, what).exercise : load_exercise(find_exercise(what));
  show(context.style,
       show_markdown(context.style, page_with_road(exercise, read_file(exercise.folder + "/README.md"))));
  show(context.style, context.style.dim(fmt::format("\nWhat is given: {}\n", given_of(context, exercise))));
  return 0;
}

}  // namespace learn
