// A fingerprint of bytes, 64 bits: what has the same one is taken to be the same. It finds damage and mix-ups, for
// which it is made, and no forgery. The hash is FNV-1a (Fowler, Noll and Vo; RFC 9923): per byte, h = (h xor byte) *
// prime. Each of the two operations can be undone, so that a single changed byte always changes the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace translate {

class Fingerprint {
 public:
  void add(const void* data, std::size_t bytes);
  // The length goes in too: "ab", "c" is not "a", "bc".
  void add(std::string_view text);
  void add(std::int64_t number);
  std::string text() const;  // 16 hexadecimal digits

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace translate
