"""LLDB support for Backstep:  (lldb) command script import autograd/debug/backstep_lldb.py

Shows tensors, nodes, shapes, ... as what they mean, in `frame variable`, `print` and IDEs; from memory alone, so core
files work too. The children of a tensor are its gradient and the op that made it, so that an IDE can walk the graph.

docs/debugging-with-gdb.md has a section about LLDB.
"""

import math
import os
import sys

import lldb

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import backstep_objects as objects
from backstep_objects import CANNOT_READ, NO_MEMORY, NODE, OWNED_NODE, NodeData, SmallVectorData, check, held, list_text, node_data
from backstep_objects import place_text, pointee, reason, saved_text, scope_text, shape_of, tensor_data, text_at

sys.path.pop(0)

# ---- what LLDB's values are to backstep_objects.py -----------------------------------------------------------------


class Value:
    """An SBValue, without the children that are made up below; of a reference, what it refers to."""

    def __init__(self, sb):
        sb = sb.GetNonSyntheticValue()
        self.sb = sb.Dereference().GetNonSyntheticValue() if sb.GetType().IsReferenceType() else sb

    def is_pointer(self):
        return self.sb.GetType().IsPointerType()

    def __getitem__(self, name):
        member = self.sb.GetChildMemberWithName(name)
        check(member.IsValid(), "no debug information about %s" % name)
        return Value(member)

    def __int__(self):
        error = lldb.SBError()
        result = self.sb.GetValueAsSigned(error, 0)
        check(error.Success(), NO_MEMORY)
        return result


class Debugger:
    """A value is a Value, a type an SBType."""

    def read(self, value, address, count):
        """(The target's ReadMemory finds constants in the program's file too, which core files leave out.)"""
        if count == 0:
            return b""
        target = value.sb.GetTarget()
        error = lldb.SBError()
        memory = target.ReadMemory(lldb.SBAddress(address, target), count, error)
        check(error.Success() and len(memory) == count, NO_MEMORY)
        return memory

    def string(self, value):
        return (value.sb.GetSummary() or "").strip('"')  # LLDB knows how to read it

    def address_of(self, value):
        return value.sb.GetLoadAddress()

    def target(self, pointer):
        target = Value(pointer.sb.Dereference())
        check(target.sb.GetNumChildren() > 0, "no debug information about %s (%s)" % (target.sb.GetTypeName(), objects.HOW_TO_GET_IT))
        return target

    def at(self, value, address, type_):
        return Value(value.sb.CreateValueFromAddress("object", address, type_))

    def type_named(self, value, name):
        return value.sb.GetTarget().FindFirstType(name)

    def type_within(self, value):
        return value.sb.GetType().GetCanonicalType().GetTemplateArgumentType(0)

    def stop(self, value):
        process = value.sb.GetProcess()
        return process.GetUniqueID(), process.GetStopID(), process.GetSelectedThread().GetThreadID()

    def variables(self, value):
        for frame in reversed(list(value.sb.GetProcess().GetSelectedThread())[:MAX_FRAMES]):
            if objects.is_of_library(frame.GetFunctionName() or ""):
                continue
            line = frame.GetLineEntry().GetLine()
            found = [one for one in frame.GetVariables(True, True, True, True) if is_tensor(one)]
            for one in sorted(found, key=lambda one: one.GetDeclaration().GetLine()):
                if one.GetValueType() != lldb.eValueTypeVariableLocal or one.GetDeclaration().GetLine() < line:
                    yield one.GetName(), Value(one)

    def size_of(self, value_or_type):
        return value_or_type.sb.GetByteSize() if isinstance(value_or_type, Value) else value_or_type.GetByteSize()


objects.use(Debugger())

MAX_FRAMES = 100  # whose variables are looked at


def is_tensor(sb):
    type_ = sb.GetType()
    return (type_.GetDereferencedType() if type_.IsReferenceType() else type_).GetUnqualifiedType().GetName() == "autograd::Tensor"



def tensor_text(tensor):
    return tensor_data(tensor).summary(shown_up_to=math.inf)


def node_text(node):
    return NodeData(node).summary()


def ref_text(ref):
    kind = ref.sb.GetType().GetCanonicalType().GetTemplateArgumentType(0).GetName()
    if kind in (NODE, OWNED_NODE):
        node = node_data(ref["object_"])
        return node.summary() if node else "<null>"
    target = held(ref)
    if target is None:
        return "<null>"
    return '"%s"' % scope_text(target) if kind == "autograd::Scope" else "Ref to %s" % kind


