#include <fmt/format.h>

#include <regex>
#include <stdexcept>

#include "runner/author/dev.h"
#include "runner/lessons/course.h"
#include "runner/lessons/settings.h"
#include "runner/system/files.h"

namespace learn {
namespace {

constexpr const char* given_text = R"(// What is given in exercise {0}: the function to write.
#pragma once

#include <judge/learner.h>

// The gradient of y = x * scale with respect to x [rows, columns], given dy [rows, columns] and scale [columns].
Tensor {1}_backward(const Tensor& dy, const Tensor& scale);

struct Answer {{
  decltype(&::{1}_backward) {1}_backward;
}};
)";

constexpr const char* exercise_text = R"(//= title: {2}
//= part: {3}
//= difficulty: 2
//= minutes: 20
//= answer: {1}_backward
//= mistake scale_forgotten
//=   question: Your dx is dy itself. By how much does y change when x changes by one?
//=   because: y = x * scale, so each x reaches y with its scale as the factor.
//= mistake divided
//=   question: What happens to a change of x on its way to y: does scale make it larger or smaller?
//=   because: dividing by scale undoes the forward step; the gradient goes through the same factor again.

#include "given.h"

Tensor {1}_backward(const Tensor& dy, const Tensor& scale) {{
  //[
  //- // TODO: dx, with the shape of dy
  //- todo("{1}_backward: dx");
  const Tensor dx = dy * scale;
  //~ scale_forgotten | const Tensor dx = dy.clone();
  //~ divided | const Tensor dx = dy / scale;
  return dx;
  //]
}}
)";

constexpr const char* check_text = R"(#include <judge/check.h>

#include "given.h"

const Axes judge::axes = {{{{"rows", 3}}, {{"columns", 4}}}};

void check(const Answer& answer, Check& check) {{
  const Tensor x = check.randn("x", {{"rows", "columns"}});
  const Tensor scale = check.uniform("scale", {{"columns"}}, 0.5, 2.0);
  const Tensor dy = check.randn("dy", {{"rows", "columns"}});
  check.gradient("dx", answer.{1}_backward(dy, scale), x, [=] {{ return (dy * (x * scale)).sum(); }});
}}
)";

constexpr const char* readme_text = R"(# {0} · {2}

One paragraph: what this is about, and why it matters.

**Write** `{1}_backward(dy, scale)`.

## How to find it

    y = x * scale        x [rows, columns]   scale [columns]

## A number to hold on to

With a scale of 2, dx is twice dy.

## In the book

[The book](../../docs/README.md).
)";

constexpr const char* hints_text = R"(## Question

By how much does y change when x changes by one?

## Concept

A factor on the way forward is the same factor on the way back.

## Formula

    dx = dy * scale

## Line

    const Tensor dx = dy * scale;
)";

}  // namespace

int dev_new(const std::string& id, const std::string& title, const std::string& part) {
  static const std::regex form("([0-9][0-9])_([a-z][a-z0-9_]*)");
  std::smatch match;
  if (!std::regex_match(id, match, form)) {
    throw std::runtime_error(fmt::format("'{}' is not a name for an exercise: 54_my_subject is one", id));
  }
  if (part_name(part) == part) throw std::runtime_error(fmt::format("there is no part '{}': they are A to I", part));
  const std::string folder = settings().exercises + "/" + id;
  if (exists(folder)) throw std::runtime_error(folder + " is there already");
  const std::string number = match[1];
  const std::string name = match[2];
  const std::pair<const char*, const char*> files[] = {{"given.h", given_text},
                                                       {"exercise.cpp", exercise_text},
                                                       {"check.cpp", check_text},
                                                       {"README.md", readme_text},
                                                       {"hints.md", hints_text}};
  for (const auto& [file, text] : files) {
    write_file(folder + "/" + file, fmt::format(fmt::runtime(text), number, name, title, part));
  }
  fmt::print(
      "{}/ has all that an exercise needs, and `learn dev check {}` accepts it. Now make it yours:\n"
      "docs/writing-an-exercise.md says how.\n",
      folder, number);
  return 0;
}

}  // namespace learn
