#include "judge/wire.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "judge/endings.h"

namespace judge {
namespace {

constexpr std::uint64_t most_dims = 16;
constexpr int kinds = static_cast<int>(Observation::Kind::unwritten) + 1;
constexpr int kinds_of_not_finite = static_cast<int>(NotFinite::nan_handed_on) + 1;
constexpr int kinds_of_numbers = static_cast<int>(Numbers::far_apart) + 1;
constexpr int dtypes = static_cast<int>(autograd::boolean) + 1;

class Writer {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const Number& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(const Enum& value) { (*this)(static_cast<unsigned char>(value)); }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    bytes_ += text;
  }
  void operator()(const Tensor& tensor) {
    (*this)(tensor.defined());
    if (!tensor.defined()) return;
    (*this)(std::uint64_t(tensor.dim()));
    for (int dim = 0; dim < tensor.dim(); ++dim) (*this)(tensor.size(dim));
    for (const double value : tensor.to_vector()) (*this)(value);
  }
  template <class Element> void operator()(const std::vector<Element>& list);

  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(Number& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
  void operator()(bool& value) { value = one_of(2) != 0; }
  void operator()(Observation::Kind& kind) { kind = static_cast<Observation::Kind>(one_of(kinds)); }
  void operator()(NotFinite& kind) { kind = static_cast<NotFinite>(one_of(kinds_of_not_finite)); }
  void operator()(autograd::DType& dtype) { dtype = static_cast<autograd::DType>(one_of(dtypes)); }
  void operator()(Numbers& numbers) { numbers = static_cast<Numbers>(one_of(kinds_of_numbers)); }
  void operator()(std::string& text) { text = take(count()); }
  void operator()(Tensor& tensor) {
    bool defined = false;
    (*this)(defined);
    if (!defined) return;
    std::uint64_t dims = 0;
    (*this)(dims);
    if (dims > most_dims) fail();
    autograd::Shape shape;
    std::uint64_t numel = 1;
    for (; dims > 0; --dims) {
      std::int64_t size = 0;
      (*this)(size);
      if (size < 0 || (size > 0 && numel > most_bytes / static_cast<std::uint64_t>(size))) fail();
      shape.push_back(size);
      numel *= static_cast<std::uint64_t>(size);
    }
    if (numel > bytes_.size() / sizeof(double)) fail();
    std::vector<double> values(numel);
    for (double& value : values) (*this)(value);
    tensor = autograd::from_vector(values, shape, autograd::float64);
  }
  template <class Element> void operator()(std::vector<Element>& list);

  void at_end() const {
    if (!bytes_.empty()) fail();
  }

 private:
  [[noreturn]] static void fail() { throw AnswerEnded{sent_no_message}; }
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) fail();
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  // A number below `limit`.
  unsigned char one_of(int limit) {
    unsigned char number = 0;
    (*this)(number);
    if (number >= limit) fail();
    return number;
  }
  std::uint64_t count() {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > bytes_.size()) fail();  // everything takes a byte at least
    return count;
  }

  std::string_view bytes_;
};

// What is sent of each, in one place for both directions. Of an observation, only what is the answer's: how it is
// compared, the judge knows itself.
template <class Direction, class T> void fields_of(Direction& wire, T& value) {
  using Type = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Type, Axis>) {
    wire(value.name), wire(value.size);
  } else if constexpr (std::is_same_v<Type, Request>) {
    wire(value.ops), wire(value.setting.sizes), wire(value.setting.seed);
    wire(value.setting.numbers);
    wire(value.options.slow_too), wire(value.options.record_ops);
  } else if constexpr (std::is_same_v<Type, Observation>) {
    wire(value.kind), wire(value.name), wire(value.value), wire(value.dtype), wire(value.text), wire(value.holds);
    wire(value.thrown.id), wire(value.thrown.message), wire(value.thrown.advice), wire(value.thrown.file);
    wire(value.thrown.line), wire(value.ops_before), wire(value.observations_before);
  } else if constexpr (std::is_same_v<Type, WatchedOp>) {
    wire(value.name), wire(value.file), wire(value.line), wire(value.value), wire(value.not_finite);
    wire(value.observations_before);
  } else if constexpr (std::is_same_v<Type, Watched>) {
    wire(value.record.observations), wire(value.record.shown), wire(value.record.probes), wire(value.ops);
  } else {
    wire(value);
  }
}

template <class Element> void Writer::operator()(const std::vector<Element>& list) {
  (*this)(std::uint64_t{list.size()});
  for (const Element& element : list) fields_of(*this, element);
}

template <class Element> void Reader::operator()(std::vector<Element>& list) {
  list.clear();
  for (std::uint64_t left = count(); left > 0; --left) fields_of(*this, list.emplace_back());
}

template <class T> std::string written(const T& value) {
  Writer writer;
  fields_of(writer, value);
  return writer.take();
}

template <class T> T read(std::string_view bytes) {
  Reader reader(bytes);
  T value;
  fields_of(reader, value);
  reader.at_end();
  return value;
}

}  // namespace

std::string to_bytes(const Request& request) {
  return written(request);
}

std::string to_bytes(const Watched& watched) {
  return written(watched);
}

Request read_request(std::string_view bytes) {
  return read<Request>(bytes);
}

Watched read_watched(std::string_view bytes) {
  return read<Watched>(bytes);
}

}  // namespace judge
