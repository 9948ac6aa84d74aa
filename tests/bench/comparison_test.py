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

from comparison import programs, tables

BENCH = pathlib.Path(sys.argv.pop()) if len(sys.argv) > 1 else None


def row(workload, metric, unit="ms"):
    return tables.Row(workload, metric, unit, workload)


def figures_of(**sides):
    """figures_of(ours={"gru_layer": {"forward": 7.0}})"""
    figures = programs.Figures()
    for side, workloads in sides.items():
        for workload, metrics in workloads.items():
            for metric, value in metrics.items():
                figures.add(side, workload, metric, value)
                rate = metric == "rate" or metric.startswith("exp")
                figures.units[workload, metric] = "G" if ":" in metric else "GFLOP/s" if rate else "ms"
    return figures


MACHINE = {"peak_fma": {"f32": 100.0, "f64": 50.0}, "bandwidth": {"read_8MiB": 80.0}}


class Counting(unittest.TestCase):
    def test_the_limit_is_what_bench_says_at_the_speed_of_the_machine(self):
        ours = {"gemm_f32_64": {"rate:f32": 1e-9}, "gru_layer": {"forward_backward:f32": 2.0}}
        figures = figures_of(machine=MACHINE, ours=ours)
        self.assertAlmostEqual(row("gemm_f32_64", "rate", "GFLOP/s").limit(figures), 100.0)
        self.assertAlmostEqual(row("gru_layer", "forward_backward").limit(figures), 20.0)
        figures.add("ours", "gru_layer", "forward_backward:read_8MiB", 0.8)
        self.assertAlmostEqual(row("gru_layer", "forward_backward").limit(figures), 30.0)
        self.assertIsNone(row("graph_deep", "total", "ns/op").limit(figures))
        self.assertIsNone(row("gru_layer", "forward_backward").limit(figures_of(ours=ours)))

    def test_more_than_one_is_faster_whatever_the_unit(self):
        self.assertEqual(row("gru_layer", "forward_backward").times_as_fast(10.0, 20.0), 2.0)
        self.assertEqual(row("gemm_f32_64", "rate", "GFLOP/s").times_as_fast(100.0, 50.0), 2.0)

    def test_a_figure_is_the_median_of_its_rounds_and_best_the_best_of_all_ways(self):
        figures = figures_of(plain={"gru_layer": {"forward": 9.0}}, tuned={"gru_layer": {"forward": 7.0}})
        for value in (5.0, 8.0, 11.0):
            figures.add("tuned with AVX-512", "gru_layer", "forward", value)
        self.assertEqual(figures.get("tuned with AVX-512", "gru_layer", "forward"), 8.0)
        self.assertEqual(tables.best_of_libtorch(figures, row("gru_layer", "forward")), 7.0)
        self.assertEqual(tables.best_of_libtorch(figures, row("gru_layer", "forward", "GFLOP/s")), 9.0)

    def test_backward_is_what_comes_after_forward(self):
        for workload, metric, metrics, factor in (
            ("gru_layer", "forward_backward", {"forward": 4.0, "forward_backward": 12.0}, 2.0),
            ("seq2seq_step", "step", {"forward": 4.0, "backward": 10.0, "step": 15.0}, 2.5),
            ("tanh_softmax", "exp_forward_backward", {"exp_forward": 3.0, "exp_forward_backward": 1.0}, 2.0),
        ):
            figures = figures_of(ours={workload: metrics})
            unit = "Melem/s" if workload == "tanh_softmax" else "ms"
            self.assertEqual(tables.backward_over_forward(figures, row(workload, metric, unit)), factor)

    def test_what_is_too_slow_is_said(self):
        figures = figures_of(ours={"gru_layer": {"forward": 4.0, "forward_backward": 14.0}})
        self.assertEqual(len(tables.remarks(figures)), 1)
        figures.add("before", "gru_layer", "forward_backward", 13.0)
        self.assertEqual(len(tables.remarks(figures)), 2)

    def test_a_peer_has_columns_if_it_was_measured(self):
        figures = figures_of(ours={"gemm_f32_64": {"rate": 100.0}}, onednn={"gemm_f32_64": {"rate": 50.0}})
        with contextlib.redirect_stdout(io.StringIO()) as text:
            tables.print_kernels(figures, markdown=True)
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.getvalue().splitlines()[3:]]
        self.assertEqual(cells[0], ["kernel", "ours", "oneDNN", "ours / oneDNN"])
        self.assertEqual(cells[2], ["gemm_f32_64, GFLOP/s", "100", "50", "2.00"])


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = pathlib.Path(folder.name) / "bench"

    def answering(self, listed, answer=""):
        self.program.write_text(f'#!/bin/sh\nif [ "$1" = --list ]; then echo "{listed}"; exit 0; fi\n{answer}\n')
        self.program.chmod(0o755)

    def run_answering(self, answer):
        self.answering("gru_layer backstep sizes", answer)
        figures = programs.Figures()
        with contextlib.redirect_stderr(io.StringIO()):
            side = programs.ours(self.program, "ours")
            side.run("gru_layer", types.SimpleNamespace(threads=1, seconds=1.0), figures)
        return figures

    def test_figures_are_read_and_a_crash_is_a_failure_and_not_the_end(self):
        figures = self.run_answering("echo gru_layer backstep forward_backward 12.5 ms")
        self.assertEqual(figures.get("ours", "gru_layer", "forward_backward"), 12.5)
        self.assertEqual(figures.failures, [])
        self.assertEqual(len(self.run_answering("kill -SEGV $$").failures), 1)

    def test_a_peer_is_run_only_for_its_own_workloads(self):
        self.answering("gru_layer torch sizes\ngemm_f32_recurrent onednn sizes")
        self.assertEqual(programs.peers_plain(self.program).workloads, ("gru_layer", "gemm_f32_recurrent"))
        self.assertEqual(programs.peers_best(self.program).workloads, ("gru_layer",))

    def test_what_is_not_there_is_refused(self):
        self.assertRaises(programs.Refused, programs.ours, self.program, "ours")
        self.assertRaises(programs.Refused, programs.choose, ("gru_layer", "lstm_layer"), ["gro_layer"])
        self.assertEqual(programs.choose(("gru_layer", "lstm_layer"), ["gru_*"]), ["gru_layer"])


@unittest.skipUnless(BENCH, "without the benchmark's program")
class Bench(unittest.TestCase):
    def test_it_has_the_limits_of_the_machine(self):
        self.assertEqual(tables.LIMITS_OF_THE_MACHINE, programs.listed(BENCH, "machine"))

    def test_it_refuses_what_makes_no_sense(self):
        for options in (["--only", "nothing"], ["--threads", "0"], ["--seconds", "-1"]):
            self.assertEqual(subprocess.run([BENCH, *options], capture_output=True, check=False).returncode, 2, options)

    def test_it_prints_one_line_for_each_figure(self):
        command = [BENCH, "--only", "attention_exercise", "--seconds", "0.001"]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        metrics = [line.split()[2] for line in lines]
        self.assertEqual(metrics, ["forward", "forward_backward", "forward_backward:f64", "peak_rss"])


if __name__ == "__main__":
    unittest.main()
