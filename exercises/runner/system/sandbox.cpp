#include "runner/system/sandbox.h"

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "runner/system/process.h"

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#endif

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
                                       "/usr/local/include",
                                       "/nix/store",
                                       "/gnu/store"};

// ---- no processes of its own ----------------------------------------------------------------------------------------

#ifdef __linux__

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

// An answer that forks without end would fill the machine, and no limit holds for root. A filter of system calls does:
// it lets through threads, and the helper with which LeakSanitizer stops them.
std::vector<sock_filter> no_new_processes() {
  std::vector<sock_filter> filter;
  const auto add = [&](int code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    filter.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
  };
  const auto load = [&](std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); };
  const auto answer = [&](std::uint32_t what) { add(BPF_RET | BPF_K, what); };
  const auto answer_if = [&](std::uint32_t value, std::uint32_t what) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
    answer(what);
  };
  const auto allow_clone_if = [&](std::uint32_t mask, std::uint32_t flags) {
    load(offsetof(seccomp_data, args));
    add(BPF_ALU | BPF_AND | BPF_K, mask);
    answer_if(flags, SECCOMP_RET_ALLOW);
  };
  load(offsetof(seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  answer(SECCOMP_RET_TRAP);
  load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);  // another set of numbers for the same calls
  answer(SECCOMP_RET_TRAP);
  answer_if(__NR_fork, SECCOMP_RET_TRAP);
  answer_if(__NR_vfork, SECCOMP_RET_TRAP);
#endif
  answer_if(__NR_clone3, SECCOMP_RET_ERRNO | ENOSYS);  // its flags cannot be seen; clone() is tried next
  add(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 1, 0);
  answer(SECCOMP_RET_ALLOW);
  allow_clone_if(CLONE_THREAD, CLONE_THREAD);
  allow_clone_if(CLONE_VM | CLONE_VFORK | CLONE_UNTRACED, CLONE_VM | CLONE_UNTRACED);
  answer(SECCOMP_RET_TRAP);
  return filter;
}

// A file with the filter, as long as we run; "" where there is none.
std::string filter_file() {
  static const int file = [] {
    const std::vector<sock_filter> filter = no_new_processes();
    const int made = ::memfd_create("system calls", MFD_CLOEXEC);
    const auto bytes = static_cast<ssize_t>(filter.size() * sizeof filter[0]);
    return architecture != 0 && ::write(made, filter.data(), filter.size() * sizeof filter[0]) == bytes ? made : -1;
  }();
  return file < 0 ? "" : fmt::format("/proc/{}/fd/{}", ::getpid(), file);
}

#else  // nor is there bubblewrap

std::string filter_file() {
  return "";
}

#endif

// ---- bubblewrap -----------------------------------------------------------------------------------------------------

constexpr const char* filter_descriptor = "9";

void show(std::vector<std::string>& command, const char* how, const std::string& path) {
  command.insert(command.end(), {how, path, path});
}

std::vector<std::string> bubblewrap_command(const Sandbox& sandbox, bool filtered) {
  std::vector<std::string> command{"bwrap", "--unshare-all", "--die-with-parent", "--new-session"};
  for (const char* const path : system_folders) show(command, "--ro-bind-try", path);
  command.insert(command.end(), {"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"});
  for (const std::string& path : sandbox.readable) show(command, "--ro-bind-try", path);
  show(command, "--bind", sandbox.folder);
  command.insert(command.end(), {"--remount-ro", "/", "--chdir", sandbox.folder});
  if (filtered) command.insert(command.end(), {"--seccomp", filter_descriptor});
  command.push_back("--");
  return command;
}

// For a shell, which becomes the rest of its command: limits, the folder ($0), and an environment that is its own.
std::string preparation(const Sandbox& sandbox, const std::string& filter) {
  std::string script = "ulimit -f 524288; ulimit -n 256; ulimit -c 0; ";  // 256 MiB in a file, and as many files
  if (sandbox.seconds > 0) {  // the first limit sends SIGXCPU, which says what it was
    script += fmt::format("ulimit -S -t {}; ulimit -H -t {}; ", sandbox.seconds, sandbox.seconds + 1);
  }
  if (!filter.empty()) script += fmt::format("exec {}<{}; ", filter_descriptor, filter);
  script += "cd \"$0\" && exec env -i PATH=/usr/bin:/bin";
  for (const std::string& name : sandbox.variables) script += fmt::format(" ${{{0}+\"{0}=${0}\"}}", name);
  return script + " \"$@\"";
}

// A shell that cannot read what everybody can.
bool bubblewrap_works() {
  constexpr int success = 42;
  constexpr const char* script = "if true < /etc/passwd; then exit 1; else exit 42; fi";
  const Sandbox sandbox{.folder = fs::temp_directory_path(), .by = Containment::bubblewrap};
  return run_process(contained(sandbox, {"/bin/sh", "-c", script}), {.seconds = patience_for(1.0)}).exit_code ==
         success;
}

}  // namespace

Containment containment() {
  static const Containment best = bubblewrap_works() ? Containment::bubblewrap : Containment::limits_only;
  return best;
}

std::string describe(Containment containment) {
  if (containment == Containment::bubblewrap) {
    return "contained by bubblewrap: no network, no files but their own";
  }
  return "NOT CONTAINED: an answer can read and write what you can. bubblewrap (Debian: apt install bubblewrap) does "
         "not work here; run this in a container that holds nothing else.";
}

std::vector<std::string> contained(const Sandbox& sandbox, const std::vector<std::string>& command) {
  const bool wrapped = sandbox.by == Containment::bubblewrap;
  const std::string filter = wrapped && !sandbox.starts_programs ? filter_file() : "";
  std::vector<std::string> all{"/bin/sh", "-c", preparation(sandbox, filter), sandbox.folder};
  if (wrapped) {
    const std::vector<std::string> wrapper = bubblewrap_command(sandbox, !filter.empty());
    all.insert(all.end(), wrapper.begin(), wrapper.end());
  }
  all.insert(all.end(), command.begin(), command.end());
  return all;
}

}  // namespace learn
