"""Runs the programs of both sides, and keeps what they say."""

import dataclasses
import fnmatch
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile


class Refused(Exception):
    """Something that was asked for cannot be done; the text says what and why."""


@dataclasses.dataclass
class Figures:
    threads: int = 1
    processor: str = "unknown"
    # side -> workload -> metric -> one value per round, in the units that the programs print
    values: dict = dataclasses.field(default_factory=dict)
    units: dict = dataclasses.field(default_factory=dict)  # "workload metric" -> unit
    failures: list = dataclasses.field(default_factory=list)  # one sentence each

    def add(self, side, workload, metric, values):
        self.values.setdefault(side, {}).setdefault(workload, {}).setdefault(metric, []).extend(values)

    def get(self, side, workload, metric):
        """The median of the rounds, or None."""
        values = self.values.get(side, {}).get(workload, {}).get(metric)
        return statistics.median(values) if values else None


@dataclasses.dataclass
class Side:
    """One way of running one program."""

    program: pathlib.Path
    sides: dict  # the name of a peer in the program's output -> under which its figures are kept
    options: tuple = ()
    environment: dict = dataclasses.field(default_factory=dict)
    workloads: frozenset = frozenset()  # that the program has
    output: object = None  # where it prints its figures as they come; stderr, so that stdout holds the tables alone

    def run(self, workload, arguments, figures):
        """Runs the workload, if the program has it, and adds its figures."""
        if workload not in self.workloads:
            return
        with tempfile.TemporaryDirectory(prefix="compare-") as folder:
            path = pathlib.Path(folder) / "figures.json"
            command = [self.program, "--only", workload, "--threads", arguments.threads]
            command += ["--seconds", arguments.seconds, "--json", path, *self.options]
            status = self._start([str(word) for word in command])
            self._read(path, workload, status, figures)

    def _start(self, command):
        print(" ".join(f"{name}={value}" for name, value in self.environment.items()), *command, file=sys.stderr)
        output = self.output or sys.stderr
        return subprocess.run(command, env=os.environ | self.environment, stdout=output, check=False).returncode

    def _read(self, path, workload, status, figures):
        try:
            kept = json.loads(path.read_text())
        except (OSError, json.JSONDecodeError):
            figures.failures.append(f"{workload}: {self.program} ended with status {status} and wrote no figures")
            return
        figures.processor = kept["cpu"]
        for one in kept["results"]:
            side = self.sides.get(one["peer"])
            if one["metric"] in ("failed", "killed"):
                how = f"{one['metric']} ({one['unit']} {one['value']:g})"
                figures.failures.append(f"{workload}: {one['peer']} of {self.program} {how}")
            elif side:
                figures.add(side, one["workload"], one["metric"], [one["value"]])
                figures.units[f"{one['workload']} {one['metric']}"] = one["unit"]


def listed(program, peer="*"):
    """The workloads that a program has, of the peers whose names fit."""
    if not program.is_file():
        raise Refused(f"there is no program {program}; build it first (cmake --build .. --target bench)")
    try:
        answer = subprocess.run([str(program), "--list"], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise Refused(f"{program} --list does not work: {error}") from error
    words = [line.split() for line in answer.stdout.splitlines() if line.strip()]
    return frozenset(workload for workload, who, *_ in words if fnmatch.fnmatchcase(who, peer))


def ours(program, side):
    kept = {"backstep": side}
    if side == "ours":
        kept["machine"] = "machine"
    return Side(program, kept, workloads=listed(program))


# The two ways in which the peers' program writes a translator: "torch" step by step, as a lesson does, and "torch_tuned".
def peers_plain(program):
    kept = {"torch": "plain", "torch_tuned": "tuned", "openblas": "openblas", "eigen": "eigen", "onednn": "onednn"}
    return Side(program, kept, workloads=listed(program))


def peers_best(program):
    kept = {"torch": "plain with AVX-512", "torch_tuned": "tuned with AVX-512"}
    options = ("--keep-memory", "--peer", "torch*")
    return Side(program, kept, options, {"ATEN_CPU_CAPABILITY": "avx512"}, listed(program, "torch*"))


def save(figures, path):
    try:
        path.write_text(json.dumps(dataclasses.asdict(figures), indent=1) + "\n")
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}") from error


def check_that_it_can_be_written(path):
    """Before the measuring, not after it."""
    try:
        path.open("a").close()
    except OSError as error:
        raise Refused(f"cannot write {path}: {error.strerror}") from error


def load(paths):
    """The figures of all files, as if they were rounds of one measurement."""
    merged = Figures()
    for path in paths:
        try:
            kept = Figures(**json.loads(path.read_text()))
        except OSError as error:
            raise Refused(f"cannot read {path}: {error.strerror}") from error
        except (json.JSONDecodeError, TypeError) as error:
            raise Refused(f"{path} was not written by --save: {error}") from error
        if path != paths[0] and kept.threads != merged.threads:
            raise Refused(f"{path} was measured with {kept.threads} threads, {paths[0]} with {merged.threads}")
        merged.threads = kept.threads
        merged.processor = kept.processor
        merged.failures += kept.failures
        merged.units |= kept.units
        for side, workloads in kept.values.items():
            for workload, metrics in workloads.items():
                for metric, values in metrics.items():
                    merged.add(side, workload, metric, values)
    return merged
