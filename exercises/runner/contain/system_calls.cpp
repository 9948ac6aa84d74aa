#include "runner/contain/system_calls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>

namespace learn {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;  // no filter is known for it
#endif

constexpr std::uint32_t end_it = SECCOMP_RET_TRAP;

// Networks, other processes, and what outlives the program or makes it more than it is.
constexpr std::uint32_t never[] = {
    __NR_socket,
    __NR_io_uring_setup,
    __NR_bpf,
    __NR_mount,
    __NR_umount2,
    __NR_unshare,
    __NR_setns,
    __NR_pivot_root,
    __NR_chroot,
    __NR_keyctl,
    __NR_add_key,
    __NR_request_key,
    __NR_perf_event_open,
    __NR_userfaultfd,
    __NR_process_vm_readv,
    __NR_process_vm_writev,
    __NR_memfd_create,
    __NR_pidfd_open,
    __NR_pidfd_send_signal,
    __NR_tkill,
    __NR_shmget,
    __NR_msgget,
    __NR_semget,
    __NR_mq_open,
};

// Other programs, and files that take room without a name.
constexpr std::uint32_t only_for_tools[] = {
    __NR_execveat, __NR_unlinkat, __NR_renameat2,
#ifdef __NR_fork
    __NR_fork,     __NR_vfork,    __NR_unlink,    __NR_rename, __NR_renameat,
#endif
};

constexpr std::uint32_t sends_signals[] = {__NR_kill, __NR_tgkill, __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo};

class Writer {
 public:
  void add(std::uint16_t code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    filter.lines[filter.count++] = {code, if_true, if_false, value};
  }
  void load(std::size_t offset) { add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  void load_number() { load(offsetof(seccomp_data, nr)); }
  void load_first_argument() { load(offsetof(seccomp_data, args)); }
  void answer(std::uint32_t what) { add(BPF_RET | BPF_K, what); }
  void answer_if(std::uint32_t number, std::uint32_t what) {
    add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
    answer(what);
  }
  void allow_if_all(std::uint32_t mask, std::uint32_t bits) {
    add(BPF_ALU | BPF_AND | BPF_K, mask);
    answer_if(bits, SECCOMP_RET_ALLOW);
    load_first_argument();
  }

  SystemCallFilter filter;
};

// Threads, and the helper with which LeakSanitizer stops them; no processes.
void add_clone(Writer& writer) {
  writer.answer_if(__NR_clone3, SECCOMP_RET_ERRNO | ENOSYS);  // its flags cannot be seen; clone() is tried next
  writer.add(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 10);
  writer.load_first_argument();
  writer.allow_if_all(CLONE_THREAD, CLONE_THREAD);
  writer.allow_if_all(CLONE_VM | CLONE_VFORK | CLONE_UNTRACED, CLONE_VM | CLONE_UNTRACED);
  writer.answer(end_it);
}

void add_nameless_files(Writer& writer) {
  constexpr std::uint32_t nameless = O_TMPFILE & ~O_DIRECTORY;
  writer.answer_if(__NR_openat2, SECCOMP_RET_ERRNO | ENOSYS);  // its flags cannot be seen
  writer.add(BPF_JMP | BPF_JEQ | BPF_K, __NR_openat, 0, 4);
  writer.load(offsetof(seccomp_data, args) + 2 * sizeof(std::uint64_t));
  writer.add(BPF_JMP | BPF_JSET | BPF_K, nameless, 0, 1);
  writer.answer(end_it);
  writer.load_number();
#ifdef __NR_open
  writer.add(BPF_JMP | BPF_JEQ | BPF_K, __NR_open, 0, 4);
  writer.load(offsetof(seccomp_data, args) + sizeof(std::uint64_t));
  writer.add(BPF_JMP | BPF_JSET | BPF_K, nameless, 0, 1);
  writer.answer(end_it);
  writer.load_number();
#endif
}

void add_signals(Writer& writer, pid_t own) {
  for (const std::uint32_t number : sends_signals) {
    writer.add(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
    writer.load_first_argument();
    writer.answer_if(static_cast<std::uint32_t>(own), SECCOMP_RET_ALLOW);
    writer.answer(end_it);
  }
  // The limits of others.
  writer.add(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 6);
  writer.load_first_argument();
  writer.answer_if(0, SECCOMP_RET_ALLOW);
  writer.answer_if(static_cast<std::uint32_t>(own), SECCOMP_RET_ALLOW);
  writer.answer(end_it);
}

}  // namespace

SystemCallFilter system_call_filter(bool starts_programs, pid_t own) {
  Writer writer;
  if (architecture == 0) return writer.filter;
  writer.load(offsetof(seccomp_data, arch));
  writer.add(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
  writer.answer(end_it);
  writer.load_number();
#ifdef __x86_64__
  writer.add(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);  // another set of numbers for the same calls
  writer.answer(end_it);
#endif
  for (const std::uint32_t number : never) writer.answer_if(number, end_it);
  if (!starts_programs) {
    for (const std::uint32_t number : only_for_tools) writer.answer_if(number, end_it);
    add_clone(writer);
    add_nameless_files(writer);
  }
  if (own != 0) add_signals(writer, own);
  writer.answer(SECCOMP_RET_ALLOW);
  return writer.filter;
}

}  // namespace learn
