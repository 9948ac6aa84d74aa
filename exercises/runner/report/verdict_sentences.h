// What a verdict says, in sentences.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "runner/lessons/course.h"
#include "runner/report/report.h"

namespace learn {

// "{batch}" becomes the length of that axis; what is not an axis stays.
std::string fill_in(const std::string& text, const Axes& axes);
// "4 of 6 entries differ".
std::string summary_of(const Difference& difference);
// What the numbers suggest, the most telling first.
std::vector<std::string> clues_of(const Difference& difference);
// Of an answer that is right only at the sizes it was checked at first: where it is wrong. "" of any other.
std::string sentence_about_elsewhere(const Verdict& verdict);
// What can be said of the numbers, whatever known mistake they are: memory never written, two runs that differ.
std::vector<std::string> sentences_about_runs(const Verdict& verdict);
// "Your numbers are exactly what you get when a known mistake is made." Of an answer that threw: how it ends.
std::string sentence_about_named(const Verdict& verdict);
// "For dx, dw, your numbers are exactly what you get when a known mistake is made."
std::string sentence_about_part(const PartlyNamed& part);
// "Your numbers are exactly what you get when this is done:", before what a mistake is; of the first, or of another.
std::string sentence_before_named(const Verdict& verdict, bool first);
// The intermediate values that are right. The first wrong one is none of them, though it may have been right before.
std::vector<std::string> right_on_the_way(const Verdict& verdict);
// "The first intermediate value that is not right", "dh is right the first time, and wrong the second".
std::string about_first_wrong(const FirstProbe& probe);
// "d_alpha is right, d_e is the first intermediate value that is not."
std::vector<std::string> sentences_about_probes(const Verdict& verdict);
// "dx: yours is everywhere exactly 1/4 of ...", the most telling first; nothing of what a known mistake explains.
std::vector<std::string> sentences_of_clues(const Verdict& verdict, std::size_t most_of_each);
// "Right when source has length 1, wrong from 2 on: ...".
std::vector<std::string> sentences_about_sizes(const Verdict& verdict);

const MistakeText* find_mistake(const Exercise& exercise, const std::string& name);
// Its question; without what is so only of an answer in which nothing else is wrong, if more is.
std::string question_of(const MistakeText& mistake, const Verdict& verdict);
// The questions of the known mistakes that give exactly these numbers, or some of them; none if nothing is known.
std::vector<std::string> questions(const Exercise& exercise, const Verdict& verdict);

}  // namespace learn
