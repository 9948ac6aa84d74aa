// Is the test built with AddressSanitizer? Then what is random and long may be shorter: it is the same code, much
// slower.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define BACKSTEP_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BACKSTEP_ADDRESS_SANITIZER
#endif
#endif

namespace fixtures {

#ifdef BACKSTEP_ADDRESS_SANITIZER
constexpr bool with_address_sanitizer = true;
#else
constexpr bool with_address_sanitizer = false;
#endif

// How often to draw again: for statistics in full, to see every access to memory a tenth will do.
template <class Count> constexpr Count repetitions(Count in_full) {
  return with_address_sanitizer ? (in_full + 9) / 10 : in_full;
}

}  // namespace fixtures
