"""The rows of the tables, the limit of each, and how they are printed: aligned for a terminal, or as Markdown.

What our own program measured makes the rows; what is in a unit of RATES is more when it is better. The limit is the time
of the multiplications and additions of the matrix products at the measured peak, plus the time of the bytes that must
move at the measured bandwidth of where they lie. bench says for each row how much that is: two operations for each
multiplication with its addition, backward twice as many as forward, for a product has two factors; tanh, exp and the
like are not counted. Where it says nothing ("-"), the limit is that of calls and branches, and nobody can count it from
outside.
"""

import dataclasses

LIMITS_OF_THE_MACHINE = ("peak_fma", "bandwidth")

# "best" is the best figure that LibTorch reached in any way: written either way, with either setting.
WAYS_OF_LIBTORCH = ("plain", "tuned", "plain with AVX-512", "tuned with AVX-512")

BACKWARD_AT_MOST = 2.2  # times forward
SLOWER_FROM = 1.03  # closer than that, two runs differ by themselves

# Things per second: more is better. Everything else is a time, in seconds.
RATES = {"GFLOP/s": 1e9, "Melem/s": 1e6}
TIMES = {"ns/op": 1e-9, "us": 1e-6, "us/token": 1e-6, "ms": 1e-3}


@dataclasses.dataclass(frozen=True)
class Row:
    workload: str
    metric: str
    unit: str
    title: str

    @property
    def is_rate(self):
        return self.unit in RATES

    def limit(self, figures):
        """In the row's unit, or None."""
        seconds = seconds_at_least(figures, self.workload, self.metric)
        if not seconds:
            return None
        return 1.0 / seconds / RATES[self.unit] if self.is_rate else seconds / TIMES[self.unit]

    def times_as_fast(self, ours, other):
        """How many times as fast we are as another."""
        if not ours or not other:
            return None
        return ours / other if self.is_rate else other / ours


def seconds_at_least(figures, workload, metric):
    """Of one unit, by what bench says under "metric:f32" (GFLOP) and "metric:read_8MiB" (GB)."""
    total = 0.0
    for name in figures.values.get("ours", {}).get(workload, {}):
        if not name.startswith(f"{metric}:"):
            continue
        of = name.removeprefix(f"{metric}:")
        limit = figures.get("machine", "bandwidth", of) or figures.get("machine", "peak_fma", of)
        if not limit:
            return None
        total += figures.get("ours", workload, name) / limit
    return total or None


# Parts of a row, which are compared with each other but have no row.
PARTS = ("forward", "backward")


def rows_of(figures, units):
    """What our own program measured in one of these units."""
    rows = []
    for workload, metrics in figures.values.get("ours", {}).items():
        own = [one for one in metrics if one not in PARTS and ":" not in one and figures.units[workload, one] in units]
        for metric in own:
            title = workload if len(own) == 1 or metric == "rate" else f"{workload}, {metric.replace('_', ' ')}"
            rows.append(Row(workload, metric, figures.units[workload, metric], title))
    return rows


# ---- figures that are made of others -------------------------------------------------------------------------


def best_of_libtorch(figures, row):
    values = [figures.get(way, row.workload, row.metric) for way in WAYS_OF_LIBTORCH]
    return (max if row.is_rate else min)([value for value in values if value is not None], default=None)


def backward_over_forward(figures, row):
    """Of our own times."""

    def get(metric):
        return figures.get("ours", row.workload, metric)

    if row.unit in TIMES and get("backward") and get("forward"):
        return get("backward") / get("forward")
    both, forward = get(row.metric), get(row.metric.replace("forward_backward", "forward"))
    if not row.metric.endswith("forward_backward") or not both or not forward:
        return None
    return forward / both - 1 if row.is_rate else both / forward - 1


# ---- text ------------------------------------------------------------------------------------------------------


def number(value):
    """Three digits, never as a power of ten."""
    return "-" if value is None else f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def factor(value):
    return "-" if value is None else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def percent(value):
    return "-" if value is None else f"{100 * value:.0f} %" if value >= 0.1 else f"{100 * value:.1f} %"


