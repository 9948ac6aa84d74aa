"""OpenBLAS on the shape of a recurrent layer's product, which the peers' program does not have."""

import ctypes
import ctypes.util
import statistics
import time

ROW_MAJOR, NOT_TRANSPOSED = 101, 111
M, K, N = 32, 256, 768

TYPES = {
    "gemm_f32_recurrent": (ctypes.c_float, "cblas_sgemm"),
    "gemm_f64_recurrent": (ctypes.c_double, "cblas_dgemm"),
}


def product(library, number, name):
    """A function without arguments that multiplies [32,256] by [256,768] once."""
    a = (number * (M * K))(*[0.5] * (M * K))
    b = (number * (K * N))(*[0.25] * (K * N))
    c = (number * (M * N))()
    whole = ctypes.c_int
    sizes = [whole(size) for size in (M, N, K)]
    call = getattr(library, name)
    head = [whole(ROW_MAJOR), whole(NOT_TRANSPOSED), whole(NOT_TRANSPOSED), *sizes, number(1)]
    tail = [a, whole(K), b, whole(N), number(0), c, whole(N)]
    return lambda: call(*head, *tail)


def seconds_per_call(body, seconds):
    """The median, without samples during which the core was lost. Calling from Python adds one percent or two."""
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


def run(workload, arguments, figures):
    """Adds the figure, if this is such a workload and OpenBLAS is there."""
    name = ctypes.util.find_library("openblas")
    if workload not in TYPES or not name:
        return
    library = ctypes.CDLL(name)
    library.openblas_set_num_threads(arguments.threads)
    number, function = TYPES[workload]
    body = product(library, number, function)
    body()
    rate = 2 * M * K * N / seconds_per_call(body, arguments.seconds)
    figures.add("openblas", workload, "rate", [rate / 1e9])
