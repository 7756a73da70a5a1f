"""The editors' survey: theses and claims that cite papers, as taxonomy/claims.yaml has them.

Nothing that labels a paper reads this file (`tests/test_architecture.py`): what the editors argue
never moves a label.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from classifier.errors import Fault, InputError, sort_faults
from classifier.files.built_folder import digest
from classifier.files.reading import read_text
from classifier.files.table import check_columns, read_table
from classifier.taxonomy.document import Node, parse_document
from classifier.taxonomy.model import Facet, Taxonomy
from classifier.text.normalise import did_you_mean

SIDES = {"for": "For", "depends": "In part", "against": "Against"}
"""The ways in which a paper's sentence may bear on a claim, as they are written and as printed."""
CITED = re.compile(r"\[((?:arxiv:|doi:|p-)[^\]]*)\](?!\()")
"""Papers cited in a thesis: `[arxiv:2410.08115; p-94cbaaf293]`."""

_THESIS_KEYS = ("thesis", "topic", "begin", "by")
_CLAIM_KEYS = ("claim", "topic", *SIDES, "beside", "open", "search", "by")
_COLUMNS = ("claim", "paper", "side", "words")
_ID = re.compile(r"(?:arxiv:|doi:10\.|p-)\S+")
_BARE_ARXIV = re.compile(r"\d{4}\.\d{4,5}")


@dataclass(frozen=True, slots=True)
class Placement:
    """A paper beside a claim, with words that point at the sentence that bears on it."""

    side: str
    """`for`, `depends`, `against`, or `beside`: read, reports no test of it."""
    paper_id: str
    words: str
    """Three to six words of that one sentence; "" where none is pointed at, beside."""
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of the editors, with the papers that speak for and against it."""

    text: str
    topic: str
    """The top category under which it is printed."""
    by: str
    open: bool
    """Whether no paper of the survey reports a test of it."""
    placements: tuple[Placement, ...]
    line: int
    search: str = ""
    """Further words by which readers look for it."""

    @property
    def name(self) -> str:
        """What its sentence is called in the section of its topic."""
        return f"claim-{digest(self.text.encode())[:6]}"


@dataclass(frozen=True, slots=True)
class Thesis:
    """What the editors argue of a whole category, as Markdown that cites papers."""

    text: str
    topic: str
    by: str
    line: int
    begin: tuple[tuple[str, str], ...] = ()
    """The papers to read first: an id, and what one learns there."""

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the papers that it cites, in order, and of those to read first."""
        ids = [part.strip() for group in CITED.findall(self.text) for part in group.split(";")]
        return tuple(dict.fromkeys(filter(None, [*ids, *(first for first, _ in self.begin)])))


@dataclass(frozen=True, slots=True)
class Claims:
    """All that the editors argue."""

    theses: tuple[Thesis, ...] = ()
    claims: tuple[Claim, ...] = ()
    file: str = ""
    """For messages."""

    def under(self, topic: str) -> tuple[tuple[Thesis, ...], tuple[Claim, ...]]:
        """Return the theses and the claims of a category, in the order of the file."""
        return (
            tuple(thesis for thesis in self.theses if thesis.topic == topic),
            tuple(claim for claim in self.claims if claim.topic == topic),
        )


def read_claims(path: Path, shown: str, taxonomy: Taxonomy) -> Claims:
    """Read claims.yaml, with the placements of a claims.csv beside it.

    Returns nothing where there is no such file. Raises InputError with every fault of both files.
    """
    table = path.with_suffix(".csv")
    table_shown = shown.removesuffix(path.name) + table.name
    if not os.path.lexists(path):
        if table.is_file():
            expected = f"{path.name} next to it, with the claims that it places papers under"
            hint = f"Write {path.name}, or move {table.name} out of this folder."
            raise InputError([Fault("error", table_shown, None, "no claims", expected, hint)])
        return Claims()
    document, faults = parse_document(read_text(path, shown), shown)
    theses: list[Thesis] = []
    claims: list[Claim] = []
    if document.kind != "list":
        expected = "a list: '- claim: …' and '- thesis: …'"
        raise InputError([Fault("error", shown, document.line, f"a {document.kind}", expected)])
    topics = taxonomy.first.ids
    parts = tuple(category.id for category in taxonomy.first.walk())
    for node in document.items:
        topic = _topic(node, taxonomy.first)
        faults += _entry_faults(node, topic, parts if node.get("thesis") else topics)
        if node.get("thesis"):
            begin = tuple((key.text, value.text.strip()) for key, value in node.pairs_of("begin"))
            theses.append(Thesis(_text(node, "thesis"), topic, _text(node, "by"), node.line, begin))
        else:
            claims.append(_claim(node, topic))
    if table.is_file():
        rows, more = _rows(table, table_shown, claims)
        faults += more
        claims = [
            replace(claim, placements=(*claim.placements, *rows.get(claim.text, ())))
            for claim in claims
        ]
    faults += _repeated(claims, shown)
    if faults:
        raise InputError(sort_faults(faults))
    return Claims(tuple(theses), tuple(claims), shown)


def _topic(node: Node, facet: Facet) -> str:
    """Return the category id of an entry's topic, which may be a former id of the category."""
    text = _text(node, "topic")
    category = facet.resolve(text)
    return category.id if category else text


def _claim(node: Node, topic: str) -> Claim:
    placements = [
        Placement(side, key.text, " ".join(value.text.split()), node.file, key.line)
        for side in (*SIDES, "beside")
        for key, value in node.pairs_of(side)
    ]
    placements += [
        Placement("beside", item.text, "", node.file, item.line) for item in node.items_of("beside")
    ]
    is_open = _text(node, "open").lower() == "true"
    text, search = _text(node, "claim"), _text(node, "search")
    return Claim(text, topic, _text(node, "by"), is_open, tuple(placements), node.line, search)


