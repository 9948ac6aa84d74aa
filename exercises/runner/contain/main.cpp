// The program `contain`: becomes another program in a sandbox (runner/system/sandbox.h). A program of its own, so that
// whoever starts an answer can put it in front of the answer's command, and so that nothing of ours is left in it.
//
//   contain --by bubblewrap|kernel|limits --folder F [--read PATH]... [--keep VARIABLE]... [--tools] [--seconds N]
//           -- COMMAND...
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "runner/contain/system_calls.h"

namespace learn {
namespace {

struct Request {
  std::string by;
  std::string folder;
  std::vector<std::string> readable;
  std::vector<std::string> variables;
  bool starts_programs = false;
  std::size_t seconds = 0;
  std::vector<std::string> command;
};

Request read_request(const std::vector<std::string>& arguments) {
  Request request;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--") {
      request.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1, arguments.end());
      break;
    }
    if (option == "--tools") {
      request.starts_programs = true;
      continue;
    }
    if (i + 1 == arguments.size()) break;
    const std::string& value = arguments[++i];
    if (option == "--by") request.by = value;
    if (option == "--folder") request.folder = value;
    if (option == "--read") request.readable.push_back(value);
    if (option == "--keep") request.variables.push_back(value);
    if (option == "--seconds") request.seconds = std::strtoul(value.c_str(), nullptr, 10);
  }
  return request;
}

void limit(__rlimit_resource resource, std::size_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

// What every program needs: libraries, and the tools that compile, link and name the lines of a crash. Nobody keeps
// their own files there.
constexpr std::array system_folders = {"/usr/bin",
                                       "/usr/include",
                                       "/usr/lib",
                                       "/usr/lib32",
                                       "/usr/lib64",
                                       "/usr/libexec",
                                       "/usr/local/lib",
                                       "/bin",
                                       "/lib",
                                       "/lib32",
                                       "/lib64",
                                       "/etc/ld.so.cache",
                                       "/etc/alternatives",
                                       "/usr/local/include",
                                       "/nix/store",
                                       "/gnu/store"};
constexpr std::array devices = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/full"};

// ---- Landlock: glibc has no functions for it, and older headers do not know it --------------------------------------

constexpr long landlock_create_ruleset = 444;
constexpr long landlock_add_rule = 445;
constexpr long landlock_restrict_self = 446;
constexpr std::uint64_t execute = 1 << 0;
constexpr std::uint64_t write_file = 1 << 1;
constexpr std::uint64_t read_file = 1 << 2;
constexpr std::uint64_t read_folder = 1 << 3;
constexpr std::uint64_t all_of_version_1 = (1 << 13) - 1;
constexpr std::uint64_t refer_and_truncate = (1 << 13) | (1 << 14);  // versions 2 and 3

struct LandlockPath {
  std::uint64_t allowed;
  std::int32_t file;
} __attribute__((packed));

// Where there is something at that path; `allowed` is for a folder, and less of it makes sense for a file.
void allow(int rules, const char* path, std::uint64_t allowed) {
  const int file = ::open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return;
  LandlockPath rule{allowed, file};
  if (::syscall(landlock_add_rule, rules, 1, &rule, 0) != 0) {
    rule.allowed &= execute | write_file | read_file;
    ::syscall(landlock_add_rule, rules, 1, &rule, 0);
  }
  ::close(file);
}

bool restrict_files(const Request& request) {
  const long version = ::syscall(landlock_create_ruleset, nullptr, 0, 1);
  if (version < 1) return false;
  std::uint64_t all = all_of_version_1;
  if (version >= 2) all |= version >= 3 ? refer_and_truncate : refer_and_truncate & (1 << 13);
  const int rules = static_cast<int>(::syscall(landlock_create_ruleset, &all, sizeof all, 0));
  if (rules < 0) return false;
  constexpr std::uint64_t read = execute | read_file | read_folder;
  for (const char* const path : system_folders) allow(rules, path, read);
  for (const char* const path : devices) allow(rules, path, read_file | write_file);
  allow(rules, "/proc", read_file | read_folder);  // of its own: of others only what everybody may know
  for (const std::string& path : request.readable) allow(rules, path.c_str(), read);
  allow(rules, request.folder.c_str(), all);
  const bool restricted = ::syscall(landlock_restrict_self, rules, 0) == 0;
  ::close(rules);
  return restricted;
}

// Of root's rights, none is left.
bool drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const std::array<__user_cap_data_struct, 2> none{};
  return ::syscall(SYS_capset, &header, none.data()) == 0;
}

