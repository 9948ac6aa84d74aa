// AtomicFile: writes a file completely or not at all (autograd/text/whole_file.h), and throws bad-file if that fails.
#pragma once

#include <autograd/tensor/where.h>
#include <autograd/text/whole_file.h>

#include <cstddef>
#include <string>

namespace nn {

class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path, autograd::Where where);
  void write(const void* data, std::size_t bytes);
  void commit();

 private:
  autograd::Where where_;
  autograd::WholeFile file_;
};

// Writes a whole text as a file. Throws bad-file.
void write_file(const std::string& path, const std::string& text, autograd::Where where = autograd::Where::current());

}  // namespace nn
