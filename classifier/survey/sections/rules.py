"""The section "How to read the numbers": fixed sentences about definitions and rules."""

from __future__ import annotations

from classifier.survey.document import Draft, method_text
from classifier.survey.sections.category.claims import main_signature
from classifier.survey.sections.category.comparison import table_limits
from classifier.survey.survey import Survey

_SAMPLE = "Every number describes the papers of this sample and not the field."
_FILED = (
    "A paper is *filed* under the one category whose table lists it; it may *belong* to others too."
)
_RESULT = (
    "A paper *states a numeric result* if its text reports a number as an outcome: in per cent, as "
    "a multiple, in a unit of measurement or by a measure such as accuracy or an odds ratio. A "
    "model decides this from the words and makes errors. Results of different papers are listed "
    "and never compared, because tasks, samples and measurements differ."
)
_RELEASE = (
    "It *links code* if a source gives the URL of a repository, which was not checked. Without a "
    "URL, its code is *said to be released*, or to follow, if the text says so."
)
_NAMES = (
    "Names of benchmarks and other works are found only if the taxonomy lists them, so their "
    "counts are lower bounds."
)
_DEVELOPMENT = (
    "The figures on the labels are too high, because the thresholds were chosen on the same "
    "decisions, and the authors of the cues knew those papers."
)
_SIDES = (
    "In the table of a claim, *Mixed* marks papers that name a condition, support the proposition "
    "only in part or make a different comparison. *Whose* shows whether the authors tested their "
    "own system, method or data, or those of others, perhaps on data of their own."
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
    digest = own = ""
    if survey.facts.number("papers.with_digest"):
        digest = (
            "; an unquoted sentence about one paper is from the editors' digest, a summary of it"
        )
    if signature := main_signature(survey):
        own = (
            " Arguments, claims and conclusions are the editors' own and rest on the papers that "
            f"they cite; those without a signature are by {signature}."
        )
    return f"A sentence in quotation marks is from the paper itself{digest}.{own}"
