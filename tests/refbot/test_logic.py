"""Bit logic by truth tables of three inputs, on integers instead of vectors."""

import operator
import random
from collections.abc import Callable

from refbot.playouts.lanes.logic import Graph, Node

BITS = 64
ONES = (1 << BITS) - 1
COMBINE: dict[str, Callable[..., int]] = {
    "and_": operator.and_,
    "or_": operator.or_,
    "xor": operator.xor,
    "not_": lambda a: ~a & ONES,
}


class Integers:
    """A replacement of the LLVM builder: computes on integers at once and counts the operations."""

    def __init__(self) -> None:
        self.operations = 0
        self.stored: list[int] = []

    def combined(self, name: str, *values: int) -> int:
        self.operations += 1
        return COMBINE[name](*values)

    def table(self, a: int, b: int, c: int, lines: int) -> int:
        self.operations += 1
        return sum(
            (lines >> (4 * (a >> k & 1) + 2 * (b >> k & 1) + (c >> k & 1)) & 1) << k for k in range(BITS)
        )

    def store(self, value: int) -> None:
        self.stored.append(value)


class Code:
    """A graph whose sources are random integers."""

    def __init__(self) -> None:
        self.graph = Graph()

    def source(self, value: int) -> Node:
        return self.graph.note((), lambda _: value)

    def logic(self, name: str, *sources: Node) -> Node:
        return self.graph.note(
            sources, lambda builder, *values: builder.combined(name, *values), key=name, combine=COMBINE[name]
        )

    def other(self, source: Node) -> Node:
        """An operation that is not bit logic."""
        return self.graph.note((source,), lambda _, value: (value * 3 + 1) & ONES)

    def store(self, node: Node) -> None:
        self.graph.note((node,), lambda builder, value: builder.store(value), effect=True)


def random_code(seed: int) -> Code:
    chance, code = random.Random(seed), Code()
    nodes = [code.source(chance.getrandbits(BITS)) for _ in range(6)]
    for _ in range(120):
        name = chance.choice([*COMBINE, "other", "store"])
        some = chance.choices(nodes[-20:], k=1 if name in ("not_", "other", "store") else 2)
        if name == "store":
            code.store(some[0])
        else:
            nodes.append(code.other(some[0]) if name == "other" else code.logic(name, *some))
    return code


def test_tables_compute_what_the_code_says_in_fewer_operations() -> None:
    plain_operations = table_operations = 0
    for seed in range(30):
        plain, tables = Integers(), Integers()
        random_code(seed).graph.emit(plain, None)
        random_code(seed).graph.emit(tables, tables.table)
        assert plain.stored
        assert tables.stored == plain.stored
        plain_operations += plain.operations
        table_operations += tables.operations
    assert table_operations < 0.8 * plain_operations


def test_as_few_tables_as_possible() -> None:
    """The logic of `flood.spread`, with another operation in place of the addition and the shift."""
    code = Code()
    stones, start, before = (code.source(value) for value in (0b1110, 0b0010, 0b1100))
    begun = code.logic("or_", start, code.logic("and_", before, stones))
    free = code.logic("not_", code.other(begun))
    upwards = code.logic("and_", stones, code.logic("or_", begun, free))
    code.store(code.logic("or_", upwards, code.logic("and_", code.other(upwards), stones)))
    tables = Integers()
    code.graph.emit(tables, tables.table)
    assert tables.operations == 3


def test_what_nothing_uses_is_not_emitted_and_equal_operations_are_one() -> None:
    code = Code()
    a, b = code.source(5), code.source(6)
    assert code.logic("and_", a, b) is code.logic("and_", a, b)
    code.logic("or_", a, b)
    code.store(code.logic("xor", a, b))
    integers = Integers()
    code.graph.emit(integers, integers.table)
    assert (integers.operations, integers.stored) == (1, [3])
