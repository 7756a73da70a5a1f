"""The landscape: figures of the field, a table of the sample, changed terms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classifier.survey.document import Block, Section, Table, method_text, paragraphs
from classifier.survey.entry import SurveyPaper
from classifier.survey.field_figures import FIELD_FIGURES
from classifier.survey.keys import UNDATED
from classifier.survey.landmarks import MIN_NAMING, landmarks
from classifier.survey.survey import Survey
from classifier.survey.table import Term
from classifier.survey.wording import category_link, citations, escape_cell

LANDMARKS = "landmarks"
"""Id of the section on works outside the survey, and of its table."""


def landscape_sections(survey: Survey) -> list[Section]:
    """Return the landscape: the figures of the field, the sample, works outside it."""
    blocks: list[Block | None] = [
        *(draw(survey) for draw in FIELD_FIGURES),
        sample_table(survey),
        *terms_table(survey),
    ]
    return [
        Section("landscape", "Landscape", 1, tuple(filter(None, blocks))),
        *_landmark_sections(survey),
    ]


_LANDMARKS = (
    "These works are named by three papers or more and are not papers of this survey. A text that "
    "names a work may build on it, compare with it or be measured on it."
)


def _landmark_sections(survey: Survey) -> list[Section]:
    """Return the works outside the survey that enough papers name; none without such a work."""
    rows = [
        (
            escape_cell(each.name),
            "benchmark" if each.is_benchmark else "other work",
            str(len(each.entries)),
            citations(each.entries),
        )
        for each in landmarks(survey)
        if len(each.entries) >= MIN_NAMING
    ]
    if not rows:
        return []
    columns = ("Work", "Kind", "Named by", "Papers")
    table = Table(LANDMARKS, "Works outside this sample", columns, tuple(rows), numeric=(2,))
    words = paragraphs(LANDMARKS, [method_text("outside", _LANDMARKS)])
    return [Section(LANDMARKS, "Landmarks outside the sample", 2, (*words, table))]


def sample_table(survey: Survey) -> Table:
    """Return counts per category; a property that no paper has is not a column."""
    facts, topic = survey.facts, survey.first.id
    measures: list[tuple[str, Term]] = [("Decided by readers", ("status", "reviewed"))]
    if any(status == "imported" for status in facts.values("status")):
        measures.append(("Imported", ("status", "imported")))
    measures.append(("Provisional", ("status", "provisional")))
    if survey.has_results:
        measures.append(("A result recognised", ("result", "stated")))
    if survey.has_enough_code:
        measures.append(("Code linked or stated", ("code", "yes")))
    rows = []
    for category in survey.categories:
        filed = facts.count(filed=category.id)
        also = facts.count((topic, category.id)) - filed
        counts = [facts.count(term, filed=category.id) for _, term in measures]
        years = sorted(
            entry.paper.published.date[:4]
            for entry in facts.select(filed=category.id).entries
            if entry.paper.published.date
        )
        undated = facts.count(filed=category.id, year=UNDATED)
        span = "" if not years else years[0] if years[0] == years[-1] else f"{years[0]}–{years[-1]}"
        rows.append(
            (category_link(category), *map(str, (filed, also, *counts)), span, str(undated or ""))
        )
    names = [name for name, _ in measures]
    columns = ("Category", "Filed", "Also here", *names, "Years", "Undated")
    return Table(
        "sample",
        "Papers per category",
        columns,
        tuple(rows),
        numeric=(*range(1, len(measures) + 3), len(measures) + 4),
    )


MIN_PAPERS = 30
"""Minimum number of papers in each period."""
MIN_TERM_PAPERS = 10
"""Minimum number of papers with a term."""
FALSE_DISCOVERIES = 0.05
"""Expected share of terms in the table that moved by chance (Benjamini and Hochberg 1995)."""
_MAX_TERMS = 12
_OF_ANY_FIELD = (
    "based using used results shown studied study respectively compared combined induced"
    " significantly associated findings lower higher synthesized fabricated nm mm cm mg kg"
).split()
_TO_MONTH = len("2025-08")


def terms_table(survey: Survey) -> list[Table]:
    """Return the terms whose share changed from the earlier half of the dated papers to the later.

    The papers are split between two half-years, as evenly as possible. Each word and word pair is
    tested exactly (hypergeometric, two-sided); the table has those at a false discovery rate of at
    most 5 %. Empty if too few papers are dated, or if most texts are digests.
    """
    total = len(survey.entries)
    digests = sum(entry.paper.abstract_kind == "digest" for entry in survey.entries)
    if survey.facts.number("papers.dated") < MIN_DATED * total or 2 * digests > total:
        return []
    dated = [
        ((date[:4], "first" if int(date[5:7]) <= 6 else "second"), entry)
        for entry in survey.entries
        if len(date := entry.paper.published.date) >= _TO_MONTH
    ]
    periods = sorted({period for period, _ in dated})
    parted = [
        ([e for p, e in dated if p < since], [e for p, e in dated if p >= since], since)
        for since in periods[1:]
    ]
    if not parted:
        return []
    before, after, since = max(parted, key=lambda each: min(len(each[0]), len(each[1])))
    if len(before) < MIN_PAPERS or not (rows := _moved(before, after)):
        return []
    return [
        Table(
            "terms",
            f"Terms whose share changed: the number of papers with the term, of {len(before)} "
            f"dated before the {since[1]} half of {since[0]} and of {len(after)} dated later. At "
            "most one in twenty of these rows is expected to be chance.",
            ("Term", "Before", "Since", "p"),
            tuple(rows),
            numeric=(1, 2, 3),
        )
    ]


def _moved(before: Sequence[SurveyPaper], after: Sequence[SurveyPaper]) -> list[tuple[str, ...]]:
    """Return (term, papers before, papers after, p), the smallest p first."""
    from scipy.stats import false_discovery_control, hypergeom  # late: only this table needs them
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

    vectorizer = CountVectorizer(
        binary=True,
        ngram_range=(1, 2),
        token_pattern=r"(?u)\b\w[\w-]*\w\b",  # "x-ray" is one word
        stop_words=[*ENGLISH_STOP_WORDS, *_OF_ANY_FIELD],
        min_df=MIN_TERM_PAPERS,
    )
    texts = [f"{e.paper.title_display}\n{e.paper.abstract_display}" for e in (*before, *after)]
    try:
        holds = vectorizer.fit_transform(texts)
    except ValueError:  # no term is in enough papers
        return []
    terms = vectorizer.get_feature_names_out()
    old = np.asarray(holds[: len(before)].sum(axis=0)).ravel()
    new = np.asarray(holds[len(before) :].sum(axis=0)).ravel()
    dealt = hypergeom(len(texts), old + new, len(after))
    chance = np.minimum(1.0, 2 * np.minimum(dealt.cdf(new), dealt.sf(new - 1)))
    sure = np.flatnonzero(false_discovery_control(chance) <= FALSE_DISCOVERIES)
    surest = [(round(float(chance[i]), 9), " " in terms[i], terms[i], i) for i in sure.tolist()]
    rows: list[tuple[str, ...]] = []
    chosen: list[tuple[str, set[int]]] = []
    columns = holds.tocsc()
    for _, _, term, place in sorted(surest):
        papers = set(columns[:, [place]].indices.tolist())
        if any(
            set(term.split()) & set(other.split())
            or _MAX_OVERLAP * len(papers | those) <= len(papers & those)
            for other, those in chosen
        ):
            continue  # "policy optimization" adds nothing to "optimization"
        chosen.append((term, papers))
        p = f"{chance[place]:.4f}" if chance[place] >= 0.0001 else "<0.0001"
        rows.append((escape_cell(term), str(old[place]), str(new[place]), p))
    return rows[:_MAX_TERMS]


_MAX_OVERLAP = 0.9
"""Minimum share of common papers, of all papers with either term, for two terms to count as one."""
MIN_DATED = 0.8
"""Minimum share of dated papers for a statement about time."""
