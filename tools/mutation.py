"""How many small faults in a part the tests of that part notice: python -m tools.mutation survey.

Draws mutants of a package at random (the seed says which), runs against each those of the tests in
`tests/PACKAGE` and `tests/golden` that run its lines, and prints the share that some test notices,
with those that none does. Needs `pip install -e '.[test]'`. Without an argument: the three
parts that answer for what the survey says.

The faults are those of cosmic-ray and mutmut: a comparison at its border or turned round, `and` for
`or`, another sign, a number one too large, another text, a condition that is negated, a `not` that
is lost, `None` returned, `break` for `continue`, a bound of a slice lost. What no test can see is
left as it is: annotations, docstrings, decorators.

Why no ready-made tool. mutmut 3 tests a copy of the project in a folder of its own, where the
abstracts beside the checkout are missing and their tests skip, leaves out what stands outside of
functions, and draws no sample. cosmic-ray rewrites the files of the checkout and starts Python and
pytest anew for each mutant, which takes longer than nearly all of our tests.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from random import Random
from types import CodeType, ModuleType

import pytest
from coverage import CoverageData
from hypothesis import Phase, settings
from scipy.stats import binomtest

PACKAGES = ("labelling", "review", "survey")
GOLDEN = "tests/golden/test_golden.py"
"""The texts of a small survey, whatever part wrote them: tested behind those of the part."""
MAX_SECONDS = 100
"""What one test may take: a mutant that takes longer hangs, and is noticed."""
OUR_OWN_FAULT = 70
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
    """A walk over a module that lists what could be changed, and makes the change `expected`."""

    def __init__(self, tree: ast.Module, expected: int | None) -> None:
        self.expected = expected
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
            if len(self.offered) - 1 == self.expected:
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


def survives(mutant: Mutant | None, tests: Sequence[str]) -> bool:
    """Whether all `tests` (files, or node ids) pass with the mutant in the place of its module.

    Without a mutant: whether they pass at all. They run in a process forked from this one, which
    has imported the libraries and nothing of the package: so what a module works out on import is
    faulty, too.
    """
    child = os.fork()
    if child == 0:
        status = OUR_OWN_FAULT
        try:
            status = _run(mutant, tests)
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == OUR_OWN_FAULT:
        raise RuntimeError(f"{mutant} could not be tried")
    return status == pytest.ExitCode.OK


def _run(mutant: Mutant | None, tests: Sequence[str]) -> int:
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    if mutant is not None:
        sys.meta_path.insert(0, _MutantFinder(mutant))
    # That an example fails is enough: nobody reads the shortest one.
    settings.register_profile(
        "mutation", settings(database=None, deadline=None, derandomize=True),
        phases=[Phase.explicit, Phase.generate],
    )  # fmt: skip
    options = f"-x -q -p no:cacheprovider --timeout={MAX_SECONDS} --hypothesis-profile=mutation"
    rewrite = "ignore::pytest.PytestAssertRewriteWarning"  # of plugins that are imported already
    return int(pytest.main([*options.split(), "-W", rewrite, *tests]))


class _MutantFinder(MetaPathFinder):
    """Gives the mutant to whoever imports its module."""

    def __init__(self, mutant: Mutant) -> None:
        self.path = str(mutant.path)
        self.name = ".".join(mutant.path.with_suffix("").parts).removesuffix(".__init__")
        self.tree = mutant.tree()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        loader = _MutantLoader(fullname, self.path, self.tree)
        return spec_from_file_location(fullname, self.path, loader=loader)


class _MutantLoader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, tree: ast.Module) -> None:
        super().__init__(fullname, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec", dont_inherit=True)


def import_libraries() -> None:
    """Import the libraries that the package uses, before mutants are forked."""
    import_module("classifier.cli.commands")
    for name in ("pipeline", "commands.export", "papers.load", "review.workbook"):
        import_module(f"classifier.{name}")
    for name in [name for name in sys.modules if name.split(".")[0] == "classifier"]:
        del sys.modules[name]
    gc.freeze()  # else each mutant looks for garbage in all of it


class Covering:
    """Which tests of a package run a line, read off a run with coverage."""

    def __init__(self, package: str) -> None:
        """Run the tests of a package (`labelling`); exits where one fails without any mutant."""
        self.files = [*map(str, sorted(Path("tests", package).rglob("test_*.py"))), GOLDEN]
        with tempfile.TemporaryDirectory() as folder:
            data = Path(folder, "coverage")
            rc = Path(folder, "rc")
            rc.write_text(f"[run]\nbranch = True\nrelative_files = True\ndata_file = {data}\n")
            command = f"""
                -m pytest -q -p no:cacheprovider -p no:xdist tests/{package} {GOLDEN}
                --cov=classifier/{package} --cov-context=test --cov-report= --cov-config={rc}
            """.split()
            done = subprocess.run(
                [sys.executable, *command], capture_output=True, text=True, check=False
            )
            if done.returncode:
                sys.exit(f"the tests of {package} fail without a mutant:\n{done.stdout[-4000:]}")
            found = CoverageData(str(data))
            found.read()
            self.lines = {file: found.contexts_by_lineno(file) for file in found.measured_files()}

    def of(self, mutant: Mutant) -> list[str]:
        """The tests that run a line of the mutant, those of its own module first.

        A line that runs on import is the business of all tests of the package; what runs in a
        set-up, of all tests of its file.
        """
        by_line = self.lines.get(str(mutant.path), {})
        contexts = {each for line in mutant.lines for each in by_line.get(line, ())}
        if "" in contexts:
            return self.files
        found = set()
        for context in contexts:  # tests/a/test_b.py::test_c[1]|run
            node, _, phase = context.partition("|")
            found.add(node.partition("::" if phase == "setup" else "[")[0])
        own = f"test_{mutant.path.stem}.py"
        return sorted(found, key=lambda test: (GOLDEN in test, own not in test, test))


HEAD = "package     mutants  killed  score   95 % interval"


def row(package: str, drawn: int, survivors: int) -> str:
    """A line of the table: the share killed with its interval (Wilson 1927)."""
    killed = drawn - survivors
    low, high = binomtest(killed, drawn).proportion_ci(method="wilson")
    return f"{package:<10} {drawn:>8} {killed:>7}  {killed / drawn:>5.1%}   {low:.1%} to {high:.1%}"


def draw(package: str, size: int, seed: int) -> list[Mutant]:
    """`size` mutants of a package at random, in no order: the first ones are a sample as well."""
    paths = sorted(Path("classifier", package).rglob("*.py"))
    offered = [mutant for path in paths for mutant in mutants(path)]
    return Random(seed).sample(offered, min(size, len(offered)))


def main() -> None:
    """Draw, judge and print."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.mutation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help="of classifier/")
    parser.add_argument("--sample", type=int, default=60, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=1, help="which mutants are drawn")
    arguments = parser.parse_args()
    import_libraries()
    rows = []
    for package in arguments.packages or PACKAGES:
        covering = Covering(package)
        sample = draw(package, arguments.sample, arguments.seed)
        survivors = 0
        for number, mutant in enumerate(sample, start=1):
            tests = covering.of(mutant)
            lives = not tests or survives(mutant, tests)
            survivors += lives
            verdict = "SURVIVES" if lives else "killed  "
            note = "" if tests else " (no test runs it)"
            print(f"{number:3}/{len(sample)} {verdict} {mutant}{note}", flush=True)
        rows.append(row(package, len(sample), survivors))
        print(rows[-1], flush=True)
    print("\n".join(["", f"seed {arguments.seed}", HEAD, *rows]))


if __name__ == "__main__":
    main()
