// Private to the kernels: arithmetic of one element. Integers wrap around on overflow, which C++ defines only for
// unsigned ones.
#pragma once

#include <cstdint>
#include <type_traits>

namespace autograd::kernels {

template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>;

template <class T> T plus(T a, T b) {
  using U = typename Wrapping<T>::type;
  return T(U(a) + U(b));
}
template <class T> T minus(T a, T b) {
  using U = typename Wrapping<T>::type;
  return T(U(a) - U(b));
}
template <class T> T times(T a, T b) {
  using U = typename Wrapping<T>::type;
  return T(U(a) * U(b));
}
// -0.0 for 0.0; the smallest integer stays as it is.
template <class T> T negative(T a) {
  using U = typename Wrapping<T>::type;
  return T(-U(a));
}

}  // namespace autograd::kernels
