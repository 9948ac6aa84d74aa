// Fingerprint: 64 bits that are computed from bytes. Equal fingerprints are taken to mean equal bytes; that finds
// damage and mix-ups, but not forgery. The hash is FNV-1a (Fowler, Noll and Vo; RFC 9923): per byte, h = (h xor byte) *
// prime. Both operations can be inverted, so that one changed byte always changes the result.
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
  // With its length, so that "ab", "c" differs from "a", "bc".
  void add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    add(text.data(), text.size());
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }  // 16 hexadecimal digits

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace nn
