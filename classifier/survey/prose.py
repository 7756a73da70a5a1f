"""The sentences of the survey; each pattern is chosen by the shape of the data, never at random."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from classifier.survey.document import Kind, Paragraph, Sentence
from classifier.survey.edition import Entry
from classifier.survey.editorial import LEFT_OUT, key_sentence
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
    with_article,
)
from classifier.taxonomy.model import Category, Facet, Taxonomy

Draft = tuple[str, Kind, str]
"""Text, kind and source of a sentence that has no id yet."""

# A name in fewer texts than this says nothing of a field.
_SHARED_AT_LEAST = 3
# Categories that meet in fewer papers are no neighbours worth a sentence.
_MET_AT_LEAST = 3
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
    drafts = [_sorted(first, facts)]
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
    state = verb(with_figure, "states", "state")
    announce = verb(with_code, "links code or announces", "link code or announce")
    drafts.append(
        _computed(
            f"Of the {number(total)}, {how_many(with_figure)} {state} a numeric result in the text "
            f"that we read, and {how_many(with_code)} {announce} a release.",
            "papers.total", "papers.with_figure", "papers.with_code",
        )
    )  # fmt: skip
    drafts.append(
        _computed(
            _who_decided(total, reviewed, provisional),
            "papers.total", "papers.reviewed", "papers.provisional",
        )
    )  # fmt: skip
    return drafts


def _sorted(first: Facet, facts: Facts) -> Draft:
    """How many papers stand in how many categories, and how many are out of scope."""
    total = facts.number("papers.total")
    used = counted(_used(first, facts), "category", "categories")
    scoped = sum(_filed(facts, first, c) for c in _scoped(first))
    sources = ["papers.total", *(f"{first.id}.{c.id}.filed" for c in _scoped(first))]
    if scoped == total:
        return _computed(f"This survey sorts {counted(total, 'paper')} into {used}.", *sources)
    out = total - scoped
    sources += [f"{first.id}.{c.id}.filed" for c in _current(first.categories) if c.out_of_scope]
    into = used if scoped else "any category"
    text = f"This survey sorts {how_many(scoped)} of {counted(total, 'paper')} into {into}"
    return _computed(f"{text}; {number(out)} {verb(out, 'is', 'are')} out of scope.", *sources)


def _who_decided(total: int, reviewed: int, provisional: int) -> str:
    """Whose labels these are: the classifier's, readers', or both."""
    if reviewed == total:
        return "Readers decided the labels of all papers."
    rest = total - reviewed
    unsure = f", {how_many(provisional)} of them provisionally"
    if rest == 1:
        unsure = ", provisionally" if provisional else ""
    if not reviewed:
        return f"The classifier labelled {verb(rest, 'the paper', 'all of them')}{unsure}."
    return (
        f"Readers decided the labels of {counted(reviewed, 'paper')}; the classifier "
        f"labelled the other {number(rest)}{unsure}."
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
    quarantined = facts.number("records.quarantined")
    drafts = [_flow(facts)]
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
    return drafts + _date_sentences(facts)


def _flow(facts: Facts) -> Draft:
    """How many records became how many papers, and how many of those the editors left out."""
    read, distinct = facts.number("records.read"), facts.number("papers.distinct")
    text = (
        f"{opening(counted(facts.number('files.read'), 'file'))} "
        f"gave {counted(read, 'record')}, which {verb(read, 'is', 'are')} "
        f"{counted(distinct, 'distinct paper')} after merging"
    )
    sources = ["files.read", "records.read", "papers.distinct"]
    if left_out := facts.number("papers.left_out"):
        text += f"; the editors [left out](#{LEFT_OUT}) {number(left_out)} of them"
        sources.append("papers.left_out")
    return _computed(f"{text}.", *sources)


def labelling_sentence(facts: Facts) -> str:
    """Return, in Fieldguide's own words, where labels come from."""
    how = (
        "Labels come from the cues of the taxonomy and, given papers enough to learn from, from "
        "logistic regressions on those cues and on TF-IDF features"
    )
    if facts.number("papers.reviewed"):
        return f"{how}, which learn from the decisions of readers; a decision always wins."
    return f"{how}; no reader has decided any of them yet."


