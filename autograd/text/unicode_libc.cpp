// For WebAssembly: the tables of musl, which knows Unicode in every locale.
#include <cwchar>
#include <cwctype>

#include "autograd/text/unicode.h"

namespace autograd {

char32_t lower(char32_t code) {
  return static_cast<char32_t>(std::towlower(static_cast<std::wint_t>(code)));
}

bool has_case(char32_t code) {
  const auto same = static_cast<std::wint_t>(code);
  return std::towlower(same) != same || std::towupper(same) != same;
}

bool is_letter_or_number(char32_t code) {
  return std::iswalnum(static_cast<std::wint_t>(code)) != 0;
}

std::size_t columns_of(char32_t code) {
  const int columns = ::wcwidth(static_cast<wchar_t>(code));
  const bool is_control = columns < 0 || code == 0;
  return is_control ? 1 : static_cast<std::size_t>(columns);
}

}  // namespace autograd
