// Answers written against the grader (adversaries.cpp), through `learn grade`: each gets what it tried for nowhere, no
// points, and its own sentence, and a neighbour's right answer is graded as if they were not there.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "runner/system/files.h"
#include "runner/system/process.h"
#include "runner/system/sandbox.h"
#include "tests/support/golden.h"
#include "tests/support/pattern.h"
#include "tests/support/temporary_folder.h"

namespace course_adversaries_test {

using namespace learn;
using nlohmann::json;

// Where the one that uses the network would be heard.
class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ::bind(socket_, reinterpret_cast<sockaddr*>(&address), size);
    ::listen(socket_, 1);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { ::close(socket_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const { return port_; }
  bool was_called() const {
    pollfd waiting{socket_, POLLIN, 0};
    return ::poll(&waiting, 1, 0) > 0;
  }

 private:
  int socket_;
  int port_ = 0;
};

class AdversariesTest : public testing::Test {
 protected:
  AdversariesTest() {
    json settings = json::parse(read_file(BACKSTEP_BUILD "/exercises/runner/settings.json"));
    settings["exercises"] = COURSE_TESTS "/lessons";
    settings["cache"] = COURSE_CACHE;
    write_file(folder / "settings.json", settings.dump());
    for (const auto& [name, text] : fixtures::sections_of(read_file(COURSE_TESTS "/adversaries.cpp"), "// ==== ")) {
      names.push_back(name);
      write_file(classroom + "/" + name + "/02_row_sums.cpp", filled_in(text));
    }
    write_file(classroom + "/honest/02_row_sums.cpp",
               "#include \"given.h\"\nTensor row_sums(const Tensor& x) { return x.sum({1}); }\n");
  }

  std::string filled_in(std::string text) const {
    const std::pair<std::string, std::string> values[] = {{"@EXERCISE@", COURSE_TESTS "/lessons/02_row_sums"},
                                                          {"@CLASS@", classroom},
                                                          {"GRADER_PORT", fmt::format("{}", listener.port())},
                                                          {"GRADER_PROCESS", fmt::format("{}", ::getpid())}};
    for (const auto& [mark, value] : values) {
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
        text.replace(at, mark.size(), value);
      }
    }
    return text;
  }

  Finished graded() const {
    return run_process({LEARN, "grade", classroom, "2", "--seconds", "60", "--json", folder / "class.json"},
                       {.seconds = 300.0,
                        .environment = {"LEARN_SETTINGS=" + folder / "settings.json", "SECRET_OF_THE_GRADER=token",
                                        "LC_ALL=C.UTF-8"}});
  }

  fixtures::TemporaryFolder folder;
  const std::string classroom = folder / "class";
  const Listener listener;
  std::vector<std::string> names;
};

TEST_F(AdversariesTest, AreCaughtOrContained) {
  if (containment() == Containment::limits_only) GTEST_SKIP() << describe(containment());
  const Finished finished = graded();
  ASSERT_TRUE(exists(folder / "class.json")) << finished.output;
  const json students = json::parse(read_file(folder / "class.json")).at("students");
  ASSERT_EQ(students.size(), names.size() + 1);
  std::string said;
  for (const json& student : students) {
    const std::string name = student.at("student");
    const json& grade = student.at("exercises").at(0);
    EXPECT_EQ(student.at("points"), name == "honest" ? 1.0 : 0.0) << name;
    std::string message = grade.at("message");
    if (const std::size_t at = message.find(COURSE_TESTS); at != std::string::npos) {
      message.replace(at, std::string(COURSE_TESTS).size(), "tests/exercises");
    }
    said += fmt::format("{} {}: {}\n", name, grade.at("outcome").get<std::string>(), message);
  }
  EXPECT_TRUE(fixtures::is_golden("course_adversaries", said));
  EXPECT_FALSE(listener.was_called());
}

}  // namespace course_adversaries_test
