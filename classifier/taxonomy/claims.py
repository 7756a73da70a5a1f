"""Read taxonomy/claims.yaml: the editors' claims, and the papers that they cite as evidence.

No code that labels papers reads this file (`tests/test_architecture.py`), so a claim of the editors
never changes a label.
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

SIDES = {"for": "For", "mixed": "Mixed", "against": "Against"}
"""The sides of the evidence on a claim, and their headings."""
RELEVANT = "beside"
"""The key of papers that are relevant to a claim and report no test of it."""
NO_PAPER = "none"
"""Value of `against` in a judgement against which no paper of the survey has evidence."""
CITED = re.compile(r"\[((?:arxiv:|doi:|p-)[^\]]*)\](?!\()")
"""Papers cited in a thesis: `[arxiv:2410.08115; p-94cbaaf293]`."""

_FORMER_SIDES = {"depends": "mixed"}
_SIDE_KEYS = (*SIDES, *_FORMER_SIDES, RELEVANT)
_THESIS_KEYS = ("thesis", "topic", "begin", "by")
_JUDGEMENT_KEYS = ("judgement", "for", "against", "settles", "by")
_CLAIM_KEYS = ("claim", "finding", "topic", *_SIDE_KEYS, "open", "search", "by")
_DETAILS = ("compared", "on", "effect", "whose")
_COLUMNS = ("claim", "paper", "side", "words")
_ID = re.compile(r"(?:arxiv:|doi:10\.|p-)\S+")
_BARE_ARXIV = re.compile(r"\d{4}\.\d{4,5}")


@dataclass(frozen=True, slots=True)
class Placement:
    """A paper's evidence on a claim: one row in the claim's table of evidence."""

    side: str
    """A key of `SIDES`, or `RELEVANT`."""
    paper_id: str
    words: str
    """Three to six words of the sentence that states the evidence; "" if none is pointed at."""
    file: str
    line: int
    compared: str = ""
    """What was compared with what."""
    on: str = ""
    """The tasks, benchmark or data of the comparison."""
    effect: str = ""
    """The size of the effect; "" to take the number from the sentence."""
    whose: str = ""
    """`own` if the authors tested their own system, `others` if they tested other systems."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A proposition of the editors, with the papers that report evidence for or against it."""

    text: str
    """The proposition."""
    topic: str
    """Id of the top category under which it is printed."""
    by: str
    open: bool
    """Whether the editors say that no paper of the survey reports a test of it."""
    placements: tuple[Placement, ...]
    line: int
    search: str = ""
    """Further search words that lead to it."""
    finding: str = ""
    """The claim as the evidence stands, printed as its heading; "" to print the proposition."""

    @property
    def name(self) -> str:
        """The id of the claim's sentence within the section of its topic."""
        return f"claim-{digest(self.text.encode())[:6]}"

    @property
    def heading(self) -> str:
        """The finding; if the editors wrote no finding, the proposition."""
        return self.finding or self.text


@dataclass(frozen=True, slots=True)
class Thesis:
    """The editors' argument about a category, as Markdown that cites papers."""

    text: str
    topic: str
    by: str
    line: int
    begin: tuple[tuple[str, str], ...] = ()
    """Papers to read first: (paper id, reason)."""

    @property
    def cited_ids(self) -> tuple[str, ...]:
        """Ids of the papers that the thesis cites, in order, then of the papers to read first."""
        ids = [part.strip() for group in CITED.findall(self.text) for part in group.split(";")]
        ids += [first for first, _ in self.begin]
        return tuple(dict.fromkeys(each for each in ids if each))


@dataclass(frozen=True, slots=True)
class Judgement:
    """A conclusion of the editors that may turn out to be wrong."""

    text: str
    supported_by: str
    """Id of the paper with the strongest evidence for it."""
    contradicted_by: str
    """Id of the paper with the strongest evidence against it; "" if the survey has none."""
    settled_by: str
    """What would settle it."""
    by: str
    line: int

    @property
    def cited_ids(self) -> tuple[str, ...]:
        """Ids of the papers that the judgement cites."""
        return tuple(filter(None, (self.supported_by, self.contradicted_by)))


