// ExerciseSource: the one file in which an exercise's solution, stub and known mistakes stand, exercise.cpp. It is C++
// that compiles as the solution; comments that begin with a mark say what else can be made of it.
//
//   //= title: Linear layer          about the exercise; learners never see these lines
//   //= part: E
//   //= fast track
//   //= difficulty: 2                from 1 to 3
//   //= minutes: 20                  that it takes, about
//   //= after: 06, 07                exercises that one should have done before; dev check wants the marks above, too
//   //= answer: linear_backward      the functions that the learner writes, separated by commas
//   //= not: softmax, log_softmax    the engine's ops that it may not call, by the names under which they are recorded;
//                                  backward for backward() and grad()
//   //= mistake bias_mean            a known mistake, and what to say of it: a question first. {batch} stands for
//   //=   premise: ...               the length of that axis. A premise stands before the question where nothing else
//   //=   question: ...              is wrong: "Your y is right, and your dx is not."
//   //=   because: ...
//   //= pairs: none                  its mistakes are not combined
//   //= equal mutant: x.sum({-1})    a change that makes no difference, as `learn dev mutants` shows it, and why;
//   several
//   //=   because: ...               may have one reason
//   //= no steps                     `learn step` has nothing to show: only words are looked at
//   //= seconds: 60                  how long a check may take, where that is more than 10
//
//   //[                              from here to //] is the solution's alone,
//     const Tensor db = dy.sum(0);
//     //~ bias_mean | const Tensor db = dy.mean(0);         the mistake has this instead of the line above,
//     //~ no_weights 2 | const Tensor dw = zeros_like(w);   or of the two lines above;
//     //~ no_weights | return {dx, dw, db};                 more lines of it may follow; nothing after | deletes
//     //~ bias_mean.all | const Tensor db = dy.mean();      a variant: another way to make the same mistake
//   //- todo("the three gradients");                        this line is the stub's alone
//   //]
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace learn {

struct MistakeText {
  std::string name;
  std::string premise = {};
  std::string question = {};
  std::string because = {};
};

// Changes of the solution that make no difference (author/mutants.h), and why.
struct EqualMutants {
  std::vector<std::string> codes;
  std::string because;
};

struct SolutionLine {
  std::string text;
  std::size_t number = 0;  // in exercise.cpp
  bool written = false;    // by the learner: it stands between //[ and //]
};

// Single mistakes and their variants only, or two mistakes at once as well.
enum class Mistakes { single, and_pairs };

class ExerciseSource {
 public:
  // Throws std::runtime_error "exercise.cpp:12: ..." where a mark is not understood.
  static ExerciseSource parse(const std::string& text, const std::string& path);
  static ExerciseSource read(const std::string& path);

  std::string title;
  std::string part;
  bool fast_track = false;
  int difficulty = 0;  // 1 to 3; 0: not stated
  int minutes = 0;
  std::vector<std::string> after;  // "06"
  int seconds = 10;
  bool has_steps = true;  // `learn step` has something to show
  bool combine = true;    // its mistakes are run in pairs, too
  std::vector<std::string> answer;
  std::vector<std::string> not_to_call;
  std::vector<MistakeText> mistakes;
  std::vector<EqualMutants> equal_mutants;

  std::string stub() const;
  std::string solution() const;
  std::vector<SolutionLine> solution_lines() const;
  // The solution with these mistakes in it; nothing where two of them change the same line.
  std::optional<std::string> with_mistakes(const std::vector<std::string>& names) const;
  // The single mistakes, then their variants, then, where they are wanted, all possible pairs.
  std::vector<std::vector<std::string>> mistake_sets(Mistakes which) const;
  // One C++ file with the solution and every set of mistakes, each in a namespace, and the table of them
  // (judge/exercise.h).
  std::string answers_file(const std::string& id, Mistakes which) const;
  // One with the same table, of the learner's answer alone: nothing in it tells what is right.
  std::string learner_file(const std::string& id) const;

 private:
  std::string includes() const;
  std::string call_of_check(const char* name, const std::string& of) const;
  std::string exercise_of(const std::string& id, const char* runs, const std::string& mistakes) const;
  struct Line {
    std::string text;
    bool in_stub = true;
    bool in_solution = true;
    std::size_t number = 0;
  };
  struct Edit {
    std::size_t first = 0;  // lines [first, last) are replaced
    std::size_t last = 0;
    std::vector<std::string> replacement;
  };

  class Parser;
  std::vector<Line> lines_;
  std::map<std::string, std::vector<Edit>> edits_;
};

}  // namespace learn
