"""Reads a control file of gomill's ringmaster as data: nothing of it is executed.

A control file has the syntax of Python. The reader knows what control files build their values with:
literals, names, `+ - * %`, f-strings, lists and dictionaries, comprehensions without `if`, `for` loops, a few
functions of Python, and functions that only return a value. Anything else ends with an error. An example:

    def strong(level):
        return Player(f"gnugo --mode gtp --level {level}")
    players = {f"g{n}": strong(n) for n in [1, 10]}

`read_control_file` returns {"players": {"g1": Definition("Player", 2, ("gnugo … --level 1",), {}), …}}.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from harness.imports.imported import ImportSettingsError

MOST_STEPS = 100_000
"""Most statements and expressions that are evaluated. Chosen: real files have some hundreds."""
MOST_ITEMS = 10_000
"""Most characters or items of a value, and largest argument of `range`. Chosen: real values have hundreds."""
LARGEST_INTEGER = 10**9
"""Largest whole number, and largest negative one without its sign. Chosen: real files have game numbers."""
MOST_CALLS = 20
"""Most calls of functions of the file within each other. Chosen: real files have two."""
CONSTRUCTORS = frozenset({"Player", "Matchup", "Competitor"})
"""The names that gomill defines in a control file."""

_OPERATORS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Mod: operator.mod,
}
_SCALARS = (str, int, float, type(None))
_FUNCTIONS: Mapping[str, Callable[..., Any]] = {"dict": dict, "list": list, "range": range, "str": str}
_METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset({"format", "join"}),
    list: frozenset({"append", "extend"}),
    dict: frozenset({"items", "update"}),
}

# One part of a text for `format` (_PLAIN_FIELD) or for `%` (_PLAIN_PERCENT): a character, or a field that
# inserts a value, without attributes and great widths. Python's `"{0.__class__}".format(…)` would reach into
# the program, and `"%999999999d"` would fill the memory.
_PLAIN_FIELD = re.compile(r"\{\{|\}\}|\{\w*(:[<>^]?0?\d{0,3}(\.\d{1,2})?[dfgs]?)?\}|[^{}]")
_PLAIN_PERCENT = re.compile(r"%[-0 +]?\d{0,3}(\.\d{1,2})?[dfgsri%]|[^%]")


@dataclass(frozen=True)
class Definition:
    """A call of `Player`, `Matchup` or `Competitor` at a line of the file: the values of its arguments."""

    kind: str
    line: int
    positional: tuple[Any, ...]
    named: Mapping[str, Any]


@dataclass
class _Scope:
    """The names of the file (`outer` is None), or those of a comprehension or function inside it."""

    names: dict[str, Any] = field(default_factory=dict)
    outer: _Scope | None = None

    @property
    def outermost(self) -> _Scope:
        """The scope of the names of the whole file."""
        return self if self.outer is None else self.outer.outermost

    def has(self, name: str) -> bool:
        return name in self.names or (self.outer is not None and self.outer.has(name))

    def __getitem__(self, name: str) -> Any:
        return self.names[name] if name in self.names or self.outer is None else self.outer[name]


def read_control_file(text: str) -> dict[str, Any]:
    """Return the settings of a control file by name.

    Raises ImportSettingsError if the text is no Python, or has anything that this module does not evaluate.
    """
    try:
        tree = ast.parse(text)
        scope = _Scope()
        _Reader().run(tree.body, scope)
    except (SyntaxError, ValueError, MemoryError) as error:
        if isinstance(error, ImportSettingsError):
            raise
        where = f"line {error.lineno}: " if isinstance(error, SyntaxError) and error.lineno else ""
        raise ImportSettingsError(
            f"{where}a control file has the syntax of Python, and this has not"
        ) from None
    except RecursionError:
        raise ImportSettingsError("has values that are nested too deeply") from None
    return {name: value for name, value in scope.names.items() if not isinstance(value, ast.FunctionDef)}


class _Reader:
    """Evaluates the known syntax, within the limits of this module; anything else is an ImportSettingsError.

    `run` takes statements. `value` takes an expression, and passes it to the method for its kind of syntax.
    """

    def __init__(self) -> None:
        self._steps = self._depth = 0
        self._kinds: Mapping[type[ast.expr], Callable[[Any, _Scope], Any]] = {
            ast.Constant: lambda node, _: node.value,
            ast.Name: self._name,
            ast.List: lambda node, scope: list(self._values(node.elts, scope)),
            ast.Tuple: lambda node, scope: tuple(self._values(node.elts, scope)),
            ast.Dict: self._dict,
            ast.JoinedStr: lambda node, scope: "".join(self._values(node.values, scope)),
            ast.FormattedValue: self._field,
            ast.BinOp: self._operation,
            ast.UnaryOp: self._negative,
            ast.Subscript: lambda node, scope: self.value(node.value, scope)[self.value(node.slice, scope)],
            ast.ListComp: self._list_of,
            ast.GeneratorExp: self._list_of,
            ast.DictComp: self._dict_of,
            ast.Call: self._call,
        }

    def run(self, body: Sequence[ast.stmt], scope: _Scope) -> None:
        """Execute statements: assignments, loops, functions; put the names into the scope."""
        for node in body:
            self._step(node)
            match node:
                case ast.Assign():
                    value = self.value(node.value, scope)
                    for target in node.targets:
                        self._assign(target, value, scope)
                case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()):
                    # `name += value` is evaluated as `name = name + value`.
                    whole = ast.BinOp(ast.Name(name, ast.Load()), node.op, node.value)
                    located = ast.fix_missing_locations(ast.copy_location(whole, node))
                    self._assign(node.target, self.value(located, scope), scope)
                case ast.FunctionDef():
                    scope.names[node.name] = node
                case ast.For(orelse=[]):
                    for item in self._items(node.iter, scope):
                        self._assign(node.target, item, scope)
                        self.run(node.body, scope)
                case ast.Expr():
                    self.value(node.value, scope)
                case ast.Pass():
                    pass
                case _:
                    _refuse(node)

    def value(self, node: ast.expr, scope: _Scope) -> Any:
        """Return the value of an expression. Raises ImportSettingsError if it has none or is too large."""
        self._step(node)
        evaluate = self._kinds.get(type(node))
        if evaluate is None:
            _refuse(node)
        try:
            made = evaluate(node, scope)
        except ImportSettingsError:
            raise
        except (TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
            _refuse(node, f"has no value ({error})")
        if _is_too_large(made):
            _refuse(node, "makes a value that is too large")
        return made

    def _step(self, node: ast.AST) -> None:
        """Count an evaluation. Raises ImportSettingsError after MOST_STEPS."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            _refuse(node, "comes after too many steps")

    def _values(self, nodes: Sequence[ast.expr], scope: _Scope) -> Iterator[Any]:
        """Yield the values of expressions; `*items` yields each item."""
        for node in nodes:
            if isinstance(node, ast.Starred):
                yield from self._items(node.value, scope)
            else:
                yield self.value(node, scope)

    def _assign(self, target: ast.expr, value: Any, scope: _Scope) -> None:
        """Give a value to a name, to each of several names, or to a key of a dictionary."""
        match target:
            case ast.Name():
                scope.names[target.id] = value
            case ast.Tuple() | ast.List():
                if not isinstance(value, (list, tuple)) or len(value) != len(target.elts):
                    _refuse(target)
                for part, item in zip(target.elts, value, strict=True):
                    self._assign(part, item, scope)
            case ast.Subscript():
                holder, key = self.value(target.value, scope), self.value(target.slice, scope)
                if not isinstance(holder, dict) or not isinstance(key, (str, int)):
                    _refuse(target)
                holder[key] = value
            case _:
                _refuse(target)

    def _items(self, node: ast.expr, scope: _Scope) -> list[Any]:
        """Return the items of the value of an expression, which a loop goes through."""
        values = self.value(node, scope)
        return list(values) if isinstance(values, (list, tuple, dict, str, range)) else _refuse(node)

    # --- kinds of expressions ------------------------------------------------------------------------------

    @staticmethod
    def _name(node: ast.Name, scope: _Scope) -> Any:
        return scope[node.id] if scope.has(node.id) else _refuse(node, "is not defined in the file")

    def _dict(self, node: ast.Dict, scope: _Scope) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, own in zip(node.keys, node.values, strict=True):
            if key is None:  # `**other`
                made.update(dict(self.value(own, scope)))
            else:
                made[self.value(key, scope)] = self.value(own, scope)
        return made

    def _field(self, node: ast.FormattedValue, scope: _Scope) -> str:
        how = "" if node.format_spec is None else str(self.value(node.format_spec, scope))
        if node.conversion not in (-1, ord("s")) or not _PLAIN_FIELD.fullmatch(f"{{:{how}}}"):
            _refuse(node)
        value = self.value(node.value, scope)
        return format(value, how) if isinstance(value, _SCALARS) else _refuse(node)

    def _operation(self, node: ast.BinOp, scope: _Scope) -> Any:
        """Return the value of `+ - * %`, unless it would be too large, or format more than scalars."""
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        combine = _OPERATORS.get(type(node.op))
        if combine is None:
            _refuse(node)
        if isinstance(node.op, ast.Mult) and _repeats_too_often(left, right):
            _refuse(node, "makes a value that is too large")
        if isinstance(node.op, ast.Mod) and isinstance(left, str) and not _inserts_scalars(left, right):
            _refuse(node)
        return combine(left, right)

    def _negative(self, node: ast.UnaryOp, scope: _Scope) -> Any:
        return -self.value(node.operand, scope) if isinstance(node.op, ast.USub) else _refuse(node)

    def _list_of(self, node: ast.ListComp | ast.GeneratorExp, scope: _Scope) -> list[Any]:
        return [self.value(node.elt, inner) for inner in self._rounds(node.generators, scope)]

    def _dict_of(self, node: ast.DictComp, scope: _Scope) -> dict[Any, Any]:
        rounds = self._rounds(node.generators, scope)
        return {self.value(node.key, inner): self.value(node.value, inner) for inner in rounds}

    def _rounds(self, loops: Sequence[ast.comprehension], scope: _Scope) -> Iterator[_Scope]:
        """Yield a scope for each round of the loops of a comprehension."""
        if not loops:
            yield scope
            return
        for item in self._items(loops[0].iter, scope):
            inner = _Scope(outer=scope)
            self._assign(loops[0].target, item, inner)
            if loops[0].ifs:
                _refuse(loops[0].ifs[0])
            yield from self._rounds(loops[1:], inner)

    # --- calls ---------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call, scope: _Scope) -> Any:
        """Return the value of a call: of a function of the file, of gomill or of Python, or of a method."""
        positional = tuple(self._values(node.args, scope))
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self.value(keyword.value, scope)
            named |= value if keyword.arg is None else {keyword.arg: value}
        match node.func:
            case ast.Name(id=name) if scope.has(name):
                return self._call_own_function(node, scope[name], positional, named, scope.outermost)
            case ast.Name(id=name) if name in CONSTRUCTORS:
                return Definition(name, node.lineno, positional, named)
            case ast.Name(id=name) if name in _FUNCTIONS:
                if name == "range" and any(abs(number) > MOST_ITEMS for number in positional):
                    _refuse(node, "makes a value that is too large")
                if name == "str" and not _are_scalars(positional):
                    _refuse(node)
                return _FUNCTIONS[name](*positional, **named)
            case ast.Attribute(attr=method):
                return _call_method(node, self.value(node.func.value, scope), method, positional, named)
        return _refuse(node)

    def _call_own_function(
        self,
        node: ast.Call,
        function: Any,
        positional: Sequence[Any],
        named: Mapping[str, Any],
        outer: _Scope,
    ) -> Any:
        """Return what a function of the file returns. Refuses to call anything else, or too deeply."""
        if not isinstance(function, ast.FunctionDef) or self._depth >= MOST_CALLS:
            _refuse(node)
        returned = _returned_expression(function)
        parameters = [parameter.arg for parameter in function.args.args]
        optional = parameters[len(parameters) - len(function.args.defaults) :]
        defaults = self._values(function.args.defaults, outer)
        inner = _Scope(outer=outer)
        inner.names |= dict(zip(optional, defaults, strict=True))
        inner.names |= {**dict(zip(parameters, positional, strict=False)), **named}
        if set(parameters) != inner.names.keys() or len(positional) > len(parameters):
            _refuse(node, "has other arguments than its function")
        self._depth += 1
        try:
            return self.value(returned, inner)
        finally:
            self._depth -= 1


