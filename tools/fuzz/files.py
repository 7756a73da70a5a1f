"""The files that people write, as parts of the fuzzing: examples, and what must hold of any bytes.

A check returns whether the bytes were `read` or `refused`; whatever it raises is a finding. What
one valid row says is never lost: what was read is written and read back, and is the same.
"""

from __future__ import annotations

import csv
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal

from classifier.commands.apply import answers_in as taken_up_of
from classifier.errors import FieldguideError
from classifier.files.table import Row
from classifier.labelling.prior import read_prior
from classifier.papers.identity import read_identity
from classifier.pipeline import build, compute
from classifier.project import Project
from classifier.review.edits import pending_edits
from classifier.review.ledger import Ledger, ledger_bytes, read_ledger
from classifier.review.ledger_check import ledger_faults
from classifier.review.pins import lock_bytes, read_lock
from classifier.review.sheet_check import built_cells
from classifier.review.sheet_file import SheetFile, read_sheet, rewritten_bytes
from classifier.survey.changes.published import read_build
from classifier.survey.facts import in_words, query_id, terms_of
from classifier.survey.inputs import Inputs, read_inputs
from classifier.taxonomy.dump import taxonomy_yaml
from classifier.taxonomy.lint import lint_taxonomy
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.versions import read_versions, versions_bytes
from tools.fuzz.mutations import ODD, mutated_table, mutated_yaml
from tools.fuzz.seeds import mutated

Outcome = Literal["read", "refused"]
BREAD = Path(__file__).resolve().parents[2] / "tests" / "golden" / "project"
TODAY = date(2025, 7, 1)


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of input."""

    name: str
    share: float
    """How many of all inputs are of this part, in proportion to the others."""
    seeds: Callable[[], list[bytes]]
    mutate: Callable[[bytes, list[bytes], Random], bytes]
    check: Callable[[bytes], Outcome]


@cache
def _folder() -> Path:
    """Return a folder in memory, where there is one."""
    memory = Path("/dev/shm")
    root = memory if memory.is_dir() and os.access(memory, os.W_OK) else None
    return Path(tempfile.mkdtemp(prefix="fuzz-", dir=root))


def clear() -> None:
    """Delete what the checks wrote."""
    shutil.rmtree(_folder(), ignore_errors=True)
    _folder.cache_clear()
    _bread.cache_clear()


@cache
def _bread() -> tuple[Project, Inputs]:
    """Return the bread project, built, and what was read of it."""
    project = Project(shutil.copytree(BREAD, _folder() / "bread"))
    build(project, project.out)
    return project, read_inputs(project)


def _file(data: bytes, name: str = "input") -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


def _spoken(error: FieldguideError) -> Outcome:
    """Take an error for a refusal; its message must be one that can be printed."""
    assert str(error).strip()
    str(error).encode("utf-8")
    return "refused"


# --- taxonomy -------------------------------------------------------------------------------------

SMALL = b"""\
survey:
  title: Bread
  editors: [Ada]
  scope: |
    On *bread*.
  base_url: https://bread.example/
facets:
  topic:
    kind: multi
    at_most: 2
    categories:
      - id: dough
        core: true
        name: Dough
        definition: Work on dough.
        includes: [starters]
        aliases: [paste]
        cues:
          title: [sourdough, starter~]
          contribution: ["not: cake", rye NEAR dough]
          anywhere: [wild yeast]
        exemplars: ["Keeping a Rye Starter Alive"]
        children:
          - id: dough/rye
            name: Rye
            definition: Of rye.
        claims:
          - text: Dough rises.
            by: Ada
            on: "2025-03"
            evidence: [kind, "kind: method", code]
      - id: heat
        name: Heat
        definition: Ovens.
        replaced_by: dough
      - id: other
        name: Other
        out_of_scope: true
  kind:
    kind: single
    categories:
      - {id: method, name: Method, definition: A way.}
      - {id: study, name: Study, definition: A look.}
"""
LEXICONS = b"""\
benchmarks:
  Rapeseed test: [rapeseed test, rape test]
systems:
  BreadBot: [breadbot]
  "Bread: 2": ["bread 2", two breads]