@dataclass(frozen=True, slots=True)
class Claims:
    """All theses, claims and judgements of a survey."""

    theses: tuple[Thesis, ...] = ()
    claims: tuple[Claim, ...] = ()
    file: str = ""
    """The file's name in messages."""
    judgements: tuple[Judgement, ...] = ()

    def of_topic(self, topic: str) -> tuple[tuple[Thesis, ...], tuple[Claim, ...]]:
        """Return the theses and the claims of a category, in file order."""
        return (
            tuple(thesis for thesis in self.theses if thesis.topic == topic),
            tuple(claim for claim in self.claims if claim.topic == topic),
        )


def read_claims(path: Path, file_name: str, taxonomy: Taxonomy) -> Claims:
    """Read claims.yaml, and the placements in claims.csv if that file is next to it.

    file_name: name of the file for messages. Returns empty claims if neither file exists. Raises
    InputError with all faults of both files.
    """
    table = path.with_suffix(".csv")
    table_name = file_name.removesuffix(path.name) + table.name
    if not os.path.lexists(path):
        if table.is_file():
            expected = f"{path.name} next to it, with the claims to which its papers belong"
            hint = f"Write {path.name}, or move {table.name} out of this folder."
            raise InputError([Fault("error", table_name, None, "no claims", expected, hint)])
        return Claims()
    document, faults = parse_document(read_text(path, file_name), file_name)
    theses: list[Thesis] = []
    claims: list[Claim] = []
    judgements: list[Judgement] = []
    if document.kind != "list":
        expected = "a list: '- claim: …', '- thesis: …' and '- judgement: …'"
        raise InputError([Fault("error", file_name, document.line, f"a {document.kind}", expected)])
    topics = taxonomy.first.ids
    categories = tuple(category.id for category in taxonomy.first.walk())
    for node in document.items:
        if node.get("judgement"):
            faults += _judgement_faults(node)
            judgements.append(_parse_judgement(node))
            continue
        topic = _parse_topic(node, taxonomy.first)
        faults += _entry_faults(node, topic, categories if node.get("thesis") else topics)
        if node.get("thesis"):
            begin = tuple((key.text, value.text.strip()) for key, value in node.pairs_of("begin"))
            theses.append(
                Thesis(_text_at(node, "thesis"), topic, _text_at(node, "by"), node.line, begin)
            )
        else:
            claims.append(_parse_claim(node, topic))
    if table.is_file():
        rows, more = _read_rows(table, table_name, claims)
        faults += more
        claims = [
            replace(claim, placements=(*claim.placements, *rows.get(claim.text, ())))
            for claim in claims
        ]
    faults += _repeated_claims(claims, file_name)
    if faults:
        raise InputError(sort_faults(faults))
    return Claims(tuple(theses), tuple(claims), file_name, tuple(judgements))


def _parse_judgement(node: Node) -> Judgement:
    """Convert an entry to a judgement."""
    against = _text_at(node, "against")
    return Judgement(
        text=_text_at(node, "judgement"),
        supported_by=_text_at(node, "for"),
        contradicted_by="" if against == NO_PAPER else against,
        settled_by=_text_at(node, "settles"),
        by=_text_at(node, "by"),
        line=node.line,
    )


def _parse_topic(node: Node, facet: Facet) -> str:
    """Return the category id of an entry's topic; the topic may be a former id of the category."""
    text = _text_at(node, "topic")
    category = facet.resolve(text)
    return category.id if category else text


def _parse_claim(node: Node, topic: str) -> Claim:
    """Convert an entry to a claim."""
    placements = []
    for key in _SIDE_KEYS:
        side = _FORMER_SIDES.get(key, key)
        placements += [_parse_placement(side, paper, value) for paper, value in node.pairs_of(key)]
    placements += [
        Placement(RELEVANT, item.text, "", node.file, item.line) for item in node.items_of(RELEVANT)
    ]
    return Claim(
        text=_text_at(node, "claim"),
        topic=topic,
        by=_text_at(node, "by"),
        open=_text_at(node, "open").lower() == "true",
        placements=tuple(placements),
        line=node.line,
        search=_text_at(node, "search"),
        finding=_text_at(node, "finding"),
    )


