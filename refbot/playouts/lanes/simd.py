"""Vectors of small integers inside numba kernels: many lanes, one operation.

numba does not vectorise bitboard code by itself: its integer promotion and its aliasing rules get in the
way. Here a vector is an LLVM value of type `<count x iBITS>` that exists **while code is generated**: the
operators of `Vec` note one operation each in a graph (see `logic`), and Python loops over rows unroll
themselves. At the end the graph is emitted. LLVM lowers the same code to AVX-512, AVX2, SSE2 or NEON; only
bit logic is emitted differently if there is AVX-512. Where a register holds less than VECTOR_BYTES, a vector
is cut into parts of one register, and the code runs once for each part.

    def emit_double(memory):               # runs while the kernel is compiled
        memory.store(0, memory.load(0) + memory.load(0))

    double = workspace_intrinsic(emit_double, Memory)

    @kernel
    def twice(layout, workspace):          # an ordinary numba function
        double(layout, workspace)

A mask is a vector whose lanes are all ones or all zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import and_, invert, or_, xor
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox

from refbot.compile.numba_cache import target_of
from refbot.playouts.lanes.logic import Graph, Node

VECTOR_BYTES = 64  # of all lanes: one register of AVX-512, two of AVX2, four of SSE2 or NEON


@dataclass(frozen=True)
class Lanes:
    """The shape of a vector: `count` lanes of `bits` bits."""

    bits: int
    count: int

    @property
    def bytes(self) -> int:
        """The size of a vector."""
        return self.bits * self.count // 8

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of one lane."""
        return np.dtype(f"uint{self.bits}")

    @property
    def llvm(self) -> Any:
        """The LLVM type of one vector."""
        return ir.VectorType(ir.IntType(self.bits), self.count)


