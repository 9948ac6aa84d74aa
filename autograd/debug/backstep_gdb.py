"""gdb support for Backstep:  gdb -x autograd/debug/backstep_gdb.py --args PROGRAM

    print x            tensors, nodes, shapes, ... as what they mean; from memory alone, so core files work too
    tape [TENSOR]      the ops behind a tensor, in the order in which backward visits them
    break-op OP        stop at the derivative of an op
    step-op            go to the backward formula of the next op

`step` on loss.backward() goes to the loop in Tensor::backward, to run_node, and to the derivative of each op in
turn; everything else on the way is stepped over. Made for a Debug build (cmake --preset debug); everything but the
stepping works in any build whose program has debug information.

docs/debugging-with-gdb.md goes through a session.
"""

import difflib
import heapq
import itertools
import os
import re
import sys
import time
import types

import gdb
import gdb.printing
import gdb.types

_here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, _here)
import backstep_objects as objects
from backstep_objects import CANNOT_READ, MAX_REFS, NODE, OWNED_NODE, NodeData, SmallVectorData, TensorData, check, dtype_of
from backstep_objects import element_text, list_text, node_at, node_data, op_name, owned, place_text, pointee, reason
from backstep_objects import saved_text, scope_text, shape_of, tensor_data, text_at

sys.path.remove(_here)

# ---- what gdb's values are to backstep_objects.py ------------------------------------------------------------------


class Debugger:
    """A value is a gdb.Value, a type a gdb.Type."""

    stops = 0  # how often the program has gone on, or another one was loaded

    def go_on(self, event):
        self.stops += 1

    def stop(self, value):
        thread = gdb.selected_thread()
        return self.stops, thread.ptid if thread else None

    def variables(self, value):
        # Of a frame that is stopped at a line, those declared further down are not initialised yet.
        frames = [gdb.newest_frame()] if gdb.selected_thread() else []
        while len(frames) < MAX_FRAMES and frames and frames[-1].older():
            frames.append(frames[-1].older())
        for frame in reversed(frames):
            if frame.name() and not objects.is_of_library(frame.name()):
                line = frame.find_sal().line
                found = [one for one in variables_of(frame) if gdb.types.get_basic_type(one.type).name == "autograd::Tensor"]
                for one in sorted(found, key=lambda symbol: symbol.line):
                    if not one.needs_frame or one.is_argument or one.line < line:
                        yield one.print_name, one.value(frame) if one.needs_frame else one.value()

    def read(self, value, address, count):
        return bytes(gdb.selected_inferior().read_memory(address, count)) if count else b""

    def string(self, value):
        try:
            pointer, size = value["_M_dataplus"]["_M_p"], int(value["_M_string_length"])
        except gdb.error as error:
            if isinstance(error, gdb.MemoryError):
                raise
            return value.format_string().strip('"')  # another standard library
        check(0 <= size < 1 << 30)
        return self.read(value, int(pointer), min(size, objects.MAX_TEXT)).decode("utf-8", "replace")

    def address_of(self, value):
        return int(value.address)

    def target(self, pointer):
        target = pointer.dereference()
        check(target.type.strip_typedefs().fields(), "no debug information about %s (%s)" % (target.type, objects.HOW_TO_GET_IT))
        return target

    def at(self, value, address, type_):
        if type_.name == NODE:  # to dereference a pointer to it, gdb would look for the op's own type, and warn without one
            return gdb.parse_and_eval("{%s}%d" % (NODE, address))
        return gdb.Value(address).cast(type_.pointer()).dereference()

    def type_named(self, value, name):
        return gdb.lookup_type(name)

    def type_within(self, value):
        return value.type.strip_typedefs().template_argument(0)

    def size_of(self, value_or_type):
        return (value_or_type.type if isinstance(value_or_type, gdb.Value) else value_or_type).sizeof


objects.use(Debugger())
gdb.events.cont.connect(objects.debugger.go_on)
gdb.events.new_objfile.connect(objects.debugger.go_on)

MAX_FRAMES = 100  # whose variables are looked at
MODULE = "nn::Module"
IN_SUMMARY_UP_TO = 4  # elements that are shown in the line that sums a tensor up
INPUTS_SHOWN = 10  # of an op that has more


