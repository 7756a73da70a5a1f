"""Reviewing in a browser: one paper a screen, whose answer is written into out/labels.csv.

The cells that a button fills are those that a person would type into the sheet, read by the same
rules; the ledger is written by `review apply` alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from classifier.commands.apply import answers_in, apply_sheets
from classifier.errors import FieldguideError, UsageError
from classifier.extras.serve.review_requests import page_server
from classifier.extras.serve.server import Server
from classifier.files.lock import sole_writer
from classifier.files.reading import read_text
from classifier.files.table import Row, csv_bytes
from classifier.files.writing import write_file
from classifier.labelling.cue_index import CueIndex, words_of
from classifier.papers.paper import Paper
from classifier.pipeline import build
from classifier.progress import Progress
from classifier.project import Project
from classifier.review.columns import DRAWN_BY, JOINER
from classifier.review.queue import doubt_of
from classifier.review.read_rows import is_reviewer
from classifier.review.sheet import human_columns
from classifier.review.sheet_file import BYTE_ORDER_MARK, SheetFile, read_sheet
from classifier.survey.inputs import read_inputs
from classifier.survey.last_build import BuildOptions
from classifier.survey.wording import counted
from classifier.text.normalise import tokens

MAX_CHOICES = 6
"""Likeliest categories that get a button each."""
_WORD = re.compile(r"\w+|[^\w\s]")


class Review:
    """The rows of a sheet, one after another, and what was answered since it was opened."""

    def __init__(self, project: Project, reviewer: str, progress: Progress | None = None) -> None:
        """Raises UsageError where nothing was built, InputError with faults of the project."""
        self._project, self._path, self._reviewer = project, project.out / "labels.csv", reviewer
        self._read(progress)

    def _read(self, progress: Progress | None = None) -> None:
        project, out = self._project, self._path.parent
        if not self._path.is_file() or not (out / "papers.json").is_file():
            raise UsageError(f"{project.shown(self._path)}: not there; run `fieldguide build`.")
        self._inputs = read_inputs(project, progress)
        self._cues = CueIndex(self._inputs.taxonomy)
        self._papers = {paper.id: paper for paper in self._inputs.corpus.papers}
        # Ids repeat across facets, so names are kept per facet.
        self._names = {
            facet.id: {category.id: category.name for category in facet.walk()}
            for facet in self._inputs.taxonomy.facets.values()
        }
        first = self._inputs.taxonomy.first.id
        self._likeliest: dict[str, Mapping[str, float]] = {
            record["id"]: record["labels"][first]["probabilities"]
            for record in json.loads(read_text(out / "papers.json"))
        }
        # The build put what is most worth a minute on top; what was answered is not asked again.
        human = self._human - {"reviewer"}
        self._waiting = [
            row.cells["id"]
            for row in self._sheet().rows
            if row.cells.get("id") in self._likeliest
            and row.cells.get("status") != "reviewed"
            and not any(row.cells.get(name, "").strip() for name in human)
        ]
        self._answered: list[str] = []

    def ask(self, name: str, asked: Mapping[str, Any]) -> dict[str, object]:
        """Do what the page asks for; a problem is told, and changes nothing."""
        paper_id = str(asked.get("id", ""))
        try:
            if name == "answer":
                given = asked.get("cells")
                cells = given if isinstance(given, dict) else {}
                return self.answer(paper_id, {str(key): str(cell) for key, cell in cells.items()})
            if name == "skip":
                return self.skip(paper_id)
            return {"undo": self.undo, "apply": self.apply, "build": self.build}[name]()
        except FieldguideError as error:
            return {"problem": str(error)}

    def paper(self) -> dict[str, object]:
        """Return what the page shows: the next paper, or that none is left."""
        sheet = self._sheet()
        # Another program may have saved an older copy of the sheet over the answers.
        filled = {row.cells.get("id", "") for row in sheet.rows if self._is_filled(row)}
        lost = [paper_id for paper_id in self._answered if paper_id not in filled]
        self._answered = [paper_id for paper_id in self._answered if paper_id in filled]
        self._waiting = [*lost, *self._waiting]
        counts: dict[str, object] = {"answered": len(self._answered), "left": len(self._waiting)}
        if lost:
            papers = counted(len(lost), "answer")
            counts["changed"] = [
                f"Another program saved labels.csv without {papers} given here; these papers are "
                "asked again. Close the sheet in that program."
            ]
        if not self._waiting:
            return counts
        paper = self._papers[self._waiting[0]]
        cells = self._row(sheet, paper.id).cells
        first, chances = self._inputs.taxonomy.first, self._likeliest[paper.id]
        ranked = sorted(chances, key=lambda name: (-chances[name], name))
        others = [name for name in ranked if name != cells["primary"]]
        outside = first.out_of_scope.id if first.out_of_scope else ""
        primary = self._named(first.id, cells["primary"])
        by_name = {self._names[first.id][name]: chance for name, chance in chances.items()}
        listed = {
            each.id: {
                "id": each.id,
                "name": each.name,
                "defined": " ".join(each.definition.replace("*", "").split()),
                "topics": self._refiled(cells, each.id),
            }
            for each in first.walk()
        }
        about = ", ".join(paper.authors[:3]), paper.venue, paper.published.year
        return counts | {
            "id": paper.id,
            "title": paper.title_display,
            "url": paper.link,
            "about": " · ".join(filter(None, about)),
            "abstract": self._marked(paper, [cells["primary"], *others[:3]]),
            "status": cells["status"],
            "doubt": f"Why this paper: {doubt_of(primary, by_name)}",
            "labels": {
                facet.name: self._named(
                    facet.id, cells.get("topics" if facet is first else facet.id, "")
                )
                for facet in self._inputs.taxonomy.facets.values()
            },
            "primary": primary,
            "defined": listed[cells["primary"]]["defined"] if cells["primary"] in listed else "",
            "choices": [
                listed[name] | {"chance": round(100 * chances[name])}
                for at, name in enumerate(others)
                if at < MAX_CHOICES or name == outside
            ],
            "categories": [*listed.values()],
            "outside": outside,
        }

    def _named(self, facet_id: str, ids: str) -> str:
        """Return a cell of category ids of one facet as names."""
        names = self._names[facet_id]
        return ", ".join(names.get(each, each) for each in ids.split(JOINER) if each)

    def _refiled(self, cells: Mapping[str, str], category_id: str) -> str:
        """Return `review_topics` where the paper is filed elsewhere: its other topics stay."""
        first = self._inputs.taxonomy.first
        outside = first.out_of_scope.id if first.out_of_scope else ""
        gone = {outside, *map(first.top_of, (cells["primary"], category_id))}
        topics = cells["topics"].split(JOINER) if category_id != outside else []
        stay = [each for each in topics if each and first.top_of(each) not in gone]
        return JOINER.join([category_id, *stay])

    def answer(self, paper_id: str, cells: Mapping[str, str]) -> dict[str, object]:
        """Write cells of a person into the row of a paper; return what they decide.

        Nothing is written where they cannot be meant so, or where somebody typed there meanwhile.
        """
        if not cells or not set(cells) <= self._human or paper_id not in self._waiting:
            return {"problem": "This is no answer to the paper that was asked."}
        with sole_writer(self._path.parent):
            sheet = self._sheet()
            row = self._row(sheet, paper_id)
            if any(row.cells.get(name, "").strip() for name in self._human):
                return {"problem": "Somebody has filled this row of the sheet meanwhile."}
            drawn = {"reviewer": self._reviewer, DRAWN_BY: "queue"}
            filled = replace(row, cells={**row.cells, **cells, **drawn})
            if DRAWN_BY not in sheet.columns:
                sheet = replace(sheet, columns=(*sheet.columns, DRAWN_BY))
            read = answers_in(self._inputs, [replace(sheet, rows=(filled,))], self._reviewer)
            if read.refused:
                return {"problem": " ".join(str(fault) for fault in read.refused)}
            self._write(sheet, filled)
        self._waiting.remove(paper_id)
        self._answered.append(paper_id)
        changed = [
            replace(
                each,
                text=self._named(each.facet, each.text),
                before=self._named(each.facet, each.before),
            )
            if each.facet in self._inputs.taxonomy.facets
            else each
            for each in read.taken
        ]
        told = [str(each).partition(f"{paper_id}  ")[2] for each in changed]
        return {"changed": told, **self.paper()}

    def skip(self, paper_id: str) -> dict[str, object]:
        """Ask of a paper again when all others were asked."""
        if paper_id in self._waiting:
            self._waiting.remove(paper_id)
            self._waiting.append(paper_id)
        return {"changed": ["skipped, asked again at the end"], **self.paper()}

    def undo(self) -> dict[str, object]:
        """Empty the cells of the last answer, and ask again."""
        if not self._answered:
            return {"problem": "Nothing to take back: what was applied is in the ledger."}
        paper_id = self._answered.pop()
        with sole_writer(self._path.parent):
            sheet = self._sheet()
            row = self._row(sheet, paper_id)
            emptied = {name: "" for name in self._human if name in row.cells}
            self._write(sheet, replace(row, cells={**row.cells, **emptied}))
        self._waiting.insert(0, paper_id)
        return {"changed": ["taken back"], **self.paper()}

    def apply(self) -> dict[str, object]:
        """Write the answers of the sheet into the ledger, as `review apply` does."""
        applied = apply_sheets(self._project, [self._path], reviewer=self._reviewer)
        self._inputs = read_inputs(self._project)
        self._answered.clear()
        papers = len({each.paper_id for each in applied.taken if each.state != "known"})
        done = f"Answers on {counted(papers, 'paper')} are in the ledger; a build makes use of them"
        faults = map(str, (*applied.refused, *applied.misplaced, *applied.faults))
        return {"changed": [done, *faults], **self.paper()}

    def build(self) -> dict[str, object]:
        """Build anew with what was applied; the queue begins again."""
        told = build(self._project, self._path.parent, BuildOptions()).report
        self._read()
        self._answered.clear()
        counts = f"{told.reviewed} reviewed, {told.confident} confident"
        lines = [f"{counts}, {told.provisional} wait for review", *filter(None, [told.border])]
        return {"changed": lines, **self.paper()}

    @property
    def _human(self) -> frozenset[str]:
        return frozenset(human_columns(self._inputs.taxonomy))

    def _sheet(self) -> SheetFile:
        return read_sheet(self._path, self._project.shown(self._path))

    def _row(self, sheet: SheetFile, paper_id: str) -> Row:
        for row in sheet.rows:
            if row.cells.get("id") == paper_id:
                return row
        raise UsageError(f"{sheet.shown}: {paper_id} is gone; start `review serve` again.")

    def _write(self, sheet: SheetFile, row: Row) -> None:
        write_file(self._path, with_row(sheet, row))

    def _is_filled(self, row: Row) -> bool:
        names = self._human - {"reviewer"}
        return any(row.cells.get(name, "").strip() for name in names)

    def _marked(self, paper: Paper, categories: Sequence[str]) -> list[tuple[str, str]]:
        """Return the abstract in pieces, each with the name of the category whose cue it is."""
        text = paper.abstract_display
        owner: dict[int, str] = {}
        first = self._inputs.taxonomy.first.id
        for category in categories:
            for start, end in self._cues.spans(text, first, category):
                owner |= {
                    place: owner.get(place, self._names[first][category])
                    for place in range(start, end)
                }
        pieces: list[tuple[str, str]] = []
        at = 0
        for place, (start, end) in _places(text):
            if place in owner and start >= at:
                glue = bool(pieces) and pieces[-1][1] == owner[place] and text[at:start].isspace()
                if glue:
                    pieces[-1] = (pieces[-1][0] + text[at:end], owner[place])
                else:
                    pieces += [(text[at:start], ""), (text[start:end], owner[place])]
                at = end
        return [piece for piece in (*pieces, (text[at:], "")) if piece[0]]


def with_row(sheet: SheetFile, row: Row) -> bytes:
    """Return a CSV sheet with one of its rows replaced."""
    rows = [row if row.row == each.row else each for each in sheet.rows]
    table = [[*(each.cells.get(name, "") for name in sheet.columns), *each.extra] for each in rows]
    unnamed = [""] * max(len(each.extra) for each in rows)
    data = csv_bytes([*sheet.columns, *unnamed], table, sheet.delimiter)
    return BYTE_ORDER_MARK + data if sheet.delimiter == ";" else data


def _places(text: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield (position of a token in `words_of`, where it stands); none where they do not meet."""
    found = [m.span() for m in _WORD.finditer(text) for _ in tokens(m[0])]
    words, _ = words_of(text)
    known = set(tokens(text))
    places = [place for place, word in enumerate(words) if word in known]
    if len(found) == len(places):
        yield from zip(places, found, strict=True)


def review_server(
    project: Project, reviewer: str, port: int | None, progress: Progress | None = None
) -> tuple[Server, str]:
    """Return a server that answers nothing yet, and the address of its page with its token.

    Raises UsageError where the port is taken, nothing was built, or nobody knows who reviews.
    """
    if not reviewer or not is_reviewer(reviewer):
        raise UsageError(f"--reviewer {reviewer!r}: expected the name of who decides.")
    return page_server(Review(project, reviewer, progress), project.out, port)
