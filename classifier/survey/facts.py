"""Every number that the survey prints, with the query that gives it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from classifier.corpus.load import Corpus
from classifier.survey.edition import Entry, LeftOut
from classifier.taxonomy.model import Taxonomy

Value = int | float | str


@dataclass(frozen=True, slots=True)
class Fact:
    """A computed value and, in words, how it was computed."""

    value: Value
    query: str


@dataclass(slots=True)
class Facts:
    """Facts by id; made once by `compute_facts`, then only read."""

    by_id: dict[str, Fact] = field(default_factory=dict)

    def add(self, fact_id: str, value: Value, query: str) -> None:
        """Note a fact; an id is given once."""
        if fact_id in self.by_id:
            raise ValueError(f"fact {fact_id} stands twice")
        self.by_id[fact_id] = Fact(value, query)

    def number(self, fact_id: str) -> int:
        """Return a counted fact."""
        value = self.by_id[fact_id].value
        assert isinstance(value, int)
        return value

    def text(self, fact_id: str) -> str:
        """Return a fact as text."""
        return str(self.by_id[fact_id].value)


def compute_facts(
    taxonomy: Taxonomy,
    corpus: Corpus,
    entries: Sequence[Entry],
    left_out: Sequence[LeftOut] = (),
) -> Facts:
    """Return the facts of one edition: corpus, topics, contributions, names, dates.

    Papers that the editors left out count as read, distinct and left out, and nowhere else.
    """
    facts = Facts()
    _corpus_facts(facts, corpus, entries)
    _editorial_facts(facts, entries, left_out)
    _category_facts(facts, taxonomy, entries)
    _pair_facts(facts, taxonomy, entries)
    _name_facts(facts, entries)
    return facts


def _corpus_facts(facts: Facts, corpus: Corpus, entries: Sequence[Entry]) -> None:
    statuses = Counter(entry.first.status for entry in entries)
    kinds = Counter(entry.paper.abstract_kind for entry in entries)
    dated = sorted(entry.paper.published.date for entry in entries if entry.paper.published.date)
    precise = Counter(entry.paper.published.precision for entry in entries)
    add = facts.add
    add("records.read", corpus.records, "records read from all files")
    add("records.quarantined", len(corpus.quarantined), "records that could not be read")
    add("files.read", len(corpus.files), "files read")
    add("papers.total", len(entries), "distinct papers in the survey")
    add("papers.dated", len(dated), "papers with a date of any precision")
    add("papers.dated_to_day", precise["day"], "papers dated to the day")
    add("papers.dated_to_month", precise["month"], "papers dated to the month")
    add("papers.newest", dated[-1] if dated else "", "latest date of any paper")
    add("papers.oldest", dated[0] if dated else "", "earliest date of any paper")
    for status in ("reviewed", "confident", "provisional"):
        add(f"papers.{status}", statuses[status], f"papers whose first facet is {status}")
    add("papers.with_abstract", kinds["abstract"], "papers labelled from their abstract")
    add("papers.with_digest", kinds["digest"], "papers labelled from a digest")
    add("papers.title_only", kinds["none"], "papers labelled from the title alone")
    add("papers.with_code", _count(entries, _has_code), "papers that link code or state a release")
    add(
        "papers.with_figure",
        _count(entries, _has_result),
        "papers whose text states a result with a figure",
    )
    add(
        "papers.several_topics",
        _count(entries, _has_several),
        "papers with two or more categories of the first facet",
    )


def _editorial_facts(facts: Facts, entries: Sequence[Entry], left_out: Sequence[LeftOut]) -> None:
    reviewed = sum(item.status == "reviewed" for item in left_out)
    add = facts.add
    add("papers.distinct", len(entries) + len(left_out), "distinct papers after merging")
    add("papers.left_out", len(left_out), "distinct papers that the editors left out")
    add("papers.left_out_reviewed", reviewed, "papers left out whose first facet is reviewed")
    add("papers.key", _count(entries, _is_key), "papers that the editors marked as key papers")


def _category_facts(facts: Facts, taxonomy: Taxonomy, entries: Sequence[Entry]) -> None:
    first = taxonomy.first
    for category in first.walk():
        filed = [entry for entry in entries if entry.first.primary == category.id]
        having = [entry for entry in entries if category.id in entry.first.categories]
        key = f"{first.id}.{category.id}"
        facts.add(f"{key}.papers", len(having), f"papers with {first.id} {category.id}")
        if "/" in category.id:
            continue
        placed = sum(any(_is_child(c, category.id) for c in e.first.categories) for e in entries)
        facts.add(f"{key}.in_parts", placed, f"papers with a child of {category.id}")
        facts.add(f"{key}.filed", len(filed), f"papers filed under {category.id}")
        facts.add(
            f"{key}.also", len(having) - len(filed), f"papers with {category.id}, filed elsewhere"
        )
        facts.add(
            f"{key}.reviewed",
            _count(filed, _is_reviewed),
            f"filed under {category.id}, label decided by a person",
        )
        facts.add(
            f"{key}.provisional",
            _count(filed, _is_provisional),
            f"filed under {category.id}, provisional",
        )
        facts.add(
            f"{key}.with_code",
            _count(filed, _has_code),
            f"filed under {category.id}, link code or state a release",
        )
        facts.add(
            f"{key}.with_figure",
            _count(filed, _has_result),
            f"filed under {category.id}, state a result with a figure",
        )
    for facet_id, facet in taxonomy.facets.items():
        if facet_id == first.id:
            continue
        for category in facet.walk():
            of_kind = [e for e in entries if category.id in _categories(e, facet_id)]
            facts.add(
                f"{facet_id}.{category.id}.papers",
                len(of_kind),
                f"papers with {facet_id} {category.id}",
            )
            for top in first.ids:
                number = sum(entry.first.primary == top for entry in of_kind)
                facts.add(
                    f"{first.id}.{top}.{facet_id}.{category.id}",
                    number,
                    f"filed under {top}, {facet_id} {category.id}",
                )


def _pair_facts(facts: Facts, taxonomy: Taxonomy, entries: Sequence[Entry]) -> None:
    ids = taxonomy.first.ids
    for filed in ids:
        for other in ids:
            if filed != other:
                number = sum(
                    entry.first.primary == filed and other in entry.first.categories
                    for entry in entries
                )
                facts.add(
                    f"{taxonomy.first.id}.{filed}.and.{other}",
                    number,
                    f"filed under {filed}, also {other}",
                )


def _name_facts(facts: Facts, entries: Sequence[Entry]) -> None:
    lexicons = sorted({lexicon for entry in entries for lexicon in entry.names})
    for lexicon in lexicons:
        counts = Counter(name for entry in entries for name in entry.names[lexicon])
        facts.add(
            f"{lexicon}.named",
            sum(bool(entry.names[lexicon]) for entry in entries),
            f"papers whose text names one of the {lexicon}",
        )
        facts.add(f"{lexicon}.distinct", len(counts), f"distinct {lexicon} named")
        for name, number in sorted(counts.items()):
            facts.add(f"{lexicon}.{name}.papers", number, f"papers whose text names {name}")


def _categories(entry: Entry, facet_id: str) -> tuple[str, ...]:
    labels = entry.labels.facets.get(facet_id)
    return labels.categories if labels else ()


def _count(entries: Iterable[Entry], condition: Callable[[Entry], bool]) -> int:
    return sum(condition(entry) for entry in entries)


def _is_child(category_id: str, parent: str) -> bool:
    return category_id.startswith(f"{parent}/")


def _has_code(entry: Entry) -> bool:
    return entry.releases_something


def _has_result(entry: Entry) -> bool:
    return bool(entry.result)


def _has_several(entry: Entry) -> bool:
    return len(entry.first.top_categories) > 1


def _is_reviewed(entry: Entry) -> bool:
    return entry.first.status == "reviewed"


def _is_provisional(entry: Entry) -> bool:
    return entry.first.status == "provisional"


def _is_key(entry: Entry) -> bool:
    return entry.key is not None