def tensor_of(value):
    """TensorData of a Tensor or a TensorImpl."""
    is_impl = not gdb.types.has_field(value.type.strip_typedefs(), "impl_")
    return TensorData(value) if is_impl else tensor_data(value)


def tensor_summary(tensor):
    return ("Tensor " if tensor.defined else "") + tensor.summary(IN_SUMMARY_UP_TO)


def inputs_shown(node, text_of):
    texts = [text_of(input_) for input_ in node.inputs(INPUTS_SHOWN + 1)]
    return texts[:INPUTS_SHOWN] + (["..."] if len(texts) > INPUTS_SHOWN else [])


def derives_from(base_name, type_, depth=0):
    if type_.name == base_name:
        return True
    bases = [field for field in type_.fields() if field.is_base_class]
    return depth < 8 and any(derives_from(base_name, base.type.strip_typedefs(), depth + 1) for base in bases)


def derives_from_node(type_):
    return derives_from(NODE, type_)


def class_of(node):
    """The type of the op that a Node really is, or None without debug information about it. (Value.dynamic_type
    would print a warning for those.)"""
    vtable = objects.pointer_at(node, int(node.address))
    symbol = gdb.execute("info symbol %d" % vtable, to_string=True)
    match = re.match(r"vtable for (.*) \+ \d+", symbol)
    try:
        return gdb.lookup_type(match.group(1)) if match else None
    except gdb.error:
        return None


def own_members(node):
    """What the op's struct adds to Node: (name, value). Its saved values, its arguments."""
    type_ = class_of(node)
    return members_above(NODE, node.cast(type_)) if type_ else ()


def members_above(base_name, whole):
    """The members of the value's type, and of its bases down to the one of this name: (name, value)."""
    type_ = whole.type.strip_typedefs()
    for _ in range(8):
        fields = [field for field in type_.fields() if hasattr(field, "bitpos")]  # static members have none
        for field in fields:
            if not field.is_base_class and field.name:
                yield field.name, whole.cast(type_)[field]
        bases = [field.type.strip_typedefs() for field in fields if field.is_base_class]
        if not bases or bases[0].name == base_name:
            return
        type_ = bases[0]


# ---- pretty printers -----------------------------------------------------------------------------------------------
#
# A printer's to_string is the line that frames and IDEs show; its children, if any, are what can be unfolded. Children
# are text wherever a value would lead on through the whole graph.


class Printer:
    """to_string is summary(), children are details(); where they cannot be read, that is said instead."""

    what = "object"

    def __init__(self, value):
        self.value = value

    def to_string(self):
        try:
            return self.summary()
        except CANNOT_READ as error:
            return "<not a %s: %s>" % (self.what, reason(error))

    def summary(self):
        raise NotImplementedError


class PrinterWithDetails(Printer):
    def children(self):
        try:
            return iter(list(self.details()))
        except CANNOT_READ:
            return iter(())  # the summary says why

    def details(self):
        raise NotImplementedError


class OneLine:
    """A printer without children: gdb tells an IDE {...} instead of the to_string of one that has them."""

    def __init__(self, printer):
        self.printer = printer

    def to_string(self):
        details = ["%s = %s" % (name, self.text_of(value)) for name, value in self.printer.children()]
        return self.printer.to_string() + (" {%s}" % ", ".join(details) if details else "")

    def text_of(self, value):
        if isinstance(value, str):
            return value
        printer = find_printer(value)
        try:
            if isinstance(printer, SavedPrinter):  # its values are what one looks for in an op
                return OneLine(printer).to_string()
            return printer.to_string() if printer else value.format_string(max_elements=10)
        except CANNOT_READ as error:
            return "<%s>" % reason(error)


class OneLineParameter(gdb.Parameter):
    """Whether tensors and nodes are shown in one line each, with nothing to unfold."""

    set_doc = "Set whether Backstep's objects are shown in one line each, for IDEs."
    show_doc = "Show whether Backstep's objects are shown in one line each, for IDEs."

    def __init__(self):
        super().__init__("backstep-one-line", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)
        self.value = False

    def get_show_string(self, value):
        return "Backstep's objects are shown in one line each: %s." % value


def values_in_details(tensor):
    if tensor.numel > IN_SUMMARY_UP_TO:
        yield "values", tensor.values_text()
    if not tensor.contiguous:
        yield "strides", list_text(tensor.strides)


