#!/usr/bin/env python3
"""Tests of compare: what it counts and what it refuses. Nothing is timed; programs are stood in for by shell scripts.

    python3 tests/bench/comparison_test.py [BENCH]
"""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

from comparison import blas, gradbench, programs, rows, tables

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
        self.assertAlmostEqual(row("gemm_f32_64", "rate").limit(figures), 100.0)
        self.assertAlmostEqual(row("gemm_f32_64", "transposed").limit(figures), 100.0)
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
        self.assertEqual(tables.times_as_fast(row("gemm_f32_64", "rate"), 100.0, 50.0), 2.0)

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


def printed(print_table, figures, only=()):
    """What the function prints, line by line, each with its columns apart."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        print_table(figures, only, markdown=True)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.getvalue().splitlines() if line]


class Kernels(unittest.TestCase):
    def test_onednn_has_columns_if_it_was_measured(self):
        figures = figures_of(
            ours={"gemm_f32_64": {"rate": 100.0, "transposed": 90.0}}, openblas={"gemm_f32_64": {"rate": 50.0}}
        )
        heads = printed(tables.print_kernels, figures)[1]
        self.assertEqual(heads, ["kernel", "ours", "OpenBLAS", "ours / OpenBLAS"])
        figures.add("onednn", "gemm_f32_64", "transposed", [180.0])
        _, heads, _, plain, transposed = printed(tables.print_kernels, figures)
        self.assertEqual(heads, ["kernel", "ours", "OpenBLAS", "oneDNN", "ours / OpenBLAS", "ours / oneDNN"])
        self.assertEqual(plain, ["gemm_f32_64, GFLOP/s", "100", "50", "-", "2.00", "-"])
        self.assertEqual(transposed, ["gemm_f32_64, B transposed, GFLOP/s", "90", "-", "180", "-", "0.50"])

    def test_a_workload_with_two_rows_has_one_line_of_memory(self):
        figures = figures_of(ours={"scalar_chain": {"releasing": 90.0, "keeping": 160.0, "peak_rss": 300.0}})
        self.assertEqual(len(printed(tables.print_workloads, figures)), 3 + 2)
        self.assertEqual(len(printed(tables.print_memory, figures)), 3 + 1)


class Blas(unittest.TestCase):
    def test_the_tables_have_its_products(self):
        self.assertLessEqual(set(blas.PRODUCTS), {one.workload for one in rows.KERNELS})

    def test_a_wrong_flag_is_noticed(self):
        m, k, n = 3, 4, 2
        for turned in (False, True):
            product = blas.Product(m, k, n, a_transposed=turned)
            a, b = (blas.filled(product.number, size, seed) for seed, size in enumerate((m * k, k * n)))

            def multiplied(transposed):
                index = blas.Product(m, k, n, transposed).a_index
                return [sum(a[index(i, p)] * b[p * n + j] for p in range(k)) for i in range(m) for j in range(n)]

            self.assertTrue(blas.is_right(product, a, b, multiplied(turned)))
            self.assertFalse(blas.is_right(product, a, b, multiplied(not turned)))
            self.assertFalse(blas.is_right(product, a, b, [float("nan")] * (m * n)))

    def test_the_libraries_that_are_there_multiply_rightly(self):
        for turned in (False, True):
            for number in (blas.FLOAT32, blas.FLOAT64):
                product = blas.Product(5, 7, 3, turned, number)
                a, b = (blas.filled(number, size, seed) for seed, size in enumerate((5 * 7, 7 * 3)))
                for name, prepare in blas.LIBRARIES.items():
                    c = (number * (5 * 3))()
                    multiply = prepare(product, a, b, c, 1)
                    if multiply:
                        multiply()
                        self.assertTrue(blas.is_right(product, a, b, c), f"{name} {product}")

    def test_a_wrong_result_is_a_failure_and_no_figure(self):
        def wrong(product, a, b, c, threads):
            return lambda: None

        figures = programs.Figures()
        with unittest.mock.patch.dict(blas.LIBRARIES, {"openblas": wrong, "onednn": wrong}):
            blas.run("gemm_f32_recurrent", types.SimpleNamespace(threads=1, seconds=0.001), figures)
        self.assertEqual(figures.values, {})
        self.assertEqual(len(figures.failures), 2)
        self.assertIn("openblas: the result is wrong", figures.failures[0])

    def test_a_crash_is_a_failure_and_not_the_end(self):
        def crash(product, a, b, c, threads):
            os.abort()

        figures = programs.Figures()
        with unittest.mock.patch.dict(blas.LIBRARIES, {"openblas": crash, "onednn": crash}):
            blas.run("gemm_f32_recurrent", types.SimpleNamespace(threads=1, seconds=0.001), figures)
        self.assertEqual(figures.values, {})
        self.assertEqual(len(figures.failures), 2)


# As the programs print it, without some of the contenders.
GRADBENCH = """\
lstm l=2 c=1024    manual                 objective     1146.0 us (min     1106.0)  gradient     7016.7 us (min     6881.3)  samples 194/18  off: objective 0.0e+00 gradient 0.0e+00 (each 0.0e+00)
lstm l=2 c=1024    tapenade               objective      854.4 us (min      812.3)  gradient     3647.6 us (min     3541.3)  samples 388/28  off: objective 0.0e+00 gradient 1.7e-15 (each 4.3e-15)
lstm l=2 c=1024    adolc, taped anew      objective        nan us (min        nan)  gradient    28499.2 us (min    27222.4)  samples 51/2  off: objective nan gradient 1.7e-15 (each 4.2e-15)
lstm l=2 c=1024    backstep, operations   objective     1212.8 us (min     1192.0)  gradient     5000.0 us (min     4638.4)  samples 292/11  off: objective 1.1e-16 gradient 1.7e-15 (each 4.4e-15)
lstm l=2 c=1024    backstep, lstm_layer   objective      536.0 us (min      521.6)  gradient     1113.6 us (min     1081.6)  samples 1200/9  off: objective 1.1e-16 gradient 1.6e-01 (each 4.5e-01)  WRONG
scalar_chain       by hand                objective        0.0 us (min        0.0)  gradient     9264.6 us (min     9035.6)  samples 288/6  off: objective nan gradient 0.0e+00 (each 0.0e+00)
scalar_chain       backstep, releasing    objective        nan us (min        nan)  gradient    95315.5 us (min    91810.0)  samples 29/1  off: objective nan gradient 2.7e-14 (each 1.7e-13)
scalar_chain       adolc, taped anew      objective        nan us (min        nan)  gradient        nan us (min        nan)  samples 0/21  off: objective nan gradient 2.9e-13 (each 3.8e-12)
"""


class GradBench(unittest.TestCase):
    def read(self):
        figures = programs.Figures()
        gradbench.read(GRADBENCH, figures)
        return figures

    def test_its_lines_are_read(self):
        figures = self.read()
        self.assertAlmostEqual(figures.get(gradbench.SIDE, "lstm l=2 c=1024", "tapenade"), 3.6476)
        self.assertAlmostEqual(figures.get(gradbench.SIDE, "scalar_chain", "backstep, releasing"), 95.3155)
        self.assertIsNone(figures.get(gradbench.SIDE, "scalar_chain", "adolc, taped anew"))
        self.assertEqual(figures.failures, ["lstm l=2 c=1024: the gradient of backstep, lstm_layer is wrong"])

    def test_its_table_names_the_peer_of_the_ratio(self):
        title, heads, _, lstm, chain = printed(tables.print_gradients, self.read())
        self.assertIn("GradBench", title[0])
        self.assertEqual(heads, ["gradient", "ours", "by hand", "Tapenade", "ADOL-C taped anew", "peer", "peer / ours"])
        self.assertEqual(lstm, ["lstm l=2 c=1024, ms", "5", "7.02", "3.65", "28.5", "Tapenade", "0.73"])
        self.assertEqual(chain, ["scalar_chain, ms", "95.3", "9.26", "-", "-", "ADOL-C", "-"])
        self.assertEqual(len(printed(tables.print_gradients, self.read(), ["scalar_chain"])), 4)
        self.assertEqual(printed(tables.print_gradients, self.read(), ["gru_layer"]), [])

    def test_each_program_belongs_to_workloads_of_the_tables(self):
        self.assertLessEqual(set(gradbench.COMMANDS), {one.workload for one in rows.WORKLOADS})
        self.assertEqual({program for program, *_ in gradbench.COMMANDS.values()}, set(gradbench.OURS))
        self.assertEqual(set(gradbench.PEERS), set(gradbench.OURS))

    def test_a_wrong_folder_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            empty = pathlib.Path(folder)
            with self.assertRaisesRegex(programs.Refused, "--gradbench .*nothing: there is no such folder"):
                gradbench.check(empty / "nothing")
            with self.assertRaisesRegex(programs.Refused, "there is no program lstm in this folder"):
                gradbench.check(empty)

    def test_a_program_that_fails_is_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "scalar_chain"
            program.write_text("#!/bin/sh\nexit 3\n")
            program.chmod(0o755)
            figures = programs.Figures()
            with contextlib.redirect_stderr(io.StringIO()):
                gradbench.run("scalar_chain", types.SimpleNamespace(gradbench=pathlib.Path(folder)), figures)
            self.assertEqual(len(figures.failures), 1)
            self.assertIn("ended with status 3", figures.failures[0])


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

    def test_a_peer_is_run_only_for_its_own_workloads(self):
        self.program.write_text("#!/bin/sh\necho gru_layer torch sizes; echo gemm_f32_recurrent onednn sizes\n")
        self.program.chmod(0o755)
        self.assertEqual(programs.peers_plain(self.program).workloads, {"gru_layer", "gemm_f32_recurrent"})
        self.assertEqual(programs.peers_best(self.program).workloads, {"gru_layer"})

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

    def test_compare_refuses_an_unknown_folder_before_it_measures(self):
        compare = pathlib.Path(__file__).with_name("compare")
        command = [sys.executable, "-B", compare, "--bench", BENCH, "--gradbench", "no/such/folder"]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(answer.returncode, 2)
        self.assertEqual(answer.stderr, "compare: --gradbench no/such/folder: there is no such folder\n")

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
