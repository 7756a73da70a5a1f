"""Under what the same input has to give the same bytes: a cell is one such circumstance."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from tools.matrix.projects import rename_files, shuffle_ledger, shuffle_records

Group = Literal["process", "place", "order", "time", "run", "digits", "python", "libraries"]


def _nothing(_folder: Path) -> None:
    return


@dataclass(frozen=True)
class Cell:
    """A circumstance of a build."""

    name: str
    group: Group
    environment: Mapping[str, str] = field(default_factory=dict)
    arrange: Callable[[Path], None] = _nothing
    """What is done to the project's folder before."""
    folder: str = "project"
    """Where the project lies, below a folder for the cell."""
    python: tuple[str, ...] = ()
    """The interpreter, where it is another one, and its flags."""
    before: tuple[str, ...] = ()
    """What runs Python: a command and its arguments."""
    umask: int = 0o022
    from_elsewhere: bool = False
    """Whether the command is run in another folder than the project's."""
    builds: Literal["cold", "warm", "there and back"] = "cold"
    label: tuple[str, ...] = ()
    """Options of `fieldguide label`."""
    informative: bool = False
    """Whether a difference is told, but no fault."""


def _set_times(second: int) -> Callable[[Path], None]:
    def arrange(folder: Path) -> None:
        for path in folder.rglob("*"):
            os.utime(path, (second, second))

    return arrange


def has_locale(name: str) -> bool:
    """Whether the system knows a locale."""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout
    return name.lower().replace("-", "") in known.lower().replace("-", "").split()


def pythons() -> dict[str, str]:
    """Return what FIELDGUIDE_PYTHONS names: `3.13=/path/to/python,…`, each with the libraries."""
    named = filter(None, os.environ.get("FIELDGUIDE_PYTHONS", "").split(","))
    return dict(one.split("=", 1) for one in named)  # type: ignore[misc]


_LOCALES = ("C", "C.UTF-8", "tr_TR.UTF-8", "de_DE.UTF-8", "de_DE.ISO-8859-1", "ja_JP.UTF-8")
_KERNELS = ("Prescott", "Nehalem", "Sandybridge", "Haswell", "SkylakeX")
_NUMPY = {
    "no AVX-512": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
    "no AVX2": "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR AVX2 FMA3",
}


def cells() -> list[Cell]:
    """Return all cells that this machine can make."""
    return [
        *(Cell(f"hash seed {n}", "process", {"PYTHONHASHSEED": n}) for n in ("0", "1", "4294967")),
        *(Cell(f"TZ={zone}", "process", {"TZ": zone}) for zone in ("Pacific/Kiritimati", "UTC+12")),
        *(
            Cell(f"LC_ALL={name}", "process", {"LC_ALL": name, "LANG": name})
            for name in _LOCALES
            if has_locale(name)
        ),
        Cell("PYTHONUTF8=0, LC_ALL=C", "process", {"PYTHONUTF8": "0", "LC_ALL": "C"}),
        Cell("PYTHONUTF8=1", "process", {"PYTHONUTF8": "1"}),
        Cell("umask 077", "process", umask=0o077),
        Cell("python -O", "process", python=("", "-O")),
        Cell("python -OO", "process", python=("", "-OO")),
        Cell("from another folder", "place", from_elsewhere=True),
        Cell("a path with spaces and umlauts", "place", folder="ein Ordner/mit Ümläut, 東/İ"),
        Cell("a long path", "place", folder="/".join(["a-long-name-of-a-folder"] * 7)),
        Cell("records shuffled", "order", arrange=shuffle_records),
        Cell("files sort the other way", "order", arrange=rename_files, informative=True),
        Cell("ledger shuffled", "order", arrange=shuffle_ledger),
        Cell("folders read backwards", "order", {"FIELDGUIDE_FILE_ORDER": "reversed"}),
        Cell("folders read shuffled", "order", {"FIELDGUIDE_FILE_ORDER": "shuffled"}),
        Cell("files of 1980", "time", arrange=_set_times(315_600_000)),
        Cell("files of 2098", "time", arrange=_set_times(4_040_000_000)),
        *(
            Cell(f"the clock says {year}", "time", before=("faketime", f"{year}-02-28 23:59:58"))
            for year in (1990, 2037)
            if shutil.which("faketime")
        ),
        Cell("built twice", "run", builds="warm"),
        Cell("edited, built, back, built", "run", builds="there and back"),
        Cell("3 workers, chunks of 7", "run", label=("--workers", "3", "--chunk-size", "7")),
        *(
            Cell(f"{n} threads", "digits", {"OMP_NUM_THREADS": n, "OPENBLAS_NUM_THREADS": n})
            for n in ("2", "4")
        ),
        *(Cell(f"kernel {name}", "digits", {"OPENBLAS_CORETYPE": name}) for name in _KERNELS),
        *(
            Cell(f"NumPy with {name}", "digits", {"NPY_DISABLE_CPU_FEATURES": features})
            for name, features in _NUMPY.items()
        ),
        *(Cell(f"Python {name}", "python", python=(path,)) for name, path in pythons().items()),
    ]