class TensorPrinter(PrinterWithDetails):
    what = "tensor"

    def summary(self):
        return tensor_summary(tensor_of(self.value))

    def details(self):
        tensor = tensor_of(self.value)
        if not tensor.defined:
            return
        yield from values_in_details(tensor)
        gradient = tensor.gradient()
        if gradient:
            yield "grad", gradient.values_text()
        elif tensor.requires_grad():
            yield "grad", "none yet"


class NodePrinter(PrinterWithDetails):
    what = "node"

    def summary(self):
        return NodeData(self.value).summary()

    def details(self):
        node = NodeData(self.value)
        yield "formula", '"%s"' % text_at(node.text["formula"])
        yield "derivative", '"%s"' % text_at(node.text["derivative"])
        differentiated = pointee(node.value["backward_of"])
        if differentiated is not None:
            yield "backward_of", text_at(differentiated["text"]["name"])
        if node.called_from():
            yield "called_from", node.called_from()
        yield "output", node.type_text()
        if not node.is_leaf:
            yield "inputs", list_text(inputs_shown(node, lambda input_: input_.short() if input_ else "none"))
        gradient = tensor_data(node.value["gradient"])
        if gradient.defined:
            yield "gradient", gradient.values_text()
        if bool(node.value["released"]):
            yield "released", "true"
        yield from own_members(node.value)


class ModulePrinter(PrinterWithDetails):
    """Its parameters and parts, without what nn::Module keeps of them."""

    what = "module"

    def summary(self):
        return str(self.value.type.unqualified())

    def details(self):
        return members_above(MODULE, self.value)


class SavedPrinter(PrinterWithDetails):
    what = "saved value"

    def tensor(self):
        return tensor_data(self.value["value_"])

    def summary(self):
        return ("Tensor " if self.tensor().defined else "") + saved_text(self.value, IN_SUMMARY_UP_TO)

    def details(self):
        if self.tensor().defined:
            yield from values_in_details(self.tensor())


class ShapePrinter(Printer):
    what = "shape"

    def summary(self):
        return list_text(shape_of(self.value))


class SmallVectorPrinter(PrinterWithDetails):
    what = "list"

    def summary(self):
        size = SmallVectorData(self.value).size
        return "empty list" if size == 0 else "list of %d" % size

    def details(self):
        for i, item in enumerate(SmallVectorData(self.value).items()):
            yield "[%d]" % i, item

    def display_hint(self):
        return "array"


class RefPrinter(Printer):
    """One line about the object, whatever it is: unfolding it would lead on through the whole graph."""

    what = "handle"

    def summary(self):
        pointer = self.value["object_"]
        target = node_at(pointer) if pointer.type.target().name in (NODE, OWNED_NODE) else pointee(pointer)
        if target is None:
            return "<null>"
        printer = find_printer(target)
        return printer.to_string() if printer else "Ref to %s" % target.type


class ScopePrinter(PrinterWithDetails):
    what = "scope"

    def summary(self):
        return '"%s"' % scope_text(self.value)

    def details(self):
        check(0 < int(self.value["refs"]) < MAX_REFS)
        yield "called_from", self.value["called_from"]


class WherePrinter(Printer):
    what = "place"

    def summary(self):
        return place_text(self.value) or "<nowhere>"


class DTypePrinter(Printer):
    what = "dtype"

    def summary(self):
        return dtype_of(self.value)[0]


class NumberPrinter(Printer):
    """A count or a flag, as options have them."""

    what = "number"

    def summary(self):
        return str(self.value["value_"])


class StoragePrinter(Printer):
    what = "storage"

    def summary(self):
        refs, count = int(self.value["refs"]), int(self.value["bytes"])
        check(0 < refs < MAX_REFS and count >= 0)
        text = "Storage of %d bytes, version %d" % (count, int(self.value["version"]))
        write = owned(self.value["last_write"])
        if write is not None:
            text += ", last changed by %s at %s" % (text_at(write["op"]), place_text(write["where"]))
        return text


class OpInfoPrinter(Printer):
    what = "op"

    def summary(self):
        text = self.value["text"]
        return "%s: %s, %s" % tuple(text_at(text[part]) for part in ("name", "formula", "derivative"))


class OperandPrinter(Printer):
    what = "operand"

    def summary(self):
        tensor = pointee(self.value["tensor_"])
        return tensor_summary(tensor_of(tensor)) if tensor is not None else element_text(float(self.value["number_"]))


