"""LLDB support for Backstep:  (lldb) command script import autograd/debug/backstep_lldb.py

Shows tensors, nodes, shapes, ... as what they mean, in `frame variable`, `print` and IDEs; from memory alone, so core
files work too. The children of a tensor are its gradient and the op that made it, so that an IDE can walk the graph.

docs/debugging-with-gdb.md has a section about LLDB.
"""

import math
import struct

import lldb

# ---- reading memory ------------------------------------------------------------------------------------------------
#
# A debugger is asked about variables before they are initialised and after they are freed: every pointer, size and
# count is checked before it is used.

NOT_ALIVE = "uninitialised or freed"
MAX_DIMS = 8
MAX_REFS = 1 << 31
MAX_LIST = 1000
MAX_TEXT = 300
MAX_SCOPES = 100
RECYCLER_ALIGNMENT = 64  # of tensors, their elements, and nodes
STORAGE_ALIGNMENT = 8


class NotReadable(Exception):
    """The memory does not hold what its type says; the text is why."""


def check(condition, why=NOT_ALIVE):
    if not condition:
        raise NotReadable(why)


def member(value, *names):
    for name in names:
        value = value.GetNonSyntheticValue().GetChildMemberWithName(name)
        check(value.IsValid(), "no debug information about %s" % name)
    return value.GetNonSyntheticValue()


def number(value):
    error = lldb.SBError()
    result = value.GetValueAsSigned(error, 0)
    check(error.Success(), "its memory cannot be read")
    return result


def read_bytes(value, address, count):
    """The memory of the process that the value is from. (The target's ReadMemory finds constants in the program's file
    too, which core files leave out.)"""
    if count == 0:
        return b""
    target = value.GetTarget()
    error = lldb.SBError()
    memory = target.ReadMemory(lldb.SBAddress(address, target), count, error)
    check(error.Success() and len(memory) == count, "its memory cannot be read")
    return memory


def pointee(pointer, alignment=1):
    """The object behind a pointer, or None."""
    address = number(pointer)
    if address == 0:
        return None
    check(address % alignment == 0)
    target = pointer.Dereference().GetNonSyntheticValue()
    check(target.GetNumChildren() > 0, "no debug information about %s" % target.GetTypeName())
    return target


def held(ref, alignment=1):
    return pointee(member(ref, "object_"), alignment)


def owned(unique_ptr):
    """The object that a std::unique_ptr holds, or None: the pointer is all there is in it."""
    address = struct.unpack("=Q", read_bytes(unique_ptr, unique_ptr.GetLoadAddress(), 8))[0]
    if address == 0:
        return None
    return unique_ptr.CreateValueFromAddress("owned", address, unique_ptr.GetType().GetTemplateArgumentType(0))


def text_of(pointer):
    """The C string there."""
    address = number(pointer)
    check(address != 0)
    text = b""
    while b"\0" not in text and len(text) < MAX_TEXT:
        count = 16 - (address + len(text)) % 16  # never across the end of a page
        text += read_bytes(pointer, address + len(text), count)
    return text.split(b"\0")[0].decode("ascii", "replace")


def text_of_string(value):
    """Of a std::string: LLDB knows how to read it."""
    return (value.GetSummary() or "").strip('"')


def small_vector_size(value):
    size = number(member(value, "size_"))
    check(0 <= size <= MAX_LIST and size <= number(member(value, "capacity_")))
    return size


def small_vector_items(value):
    """The elements of a SmallVector."""
    in_place = member(value, "in_place_")
    type_ = value.GetType().GetCanonicalType().GetTemplateArgumentType(0)
    size, bytes_each = small_vector_size(value), type_.GetByteSize()
    first = in_place.GetLoadAddress()
    if number(member(value, "capacity_")) * bytes_each > in_place.GetByteSize():  # the pointer to them is there instead
        first = struct.unpack("=Q", read_bytes(value, first, 8))[0]
        check(first != 0)
    return [value.CreateValueFromAddress("[%d]" % i, first + i * bytes_each, type_) for i in range(size)]


# ---- what things are -----------------------------------------------------------------------------------------------

