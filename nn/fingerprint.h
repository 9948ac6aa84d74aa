// A fingerprint of bytes, 64 bits: what has the same one is taken to be the same. It finds damage and mix-ups, for
// which it is made, and no forgery. The hash is FNV-1a (Fowler, Noll and Vo; RFC 9923): per byte, h = (h xor byte) *
// prime. Each of the two operations can be undone, so that a single changed byte always changes the result.
#pragma once

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace nn {

class Fingerprint {
 public:
  void add(const void* data, std::size_t bytes) {
    constexpr std::uint64_t prime = 0x100000001b3;
    const auto* next = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < bytes; ++i) hash_ = (hash_ ^ next[i]) * prime;
  }
  void add(std::int64_t number) { add(&number, sizeof number); }
  // The length goes in too: "ab", "c" is not "a", "bc".
  void add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    add(text.data(), text.size());
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }  // 16 hexadecimal digits

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace nn