def list_text_of(vector):
    size = SmallVectorData(vector).size
    return "list of %d" % size if size else "empty list"


# ---- summaries and children ----------------------------------------------------------------------------------------


def summary(what, text):
    """An LLDB summary function that never fails."""

    def function(value, internal):
        try:
            value = Value(value)
            if value.is_pointer():
                value = pointee(value)
            return text(value) if value else "<null>"
        except CANNOT_READ as error:
            return "<not a %s: %s>" % (what, reason(error))

    return function


def base_node(value):
    """The Node in an op, or None for what is not an op."""
    for _ in range(8):
        if value.sb.GetTypeName().replace("const ", "") == NODE:
            return value
        if value.sb.GetType().GetNumberOfDirectBaseClasses() == 0:
            return None
        value = Value(value.sb.GetChildAtIndex(0))  # the base class comes first
    return None


def op_text(value):
    node = base_node(value)
    return node_text(node) if node else ""


tensor_summary = summary("tensor", tensor_text)
node_summary = summary("node", node_text)
op_summary = summary("node", op_text)
saved_summary = summary("saved value", lambda value: saved_text(value, shown_up_to=math.inf))
shape_summary = summary("shape", lambda value: list_text(shape_of(value)))
scope_summary = summary("scope", lambda value: '"%s"' % scope_text(value))
where_summary = summary("place", lambda value: place_text(value) or "<nowhere>")
ref_summary = summary("handle", ref_text)
small_vector_summary = summary("list", list_text_of)
number_summary = summary("number", lambda value: value["value_"].sb.GetValue())


class Children:
    """Synthetic children, found by find() when the value has changed."""

    def __init__(self, value, internal):
        value = Value(value)
        self.value = Value(value.sb.Dereference()) if value.is_pointer() else value
        self.children = []

    def update(self):
        try:
            self.children = list(self.find(self.value))
        except CANNOT_READ:
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
        tensor = tensor_data(value)
        if not tensor.defined:
            return
        if tensor.gradient():
            yield held(tensor.impl["meta"])["gradient"].sb.Clone("grad")
        if tensor.grad_fn():
            node_type = value.sb.GetTarget().FindFirstType(NODE)
            yield tensor.impl["grad_fn"]["object_"].sb.Cast(node_type.GetPointerType()).Clone("grad_fn")


def text_child(value, name, text):
    """A child that is text, copied: of a const char* in a core file LLDB would show nothing."""
    target, process = value.sb.GetTarget(), value.sb.GetProcess()
    data = lldb.SBData.CreateDataFromCString(process.GetByteOrder(), process.GetAddressByteSize(), text)
    type_ = target.GetBasicType(lldb.eBasicTypeChar).GetArrayType(len(text))
    return value.sb.CreateValueFromData(name, data, type_)


class NodeChildren(Children):
    """The formula, the shape of its output, the nodes of its inputs, and what the op keeps."""

    def find(self, value):
        node = base_node(value)
        text = NodeData(node).text
        for name in ("formula", "derivative"):
            yield text_child(value, name, text_at(text[name]))
        for name in ("shape", "dtype", "gradient"):
            yield node[name].sb
        for i, ref in enumerate(SmallVectorData(node["inputs"]).items()):
            yield ref["object_"].sb.Clone("input %d" % i)
        if value.sb.GetTypeName() != node.sb.GetTypeName():
            yield from (value.sb.GetChildAtIndex(i) for i in range(1, value.sb.GetNumChildren()))


class RefChildren(Children):
    def find(self, value):
        if held(value):
            yield value["object_"].sb.Clone("object")


class SmallVectorChildren(Children):
    def find(self, value):
        return (item.sb.Clone("[%d]" % i) for i, item in enumerate(SmallVectorData(value).items()))


FORMATS = [
    ("autograd::Tensor", "tensor_summary", "TensorChildren"),
    ("autograd::Node", "node_summary", "NodeChildren"),
    ("^autograd::[A-Z][A-Za-z]*$", "op_summary", None),  # Tanh, Matmul, ...; whole names go first
    ("autograd::Saved", "saved_summary", "NoChildren"),
    ("autograd::Shape", "shape_summary", "NoChildren"),
    ("autograd::Strides", "shape_summary", "NoChildren"),
    ("autograd::Dims", "shape_summary", "NoChildren"),
    ("autograd::Int", "number_summary", "NoChildren"),
    ("autograd::Flag", "number_summary", "NoChildren"),
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
