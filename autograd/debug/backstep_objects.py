"""What a program's tensors and nodes are, read from its memory: what backstep_gdb.py and backstep_lldb.py share.

A value is whatever the debugger hands out. value["name"] is its member, int(value) a number, an enum or the address that a
pointer holds; the rest a debugger provides as an object with these methods, given to use():

    read(value, address, count)    bytes from the memory of the process that the value is from
    string(value)                  of a std::string
    address_of(value)
    target(pointer)                what it points to; NotReadable without debug information about that
    at(value, address, type)       an object of this type, in the process that the value is from
    type_named(value, name)        a type of the program that the value is from
    type_within(value)             T, of a std::unique_ptr<T> or SmallVector<T>
    size_of(value_or_type)         in bytes
    stop(value)                    changes when the program has gone on
    variables(value)               (name, value) of the Tensors on the stack, without the library's: the outermost first

A debugger is asked about variables before they are initialised and after they are freed. So nothing is believed: every
pointer, size and count is checked before it is used, and every loop has an end.
"""

import math
import os
import re
import struct


class NotReadable(Exception):
    """The memory does not hold what its type says; the text is why."""


# What reading can throw. (gdb.MemoryError is a gdb.error, and that is a RuntimeError.)
CANNOT_READ = (NotReadable, RuntimeError, ValueError, OverflowError, TypeError, struct.error)

NOT_ALIVE = "uninitialised or freed"
HOW_TO_GET_IT = "-g, with g++ also -femit-class-debug-always"
NO_MEMORY = "its memory cannot be read"
MAX_DIMS = 8
MAX_REFS = 1 << 31
MAX_LIST = 1 << 24  # inputs of one op
MAX_SHOWN = 1000  # of them
MAX_TEXT = 300  # characters of a name or a formula
MAX_SCOPES = 100  # modules within one another
LIBRARY_FOLDERS = ("nn/", "autograd/")  # as its lines are recorded
NODE = "autograd::Node"
OWNED_NODE = "autograd::OwnedNode"  # what a tensor sees of it, at the same address
RECYCLER_ALIGNMENT = 64  # of tensors, their elements, and nodes
STORAGE_ALIGNMENT = 8

debugger = None


def use(this_debugger):
    global debugger
    debugger = this_debugger


def reason(error):
    """Why something cannot be read, in a few words and without addresses."""
    if isinstance(error, NotReadable):
        return str(error)
    if type(error).__name__ == "MemoryError":  # gdb's
        return NO_MEMORY
    return "%s, or without debug information (%s)" % (NOT_ALIVE, HOW_TO_GET_IT)


def check(condition, why=NOT_ALIVE):
    if not condition:
        raise NotReadable(why)


# ---- pointers, handles and lists -----------------------------------------------------------------------------------


def pointee(pointer, alignment=1):
    """The object behind a pointer, or None."""
    address = int(pointer)
    check(address % alignment == 0)
    return debugger.target(pointer) if address else None


def node_at(pointer):
    """The Node behind a pointer to it or to an op, or None. (Of the op's own type there may be no debug information.)"""
    address = int(pointer)
    check(address % RECYCLER_ALIGNMENT == 0)
    return debugger.at(pointer, address, debugger.type_named(pointer, NODE)) if address else None


def held(ref, alignment=1):
    """The object that a Ref<T> holds, or None."""
    return pointee(ref["object_"], alignment)


def pointer_at(value, address):
    return struct.unpack("=Q", debugger.read(value, address, 8))[0]


def owned(unique_ptr):
    """The object that a std::unique_ptr holds, or None: the pointer is all there is in it."""
    address = pointer_at(unique_ptr, debugger.address_of(unique_ptr))
    return debugger.at(unique_ptr, address, debugger.type_within(unique_ptr)) if address else None


