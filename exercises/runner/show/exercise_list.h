// ExerciseList: the list in which one moves in `learn watch`: a filter, a search, a selected exercise, and what keys
// do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/desk/progress.h"
#include "runner/lessons/course.h"
#include "runner/system/keys.h"
#include "runner/text/style.h"

namespace learn {

class ExerciseList {
 public:
  // What to do after a key.
  enum class Wish { none, leave, go_there, reset };

  ExerciseList(std::vector<Exercise> exercises, const std::string& selected);

  Wish press(const Key& key, const Progress& progress);
  // The exercise on which the mark stands; nullptr if the filter and the search leave none.
  const Exercise* selected(const Progress& progress) const;
  // A sentence, until the next key.
  void say(const std::string& sentence) { said_ = sentence; }
  // All of the screen: `lines` of them at most.
  std::string drawn(const Style& style, const Progress& progress, std::size_t lines) const;

 private:
  enum class Filter { all, pending, done };

  std::vector<const Exercise*> shown(const Progress& progress) const;
  bool matches(const Exercise& exercise) const;
  void move(long by, const Progress& progress);
  Wish press_in_search(const Key& key, const Progress& progress);
  std::string heading(const Style& style, std::size_t count) const;
  std::string keys(const Style& style, const Progress& progress) const;

  std::vector<Exercise> exercises_;
  std::string selected_;  // an id
  Filter filter_ = Filter::all;
  std::string search_;
  bool typing_ = false;  // into the search
  bool asking_ = false;  // whether to reset
  std::string said_;
};

// One line: number, title, how it stands, and what it asks for, as far as there is room.
std::string line_of_list(const Style& style, const Exercise& exercise, const Standing& standing, std::size_t width);

}  // namespace learn
