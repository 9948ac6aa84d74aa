#include "nn/saving/atomic_file.h"

#include <autograd/tensor/error.h>
#include <fmt/core.h>

namespace nn {
namespace {

template <class F> auto or_bad_file(const std::string& path, autograd::Where where, F write) {
  try {
    return write();
  } catch (const autograd::NotWritten& error) {
    autograd::fail(autograd::ErrorId::bad_file, "save", where,
                   fmt::format("{} was not written: {}", path, error.what()),
                   "make room, or choose another place. If there was a file before, it is unchanged");
  }
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, autograd::Where where)
    : where_(where), file_(or_bad_file(path, where, [&] { return autograd::WholeFile(path); })) {}

void AtomicFile::write(const void* data, std::size_t bytes) {
  or_bad_file(file_.path(), where_, [&] { file_.write(data, bytes); });
}

void AtomicFile::commit() {
  or_bad_file(file_.path(), where_, [&] { file_.commit(); });
}

void write_file(const std::string& path, const std::string& text, autograd::Where where) {
  or_bad_file(path, where, [&] { autograd::write_whole(path, text); });
}

}  // namespace nn
