"""Vectors of small integers inside numba kernels: many lanes, one operation.

numba does not vectorise bitboard code by itself: its integer promotion and its aliasing rules get in the
way. Here a vector is an LLVM value of type `<count x iBITS>` that exists **while code is generated**: `Vec`
carries the builder, its operators emit one instruction each, and Python loops over rows unroll themselves.
Nothing names a machine: LLVM lowers the same code to AVX-512, AVX2, SSE2 or NEON.

    def emit_double(memory):               # runs while the kernel is compiled
        memory.store(0, memory.load(0) + memory.load(0))

    double = workspace_intrinsic(emit_double, Memory)

    @kernel
    def twice(layout, workspace):          # an ordinary numba function
        double(layout, workspace)

A mask is a vector whose lanes are all ones or all zeros.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox

VECTOR_BYTES = 64  # one AVX-512 register; narrower machines take two or four


@dataclass(frozen=True)
class Lanes:
    """The shape of a vector: `count` lanes of `bits` bits."""

    bits: int
    count: int

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
    wanted = vectors * lanes.count * lanes.dtype.itemsize
    raw = np.zeros(wanted + VECTOR_BYTES, np.uint8)
    start = -raw.ctypes.data % VECTOR_BYTES
    return raw[start : start + wanted].view(lanes.dtype).reshape(vectors, lanes.count)


class Vec:
    """One vector in the code being generated; integers among the operands stand for all lanes alike."""

    __slots__ = ("builder", "lanes", "value")

    def __init__(self, builder: Any, lanes: Lanes, value: Any) -> None:
        self.builder = builder
        self.lanes = lanes
        self.value = value

    def _new(self, value: Any, lanes: Lanes | None = None) -> Vec:
        return Vec(self.builder, lanes or self.lanes, value)

    def constant(self, number: int) -> Vec:
        """`number` in every lane."""
        wrapped = number & ((1 << self.lanes.bits) - 1)
        return self._new(ir.Constant(self.lanes.llvm, [wrapped] * self.lanes.count))

    def _of(self, other: Vec | int) -> Any:
        return (other if isinstance(other, Vec) else self.constant(other)).value

    def __and__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.and_(self.value, self._of(other)))

    def __or__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.or_(self.value, self._of(other)))

    def __xor__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.xor(self.value, self._of(other)))

    def __add__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.add(self.value, self._of(other)))

    def __sub__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.sub(self.value, self._of(other)))

    def __mul__(self, other: Vec | int) -> Vec:
        return self._new(self.builder.mul(self.value, self._of(other)))

    def __neg__(self) -> Vec:
        return self.constant(0) - self

    def __invert__(self) -> Vec:
        return self ^ -1

    def __lshift__(self, distance: int) -> Vec:
        return self._new(self.builder.shl(self.value, self._of(distance)))

    def __rshift__(self, distance: int) -> Vec:
        return self._new(self.builder.lshr(self.value, self._of(distance)))

    def negative(self) -> Vec:
        """The mask of the lanes below zero (as signed numbers)."""
        return self._new(self.builder.ashr(self.value, self._of(self.lanes.bits - 1)))

    def _compare(self, how: str, other: Vec | int, *, signed: bool) -> Vec:
        compare = self.builder.icmp_signed if signed else self.builder.icmp_unsigned
        return self._new(self.builder.sext(compare(how, self.value, self._of(other)), self.lanes.llvm))

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

    def popcount(self) -> Vec:
        """The number of ones in each lane."""
        # llvmlite's own ctpop takes scalars only; the intrinsic is called by its name.
        name = f"llvm.ctpop.v{self.lanes.count}i{self.lanes.bits}"
        signature = ir.FunctionType(self.lanes.llvm, [self.lanes.llvm])
        module = self.builder.module
        function = cgutils.get_or_insert_function(module, signature, name)  # type: ignore[no-untyped-call]
        return self._new(self.builder.call(function, [self.value]))

    def multiply_high(self, other: Vec) -> Vec:
        """The upper half of each unsigned product."""
        wide = ir.VectorType(ir.IntType(2 * self.lanes.bits), self.lanes.count)
        shift = ir.Constant(wide, [self.lanes.bits] * self.lanes.count)
        product = self.builder.mul(self.builder.zext(self.value, wide), self.builder.zext(other.value, wide))
        return self._new(self.builder.trunc(self.builder.lshr(product, shift), self.lanes.llvm))

    def as_lanes(self, lanes: Lanes) -> Vec:
        """The same bits, cut into lanes of another width."""
        return self._new(self.builder.bitcast(self.value, lanes.llvm), lanes)

    def lane_set(self) -> Any:
        """A scalar i64 with bit k set iff lane k is not zero."""
        compared = self.builder.icmp_unsigned("!=", self.value, self._of(0))
        packed = self.builder.bitcast(compared, ir.IntType(self.lanes.count))
        return self.builder.zext(packed, ir.IntType(64))


@dataclass(frozen=True)
class Layout:
    """What a kernel is specialised on: passed as its first argument it is a type, and costs nothing."""

    lanes: Lanes


class Memory:
    """The workspace of a kernel in the code being generated: an array of vectors, indexed by constants."""

    def __init__(self, builder: Any, layout: Layout, pointer: Any) -> None:
        self.builder = builder
        self.layout = layout
        self.lanes = layout.lanes
        self._pointer = builder.bitcast(pointer, self.lanes.llvm.as_pointer())

    def _at(self, index: int) -> Any:
        return self.builder.gep(self._pointer, [ir.Constant(ir.IntType(64), index)], inbounds=True)

    def load(self, index: int) -> Vec:
        """The vector at `index`."""
        return Vec(self.builder, self.lanes, self.builder.load(self._at(index), align=VECTOR_BYTES))

    def store(self, index: int, vec: Vec) -> None:
        """Writes the vector at `index`."""
        self.builder.store(vec.value, self._at(index), align=VECTOR_BYTES)

    def barrier(self) -> None:
        """Makes later loads read memory again; emits no instruction.

        Without it LLVM keeps values alive across branches and spills them, though they are in memory already.
        """
        self.builder.fence("seq_cst", targetscope="singlethread")

    def constant(self, number: int) -> Vec:
        """`number` in every lane."""
        return Vec(self.builder, self.lanes, None).constant(number)


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


def workspace_intrinsic(emit: Callable[[M], Any], memory: type[M]) -> Any:
    """A function of (layout, workspace) for numba code, with a body that `emit` writes.

    It returns the scalar i64 that `emit` returned, or 0.
    """

    def typing(_context: Any, layout: Any, workspace: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[1])(context, builder, arguments[1])
            result = emit(memory(builder, layout.layout, array.data))
            return ir.Constant(ir.IntType(64), 0) if result is None else result

        return types.int64(layout, workspace), generate

    typing.__name__ = emit.__name__
    typing.__doc__ = emit.__doc__
    return intrinsic(typing)