class SmallVectorData:
    """What a SmallVector holds, checked."""

    def __init__(self, value):
        self.value = value
        self.type = debugger.type_within(value)
        self.bytes_each = debugger.size_of(self.type)
        self.size, capacity = int(value["size_"]), int(value["capacity_"])
        check(0 <= self.size <= MAX_LIST and self.size <= capacity)
        self.first = debugger.address_of(value["in_place_"])
        if capacity * self.bytes_each > debugger.size_of(value["in_place_"]):  # the pointer to them is there instead
            self.first = pointer_at(value, self.first)
            check(self.first != 0)
        if self.size > 0:
            debugger.read(value, self.first + self.size * self.bytes_each - 1, 1)  # the last one is there

    def items(self, most=MAX_SHOWN):
        """The first ones, one by one: each takes time to look at, and cat() can have a million inputs."""
        for i in range(min(self.size, most)):
            yield debugger.at(self.value, self.first + i * self.bytes_each, self.type)


def text_at(pointer):
    """The C string there."""
    address = int(pointer)
    check(address != 0)
    text = b""
    while b"\0" not in text and len(text) < MAX_TEXT:
        count = 16 - (address + len(text)) % 16  # never across the end of a page
        text += debugger.read(pointer, address + len(text), count)
    return text.split(b"\0")[0].decode("ascii", "replace")


# ---- small things --------------------------------------------------------------------------------------------------

# Name, bytes and struct's letter for each.
DTYPES = [("float32", 4, "f"), ("float64", 8, "d"), ("int64", 8, "q"), ("boolean", 1, "?")]


def dtype_of(value):
    number = int(value)
    check(0 <= number < len(DTYPES))
    return DTYPES[number]


def shape_of(value):
    """The numbers of a Shape, Strides or Dims."""
    dim = int(value["dim_"])
    check(0 <= dim <= MAX_DIMS)
    memory = debugger.read(value, debugger.address_of(value["sizes_"]), 8 * dim)
    return list(struct.unpack("=%dq" % dim, memory))


def list_text(items):
    return "[%s]" % ", ".join(str(item) for item in items)


def place_text(where):
    """ "main.cpp:12", or "" for no place. As in the program, a file below the current folder is named from there."""
    line = int(where["line"])
    return "%s:%d" % (text_at(where["file"]).removeprefix(os.getcwd() + os.sep), line) if line > 0 else ""


NO_STEP = -(2**63)  # of a scope that is not a loop's step


def scope_text(scope):
    """ "encoder.rnn, step 3" """
    path = ""
    before_step = False
    for _ in range(MAX_SCOPES):
        if scope is None:
            return path
        check(0 < int(scope["refs"]) < MAX_REFS)
        is_step = int(scope["step"]) != NO_STEP
        name = "step %d" % int(scope["step"]) if is_step else debugger.string(scope["name"])
        path = name + ("" if not path else ", " if before_step else ".") + path
        before_step = is_step
        scope = held(scope["parent"])
    return "... " + path


# ---- tensors -------------------------------------------------------------------------------------------------------

WHOLE_UP_TO = 60  # elements; larger tensors are shortened to some at both ends of each dim


def element_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else "%.6g" % value  # a NaN's sign says nothing
    return str(value)


