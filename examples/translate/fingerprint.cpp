#include "examples/translate/fingerprint.h"

#include <fmt/core.h>

namespace translate {

void Fingerprint::add(const void* data, std::size_t bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  const auto* next = static_cast<const unsigned char*>(data);
  for (std::size_t i = 0; i < bytes; ++i) hash_ = (hash_ ^ next[i]) * prime;
}

void Fingerprint::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  add(text.data(), text.size());
}

void Fingerprint::add(std::int64_t number) {
  add(&number, sizeof number);
}

std::string Fingerprint::text() const {
  return fmt::format("{:016x}", hash_);
}

}  // namespace translate
