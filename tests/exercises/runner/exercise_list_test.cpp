// The list in which one moves in `learn watch`.
#include "runner/show/exercise_list.h"

#include <gtest/gtest.h>

#include "tests/support/golden.h"
#include "tests/support/temporary_folder.h"

namespace course_exercise_list_test {

using namespace learn;
using Kind = Key::Kind;
using Wish = ExerciseList::Wish;

Exercise exercise(const std::string& id, const std::string& title) {
  Exercise made;
  made.id = id;
  made.source.title = title;
  made.source.difficulty = 2;
  made.source.minutes = 20;
  made.source.after = {"01"};
  return made;
}

std::vector<Exercise> thirty() {
  std::vector<Exercise> made;
  for (int i = 1; i <= 30; ++i) {
    const std::string number = (i < 10 ? "0" : "") + std::to_string(i);
    made.push_back(exercise(number + "_subject", "Subject " + number));
  }
  return made;
}

class ExerciseListTest : public testing::Test {
 protected:
  void type(const std::string& keys) {
    for (const char c : keys) list.press({Kind::character, c}, progress);
  }
  Wish press(Kind kind) { return list.press({kind, 0}, progress); }
  std::string selected() const {
    const Exercise* const found = list.selected(progress);
    return found ? found->number() : "none";
  }

  fixtures::TemporaryFolder folder;
  Progress progress = Progress::read(Desk(folder.path()));
  ExerciseList list{thirty(), "05_subject"};
};

TEST_F(ExerciseListTest, Moves) {
  EXPECT_EQ(selected(), "05");
  press(Kind::down);
  type("jjk");
  EXPECT_EQ(selected(), "07");
  type("G");
  press(Kind::down);
  EXPECT_EQ(selected(), "30");
  press(Kind::page_up);
  EXPECT_EQ(selected(), "20");
  type("g");
  press(Kind::up);
  EXPECT_EQ(selected(), "01");
  EXPECT_EQ(press(Kind::enter), Wish::go_there);
  EXPECT_EQ(press(Kind::escape), Wish::leave);
}

TEST_F(ExerciseListTest, Searches) {
  type("23");
  EXPECT_EQ(selected(), "23");
  press(Kind::backspace);
  EXPECT_EQ(selected(), "23");  // still among those shown
  press(Kind::escape);
  type("/SUBJECT 1");
  EXPECT_EQ(selected(), "10");
  type("x");
  EXPECT_EQ(selected(), "none");
  EXPECT_EQ(press(Kind::enter), Wish::none);
}

TEST_F(ExerciseListTest, AsksBeforeItResets) {
  type("r");
  EXPECT_EQ(list.press({Kind::character, 'n'}, progress), Wish::none);
  EXPECT_EQ(list.press({Kind::character, 'y'}, progress), Wish::none);  // nothing was asked
  type("r");
  EXPECT_EQ(list.press({Kind::character, 'y'}, progress), Wish::reset);
}

TEST_F(ExerciseListTest, FitsTheScreen) {
  for (const std::size_t width : {40u, 80u, 120u}) {
    for (const std::size_t height : {8u, 24u, 60u}) {
      Style style;
      style.width = width;
      type("G");
      std::istringstream drawn(list.drawn(style, progress, height));
      std::size_t lines = 0;
      int marked = 0;
      for (std::string line; std::getline(drawn, line); ++lines) {
        EXPECT_LE(display_width(line), width) << line;
        marked += line.rfind("> 30", 0) == 0 ? 1 : 0;
      }
      EXPECT_LE(lines, height);
      EXPECT_EQ(marked, 1);
    }
  }
}

// What it shows while one searches and is asked; and of a line what there is room for.
TEST_F(ExerciseListTest, Shows) {
  const Exercise one = exercise("19_linear_layer", "A long title of a linear layer");
  std::string text = line_of_list({}, one, {}, 120) + "\n" + line_of_list({}, one, {}, 40) + "\n";
  type("r");
  text += list.drawn({}, progress, 10);
  type("n/x");
  text += list.drawn({}, progress, 10);
  EXPECT_TRUE(fixtures::is_golden("course_exercise_list", text));
}

}  // namespace course_exercise_list_test
