"""OpenBLAS and oneDNN on products that the peers' program does not have, called from Python.

Calling from Python adds one percent or two to the smallest of them, and nothing to the others.
"""

import array
import concurrent.futures.process
import ctypes
import ctypes.util
import dataclasses
import multiprocessing
import random
import statistics
import time

ROW_MAJOR, NOT_TRANSPOSED, TRANSPOSED = 101, 111, 112  # as cblas.h numbers them
FLOAT32, FLOAT64 = ctypes.c_float, ctypes.c_double


@dataclasses.dataclass(frozen=True)
class Product:
    """c [m, n] = a [m, k] times b [k, n]. Where a_transposed says so, a is stored [k, m]."""

    m: int
    k: int
    n: int
    a_transposed: bool = False
    number: type = FLOAT32

    @property
    def a_width(self):
        """Of a row of a as it is stored."""
        return self.m if self.a_transposed else self.k

    def a_index(self, row, column):
        return column * self.m + row if self.a_transposed else row * self.k + column


PRODUCTS = {
    "gemm_f32_recurrent": Product(32, 256, 768),
    "gemm_f64_recurrent": Product(32, 256, 768, number=FLOAT64),
    "gemm_f32_weights_3072_512": Product(512, 3072, 64, a_transposed=True),
    "gemm_f32_weights_3200_1000": Product(1000, 3200, 64, a_transposed=True),
    "gemm_f32_weights_8000_960": Product(960, 8000, 64, a_transposed=True),
}


# ---- the libraries: each gives a function that multiplies a and b once, or None if it is not there ---------------


def openblas(product, a, b, c, threads):
    name = ctypes.util.find_library("openblas")
    if not name:
        return None
    library = ctypes.CDLL(name)
    library.openblas_set_num_threads(threads)
    call = library.cblas_sgemm if product.number is FLOAT32 else library.cblas_dgemm
    whole, number = ctypes.c_int, product.number
    turned = TRANSPOSED if product.a_transposed else NOT_TRANSPOSED
    head = [whole(value) for value in (ROW_MAJOR, turned, NOT_TRANSPOSED, product.m, product.n, product.k)]
    widths = [whole(width) for width in (product.a_width, product.n, product.n)]
    return lambda: call(*head, number(1), a, widths[0], b, widths[1], number(0), c, widths[2])


def onednn(product, a, b, c, threads):
    # The peers' program has the better of two ways for what is not transposed. There is no product in float64.
    names = ctypes.util.find_library("dnnl"), ctypes.util.find_library("gomp")
    if None in names or not product.a_transposed or product.number is not FLOAT32:
        return None
    library, openmp = (ctypes.CDLL(name) for name in names)
    openmp.omp_set_num_threads(threads)
    call = library.dnnl_sgemm
    whole, number = ctypes.c_int64, product.number
    head = [ctypes.c_char(b"T"), ctypes.c_char(b"N"), *[whole(size) for size in (product.m, product.n, product.k)]]
    widths = [whole(width) for width in (product.a_width, product.n, product.n)]
    return lambda: call(*head, number(1), a, widths[0], b, widths[1], number(0), c, widths[2])


LIBRARIES = {"openblas": openblas, "onednn": onednn}


# ---- measuring -----------------------------------------------------------------------------------------------------


def filled(number, count, seed):
    """`count` numbers between -1 and 1: the same thousand over and over, which is quick."""
    draw = random.Random(seed)
    some = [draw.uniform(-1, 1) for _ in range(1009)]  # a prime, so that neighbouring rows differ
    values = array.array("f" if number is FLOAT32 else "d", some) * (count // len(some) + 1)
    return (number * count).from_buffer(values)


def is_right(product, a, b, c):
    """Are the first and the last element of c what they should be? With a wrong flag for a they are not."""
    for row, column in ((0, 0), (product.m - 1, product.n - 1)):
        terms = [a[product.a_index(row, i)] * b[i * product.n + column] for i in range(product.k)]
        if not abs(c[row * product.n + column] - sum(terms)) <= 1e-5 * sum(abs(term) for term in terms):
            return False
    return True


def seconds_per_call(body, seconds):
    """The median, without samples during which the core was lost."""
    calls = 20
    samples = []
    start = time.perf_counter()
    while len(samples) < 5 or time.perf_counter() - start < seconds:
        wall, processor = time.perf_counter(), time.process_time()
        for _ in range(calls):
            body()
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        samples.append((wall / calls, processor >= 0.98 * wall))
    clean = [sample for sample, is_clean in samples if is_clean]
    return statistics.median(clean if len(clean) >= 5 else [sample for sample, _ in samples])


class WrongResult(Exception):
    pass


def measured(side, product, threads, seconds):
    """GFLOP/s, or None if the library is not there."""
    a = filled(product.number, product.m * product.k, seed=1)
    b = filled(product.number, product.k * product.n, seed=2)
    c = (product.number * (product.m * product.n))()
    multiply = LIBRARIES[side](product, a, b, c, threads)
    if not multiply:
        return None
    multiply()
    if not is_right(product, a, b, c):
        raise WrongResult("the result is wrong")
    return 2e-9 * product.m * product.k * product.n / seconds_per_call(multiply, seconds)


def run(workload, arguments, figures):
    """Adds the figures of the libraries that are there, if this is such a workload."""
    product = PRODUCTS.get(workload)
    if not product:
        return
    for side in LIBRARIES:
        # Each in a process of its own: the waiting threads of one library would slow down the other.
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as process:
            asked = process.submit(measured, side, product, arguments.threads, arguments.seconds)
            try:
                rate = asked.result()
            except (WrongResult, concurrent.futures.process.BrokenProcessPool) as error:
                figures.failures.append(f"{workload}: {side}: {error}")
                continue
        if rate is not None:
            figures.add(side, workload, "rate", [rate])
