"""Prints the tables: aligned for a terminal, or as Markdown."""

from comparison import gradbench, rows

# "best" is the best figure that LibTorch reached in any way: written either way, with either setting.
WAYS_OF_LIBTORCH = ("plain", "tuned", "plain with AVX-512", "tuned with AVX-512")

BACKWARD_AT_MOST = 2.2  # times forward
DEBUG_AT_MOST = 4.0  # times Release
SLOWER_FROM = 1.03  # closer than that, two runs differ by themselves


# ---- figures that are made of others -------------------------------------------------------------------------


def best_of_libtorch(figures, workload, metric, more_is_better):
    values = [figures.get(way, workload, metric) for way in WAYS_OF_LIBTORCH]
    there = [value for value in values if value is not None]
    if not there:
        return None
    return max(there) if more_is_better else min(there)


def times_as_fast(row, ours, other):
    """How many times as fast we are as another."""
    if ours is None or other is None:
        return None
    return ours / other if row.is_rate else other / ours


def backward_over_forward(figures, workload, row):
    """Of our own times."""
    both = figures.get("ours", workload, "backward"), figures.get("ours", workload, "forward")
    if None not in both:
        return both[0] / both[1]
    if not row.metric.endswith("forward_backward"):
        return None
    both = figures.get("ours", workload, row.metric)
    forward = figures.get("ours", workload, row.metric.replace("forward_backward", "forward"))
    if both is None or forward is None:
        return None
    return forward / both - 1 if row.is_rate else both / forward - 1


# ---- text ------------------------------------------------------------------------------------------------------


def number(value):
    """Three digits, never as a power of ten."""
    if value is None:
        return "-"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def factor(value):
    return "-" if value is None else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def percent(value):
    return "-" if value is None else f"{100 * value:.0f} %" if value >= 0.1 else f"{100 * value:.1f} %"


# What the title says of a metric, where a workload has several rows.
TITLES = {
    "packed": "packed",
    "transposed": "B transposed",
    "releasing": "releasing",
    "keeping": "keeping",
    "forward_backward_flushed": "denormals as 0",
}


def title_of(row):
    if row.metric in TITLES:
        return f"{row.workload}, {TITLES[row.metric]}"
    if row.workload == "tanh_softmax":
        return row.metric.replace("_forward_backward", ", forward + backward").replace("_forward", ", forward")
    return row.workload


def without_empty_columns(heads, lines):
    """What nobody measured takes no room."""
    used = [column for column in range(len(heads)) if any(line[column] != "-" for line in lines)]
    return [heads[column] for column in used], [[line[column] for column in used] for line in lines]


def print_table(title, heads, lines, markdown):
    if not lines:
        return
    heads, lines = without_empty_columns(heads, lines)
    widths = [max(len(text) for text in column) for column in zip(heads, *lines)]
    print(f"\n{'### ' if markdown else ''}{title}\n")
    if markdown:
        print("| " + " | ".join(heads) + " |")
        print("|---|" + "---:|" * (len(heads) - 1))
        for line in lines:
            print("| " + " | ".join(line) + " |")
        return
    for line in [heads, *lines]:
        first, *others = line
        cells = [text.rjust(width) for text, width in zip(others, widths[1:])]
        print("  ".join([first.ljust(widths[0]), *cells]))


# ---- tables ----------------------------------------------------------------------------------------------------


def measured(figures, only, all_rows):
    chosen = rows.choose(only)
    return [row for row in all_rows if row.workload in chosen and figures.get("ours", row.workload, row.metric)]


def print_machine(figures, markdown):
    machine = figures.values.get("machine", {})
    lines = [
        [f"{workload} {metric}", f"{figures.get('machine', workload, metric):.4g}", figures.units[f"{workload} {metric}"]]
        for workload in rows.LIMITS_OF_THE_MACHINE
        for metric in machine.get(workload, {})
        if metric != "peak_rss"
    ]
    threads = "1 thread" if figures.threads == 1 else f"{figures.threads} threads"
    print_table(f"The machine: {figures.processor}, {threads}", ["limit", "measured", "unit"], lines, markdown)


def kernel_line(figures, row):
    def get(side):
        return figures.get(side, row.workload, row.metric)

    ours = get("ours")
    limit = row.limit(figures)
    best = best_of_libtorch(figures, row.workload, row.metric, row.is_rate)
    values = [ours, get("openblas"), get("onednn"), get("eigen"), get("plain"), best, limit]
    ratios = [times_as_fast(row, ours, other) for other in (get("openblas"), get("onednn"), get("eigen"), best)]
    return [
        f"{title_of(row)}, {row.unit}",
        *[number(value) for value in values],
        *[factor(ratio) for ratio in ratios],
        percent(times_as_fast(row, ours, limit)),
        factor(backward_over_forward(figures, row.workload, row)),
        factor(times_as_fast(row, ours, get("before"))),
    ]


def print_kernels(figures, only, markdown):
    heads = ["kernel", "ours", "OpenBLAS", "oneDNN", "Eigen", "LibTorch plain", "best", "limit"]
    heads += ["ours / OpenBLAS", "ours / oneDNN", "ours / Eigen", "ours / best", "of limit"]
    heads += ["backward / forward", "ours / before"]
    lines = [kernel_line(figures, row) for row in measured(figures, only, rows.KERNELS)]
    print_table("Kernels: more is better", heads, lines, markdown)