# Name, bytes and struct's letter for each.
DTYPES = [("float32", 4, "f"), ("float64", 8, "d"), ("int64", 8, "q"), ("boolean", 1, "?")]


def dtype_of(value):
    index = value.GetValueAsUnsigned(len(DTYPES))
    check(index < len(DTYPES))
    return DTYPES[index]


def shape_of(value):
    dim = number(member(value, "dim_"))
    check(0 <= dim <= MAX_DIMS)
    memory = read_bytes(value, member(value, "sizes_").GetLoadAddress(), 8 * dim)
    return list(struct.unpack("=%dq" % dim, memory))


def list_text(items):
    return "[%s]" % ", ".join(str(item) for item in items)


def place_text(where):
    line = number(member(where, "line"))
    return "%s:%d" % (text_of(member(where, "file")), line) if line > 0 else ""


def scope_text(scope):
    path = ""
    for _ in range(MAX_SCOPES):
        if scope is None:
            break
        separator = "" if not path else ", " if path.startswith("step ") else "."
        path = text_of_string(member(scope, "name")) + separator + path
        scope = held(member(scope, "parent"))
    return path


def element_text(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "nan" if math.isnan(value) else "%.6g" % value
    return str(value)


class TensorData:
    """What a Tensor is, checked."""

    WHOLE_UP_TO = 60  # elements; larger tensors are shortened

    def __init__(self, tensor):
        self.impl = held(member(tensor, "impl_"), RECYCLER_ALIGNMENT)
        self.defined = self.impl is not None
        if not self.defined:
            return
        check(0 < number(member(self.impl, "refs")) < MAX_REFS)
        self.dtype, self.element_bytes, self.letter = dtype_of(member(self.impl, "dtype"))
        self.shape = shape_of(member(self.impl, "shape"))
        self.strides = shape_of(member(self.impl, "strides"))
        self.numel = math.prod(self.shape)
        self.check_layout()

    def check_layout(self):
        """Every element lies within the storage."""
        storage = held(member(self.impl, "storage"), STORAGE_ALIGNMENT)
        check(storage is not None and 0 < number(member(storage, "refs")) < MAX_REFS)
        self.data = number(member(storage, "data"))
        check(self.data % RECYCLER_ALIGNMENT == 0)
        skipped = number(member(self.impl, "first")) - self.data
        check(skipped % self.element_bytes == 0)
        self.offset = skipped // self.element_bytes
        check(len(self.strides) == len(self.shape) and all(size >= 0 for size in self.shape))
        if self.numel == 0:
            return
        ends = [(size - 1) * stride for size, stride in zip(self.shape, self.strides)]
        first = self.offset + sum(end for end in ends if end < 0)
        last = self.offset + sum(end for end in ends if end > 0)
        check(0 <= first and (last + 1) * self.element_bytes <= number(member(storage, "bytes")))

    def name(self):
        label = owned(member(self.impl, "label"))
        return text_of_string(label.GetChildMemberWithName("name")) if label is not None else ""

    def grad_fn(self):
        return pointee(member(self.impl, "grad_fn", "object_"), RECYCLER_ALIGNMENT)

    def gradient(self):
        slot = held(member(self.impl, "gradient"))
        return slot.GetChildMemberWithName("gradient") if slot is not None else None

    def requires_grad(self):
        return number(member(self.impl, "requires_grad")) != 0

    def type_text(self):
        return "%s %s" % (self.dtype, list_text(self.shape))

    def summary(self):
        if not self.defined:
            return "<undefined>"
        name = self.name()
        text = '"%s" ' % name if name else ""
        text += "%s: %s" % (self.type_text(), self.values_text())
        node = self.grad_fn()
        if node is not None:
            return text + ", from " + node_text(node)
        return text + (", requires grad" if self.requires_grad() else "")

    def values_text(self):
        if self.numel == 0:
            return "[]"
        ends = next((n for n in (self.WHOLE_UP_TO, 3, 2, 1) if self.count_shown(n) <= self.WHOLE_UP_TO), 1)
        return self.nested(0, self.offset, ends)

    def count_shown(self, ends):
        return math.prod(min(size, 2 * ends) for size in self.shape)

    def nested(self, dim, position, ends):
        if dim == len(self.shape):
            memory = read_bytes(self.impl, self.data + position * self.element_bytes, self.element_bytes)
            return element_text(struct.unpack("=" + self.letter, memory)[0])
        size, stride = self.shape[dim], self.strides[dim]
        shown = list(range(size)) if size <= 2 * ends else [*range(ends), None, *range(size - ends, size)]
        return list_text("..." if i is None else self.nested(dim + 1, position + i * stride, ends) for i in shown)


def node_text(node):
    """ "%6 hidden tanh at model.cpp:40 in encoder.rnn, step 3", in the words of autograd::debug::describe() """
    check(0 < number(member(node, "refs")) < MAX_REFS)
    info = pointee(member(node, "op"))
    check(info is not None)
    name = text_of(member(info, "text", "name"))
    check(name.isprintable())
    words = ["%%%d" % number(member(node, "number")), node_label(node), "(leaf)" if name == "leaf" else name]
    text = " ".join(word for word in words if word)
    place = place_text(member(node, "called_at"))
    module = scope_text(held(member(node, "scope")))
    return text + (" at " + place if place else "") + (" in " + module if module else "")


def node_label(node):
    """The name that set_name() or a module gave to its output."""
    attachments = owned(member(node, "attachments"))
    name = text_of_string(attachments.GetChildMemberWithName("output_name")) if attachments is not None else ""
    if name or text_of(member(pointee(member(node, "op")), "text", "name")) != "leaf":
        return name
    # A Leaf is a Node and its tensor; programs seldom have debug information about it.
    address = node.GetLoadAddress()
    tensor_type = node.GetTarget().FindFirstType("autograd::Tensor")
    tensor = TensorData(node.CreateValueFromAddress("tensor", address + node.GetType().GetByteSize(), tensor_type))
    check(tensor.defined and number(member(tensor.impl, "leaf")) == address)
    return tensor.name()


def saved_text(saved):
    tensor = TensorData(member(saved, "value_"))
    if not tensor.defined:
        return "<undefined>"
    storage = held(member(tensor.impl, "storage"))
    changed = number(member(storage, "version")) != number(member(saved, "version_"))
    return tensor.summary() + (", overwritten since" if changed else "")


def ref_text(ref):
    target = held(ref)
    if target is None:
        return "<null>"
    kind = ref.GetType().GetCanonicalType().GetTemplateArgumentType(0).GetName()
    if kind == "autograd::Node":
        return node_text(target)
    if kind == "autograd::Scope":
        return '"%s"' % scope_text(target)
    return "Ref to %s" % kind


# ---- summaries and children ----------------------------------------------------------------------------------------


def summary(what, text):
    """An LLDB summary function that never fails."""

    def function(value, internal):
        try:
            value = value.GetNonSyntheticValue()
            if value.GetType().IsPointerType():
                value = pointee(value)
                if value is None:
                    return "<null>"
            return text(value)
        except (NotReadable, struct.error, ValueError, OverflowError, TypeError) as error:
            return "<not a %s: %s>" % (what, error if isinstance(error, NotReadable) else NOT_ALIVE)

    return function


def base_node(value):
    """The Node in an op, or None for what is no op."""
    for _ in range(8):
        if value.GetTypeName().replace("const ", "") == "autograd::Node":
            return value
        if value.GetType().GetNumberOfDirectBaseClasses() == 0:
            return None
        value = value.GetChildAtIndex(0).GetNonSyntheticValue()  # the base class comes first
    return None


def op_text(value):
    node = base_node(value)
    return node_text(node) if node is not None else ""


tensor_summary = summary("tensor", lambda value: TensorData(value).summary())
node_summary = summary("node", node_text)
op_summary = summary("node", op_text)
saved_summary = summary("saved value", saved_text)
shape_summary = summary("shape", lambda value: list_text(shape_of(value)))
scope_summary = summary("scope", lambda value: '"%s"' % scope_text(value))
where_summary = summary("place", lambda value: place_text(value) or "<nowhere>")
ref_summary = summary("handle", ref_text)
small_vector_summary = summary("list", lambda value: "list of %d" % small_vector_size(value))


class Children:
    """Synthetic children, found by find() when the value has changed."""

    def __init__(self, value, internal):
        value = value.GetNonSyntheticValue()
        if value.GetType().IsReferenceType() or value.GetType().IsPointerType():
            value = value.Dereference().GetNonSyntheticValue()
        self.value = value
        self.children = []

    def update(self):
        try:
            self.children = list(self.find(self.value))
        except (NotReadable, struct.error, ValueError, OverflowError, TypeError):
            self.children = []

    def num_children(self):
        return len(self.children)

    def has_children(self):
        return bool(self.children)

    def get_child_at_index(self, index):
        return self.children[index] if 0 <= index < len(self.children) else None

    def get_child_index(self, name):
        return next((i for i, child in enumerate(self.children) if child.GetName() == name), -1)


class NoChildren(Children):
    """The summary says it all."""

    def find(self, value):
        return ()


class TensorChildren(Children):
    """Its gradient and the op that made it: a pointer, which is not unfolded unless asked for."""

    def find(self, value):
        tensor = TensorData(value)
        if not tensor.defined:
            return
        gradient = tensor.gradient()
        if gradient is not None and number(member(gradient, "impl_", "object_")):
            yield gradient.Clone("grad")
        if tensor.grad_fn() is not None:
            yield member(tensor.impl, "grad_fn", "object_").Clone("grad_fn")


def text_child(value, name, text):
    """A child that is text, copied: of a const char* in a core file LLDB would show nothing."""
    target, process = value.GetTarget(), value.GetProcess()
    data = lldb.SBData.CreateDataFromCString(process.GetByteOrder(), process.GetAddressByteSize(), text)
    type_ = target.GetBasicType(lldb.eBasicTypeChar).GetArrayType(len(text))
    return value.CreateValueFromData(name, data, type_)


class NodeChildren(Children):
    """The formula, the shape of its output, the nodes of its inputs, and what the op keeps."""

    def find(self, value):
        node = base_node(value)
        node_text(node)  # is it one?
        text = member(pointee(member(node, "op")), "text")
        for name in ("formula", "derivative"):
            yield text_child(value, name, text_of(member(text, name)))
        for name in ("shape", "dtype", "gradient"):
            yield node.GetChildMemberWithName(name)
        for i, ref in enumerate(small_vector_items(node.GetChildMemberWithName("inputs"))):
            yield member(ref, "object_").Clone("input %d" % i)
        if value.GetTypeName() != node.GetTypeName():
            yield from (value.GetChildAtIndex(i) for i in range(1, value.GetNumChildren()))


class RefChildren(Children):
    def find(self, value):
        if held(value) is not None:
            yield member(value, "object_").Clone("object")


class SmallVectorChildren(Children):
    def find(self, value):
        return small_vector_items(value)


FORMATS = [
    ("autograd::Tensor", "tensor_summary", "TensorChildren"),
    ("autograd::Node", "node_summary", "NodeChildren"),
    ("^autograd::[A-Z][A-Za-z]*$", "op_summary", None),  # Tanh, Matmul, ...; whole names go first
    ("autograd::Saved", "saved_summary", "NoChildren"),
    ("autograd::Shape", "shape_summary", "NoChildren"),
    ("autograd::Strides", "shape_summary", "NoChildren"),
    ("autograd::Dims", "shape_summary", "NoChildren"),
    ("autograd::Scope", "scope_summary", None),
    ("autograd::Where", "where_summary", "NoChildren"),
    ("^autograd::Ref<.*>$", "ref_summary", "RefChildren"),
    ("^autograd::SmallVector<.*>$", "small_vector_summary", "SmallVectorChildren"),
    ("autograd::Inputs", "small_vector_summary", "SmallVectorChildren"),
    ("autograd::Grads", "small_vector_summary", "SmallVectorChildren"),
]


def __lldb_init_module(debugger, internal):
    for type_name, summary_function, children in FORMATS:
        kind = '-x "%s"' % type_name if type_name.startswith("^") else type_name
        debugger.HandleCommand("type summary add -w backstep -e -F %s.%s %s" % (__name__, summary_function, kind))
        if children:
            debugger.HandleCommand("type synthetic add -w backstep -l %s.%s %s" % (__name__, children, kind))
    debugger.HandleCommand("type category enable backstep")