"""


def _taxonomies() -> list[bytes]:
    named = SMALL.replace(b"facets:", b"lexicons:\n  benchmarks:\n    A: [a]\nfacets:")
    return [SMALL, SMALL, SMALL, named, *_bread_taxonomy()]


def check_taxonomy(data: bytes) -> Outcome:
    """Read it; what is read is written as YAML that says the same."""
    try:
        loaded = load_taxonomy(_file(data, "taxonomy.yaml"), "taxonomy.yaml")
    except FieldguideError as error:
        return _spoken(error)
    for fault in lint_taxonomy(loaded, [("Rye dough", "We bake."), ("", "")]):
        str(fault).encode()
    again = load_taxonomy(_file(taxonomy_yaml(loaded.taxonomy).encode(), "again.yaml"))
    assert again.taxonomy == loaded.taxonomy, "the taxonomy as written says something else"
    return "read"


def check_lexicons(data: bytes) -> Outcome:
    """Read a file of lexicons beside a taxonomy that names it."""
    _file(data, "words.yaml")
    return check_taxonomy(SMALL.replace(b"facets:", b"lexicons: words.yaml\nfacets:"))


def check_build(data: bytes) -> Outcome:
    """Build a survey with the taxonomy of bread so changed; every claim and cue is tried."""
    other = _folder() / "other"
    if not other.exists():
        shutil.copytree(BREAD, other)
    (other / "taxonomy" / "taxonomy.yaml").write_bytes(data)
    try:
        compute(Project(other))
    except FieldguideError as error:
        return _spoken(error)
    return "read"


def _bread_taxonomy() -> list[bytes]:
    return [(BREAD / "taxonomy" / "taxonomy.yaml").read_bytes()]


# --- the tables of taxonomy/ ----------------------------------------------------------------------


def _rows_of(ledger: Ledger) -> set[tuple[object, ...]]:
    return {(entry, entry.further) for entry in ledger.entries}


def check_ledger(data: bytes) -> Outcome:
    """Read it, decide by it, write it and read it back: no row that was read is lost."""
    _, inputs = _bread()
    try:
        ledger = read_ledger(_file(data), "reviews.csv")
    except FieldguideError as error:
        return _spoken(error)
    again = read_ledger(_file(ledger_bytes(ledger)), "reviews.csv")
    assert _rows_of(again) == _rows_of(ledger), "a row was lost or changed"
    assert again.further_columns == ledger.further_columns, "a column was lost"
    assert ledger_bytes(again) == ledger_bytes(ledger), "written twice it differs"
    taxonomy, corpus = inputs.taxonomy, inputs.corpus
    for fault in ledger_faults(
        ledger, taxonomy, corpus.papers, corpus.aliases, "l", inputs.versions
    ):
        str(fault).encode()
    ledger.decisions(taxonomy, corpus.aliases, inputs.versions)
    list(ledger.gone(taxonomy, corpus.aliases))
    return "read"


def check_identity(data: bytes) -> Outcome:
    """Read it; what is an alias leads to an id."""
    try:
        identity = read_identity(_file(data), "identity.csv")
    except FieldguideError as error:
        return _spoken(error)
    for alias in identity.same:
        identity.resolve(alias)
    return "read"


def check_lock(data: bytes) -> Outcome:
    """Read it, write it and read it back: it locks the same labels."""
    _, inputs = _bread()
    try:
        lock = read_lock(_file(data), "topic", "labels.lock.csv")
    except FieldguideError as error:
        return _spoken(error)
    again = read_lock(_file(lock_bytes(lock)), "topic", "labels.lock.csv")
    assert lock_bytes(again) == lock_bytes(lock), "written twice it differs"
    assert [paper.facets for paper in again.papers] == [paper.facets for paper in lock.papers]
    for fault in lock.faults(inputs.taxonomy, "lock"):
        str(fault).encode()
    lock.labels(inputs.taxonomy, inputs.corpus.aliases)
    return "read"


def check_versions(data: bytes) -> Outcome:
    """Read it, write it and read it back: it records the same."""
    try:
        versions = read_versions(_file(data), "versions.csv")
    except FieldguideError as error:
        return _spoken(error)
    assert read_versions(_file(versions_bytes(versions)), "v") == versions, "a record was lost"
    return "read"


def _ledgers() -> list[bytes]:
    return [(BREAD / "taxonomy" / "reviews.csv").read_bytes()]


def _versions() -> list[bytes]:
    return [(BREAD / "taxonomy" / "versions.csv").read_bytes()]


def _identities() -> list[bytes]:
    return [
        b"id,alias,verdict\n"
        b"arxiv:2304.00111,p-2a2bbe240b,same\n"
        b"doi:10.1/x,arxiv:2401.10230,different\n"
        b"p-0123456789,p-0123456780,same\n"
    ]


def _locks() -> list[bytes]:
    from classifier.learning import learn
    from classifier.review.pins import lock_of
    from classifier.survey.inputs import labels_in_force

    _, inputs = _bread()
    labels = labels_in_force(inputs, learn(inputs, None).machine)
    return [lock_bytes(lock_of(inputs.taxonomy, inputs.corpus.papers, labels))]


# --- the sheet ------------------------------------------------------------------------------------

FILLED = {
    "verdict": ("ok", "wrong", "OK ", "x"),
    "review_primary": ("flour", "Flour & gluten", "sourdough", "nothing"),
    "review_topics": ("flour; ovens", "flour|ovens", "sourdough/cultures"),
    "review_contribution": ("method", "none"),
    "exclude": ("off topic", "withdraw"),
    "remark": ("A remark.", "withdraw"),
    "reviewer": ("ada", "ben", "a;b"),
    "note": ("a note",),
}


def _sheets() -> list[bytes]:
    """Return the sheet of the bread project, with answers of all kinds."""
    project, _ = _bread()
    built = (project.out / "labels.csv").read_bytes()
    random = Random(1)
    found = [built]
    for _ in range(20):
        rows = list(csv.reader(io.StringIO(built.decode())))
        for row in random.sample(rows[1:], 6):
            for name in random.sample(sorted(FILLED), 2):
                row[rows[0].index(name)] = random.choice(FILLED[name])
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        found.append(text.getvalue().encode())
    return found


def check_sheet(data: bytes) -> Outcome:
    """Take it up: what was in the ledger stays, what was typed is taken, refused or left."""
    project, inputs = _bread()
    path = _file(data, "labels.csv")
    digests = sorted({entry.taxonomy_digest for entry in inputs.ledger.entries})
    try:
        pending_edits(path, inputs.taxonomy, built_cells(project.out / "papers.json",
                                                         inputs.taxonomy), digests)  # fmt: skip
        sheet = read_sheet(path, "labels.csv")
    except FieldguideError as error:
        return _spoken(error)
    unchanged = read_sheet(_file(rewritten_bytes(sheet, {}), "labels.csv"), "labels.csv")
    assert _cells(unchanged) == _cells(sheet), "a cell of a sheet that was only saved is lost"
    taken_up = taken_up_of(inputs, inputs.versions, [sheet], "ada", TODAY.isoformat())
    _check_ledger_grew(inputs.ledger, taken_up.ledger, taken_up.taken)
    (rows,) = taken_up.rows
    taken = {each.row for each in taken_up.taken}
    refused = {each.line for each in taken_up.refused}
    assert set(rows) <= taken, "a row was emptied of which nothing was taken"
    assert not set(rows) & refused, "a row was emptied that was refused"
    after = read_sheet(_file(rewritten_bytes(sheet, rows), "labels.csv"), "labels.csv")
    left = [_whole(rows.get(row.row, row)) for row in sheet.rows]
    assert list(map(_whole, after.rows)) == list(filter(_is_filled, left)), "a row is lost"
    again = read_ledger(_file(ledger_bytes(taken_up.ledger)), "reviews.csv")
    assert _rows_of(again) == _rows_of(taken_up.ledger), "a decision is lost when it is written"
    _check_second_time(inputs, after, taken_up.ledger)
    return "read"


def _check_ledger_grew(before: Ledger, after: Ledger, taken: Sequence[object]) -> None:
    """Decisions of other days stay: only what one person said today may be replaced."""
    earlier = {entry for entry in before.entries if entry.reviewed_on != TODAY.isoformat()}
    assert earlier <= set(after.entries), "a decision was lost"
    assert taken or set(after.entries) == set(before.entries), "decided by nobody"


def _check_second_time(inputs: Inputs, sheet: SheetFile, ledger: Ledger) -> None:
    """Whoever applies the rewritten sheet again says nothing new."""
    from dataclasses import replace

    after = replace(inputs, ledger=ledger)
    second = taken_up_of(after, inputs.versions, [sheet], "ada", TODAY.isoformat())
    assert not second.is_news, "the rewritten sheet decides again"


def _cells(sheet: SheetFile) -> list[dict[str, str]]:
    return [dict(row.cells) for row in sheet.rows]


def _whole(row: Row) -> tuple[dict[str, str], list[str]]:
    """Return all cells of a row, those behind its last column, too."""
    return dict(row.cells), [cell for cell in row.extra if cell.strip()]


def _is_filled(row: tuple[dict[str, str], list[str]]) -> bool:
    return bool(row[1]) or any(cell.strip() for cell in row[0].values())


# --- what a machine wrote and anybody may have changed ------------------------------------------


def check_query(data: bytes) -> Outcome:
    """Read a query, write it and read it back."""
    try:
        terms = terms_of(data.decode("utf-8", "replace"))
    except ValueError:
        return "refused"
    in_words(terms)
    assert set(terms_of(query_id(terms))) == set(terms), "a term was lost"
    return "read"


def _queries() -> list[bytes]:
    return [b"all", b"topic=flour", b"filed=sourdough&code=yes&year=2024", b"fed_by=a%20b%26c"]


def mutate_query(data: bytes, others: list[bytes], random: Random) -> bytes:
    """Return a query with odd values, or odd bytes."""
    if random.random() < 0.5:
        return mutated(data, others, random)[:2000]
    return data + b"&" + "=".join(random.sample(ODD, 2)).encode("utf-8", "replace")


def check_published(data: bytes) -> Outcome:
    """Read the papers.json of an earlier build."""
    _, inputs = _bread()
    folder = _folder() / "published"
    folder.mkdir(exist_ok=True)
    (folder / "papers.json").write_bytes(data)
    try:
        read_build(folder)
        built_cells(folder / "papers.json", inputs.taxonomy)
    except FieldguideError as error:
        return _spoken(error)
    return "read"


def _published() -> list[bytes]:
    project, _ = _bread()
    text = (project.out / "papers.json").read_bytes()
    return [text, text[: len(text) // 3] + b"}]"]


def check_prior(data: bytes) -> Outcome:
    """Read a prior."""
    try:
        read_prior(_file(data), "prior.npz")
    except FieldguideError as error:
        return _spoken(error)
    return "read"


def _priors() -> list[bytes]:
    import numpy as np

    from classifier.labelling.features import Block
    from classifier.labelling.prior import Prior, prior_bytes

    blocks = (Block("title", ("rye",), np.ones(1)), Block("text", ("rye", "dough"), np.ones(2)))
    return [prior_bytes(Prior({}, frozenset({"a"}), ("the",), blocks, {}))]


PARTS: tuple[Part, ...] = (
    Part("taxonomy.yaml", 20, _taxonomies, mutated_yaml, check_taxonomy),
    Part("lexicons", 4, lambda: [LEXICONS], mutated_yaml, check_lexicons),
    Part("reviews.csv", 16, _ledgers, mutated_table, check_ledger),
    Part("identity.csv", 8, _identities, mutated_table, check_identity),
    Part("labels.lock.csv", 8, _locks, mutated_table, check_lock),
    Part("versions.csv", 4, _versions, mutated_table, check_versions),
    Part("labels.csv", 20, _sheets, mutated_table, check_sheet),
    Part("queries", 4, _queries, mutate_query, check_query),
    Part("papers.json of a build", 4, _published, mutated, check_published),
    Part("prior.npz", 2, _priors, mutated, check_prior),
    Part("a whole build", 0.3, _bread_taxonomy, mutated_yaml, check_build),
)