def _text(node: Node, key: str) -> str:
    value = node.get(key)
    return value.text.strip() if value else ""


def _entry_faults(node: Node, topic_id: str, topics: tuple[str, ...]) -> Iterator[Fault]:
    if node.kind != "mapping":
        yield node.fault(f"a {node.kind}", "'- claim: …' or '- thesis: …' with its keys below")
        return
    is_thesis = node.get("thesis") is not None
    known = _THESIS_KEYS if is_thesis else _CLAIM_KEYS
    for key, _ in node.pairs:
        if key.text not in known:
            expected = f"one of {', '.join(known)}"
            yield key.fault(
                f"the unknown key '{key.shown}'", expected, did_you_mean(key.text, known)
            )
    for name in ("thesis" if is_thesis else "claim", "topic", "by"):
        value = node.get(name)
        if value is None or value.kind != "text" or not value.text.strip():
            where = value or node
            yield where.fault(f"no text as '{name}'", f"'{name}: …'")
    topic = node.get("topic")
    if topic and topic.text and topic_id not in topics:
        expected = f"one of {', '.join(topics)}"
        yield topic.fault(f"the topic '{topic.shown}'", expected, did_you_mean(topic.text, topics))
    if is_thesis:
        yield from _begin_faults(node)
    else:
        yield from _placement_faults(node)


def _begin_faults(node: Node) -> Iterator[Fault]:
    below = node.get("begin")
    if below and below.kind not in ("mapping", "nothing"):
        expected = "a mapping: 'arxiv:2410.08115: what one learns there'"
        yield below.fault(f"a {below.kind} as 'begin'", expected)
    for key, value in node.pairs_of("begin"):
        if value.kind != "text" or not value.text.strip():
            yield value.fault(f"no text behind '{key.shown}'", "what one learns there")
    yield from _id_faults(key for key, _ in node.pairs_of("begin"))


def _placement_faults(node: Node) -> Iterator[Fault]:
    cited: list[Node] = []
    is_empty = True
    for side in (*SIDES, "beside"):
        below, is_beside = node.get(side), side == "beside"
        if below is None or below.kind == "nothing":
            continue
        if below.kind != "mapping" and not (is_beside and below.kind == "list"):
            expected = "a mapping: 'arxiv:2410.08115: a few words'"
            expected += ", or a list: [arxiv:2601.09883]" if is_beside else ""
            yield below.fault(f"a {below.kind} as '{side}'", expected)
            is_empty = False
            continue
        cited += below.items
        for key, value in below.pairs:
            cited.append(key)
            if is_beside and value.kind == "nothing":
                continue
            if value.kind in ("list", "mapping") or len(value.text.split()) < 2:
                expected = "three to six words of the one sentence that bears on the claim"
                yield value.fault(f"'{value.shown}' behind '{key.shown}'", expected)
    search = node.get("search")
    if search and search.kind != "text":
        yield search.fault(f"a {search.kind} as 'search'", "words in one line, with blanks between")
    flag = node.get("open")
    if flag and flag.kind != "flag":
        yield flag.fault(f"'{flag.shown}' as 'open'", "true or false")
    if is_empty and not cited and (flag is None or flag.text.lower() == "false"):
        expected = "papers for, against or beside it, or 'open: true'"
        yield node.fault("a claim that cites no paper", expected)
    yield from _id_faults(cited)


def _id_faults(keys: Iterable[Node]) -> Iterator[Fault]:
    seen: dict[str, Node] = {}
    for key in keys:
        if not _ID.fullmatch(key.text):
            hint = f"Write 'arxiv:{key.text}'." if _BARE_ARXIV.fullmatch(key.text) else ""
            found = f"the number {key.shown}" if key.kind == "number" else f"'{key.shown}'"
            expected = "the id of a paper as labels.csv has it: arxiv:…, doi:… or p-…"
            yield key.fault(f"{found} as a paper", expected, hint)
        elif first := seen.get(key.text):
            found = f"{key.shown} a second time (first on line {first.line})"
            yield key.fault(found, "each paper once")
        seen.setdefault(key.text, key)


def _rows(
    path: Path, shown: str, claims: list[Claim]
) -> tuple[Mapping[str, list[Placement]], list[Fault]]:
    """Return the placements of a table, by the text of their claim, and what is wrong with it."""
    faults: list[Fault] = []
    found: dict[str, list[Placement]] = {}
    texts = [claim.text for claim in claims]
    rows = read_table(path, shown)
    check_columns(rows, _COLUMNS, shown)
    for row in rows:
        claim, paper, side, words = (" ".join(row.cells[name].split()) for name in _COLUMNS)
        expected = hint = ""
        if claim not in texts:
            what, expected = f"'{claim}'", "the text of a claim of claims.yaml"
            hint = did_you_mean(claim, texts)
        elif side not in (*SIDES, "beside"):
            what, expected = f"the side '{side}'", f"one of {', '.join((*SIDES, 'beside'))}"
        elif not _ID.fullmatch(paper):
            what, expected = f"'{paper}' as a paper", "the id of a paper as labels.csv has it"
        if expected:
            faults.append(Fault("error", shown, row.line, what, expected, hint))
        else:
            found.setdefault(claim, []).append(Placement(side, paper, words, shown, row.line))
    return found, faults


def _repeated(claims: list[Claim], shown: str) -> Iterator[Fault]:
    seen: dict[tuple[str, str], int] = {}
    for claim in claims:
        first = seen.setdefault((claim.topic, claim.text), claim.line)
        if first != claim.line and claim.text:
            found = f"the claim '{claim.text[:60]}' a second time (first on line {first})"
            yield Fault("error", shown, claim.line, found, "each claim once a topic")
