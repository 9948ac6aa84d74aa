#!/usr/bin/env python3
"""Tests of compare: what it counts and what it refuses. Nothing is timed; programs are stood in for by shell scripts.

    python3 tests/bench/comparison_test.py [BENCH]
"""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

from comparison import programs, rows, tables

BENCH = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else None

# A program that has one workload; {answer} is what it does when it is run with: $6 --json, $7 the file.
PROGRAM = """#!/bin/sh
if [ "$1" = --list ]; then echo "gru_layer backstep sizes"; exit 0; fi
while [ "$1" != --json ]; do shift; done
{answer}
"""
FIGURES = """cat > "$2" <<END
{{"cpu": "a processor", "threads": 1, "results": [
 {{"workload": "gru_layer", "peer": "backstep", "metric": "forward_backward", "value": {value}, "unit": "ms"}}]}}
END"""


def row(workload, metric=None):
    """The only row of that name."""
    fitting = [one for one in rows.ALL if one.workload == workload and metric in (None, one.metric)]
    assert len(fitting) == 1, fitting
    return fitting[0]


def figures_of(**sides):
    """figures_of(ours={"gru_layer": {"forward": 7.0}})"""
    figures = programs.Figures()
    for side, workloads in sides.items():
        for workload, metrics in workloads.items():
            for metric, value in metrics.items():
                figures.add(side, workload, metric, [value])
    return figures


MACHINE = {
    "peak_fma": {"baseline_f32": 25.0, "avx512_f32": 100.0, "avx512_f64": 50.0},
    "bandwidth": {"read_8MiB": 80.0, "read_512MiB": 20.0},
}


class Limits(unittest.TestCase):
    def test_a_product_is_limited_by_the_peak_of_its_dtype(self):
        figures = figures_of(machine=MACHINE)
        self.assertAlmostEqual(row("gemm_f32_64").limit(figures), 100.0)
        self.assertAlmostEqual(row("gemm_f64_64").limit(figures), 50.0)

    def test_a_function_is_limited_by_the_bytes_that_it_moves(self):
        figures = figures_of(machine=MACHINE)
        # 80 GB/s are 10,000 million numbers in and out, of 4 bytes each.
        self.assertAlmostEqual(row("tanh_softmax", "tanh_forward").limit(figures), 10_000.0)

    def test_a_layer_is_limited_by_its_operations(self):
        self.assertAlmostEqual(row("gru_layer").limit(figures_of(machine=MACHINE)), 1509.94944 / 100)

    def test_attention_is_two_projections_the_scores_and_the_context(self):
        forward = 2 * (2 * 256 * 128 + 2 * 8 * 512 * 128 + 2 * 8 * 128 + 2 * 8 * 512)
        limit_us = 3 * forward / 100e9 * 1e6
        self.assertAlmostEqual(row("attention_demo").limit(figures_of(machine=MACHINE)), limit_us)

    def test_decoding_one_sentence_is_limited_by_reading_the_weights(self):
        # 8000 * 1024 + 768 * 1024 + 256 * 256 weights at 20 GB/s
        self.assertAlmostEqual(row("greedy_decode_batch1").limit(figures_of(machine=MACHINE)), 36175872 / 20e9 * 1e6)

    def test_without_the_machine_there_is_no_limit(self):
        self.assertIsNone(row("gru_layer").limit(figures_of()))

    def test_translators_are_counted_as_bench_counts_them(self):
        self.assertEqual(rows.FULL.parameters(), 14_201_664)
        self.assertEqual(rows.SMALL.parameters(), 42_688)
        self.assertAlmostEqual(3e-9 * rows.FULL.forward(), 57.494765568)
        self.assertAlmostEqual(3e-9 * rows.PAPER.forward(), 1905.648)