def _returned_expression(function: ast.FunctionDef) -> ast.expr:
    """Return the expression after `return`. Before it, the function may have a docstring and nothing else."""
    *before, last = function.body
    documents = all(isinstance(own, ast.Expr) and isinstance(own.value, ast.Constant) for own in before)
    if not isinstance(last, ast.Return) or last.value is None or not documents or function.args.vararg:
        _refuse(function)
    return last.value


def _call_method(
    node: ast.Call, holder: Any, method: str, positional: Sequence[Any], named: Mapping[str, Any]
) -> Any:
    """Return the value of a call of one of _METHODS on `holder`. Raises ImportSettingsError for others."""
    if method not in _METHODS.get(type(holder), ()):
        _refuse(node)
    scalars = _are_scalars((*positional, *named.values()))
    if method == "format" and not (scalars and _all_of(_PLAIN_FIELD, holder)):
        _refuse(node)
    made = getattr(holder, method)(*positional, **named)
    return list(made) if method == "items" else made


def _is_too_large(value: Any) -> bool:
    """Return whether a value has more than MOST_ITEMS items, or is an integer beyond LARGEST_INTEGER."""
    if isinstance(value, (str, list, tuple, dict, range)):
        return len(value) > MOST_ITEMS
    return isinstance(value, int) and abs(value) > LARGEST_INTEGER


