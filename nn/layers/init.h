// Initialisers: they fill a parameter in place and draw from the default generator (autograd/tensor/random.h). Nothing
// is recorded. fan_in and fan_out of a weight [out, in] are in and out.
//
//   nn::init::xavier_uniform_(attention.W_dec.weight, nn::init::calculate_gain("tanh"));
#pragma once

#include <autograd/autograd.h>

#include <string_view>

namespace nn::init {

using autograd::Tensor;
using autograd::Where;

// Uniform on [low, high).
void uniform_(const Tensor& x, double low = 0.0, double high = 1.0, Where where = Where::current());
// Normal with that mean and standard deviation.
void normal_(const Tensor& x, double mean = 0.0, double std = 1.0, Where where = Where::current());
void constant_(const Tensor& x, double value, Where where = Where::current());
void zeros_(const Tensor& x, Where where = Where::current());
void ones_(const Tensor& x, Where where = Where::current());

// Uniform on [-a, a) with a = gain * sqrt(6 / (fan_in + fan_out)), normal with the standard deviation
// gain * sqrt(2 / (fan_in + fan_out)): the variances of values and of gradients stay the same from layer to layer
// (Glorot and Bengio 2010, eq. 16). Two dims or more.
void xavier_uniform_(const Tensor& x, double gain = 1.0, Where where = Where::current());
void xavier_normal_(const Tensor& x, double gain = 1.0, Where where = Where::current());

// Uniform on [-a, a) with a = gain * sqrt(3 / fan), normal with the standard deviation gain / sqrt(fan), where gain is
// that of the nonlinearity (`a` is the slope of "leaky_relu"): for layers before a relu, whose variance it halves
// (He, Zhang, Ren and Sun 2015, eq. 14). mode: "fan_in" or "fan_out". Two dims or more.
void kaiming_uniform_(const Tensor& x, double a = 0.0, std::string_view mode = "fan_in",
                      std::string_view nonlinearity = "leaky_relu", Where where = Where::current());
void kaiming_normal_(const Tensor& x, double a = 0.0, std::string_view mode = "fan_in",
                     std::string_view nonlinearity = "leaky_relu", Where where = Where::current());

// gain times a random matrix with orthonormal rows (or columns, if there are fewer of them), all such matrices
// equally likely (Saxe, McClelland and Ganguli 2014, section 3). Dims after the first count as one. Two or more.
void orthogonal_(const Tensor& x, double gain = 1.0, Where where = Where::current());

// The gain that makes up for a nonlinearity: "linear" 1, "sigmoid" 1, "tanh" 5/3, "relu" sqrt(2), "leaky_relu"
// sqrt(2 / (1 + slope^2)).
double calculate_gain(std::string_view nonlinearity, double slope = 0.01, Where where = Where::current());

}  // namespace nn::init