PRINTERS = {
    "Tensor": TensorPrinter,
    "TensorImpl": TensorPrinter,
    "Saved": SavedPrinter,
    "Shape": ShapePrinter,
    "SmallVector": SmallVectorPrinter,
    "Ref": RefPrinter,
    "Scope": ScopePrinter,
    "Where": WherePrinter,
    "DType": DTypePrinter,
    "Int": NumberPrinter,
    "Flag": NumberPrinter,
    "Storage": StoragePrinter,
    "OpInfo": OpInfoPrinter,
    "Operand": OperandPrinter,
}


def find_printer(value):
    """The printer for a value, or None. Ops are recognised by their base class, wherever they are defined."""
    type_ = gdb.types.get_basic_type(value.type)
    if type_.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ENUM) or not type_.name:
        return None
    match = re.match(r"autograd::(\w+)(<.*>)?$", type_.name)
    if match and match.group(1) in PRINTERS:
        return PRINTERS[match.group(1)](value)
    if type_.code == gdb.TYPE_CODE_STRUCT and derives_from_node(type_):
        return NodePrinter(value)
    if type_.code == gdb.TYPE_CODE_STRUCT and derives_from(MODULE, type_):
        return ModulePrinter(value)
    return None


class BackstepPrinters(gdb.printing.PrettyPrinter):
    def __init__(self):
        super().__init__("backstep")

    def __call__(self, value):
        printer = find_printer(value)
        if not isinstance(printer, PrinterWithDetails) or not gdb.parameter("backstep-one-line"):
            return printer
        return None if isinstance(printer, ModulePrinter) else OneLine(printer)  # an IDE unfolds modules by itself


# ---- what the program holds ----------------------------------------------------------------------------------------


def tensor_or_node(value):
    """TensorData or NodeData for a value that is, points to or holds one; None for others."""
    type_ = gdb.types.get_basic_type(value.type)
    if type_.name == "autograd::Ref<autograd::Node>":
        return node_data(value["object_"])
    is_pointer = type_.code == gdb.TYPE_CODE_PTR
    if is_pointer:
        type_ = gdb.types.get_basic_type(type_.target())
    if type_.code != gdb.TYPE_CODE_STRUCT or not type_.name:
        return None
    if type_.name in ("autograd::Tensor", "autograd::TensorImpl"):
        target = pointee(value) if is_pointer else value
        return tensor_of(target) if target is not None else None
    if type_.name == "autograd::Saved":
        return tensor_data((pointee(value) if is_pointer else value)["value_"])
    if derives_from_node(type_):
        return node_data(value if is_pointer else value.address)
    return None


def evaluate(expression):
    """The tensor or node that an expression means."""
    try:
        value = gdb.parse_and_eval(expression)
    except gdb.error as error:
        raise gdb.GdbError("tape: expected a Tensor: %s" % error)
    try:
        found = tensor_or_node(value)
    except CANNOT_READ as error:
        raise gdb.GdbError("tape: %s is not a tensor: %s" % (expression, reason(error)))
    if found is None:
        raise gdb.GdbError("tape: expected a Tensor, but %s is of type %s" % (expression, value.type))
    if isinstance(found, TensorData) and not found.defined:
        raise gdb.GdbError("tape: %s is an undefined tensor" % expression)
    return found


def variables_of(frame):
    """The variables that a frame sees, from the innermost block to the globals of its file."""
    try:
        block = frame.block()
    except RuntimeError:
        return  # no debug information
    while block:
        for symbol in block:
            if symbol.is_variable or symbol.is_argument:
                yield symbol
        block = block.superblock


def node_behind(found):
    return found if isinstance(found, NodeData) else found.node()


def nodes_in(frame):
    """The nodes behind a frame's variables. Those that are not initialised yet are passed over."""
    for variable in variables_of(frame):
        try:
            found = tensor_or_node(variable.value(frame) if variable.needs_frame else variable.value())
            if found and (isinstance(found, NodeData) or found.defined):
                yield node_behind(found)
        except CANNOT_READ:
            pass


class OutOfTime(Exception):
    """Somebody waits at the prompt."""


PATIENCE = 1  # seconds


