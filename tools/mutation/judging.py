"""Whether a test fails when a mutant takes the place of its module.

Each mutant has a process of its own, forked from one that has imported what takes long (NumPy,
scikit-learn, pytest) and nothing of the package: so the tests import the package anew, the faulty
module in it, and what a module works out on import is faulty too.
"""

from __future__ import annotations

import ast
import gc
import os
import resource
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from time import process_time
from types import CodeType, ModuleType

import pytest
from hypothesis import Phase, settings

from tools.mutation.mutants import Mutant

SLOW_IMPORTS = """
    charset_normalizer ftfy hypothesis jinja2 lxml.etree lxml.html markdown nh3 numpy openpyxl
    pandas pydantic.functional_validators pydantic.main rapidfuzz rich ruamel.yaml scipy.optimize
    scipy.sparse scipy.special sklearn.feature_extraction.text sklearn.linear_model threadpoolctl
    typer
""".split()
# pytest cannot look into the assertions of a plugin that is imported already: none of ours has any.
OPTIONS = [
    *"-x -q -p no:cacheprovider --timeout=3000 --hypothesis-profile=mutation -W".split(),
    "ignore::pytest.PytestAssertRewriteWarning",
]
MOST_SECONDS = 30
"""What one test may take of the processor, which is three times what the slowest takes; a mutant
that takes longer hangs. A busy machine makes none hang."""
OUR_OWN_FAULT = 70

# That an example fails is enough: nobody reads the shortest one.
settings.register_profile(
    "mutation", settings(database=None, deadline=None, derandomize=True),
    phases=[Phase.explicit, Phase.generate],
)  # fmt: skip


def import_slowly() -> None:
    """Import what every mutant needs, before it is forked."""
    for name in SLOW_IMPORTS:
        import_module(name)
    gc.freeze()  # else each mutant looks for garbage in all of it


def survives(mutant: Mutant | None, tests: Sequence[str]) -> bool:
    """Whether all `tests` (node ids, or files) pass with the mutant in the place of its module.

    Without a mutant: whether they pass at all. A mutant that hangs does not survive.
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
    os.setpgrp()
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    if mutant is not None:
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        sys.meta_path.insert(0, _MutantFinder(mutant))
    _give_time()
    return int(pytest.main([*OPTIONS, *tests], plugins=[_EachTest()]))


class _EachTest:
    """Gives every test its own time, as the import of all of them has."""

    def pytest_runtest_protocol(self) -> None:
        _give_time()


def _give_time() -> None:
    """Let the process end when it takes MOST_SECONDS more of the processor."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(process_time()) + MOST_SECONDS, hard))


class _MutantFinder(MetaPathFinder):
    """Gives the mutant to whoever imports its module."""

    def __init__(self, mutant: Mutant) -> None:
        self.path = str(mutant.path)
        parts = mutant.path.with_suffix("").parts
        self.name = ".".join(parts).removesuffix(".__init__")
        self.tree = mutant.tree()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return spec_from_file_location(
            fullname, self.path, loader=_MutantLoader(fullname, self.path, self.tree)
        )


class _MutantLoader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, tree: ast.Module) -> None:
        super().__init__(fullname, path)
        self.tree = tree

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.tree, self.path, "exec", dont_inherit=True)
