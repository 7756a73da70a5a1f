"""A project folder: where it is found, and the path of everything in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from classifier.errors import Fault, InputError, UsageError

_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Project:
    """A folder that holds a taxonomy, papers and, if its owner wants, templates."""

    root: Path

    @property
    def taxonomy_file(self) -> Path:
        """The hand-authored taxonomy."""
        return self.root / "taxonomy" / "taxonomy.yaml"

    @property
    def ledger_file(self) -> Path:
        """The ledger of human decisions; it may not exist yet."""
        return self.root / "taxonomy" / "reviews.csv"

    @property
    def identity_file(self) -> Path:
        """Human overrides of which records are one paper; it may not exist."""
        return self.root / "taxonomy" / "identity.csv"

    @property
    def out(self) -> Path:
        """The generated folder."""
        return self.root / "out"

    @property
    def template_folders(self) -> tuple[Path, ...]:
        """Where templates are looked up by name: the project's own first, then the shipped ones."""
        return self.root / "templates", shipped_folder("templates")

    def shown(self, path: Path) -> str:
        """Return `path` as messages and sources name it: relative to the project, POSIX style."""
        try:
            return path.resolve().relative_to(self.root.resolve()).as_posix()
        except ValueError:
            return path.as_posix()

    def paper_files(self, patterns: Sequence[str]) -> list[Path]:
        """Return the files that `survey.sources` names, sorted and without hidden ones.

        Raises InputError where a pattern matches nothing or leaves the project.
        """
        faults: list[Fault] = []
        found: set[Path] = set()
        for pattern in patterns:
            if Path(pattern).is_absolute() or ".." in Path(pattern).parts:
                faults.append(
                    self._source_fault(pattern, "a pattern inside the project folder", "")
                )
                continue
            matches = self._matches(pattern)
            if not matches:
                cure = "Put the papers there, or change survey.sources."
                faults.append(self._source_fault(pattern, "at least one file", cure))
            found |= matches
        if faults:
            raise InputError(faults)
        return sorted(found)

    def _matches(self, pattern: str) -> set[Path]:
        try:
            paths = list(self.root.glob(pattern))
        except (ValueError, IndexError, AttributeError):  # pathlib's answers to "**x" and "."
            return set()
        return {
            path
            for path in paths
            if path.is_file()
            and not any(part.startswith(".") for part in path.relative_to(self.root).parts)
        }

    def _source_fault(self, pattern: str, wanted: str, cure: str) -> Fault:
        file = self.shown(self.taxonomy_file)
        return Fault("error", file, None, f"survey.sources '{pattern}'", wanted, cure)


def shipped_folder(name: str) -> Path:
    """Return a data folder that comes with Fieldguide: in the wheel, else in the checkout."""
    packaged = _PACKAGE / "_data" / name
    return packaged if packaged.is_dir() else _PACKAGE.parent / name


def embedded_project() -> Project:
    """Return the project that ships with Fieldguide: agentic AI, 364 papers."""
    return Project(shipped_folder("taxonomy").parent)


def find_project(start: Path) -> Project | None:
    """Return the project that `start` lies in, looking upwards, or None."""
    for folder in (start.resolve(), *start.resolve().parents):
        if (folder / "taxonomy" / "taxonomy.yaml").is_file():
            return Project(folder)
    return None


def open_project(folder: Path | None) -> Project:
    """Return the project at `folder`, or the nearest one upwards where `folder` is None.

    Raises UsageError where there is none, with what to do.
    """
    if folder is not None:
        if not (folder / "taxonomy" / "taxonomy.yaml").is_file():
            raise UsageError(f"{folder}: no project here (no taxonomy/taxonomy.yaml).")
        return Project(folder)
    project = find_project(Path.cwd())
    if project is None:
        raise UsageError(
            "No project here: neither this folder nor one above it holds taxonomy/taxonomy.yaml.\n"
            "Go to a project's folder, name one with --project DIR, or build the shipped example "
            "into ./out with `fieldguide build --demo`."
        )
    return project
