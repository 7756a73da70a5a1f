"""The small faults that are put into a module, one at a time, to see whether a test notices.

They are those of cosmic-ray and mutmut: a comparison at its border or turned round, `and` for `or`,
another sign, a number one too large, another text, a condition that is negated, a `not` that is
lost, `None` returned, `break` for `continue`, a bound of a slice lost. What is there for readers
and type checkers alone (annotations, docstrings, decorators, names of types) is left as it is: no
test can see it. No argument of a call is left out: nearly all of those end in a TypeError at once,
and would only swell the score.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
FOR_TYPE_CHECKERS = {"cast", "TypeVar", "NewType", "Literal"}


@dataclass(frozen=True)
class Mutant:
    """A module with one small fault in it."""

    path: Path
    """The module's file."""
    number: int
    """Which of the module's mutants it is, counted from 0."""
    line: int
    """Where the text that is changed begins, counted from 1."""
    lines: frozenset[int]
    """Its lines, and the first of its statement: coverage may know only that one."""
    kind: str
    """What is done: `comparison`, `text` …"""
    change: str
    """The text before and after, as Python."""

    def tree(self) -> ast.Module:
        """The faulty module."""
        tree = ast.parse(self.path.read_text(encoding="utf-8"))
        return ast.fix_missing_locations(_Mutation(tree, self.number).visit(tree))

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.kind}: {self.change}"


def mutants(path: Path) -> list[Mutant]:
    """All mutants of the module at `path`, in the order of its text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    walk = _Mutation(tree, None)
    walk.visit(tree)
    return [
        Mutant(path, number, line, lines, kind, change)
        for number, (line, lines, kind, change) in enumerate(walk.offered)
    ]


class _Mutation(ast.NodeTransformer):
    """A walk over a module that lists what could be changed, and makes the change `wanted`."""

    def __init__(self, tree: ast.Module, wanted: int | None) -> None:
        self.wanted = wanted
        self.offered: list[tuple[int, frozenset[int], str, str]] = []
        self._statement = 1
        self._left = {id(node) for top in _unseen(tree) for node in ast.walk(top)}

    def visit(self, node: ast.AST) -> ast.AST:
        if id(node) in self._left:
            return node
        if isinstance(node, ast.stmt):
            self._statement = node.lineno
        for kind, new in _changes(node):
            lines = frozenset(range(node.lineno, node.end_lineno + 1)) | {self._statement}
            change = f"{_short(node)} → {_short(new)}"
            self.offered.append((node.lineno, lines, kind, change))
            if len(self.offered) - 1 == self.wanted:
                return ast.copy_location(new, node)
        return self.generic_visit(node)


def _unseen(tree: ast.Module) -> Iterator[ast.AST]:
    """What no test can see."""
    for node in ast.walk(tree):
        for field in ("annotation", "returns"):
            if found := getattr(node, field, None):
                yield found
        yield from getattr(node, "decorator_list", ())
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield node
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield node
            case ast.Assign(targets=[ast.Name(id="__all__")]):
                yield node
            case ast.Call(func=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
                if name in FOR_TYPE_CHECKERS:
                    yield node


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt]]:
    """What may be put in the place of `node`, each with its kind."""
    match node:
        case ast.Compare(ops=[operator]):
            yield "comparison", _with(node, ops=[COMPARISONS[type(operator)]()])
        case ast.BoolOp(op=ast.And()):
            yield "and, or", _with(node, op=ast.Or())
        case ast.BoolOp(op=ast.Or()):
            yield "and, or", _with(node, op=ast.And())
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in ARITHMETIC:
            yield "arithmetic", _with(node, op=ARITHMETIC[type(operator)]())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "not, minus", operand
        case ast.Constant(value=bool() as value):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield "constant", ast.Constant(value + 1)
        case ast.Constant(value=str() as value):
            yield "text", ast.Constant(f"XX{value}XX")
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield "return", _with(node, value=ast.Constant(None))
        case ast.Break():
            yield "break, continue", ast.Continue()
        case ast.Continue():
            yield "break, continue", ast.Break()
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield "condition", _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Slice():
            for bound in ("lower", "upper", "step"):
                if getattr(node, bound) is not None:
                    yield "slice", _with(node, **{bound: None})
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            yield from _negated_filters(node)


def _negated_filters(comprehension: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    for place, generator in enumerate(comprehension.generators):
        for number, condition in enumerate(generator.ifs):
            new = deepcopy(comprehension)
            new.generators[place].ifs[number] = ast.UnaryOp(ast.Not(), condition)
            yield "condition", new


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """A copy of `node` with other `fields`."""
    new = deepcopy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _short(node: ast.AST) -> str:
    """The first line of `node` as Python, cut to what a line of the report can hold."""
    lines = ast.unparse(ast.fix_missing_locations(deepcopy(node))).splitlines()
    return lines[0] if len(lines[0]) <= 90 else lines[0][:89] + "…"
