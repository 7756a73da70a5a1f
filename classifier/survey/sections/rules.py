"""The rules by which the survey speaks, said once, in Fieldguide's own words."""

from __future__ import annotations

from classifier.survey.document import Draft, own_words
from classifier.survey.sections.category.comparison import cut_of
from classifier.survey.sections.category.section import PART_AT_LEAST
from classifier.survey.survey import Survey, current
from classifier.survey.wording import number

_SAMPLE = (
    "Every number describes the papers of this sample and not the field: what the sources did not "
    "hold is not counted, and how large a category is depends on whoever compiled them."
)
_BLANK = (
    "What a paper does beyond the text that was read is unknown here: a blank says nothing of "
    "the paper itself."
)
_FILED = (
    "A paper is *filed* under one category, in whose section it stands, and *belongs* to every "
    "category that applies to it; other categories would count otherwise."
)
_RESULT = (
    "A paper *states a numeric result* where the text read holds a figure that it reports as an "
    "outcome, in per cent, as a multiple, in a unit of measurement or by a measure such as "
    "accuracy or an odds ratio; sizes of samples, settings, years and versions are none. "
    "A machine decides it from the words: where that fails, a result is missed or a figure is "
    "taken for one. "
    "Results of different papers are listed and never compared, since tasks, samples and ways of "
    "measuring differ."
)
_RELEASE = (
    "It *links code* where a source gives the address of a repository, which nobody followed; "
    "where there is none, and the text says so, its code is *said to be released*, or to follow. "
    "Models, data and lists of papers alone are no code."
)
_NAMES = (
    "Names such as those of benchmarks are found by the lists of the taxonomy; a name that is on "
    "none of them is not counted, so these counts are lower bounds."
)
_PARTS = f"A part of a category has a subsection from {number(PART_AT_LEAST)} papers on."
_DEVELOPMENT = (
    "The thresholds were chosen on the same decisions that the labels are measured on, and whoever "
    "wrote the cues had those papers at hand: these are development figures, which flatter."
)
_SIDES = (
    "In the table of a claim, *For* and *Against* mark papers that support or contradict the "
    "proposition; *Mixed* marks papers that name a condition, or support it only in part. A cell "
    "that the editors left empty shows the result that the sentence states. *Whose* says whether "
    "the authors tested their own system."
)
_SENTENCES = (
    "`sentences.jsonl` lists every sentence of the survey with its kind and source, `facts.json` "
    "every number with its query."
)


def rule_drafts(survey: Survey) -> list[list[Draft | None]]:
    """Return the rules, a paragraph a run; those that nothing in the survey needs are left out."""
    facts, lexicons = survey.facts, survey.taxonomy.lexicons
    measured = survey.metrics.get("facets", {}).get(survey.first.id, {}).get("decided")
    tops, (most_rows, most_of_a_sort) = survey.categories, cut_of(facts)
    counting: list[Draft | None] = [
        own_words("sample", _SAMPLE),
        own_words("blank", _BLANK),
        own_words("filed", _FILED),
    ]
    release = _RELEASE if survey.tells_of_results else _RELEASE.replace("It", "A paper", 1)
    stating = [
        own_words("result", _RESULT) if survey.tells_of_results else None,
        own_words("release", release) if survey.tells_of_code else None,
        own_words("names", _NAMES) if lexicons else None,
    ]
    tables = (
        f"A comparison table of more than {most_rows} papers shows key papers, the "
        f"{most_of_a_sort} that lie closest to the section's common vocabulary and the "
        f"{most_of_a_sort} newest; the references are those that the survey cites."
    )
    choosing = [
        own_words("parts", _PARTS) if any(current(top.children) for top in tops) else None,
        own_words("tables", tables)
        if any(facts.count(filed=top.id) > most_rows for top in tops)
        else None,
    ]
    reading = [
        own_words("development", _DEVELOPMENT) if measured else None,
        own_words("sides", _SIDES) if survey.claims.claims else None,
        own_words("sentences", f"{_SENTENCES} {whose_sentence(survey)}"),
    ]
    return [counting, stating, choosing, reading]


def whose_sentence(survey: Survey) -> str:
    """Return, in Fieldguide's own words, whose words a sentence on a single paper is made of."""
    digest = signed = ""
    if survey.facts.number("papers.with_digest"):
        digest = "; one that tells of a single paper without them is from the editors' digest of it"
    if survey.claims.claims or any(each.claims for each in survey.taxonomy.first.walk()):
        signed = "; what editors claim is signed"
    return f"A sentence in quotation marks is the paper's own{digest}{signed}."
