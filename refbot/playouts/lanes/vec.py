"""One vector in the code being generated, and its operations; see `simd`.

An operation is not computed: it is noted in a Graph, and returns the Vec of its result. `a + b` notes an
addition, `a + 1` adds 1 in every lane. A lane is one of the numbers that a vector has side by side. A lane of
a mask has all bits set or none.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import and_, invert, or_, xor
from typing import Any

from llvmlite import ir
from numba.core import cgutils

from refbot.playouts.lanes.logic import Graph, Node
from refbot.playouts.lanes.width import Lanes


class Vec:
    """One vector in the code being generated. An integer operand is that number in every lane."""

    __slots__ = ("graph", "lanes", "node", "number")

    def __init__(self, graph: Graph, lanes: Lanes, node: Node, number: int | None = None) -> None:
        self.graph = graph
        self.lanes = lanes
        self.node = node
        self.number = number  # in every lane, if that is known

    def constant(self, number: int) -> Vec:
        """A vector with `number` in every lane."""
        return constant(self.graph, self.lanes, number)

    def _of(self, other: Vec | int) -> Vec:
        return other if isinstance(other, Vec) else self.constant(other)

    def _new(self, name: str, emit: Callable[..., Any], *others: Vec | int) -> Vec:
        """Notes an operation on this vector and others, unless it is noted already under the same name."""
        nodes = (self.node, *(self._of(other).node for other in others))
        return Vec(self.graph, self.lanes, self.graph.note(nodes, emit, key=(name, self.lanes)))

    def _instruction(self, name: str, other: Vec | int) -> Vec:
        """Notes the LLVM instruction of this name, such as "add"."""
        return self._new(name, lambda builder, a, b: getattr(builder, name)(a, b), other)

    def _logic(self, name: str, combine: Callable[..., int], *others: Vec) -> Vec:
        """Notes an operation of bit logic: the LLVM instruction `name`, which is `combine` on integers."""

        def emit(builder: Any, *values: Any) -> Any:
            return getattr(builder, name)(*values)

        nodes = (self.node, *(other.node for other in others))
        return Vec(self.graph, self.lanes, self.graph.note(nodes, emit, key=name, combine=combine))

    def __and__(self, other: Vec | int) -> Vec:
        its, ones = self._of(other), self._ones
        for one, another in ((self, its), (its, self)):
            if one.number is not None and one.number in (0, ones):
                return another if one.number else one  # x & -1 is x, and x & 0 is 0
        return self._logic("and_", and_, its)

    def __or__(self, other: Vec | int) -> Vec:
        its, ones = self._of(other), self._ones
        for one, another in ((self, its), (its, self)):
            if one.number is not None and one.number in (0, ones):
                return one if one.number else another  # x | -1 is -1, and x | 0 is x
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

        Otherwise LLVM merges the two into the logic around them, and the inversion takes an instruction of
        its own.
        """

        def emit(builder: Any, value: Any, removed: Any) -> Any:
            return fenced(builder, builder.and_(value, builder.not_(removed)))

        nodes = (self.node, other.node)
        noted = self.graph.note(nodes, emit, key="without", combine=lambda a, b: a & ~b)
        return Vec(self.graph, self.lanes, noted)

    @property
    def _ones(self) -> int:
        """The number whose bits are all ones in a lane."""
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
        """`yes` in the lanes where this mask is set, `no` in the others."""
        return no ^ ((yes ^ no) & self)

    def minimum(self, other: Vec) -> Vec:
        """The lesser of both in each lane, as unsigned numbers."""
        return self._new(
            "minimum", lambda builder, a, b: builder.select(builder.icmp_unsigned("<", a, b), a, b), other
        )

    def without_lowest(self, more: Vec, than: int) -> Vec:
        """The vector, with its lowest set bit cleared in the lanes where `more` is greater than `than`."""
        # A set lane of a mask is the number -1, and `x & (x - 1)` is `x` without its lowest set bit.
        return self & (self + self.constant(than).less(more))

    def popcount(self) -> Vec:
        """The number of ones in each lane."""
        # llvmlite's own ctpop takes scalars only; the intrinsic is called by its name.
        name = f"llvm.ctpop.v{self.lanes.count}i{self.lanes.bits}"
        signature = ir.FunctionType(self.lanes.llvm, [self.lanes.llvm])
        return self._new("popcount", lambda builder, a: emit_call(builder, name, signature, a))

    def multiply_high(self, other: Vec) -> Vec:
        """The upper half of each unsigned product."""
        wide = ir.VectorType(ir.IntType(2 * self.lanes.bits), self.lanes.count)
        shift = ir.Constant(wide, [self.lanes.bits] * self.lanes.count)

        def emit(builder: Any, a: Any, b: Any) -> Any:
            product = builder.mul(builder.zext(a, wide), builder.zext(b, wide))
            return builder.trunc(builder.lshr(product, shift), self.lanes.llvm)

        return self._new("multiply high", emit, other)

    def multiply_lower_halves(self, other: Vec) -> Vec:
        """The product of the lower halves of both lanes, as wide as a lane."""
        half = ir.Constant(self.lanes.llvm, [(1 << self.lanes.bits // 2) - 1] * self.lanes.count)

        def emit(builder: Any, a: Any, b: Any) -> Any:
            # The fence hides from LLVM that the upper halves are zero. Otherwise LLVM drops the mask, and
            # later chooses the product of whole lanes, which takes three times as long.
            return builder.mul(*(builder.and_(fenced(builder, value), half) for value in (a, b)))

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
    """A vector with `number` in every lane."""
    wrapped = number & ((1 << lanes.bits) - 1)
    value = ir.Constant(lanes.llvm, [wrapped] * lanes.count)
    return Vec(graph, lanes, graph.note((), lambda _builder: value, key=(wrapped, lanes)), wrapped)


def emit_call(builder: Any, name: str, signature: Any, *arguments: Any) -> Any:
    """Emits a call of the LLVM function with this name; returns its value."""
    function = cgutils.get_or_insert_function(builder.module, signature, name)  # type: ignore[no-untyped-call]
    return builder.call(function, arguments)


def fenced(builder: Any, value: Any) -> Any:
    """Return the value, hidden from LLVM's rewriting. The fence exists for floats only, hence the casts."""
    floats = ir.VectorType(ir.FloatType(), value.type.count * value.type.element.width // 32)
    name, signature = f"llvm.arithmetic.fence.v{floats.count}f32", ir.FunctionType(floats, [floats])
    return builder.bitcast(emit_call(builder, name, signature, builder.bitcast(value, floats)), value.type)