def examples_sentence(facts: Facts) -> str:
    """Return, in Fieldguide's own words, which papers a section takes its examples from."""
    first = ""
    if facts.number("papers.key"):
        first = ", after those that the editors mark as key papers"
    return (
        "The examples in a section are the papers whose statements lie closest to its common "
        f"vocabulary and differ most from one another{first}."
    )


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
        key_sentence(filed),
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
    for position, entry in enumerate(choose_exemplars(filed)):
        stated, lead = entry.contribution, "" if position else "For example, "
        if entry.paper.abstract_kind == "digest":
            text = f"{lead}{citations([entry])} {stated[:1].lower()}{stated[1:]}"
            drafts.append((text, "P", f"paper: {entry.paper.id}"))
        else:
            text = f"{lead}{citations([entry])} states: “{stated}”"
            drafts.append((text, "Q", f"paper: {entry.paper.id}"))
    return drafts


def _computed(text: str, *fact_ids: str) -> Draft:
    return text, "C", "facts: " + ", ".join(fact_ids)


def _scale(facts: Facts, first: Facet, category: Category) -> Draft:
    key = f"{first.id}.{category.id}"
    filed, also = facts.number(f"{key}.filed"), facts.number(f"{key}.also")
    text = f"This section holds {counted(filed, 'paper')}"
    if also:
        belong, are = verb(also, "belongs", "belong"), verb(also, "is", "are")
        text += f"; {number(also)} more {belong} here too but {are} filed elsewhere"
    return _computed(f"{text}.", f"{key}.filed", f"{key}.also")


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
    if top == len(filed):
        return _computed(f"Each of them contributes {with_article(kind.name.lower())}.", *source)
    contribute = verb(top, "contributes", "contribute")
    parts = [f"{number(top)} {contribute} {with_article(kind.name.lower())}"]
    parts += [f"{number(n)} {with_article(other.name.lower())}" for n, other in present[1:4]]
    return _computed(f"Of the {number(len(filed))}, {joined(parts)}.", *source)


def _children(facts: Facts, first: Facet, category: Category) -> Draft | None:
    children = _current(category.children)
    counts = [(facts.number(f"{first.id}.{child.id}.papers"), child) for child in children]
    present = [(n, child) for n, child in counts if n]
    if not present:
        return None
    ordered = sorted(present, key=lambda item: (-item[0], item[1].id))
    parts = [f"{child.name} ({n})" for n, child in ordered]
    key = f"{first.id}.{category.id}"
    placed, having = facts.number(f"{key}.in_parts"), facts.number(f"{key}.papers")
    sources = [f"{first.id}.{child.id}.papers" for _, child in ordered]
    text = (
        f"Of the {counted(having, 'paper')} with this topic, {number(placed)} could be placed in a "
        f"part of it: {joined(parts)}."
    )
    return _computed(text, f"{key}.papers", f"{key}.in_parts", *sources)


def _neighbours(facts: Facts, first: Facet, category: Category) -> Draft | None:
    others = [c for c in _scoped(first) if c.id != category.id]
    key = f"{first.id}.{category.id}.and"
    counts = sorted(
        ((facts.number(f"{key}.{c.id}"), c) for c in others), key=lambda i: (-i[0], i[1].id)
    )
    met = [(n, c) for n, c in counts if n >= _MET_AT_LEAST][:3]
    if not met:
        return None
    parts = [f"{c.name} ({n})" for n, c in met]
    text = f"Its papers most often also belong to {joined(parts)}."
    return _computed(text, *(f"{key}.{c.id}" for _, c in met))


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
        f"Of the {number(filed)}, {how_many(figure)} {verb(figure, 'states', 'state')} a numeric "
        f"result, and {how_many(code)} {verb(code, 'links', 'link')} code or "
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
    "examples_sentence",
    "exemplar_sentences",
    "labelling_sentence",
    "method_sentences",
    "paragraph",
]