LANES_16 = Lanes(16, 8 * VECTOR_BYTES // 16)
LANES_32 = Lanes(32, 8 * VECTOR_BYTES // 32)
LANES_64 = Lanes(64, 8 * VECTOR_BYTES // 64)


def workspace_array(lanes: Lanes, vectors: int) -> npt.NDArray[Any]:
    """Zeroed memory for `vectors` vectors, shape (vectors, count), aligned as vector loads need it."""
    wanted = vectors * VECTOR_BYTES
    raw = np.zeros(wanted + VECTOR_BYTES, np.uint8)
    start = -raw.ctypes.data % VECTOR_BYTES
    return raw[start : start + wanted].view(lanes.dtype).reshape(vectors, -1)


class Vec:
    """One vector in the code being generated; integers among the operands stand for all lanes alike."""

    __slots__ = ("graph", "lanes", "node", "number")

    def __init__(self, graph: Graph, lanes: Lanes, node: Node, number: int | None = None) -> None:
        self.graph = graph
        self.lanes = lanes
        self.node = node
        self.number = number  # in every lane, if that is known

    def constant(self, number: int) -> Vec:
        """`number` in every lane."""
        return constant(self.graph, self.lanes, number)

    def _of(self, other: Vec | int) -> Vec:
        return other if isinstance(other, Vec) else self.constant(other)

    def _new(self, name: str, emit: Callable[..., Any], *others: Vec | int) -> Vec:
        nodes = (self.node, *(self._of(other).node for other in others))
        return Vec(self.graph, self.lanes, self.graph.note(nodes, emit, key=(name, self.lanes)))

    def _instruction(self, name: str, other: Vec | int) -> Vec:
        return self._new(name, lambda builder, a, b: getattr(builder, name)(a, b), other)

    def _logic(self, name: str, combine: Callable[..., int], *others: Vec) -> Vec:
        def emit(builder: Any, *values: Any) -> Any:
            return getattr(builder, name)(*values)

        nodes = (self.node, *(other.node for other in others))
        return Vec(self.graph, self.lanes, self.graph.note(nodes, emit, key=name, combine=combine))

    def __and__(self, other: Vec | int) -> Vec:
        its, ones = self._of(other), self._ones
        for one, another in ((self, its), (its, self)):
            if one.number is not None and one.number in (0, ones):
                return another if one.number else one
        return self._logic("and_", and_, its)

    def __or__(self, other: Vec | int) -> Vec:
        its, ones = self._of(other), self._ones
        for one, another in ((self, its), (its, self)):
            if one.number is not None and one.number in (0, ones):
                return one if one.number else another
        return self._logic("or_", or_, its)

    def __xor__(self, other: Vec | int) -> Vec:
        its = self._of(other)
        for one, another in ((self, its), (its, self)):
            if one.number == 0:
                return another
            if one.number == self._ones:
                return ~another
        return self._logic("xor", xor, its)

    def __invert__(self) -> Vec:
        if self.number is not None:
            return self.constant(~self.number)
        return self._logic("not_", invert)

    def without(self, other: Vec) -> Vec:
        """`self & ~other`, which stays one operation.

        LLVM would merge the two into the logic around them, where the inversion needs an instruction of its
        own.
        """

        def emit(builder: Any, value: Any, removed: Any) -> Any:
            return _fenced(builder, builder.and_(value, builder.not_(removed)))

        nodes = (self.node, other.node)
        noted = self.graph.note(nodes, emit, key="without", combine=lambda a, b: a & ~b)
        return Vec(self.graph, self.lanes, noted)

    @property
    def _ones(self) -> int:
        return (1 << self.lanes.bits) - 1

    def __add__(self, other: Vec | int) -> Vec:
        return self._instruction("add", other)

    def __sub__(self, other: Vec | int) -> Vec:
        return self._instruction("sub", other)

    def __mul__(self, other: Vec | int) -> Vec:
        return self._instruction("mul", other)

    def __neg__(self) -> Vec:
        return self.constant(0) - self

    def __lshift__(self, distance: int) -> Vec:
        return self if self.number == 0 else self._instruction("shl", distance)

    def __rshift__(self, distance: int) -> Vec:
        return self if self.number == 0 else self._instruction("lshr", distance)

    def negative(self) -> Vec:
        """The mask of the lanes below zero (as signed numbers)."""
        return self._instruction("ashr", self.lanes.bits - 1)

    def _compare(self, how: str, other: Vec | int, *, signed: bool) -> Vec:
        def emit(builder: Any, a: Any, b: Any) -> Any:
            compare = builder.icmp_signed if signed else builder.icmp_unsigned
            return builder.sext(compare(how, a, b), self.lanes.llvm)

        return self._new(f"{how} {signed}", emit, other)

    def nonzero(self) -> Vec:
        """The mask of the lanes that are not zero."""
        return self._compare("!=", 0, signed=False)

    def less(self, other: Vec | int) -> Vec:
        """The mask of the lanes where self < other, as signed numbers."""
        return self._compare("<", other, signed=True)

    def below(self, other: Vec | int) -> Vec:
        """The mask of the lanes where self < other, as unsigned numbers."""
        return self._compare("<", other, signed=False)

    def select(self, yes: Vec, no: Vec) -> Vec:
        """Self is a mask: `yes` where it is set, `no` elsewhere."""
        return no ^ ((yes ^ no) & self)

    def lower(self, other: Vec) -> Vec:
        """The lesser of both in each lane, as unsigned numbers."""
        return self._new(
            "lower", lambda builder, a, b: builder.select(builder.icmp_unsigned("<", a, b), a, b), other
        )

    def without_lowest(self, more: Vec, than: int) -> Vec:
        """Without the lowest bit in the lanes where `more` is greater than a number."""
        return self & (self + self.constant(than).less(more))

    def popcount(self) -> Vec:
        """The number of ones in each lane."""
        # llvmlite's own ctpop takes scalars only; the intrinsic is called by its name.
        name = f"llvm.ctpop.v{self.lanes.count}i{self.lanes.bits}"
        signature = ir.FunctionType(self.lanes.llvm, [self.lanes.llvm])
        return self._new("popcount", lambda builder, a: _called(builder, name, signature, a))

    def multiply_high(self, other: Vec) -> Vec:
        """The upper half of each unsigned product."""
        wide = ir.VectorType(ir.IntType(2 * self.lanes.bits), self.lanes.count)
        shift = ir.Constant(wide, [self.lanes.bits] * self.lanes.count)

        def emit(builder: Any, a: Any, b: Any) -> Any:
            product = builder.mul(builder.zext(a, wide), builder.zext(b, wide))
            return builder.trunc(builder.lshr(product, shift), self.lanes.llvm)

        return self._new("multiply high", emit, other)

    def multiply_lower_halves(self, other: Vec) -> Vec:
        """The product of the lower half of each lane."""
        half = ir.Constant(self.lanes.llvm, [(1 << self.lanes.bits // 2) - 1] * self.lanes.count)

        def emit(builder: Any, a: Any, b: Any) -> Any:
            # Where LLVM knew that the upper half is zero, it would drop the mask, and then not know it any
            # more when it chooses the instruction: a product of whole lanes takes three times as long.
            return builder.mul(*(builder.and_(_fenced(builder, value), half) for value in (a, b)))

        return self._new("multiply lower halves", emit, other)

    def as_lanes(self, lanes: Lanes) -> Vec:
        """Return the bits, cut into lanes of another width."""

        def emit(builder: Any, value: Any) -> Any:
            return builder.bitcast(value, lanes.llvm)

        return Vec(self.graph, lanes, self.graph.note((self.node,), emit, key=("as lanes", lanes)))

    def lane_set(self) -> Node:
        """A scalar i64 with bit k set iff lane k is not zero."""

        def emit(builder: Any, value: Any) -> Any:
            compared = builder.icmp_unsigned("!=", value, ir.Constant(self.lanes.llvm, None))
            packed = builder.bitcast(compared, ir.IntType(self.lanes.count))
            return builder.zext(packed, ir.IntType(64))

        return self.graph.note((self.node,), emit, effect=True)


def constant(graph: Graph, lanes: Lanes, number: int) -> Vec:
    """`number` in every lane."""
    wrapped = number & ((1 << lanes.bits) - 1)
    value = ir.Constant(lanes.llvm, [wrapped] * lanes.count)
    return Vec(graph, lanes, graph.note((), lambda _builder: value, key=(wrapped, lanes)), wrapped)


def _called(builder: Any, name: str, signature: Any, *arguments: Any) -> Any:
    function = cgutils.get_or_insert_function(builder.module, signature, name)  # type: ignore[no-untyped-call]
    return builder.call(function, arguments)


def _fenced(builder: Any, value: Any) -> Any:
    """Return the value hidden from LLVM's rewriting. This exists for floats only."""
    floats = ir.VectorType(ir.FloatType(), value.type.count * value.type.element.width // 32)
    name, signature = f"llvm.arithmetic.fence.v{floats.count}f32", ir.FunctionType(floats, [floats])
    return builder.bitcast(_called(builder, name, signature, builder.bitcast(value, floats)), value.type)


@dataclass(frozen=True)
class Layout:
    """The parameters of a specialised kernel: its first argument, which is a type and costs nothing."""

    lanes: Lanes

    @property
    def parts(self) -> int:
        """How many vectors of the machine make a row of the workspace."""
        return VECTOR_BYTES // self.lanes.bytes


class Memory:
    """The workspace of a kernel in the code being generated: an array of vectors, indexed by constants."""

    def __init__(self, graph: Graph, layout: Layout, pointer: Any) -> None:
        self.graph = graph
        self.layout = layout
        self.lanes = layout.lanes
        self._pointer = pointer

    def _at(self, builder: Any, index: int) -> Any:
        pointer = builder.bitcast(self._pointer, self.lanes.llvm.as_pointer())
        index *= self.layout.parts
        return builder.gep(pointer, [ir.Constant(ir.IntType(64), index)], inbounds=True)

    def load(self, index: int) -> Vec:
        """The vector at `index`."""

        def emit(builder: Any) -> Any:
            return builder.load(self._at(builder, index), align=self.lanes.bytes)

        return Vec(self.graph, self.lanes, self.graph.note((), emit))

    def store(self, index: int, vec: Vec) -> None:
        """Writes the vector at `index`."""

        def emit(builder: Any, value: Any) -> Any:
            return builder.store(value, self._at(builder, index), align=self.lanes.bytes)

        self.graph.note((vec.node,), emit, effect=True)

    def barrier(self) -> None:
        """Makes later loads read memory again; emits no instruction.

        Without it LLVM keeps values alive across branches and spills them, though they are in memory already.
        """
        self.graph.note((), lambda builder: builder.fence("seq_cst", targetscope="singlethread"), effect=True)

    def constant(self, number: int) -> Vec:
        """`number` in every lane."""
        return constant(self.graph, self.lanes, number)


class LayoutType(types.Type):
    """The numba type of a layout: equal layouts are one type, and so one compiled kernel."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        super().__init__(name=repr(layout))


@typeof_impl.register(Layout)
def _typeof_layout(layout: Layout, _context: Any) -> LayoutType:
    return LayoutType(layout)


@unbox(LayoutType)  # type: ignore[no-untyped-call]
def _unbox_layout(_type: Any, _object: Any, context: Any) -> Any:
    return NativeValue(context.context.get_dummy_value())  # type: ignore[no-untyped-call]


register_model(LayoutType)(models.OpaqueModel)


M = TypeVar("M", bound=Memory)
_NUMBER = ir.IntType(64)


def workspace_intrinsic(emit: Callable[[M], Any], memory: type[M]) -> Any:
    """A function of (layout, workspace) for numba code, with a body that `emit` writes.

    It returns the set of lanes that `emit` returned, or 0.
    """

    def typing(_context: Any, layout: Any, workspace: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code, pointer = _code_of(emit, memory, context, builder, signature, arguments)
            if code.layout.parts == 1:
                return code.written(builder, pointer)
            return _called_for_each_part(builder, code, pointer)

        return types.int64(layout, workspace), generate

    return _named_intrinsic(typing, emit)


def lanes_intrinsic(emit: Callable[[M], None], memory: type[M]) -> Any:
    """A function of (layout, workspace, set of lanes), which may leave the other lanes as they are.

    The parts of a vector without any of these lanes are left out.
    """

    def typing(_context: Any, layout: Any, workspace: Any, lane_set: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code, pointer = _code_of(emit, memory, context, builder, signature, arguments)
            if code.layout.parts == 1:
                code.written(builder, pointer)
            else:
                _called_for_some_parts(builder, code, pointer, arguments[2])
            return context.get_dummy_value()

        return types.void(layout, workspace, lane_set), generate

    return _named_intrinsic(typing, emit)


def _named_intrinsic(typing: Any, emit: Callable[..., Any]) -> Any:
    typing.__name__ = emit.__name__
    typing.__doc__ = emit.__doc__
    return intrinsic(typing)


@dataclass(frozen=True)
class Code:
    """Code written by `emit` for a layout and a processor with these features."""

    emit: Callable[[Any], Any]
    memory: type[Memory]
    layout: Layout
    features: str

    def written(self, builder: Any, pointer: Any) -> Any:
        """Writes the code for one part of the workspace, at `pointer`; returns the set of lanes, or 0."""
        _align_spills(builder.function)
        graph = Graph()
        result = self.emit(self.memory(graph, self.layout, pointer))
        graph.emit(builder, _tables(self.features, builder, self.layout.lanes))
        return ir.Constant(_NUMBER, 0) if result is None else result.value

    def function(self, module: Any) -> Any:
        """A function in LLVM of the address of a part. In a loop, addresses would need a second register."""
        signature = ir.FunctionType(_NUMBER, [self.layout.lanes.llvm.as_pointer()])
        function = ir.Function(module, signature, module.get_unique_name(self.emit.__name__))
        function.linkage = "internal"
        function.attributes.add("noinline")
        builder = ir.IRBuilder(function.append_basic_block())
        builder.ret(self.written(builder, function.args[0]))
        return function


def _code_of(
    emit: Callable[..., Any], memory: type[Memory], context: Any, builder: Any, signature: Any, arguments: Any
) -> tuple[Code, Any]:
    """(The code for the layout that a kernel passes, the address of its workspace)."""
    _, _, features = target_of(context)
    array = context.make_array(signature.args[1])(context, builder, arguments[1])
    return Code(emit, memory, signature.args[0].layout, features), array.data


def _parts(builder: Any, code: Code, pointer: Any) -> Iterator[tuple[int, Any, Any]]:
    """(First lane, function, its argument) of each part."""
    function, layout = code.function(builder.module), code.layout
    first = builder.bitcast(pointer, function.args[0].type)
    for part in range(layout.parts):
        yield part * layout.lanes.count, function, builder.gep(first, [ir.Constant(_NUMBER, part)])


def _called_for_each_part(builder: Any, code: Code, pointer: Any) -> Any:
    lane_set = ir.Constant(_NUMBER, 0)
    for lane, function, argument in _parts(builder, code, pointer):
        found = builder.call(function, [argument])
        lane_set = builder.or_(lane_set, builder.shl(found, ir.Constant(_NUMBER, lane)))
    return lane_set


def _called_for_some_parts(builder: Any, code: Code, pointer: Any, lane_set: Any) -> None:
    lanes_of_part = (1 << code.layout.lanes.count) - 1
    for lane, function, argument in _parts(builder, code, pointer):
        found = builder.and_(lane_set, ir.Constant(_NUMBER, lanes_of_part << lane))
        with builder.if_then(builder.icmp_unsigned("!=", found, ir.Constant(_NUMBER, 0))):
            builder.call(function, [argument])


def _align_spills(function: Any) -> None:
    """Makes the stack of a function begin at a multiple of VECTOR_BYTES.

    Otherwise spilled vectors lie across two cache lines in three of four processes, for 5 to 8 % of the time.
    """
    function.attributes.add("nounwind")  # llvmlite prints no attributes if there is none of this kind
    function.attributes.alignstack = VECTOR_BYTES


def _tables(features: str, builder: Any, lanes: Lanes) -> Callable[..., Any] | None:
    """Emits a truth table of three vectors, if the machine has such an instruction."""
    bits = lanes.bits * lanes.count
    if "+avx512f" not in features or bits != 512:
        return None
    words = ir.VectorType(ir.IntType(64), bits // 64)
    signature = ir.FunctionType(words, [words, words, words, ir.IntType(32)])

    def table(a: Any, b: Any, c: Any, lines: int) -> Any:
        inputs = [builder.bitcast(value, words) for value in (a, b, c)]
        name = f"llvm.x86.avx512.pternlog.q.{bits}"
        found = _called(builder, name, signature, *inputs, ir.Constant(ir.IntType(32), lines))
        return builder.bitcast(found, a.type)

    return table
