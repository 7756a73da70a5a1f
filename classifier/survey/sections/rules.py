"""The section "How to read the numbers": fixed sentences about definitions and rules."""

from __future__ import annotations

from classifier.survey.document import Draft, method_text
from classifier.survey.sections.category.comparison import table_limits
from classifier.survey.sections.category.section import MIN_PART_PAPERS
from classifier.survey.survey import Survey, current_categories
from classifier.survey.wording import count_in_words

_SAMPLE = (
    "Every number describes the papers of this sample and not the field: papers outside the "
    "sources are not counted, and the size of a category depends on the selection of the sources."
)
_BLANK = (
    "Only titles and abstracts were read: a blank cell does not mean that the paper lacks "
    "something."
)
_FILED = (
    "A paper is *filed* under one category, which has it in its section, and *belongs* to every "
    "category that applies to it."
)
_RESULT = (
    "A paper *states a numeric result* if its text reports a number as an outcome: in per cent, as "
    "a multiple, in a unit of measurement or by a measure such as accuracy or an odds ratio. Sizes "
    "of samples, settings, years and versions are not results. A model decides this from the words "
    "and makes errors. Results of different papers are listed and never compared, because tasks, "
    "samples and measurements differ."
)
_RELEASE = (
    "It *links code* if a source gives the URL of a repository, which was not checked. Without a "
    "URL, its code is *said to be released*, or to follow, if the text says so. Models, data and "
    "lists of papers are not code."
)
_NAMES = (
    "Names such as those of benchmarks are found by the lists of the taxonomy; other names are not "
    "counted, so these counts are lower bounds."
)
_PARTS = f"A part of a category has a subsection from {count_in_words(MIN_PART_PAPERS)} papers on."
_DEVELOPMENT = (
    "The thresholds were chosen on the same decisions that measure the labels, and the authors of "
    "the cues knew those papers: these are development figures, which are too high."
)
_SIDES = (
    "In the table of a claim, *For* and *Against* mark papers that support or contradict the "
    "proposition; *Mixed* marks papers that name a condition, support it only in part or make a "
    "different comparison. Where the editors entered no effect, the cell repeats the result in the "
    "quoted sentence. *Whose* shows whether the authors tested their own system, method or data."
)
_SENTENCES = (
    "`sentences.jsonl` lists every sentence of the survey with its kind and source, `facts.json` "
    "every number with its query."
)


def rule_drafts(survey: Survey) -> list[list[Draft | None]]:
    """Return the rules that apply to the survey, one list per paragraph."""
    facts, lexicons = survey.facts, survey.taxonomy.lexicons
    measured = survey.metrics.facet(survey.first.id).decided
    tops, (max_rows, n_per_kind) = survey.categories, table_limits(facts)
    counting: list[Draft | None] = [
        method_text("sample", _SAMPLE),
        method_text("blank", _BLANK),
        method_text("filed", _FILED),
    ]
    release = _RELEASE if survey.has_results else _RELEASE.replace("It", "A paper", 1)
    stating = [
        method_text("result", _RESULT) if survey.has_results else None,
        method_text("release", release) if survey.has_enough_code else None,
        method_text("names", _NAMES) if lexicons else None,
    ]
    tables = (
        f"A comparison table of more than {max_rows} papers shows key papers, the "
        f"{n_per_kind} closest to the section's common vocabulary and the {n_per_kind} newest; "
        "the references are those that the survey cites."
    )
    choosing = [
        method_text("parts", _PARTS)
        if any(current_categories(top.children) for top in tops)
        else None,
        method_text("tables", tables)
        if any(facts.count(filed=top.id) > max_rows for top in tops)
        else None,
    ]
    reading = [
        method_text("development", _DEVELOPMENT) if measured else None,
        method_text("sides", _SIDES) if survey.claims.claims else None,
        method_text("sentences", f"{_SENTENCES} {quotation_rule(survey)}"),
    ]
    return [counting, stating, choosing, reading]


def quotation_rule(survey: Survey) -> str:
    """Return the rule that says whose words a sentence about a single paper has."""
    digest = signed = ""
    if survey.facts.number("papers.with_digest"):
        digest = (
            "; an unquoted sentence about one paper is from the editors' digest, a summary of it"
        )
    if survey.claims.claims or any(each.claims for each in survey.taxonomy.first.walk()):
        signed = "; claims of editors are signed"
    return f"A sentence in quotation marks is from the paper itself{digest}{signed}."