def in_backward_order(roots):
    """The nodes from which the roots were computed, in the order of backward: the last op first, leaves at the end. Ends
    with OutOfTime where there are too many."""
    end = time.monotonic() + PATIENCE
    waiting, seen = [], set()

    def wait_for(node):
        if time.monotonic() > end:
            raise OutOfTime()
        if node and node.address not in seen:
            seen.add(node.address)
            heapq.heappush(waiting, (node.is_leaf, -node.number, node.address, node))

    for root in roots:
        wait_for(root)
    while waiting:
        node = heapq.heappop(waiting)[-1]
        yield node
        for input_ in node.inputs():
            wait_for(input_)


# ---- commands ------------------------------------------------------------------------------------------------------


class Tape(gdb.Command):
    """Show the graph behind a tensor: tape [TENSOR]

    One line per op, in the order in which backward visits them: the last op of the program first, the leaves at the
    end. Each has its number in the program's order, the name of its output if it has one, the nodes of its inputs (-
    where no gradient is needed), what its output is, the line that called it, and the module in which it ran.

    TENSOR is an expression for a Tensor or a Node. Without it: the graph behind all tensors and nodes that are
    variables of the selected frame. At most as many ops are shown as `set print elements` allows, and no more than can be
    read in a second."""

    HEADER = ("node", "name", "op", "inputs", "output", "line", "module")

    def __init__(self):
        super().__init__("tape", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def fail(self, text):
        raise gdb.GdbError("tape: " + text)

    def invoke(self, argument, from_tty):
        if not gdb.selected_thread():
            self.fail("no program is running; set a breakpoint and `run`, or load a core file")
        try:
            self.show(argument)
        except CANNOT_READ as error:
            self.fail("the graph cannot be followed: " + reason(error))

    def show(self, argument):
        limit = gdb.parameter("print elements")  # None for no limit
        lines, left_out = [self.HEADER], ""
        try:
            for node in in_backward_order(self.roots(argument)):
                if len(lines) - 1 == limit:
                    left_out = "`set print elements %d` shows more" % (10 * limit)
                    break
                lines.append(self.line(node))
        except OutOfTime:
            left_out = "more than can be read in a second"
        self.print_table(lines)
        if left_out:
            gdb.write("... and what came before; %s\n" % left_out)

    def roots(self, argument):
        if argument:
            found = evaluate(argument)
            node = node_behind(found)
            if not node:
                self.fail("no op was recorded on the way to %s, %s" % (argument, tensor_summary(found)))
            return [node]
        roots = list(nodes_in(gdb.selected_frame()))
        if not any(roots):
            self.fail("no variable of this frame is in a graph; say which: tape TENSOR")
        return roots

    def line(self, node):
        inputs = ", ".join(inputs_shown(node, lambda input_: "%%%d" % input_.number if input_ else "-"))
        number = "%%%d" % node.number
        return (number, node.label(), node.name, inputs, node.type_text(), node.place, node.module())

    def print_table(self, lines):
        """Without the columns that would be empty."""
        columns = [column for column in zip(*lines) if any(column[1:])]
        widths = [max(len(text) for text in column) for column in columns]
        for line in zip(*columns):
            gdb.write("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() + "\n")


def backward_functions():
    """The derivative of every op in the program, by the name of the op."""
    listing = gdb.execute("info functions -q ::backward", to_string=True)
    functions = {}
    argument = r"(?:autograd::Tensor const ?&|const autograd::Tensor ?&)"
    for match in re.finditer(r"((?:\(anonymous namespace\)::|\w+::)*)(\w+)::backward\(%s\)" % argument, listing):
        functions[op_name(match.group(2))] = "%s%s::backward" % match.groups()
    return functions


def existing_op(command, name):
    functions = backward_functions()
    if not functions:
        raise gdb.GdbError("%s: no program with ops is loaded; start gdb with --args PROGRAM" % command)
    if name not in functions:
        close = difflib.get_close_matches(name, functions, 3, 0.5)
        hint = "did you mean %s?" % " or ".join(close) if close else "TAB lists those that are"
        raise gdb.GdbError("%s: no op of this program is called %s; %s" % (command, name, hint))
    return name


def ops_beginning_with(word):
    """For completion: gdb replaces the last word only, and for it a word ends at a dash."""
    return sorted(name for name in backward_functions() if name.startswith(word))


def behind_prologue(address):
    """Where the arguments of the function at this address are in place, (address, line), if gdb would stop before that;
    or None.

    g++ compiles some of fmt's functions with -Og even under -O0, and then gdb takes the whole file for optimised code, in
    which arguments are always in place: it stops at the first instruction. (-fno-var-tracking prevents that.)"""
    block = gdb.block_for_pc(address)
    if not block or not block.function or block.start != address:
        return None
    if "multi-location" in gdb.execute("info scope *%d" % address, to_string=True):
        return None  # it is optimised
    lines = block.function.symtab.linetable()
    return min(((line.pc, line.line) for line in lines if address < line.pc < block.end), default=None)


def location_of(function):
    """For `break`: the function, or the first place in it at which its arguments are in place."""
    places = gdb.decode_line(function)[1] or ()
    body = behind_prologue(places[0].pc) if len(places) == 1 else None
    if not body:
        return function
    address, line = body
    if line != places[0].line:
        return '-source "%s" -line %d' % (places[0].symtab.fullname(), line)
    name = gdb.block_for_pc(address).function.name
    return "*'%s'+%d" % (name, address - places[0].pc)  # all of it stands in one line


class BreakOp(gdb.Command):
    """Stop at the derivative of an op: break-op OP [if CONDITION]

    OP is the name as the program calls it: tanh, masked_fill, leaf, ... TAB completes it. The condition sees the
    members of the op's node, as in  break-op tanh if number == 6  or  break-op matmul if called_at.line == 45."""

    def __init__(self):
        super().__init__("break-op", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, argument, from_tty):
        name, _, rest = argument.strip().partition(" ")
        rest = rest.strip()
        if not name or (rest and not re.match(r"if\s+\S", rest)):
            raise gdb.GdbError("break-op: expected an op, and perhaps a condition: break-op OP [if CONDITION]")
        function = backward_functions()[existing_op("break-op", name)]
        try:
            gdb.execute("break %s %s" % (location_of(function), rest))
        except gdb.error as error:
            raise gdb.GdbError("break-op: %s" % error)

    def complete(self, text, word):
        if " " in text.lstrip():
            return gdb.COMPLETE_EXPRESSION
        return ops_beginning_with(word)


def require_debug_build(command):
    if not gdb.lookup_global_symbol("autograd::accumulate(autograd::Node&, autograd::Tensor const&)"):
        raise gdb.GdbError("%s: no program with a Debug build of Backstep is loaded (cmake --preset debug)" % command)


class SilentBreakpoint(gdb.Breakpoint):
    def __init__(self, **where):
        super().__init__(internal=True, **where)
        self.silent = not gdb.parameter("backstep-one-line")  # an IDE is to hear where the program has stopped


class FormulaBreakpoint(SilentBreakpoint):
    """At the backward of every op, for so many of them; or of one op."""

    def __init__(self, count, name):
        super().__init__(function="backward")
        self.left, self.name = count, name

    def stop(self):
        name = op_of_formula(gdb.newest_frame())
        self.left -= name == self.name if self.name else name not in (None, "leaf")
        return self.left == 0


def op_of_formula(frame):
    """The name of the op whose backward the frame is, or None."""
    function = frame.function()
    arguments = function.type.fields() if function else []
    if len(arguments) != 2 or arguments[0].type.code != gdb.TYPE_CODE_PTR:
        return None
    op = arguments[0].type.target().unqualified()
    is_op = op.code == gdb.TYPE_CODE_STRUCT and derives_from_node(op)
    return op_name(op.name.rsplit("::")[-1]) if is_op else None


class StepOp(gdb.Command):
    """Go to the backward formula of the next op that is differentiated: step-op [N | OP]

    From wherever the program stands, before backward(), in a formula or deep in the engine. With N: to the Nth; with the
    name of an op: to the next one of these. Leaves, which only take a gradient in, are passed by unless they are asked for.
    It stops earlier at a breakpoint. Needs a Debug build."""

    def __init__(self):
        super().__init__("step-op", gdb.COMMAND_RUNNING)

    def fail(self, text):
        raise gdb.GdbError("step-op: " + text)

    def invoke(self, argument, from_tty):
        is_count = re.fullmatch(r"[1-9]\d{0,8}", argument or "1")
        name = None if is_count else existing_op("step-op", argument)
        if not gdb.selected_thread():
            self.fail("no program is running; set a breakpoint and `run`")
        require_debug_build("step-op")
        goal = FormulaBreakpoint(1 if name else int(argument or 1), name)
        gdb_has_said_where = self.run_to(goal)
        if goal.left > 0:
            if not gdb.selected_thread():
                gdb.write("step-op: the program has ended before that\n")
            return
        body = behind_prologue(gdb.selected_frame().pc())
        if body:
            gdb_has_said_where = self.run_to(SilentBreakpoint(spec="*%d" % body[0]))
        self.show(gdb_has_said_where)

    def complete(self, text, word):
        return ops_beginning_with(word)

    def run_to(self, breakpoint):
        """Whether gdb has said where it is, because a breakpoint of the user's stands there as well, or for an IDE."""
        numbers, breakpoint_is_silent = [], breakpoint.silent

        def on_stop(event):
            numbers.extend(one.number for one in getattr(event, "breakpoints", ()))

        gdb.events.stop.connect(on_stop)
        try:
            gdb.execute("continue")
        except gdb.error as error:
            self.fail(str(error))
        finally:
            gdb.events.stop.disconnect(on_stop)
            breakpoint.delete()
        return not breakpoint_is_silent or any(number > 0 for number in numbers)

    def show(self, gdb_has_said_where):
        node = node_data(gdb.selected_frame().read_var("this"))
        gdb.write(node.derivative_text() + "\n")
        if not gdb_has_said_where:
            gdb.write(gdb.execute("frame", to_string=True).partition("  ")[2])  # without #0


# ---- stepping ------------------------------------------------------------------------------------------------------

# The C++ library and fmt. gdb's * does not cross a slash.
LIBRARY_FILES = ["/usr/include/" + "*/" * depth + "*" for depth in range(4)]
LIBRARY_FUNCTIONS = "^(std|__gnu_cxx|fmt)::"

# The engine's plumbing: handles, memory, bookkeeping.
PLUMBING_FILES = [
    "*/autograd/" + name
    for name in (
        "tensor/* tape/node.* tape/pass.* tape/backward.h tape/observer.* tape/mode.h memory/* kernels/*"
    ).split()
]
PLUMBING_FUNCTIONS = [
    r"^autograd::\\(anonymous namespace\\)::",
    "^autograd::(NoGradGuard|GradModeGuard|Operand|Saved|Node)::",
]

# The ops: every function of the namespace whose name is in small letters, and every method of Tensor, but not
# backward, grad, run_node and accumulate. (gdb's patterns cannot say "but not", so the first two letters do.)
OP_FUNCTIONS = [
    r"^autograd::(a[abd-z]|b[b-z]|g[a-q]|r[a-tv-z]|[c-fh-qs-z])[a-z_0-9]*\\(",
    "^autograd::operator",
    r"^autograd::Tensor::(b[b-z]|[ac-z~])[a-z_0-9]*\\(",
]


# ---- setting up ----------------------------------------------------------------------------------------------------


def set_up_stepping():
    # Lines are recorded relative to the project ("autograd/tape/backward.cpp"); this is where it lies.
    project = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    gdb.execute("directory " + project, to_string=True)
    for pattern in LIBRARY_FILES + PLUMBING_FILES:
        gdb.execute("skip -gfi '%s'" % pattern, to_string=True)
    for pattern in [LIBRARY_FUNCTIONS] + PLUMBING_FUNCTIONS + OP_FUNCTIONS:
        gdb.execute("skip -rfu '%s'" % pattern, to_string=True)


def set_up():
    gdb.printing.register_pretty_printer(None, BackstepPrinters(), replace=True)
    OneLineParameter()
    for command in (Tape, BreakOp, StepOp):
        command()
    # Loaded by itself and by -x as well: the rules are wanted once.
    if not hasattr(gdb, "backstep_is_set_up"):
        gdb.backstep_is_set_up = True
        set_up_stepping()


if __name__ == "__main__":
    # gdb runs every script in one namespace, where the next one may reuse a name; a module has its own.
    module = types.ModuleType("backstep_gdb")
    module.__file__ = os.path.abspath(__file__)
    sys.modules[module.__name__] = module
    with open(module.__file__, encoding="utf-8") as source:
        exec(compile(source.read(), module.__file__, "exec"), module.__dict__)
    module.set_up()