def _parse_placement(side: str, paper: Node, value: Node) -> Placement:
    """Parse how a claim cites a paper: `paper: words` or `paper: {words: …, compared: …}`.

    side: supporting or opposing.
    """
    if value.kind != "mapping":
        return Placement(side, paper.text, _one_line(value.text), value.file, paper.line)
    details = {key: _one_line(_text_at(value, key)) for key in _DETAILS}
    words = _one_line(_text_at(value, "words"))
    return Placement(side, paper.text, words, value.file, paper.line, **details)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _text_at(node: Node, key: str) -> str:
    value = node.get(key)
    return value.text.strip() if value else ""


def _entry_faults(node: Node, topic_id: str, topics: tuple[str, ...]) -> Iterator[Fault]:
    """Yield the faults of an entry."""
    if node.kind != "mapping":
        expected = "'- claim: …', '- thesis: …' or '- judgement: …' with its keys below"
        yield node.fault(f"a {node.kind}", expected)
        return
    is_thesis = node.get("thesis") is not None
    yield from _unknown_keys(node, _THESIS_KEYS if is_thesis else _CLAIM_KEYS)
    for name in ("thesis" if is_thesis else "claim", "topic", "by"):
        value = node.get(name)
        if value is None or value.kind != "text" or not value.text.strip():
            where = value or node
            yield where.fault(f"no text for '{name}'", f"'{name}: …'")
    topic = node.get("topic")
    if topic and topic.text and topic_id not in topics:
        expected = f"one of {', '.join(topics)}"
        yield topic.fault(
            f"the topic '{topic.display_text}'", expected, did_you_mean(topic.text, topics)
        )
    if is_thesis:
        yield from _begin_faults(node)
    else:
        yield from _claim_faults(node)


def _unknown_keys(node: Node, known_keys: tuple[str, ...]) -> Iterator[Fault]:
    """Yield a fault for each unknown key of an entry."""
    for key, _ in node.pairs:
        if key.text not in known_keys:
            expected = (
                f"one of {', '.join(name for name in known_keys if name not in _FORMER_SIDES)}"
            )
            hint = did_you_mean(key.text, known_keys)
            yield key.fault(f"the unknown key '{key.display_text}'", expected, hint)


def _judgement_faults(node: Node) -> Iterator[Fault]:
    """Yield the faults of a judgement."""
    yield from _unknown_keys(node, _JUDGEMENT_KEYS)
    for name in _JUDGEMENT_KEYS:
        value = node.get(name)
        if value is None or value.kind not in ("text", "number") or not value.text.strip():
            hint = f"Write '{NO_PAPER}' if no paper contradicts it." if name == "against" else ""
            yield (value or node).fault(f"no text for '{name}'", f"'{name}: …'", hint)
        elif name in ("for", "against") and value.text.strip() != NO_PAPER:
            yield from _id_faults([value])
        elif name == "for":
            yield value.fault(
                f"'{NO_PAPER}' for 'for'", "the id of a paper that supports the claim"
            )


def _begin_faults(node: Node) -> Iterator[Fault]:
    """Yield the faults of a thesis's list of papers to read first."""
    below = node.get("begin")
    if below and below.kind not in ("mapping", "nothing"):
        expected = "a mapping: 'arxiv:2410.08115: a reason to read it first'"
        yield below.fault(f"a {below.kind} for 'begin'", expected)
    for key, value in node.pairs_of("begin"):
        if value.kind != "text" or not value.text.strip():
            yield value.fault(f"no text after '{key.display_text}'", "a reason to read it first")
    yield from _id_faults(key for key, _ in node.pairs_of("begin"))


def _claim_faults(node: Node) -> Iterator[Fault]:
    """Yield the faults of a claim."""
    papers: list[Node] = []
    for side in _SIDE_KEYS:
        below = node.get(side)
        if below is None or below.kind == "nothing":
            continue
        if below.kind != "mapping" and not (side == RELEVANT and below.kind == "list"):
            expected = "a mapping: 'arxiv:2410.08115: a few words'"
            expected += ", or a list: [arxiv:2601.09883]" if side == RELEVANT else ""
            yield below.fault(f"a {below.kind} for '{side}'", expected)
            continue
        papers += below.items
        for key, value in below.pairs:
            papers.append(key)
            if side != RELEVANT or value.kind != "nothing":
                yield from _placement_faults(key, value)
    finding, search, is_open = node.get("finding"), node.get("search"), node.get("open")
    if finding and finding.kind != "text":
        yield finding.fault(
            f"a {finding.kind} for 'finding'", "text: the claim that the cited evidence supports"
        )
    if search and search.kind != "text":
        yield search.fault(
            f"a {search.kind} for 'search'", "words on one line, separated by spaces"
        )
    if is_open and is_open.kind != "flag":
        yield is_open.fault(f"'{is_open.display_text}' for 'open'", "true or false")
    yield from _id_faults(papers)


