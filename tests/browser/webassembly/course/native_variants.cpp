// The native side of variants.cpp, started by a judge: variants NUMBER. Without a number it lists the known answers as
// JSON.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "judge/answer_process.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    nlohmann::json names{{"solution"}};
    for (const judge::Mistake& mistake : judge::exercise.mistakes) names.push_back(mistake.names);
    std::cout << names << '\n';
    return 0;
  }
  const auto number = static_cast<std::size_t>(std::atoi(argv[1]));
  judge::answer_questions(number == 0 ? judge::exercise.solution : judge::exercise.mistakes[number - 1].run);
}
