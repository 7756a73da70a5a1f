"""The sentences of the survey; each pattern is chosen by the shape of the data, never at random."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from classifier.survey.document import Kind, Paragraph, Sentence
from classifier.survey.edition import Entry
from classifier.survey.exemplars import choose_exemplars
from classifier.survey.facts import Facts
from classifier.survey.wording import (
    citation,
    citations,
    counted,
    how_many,
    joined,
    number,
    opening,
    verb,
)
from classifier.taxonomy.model import Category, Facet, Taxonomy

Draft = tuple[str, Kind, str]
"""Text, kind and source of a sentence that has no id yet."""

# A name in fewer texts than this says nothing of a field.
_SHARED_AT_LEAST = 2
_MOST_NAMES = 4
_WRITTEN = "written by the editors in their own words"


def paragraph(section_id: str, start: int, drafts: Iterable[Draft]) -> Paragraph:
    """Return the drafts as one paragraph whose sentences are numbered from `start`."""
    return Paragraph(
        tuple(
            Sentence(f"{section_id}-{start + i}", text, kind, source)
            for i, (text, kind, source) in enumerate(drafts)
        )
    )


def abstract_sentences(taxonomy: Taxonomy, facts: Facts, entries: Sequence[Entry]) -> list[Draft]:
    """Return what the survey covers, in figures."""
    total, first = facts.number("papers.total"), taxonomy.first
    reviewed, provisional = facts.number("papers.reviewed"), facts.number("papers.provisional")
    drafts = [
        _computed(
            f"This survey sorts {counted(total, 'paper')} into "
            f"{counted(_used(first, facts), 'category', 'categories')}.",
            "papers.total", *(f"{first.id}.{c.id}.filed" for c in _scoped(first)),
        )
    ]  # fmt: skip
    ordered = sorted(_scoped(first), key=lambda c: (-_filed(facts, first, c), c.id))
    largest = [c for c in ordered if _filed(facts, first, c)][:3]
    if len(largest) > 1:
        parts = [f"{c.name} ({_filed(facts, first, c)})" for c in largest]
        sources = [f"{first.id}.{c.id}.filed" for c in largest]
        drafts.append(_computed(f"The largest are {joined(parts)}.", *sources))
    several = facts.number("papers.several_topics")
    if several:
        belong = verb(several, "belongs", "belong")
        text = f"{opening(counted(several, 'paper'))} {belong} to more than one category."
        drafts.append(_computed(text, "papers.several_topics"))
    with_figure, with_code = facts.number("papers.with_figure"), facts.number("papers.with_code")
    drafts.append(
        _computed(
            f"{opening(how_many(with_figure))} of the {number(total)} "
            f"{verb(with_figure, 'states', 'state')} a result with a figure in the text that we "
            f"read, and {how_many(with_code)} {verb(with_code, 'links', 'link')} code or "
            f"{verb(with_code, 'announces', 'announce')} a release.",
            "papers.with_figure", "papers.with_code", "papers.total",
        )
    )  # fmt: skip
    drafts.append(
        _computed(
            _who_decided(total, reviewed, provisional),
            "papers.total", "papers.reviewed", "papers.provisional",
        )
    )  # fmt: skip
    return drafts + _date_sentences(facts)


def _who_decided(total: int, reviewed: int, provisional: int) -> str:
    """Whose labels these are: the classifier's, readers', or both."""
    if reviewed == total:
        return f"The labels of all {counted(total, 'paper')} were decided by people."
    unsure = f"{how_many(provisional)} of them provisionally"
    if not reviewed:
        return f"The classifier labelled all {counted(total, 'paper')}, {unsure}."
    subject = verb(
        reviewed, "The label of one paper was", f"The labels of {number(reviewed)} papers were"
    )
    return (
        f"{subject} decided by people; the classifier "
        f"labelled the other {number(total - reviewed)}, {unsure}."
    )


def _date_sentences(facts: Facts) -> list[Draft]:
    total, dated = facts.number("papers.total"), facts.number("papers.dated")
    if not dated:
        return []
    oldest, newest = facts.text("papers.oldest")[:4], facts.text("papers.newest")[:4]
    span = f"in {newest}" if oldest == newest else f"from {oldest} to {newest}"
    are = verb(dated, "is", "are")
    text = f"{opening(number(dated))} of {counted(total, 'paper')} {are} dated, {span}."
    return [_computed(text, "papers.dated", "papers.total", "papers.oldest", "papers.newest")]


def method_sentences(facts: Facts) -> list[Draft]:
    """Return how the survey came about: sources, merging, texts, labels."""
    read, total = facts.number("records.read"), facts.number("papers.total")
    quarantined = facts.number("records.quarantined")
    drafts = [
        _computed(
            f"{opening(counted(facts.number('files.read'), 'file'))} "
            f"gave {counted(read, 'record')}, which {verb(read, 'is', 'are')} "
            f"{counted(total, 'distinct paper')} after merging.",
            "files.read", "records.read", "papers.total",
        )
    ]  # fmt: skip
    if quarantined:
        are = verb(quarantined, "is", "are")
        text = f"{opening(counted(quarantined, 'record'))} could not be read and {are} listed in"
        drafts.append(_computed(f"{text} quarantine.csv.", "records.quarantined"))
    kinds = [
        (facts.number("papers.with_abstract"), "its abstract", "their abstracts"),
        (facts.number("papers.with_digest"), f"a digest {_WRITTEN}", f"digests {_WRITTEN}"),
        (facts.number("papers.title_only"), "its title alone", "their titles alone"),
    ]  # fmt: skip
    parts = [f"{counted(n, 'paper')} from {verb(n, one, many)}" for n, one, many in kinds if n]
    drafts.append(
        _computed(
            f"Labels and statements were drawn for {joined(parts)}; no full text was read.",
            "papers.with_abstract", "papers.with_digest", "papers.title_only",
        )
    )  # fmt: skip
    return drafts


def category_sentences(
    taxonomy: Taxonomy, facts: Facts, category: Category, entries: Sequence[Entry]
) -> list[Draft]:
    """Return what the data says of one category, most general first."""
    first = taxonomy.first
    filed = [entry for entry in entries if entry.first.primary == category.id]
    if not filed:
        return [
            _computed(
                f"No paper is filed under {category.name}.", f"{first.id}.{category.id}.filed"
            )
        ]
    drafts = [_scale(facts, first, category)]
    further = (
        _kinds(taxonomy, facts, category, filed),
        _children(facts, first, category),
        _neighbours(facts, first, category),
        _shared_names(filed, "benchmarks", "benchmark"),
        _evidence_stated(facts, first, category),
    )
    return [*drafts, *(draft for draft in further if draft is not None)]


def exemplar_sentences(category: Category, entries: Sequence[Entry]) -> list[Draft]:
    """Return what the most central papers filed here do, each in the words of its digest."""
    filed = [entry for entry in entries if entry.first.primary == category.id]
    drafts: list[Draft] = []
    for entry in choose_exemplars(filed):
        stated = entry.contribution
        if entry.paper.abstract_kind == "digest":
            text = f"{citations([entry])} {stated[:1].lower()}{stated[1:]}"
            drafts.append((text, "P", f"paper: {entry.paper.id}"))
        else:
            text = f"{citations([entry])} states: “{stated}”"
            drafts.append((text, "Q", f"paper: {entry.paper.id}"))
    return drafts


def _computed(text: str, *fact_ids: str) -> Draft:
    return text, "C", "facts: " + ", ".join(fact_ids)


def _scale(facts: Facts, first: Facet, category: Category) -> Draft:
    key = f"{first.id}.{category.id}"
    filed, also = facts.number(f"{key}.filed"), facts.number(f"{key}.also")
    reviewed, provisional = facts.number(f"{key}.reviewed"), facts.number(f"{key}.provisional")
    text = f"{opening(counted(filed, 'paper'))} {verb(filed, 'is', 'are')} filed here"
    if also:
        belong, are = verb(also, "belongs", "belong"), verb(also, "is", "are")
        text += f", and {number(also)} more {belong} here too but {are} filed elsewhere"
    if filed > 1:
        shares = []
        if reviewed:
            shares.append(f"readers decided {number(reviewed)} of the {number(filed)}")
        if provisional:
            shares.append(f"{number(provisional)} {verb(provisional, 'is', 'are')} provisional")
        if shares:
            text += f"; {joined(shares)}"
    return _computed(
        f"{text}.", f"{key}.filed", f"{key}.also", f"{key}.reviewed", f"{key}.provisional"
    )


def _kinds(
    taxonomy: Taxonomy, facts: Facts, category: Category, filed: Sequence[Entry]
) -> Draft | None:
    """What kind of contribution the papers make, where a facet of that name exists."""
    if "contribution" not in taxonomy.facets or len(filed) < 3:
        return None
    facet = taxonomy.facet("contribution")
    key = f"{taxonomy.first.id}.{category.id}.contribution"
    counts = [(facts.number(f"{key}.{kind.id}"), kind) for kind in _current(facet.categories)]
    present = sorted(
        ((n, kind) for n, kind in counts if n), key=lambda item: (-item[0], item[1].id)
    )
    if not present:
        return None
    top, kind = present[0]
    source = [f"{taxonomy.first.id}.{category.id}.filed", *(f"{key}.{k.id}" for _, k in present)]
    name = kind.name.lower()
    if top == len(filed):
        return _computed(f"Each of them contributes a {name}.", *source)
    rest = [f"{number(n)} a {other.name.lower()}" for n, other in present[1:4]]
    contribute = verb(top, "contributes", "contribute")
    lead = f"{opening(number(top))} of the {number(len(filed))} {contribute} a {name}"
    if top > len(filed) / 2:
        lead = f"The majority, {number(top)} of {number(len(filed))}, contribute a {name}"
    return _computed(f"{', '.join([lead, joined(rest)] if rest else [lead])}.", *source)


def _children(facts: Facts, first: Facet, category: Category) -> Draft | None:
    children = _current(category.children)
    counts = [(facts.number(f"{first.id}.{child.id}.papers"), child) for child in children]
    present = [(n, child) for n, child in counts if n]
    if not present:
        return None
    ordered = sorted(present, key=lambda item: (-item[0], item[1].id))
    parts = [f"{child.name} ({n})" for n, child in ordered]
    sources = [f"{first.id}.{child.id}.papers" for _, child in ordered]
    return _computed(f"By cue, papers with this topic fall into {joined(parts)}.", *sources)


def _neighbours(facts: Facts, first: Facet, category: Category) -> Draft | None:
    others = [c for c in _scoped(first) if c.id != category.id]
    key = f"{first.id}.{category.id}.and"
    counts = sorted(
        ((facts.number(f"{key}.{c.id}"), c) for c in others), key=lambda i: (-i[0], i[1].id)
    )
    met = [(n, c) for n, c in counts if n]
    if not met or facts.number(f"{first.id}.{category.id}.filed") < 5:
        return None
    parts = [f"{c.name} ({n})" for n, c in met[:3]]
    text = f"Papers filed here most often also belong to {joined(parts)}"
    never = [c for n, c in counts if not n and c.core]
    if never:
        text += f"; none also belongs to {joined([c.name for c in never], 'or')}"
    sources = [f"{key}.{c.id}" for _, c in met[:3]] + [f"{key}.{c.id}" for c in never]
    return _computed(f"{text}.", *sources)


def _shared_names(filed: Sequence[Entry], lexicon: str, noun: str) -> Draft | None:
    """Which papers name the same benchmark: a join over papers that share a fact."""
    groups: dict[str, list[Entry]] = {}
    for entry in filed:
        for name in entry.names.get(lexicon, ()):
            groups.setdefault(name, []).append(entry)
    shared = sorted(
        ((name, group) for name, group in groups.items() if len(group) >= _SHARED_AT_LEAST),
        key=lambda item: (-len(item[1]), item[0]),
    )[:_MOST_NAMES]
    if not shared:
        return None
    parts = [
        f"{name} in {counted(len(group), 'text')} {citations(group, 8)}" for name, group in shared
    ]
    nouns = noun if len(shared) == 1 else f"{noun}s"
    text = f"The {nouns} named most {verb(len(shared), 'is', 'are')} {joined(parts)}."
    papers = sorted({entry.paper.id for _, group in shared for entry in group})
    return text, "T", "papers: " + ", ".join(papers)


def _evidence_stated(facts: Facts, first: Facet, category: Category) -> Draft | None:
    key = f"{first.id}.{category.id}"
    filed = facts.number(f"{key}.filed")
    figure, code = facts.number(f"{key}.with_figure"), facts.number(f"{key}.with_code")
    if filed < 3:
        return None
    text = (
        f"{opening(how_many(figure))} of the {number(filed)} {verb(figure, 'states', 'state')} a "
        f"result with a figure, and {how_many(code)} {verb(code, 'links', 'link')} code or "
        f"{verb(code, 'announces', 'announce')} a release."
    )
    return _computed(text, f"{key}.filed", f"{key}.with_figure", f"{key}.with_code")


def _scoped(facet: Facet) -> list[Category]:
    """The top categories that are about the field."""
    return [category for category in _current(facet.categories) if not category.out_of_scope]


def _current(categories: Sequence[Category]) -> list[Category]:
    """Those that no other category has replaced."""
    return [category for category in categories if not category.replaced_by]


def _used(facet: Facet, facts: Facts) -> int:
    return sum(_filed(facts, facet, category) > 0 for category in _scoped(facet))


def _filed(facts: Facts, facet: Facet, category: Category) -> int:
    return facts.number(f"{facet.id}.{category.id}.filed")


__all__ = [
    "abstract_sentences",
    "category_sentences",
    "citation",
    "exemplar_sentences",
    "method_sentences",
    "paragraph",
]
