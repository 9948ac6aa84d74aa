// Writing a text into a file, completely or not at all.
#pragma once

#include <nn/atomic_file.h>

#include <string>

namespace translate {

// Throws bad-file.
inline void write_file(const std::string& path, const std::string& text,
                       autograd::Where where = autograd::Where::current()) {
  nn::AtomicFile file(path, where);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace translate
