"""Runs the programs of both sides, and keeps what they say."""

import dataclasses
import fnmatch
import os
import pathlib
import statistics
import subprocess
import sys


class Refused(Exception):
    """Something that was asked for cannot be done; the text says what and why."""


@dataclasses.dataclass
class Figures:
    # side -> workload -> metric -> one value per round, in the units that the programs print
    values: dict = dataclasses.field(default_factory=dict)
    units: dict = dataclasses.field(default_factory=dict)  # (workload, metric) -> unit
    failures: list = dataclasses.field(default_factory=list)  # one sentence each

    def add(self, side, workload, metric, value):
        self.values.setdefault(side, {}).setdefault(workload, {}).setdefault(metric, []).append(value)

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
    workloads: tuple = ()  # that the program has

    def run(self, workload, arguments, figures):
        """Runs the workload, if the program has it, and adds its figures."""
        if workload not in self.workloads:
            return
        command = [self.program, "--only", workload, "--threads", arguments.threads, "--seconds", arguments.seconds]
        command = [str(word) for word in (*command, *self.options)]
        print(*(f"{name}={value}" for name, value in self.environment.items()), *command, file=sys.stderr, flush=True)
        environment = os.environ | self.environment
        answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
        if answer.returncode != 0:
            figures.failures.append(f"{workload}: {self.program} ended with status {answer.returncode}")
        for line in answer.stdout.splitlines():
            name, peer, metric, value, unit = line.split(maxsplit=4)
            if peer in self.sides:
                figures.add(self.sides[peer], name, metric, float(value))
                figures.units.setdefault((name, metric), unit)


def listed(program, peer="*"):
    """The workloads that a program has, of the peers whose names fit."""
    if not program.is_file():
        raise Refused(f"there is no program {program}; build it first (cmake --build .. --target bench)")
    try:
        answer = subprocess.run([str(program), "--list"], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError) as error:
        raise Refused(f"{program} --list does not work: {error}") from error
    words = [line.split() for line in answer.stdout.splitlines() if line.strip()]
    return tuple(workload for workload, who, *_ in words if fnmatch.fnmatchcase(who, peer))


def choose(names, only):
    """Those that fit one of `only`, all of them for an empty list, in the same order."""
    for pattern in only:
        if not fnmatch.filter(names, pattern):
            raise Refused(f"no workload is called {pattern}; there are: {', '.join(names)}")
    return [name for name in names if not only or any(fnmatch.fnmatchcase(name, pattern) for pattern in only)]


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
