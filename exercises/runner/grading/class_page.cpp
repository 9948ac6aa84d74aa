#include "runner/grading/class_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "autograd/text/printable.h"
#include "runner/grading/class_page_style.h"

namespace learn {
namespace {

// A mistake in one exercise, and who made it.
struct Made {
  std::string id;
  std::string title;
  NamedMistake mistake;
  std::vector<std::string> students;
};

// How all stand in one exercise.
struct ExerciseStanding {
  std::string id;
  std::string title;
  std::size_t passed = 0;
  std::size_t tried = 0;
  double points = 0.0;
  double of = 0.0;
  std::string not_graded = {};  // why: the course's own solution is not passed, or the check broke
};

bool is_tried(const Grade& grade) {
  return grade.graded() && grade.outcome != "missing" && !(grade.outcome == "unwritten" && grade.right == 0);
}

// The look of a grade, and the sign beside the colour, for those who cannot tell colours apart.
const char* look_of(const Grade& grade) {
  if (grade.passed()) return "passed";
  if (!is_tried(grade)) return "none";
  return grade.points > 0.0 ? "part" : "wrong";
}

const char* sign_of(const Grade& grade) {
  if (!grade.graded()) return "!";
  const std::string look = look_of(grade);
  return look == "passed" ? "✓" : look == "part" ? "◐" : look == "wrong" ? "✗" : "·";
}

std::string markup_text(const std::string& text) {
  return autograd::markup(autograd::printable_lines(text));
}

std::string bar(double share) {
  return fmt::format("<div class=\"bar\"><i style=\"width:{:.0f}%\"></i></div>\n", 100.0 * share);
}

double share(double part, double of) {
  return of > 0.0 ? part / of : 0.0;
}

std::string markup_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : " · ") + markup_text(name);
  return list;
}

// The mistakes that most have made first.
std::vector<Made> mistakes_made(const std::vector<GradedStudent>& students) {
  std::map<std::pair<std::string, std::string>, Made> found;
  for (const GradedStudent& student : students) {
    for (const Grade& grade : student.grades) {
      for (const NamedMistake& mistake : grade.mistakes) {
        Made& made =
            found.try_emplace({grade.id, mistake.name}, Made{grade.id, grade.title, mistake, {}}).first->second;
        made.students.push_back(student.name);
      }
    }
  }
  std::vector<Made> made;
  for (auto& [key, one] : found) made.push_back(std::move(one));
  std::stable_sort(made.begin(), made.end(),
                   [](const Made& a, const Made& b) { return a.students.size() > b.students.size(); });
  return made;
}

std::vector<ExerciseStanding> standings(const std::vector<GradedStudent>& students) {
  std::vector<ExerciseStanding> all;
  for (const GradedStudent& student : students) {
    for (std::size_t i = 0; i < student.grades.size(); ++i) {
      const Grade& grade = student.grades[i];
      if (i == all.size()) all.push_back({grade.id, grade.title});
      all[i].passed += grade.passed() ? 1 : 0;
      all[i].tried += is_tried(grade) ? 1 : 0;
      all[i].points += grade.points;
      all[i].of += grade.of;
      if (!grade.graded() && all[i].not_graded.empty()) all[i].not_graded = grade.message;
    }
  }
  return all;
}

std::string numbers(const std::vector<GradedStudent>& students) {
  double points = 0.0;
  double of = 0.0;
  std::size_t complete = 0;
  for (const GradedStudent& student : students) {
    points += total(student.grades);
    of += total_of(student.grades);
    complete += passed_of(student.grades) == student.grades.size() ? 1 : 0;
  }
  const auto count = static_cast<double>(students.size());
  const std::size_t exercises = students.empty() ? 0 : students[0].grades.size();
  return fmt::format(
      "<div class=\"numbers\">\n<div><b>{}</b>students</div>\n<div><b>{}</b>exercises</div>\n"
      "<div><b>{:.3g} of {:.3g}</b>points on average</div>\n<div><b>{}</b>passed all</div>\n</div>\n",
      students.size(), exercises, count > 0 ? points / count : 0.0, count > 0 ? of / count : 0.0, complete);
}

std::string anchor(std::size_t student, const Grade& grade) {
  return fmt::format("s{}-{}", student, grade.number());
}

std::string cell(std::size_t student, const Grade& grade) {
  const std::string about = markup_text(
      fmt::format("{} {}: {}, {:g} of {:g}", grade.number(), grade.title, grade.outcome, grade.points, grade.of));
  const std::string text = grade.number() + " " + sign_of(grade);
  if (grade.passed()) return fmt::format("<span class=\"cell passed\" title=\"{}\">{}</span>\n", about, text);
  return fmt::format("<a class=\"cell {}\" href=\"#{}\" title=\"{}\">{}</a>\n", look_of(grade), anchor(student, grade),
                     about, text);
}

std::string standing_of(std::size_t number, const GradedStudent& student) {
  const double points = total(student.grades);
  const double of = total_of(student.grades);
  std::string html = fmt::format(
      "<div class=\"card\">\n<div class=\"row\"><span class=\"name\">{}</span><span class=\"count\">{:g} of {:g} points"
      "</span><span class=\"count soft\">{} passed</span></div>\n",
      markup_text(student.name), points, of, passed_of(student.grades));
  html += bar(share(points, of)) + "<div class=\"cells\">\n";
  for (const Grade& grade : student.grades) html += cell(number, grade);
  return html + "</div>\n</div>\n";
}

