"""The faults that are put into a module, whether a test notices, and how the share is told."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from inline_snapshot import snapshot

from tools.mutation import draw, mutants, row, survives

# A text of Python, then each of its mutants.
FAULTS = """
a < b                → comparison: a <= b
a == b               → comparison: a != b
a in b               → comparison: a not in b
a and b              → and, or: a or b
a + b                → arithmetic: a - b
total -= a           → arithmetic: total += a
-a                   → not, minus: a
not a                → not, minus: a
7                    → constant: 8
True                 → constant: False
f('word')            → text: f('XXwordXX')
f'{a} papers'        → text: f'{a}XX papersXX'
a[b:]                → slice: a[:]
a if b else c        → condition: a if not b else c
[a for a in b if c]  → condition: [a for a in b if not c]
while a: break       → condition: while not a: break → break, continue: while a: continue
def f(): return a    → return: def f(): return None
def f(): return None
def f(a: int = b) -> str: c
f(a, b)
cast('Paper', a)
'A docstring.'
if TYPE_CHECKING: import a
"""


@pytest.mark.parametrize("line", FAULTS.strip().splitlines())
def test_faults_of_a_text(tmp_path: Path, line: str) -> None:
    code, *expected = (part.strip() for part in line.split("→"))
    module = tmp_path / "module.py"
    module.write_text(code, encoding="utf-8")
    found = [(mutant.kind, ast.unparse(mutant.tree())) for mutant in mutants(module)]
    assert found == [
        (kind, ast.unparse(ast.parse(new)))
        for kind, _, new in (fault.partition(": ") for fault in expected)
    ]


def test_a_decorator_is_left_as_it_is(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("@dataclass(frozen=True)\nclass A:\n    pass\n", encoding="utf-8")
    assert mutants(module) == []


MODULE = "def older(one, two):\n    return one < two\n"
NOTICES = "from ages import older\ndef test_equal():\n    assert not older(1, 1)\n"
OVERLOOKS = "from ages import older\ndef test_younger():\n    assert older(1, 2)\n"


@pytest.mark.parametrize(("test", "lives"), [(NOTICES, False), (OVERLOOKS, True)])
def test_a_mutant_lives_where_no_test_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, test: str, lives: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("ages.py").write_text(MODULE, encoding="utf-8")
    Path("test_ages.py").write_text(test, encoding="utf-8")
    Path("pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    border = next(mutant for mutant in mutants(Path("ages.py")) if mutant.kind == "comparison")
    assert survives(None, ["test_ages.py"])
    assert survives(border, ["test_ages.py"]) is lives


def test_a_mutant_that_hangs_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("ages_down.py").write_text(
        "def down(n):\n    while n > 1:\n        n -= 1\n    return n\n"
    )
    Path("test_ages_down.py").write_text(
        "from ages_down import down\ndef test_it():\n    down(3)\n"
    )
    Path("pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    hangs = next(mutant for mutant in mutants(Path("ages_down.py")) if mutant.kind == "arithmetic")
    assert survives(None, ["test_ages_down.py"])
    monkeypatch.setattr("tools.mutation.MAX_SECONDS", 1)
    assert not survives(hangs, ["test_ages_down.py"])


def test_a_sample_is_that_of_its_seed() -> None:
    first = [str(mutant) for mutant in draw("explanation", 5, seed=1)]
    assert first == [str(mutant) for mutant in draw("explanation", 5, seed=1)]
    assert first != [str(mutant) for mutant in draw("explanation", 5, seed=2)]


def test_the_interval_of_a_share() -> None:
    # The interval of Wilson of 8 in 10.
    assert row("survey", drawn=10, survivors=2) == snapshot(
        "survey           10       8  80.0%   49.0% to 94.3%"
    )