class TensorData:
    """What a TensorImpl is, checked; nothing about the elements is read before it is asked for."""

    def __init__(self, impl):
        self.impl = impl
        self.defined = impl is not None
        if not self.defined:
            return
        self.address = debugger.address_of(impl)
        check(0 < int(impl["refs"]) < MAX_REFS)
        self.dtype, self.element_bytes, self.letter = dtype_of(impl["dtype"])
        self.shape = shape_of(impl["shape"])
        self.strides = shape_of(impl["strides"])
        self.numel = math.prod(self.shape)
        self.contiguous = bool(int(impl["contiguous"]))
        self.check_layout()

    def check_layout(self):
        """Every element lies within the storage."""
        storage = held(self.impl["storage"], STORAGE_ALIGNMENT)
        check(storage is not None and 0 < int(storage["refs"]) < MAX_REFS)
        self.data = int(storage["data"])
        check(self.data % RECYCLER_ALIGNMENT == 0)
        skipped = int(self.impl["first"]) - self.data
        check(skipped % self.element_bytes == 0)
        self.offset = skipped // self.element_bytes
        check(len(self.strides) == len(self.shape) and all(size >= 0 for size in self.shape))
        if self.numel == 0:
            return
        ends = [(size - 1) * stride for size, stride in zip(self.shape, self.strides)]
        self.first = self.offset + sum(end for end in ends if end < 0)
        self.last = self.offset + sum(end for end in ends if end > 0)
        check(0 <= self.first and (self.last + 1) * self.element_bytes <= int(storage["bytes"]))

    # What stands in the TensorImpl besides the array.

    def name(self):
        meta = held(self.impl["meta"])
        return debugger.string(meta["name"]) if meta is not None else ""

    def grad_fn(self):
        return node_data(self.impl["grad_fn"]["object_"])

    def node(self):
        """Where its gradient arrives: the op that made it, or its leaf, if there is one already."""
        return self.grad_fn() or node_data(self.impl["leaf"])

    def requires_grad(self):
        """Of a leaf."""
        return bool(int(self.impl["requires_grad"]))

    def gradient(self):
        meta = held(self.impl["meta"])
        gradient = tensor_data(meta["gradient"]) if meta is not None else None
        return gradient if gradient and gradient.defined else None

    # Text.

    def type_text(self):
        return "%s %s" % (self.dtype, list_text(self.shape))

    def summary(self, shown_up_to):
        """In one line, with the elements if there are no more than these."""
        if not self.defined:
            return "<undefined>"
        name = self.name()
        text = ('"%s" ' % name if name else "") + self.type_text()
        if self.numel <= shown_up_to:
            text += ": " + self.values_text()
        made_by = self.grad_fn()
        if made_by:
            return text + ", from " + made_by.summary(with_label=False)
        return text + (", requires grad" if self.requires_grad() else "")

    def values_text(self, row_separator=", "):
        """Nested lists, shortened where there are many elements. Rows can be set on lines of their own."""
        if self.numel == 0:
            return "[]"
        return self.nested(0, self.offset, self.shown_at_each_end(), row_separator)

    def shown_at_each_end(self):
        if self.numel <= WHOLE_UP_TO:
            return WHOLE_UP_TO
        for ends in (3, 2):
            if math.prod(min(size, 2 * ends) for size in self.shape) <= WHOLE_UP_TO:
                return ends
        return 1

    def nested(self, dim, position, ends, row_separator):
        if dim == len(self.shape):
            return element_text(self.element(position))
        size, stride = self.shape[dim], self.strides[dim]
        shown = list(range(size)) if size <= 2 * ends else [*range(ends), None, *range(size - ends, size)]
        innermost = dim + 1 == len(self.shape)
        separator = ", " if innermost or row_separator == ", " else row_separator + " " * (dim + 1)
        items = (
            "..." if i is None else self.nested(dim + 1, position + i * stride, ends, row_separator) for i in shown
        )
        return "[%s]" % separator.join(items)

    # The elements.

    def element(self, position):
        memory = debugger.read(self.impl, self.data + position * self.element_bytes, self.element_bytes)
        return struct.unpack("=" + self.letter, memory)[0]


def tensor_data(tensor):
    return TensorData(held(tensor["impl_"], RECYCLER_ALIGNMENT))


def saved_text(saved, shown_up_to):
    tensor = tensor_data(saved["value_"])
    text = tensor.summary(shown_up_to)
    if not tensor.defined:
        return text
    storage = held(tensor.impl["storage"])
    if int(storage["version"]) == int(saved["version_"]):
        return text
    write = owned(storage["last_write"])
    place = place_text(write["where"]) if write is not None else ""
    by = "%s at %s" % (text_at(write["op"]), place) if place else "something"
    return "%s, overwritten since by %s" % (text, by)


# ---- names ---------------------------------------------------------------------------------------------------------


def is_of_library(function):
    return function.startswith(("autograd::", "nn::", "std::"))


_names = (None, {})


def names_of_variables(value):
    """What the program's variables call the outputs of nodes, by the node's address."""
    global _names
    stop = debugger.stop(value)
    if _names[0] != stop:
        _names = (stop, {})
        try:
            for name, variable in debugger.variables(value):
                add_name(_names[1], name.rsplit("::")[-1], variable)
        except CANNOT_READ:
            pass  # the stack ends in something else
    return _names[1]


