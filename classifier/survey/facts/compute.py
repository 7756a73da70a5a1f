"""The facts that are no counts over the papers shown: files, records, dates, papers left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from classifier.labelling.labels import DECIDED, IMPORTED
from classifier.papers.load import Corpus
from classifier.survey.entry import Entry, LeftOut
from classifier.survey.facts.facts import Facts, facts_about
from classifier.survey.names import UNSOLVED
from classifier.taxonomy.model import Taxonomy


def compute_facts(
    taxonomy: Taxonomy,
    corpus: Corpus,
    entries: Sequence[Entry],
    left_out: Sequence[LeftOut] = (),
) -> Facts:
    """Return the facts of one edition; counts over papers join them as they are asked for.

    Papers that the editors left out count as read, distinct and left out, and nowhere else.
    """
    facts = facts_about(taxonomy, entries)
    _reading(facts, corpus, entries, left_out)
    _dating(facts, entries)
    _labelling(facts, entries)
    for lexicon in taxonomy.lexicons:
        distinct = {name for entry in entries for name in entry.names.get(lexicon, ())}
        facts.add(f"{lexicon}.distinct", len(distinct), f"distinct {lexicon} named")
    if UNSOLVED in taxonomy.lexicons:
        stated = sum(bool(entry.unsolved) for entry in entries)
        facts.add(f"{UNSOLVED}.stated", stated, "papers whose problems or limits hold such a cue")
    return facts


def _reading(
    facts: Facts, corpus: Corpus, entries: Sequence[Entry], left_out: Sequence[LeftOut]
) -> None:
    reviewed = sum(item.status in DECIDED for item in left_out)
    add = facts.add
    add("files.read", len(corpus.files), "files read")
    add("records.read", corpus.records, "records read from all files")
    add("records.quarantined", len(corpus.quarantined), "records that could not be read")
    add("papers.distinct", len(entries) + len(left_out), "distinct papers after merging")
    add("papers.left_out", len(left_out), "distinct papers that the editors left out")
    screened = sum(item.act.by == IMPORTED for item in left_out)
    if screened:
        add("papers.screened_out", screened, "papers left out that a screening had excluded")
    add("papers.left_out_reviewed", reviewed, "papers left out whose first facet is reviewed")
    add("papers.total", len(entries), "distinct papers in the survey")


def _dating(facts: Facts, entries: Sequence[Entry]) -> None:
    dated = sorted(entry.paper.published.date for entry in entries if entry.paper.published.date)
    precise = Counter(entry.paper.published.precision for entry in entries)
    add = facts.add
    add("papers.dated", len(dated), "papers with a date of any precision")
    add("papers.dated_to_day", precise["day"], "papers dated to the day")
    add("papers.dated_to_month", precise["month"], "papers dated to the month")
    add("papers.newest", dated[-1] if dated else "", "latest date of any paper")
    add("papers.oldest", dated[0] if dated else "", "earliest date of any paper")


def _labelling(facts: Facts, entries: Sequence[Entry]) -> None:
    """Counts under names of their own, which other people's scripts read."""
    statuses = Counter(entry.first.status for entry in entries)
    kinds = Counter(entry.paper.abstract_kind for entry in entries)
    add = facts.add
    for status in ("reviewed", "confident", "provisional"):
        add(f"papers.{status}", statuses[status], f"papers whose first facet is {status}")
    if imported := statuses["imported"]:
        add("papers.imported", imported, "papers whose first facet is imported")
    add("papers.with_abstract", kinds["abstract"], "papers labelled from their abstract")
    add("papers.with_digest", kinds["digest"], "papers labelled from a digest")
    add("papers.title_only", kinds["none"], "papers labelled from the title alone")
    with_code = sum(entry.releases_something for entry in entries)
    add("papers.with_code", with_code, "papers that link code or state a release")
    with_figure = sum(bool(entry.result) for entry in entries)
    add("papers.with_figure", with_figure, "papers whose text states a result with a figure")
    several = sum(len(entry.first.top_categories) > 1 for entry in entries)
    add("papers.several_topics", several, "papers with two or more categories of the first facet")
    keys = sum(entry.key is not None for entry in entries)
    add("papers.key", keys, "papers that the editors marked as key papers")
