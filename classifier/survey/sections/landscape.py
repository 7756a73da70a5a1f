"""The section "Landscape": figures, papers per category, changed terms, works outside."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classifier.survey.document import Block, Section, Table
from classifier.survey.entry import SurveyPaper
from classifier.survey.field_figures import FIELD_FIGURES
from classifier.survey.keys import UNDATED
from classifier.survey.landmarks import MIN_MENTIONS, landmarks
from classifier.survey.survey import Survey
from classifier.survey.table import Term
from classifier.survey.wording import category_link, citation_links, escape_cell

LANDMARKS = "landmarks"
"""Id of the section on works outside the survey, and of its table."""


def landscape_sections(survey: Survey) -> list[Section]:
    """Return the section "Landscape" and its subsection about works outside the survey."""
    blocks: list[Block | None] = [
        *(draw(survey) for draw in FIELD_FIGURES),
        sample_table(survey),
        *terms_table(survey),
    ]
    return [
        Section("landscape", "Landscape", 1, tuple(filter(None, blocks))),
        *_landmark_sections(survey),
    ]


def _landmark_sections(survey: Survey) -> list[Section]:
    """Return the section about works outside the survey that enough papers mention, or []."""
    rows = [
        (
            escape_cell(each.name),
            "benchmark" if each.is_benchmark else "other work",
            str(len(each.entries)),
            citation_links(each.entries),
        )
        for each in landmarks(survey)
        if len(each.entries) >= MIN_MENTIONS
    ]
    if not rows:
        return []
    columns = ("Work", "Kind", "Mentioned by", "Papers")
    caption = "Works that at least three papers mention, but that are not in this survey"
    table = Table(LANDMARKS, caption, columns, tuple(rows), numeric=(2,))
    return [Section(LANDMARKS, "Landmarks outside the sample", 2, (table,))]


def sample_table(survey: Survey) -> Table:
    """Return the table of papers per category.

    A property that no paper has does not get a column.
    """
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
        further = facts.count((topic, category.id)) - filed
        counts = [facts.count(term, filed=category.id) for _, term in measures]
        years = sorted(
            entry.paper.published.date[:4]
            for entry in facts.select(filed=category.id).entries
            if entry.paper.published.date
        )
        undated = facts.count(filed=category.id, year=UNDATED)
        numbers = map(str, (filed, further, *counts))
        rows.append((category_link(category), *numbers, _format_period(years), str(undated or "")))
    names = [name for name, _ in measures]
    columns = ("Category", "Filed", "Also here", *names, "Years", "Undated")
    return Table(
        "sample",
        "Papers per category",
        columns,
        tuple(rows),
        numeric=(*range(1, len(measures) + 3), len(measures) + 4),
    )


def _format_period(years: Sequence[str]) -> str:
    """Return sorted years as a period, such as `2023–2025`."""
    if not years:
        return ""
    return years[0] if years[0] == years[-1] else f"{years[0]}–{years[-1]}"


MIN_PAPERS = 30
"""Minimum number of papers in each period."""
MIN_TERM_PAPERS = 10
"""Minimum number of papers with a term."""
FALSE_DISCOVERIES = 0.05
"""Maximum expected share of terms that changed by chance (Benjamini and Hochberg 1995)."""
_MAX_TERMS = 12
_GENERAL_TERMS = (
    "based using used results shown studied study respectively compared combined induced"
    " significantly associated findings lower higher synthesized fabricated nm mm cm mg kg"
).split()
_TO_MONTH = len("2025-08")


def terms_table(survey: Survey) -> list[Table]:
    """Return the table of terms whose share differs between earlier and later papers.

    The papers are split at a half-year into two groups of similar size. Each word and word pair is
    tested (hypergeometric, two-sided, false discovery rate of at most 5 %). Returns [] if too few
    papers are dated, or if most texts are digests.
    """
    total = len(survey.entries)
    digests = sum(entry.paper.abstract_kind == "digest" for entry in survey.entries)
    if survey.facts.number("papers.dated") < MIN_DATED * total or 2 * digests > total:
        return []
    dated: list[tuple[tuple[str, str], SurveyPaper]] = []
    for entry in survey.entries:
        date = entry.paper.published.date
        if len(date) >= _TO_MONTH:
            half = "first" if int(date[5:7]) <= 6 else "second"
            dated.append(((date[:4], half), entry))
    periods = sorted({period for period, _ in dated})
    if len(periods) < 2:
        return []

    def n_in_smaller_group(since: tuple[str, str]) -> int:
        """Return the size of the smaller group for a split."""
        n_before = sum(period < since for period, _ in dated)
        return min(n_before, len(dated) - n_before)

    since = max(periods[1:], key=n_in_smaller_group)
    before = [entry for period, entry in dated if period < since]
    after = [entry for period, entry in dated if period >= since]
    if len(before) < MIN_PAPERS or not (rows := _changed_terms(before, after)):
        return []
    return [
        Table(
            "terms",
            f"Terms whose share changed: the number of papers with the term, of {len(before)} "
            f"dated before the {since[1]} half of {since[0]} and of {len(after)} dated later. At "
            "most one in twenty of these rows is expected to be due to chance.",
            ("Term", "Before", "Since", "p"),
            tuple(rows),
            numeric=(1, 2, 3),
        )
    ]


def _changed_terms(
    earlier: Sequence[SurveyPaper], later: Sequence[SurveyPaper]
) -> list[tuple[str, ...]]:
    """Return term, papers before, papers after and p as text, the smallest p first."""
    from scipy.stats import false_discovery_control, hypergeom  # late: only this table needs them
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

    vectorizer = CountVectorizer(
        binary=True,
        ngram_range=(1, 2),
        token_pattern=r"(?u)\b\w[\w-]*\w\b",  # "x-ray" is one word
        stop_words=[*ENGLISH_STOP_WORDS, *_GENERAL_TERMS],
        min_df=MIN_TERM_PAPERS,
    )
    texts = [f"{e.paper.title_display}\n{e.paper.abstract_display}" for e in (*earlier, *later)]
    try:
        occurrences = vectorizer.fit_transform(texts)
    except ValueError:  # no term is in enough papers
        return []
    terms = vectorizer.get_feature_names_out()
    old = np.asarray(occurrences[: len(earlier)].sum(axis=0)).ravel()
    new = np.asarray(occurrences[len(earlier) :].sum(axis=0)).ravel()
    chance_counts = hypergeom(len(texts), old + new, len(later))
    p_values = np.minimum(1.0, 2 * np.minimum(chance_counts.cdf(new), chance_counts.sf(new - 1)))
    significant = np.flatnonzero(false_discovery_control(p_values) <= FALSE_DISCOVERIES)
    by_p = [
        (round(float(p_values[i]), 9), " " in terms[i], terms[i], i) for i in significant.tolist()
    ]
    rows: list[tuple[str, ...]] = []
    chosen: list[tuple[str, set[int]]] = []
    columns = occurrences.tocsc()
    for _, _, term, place in sorted(by_p):
        papers = set(columns[:, [place]].indices.tolist())
        if any(
            set(term.split()) & set(other.split())
            or _MAX_OVERLAP * len(papers | other_papers) <= len(papers & other_papers)
            for other, other_papers in chosen
        ):
            continue  # "policy optimization" repeats "optimization"
        chosen.append((term, papers))
        p = f"{p_values[place]:.4f}" if p_values[place] >= 0.0001 else "<0.0001"
        rows.append((escape_cell(term), str(old[place]), str(new[place]), p))
    return rows[:_MAX_TERMS]


_MAX_OVERLAP = 0.9
"""Share of common papers, of all papers with either term, from which two terms are one."""
MIN_DATED = 0.8
"""Minimum share of dated papers for the table of changed terms."""
