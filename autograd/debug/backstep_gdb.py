"""gdb settings for stepping through backprop:  gdb -x autograd/debug/backstep_gdb.py --args PROGRAM

`step` on loss.backward() goes to the loop in Tensor::backward, to run_node, and to the derivative of each op in
turn; everything else on the way is stepped over. Made for a Debug build (cmake --preset debug).

    step-into-ops on     step also enters the ops that a formula or your program calls (tanh, matmul, ...)
    step-into-ops off    the default
"""

import os

import gdb

# The C++ library and fmt. gdb's * does not cross a slash.
LIBRARY_FILES = ["/usr/include/" + "*/" * depth + "*" for depth in range(4)]
LIBRARY_FUNCTIONS = "^(std|__gnu_cxx|fmt)::"

# The engine's plumbing: handles, memory, bookkeeping.
PLUMBING_FILES = [
    "*/autograd/" + name
    for name in (
        "ref.h small_vector.h where.h scope.* shape.* tensor.h tensor.cpp node.* pass.* backward.h observer.* "
        "recycler.* storage.* error.* format.* ops_common.* kernels/*"
    ).split()
]
PLUMBING_FUNCTIONS = [
    r"^autograd::\\(anonymous namespace\\)::",
    "^autograd::(NoGradGuard|GradModeGuard|Operand|Saved|Node|Registered)::",
]

# The ops: every function of the namespace whose name is in small letters, and every method of Tensor, but not
# backward, grad, run_node and accumulate. (gdb's patterns cannot say "but not", so the first two letters do.)
OP_FUNCTIONS = [
    r"^autograd::(a[abd-z]|b[b-z]|g[a-q]|r[a-tv-z]|[c-fh-qs-z])[a-z_0-9]*\\(",
    "^autograd::operator",
    r"^autograd::Tensor::(b[b-z]|[ac-z~])[a-z_0-9]*\\(",
]


def skip(kind, pattern):
    """Adds a skip rule and returns its number, as text."""
    gdb.execute("skip %s '%s'" % (kind, pattern), to_string=True)
    return gdb.execute("info skip", to_string=True).splitlines()[-1].split()[0]


class StepIntoOps(gdb.Command):
    """step-into-ops on|off: whether `step` enters the ops that a formula or the program calls (off at first)."""

    def __init__(self, rules):
        super().__init__("step-into-ops", gdb.COMMAND_RUNNING)
        self.rules = rules

    def invoke(self, argument, from_tty):
        if argument not in ("on", "off"):
            raise gdb.GdbError("usage: step-into-ops on|off")
        gdb.execute("skip %s %s" % ("disable" if argument == "on" else "enable", " ".join(self.rules)))

    def complete(self, text, word):
        return [choice for choice in ("on", "off") if choice.startswith(word)]


def set_up():
    # Lines are recorded relative to the project ("autograd/backward.cpp"); this is where it lies.
    project = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    gdb.execute("directory " + project, to_string=True)
    for pattern in LIBRARY_FILES + PLUMBING_FILES:
        skip("-gfi", pattern)
    for pattern in [LIBRARY_FUNCTIONS] + PLUMBING_FUNCTIONS:
        skip("-rfu", pattern)
    StepIntoOps([skip("-rfu", pattern) for pattern in OP_FUNCTIONS])


set_up()
