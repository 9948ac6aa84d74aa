#!/usr/bin/env python3
"""Prints the coefficients of autograd/kernels/simd_math.h, and how far each polynomial is from its function.

A polynomial that agrees with a function at Chebyshev's points, which lie closer together towards both ends of the
interval, is nearly the one with the smallest largest error (Trefethen, Approximation Theory and Approximation Practice,
chapters 4 and 16). A Taylor series, exact in the middle only, needs one or two terms more for the same error.

Everything is computed with 60 digits; only Python's standard library is needed.
"""
import math
import struct
from decimal import Decimal, getcontext

getcontext().prec = 60
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
LN2 = Decimal(2).ln()


def cos(x):
    total = term = Decimal(1)
    k = 0
    while abs(term) > Decimal("1e-60"):
        k += 2
        term = -term * x * x / (k * (k - 1))
        total += term
    return total


def solve(rows):
    """The solution of linear equations; each row ends with its right-hand side."""
    count = len(rows)
    for i in range(count):
        pivot = max(range(i, count), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(count):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][count] / rows[i][i] for i in range(count)]


def interpolate(f, low, high, terms):
    """The coefficients, from x^0 on, of the polynomial that agrees with f at Chebyshev's points of [low, high]."""
    middle, radius = (low + high) / 2, (high - low) / 2
    points = [middle + radius * cos(PI * (2 * k + 1) / (2 * terms)) for k in range(terms)]
    return solve([[x**i for i in range(terms)] + [f(x)] for x in points])


def evaluate(coefficients, x):
    total = Decimal(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def exp_series(r):
    """(exp(r) - 1 - r) / r^2 = 1/2! + r/3! + r^2/4! + ..."""
    total, term, k = Decimal(0), Decimal(1) / 2, 2
    while abs(term) > Decimal("1e-58"):
        total += term
        k += 1
        term = term * r / k
    return total


def tanh_series(z):
    """(tanh(x) - x) / x^3 where x^2 = z"""
    x = z.sqrt()
    e = (2 * x).exp()
    return ((e - 1) / (e + 1) - x) / x**3


def as_float(x):
    return struct.unpack("f", struct.pack("f", float(x)))[0]


def show(name, f, low, high, terms, weight):
    """`weight` turns an error of the polynomial into a relative error of the whole function."""
    for type_name, count in zip(("float", "double"), terms):
        exact = interpolate(f, low, high, count)
        samples = [low + (high - low) * k / 400 for k in range(1, 400)]
        error = max(abs(evaluate(exact, x) - f(x)) * weight(x) for x in samples)
        digits = ["%.9gf" % as_float(c) if type_name == "float" else "%.17g" % float(c) for c in exact]
        print(f"{name} of {type_name}, relative error 2^{math.log2(error):.1f}:\n  {', '.join(digits)}\n")


# |r| <= ln 2 / 2, and a little more, as n = x / ln 2 is rounded before it is rounded to a whole number
half = LN2 / 2 * Decimal("1.0001")
show("exp_series", exp_series, -half, half, (5, 10), lambda r: r * r / r.exp())
near = Decimal("0.55")  # tanh(near) = 0.5
show("tanh_series", tanh_series, Decimal(0), near * near, (5, 11), lambda z: z)