def _placement_faults(key: Node, value: Node) -> Iterator[Fault]:
    """Yield the faults of a citation: `paper: words` or `paper: {words: …, compared: …}`."""
    words = value
    if value.kind == "mapping":
        yield from _unknown_keys(value, ("words", *_DETAILS))
        for name, detail in value.pairs:
            if name.text in _DETAILS and detail.kind in ("list", "mapping"):
                yield detail.fault(f"a {detail.kind} for '{name.display_text}'", "text on one line")
        words = value.get("words") or key
        if words is key:
            yield key.fault(f"no 'words' under '{key.display_text}'", "'words: …'", _WORDS_HINT)
            return
    if words.kind in ("list", "mapping") or len(words.text.split()) < 2:
        expected = "three to six words of the sentence that states the evidence"
        yield words.fault(f"'{words.display_text}' after '{key.display_text}'", expected)


_WORDS_HINT = "Copy three to six words of the sentence of the paper that states the evidence."


def _id_faults(keys: Iterable[Node]) -> Iterator[Fault]:
    """Yield a fault for each invalid or repeated paper id."""
    first_by_id: dict[str, Node] = {}
    for key in keys:
        first = first_by_id.setdefault(key.text, key)
        if not _ID.fullmatch(key.text):
            hint = f"Write 'arxiv:{key.text}'." if _BARE_ARXIV.fullmatch(key.text) else ""
            found = (
                f"the number {key.display_text}"
                if key.kind == "number"
                else f"'{key.display_text}'"
            )
            expected = "the id of a paper as in labels.csv: arxiv:…, doi:… or p-…"
            yield key.fault(f"{found} as a paper", expected, hint)
        elif first is not key:
            found = f"{key.display_text} a second time (first on line {first.line})"
            yield key.fault(found, "each paper once")


def _read_rows(
    path: Path, file_name: str, claims: list[Claim]
) -> tuple[Mapping[str, list[Placement]], list[Fault]]:
    """Return the placements in claims.csv by the text of their claim, and the file's faults."""
    faults: list[Fault] = []
    placements: dict[str, list[Placement]] = {}
    texts = [claim.text for claim in claims]
    rows = read_table(path, file_name)
    check_columns(rows, _COLUMNS, file_name)
    for row in rows:
        claim, paper, side, words = (_one_line(row.cells[name]) for name in _COLUMNS)
        side = _FORMER_SIDES.get(side, side)
        expected = hint = ""
        if claim not in texts:
            found, expected = f"'{claim}'", "the text of a claim of claims.yaml"
            hint = did_you_mean(claim, texts)
        elif side not in (*SIDES, RELEVANT):
            found, expected = f"the side '{side}'", f"one of {', '.join((*SIDES, RELEVANT))}"
        elif not _ID.fullmatch(paper):
            found, expected = f"'{paper}' as a paper", "the id of a paper as in labels.csv"
        if expected:
            faults.append(Fault("error", file_name, row.line, found, expected, hint))
            continue
        details = {key: _one_line(row.cells.get(key, "")) for key in _DETAILS}
        placement = Placement(side, paper, words, file_name, row.line, **details)
        placements.setdefault(claim, []).append(placement)
    return placements, faults


def _repeated_claims(claims: list[Claim], file_name: str) -> Iterator[Fault]:
    """Yield a fault for each claim that its topic already has."""
    first_lines: dict[tuple[str, str], int] = {}
    for claim in claims:
        first = first_lines.setdefault((claim.topic, claim.text), claim.line)
        if first != claim.line and claim.text:
            found = f"the claim '{claim.text[:60]}' a second time (first on line {first})"
            yield Fault("error", file_name, claim.line, found, "each claim once per topic")
