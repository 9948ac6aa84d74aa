// What an answer is made of: the paths that a compiler lists, and the names in the object.
#include "runner/check/answer_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runner/lessons/settings.h"
#include "runner/system/files.h"
#include "runner/system/process.h"
#include "tests/support/temporary_folder.h"

namespace course_answer_object_test {

using namespace learn;
using testing::ElementsAre;
using testing::IsSupersetOf;

TEST(AnswerObject, UndoesTheQuotingOfMake) {
  EXPECT_THAT(paths_in_dependencies("answer: /a/b.cpp /usr/c.h \\\n /d.h\n"),
              ElementsAre("/a/b.cpp", "/usr/c.h", "/d.h"));
  const std::pair<const char*, const char*> written[] = {
      {"/x$$y", "/x$y"},     {"/$$$$(X)", "/$$(X)"},     {R"(/a\#b)", "/a#b"},   {R"(/a\\#b)", R"(/a\#b)"},
      {R"(/a\ b)", "/a b"},  {R"(/a\\\ b)", R"(/a\ b)"}, {R"(/a\b)", R"(/a\b)"}, {R"(/a\ \b)", R"(/a \b)"},
      {"/a\\\tb", "/a\tb"},  {"/a\nb", "/a\nb"},         {"/a\\\nb", "/a\\\nb"}, {"/a%:b", "/a%:b"},
      {R"(/a:\ b)", "/a: b"}};
  for (const auto& [text, path] : written) {
    EXPECT_THAT(paths_in_dependencies(std::string("answer: ") + text + "/f.cpp " + text + "/g.h \\\n /h.h\n"),
                ElementsAre(std::string(path) + "/f.cpp", std::string(path) + "/g.h", "/h.h"));
  }
  EXPECT_THAT(paths_in_dependencies(R"(answer: /ends\\ /next)"), ElementsAre(R"(/ends\)", "/next"));
}

class CompiledAnswer : public testing::Test {
 protected:
  // Compiles a source; the object is `object`, what it depends on `dependencies`.
  void compile(const std::string& path, const std::string& text) {
    write_file(path, text);
    const Finished finished = run_process({settings().compiler, "-std=c++20", "-MD", "-MT", "answer", "-MF",
                                           folder / "answer.d", "-c", path, "-o", object});
    ASSERT_EQ(finished.exit_code, 0) << finished.output;
    dependencies = read_file(folder / "answer.d");
  }

  fixtures::TemporaryFolder folder;
  const std::string object = folder / "answer.o";
  std::string dependencies;
};

TEST_F(CompiledAnswer, MayLieInAnyFolder) {
  Exercise exercise;
  exercise.folder = folder.path();
  for (const char* const name :
       {"a$b",  "$(HOME)", R"(a\b)", R"(a\\ b)", R"(a\#b)", "a#b", "a b", " a", "a\nb", "a \\\nb", "a\tb", "a%b", "a:b",
        "a: b", "a=b",     "a,b",    "a'b\"c",   "a;b&c|d", "(a)", "*",   "~",  "ä",    "\x01",    "-a",   "@a"}) {
    const std::string answer = (folder / name) + "/19_linear_layer.cpp";
    write_file((folder / name) + "/own header.h", "");
    compile(answer, "#include \"own header.h\"\n");
    EXPECT_EQ(foreign_include(exercise, answer, dependencies), "") << name;
    EXPECT_NE(foreign_include(exercise, folder / "another/19_linear_layer.cpp", dependencies), "") << name;
  }
}

TEST_F(CompiledAnswer, MayHaveVariablesOfItsOwn) {
  compile(folder / "a.cpp",
          "struct Tensor { ~Tensor(); };\nextern const double k = 2.0;\nthread_local int depth = 0;\nint counter;\n"
          "int step = 1; double total[4]; Tensor cache; inline int calls = 0; const char* name = \"\";\n"
          "template <class T> T zero = 0;\nint use() { return ++calls + zero<int>; }\n");
  EXPECT_EQ(foreign_symbol(object), "");
}

// A function of C's name is called in the place of the system's. What is data by its type may be code by its place.
TEST_F(CompiledAnswer, ReplacesNothingOfTheSystemOrTheCheck) {
  const std::pair<const char*, const char*> sources[] = {
      {"environ", "char** environ = nullptr;"},
      {"stdout", "void* stdout = nullptr;"},
      {"helper", "extern \"C\" void helper() {}"},
      {"code", "__attribute__((section(\".mine,\\\"ax\\\",@progbits#\"))) int code = 1;"},
      {"send", "extern \"C\" long send(int, const void*, unsigned long, int) { return 0; }"},
      {"send",
       "extern \"C\" long out(int, const void*, unsigned long, int);\nasm(\".symver out, send@GLIBC_2.2.5\");\n"
       "long use() { return out(3, nullptr, 0, 0); }"},
      {"dup2", "extern \"C\" int dup2(int, int); int use() { return dup2(3, 1); }"},
      {"dprintf", "extern \"C\" int dprintf(int, const char*, ...); int use() { return dprintf(3, \"\"); }"},
      {"__write",
       "extern \"C\" long __write(int, const void*, unsigned long); long use() { return __write(3, 0, 0); }"},
      {"judge::observe", "namespace judge { void observe(); } void use() { judge::observe(); }"},
      {"judge::answer_questions", "namespace judge { void answer_questions(void*) {} }"},
      {"judge::axes", "namespace judge { extern const int axes = 0; }"}};
  for (const auto& [name, source] : sources) {
    const bool is_trick_of_gnu = name == std::string("code");  // clang makes a section of data with this odd name
    if (is_trick_of_gnu && !settings().compiler_is_gnu) continue;
    compile(folder / "a.cpp", std::string(source) + "\n");
    EXPECT_EQ(foreign_symbol(object), name);
  }
}

}  // namespace course_answer_object_test