def workload_line(figures, row):
    def get(side):
        return figures.get(side, row.workload, row.metric)

    ours = get("ours")
    limit = row.limit(figures)
    best = best_of_libtorch(figures, row.workload, row.metric, row.is_rate)
    return [
        f"{title_of(row)}, {row.unit}",
        *[number(value) for value in (ours, get("plain"), best, limit)],
        *[factor(times_as_fast(row, ours, other)) for other in (get("plain"), best)],
        percent(times_as_fast(row, ours, limit)),
        factor(backward_over_forward(figures, row.workload, row)),
        factor(times_as_fast(row, ours, get("before"))),
    ]


def print_workloads(figures, only, markdown):
    heads = ["workload", "ours", "LibTorch plain", "best", "limit", "plain / ours", "best / ours", "of limit"]
    heads += ["backward / forward", "before / ours"]
    lines = [workload_line(figures, row) for row in measured(figures, only, rows.WORKLOADS)]
    print_table("Workloads: time, less is better", heads, lines, markdown)


def memory_line(figures, row):
    def get(side):
        return figures.get(side, row.workload, "peak_rss")

    ours = get("ours")
    best = best_of_libtorch(figures, row.workload, "peak_rss", more_is_better=False)
    limit = row.memory / 2**20 if row.memory else None
    return [
        f"{row.workload}, MiB",
        *[number(value) for value in (ours, get("plain"), best, limit)],
        *[factor(other / ours if other else None) for other in (get("plain"), best)],
        factor(get("before") / ours if get("before") else None),
    ]


def bytes_per_op_line(figures):
    def get(side):
        return figures.get(side, "graph_deep", "memory")

    best = best_of_libtorch(figures, "graph_deep", "memory", more_is_better=False)
    ratios = [other / get("ours") if other else None for other in (get("plain"), best)]
    before = get("before") / get("ours") if get("before") else None
    values = [number(value) for value in (get("ours"), get("plain"), best)]
    return ["graph_deep, bytes/op", *values, "-", *[factor(ratio) for ratio in ratios], factor(before)]


def print_memory(figures, only, markdown):
    heads = ["memory", "ours", "LibTorch plain", "best", "limit", "plain / ours", "best / ours", "before / ours"]
    chosen = {row.workload: row for row in measured(figures, only, rows.WORKLOADS)}  # one line for each workload
    lines = [memory_line(figures, row) for row in chosen.values()]
    if "graph_deep" in chosen:
        lines.insert(0, bytes_per_op_line(figures))
    print_table("Peak memory of the process", heads, lines, markdown)


def gradient_line(figures, work):
    def get(contender):
        return figures.get(gradbench.SIDE, work, contender)

    program = gradbench.program_of(work)
    ours = get(gradbench.OURS[program])
    contender, name = gradbench.PEERS[program]
    by_hand = get("by hand" if program == "scalar_chain" else "manual")
    values = [ours, by_hand, get("tapenade"), get("adolc, taped anew")]
    both = ours and get(contender)
    return [f"{work}, ms", *[number(value) for value in values], name, factor(get(contender) / ours if both else None)]


def print_gradients(figures, only, markdown):
    """Of GradBench's own programs, all in milliseconds. The ratio is to the peer that the last column but one names."""
    heads = ["gradient", "ours", "by hand", "Tapenade", "ADOL-C taped anew", "peer", "peer / ours"]
    chosen = {gradbench.COMMANDS[name][0] for name in rows.choose(only) if name in gradbench.COMMANDS}
    works = [work for work in figures.values.get(gradbench.SIDE, {}) if gradbench.program_of(work) in chosen]
    lines = [gradient_line(figures, work) for work in works]
    print_table("GradBench and a chain of scalars: time of a gradient, less is better", heads, lines, markdown)


# ---- what to look at -------------------------------------------------------------------------------------------


def remarks(figures, only):
    result = [f"FAILED: {failure}" for failure in figures.failures]
    for row in measured(figures, only, rows.ALL):
        backward = backward_over_forward(figures, row.workload, row)
        if backward is not None and backward > BACKWARD_AT_MOST:
            result.append(f"{title_of(row)}: backward takes {backward:.2f} times forward, more than {BACKWARD_AT_MOST}")
        before = figures.get("before", row.workload, row.metric)
        ratio = times_as_fast(row, figures.get("ours", row.workload, row.metric), before)
        if ratio is not None and ratio * SLOWER_FROM < 1:
            result.append(f"{title_of(row)}: slower than before, {ratio:.2f} times as fast")
    return result + debug_remark(figures)


def debug_remark(figures):
    debug = figures.get("debug", rows.DEBUG_WORKLOAD, "step")
    release = figures.get("ours", rows.DEBUG_WORKLOAD, "step")
    if debug is None or release is None:
        return []
    verdict = "" if debug / release <= DEBUG_AT_MOST else f", more than {DEBUG_AT_MOST:g}"
    text = f"{rows.DEBUG_WORKLOAD}: Debug takes {debug / release:.2f} times Release"
    return [f"{text} ({debug:.3g} ms and {release:.3g} ms){verdict}"]


def print_all(figures, only, markdown):
    print_machine(figures, markdown)
    print_kernels(figures, only, markdown)
    print_workloads(figures, only, markdown)
    print_memory(figures, only, markdown)
    print_gradients(figures, only, markdown)
    print()
    for remark in remarks(figures, only):
        print(f"{'- ' if markdown else ''}{remark}")
