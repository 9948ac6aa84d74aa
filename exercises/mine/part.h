// Part: a place of the program into which a function of the learner's can be plugged. Without one it is empty, and the
// library does the work.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <functional>
#include <utility>

namespace mine {

// The exercise whose code runs now, 0 for none: whom an error or a crash is about.
extern volatile int running_exercise;
// The one whose code ran last, if none runs now.
extern volatile int last_exercise;
// By number, whether its code has ever run.
extern std::array<bool, 100> was_called;

class Running {
 public:
  explicit Running(int exercise) : before_(running_exercise) {
    running_exercise = exercise;
    last_exercise = exercise;
    was_called[static_cast<std::size_t>(exercise)] = true;
  }
  ~Running() {
    if (!std::uncaught_exceptions()) running_exercise = before_;
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  int before_;
};

template <class Signature> class Part;
template <class Result, class... Arguments> class Part<Result(Arguments...)> {
 public:
  // The last one that is plugged in is used.
  template <class Function> void plug_in(int exercise, Function function) {
    exercise_ = exercise;
    function_ = std::move(function);
  }
  explicit operator bool() const { return function_ != nullptr; }
  int exercise() const { return exercise_; }

  Result operator()(Arguments... arguments) const {
    const Running now(exercise_);
    return function_(std::forward<Arguments>(arguments)...);
  }

 private:
  int exercise_ = 0;
  std::function<Result(Arguments...)> function_;
};

}  // namespace mine