class Ratios(unittest.TestCase):
    def test_more_than_one_is_faster_whatever_the_unit(self):
        self.assertEqual(tables.times_as_fast(row("gru_layer"), 10.0, 20.0), 2.0)
        self.assertEqual(tables.times_as_fast(row("gemm_f32_64"), 100.0, 50.0), 2.0)

    def test_best_is_the_best_of_all_ways(self):
        figures = figures_of(plain={"gru_layer": {"forward": 9.0}}, tuned={"gru_layer": {"forward": 7.0}})
        figures.add("tuned with AVX-512", "gru_layer", "forward", [8.0])
        self.assertEqual(tables.best_of_libtorch(figures, "gru_layer", "forward", more_is_better=False), 7.0)
        self.assertEqual(tables.best_of_libtorch(figures, "gru_layer", "forward", more_is_better=True), 9.0)

    def test_backward_is_what_comes_after_forward(self):
        times = figures_of(ours={"gru_layer": {"forward": 4.0, "forward_backward": 12.0}})
        self.assertEqual(tables.backward_over_forward(times, "gru_layer", row("gru_layer")), 2.0)
        parts = figures_of(ours={"seq2seq_step": {"forward": 4.0, "backward": 10.0, "step": 15.0}})
        self.assertEqual(tables.backward_over_forward(parts, "seq2seq_step", row("seq2seq_step")), 2.5)
        rates = figures_of(ours={"tanh_softmax": {"exp_forward": 3.0, "exp_forward_backward": 1.0}})
        both = row("tanh_softmax", "exp_forward_backward")
        self.assertEqual(tables.backward_over_forward(rates, "tanh_softmax", both), 2.0)

    def test_what_is_too_slow_is_said(self):
        figures = figures_of(ours={"gru_layer": {"forward": 4.0, "forward_backward": 14.0}})
        figures.add("before", "gru_layer", "forward_backward", [13.0])
        said = tables.remarks(figures, [])
        self.assertEqual(len(said), 2)
        self.assertIn("backward takes 2.50 times forward", said[0])
        self.assertIn("slower than before, 0.93 times", said[1])


class Rounds(unittest.TestCase):
    def test_a_figure_is_the_median_of_its_rounds(self):
        figures = programs.Figures()
        figures.add("ours", "gru_layer", "forward", [3.0, 9.0])
        figures.add("ours", "gru_layer", "forward", [4.0])
        self.assertEqual(figures.get("ours", "gru_layer", "forward"), 4.0)

    def test_files_are_rounds(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("a", "b", "c")]
            for path, value in zip(paths, (1.0, 2.0, 9.0)):
                programs.save(figures_of(ours={"gru_layer": {"forward": value}}), path)
            self.assertEqual(programs.load(paths).get("ours", "gru_layer", "forward"), 2.0)
            programs.save(programs.Figures(threads=2), paths[2])
            with self.assertRaisesRegex(programs.Refused, "2 threads"):
                programs.load(paths)


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = pathlib.Path(folder.name) / "bench"
        quiet = contextlib.redirect_stderr(io.StringIO())
        quiet.__enter__()
        self.addCleanup(quiet.__exit__, None, None, None)

    def run_answering(self, answer):
        self.program.write_text(PROGRAM.format(answer=answer))
        self.program.chmod(0o755)
        figures = programs.Figures()
        arguments = types.SimpleNamespace(threads=1, seconds=1.0)
        side = programs.ours(self.program, "ours")
        side.output = subprocess.DEVNULL
        side.run("gru_layer", arguments, figures)
        return figures

    def test_figures_are_read(self):
        figures = self.run_answering(FIGURES.format(value=12.5))
        self.assertEqual(figures.get("ours", "gru_layer", "forward_backward"), 12.5)
        self.assertEqual(figures.failures, [])

    def test_a_crash_is_a_failure_and_not_the_end(self):
        failures = self.run_answering("kill -SEGV $$").failures
        self.assertEqual(len(failures), 1)
        self.assertIn("ended with status -11", failures[0])

    def test_a_missing_program_is_refused(self):
        with self.assertRaisesRegex(programs.Refused, "there is no program"):
            programs.ours(self.program, "ours")

    def test_an_unknown_workload_is_refused(self):
        with self.assertRaisesRegex(programs.Refused, "no workload is called gro_layer"):
            rows.choose(["gro_layer"])
        self.assertEqual(rows.choose(["gru_*"]), ["gru_layer", "gru_bidirectional2"])


@unittest.skipUnless(BENCH, "without the benchmark's program")
class Bench(unittest.TestCase):
    def test_it_has_every_workload_of_the_tables(self):
        self.assertLessEqual({one.workload for one in rows.ALL}, programs.listed(BENCH))
        self.assertLessEqual(set(rows.LIMITS_OF_THE_MACHINE), programs.listed(BENCH))

    def test_it_refuses_what_makes_no_sense(self):
        for options in (["--only", "nothing"], ["--threads", "0"], ["--seconds", "-1"], ["--json", "/"]):
            answer = subprocess.run([BENCH, *options], capture_output=True, text=True, check=False)
            self.assertEqual(answer.returncode, 2, options)
            self.assertIn(options[0], answer.stderr)

    def test_it_prints_one_line_for_each_figure(self):
        command = [BENCH, "--only", "attention_exercise", "--seconds", "0.001"]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual([line.split()[2] for line in lines], ["forward", "forward_backward", "peak_rss"])


if __name__ == "__main__":
    unittest.main()
