#include "bench/isolation.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// One figure as one line of JSON, on its way from child to parent.
std::string to_line(const Figure& figure) {
  const nlohmann::json json = {figure.workload, figure.peer, figure.metric,  figure.value,    figure.unit,
                               figure.low,      figure.high, figure.samples, figure.disturbed};
  return json.dump() + "\n";
}

Figure from_line(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line);
  return {json[0], json[1], json[2], json[3], json[4], json[5], json[6], json[7], json[8]};
}

[[noreturn]] void be_the_child(const Workload& workload, const MeasureOptions& options, int to_parent) {
  const File out(fdopen(to_parent, "w"));
  int status = 0;
  try {
    run_here(workload, options, [&](const Figure& figure) {
      std::fputs(to_line(figure).c_str(), out.get());
      std::fflush(out.get());
    });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", workload.name.c_str(), error.what());
    status = 1;
  }
  _exit(status);  // nothing of the parent's is to be ended or flushed here
}

void read_figures(int from_child, const Tell& tell) {
  const File in(fdopen(from_child, "r"));
  std::string line;
  for (int c = std::fgetc(in.get()); c != EOF; c = std::fgetc(in.get())) {
    line += static_cast<char>(c);
    if (c != '\n') continue;
    tell(from_line(line));
    line.clear();
  }
}

Figure how_it_ended(const Workload& workload, int status) {
  const bool killed = WIFSIGNALED(status);
  const double code = killed ? WTERMSIG(status) : WEXITSTATUS(status);
  return {.workload = workload.name,
          .peer = workload.peer,
          .metric = killed ? "killed" : "failed",
          .value = code,
          .unit = killed ? "signal" : "status",
          .low = code,
          .high = code};
}

}  // namespace

bool run_in_child(const Workload& workload, const MeasureOptions& options, const Tell& tell) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    close(ends[0]);
    be_the_child(workload, options, ends[1]);
  }
  close(ends[1]);
  read_figures(ends[0], tell);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) tell(how_it_ended(workload, status));
  return status == 0;
}

}  // namespace bench
