#include "runner/system/sandbox.h"

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
#include <filesystem>
#include <stdexcept>

#include "runner/system/process.h"
#include "runner/system/system_calls.h"

namespace learn {
namespace {

namespace fs = std::filesystem;

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
                                       "/usr/local/include"};
constexpr std::array devices = {"/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/full"};

void limit(__rlimit_resource resource, std::size_t most) {
  const rlimit both{most, most};
  ::setrlimit(resource, &both);
}

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

bool restrict_files(const Sandbox& sandbox) {
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
  for (const std::string& path : sandbox.readable) allow(rules, path.c_str(), read);
  allow(rules, sandbox.folder.c_str(), all);
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

bool filter_system_calls(const Sandbox& sandbox) {
  SystemCallFilter filter = system_call_filter(sandbox.starts_programs, sandbox.starts_programs ? 0 : ::getpid());
  if (filter.count == 0) return false;
  const sock_fprog program{static_cast<unsigned short>(filter.count), filter.lines.data()};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

bool enter_by_kernel(const Sandbox& sandbox) {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && drop_capabilities() && restrict_files(sandbox) &&
         filter_system_calls(sandbox);
}

// ---- bubblewrap -----------------------------------------------------------------------------------------------------

int file_of(const SystemCallFilter& filter) {
  const int file = ::memfd_create("system calls", MFD_CLOEXEC);
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

std::vector<std::string> bubblewrap_command(const Sandbox& sandbox, int filter) {
  std::vector<std::string> command{"bwrap", "--unshare-all", "--die-with-parent", "--new-session"};
  for (const char* const path : system_folders) show(command, "--ro-bind-try", path);
  command.insert(command.end(), {"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"});
  for (const std::string& path : sandbox.readable) show(command, "--ro-bind-try", path);
  show(command, "--bind", sandbox.folder);
  command.insert(command.end(), {"--remount-ro", "/", "--chdir", sandbox.folder});
  if (filter >= 0) command.insert(command.end(), {"--seccomp", std::to_string(filter)});
  command.push_back("--");
  return command;
}

// ---- what works here ------------------------------------------------------------------------------------------------

// A shell that cannot read what everybody can.
bool works(Containment by) {
  constexpr int contained = 42;
  constexpr const char* script = "if true < /etc/passwd; then exit 1; else exit 42; fi";
  const std::string folder = fs::temp_directory_path().string();
  const Finished finished =
      run_process({"/bin/sh", "-c", script}, {.seconds = 10.0, .sandbox = Sandbox{.folder = folder, .by = by}});
  return finished.exit_code == contained;
}

}  // namespace

Containment containment() {
  static const Containment best = works(Containment::bubblewrap) ? Containment::bubblewrap
                                  : works(Containment::kernel)   ? Containment::kernel
                                                                 : Containment::limits_only;
  return best;
}

std::string describe(Containment containment) {
  switch (containment) {
    case Containment::bubblewrap: return "contained by bubblewrap: no network, no files but their own";
    case Containment::kernel: return "contained by Landlock and seccomp: no network, no files but their own";
    case Containment::limits_only: break;
  }
  return "NOT CONTAINED: an answer can read and write what you can. bubblewrap (Debian: apt install bubblewrap) does "
         "not "
         "work here, nor does Landlock; run this in a container that holds nothing else.";
}

SandboxEntry::SandboxEntry(const Sandbox& sandbox) : sandbox_(sandbox) {
  if (sandbox_.by != Containment::bubblewrap) return;
  const SystemCallFilter filter = system_call_filter(sandbox_.starts_programs, 0);
  if (filter.count > 0) filter_ = file_of(filter);
}

SandboxEntry::~SandboxEntry() {
  if (filter_ >= 0) ::close(filter_);
}

std::vector<std::string> SandboxEntry::command(const std::vector<std::string>& inside) const {
  if (sandbox_.by != Containment::bubblewrap) return inside;
  std::vector<std::string> command = bubblewrap_command(sandbox_, filter_);
  command.insert(command.end(), inside.begin(), inside.end());
  return command;
}

bool SandboxEntry::enter() const {
  limit(RLIMIT_FSIZE, sandbox_.most_disk);
  limit(RLIMIT_NOFILE, 256);
  if (sandbox_.seconds > 0) limit(RLIMIT_CPU, static_cast<std::size_t>(sandbox_.seconds));
  if (sandbox_.by == Containment::kernel) return enter_by_kernel(sandbox_);
  return filter_ < 0 || ::fcntl(filter_, F_SETFD, 0) == 0;  // bubblewrap inherits it
}

bool is_overfull(const Sandbox& sandbox) {
  constexpr std::size_t least = 4096;  // an empty file takes room, too
  std::size_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(sandbox.folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code gone;
    const bool file = entry->is_regular_file(gone);
    bytes += least + (file && !gone ? entry->file_size(gone) : 0);
    if (bytes > sandbox.most_disk) return true;
  }
  return false;
}

}  // namespace learn