def print_table(title, heads, lines, markdown):
    """What nobody measured takes no room."""
    if not lines:
        return
    used = [column for column in range(len(heads)) if any(line[column] != "-" for line in lines)]
    heads, *lines = [[line[column] for column in used] for line in [heads, *lines]]
    print(f"\n{'### ' if markdown else ''}{title}\n")
    if markdown:
        ruler = "|---|" + "---:|" * (len(heads) - 1)
        print("\n".join(["| " + " | ".join(heads) + " |", ruler, *["| " + " | ".join(line) + " |" for line in lines]]))
        return
    widths = [max(len(text) for text in column) for column in zip(heads, *lines)]
    for first, *others in [heads, *lines]:
        cells = [text.rjust(width) for text, width in zip(others, widths[1:])]
        print("  ".join([first.ljust(widths[0]), *cells]))


# ---- tables ----------------------------------------------------------------------------------------------------


def line_of(figures, row, peers, limit):
    """`peers`: the sides whose figures have columns, between ours and LibTorch's."""
    ours, plain, before = (figures.get(side, row.workload, row.metric) for side in ("ours", "plain", "before"))
    others = [figures.get(side, row.workload, row.metric) for side in peers]
    best = best_of_libtorch(figures, row)
    ratios = [row.times_as_fast(ours, other) for other in [*others, plain, best]]
    return [
        f"{row.title}, {row.unit}",
        *[number(value) for value in [ours, *others, plain, best, limit]],
        *[factor(ratio) for ratio in ratios],
        percent(row.times_as_fast(ours, limit)),
        factor(backward_over_forward(figures, row)),
        factor(row.times_as_fast(ours, before)),
    ]


def heads_of(first, peers, ratio):
    """`ratio` makes the head of a column of another's name: "ours / Eigen", "plain / ours"."""
    names = [*peers, "plain", "best"]
    heads = [first, "ours", *peers, "LibTorch plain", "best", "limit", *[ratio(name) for name in names]]
    return [*heads, "of limit", "backward / forward", ratio("before")]


def print_machine(figures, threads, markdown):
    lines = [
        [f"{workload} {metric}", f"{figures.get('machine', workload, metric):.4g}"]
        for workload, metrics in figures.values.get("machine", {}).items()
        for metric in metrics
        if metric != "peak_rss"
    ]
    title = f"The machine, {threads} thread{'' if threads == 1 else 's'}"
    print_table(title, ["limit", "GFLOP/s, GB/s"], lines, markdown)


def print_kernels(figures, markdown):
    peers = ("openblas", "onednn", "eigen")
    lines = [line_of(figures, row, peers, row.limit(figures)) for row in rows_of(figures, RATES)]
    heads = heads_of("kernel", ("OpenBLAS", "oneDNN", "Eigen"), lambda name: f"ours / {name}")
    print_table("Kernels: more is better", heads, lines, markdown)


def print_workloads(figures, markdown):
    lines = [line_of(figures, row, (), row.limit(figures)) for row in rows_of(figures, TIMES)]
    heads = heads_of("workload", (), lambda name: f"{name} / ours")
    print_table("Workloads: time, less is better", heads, lines, markdown)


def print_memory(figures, markdown):
    lines = [
        line_of(figures, row, (), figures.get("ours", row.workload, f"{row.metric}:limit"))
        for row in rows_of(figures, ("MiB", "bytes/op"))
    ]
    heads = heads_of("memory", (), lambda name: f"{name} / ours")
    print_table("Peak memory of the process", heads, lines, markdown)


def remarks(figures):
    """What to look at."""
    result = [f"FAILED: {failure}" for failure in figures.failures]
    for row in rows_of(figures, {**RATES, **TIMES}):
        backward = backward_over_forward(figures, row)
        if backward is not None and backward > BACKWARD_AT_MOST:
            result.append(f"{row.title}: backward takes {backward:.2f} times forward, more than {BACKWARD_AT_MOST}")
        ours, before = (figures.get(side, row.workload, row.metric) for side in ("ours", "before"))
        ratio = row.times_as_fast(ours, before)
        if ratio is not None and ratio * SLOWER_FROM < 1:
            result.append(f"{row.title}: slower than before, {ratio:.2f} times as fast")
    return result


def print_all(figures, threads, markdown):
    print_machine(figures, threads, markdown)
    print_kernels(figures, markdown)
    print_workloads(figures, markdown)
    print_memory(figures, markdown)
    print()
    for remark in remarks(figures):
        print(f"{'- ' if markdown else ''}{remark}")
