// The main() of an answer's process: runs the check on the answer, as often as the judge (main.cpp) asks for it,
// and sends what was observed. It judges nothing, and has nothing to judge by.
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>

#include "judge/answer_process.h"
#include "judge/watchdog.h"

int main(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--seconds") {
    std::cerr << "This is started by the judge of the course's exercises\n";
    return 2;
  }
  judge::say_where_calls_are_refused();
  if (const int seconds = std::atoi(argv[2]); seconds > 0) judge::limit_time(seconds);
  try {
    judge::answer_questions(judge::exercise.learner);
  } catch (const std::exception& error) {
    std::cerr << "course: " << error.what() << '\n';
    return 3;
  }
  return 0;
}
