"""Vectors of small integers inside numba kernels: one operation on many lanes.

numba does not vectorise bitboard code by itself: its integer promotion and its aliasing rules prevent it.
Here a `Vec` stands for an LLVM value of type `<count x iBITS>`, and exists **while code is generated**. Its
operators note one operation each in a graph (see `logic`); a Python loop over rows becomes straight-line
code. At the end the graph is emitted, without operations that have no users and no effect. LLVM lowers
the same code to AVX-512, AVX2, SSE2 or NEON; only bit logic is emitted differently for AVX-512. Where a
register holds less than VECTOR_BYTES, a row of the workspace is cut into parts of one register, and the code
runs once for each part.

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
from typing import Any, TypeVar

from llvmlite import ir
from numba.core import types
from numba.extending import NativeValue, intrinsic, models, register_model, typeof_impl, unbox

from refbot.compile.numba_cache import target_of
from refbot.playouts.lanes.logic import Graph
from refbot.playouts.lanes.vec import Vec, constant, emit_call
from refbot.playouts.lanes.width import VECTOR_BYTES, Lanes


@dataclass(frozen=True)
class Layout:
    """The parameters of a specialised kernel, passed as its first argument.

    numba sees a layout as a type (see LayoutType), so that passing it costs nothing at run time.
    """

    lanes: Lanes

    @property
    def parts(self) -> int:
        """The number of registers that a row of the workspace (VECTOR_BYTES) fills."""
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
        """A vector with `number` in every lane."""
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
    """Return a function of (layout, workspace) for numba code; `emit` writes its body.

    `emit` gets an object of the class `memory`, through which it reads and writes the workspace. The
    function returns the set of lanes (bit k is lane k) that `emit` returned, or 0 if it returned None.
    """

    def typing(_context: Any, layout: Any, workspace: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code, pointer = _code_of(emit, memory, context, builder, signature, arguments)
            if code.layout.parts == 1:
                return code.write(builder, pointer)
            return _call_for_each_part(builder, code, pointer)

        return types.int64(layout, workspace), generate

    return _named_intrinsic(typing, emit)


def lanes_intrinsic(emit: Callable[[M], None], memory: type[M]) -> Any:
    """Return a function of (layout, workspace, set of lanes) for numba code; `emit` writes its body.

    It works on at least these lanes: it skips the parts of a vector that have none of them. For
    `memory` see `workspace_intrinsic`.
    """

    def typing(_context: Any, layout: Any, workspace: Any, lane_set: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            code, pointer = _code_of(emit, memory, context, builder, signature, arguments)
            if code.layout.parts == 1:
                code.write(builder, pointer)
            else:
                _call_for_some_parts(builder, code, pointer, arguments[2])
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

    def write(self, builder: Any, pointer: Any) -> Any:
        """Writes the code for one part of the workspace, at the address `pointer`.

        Returns the value of the set of lanes that `emit` returned, a bit for each lane; 0 if it was None.
        """
        _align_spills(builder.function)
        graph = Graph()
        result = self.emit(self.memory(graph, self.layout, pointer))
        graph.emit(builder, _tables(self.features, builder, self.layout.lanes))
        return ir.Constant(_NUMBER, 0) if result is None else result.value

    def add_function(self, module: Any) -> Any:
        """Adds an LLVM function that takes the address of a part; returns it.

        A loop over the parts instead would need a second register for addresses.
        """
        signature = ir.FunctionType(_NUMBER, [self.layout.lanes.llvm.as_pointer()])
        function = ir.Function(module, signature, module.get_unique_name(self.emit.__name__))
        function.linkage = "internal"
        function.attributes.add("noinline")
        builder = ir.IRBuilder(function.append_basic_block())
        builder.ret(self.write(builder, function.args[0]))
        return function


def _code_of(
    emit: Callable[..., Any], memory: type[Memory], context: Any, builder: Any, signature: Any, arguments: Any
) -> tuple[Code, Any]:
    """Return (the code for the layout that a kernel passes, the address of its workspace)."""
    _, _, features = target_of(context)
    array = context.make_array(signature.args[1])(context, builder, arguments[1])
    return Code(emit, memory, signature.args[0].layout, features), array.data


def _parts(builder: Any, code: Code, pointer: Any) -> Iterator[tuple[int, Any, Any]]:
    """Yield (first lane, function, its argument) for each part of the workspace."""
    function, layout = code.add_function(builder.module), code.layout
    first = builder.bitcast(pointer, function.args[0].type)
    for part in range(layout.parts):
        yield part * layout.lanes.count, function, builder.gep(first, [ir.Constant(_NUMBER, part)])


def _call_for_each_part(builder: Any, code: Code, pointer: Any) -> Any:
    """Emit a call for each part. Return the set of lanes that the calls find, over all parts."""
    lane_set = ir.Constant(_NUMBER, 0)
    for lane, function, argument in _parts(builder, code, pointer):
        found = builder.call(function, [argument])
        lane_set = builder.or_(lane_set, builder.shl(found, ir.Constant(_NUMBER, lane)))
    return lane_set


def _call_for_some_parts(builder: Any, code: Code, pointer: Any, lane_set: Any) -> None:
    """Emit a call for each part, made only if the part has some of the lanes."""
    lanes_of_part = (1 << code.layout.lanes.count) - 1
    for lane, function, argument in _parts(builder, code, pointer):
        wanted = builder.and_(lane_set, ir.Constant(_NUMBER, lanes_of_part << lane))
        with builder.if_then(builder.icmp_unsigned("!=", wanted, ir.Constant(_NUMBER, 0))):
            builder.call(function, [argument])


def _align_spills(function: Any) -> None:
    """Makes the stack of a function begin at a multiple of VECTOR_BYTES.

    Otherwise, in three of four processes, spilled vectors lie across two cache lines, which costs 5 to 8 %.
    """
    function.attributes.add("nounwind")  # llvmlite prints no attributes if there is none of this kind
    function.attributes.alignstack = VECTOR_BYTES


def _tables(features: str, builder: Any, lanes: Lanes) -> Callable[..., Any] | None:
    """A function that emits a truth table of three vectors; None if the machine has none of this width."""
    bits = lanes.bits * lanes.count
    if "+avx512f" not in features or bits != 512:
        return None
    words = ir.VectorType(ir.IntType(64), bits // 64)
    signature = ir.FunctionType(words, [words, words, words, ir.IntType(32)])

    def table(a: Any, b: Any, c: Any, lines: int) -> Any:
        inputs = [builder.bitcast(value, words) for value in (a, b, c)]
        name = f"llvm.x86.avx512.pternlog.q.{bits}"
        found = emit_call(builder, name, signature, *inputs, ir.Constant(ir.IntType(32), lines))
        return builder.bitcast(found, a.type)

    return table
