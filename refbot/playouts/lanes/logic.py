"""Emits bit logic as truth tables of three inputs: AVX-512 has one instruction for any such table.

LLVM finds few of them: only where the code happens to nest operations in the right way. So this module
first notes all operations of a kernel in a graph. Then it covers the operations and, or, xor and not with as
few tables as possible, by the algorithm that maps circuits onto the look-up tables of programmable chips
(FPGA). Only then it emits code. On other machines each operation is emitted as it was written.

A cut of a node is a set of up to three nodes from which it can be computed: the inputs of a table. Example:
in `x = (a & b) | c` the node `x` has the cuts (a & b, c) and (a, b, c). With the second, one table computes
`x`, and `a & b` is not emitted unless something else reads it. Nodes are noted in the order of the code, so
the sources of a node come before it.

`simd` makes a Graph for each piece of code. `vec` notes the operations in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

INPUTS = 3  # of a table of AVX-512
_COLUMNS = (0xF0, 0xCC, 0xAA)  # the values of each input in the eight lines of a truth table, as bits
_ALL_LINES = 0xFF
_ROUNDS = 3  # in which the cover is improved; chosen: more rounds take longer to compile

Cut = tuple[int, ...]  # the nodes that a table reads, by their numbers


@dataclass(eq=False, slots=True)
class Node:
    """One operation. `emit` writes it, from a builder and the values of `sources`."""

    number: int
    sources: tuple[Node, ...]
    emit: Callable[..., Any]
    combine: Callable[..., int] | None = None  # bit logic only: the same operation on integers
    effect: bool = False  # it must be emitted even if nothing reads it, such as a store
    value: Any = None  # its LLVM value, once emitted
    users: int = 0  # operations that read it; a `_Cover` counts tables in place of operations of bit logic
    cuts: list[Cut] = field(default_factory=list)  # bit logic only: the possible cuts
    cut: Cut = ()  # the cut that was chosen of these
    flow: float = 0.0  # estimated number of tables up to here; a table with n users counts as 1/n for each


class Graph:
    """The operations of a piece of code."""

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._known: dict[Any, Node] = {}

    def note(
        self,
        sources: tuple[Node, ...],
        emit: Callable[..., Any],
        *,
        key: Any = None,
        combine: Callable[..., int] | None = None,
        effect: bool = False,
    ) -> Node:
        """Adds an operation and returns its node; see `Node`.

        An operation with a key is not added again if one with the same key and sources is there.
        """
        full_key = key and (key, *(source.number for source in sources))
        if full_key and full_key in self._known:
            return self._known[full_key]
        node = Node(len(self._nodes), sources, emit, combine, effect)
        self._nodes.append(node)
        if full_key:
            self._known[full_key] = node
        return node

    def emit(self, builder: Any, table: Callable[..., Any] | None) -> None:
        """Writes the code. `table` emits a truth table of three inputs, if the machine has them."""
        live = self._live()
        if table is not None:
            _Cover(self._nodes, live)
        for node in live:
            if table is None or node.combine is None:
                node.value = node.emit(builder, *(source.value for source in node.sources))
            elif node.users:
                node.value = self._emit_from_cut(builder, node, table)

    def _emit_from_cut(self, builder: Any, node: Node, table: Callable[..., Any]) -> Any:
        """Emits a node of bit logic from the nodes of its cut; returns its value.

        That is one table if the cut has three nodes. With fewer, the operations are emitted as they are.
        """
        values = {number: self._nodes[number].value for number in node.cut}
        if len(values) == INPUTS:
            lines = _truth(node, dict(zip(node.cut, _COLUMNS, strict=True)))
            return table(*values.values(), lines & _ALL_LINES)

        def value_of(inner: Node) -> Any:
            if inner.number not in values:
                values[inner.number] = inner.emit(builder, *map(value_of, inner.sources))
            return values[inner.number]

        return value_of(node)

    def _live(self) -> list[Node]:
        """Return the operations with an effect, and those that they need. Sets the `users` of each."""
        for node in reversed(self._nodes):
            if node.effect or node.users:
                for source in node.sources:
                    source.users += 1
        return [node for node in self._nodes if node.effect or node.users]


def _truth(node: Node, leaves: dict[int, int]) -> int:
    """Return the column of a node in a truth table, from the columns of the nodes in its cut (`leaves`)."""
    if node.number in leaves:
        return leaves[node.number]
    assert node.combine is not None
    return node.combine(*(_truth(source, leaves) for source in node.sources))


class _Cover:
    """Chooses the cut of each node of bit logic, in `Node.cut`, so that few tables are needed.

    The first choice minimises `flow` (known as area flow). Then, in some rounds, each table in use takes the
    cut that needs the fewest further tables.
    """

    def __init__(self, nodes: list[Node], live: list[Node]) -> None:
        self._nodes = nodes
        logic = [node for node in live if node.combine is not None]
        for node in logic:
            self._find_cuts(node)
        # A node of bit logic becomes a table only if another operation reads it, or a table that is in use.
        outer = [0] * len(nodes)  # number of other operations that read a node
        for node in live:
            if node.combine is None:
                for source in node.sources:
                    outer[source.number] += 1
        for node in logic:
            node.users = 0
        for node in logic:
            for _ in range(outer[node.number]):
                self._use(node)
        for _ in range(_ROUNDS):
            for node in logic:
                if node.users:
                    self._improve(node)

    def _find_cuts(self, node: Node) -> None:
        """Finds the cuts of `node` from the cuts of its sources. Chooses the cut with the least flow."""
        found: set[Cut] = {()}
        for source in node.sources:
            alone = (source.number,)
            options = [alone, *source.cuts] if source.combine is not None else [alone]
            merged = {tuple(sorted({*before, *more})) for before in found for more in options}
            found = {cut for cut in merged if len(cut) <= INPUTS}
        node.cuts = [cut for cut in found if not any(set(other) < set(cut) for other in found)]
        # Among equal cuts `min` takes the one with the latest inputs. Their values live shorter, so fewer
        # registers are spilled.
        node.cuts.sort(reverse=True)
        node.cut = min(node.cuts, key=self._flow_of)
        node.flow = self._flow_of(node.cut) / max(1, node.users)

    def _flow_of(self, cut: Cut) -> float:
        """Return the estimated number of tables that a table with this cut needs, itself included."""
        return 1 + sum(self._nodes[number].flow for number in cut)

    def _use(self, node: Node) -> int:
        """Adds a user of `node`; returns the number of tables that come into use with it."""
        node.users += 1
        if node.users > 1 or node.combine is None:
            return 0
        return 1 + sum(self._use(self._nodes[number]) for number in node.cut if self._is_logic(number))

    def _drop(self, node: Node) -> None:
        """Removes a user of `node`; tables that are left without users go out of use."""
        node.users -= 1
        if node.users == 0:
            for number in node.cut:
                if self._is_logic(number):
                    self._drop(self._nodes[number])

    def _is_logic(self, number: int) -> bool:
        return self._nodes[number].combine is not None

    def _improve(self, node: Node) -> None:
        """Takes the table of `node` out of use and puts back the one that needs the fewest further tables."""
        # With one user, `_drop` and `_use` also reach the tables that the cut reads.
        users, node.users = node.users, 1
        self._drop(node)
        best: tuple[int, Cut] | None = None
        for cut in node.cuts:
            node.cut = cut
            cost = self._use(node)
            self._drop(node)
            if best is None or cost < best[0]:
                best = cost, cut
        assert best is not None
        node.cut = best[1]
        self._use(node)
        node.users = users