def _repeats_too_often(left: Any, right: Any) -> bool:
    """Return whether `left * right` repeats a text, list or tuple to more than MOST_ITEMS items."""
    sequence, number = (left, right) if isinstance(right, int) else (right, left)
    return isinstance(sequence, (str, list, tuple)) and len(sequence) * abs(number) > MOST_ITEMS


def _inserts_scalars(text: str, inserted: Any) -> bool:
    """Return whether `text % inserted` has only plain fields, and only scalars to insert."""
    if isinstance(inserted, dict):
        inserted = tuple(inserted.values())
    values = inserted if isinstance(inserted, tuple) else (inserted,)
    return _all_of(_PLAIN_PERCENT, text) and _are_scalars(values)


def _are_scalars(values: Iterable[Any]) -> bool:
    return all(isinstance(value, _SCALARS) for value in values)


def _all_of(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether the text is a sequence of matches of the pattern."""
    return re.fullmatch(f"(?:{pattern.pattern})*", text, re.DOTALL) is not None


def _refuse(node: ast.AST, why: str = "") -> NoReturn:
    """Raise ImportSettingsError about a node: why it has no value; by default, that it is no plain data."""
    shown = ast.unparse(node).splitlines()[0][:60]
    what = why or "is a program; nothing of a control file is executed: write the value in its place"
    raise ImportSettingsError(f"line {getattr(node, 'lineno', '?')}: {shown}: {what}")
