#include "nn/saving/safetensors.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include "nn/saving/atomic_file.h"
#include "nn/saving/safetensors_header.h"

namespace nn {
namespace {

using autograd::ErrorId;

static_assert(std::endian::native == std::endian::little, "the elements are stored little-endian and read as they are");

constexpr std::int64_t length_bytes = 8;
constexpr std::int64_t longest_header = 100'000'000;  // the reference implementation's limit

}  // namespace

// ---- saving --------------------------------------------------------------------------------------------------

namespace {

// Widest elements first, so that every tensor starts at a multiple of its element's size.
bool is_wider(const SafetensorsEntry& a, const SafetensorsEntry& b) {
  return a.dtype.bytes > b.dtype.bytes;
}

SafetensorsHeader describe(const StateDict& tensors, const Metadata& metadata, Where where) {
  SafetensorsHeader header;
  header.metadata = metadata;
  for (const auto& [name, tensor] : tensors) {
    if (!tensor.defined()) {
      autograd::fail(ErrorId::undefined_tensor, "save_safetensors", where, fmt::format("{} has no value", name),
                     "leave it out");
    }
    header.entries.push_back({name, stored_dtype(tensor.dtype()), tensor.shape()});
  }
  std::stable_sort(header.entries.begin(), header.entries.end(), is_wider);
  std::int64_t position = 0;
  for (SafetensorsEntry& entry : header.entries) {
    entry.begin = position;
    position += entry.shape.numel() * entry.dtype.bytes;
    entry.end = position;
  }
  return header;
}

// Throws for names and a length that load_safetensors() would refuse.
std::string header_text(const SafetensorsHeader& header, Where where) {
  try {
    const std::string text = write_safetensors_header(header);
    if (static_cast<std::int64_t>(text.size()) > longest_header) {
      throw HeaderProblem(
          fmt::format("names, shapes and metadata take {} bytes; the most is {}", text.size(), longest_header));
    }
    return text;
  } catch (const HeaderProblem& problem) {
    autograd::fail(ErrorId::bad_argument, "save_safetensors", where, problem.what(),
                   "choose other names, and shorter metadata");
  }
}

// The first byte of a contiguous tensor's elements.
std::byte* memory_of(const Tensor& tensor) {
  switch (tensor.dtype()) {
    case DType::float32: return reinterpret_cast<std::byte*>(tensor.data_ptr<float>());
    case DType::float64: return reinterpret_cast<std::byte*>(tensor.data_ptr<double>());
    case DType::int64: return reinterpret_cast<std::byte*>(tensor.data_ptr<std::int64_t>());
    case DType::boolean: return reinterpret_cast<std::byte*>(tensor.data_ptr<bool>());
  }
  return nullptr;
}

}  // namespace

void save_safetensors(const std::string& path, const StateDict& tensors, const Metadata& metadata, Where where) {
  const autograd::NoGradGuard no_grad;
  const SafetensorsHeader header = describe(tensors, metadata, where);
  const std::string text = header_text(header, where);
  const std::uint64_t length = text.size();
  AtomicFile file(path, where);
  file.write(&length, sizeof length);
  file.write(text.data(), text.size());
  for (const SafetensorsEntry& entry : header.entries) {
    const Tensor tensor = tensors.at(entry.name).contiguous();
    file.write(memory_of(tensor), static_cast<std::size_t>(entry.end - entry.begin));
  }
  file.commit();
}

// ---- loading -------------------------------------------------------------------------------------------------

namespace {

// A file that is being read, and the errors about it.
class InputFile {
 public:
  InputFile(const std::string& path, Where where) : path_(path), where_(where) {
    file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // O_NONBLOCK: a pipe must not hang us here
    if (file_ < 0) fail_reading(std::strerror(errno));
    struct stat status {};
    if (fstat(file_, &status) != 0) close_and_fail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) close_and_fail("it is not a regular file");
    size_ = status.st_size;
  }
  ~InputFile() { close(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::int64_t size() const { return size_; }

  // The next `bytes` bytes.
  void read(void* data, std::int64_t bytes) {
    char* next = static_cast<char*>(data);
    while (bytes > 0) {
      const ssize_t count = ::read(file_, next, static_cast<std::size_t>(std::min<std::int64_t>(bytes, 1 << 30)));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail_reading(std::strerror(errno));
      if (count == 0) fail_reading("it became shorter while it was read");
      next += count;
      bytes -= count;
    }
  }

  [[noreturn]] void fail_reading(const char* why) const {
    autograd::fail(ErrorId::bad_file, "load_safetensors", where_, fmt::format("{} cannot be read: {}", path_, why),
                   "check the path and the permissions");
  }
  [[noreturn]] void fail_content(const std::string& what,
                                 HeaderProblem::Kind kind = HeaderProblem::Kind::damaged) const {
    autograd::fail(ErrorId::bad_safetensors, "load_safetensors", where_, fmt::format("{}: {}", path_, what),
                   kind == HeaderProblem::Kind::damaged
                       ? "save or download the file again"
                       : "load it in Python, convert with .to(torch.float32).clone(), and save it again");
  }

 private:
  [[noreturn]] void close_and_fail(const char* why) {
    close(file_);
    fail_reading(why);
  }

  std::string path_;
  Where where_;
  int file_ = -1;
  std::int64_t size_ = 0;
};

std::string read_header_text(InputFile& file) {
  if (file.size() < length_bytes) {
    file.fail_content(
        fmt::format("the file has {} bytes, fewer than the {} it begins with", file.size(), length_bytes));
  }
  std::uint64_t length = 0;
  file.read(&length, length_bytes);
  const auto rest = static_cast<std::uint64_t>(file.size() - length_bytes);
  if (length > rest) file.fail_content(fmt::format("a header of {} bytes is announced, but {} are left", length, rest));
  if (length > longest_header) {
    file.fail_content(fmt::format("a header of {} bytes is announced; the longest is {}", length, longest_header));
  }
  std::string text(length, ' ');
  file.read(text.data(), static_cast<std::int64_t>(length));
  return text;
}

SafetensorsHeader read_header(InputFile& file) {
  const std::string text = read_header_text(file);
  const std::int64_t data_bytes = file.size() - length_bytes - static_cast<std::int64_t>(text.size());
  try {
    return parse_safetensors_header(text, data_bytes);
  } catch (const HeaderProblem& problem) {
    file.fail_content(problem.what(), problem.kind);
  }
}

// bfloat16 is the upper half of a float32.
float from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// IEEE 754 binary16: a sign, 5 bits of exponent (bias 15), 10 bits of fraction.
float from_float16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  float magnitude = 0.0F;
  if (exponent == 0x1f) {
    magnitude = fraction == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(fraction), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

void read_halves(InputFile& file, const SafetensorsEntry& entry, const Tensor& tensor) {
  std::vector<std::uint16_t> halves(static_cast<std::size_t>(tensor.numel()));
  file.read(halves.data(), entry.end - entry.begin);
  float* elements = tensor.data_ptr<float>();
  const bool is_bfloat16 = entry.dtype.name == "BF16";
  for (const std::uint16_t bits : halves) *elements++ = is_bfloat16 ? from_bfloat16(bits) : from_float16(bits);
}

// A byte other than 0 and 1 is not a bool; to treat it as one would be undefined behaviour.
void read_booleans(InputFile& file, const SafetensorsEntry& entry, const Tensor& tensor) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(tensor.numel()));
  file.read(bytes.data(), entry.end - entry.begin);
  bool* elements = tensor.data_ptr<bool>();
  for (const unsigned char byte : bytes) {
    if (byte > 1) file.fail_content(fmt::format("the entry {} is BOOL, but has a byte {}", quoted(entry.name), byte));
    *elements++ = byte == 1;
  }
}

Tensor read_tensor(InputFile& file, const SafetensorsEntry& entry, Where where) {
  const Tensor tensor = autograd::empty(entry.shape, entry.dtype.loaded_as, where);
  if (entry.dtype.bytes == 2) {
    read_halves(file, entry, tensor);
  } else if (entry.dtype.loaded_as == DType::boolean) {
    read_booleans(file, entry, tensor);
  } else {
    file.read(memory_of(tensor), entry.end - entry.begin);
  }
  return tensor;
}

}  // namespace

Safetensors load_safetensors(const std::string& path, Where where) {
  InputFile file(path, where);
  const SafetensorsHeader header = read_header(file);
  Safetensors result;
  result.metadata = header.metadata;
  for (const SafetensorsEntry& entry : header.entries) result.tensors[entry.name] = read_tensor(file, entry, where);
  return result;
}

}  // namespace nn