bool filter_system_calls(const Request& request) {
  SystemCallFilter filter = system_call_filter(request.starts_programs, request.starts_programs ? 0 : ::getpid());
  if (filter.count == 0) return false;
  const sock_fprog program{static_cast<unsigned short>(filter.count), filter.lines.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool enter_by_kernel(const Request& request) {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && drop_capabilities() && restrict_files(request) &&
         filter_system_calls(request);
}

// ---- bubblewrap -----------------------------------------------------------------------------------------------------

int file_of(const SystemCallFilter& filter) {
  const int file = ::memfd_create("system calls", 0);  // bubblewrap inherits it
  if (file < 0) return -1;
  const std::size_t bytes = filter.count * sizeof filter.lines[0];
  if (::write(file, filter.lines.data(), bytes) != static_cast<ssize_t>(bytes) || ::lseek(file, 0, SEEK_SET) != 0) {
    ::close(file);
    return -1;
  }
  return file;
}

void show(std::vector<std::string>& command, const char* how, const std::string& path) {
  command.insert(command.end(), {how, path, path});
}

std::vector<std::string> bubblewrap_command(const Request& request) {
  const SystemCallFilter calls = system_call_filter(request.starts_programs, 0);
  const int filter = calls.count > 0 ? file_of(calls) : -1;
  std::vector<std::string> command{"bwrap", "--unshare-all", "--die-with-parent", "--new-session"};
  for (const char* const path : system_folders) show(command, "--ro-bind-try", path);
  command.insert(command.end(), {"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"});
  for (const std::string& path : request.readable) show(command, "--ro-bind-try", path);
  show(command, "--bind", request.folder);
  command.insert(command.end(), {"--remount-ro", "/", "--chdir", request.folder});
  if (filter >= 0) command.insert(command.end(), {"--seccomp", std::to_string(filter)});
  command.push_back("--");
  command.insert(command.end(), request.command.begin(), request.command.end());
  return command;
}

// ---- limits and environment, whatever else there is ---------------------------------------------------------------------

void set_limits(const Request& request) {
  constexpr std::size_t largest_file = std::size_t{256} << 20;
  constexpr std::size_t most_files = 256;
  limit(RLIMIT_FSIZE, largest_file);
  limit(RLIMIT_NOFILE, most_files);
  limit(RLIMIT_CORE, 0);
  if (request.seconds > 0) {
    const rlimit processor_time{request.seconds, request.seconds + 1};  // SIGXCPU says what it was
    ::setrlimit(RLIMIT_CPU, &processor_time);
  }
}

std::vector<std::string> environment_of(const Request& request) {
  std::vector<std::string> environment{"PATH=/usr/bin:/bin"};
  for (const std::string& name : request.variables) {
    if (const char* const value = std::getenv(name.c_str())) environment.push_back(name + "=" + value);
  }
  return environment;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// Returns only if it cannot.
void become(const Request& request) {
  std::vector<std::string> environment = environment_of(request);
  std::vector<std::string> command = request.by == "bubblewrap" ? bubblewrap_command(request) : request.command;
  const std::vector<char*> variables = pointers(environment);
  const std::vector<char*> arguments = pointers(command);
  if (::chdir(request.folder.c_str()) != 0) return;
  set_limits(request);
  if (request.by == "kernel" && !enter_by_kernel(request)) return;
  ::execvpe(arguments[0], arguments.data(), variables.data());
}

}  // namespace
}  // namespace learn

int main(int argc, char** argv) {
  const learn::Request request = learn::read_request({argv + 1, argv + argc});
  if (request.command.empty()) {
    std::fputs("This is started by the course's runner: exercises/learn\n", stderr);
    return 2;
  }
  learn::become(request);
  std::perror("contain");
  return 127;
}