std::string made_by(const Made& made, std::size_t students) {
  const std::size_t count = made.students.size();
  std::string html = fmt::format(
      "<div class=\"card\">\n<div class=\"row\"><span class=\"name\"><code>{}</code></span><span class=\"count\">{} of "
      "{} "
      "students</span></div>\n<p class=\"soft\">{} {}</p>\n",
      markup_text(made.mistake.name), count, students, markup_text(made.id.substr(0, made.id.find('_'))),
      markup_text(made.title));
  html += bar(share(static_cast<double>(count), static_cast<double>(students)));
  if (!made.mistake.question.empty()) html += fmt::format("<p>{}</p>\n", markup_text(made.mistake.question));
  return html + fmt::format("<p class=\"soft\">{}</p>\n</div>\n", markup_list(made.students));
}

// What several have made calls for a lesson; what one has made is theirs.
std::string mistakes(const std::vector<GradedStudent>& students) {
  std::string by_several;
  std::string by_one;
  std::size_t alone = 0;
  for (const Made& made : mistakes_made(students)) {
    const bool several = made.students.size() > 1;
    alone += several ? 0 : 1;
    (several ? by_several : by_one) += made_by(made, students.size());
  }
  if (by_several.empty()) by_several = "<p class=\"soft\">None that is known was made by more than one.</p>\n";
  if (by_one.empty()) return by_several;
  return by_several +
         fmt::format("<details class=\"others\"><summary>{} more, made by one student each</summary>\n{}</details>\n",
                     alone, by_one);
}

std::string standing_in(const ExerciseStanding& exercise, std::size_t students) {
  return fmt::format(
             "<div class=\"card\">\n<div class=\"row\"><span class=\"name\">{} {}</span><span class=\"count\">{} of {} "
             "passed"
             "</span></div>\n",
             markup_text(exercise.id.substr(0, exercise.id.find('_'))), markup_text(exercise.title), exercise.passed,
             students) +
         bar(share(exercise.points, exercise.of)) +
         (exercise.not_graded.empty()
              ? fmt::format("<p class=\"soft\">{} tried it · {:.0f} % of the points</p>\n</div>\n", exercise.tried,
                            100.0 * share(exercise.points, exercise.of))
              : fmt::format("<p>not graded, through no fault of an answer: {}</p>\n</div>\n",
                            markup_text(exercise.not_graded)));
}

std::string details_of(std::size_t number, const Grade& grade) {
  std::vector<std::string> names;
  for (const NamedMistake& mistake : grade.mistakes) names.push_back(mistake.name);
  std::string html =
      fmt::format("<details id=\"{}\"><summary>{} {} <span class=\"tag {}\">{}</span> {:g} of {:g}</summary>\n",
                  anchor(number, grade), markup_text(grade.number()), markup_text(grade.title), look_of(grade),
                  markup_text(grade.outcome), grade.points, grade.of);
  if (grade.parts > 0 && grade.right > 0) {
    html += fmt::format("<p class=\"soft\">{} of {} parts are right</p>\n", grade.right, grade.parts);
  }
  if (!names.empty()) html += fmt::format("<p>Known mistake: <code>{}</code></p>\n", markup_list(names));
  return html + fmt::format("<pre>{}</pre>\n</details>\n", markup_text(grade.output));
}

// What is not passed, and was tried.
std::string answers_of(std::size_t number, const GradedStudent& student) {
  std::string html;
  std::size_t count = 0;
  std::vector<std::string> not_tried;
  for (const Grade& grade : student.grades) {
    if (grade.passed()) continue;
    if (!is_tried(grade) && grade.graded()) {
      not_tried.push_back(grade.number());
      html += fmt::format("<span id=\"{}\"></span>", anchor(number, grade));
      continue;
    }
    ++count;
    html += details_of(number, grade);
  }
  if (!not_tried.empty()) html += fmt::format("<p class=\"soft\">Not tried: {}</p>\n", markup_list(not_tried));
  const std::string open = fmt::format("{} to look at", count);
  return fmt::format(
      "<details class=\"card\"><summary class=\"row\"><span class=\"name\">{}</span><span class=\"count "
      "soft\">{}</span>"
      "</summary>\n{}</details>\n",
      markup_text(student.name), count == 0 ? "nothing to look at" : open, html);
}

std::string page_section(const std::string& title, const std::string& content) {
  return fmt::format("<h2>{}</h2>\n{}", title, content);
}

}  // namespace

std::string class_page(const std::vector<GradedStudent>& students, const PageHeading& heading) {
  std::string stand;
  std::string answers;
  for (std::size_t i = 0; i < students.size(); ++i) {
    stand += standing_of(i, students[i]);
    answers += answers_of(i, students[i]);
  }
  std::string exercises = "<div class=\"exercises\">\n";
  for (const ExerciseStanding& exercise : standings(students)) exercises += standing_in(exercise, students.size());
  exercises += "</div>\n";
  const std::string legend =
      "<p class=\"soft\"><span class=\"tag passed\">✓ passed</span> <span class=\"tag part\">◐ partly right</span> "
      "<span class=\"tag wrong\">✗ no points</span> <span class=\"tag none\">· not tried</span> <span class=\"tag "
      "none\">! not graded</span></p>\n";
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n"
      "</head>\n<body>\n<h1>{0}</h1>\n<p class=\"soft\">{2}</p>\n{3}{4}{5}{6}{7}</body>\n</html>\n",
      markup_text(heading.title), class_page_style, markup_text(heading.conditions), numbers(students),
      page_section("Who stands where", legend + stand), page_section("Mistakes made most", mistakes(students)),
      page_section("The exercises", exercises), page_section("What was said of each answer", answers));
}

}  // namespace learn
