// Writes what an exercise's judge and its answers are compiled from (runner/lessons/exercise_source.h), and what the
// page begins with: exercise_files EXERCISE.cpp ID FOLDER
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include "runner/lessons/exercise_source.h"
#include "runner/system/files.h"

namespace {

// What is there already is left as it was: so nothing is compiled again.
void write(const std::string& path, const std::string& text) {
  if (std::ifstream(path) && learn::read_file(path) == text) return;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("exercise_files EXERCISE.cpp ID FOLDER\n", stderr);
    return 2;
  }
  try {
    const std::string id = argv[2];
    const std::string folder = argv[3];
    const learn::ExerciseSource source = learn::ExerciseSource::read(argv[1]);
    write(folder + "/answers.cpp", source.answers_file(id, learn::Mistakes::and_pairs));
    write(folder + "/learner.cpp", source.learner_file(id));
    write(folder + "/stub.cpp", source.stub());
    write(folder + "/solution.cpp", source.solution());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
