"""Bit logic on three inputs at a time: AVX-512 has one instruction for any truth table of three inputs.

LLVM finds such tables only where the text of the code happens to nest that way, and its own rewriting takes
many of them apart. So the operations of a kernel are noted as a graph before any of them is emitted, and the
and, or, xor and not among them are covered with as few tables as possible: the mapping onto look-up tables
that is usual for programmable chips. On other machines each operation is emitted as it was written.

Nodes are noted in the order of the code, so that sources come before what uses them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

INPUTS = 3  # of a table of AVX-512
_COLUMNS = (0xF0, 0xCC, 0xAA)  # the values of each input in the eight lines of a truth table
_ALL_LINES = 0xFF
_ROUNDS = 3  # of improving the cover; chosen: more cost time of compilation

Cut = tuple[int, ...]  # the nodes that a table reads, by their numbers


@dataclass(eq=False, slots=True)
class Node:
    """One operation. `emit` writes it, from a builder and the values of `sources`."""

    number: int
    sources: tuple[Node, ...]
    emit: Callable[..., Any]
    combine: Callable[..., int] | None = None  # of bit logic: the same on integers
    effect: bool = False
    value: Any = None
    users: int = 0  # operations that read it; of bit logic later the tables and other operations that do
    cuts: list[Cut] = field(default_factory=list)
    cut: Cut = ()  # the one that was chosen
    flow: float = 0.0  # the tables that it takes, each shared by its users


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
        """Adds an operation; one with the same key and the same sources is not added twice."""
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
                node.value = self._of_cut(builder, node, table)

    def _of_cut(self, builder: Any, node: Node, table: Callable[..., Any]) -> Any:
        """The value of bit logic from the nodes that were chosen as its inputs."""
        values = {number: self._nodes[number].value for number in node.cut}
        if len(values) == INPUTS:
            lines = _truth(node, dict(zip(node.cut, _COLUMNS, strict=True)))
            return table(*values.values(), lines & _ALL_LINES)

        def of(inner: Node) -> Any:
            if inner.number not in values:
                values[inner.number] = inner.emit(builder, *(of(source) for source in inner.sources))
            return values[inner.number]

        return of(node)

    def _live(self) -> list[Node]:
        """The operations that matter, with the number of their users."""
        for node in reversed(self._nodes):
            if node.effect or node.users:
                for source in node.sources:
                    source.users += 1
        return [node for node in self._nodes if node.effect or node.users]


def _truth(node: Node, leaves: dict[int, int]) -> int:
    if node.number in leaves:
        return leaves[node.number]
    assert node.combine is not None
    return node.combine(*(_truth(source, leaves) for source in node.sources))


class _Cover:
    """Chooses the inputs of each table.

    First the cost of a table is shared by its users (area flow). Then each table in use is exchanged for the
    one that adds the fewest tables to the rest.
    """

    def __init__(self, nodes: list[Node], live: list[Node]) -> None:
        self._nodes = nodes
        logic = [node for node in live if node.combine is not None]
        for node in logic:
            self._find_cuts(node)
        outer = [0] * len(nodes)
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
        found: set[Cut] = {()}
        for source in node.sources:
            alone = (source.number,)
            options = [alone, *source.cuts] if source.combine is not None else [alone]
            merged = {tuple(sorted({*before, *more})) for before in found for more in options}
            found = {cut for cut in merged if len(cut) <= INPUTS}
        node.cuts = [cut for cut in found if not any(set(other) < set(cut) for other in found)]
        node.cuts.sort(
            reverse=True
        )  # of equal ones the latest inputs: they live shorter, and less is spilled
        node.cut = min(node.cuts, key=self._flow_of)
        node.flow = self._flow_of(node.cut) / max(1, node.users)

    def _flow_of(self, cut: Cut) -> float:
        return 1 + sum(self._nodes[number].flow for number in cut)

    def _use(self, node: Node) -> int:
        """Adds a user; returns the tables that this adds."""
        node.users += 1
        if node.users > 1 or node.combine is None:
            return 0
        return 1 + sum(self._use(self._nodes[number]) for number in node.cut if self._is_logic(number))

    def _drop(self, node: Node) -> None:
        node.users -= 1
        if node.users == 0:
            for number in node.cut:
                if self._is_logic(number):
                    self._drop(self._nodes[number])

    def _is_logic(self, number: int) -> bool:
        return self._nodes[number].combine is not None

    def _improve(self, node: Node) -> None:
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
