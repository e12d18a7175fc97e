"""The base of faults and habits: switches that are turned on by name on the command line.

A registry is a class whose attributes are switches. The name of a switch comes from the name of its
attribute: `ID_DROPPED` is `id-dropped`. Code refers to the attribute, so that a misspelt name is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from refbot.errors import RefbotError


@dataclass(frozen=True, eq=False)
class Switch:
    """One switch. It is equal to nothing but itself."""

    name: str = field(init=False, default="")
    _place: ClassVar[tuple[type, str]]  # (registry, attribute) of each switch; no field, so not printed

    def __set_name__(self, registry: type, attribute: str) -> None:
        object.__setattr__(self, "name", attribute.lower().replace("_", "-"))
        object.__setattr__(self, "_place", (registry, attribute))

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return getattr, self._place  # a copy or unpickled switch is the registry's own object


S = TypeVar("S", bound=Switch)


class UnknownSwitchError(RefbotError, ValueError):
    """A name that a registry does not have. `nearest` is the most similar name; None if none is similar."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        import difflib  # seldom needed

        self.name = name
        self.nearest = next(iter(difflib.get_close_matches(name, known, n=1)), None)
        guess = f"; did you mean {self.nearest!r}?" if self.nearest else ":"
        super().__init__(f"unknown {kind} {name!r}{guess} `refbot {kind}s` lists all {kind}s")


def members(kind: type[S], *registries: type[Any]) -> dict[str, S]:
    """Return the switches of class `kind` in some registries by name, in the order in which they are written.

    Raises AssertionError if two of them share a name.
    """
    found = [value for registry in registries for value in vars(registry).values() if isinstance(value, kind)]
    by_name = {switch.name: switch for switch in found}
    if len(by_name) != len(found):
        twice = [switch.name for switch in found if by_name[switch.name] is not switch]
        raise AssertionError(f"two switches share a name: {', '.join(twice)}")
    return by_name


def look_up(
    names: Iterable[str | S], known: Mapping[str, S], error: Callable[[str], UnknownSwitchError]
) -> frozenset[S]:
    """Return the switches of these names; a switch among the names stays as it is.

    known   the registry by names
    error   makes the error that is raised for an unknown name
    """
    found = set()
    for name in names:
        if isinstance(name, str) and name not in known:
            raise error(name)
        found.add(known[name] if isinstance(name, str) else name)
    return frozenset(found)
