// Each is handed in as an answer to exercise 02, by runner/adversaries_test.cpp: a line "// ==== NAME" begins one.

// ==== declares_the_check
// As if it had included the check's headers.
#include "given.h"

namespace judge {
void observe();
}

Tensor row_sums(const Tensor& x) {
  judge::observe();
  return x;
}

// ==== exhausts_the_memory
#include <vector>

#include "given.h"

Tensor row_sums(const Tensor& x) {
  std::vector<std::vector<char>> much;
  while (true) much.emplace_back(1 << 20, 'x');
  return x;
}

// ==== fills_the_disk
#include <fstream>
#include <string>

#include "given.h"

Tensor row_sums(const Tensor& x) {
  const std::string much(1 << 20, 'x');
  for (int file = 0; file < 10000; ++file) {
    std::ofstream stream("file" + std::to_string(file));
    for (int i = 0; i < 50; ++i) stream << much;
  }
  return x;
}

// ==== forks
#include <unistd.h>

#include "given.h"

Tensor row_sums(const Tensor& x) {
  while (true) {
    if (fork() == 0) setsid();
  }
  return x;
}

// ==== includes_the_check
// Runs the check by itself, and could change what it saw.
#include <judge/exercise.h>

#include "given.h"

Tensor row_sums(const Tensor& x) {
  static const judge::Record record = judge::observe(judge::exercise.learner, judge::usual_setting()).record;
  return x;
}

// ==== includes_the_solution
#include "@EXERCISE@/exercise.cpp"

// ==== kills_the_grader
// In a process space of its own it kills nobody, and goes on to a wrong answer.
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>

#include "given.h"

Tensor row_sums(const Tensor&) {
  kill(getppid(), SIGKILL);
  kill(GRADER_PROCESS, SIGKILL);
  throw std::runtime_error("contained: nobody was killed");
}

// ==== leaves_a_thread
// What it sends is not a message, and its main thread ends while another one of the sanitizer's goes on.
#include "given.h"

#ifdef __x86_64__
static long call(long number, long a, long b, long c) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
  return result;
}

__attribute__((constructor)) static void before_main() {
  const char forged[] = "{\"outcome\": \"passed\"}";
  call(1, 3, reinterpret_cast<long>(forged), sizeof forged);  // write
  call(60, 0, 0, 0);                                          // exit, of this thread alone
}
#endif

Tensor row_sums(const Tensor& x) {
  return x;
}

// ==== prints_a_verdict
#include <cstdio>

#include "given.h"

Tensor row_sums(const Tensor& x) {
  std::puts("\033[2J\033[32m✓ passed  02 Row sums\033[0m\n  ✓ right: sums\n1 of 1 points");
  std::puts(R"({"outcome": "passed", "right": ["sums"]})");
  std::puts("result=passed\n::set-output name=result::passed");
  return x;
}

// ==== reads_a_neighbour
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "given.h"

bool finds_one() {
  std::error_code error;
  const std::filesystem::directory_iterator classroom("@CLASS@", error);
  if (!error && classroom != std::filesystem::directory_iterator{}) return true;
  return std::ifstream("@CLASS@/honest/02_row_sums.cpp") || std::ifstream("../honest/02_row_sums.cpp");
}

Tensor row_sums(const Tensor&) {
  throw std::runtime_error(finds_one() ? "SUCCEEDED" : "contained: nobody else is here");
}

// ==== reads_the_environment
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "given.h"

// Its own, and that of every process it can see.
bool knows_the_secret() {
  if (std::getenv("SECRET_OF_THE_GRADER")) return true;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "environ");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find("SECRET_OF_THE_GRADER") != std::string::npos) return true;
  }
  return false;
}

Tensor row_sums(const Tensor&) {
  throw std::runtime_error(knows_the_secret() ? "SUCCEEDED" : "contained: the environment says nothing");
}

// ==== reads_the_solution
#include <fstream>
#include <stdexcept>

#include "given.h"

Tensor row_sums(const Tensor&) {
  std::ifstream solution("@EXERCISE@/exercise.cpp");
  throw std::runtime_error(solution ? "SUCCEEDED" : "contained: there is no solution here");
}

// ==== replaces_send
// The check's messages to the judge go through this one.
#include <cstddef>

#include "given.h"

extern "C" long send(int, const void*, std::size_t size, int) {
  return static_cast<long>(size);
}

Tensor row_sums(const Tensor& x) {
  return x;
}

// ==== sends_a_record
// Speaks to the judge itself: what is wrong in the record could be put right first.
#include <sys/socket.h>

#include "given.h"

Tensor row_sums(const Tensor& x) {
  for (int descriptor = 3; descriptor < 10; ++descriptor) send(descriptor, "SUCCEEDED", 9, MSG_NOSIGNAL);
  return x;
}

// ==== uses_the_network
#include <arpa/inet.h>
#include <sys/socket.h>

#include <stdexcept>

#include "given.h"

Tensor row_sums(const Tensor&) {
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in grader{};
  grader.sin_family = AF_INET;
  grader.sin_port = htons(GRADER_PORT);
  grader.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool heard = connect(connection, reinterpret_cast<sockaddr*>(&grader), sizeof grader) == 0;
  throw std::runtime_error(heard ? "SUCCEEDED" : "contained: nobody answers");
}

// ==== writes_the_result
// A file that says "passed" in the place of each that the program is told to write.
#include <unistd.h>

#include <fstream>
#include <string>

#include "given.h"

Tensor row_sums(const Tensor&) {
  std::ifstream command("/proc/self/cmdline");
  for (std::string argument; std::getline(command, argument, '\0');) {
    if (argument.find(".json") == std::string::npos) continue;
    std::ofstream(argument)
        << R"({"outcome": "passed", "message": "", "thrown": null, "stopped_before": "", "right": ["sums"],
      "right_probes": [], "shown": [], "named": [], "repeatable": true, "right_when_first": false, "differences": [], "partly_named": [],
      "shrunk": [], "axes": {}})";
  }
  _exit(0);
}
