"""The rows of the tables, and how the limit of each is counted.

The limit is the time of the multiplications and additions of the matrix products at the measured peak, plus the time of
the bytes that must move at the measured bandwidth of where they lie:

    limit = operations / peak + bytes / bandwidth

What is counted as operations: two for each multiplication with its addition; backward twice as many as forward, for a
product has two factors. Keys are projected once per sentence. tanh, exp and the like are not counted.

What is counted as bytes, and where they lie:
- functions of a million numbers: each array once, in the outer cache (read_8MiB). Forward reads x and writes y; backward
  reads y and dy and writes dx;
- op_overhead_f32_4096: the operands, results and gradients of each op once, in the outer cache, because the thousand
  values that wait for backward are 16 MiB;
- training steps: Adam reads each parameter, its gradient and its two averages once, from memory (read_512MiB). They are
  written back as well, and everything else moves too, but that can go on beside the arithmetic;
- decoding one sentence at a time: each weight once per word, from memory, because a product with one row does two
  operations for each weight that it reads.

A limit that is not given here ("-") is that of calls and branches, and nobody can count it from outside.

The limit of a training step's memory: parameters, gradients and both averages, 16 bytes per parameter, and the scores
of all words once.
"""

import dataclasses
import fnmatch

LIMITS_OF_THE_MACHINE = ("peak_fma", "bandwidth", "first_touch")
DEBUG_WORKLOAD = "seq2seq_step_small"

MILLION = 1024 * 1024


@dataclasses.dataclass(frozen=True)
class Work:
    """What must be done at least in one unit of the row's figure."""

    operations: float = 0.0
    dtype: str = "f32"
    bytes: float = 0.0
    level: str = "read_512MiB"  # a metric of `bandwidth`

    def seconds(self, figures):
        peaks = [figures.get("machine", "peak_fma", f"{loop}_{self.dtype}") for loop in ("baseline", "avx2", "avx512")]
        bandwidth = figures.get("machine", "bandwidth", self.level)
        if not any(peaks) or not bandwidth:
            return None
        peak = max(rate for rate in peaks if rate)
        return self.operations / (1e9 * peak) + self.bytes / (1e9 * bandwidth)


@dataclasses.dataclass(frozen=True)
class Row:
    workload: str
    metric: str
    unit: str
    work: Work = None
    memory: float = None  # its limit, in bytes

    @property
    def is_rate(self):
        """Is more better?"""
        return self.unit in RATES

    def limit(self, figures):
        """In the row's unit, or None."""
        seconds = self.work.seconds(figures) if self.work else None
        if not seconds:
            return None
        return 1.0 / seconds / RATES[self.unit] if self.is_rate else seconds / TIMES[self.unit]


# What one unit is in things per second, and in seconds. A rate's work is that of one thing.
RATES = {"GFLOP/s": 1e9, "Melem/s": 1e6}
TIMES = {"ns/op": 1e-9, "us": 1e-6, "us/token": 1e-6, "ms": 1e-3}


# ---- kernels ---------------------------------------------------------------------------------------------------


def product(name, dtype="f32", metric="rate"):
    return Row(f"gemm_{dtype}_{name}", metric, "GFLOP/s", Work(operations=1, dtype=dtype))


def function(name):
    forward = Work(bytes=4 * 2, level="read_8MiB")
    both = Work(bytes=4 * (2 + 3), level="read_8MiB")
    return [
        Row("tanh_softmax", f"{name}_forward", "Melem/s", forward),
        Row("tanh_softmax", f"{name}_forward_backward", "Melem/s", both),
    ]


SHAPES = ("64", "128", "256", "512", "1024", "skinny", "recurrent")
KERNELS = [product(name, dtype) for dtype in ("f32", "f64") for name in SHAPES]
# With the right factor laid out beforehand, as it is for all steps of a recurrent layer.
KERNELS.append(product("recurrent", metric="packed"))
# With the right factor stored transposed, as a linear layer's weights are.
KERNELS += [product(name, metric="transposed") for name in SHAPES if name != "recurrent"]
# With the left factor stored transposed: the gradients of a linear layer's weights.
KERNELS += [product(f"weights_{name}") for name in ("3072_512", "3200_1000", "8000_960")]
for each in ("tanh", "sigmoid", "exp", "softmax"):
    KERNELS += function(each)


# ---- ops and attention -------------------------------------------------------------------------------------------


def chain_bytes(count, width):
    """Of one op, the mean of tanh, multiply and add; forward and backward."""
    forward = (2 + 3 + 3) / 3  # arrays: x y; x w y; x b y
    backward = (3 + 6 + 3) / 3  # y dy dx; dy w x dx, and dw read and written; dy, and db read and written
    return (forward + backward) * count * width


def attention_operations(batch, queries, source, decoder, encoder, attention):
    projections = batch * queries * decoder * attention + batch * source * encoder * attention
    scores_and_contexts = batch * queries * source * (attention + encoder)
    return 2 * (projections + scores_and_contexts)


