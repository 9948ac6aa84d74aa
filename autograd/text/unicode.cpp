#include "autograd/text/unicode.h"

#include <utf8proc.h>

namespace autograd {
namespace {

utf8proc_category_t category_of(char32_t code) {
  return utf8proc_category(static_cast<utf8proc_int32_t>(code));
}

}  // namespace

char32_t lower(char32_t code) {
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

bool has_case(char32_t code) {
  const utf8proc_category_t category = category_of(code);
  const bool is_cased_letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LT;
  const auto same = static_cast<utf8proc_int32_t>(code);  // letters of other categories, such as ⅷ and ⓐ
  return is_cased_letter || utf8proc_tolower(same) != same || utf8proc_toupper(same) != same;
}

bool is_letter_or_number(char32_t code) {
  const utf8proc_category_t category = category_of(code);
  const bool is_letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
  return is_letter || (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO);
}

std::size_t columns_of(char32_t code) {
  const utf8proc_category_t category = category_of(code);
  // Terminals give marks beside their letter, as in हि, a column of their own.
  const bool takes_one = category == UTF8PROC_CATEGORY_MC || category == UTF8PROC_CATEGORY_CC;
  return takes_one ? 1 : static_cast<std::size_t>(utf8proc_charwidth(static_cast<utf8proc_int32_t>(code)));
}

}  // namespace autograd