def add_name(names, name, variable):
    try:
        tensor = tensor_data(variable)
        node = tensor.node() if tensor.defined else None
        if node:
            names.setdefault(node.address, name)
    except CANNOT_READ:
        pass  # not initialised


# ---- nodes ---------------------------------------------------------------------------------------------------------


class NodeData:
    """What a Node is, checked."""

    def __init__(self, value):
        self.value = value
        check(0 < int(value["refs"]) < MAX_REFS)
        self.address = debugger.address_of(value)
        self.number = int(value["number"])
        self.dtype = dtype_of(value["dtype"])[0]
        self.shape = shape_of(value["shape"])
        info = pointee(value["op"])
        check(info is not None, "not yet on the tape, or freed")
        self.text = info["text"]
        self.name = text_at(self.text["name"])
        check(self.name and self.name.isprintable())
        self.is_leaf = self.name == "leaf"
        self.place = place_text(value["called_at"])

    def inputs(self, most=MAX_LIST):
        """The node of each input, None where no gradient is needed."""
        return (node_data(ref["object_"]) for ref in SmallVectorData(self.value["inputs"]).items(most))

    def module(self):
        return scope_text(held(self.value["scope"]))

    def leaf_tensor(self):
        """The tensor whose leaf this is. (A Leaf is a Node and its tensor; programs seldom have debug information
        about it.)"""
        tensor_type = debugger.type_named(self.value, "autograd::Tensor")
        node_type = debugger.type_named(self.value, NODE)
        tensor = tensor_data(debugger.at(self.value, self.address + debugger.size_of(node_type), tensor_type))
        check(tensor.defined and int(tensor.impl["leaf"]) == self.address)
        return tensor

    def label(self):
        """The name that set_name() or a module gave to its output, or the variable that holds it, or ""."""
        attachments = owned(self.value["attachments"])
        output = held(attachments["output_meta"]) if attachments is not None else None
        name = debugger.string(output["name"]) if output is not None else ""
        name = self.leaf_tensor().name() if self.is_leaf and not name else name
        return name or names_of_variables(self.value).get(self.address, "")

    # In the words of autograd::debug::describe().

    def short(self, with_label=True):
        """ "%6 tanh", "%7 hidden tanh", "%1 encoder.weight (leaf)" """
        words = ["%%%d" % self.number, self.label() if with_label else "", "(leaf)" if self.is_leaf else self.name]
        return " ".join(word for word in words if word)

    def summary(self, with_label=True):
        """ "%6 tanh at model.cpp:40 in encoder.rnn, step 3" """
        module = self.module()
        place = " at " + self.place if self.place else ""
        return self.short(with_label) + place + (" in " + module if module else "")

    def called_from(self):
        """For an op of the library's modules: the innermost line of the user's own that led there, or ""."""
        scope = held(self.value["scope"])
        place = self.place
        for _ in range(MAX_SCOPES):
            if scope is None or not place.startswith(LIBRARY_FOLDERS):
                break
            place = place_text(scope["called_from"]) or place
            scope = held(scope["parent"])
        return "" if place == self.place or place.startswith(LIBRARY_FOLDERS) else place

    def derivative_text(self):
        """ "%6 linear at nn/layers/linear.cpp:27 in Mlp.second, called at main.cpp:12: dx = dy W" """
        called_from = self.called_from()
        called = ", called at " + called_from if called_from else ""
        return "%s%s: %s" % (self.summary(), called, text_at(self.text["derivative"]))

    def type_text(self):
        return "%s %s" % (self.dtype, list_text(self.shape))


def node_data(pointer):
    node = node_at(pointer)
    return NodeData(node) if node is not None else None


# Ops are structs named after them: MaskedFill is masked_fill. These names could not be had.
IRREGULAR = {"WhereOp": "where", "SliceOp": "slice", "MaxAlongDim": "max"}


def op_name(struct_name):
    return IRREGULAR.get(struct_name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", struct_name).lower()