ATTENTION_DEMO = attention_operations(2, 1, 8, 256, 512, 128)
ATTENTION_EXERCISE = attention_operations(2, 1, 5, 8, 8, 8)
ALL_PAIRS = attention_operations(32, 20, 20, 256, 256, 256)
EVALUATIONS = 464 + 2  # each a forward pass; one backward is two

OPS = [
    Row("op_overhead_f64_4", "forward_backward", "ns/op"),
    Row("op_overhead_f32_64", "forward_backward", "ns/op"),
    Row("op_overhead_f32_4096", "forward_backward", "ns/op", Work(bytes=chain_bytes(4096, 4), level="read_8MiB")),
    Row("graph_deep", "total", "ns/op"),
    Row("scalar_chain", "releasing", "ns/op"),
    Row("scalar_chain", "keeping", "ns/op"),
    Row("gradbench_lstm_2_1024", "forward_backward", "ms"),
    Row("gradbench_lstm_4_4096", "forward_backward", "ms"),
    Row("gradbench_gmm_64_50", "forward_backward", "ms"),
    Row("gradbench_gmm_64_50", "forward_backward_flushed", "ms"),
    Row("attention_exercise", "forward_backward", "us", Work(3 * ATTENTION_EXERCISE, "f64")),
    Row("gradcheck_attention", "total", "ms", Work(EVALUATIONS * ATTENTION_EXERCISE, "f64")),
    Row("attention_demo", "forward_backward", "us", Work(3 * ATTENTION_DEMO)),
    Row("attention_all_pairs", "forward_backward", "ms", Work(3 * ALL_PAIRS)),
]


# ---- layers and translators ----------------------------------------------------------------------------------------


def layer_operations(gates, layers, directions, batch=32, time=20, size=256):
    total = 0
    for layer in range(layers):
        width = size if layer == 0 else directions * size
        total += 2 * directions * batch * time * gates * size * (width + size)
    return total


@dataclasses.dataclass(frozen=True)
class Translator:
    vocabulary: int
    embedding: int
    hidden: int
    batch: int
    source: int
    target: int

    @property
    def gru_weights(self):
        return 3 * self.hidden * (self.embedding + 2 * self.hidden + self.hidden)

    @property
    def output_weights(self):
        return self.vocabulary * (3 * self.hidden + self.embedding)

    def forward(self):
        """Operations."""
        V, E, H, B, S, T = dataclasses.astuple(self)
        encoder = B * S * 2 * 3 * H * (E + H) + B * 2 * H * H
        keys = B * S * 2 * H * H
        step = H * H + S * H + S * 2 * H + self.gru_weights + self.output_weights
        return 2 * (encoder + keys + B * T * step)

    def parameters(self):
        V, E, H = self.vocabulary, self.embedding, self.hidden
        embeddings = 2 * V * E
        encoder = 2 * (3 * H * (E + H) + 6 * H) + 2 * H * H + H
        attention = H * H + 2 * H * H + H
        decoder = self.gru_weights + 6 * H + self.output_weights + V
        return embeddings + encoder + attention + decoder

    def bytes_per_word(self):
        """Of the weights that each word of a single sentence needs."""
        query = self.hidden * self.hidden
        return 4 * (self.output_weights + self.gru_weights + query)

    def training_step(self):
        return Work(3 * self.forward(), bytes=4 * 4 * self.parameters())

    def training_memory(self):
        scores = self.batch * self.target * self.vocabulary
        return 4 * (4 * self.parameters() + scores)


FULL = Translator(8000, 256, 256, 64, 15, 15)
SMALL = Translator(64, 32, 32, 16, 12, 12)
PAPER = Translator(30000, 620, 1000, 80, 30, 30)

LAYERS = [
    Row("gru_layer", "forward_backward", "ms", Work(3 * layer_operations(3, 1, 1))),
    Row("gru_bidirectional2", "forward_backward", "ms", Work(3 * layer_operations(3, 2, 2))),
    Row("lstm_layer", "forward_backward", "ms", Work(3 * layer_operations(4, 1, 1))),
    Row("lstm_bidirectional2", "forward_backward", "ms", Work(3 * layer_operations(4, 2, 2))),
    Row("seq2seq_step", "step", "ms", FULL.training_step(), FULL.training_memory()),
    # All of it stays in a cache.
    Row("seq2seq_step_small", "step", "ms", Work(3 * SMALL.forward()), SMALL.training_memory()),
    Row("seq2seq_step_paper", "step", "ms", PAPER.training_step(), PAPER.training_memory()),
    Row("greedy_decode_batch64", "all_sentences", "ms", Work(FULL.forward())),
    Row("greedy_decode_batch1", "token", "us/token", Work(bytes=FULL.bytes_per_word())),
]

WORKLOADS = OPS + LAYERS
ALL = KERNELS + WORKLOADS


def choose(only):
    """The workloads whose names fit one of `only`, all of them for an empty list, in the order of the tables."""
    from comparison.programs import Refused

    names = list(dict.fromkeys(row.workload for row in ALL))
    for pattern in only:
        if not fnmatch.filter(names, pattern):
            raise Refused(f"no workload is called {pattern}; there are: {', '.join(names)}")
    return [name for name in names if not only or any(fnmatch.fnmatchcase(name, pattern) for pattern in only)]
