"""Facts that every survey has: records read, dates, labels, and names in the texts."""

from __future__ import annotations

from collections.abc import Sequence

from classifier.labelling.labels import DECIDED, IMPORTED
from classifier.papers.load import Corpus
from classifier.survey.editorial import screening_reasons
from classifier.survey.entry import LeftOutPaper, SurveyPaper
from classifier.survey.facts import STATED, Facts, new_facts
from classifier.taxonomy.model import NOT_STATED, Taxonomy


def compute_facts(
    taxonomy: Taxonomy,
    corpus: Corpus,
    entries: Sequence[SurveyPaper],
    left_out_papers: Sequence[LeftOutPaper] = (),
) -> Facts:
    """Return the facts about the sample; the sections of the survey add more facts.

    Papers that the editors left out are counted only in the numbers of records, of distinct papers
    and of papers left out.
    """
    facts = new_facts(taxonomy, entries)
    _add_reading_facts(facts, corpus, entries, left_out_papers)
    _add_date_facts(facts)
    _add_label_facts(facts)
    for lexicon in taxonomy.lexicons:
        distinct = {*facts.values(lexicon)} - {NOT_STATED}
        query = f"distinct({lexicon})"
        facts.add(f"{lexicon}.distinct", len(distinct), query, f"distinct {lexicon} named")
    if (unsolved := taxonomy.roles.unsolved) in taxonomy.lexicons:
        stated = int(facts.table[unsolved].map(bool).sum())
        meaning = "papers whose problems or limits match such a cue"
        facts.add(f"{unsolved}.stated", stated, f"having({unsolved})", meaning)
    return facts


def _add_reading_facts(
    facts: Facts,
    corpus: Corpus,
    entries: Sequence[SurveyPaper],
    left_out_papers: Sequence[LeftOutPaper],
) -> None:
    """Add the numbers of files, records, distinct papers, and papers left out by reason."""
    add = facts.add
    add("files.read", len(corpus.files), STATED, "files read")
    add("records.read", corpus.records, STATED, "records read from all files")
    unread = len(corpus.quarantined)
    add("records.quarantined", unread, "rows(quarantine.csv)", "records that could not be read")
    distinct = len(entries) + len(left_out_papers)
    query = "sum(papers.total, papers.left_out)"
    add("papers.distinct", distinct, query, "distinct papers after merging")
    query = "rows(excluded.csv)"
    add("papers.left_out", len(left_out_papers), query, "distinct papers that the editors left out")
    screened = sum(item.act.by == IMPORTED for item in left_out_papers)
    if screened:
        add("papers.screened_out", screened, STATED, "papers left out by an earlier screening")
    for rank, (reason, count) in enumerate(screening_reasons(left_out_papers), 1):
        meaning = f"papers that a screening excluded: {reason}"
        add(f"papers.screened_out.{rank}", count, STATED, meaning)
    reviewed = sum(item.status in DECIDED for item in left_out_papers)
    meaning = "papers left out whose first facet is reviewed"
    add("papers.left_out_reviewed", reviewed, STATED, meaning)
    add("papers.total", len(entries), "all", "distinct papers in the survey")


def _add_date_facts(facts: Facts) -> None:
    """Add the numbers of dated papers by precision, and the first and the last date."""
    dates = facts.table["published"].loc[lambda date: date != ""]
    lengths = dates.map(len)
    add = facts.add
    add("papers.dated", len(dates), "having(dated)", "papers with a date of any precision")
    to_day, to_month = int((lengths == 10).sum()), int((lengths == 7).sum())
    add("papers.dated_to_day", to_day, "dated=day", "papers dated to the day")
    add("papers.dated_to_month", to_month, "dated=month", "papers dated to the month")
    without_authors = sum(not entry.paper.authors for entry in facts.entries)
    add(
        "papers.without_authors",
        without_authors,
        "authors=no",
        "papers whose authors no source states",
    )
    add("papers.newest", max(dates, default=""), "latest(all)", "latest date of any paper")
    add("papers.oldest", min(dates, default=""), "earliest(all)", "earliest date of any paper")


def _add_label_facts(facts: Facts) -> None:
    """Add counts of queries under stable ids, which users' scripts read."""
    for status in ("reviewed", "confident", "provisional"):
        selection = facts.select(status=status)
        meaning = f"papers whose first facet is {status}"
        facts.add(f"papers.{status}", selection.number, selection.id, meaning)
    if (imported := facts.select(status="imported")).number:
        meaning = "papers whose first facet is imported"
        facts.add("papers.imported", imported.number, imported.id, meaning)
    for name, key, value, meaning in _COUNTS:
        selection = facts.select((key, value))
        facts.add(f"papers.{name}", selection.number, selection.id, meaning)


_COUNTS = (
    ("with_abstract", "text", "abstract", "papers labelled from their abstract"),
    ("with_digest", "text", "digest", "papers labelled from a digest"),
    ("title_only", "text", "none", "papers labelled from the title alone"),
    ("with_code", "code", "yes", "papers that link code or say that it is released"),
    ("with_figure", "result", "stated", "papers whose text states a result with a figure"),
    ("several_topics", "several", "yes", "papers with two or more categories of the first facet"),
    ("key", "key", "yes", "papers that the editors marked as key papers"),
)
"""(id without "papers.", key and value of the query, meaning) of facts."""
