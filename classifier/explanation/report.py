"""An explanation as text for a terminal, and as JSON values that hold all of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from classifier.evaluation.report import Report, json_values
from classifier.explanation.explanation import (
    CategoryAccount,
    ChildAccount,
    Explanation,
    FacetExplanation,
    FieldOrigin,
)
from classifier.labelling.decide import CHILD_VOTE, COVERAGE
from classifier.labelling.explain import PLACES
from classifier.labelling.labels import Decision, Reason
from classifier.labelling.stated_facet import STATED_VOTE
from classifier.papers.paper import Paper
from classifier.review.acts import Act

MOST_FOR_AND_AGAINST = 3


def explanation_report(explanation: Explanation) -> Report:
    """Return what the command prints: the paper, then a section a facet."""
    has_abstract = bool(explanation.paper.abstract)
    return Report(
        tuple(_paper_lines(explanation)),
        (
            *(list(_facet_lines(facet, has_abstract)) for facet in explanation.facets),
            *([f"{name}: not asked of papers with these topics"] for name in explanation.not_asked),
        ),
    )


def _paper_lines(explanation: Explanation) -> Iterator[str]:
    paper = explanation.paper
    yield paper.title_display
    about = (paper.id, paper.published.date or "undated", paper.link)
    yield f"  {' · '.join(part for part in about if part)}"
    if explanation.aliases:
        yield f"  also known as {', '.join(explanation.aliases)}"
    yield from _origin_lines(paper, explanation.origins)
    for join in explanation.joins:
        yield f"  {join.source} was joined with {join.other} by {join.evidence.words}"
    if explanation.missing:
        yield f"  no input gives: {', '.join(explanation.missing)}"
    for name, act in explanation.acts.items():
        yield _act_line(name, act)


def _act_line(name: str, act: Act) -> str:
    by = f" by {act.by}" if act.by else ""
    signed = f"{by} on {act.on}" if act.on else by
    if name == "key":
        return f"  marked as a key paper{signed}"
    text = " ".join(act.text.split())
    return f"  {'left out of the survey' if name == 'exclude' else 'remark'}{signed}: {text}"


def _origin_lines(paper: Paper, origins: Iterable[FieldOrigin]) -> Iterator[str]:
    """Yield a line a source with the fields that it gave, in the order of the sources."""
    given: dict[str, list[str]] = {f"{s} ({s.format})": [] for s in paper.sources}
    overruled: list[str] = []
    for origin in origins:
        first = origin.sources[0] if origin.sources else None
        field = origin.field
        if field == "abstract" and paper.abstract_kind == "digest":
            field = "abstract (a digest)"
        given.setdefault(f"{first} ({first.format})" if first else "counted", []).append(field)
        if origin.others:
            places = ", ".join(map(str, origin.others))
            overruled.append(f"  another {origin.field}, not kept: {places}")
    for place, fields in given.items():
        yield f"  from {place}: {', '.join(fields) or 'nothing that is not known better'}"
    yield from overruled


def _facet_lines(facet: FacetExplanation, has_abstract: bool) -> Iterator[str]:
    given = ", ".join(facet.labels.categories) or "no cue found"
    yield f"{facet.facet.name}: {given} — {_status(facet)}"
    if not has_abstract and facet.decision is None:
        yield "  There is no abstract: labelled from the title, and never with confidence."
    if facet.exemplar_of:
        learned = "" if facet.facet.may_be_unstated else ": learned from like a decision"
        yield f"  An exemplar of {facet.exemplar_of}{learned}."
    if facet.labels.held:
        yield f"  {facet.labels.held.capitalize()}"
    if facet.decision:
        yield from _decision_lines(facet, facet.decision)
    if not facet.facet.may_be_unstated:
        yield from _filing_lines(facet)
    for account in facet.accounts:
        yield from _account_lines(facet, account)
    for child in facet.children:
        yield from _child_lines(child)
    for miss in facet.near_misses:
        yield from _miss_lines(facet, miss)


def _status(facet: FacetExplanation) -> str:
    if facet.labels.is_decided:
        return facet.labels.status
    confidence, bar = facet.labels.confidence, facet.confident_from
    if facet.labels.held:
        return f"{facet.labels.status}, confidence {confidence:.2f}, held by the lock"
    if facet.facet.may_be_unstated:
        return f"{facet.labels.status}, by its cues alone"
    unchecked = facet.labels.status == "provisional" and confidence >= bar
    note = ", but no abstract, or too little evidence while nobody checked" if unchecked else ""
    return (
        f"{facet.labels.status}, confidence {confidence:.2f} that the primary is right "
        f"(confident from {bar:.2f}{note})"
    )


def _decision_lines(facet: FacetExplanation, decision: Decision) -> Iterator[str]:
    who = f" by {decision.reviewer}" if decision.reviewer else ""
    when = f" on {decision.reviewed_on}" if decision.reviewed_on else ""
    drawn = f" (drawn by: {decision.drawn_by})" if decision.drawn_by else ""
    note = f": {decision.note}" if decision.note else ""
    yield f"  Decided{who}{when}{drawn}{note}"
    if facet.facet.may_be_unstated:
        yield "  Nothing is learned from it: what follows is what the cues say."
    else:
        learned = "what follows is of the model that has learned from it."
        yield f"  It is a paper to learn from: {learned}"


def _filing_lines(facet: FacetExplanation) -> Iterator[str]:
    (first, share), *others = facet.likeliest
    verb = "The classifier files it" if facet.decision or facet.labels.held else "Filed"
    next_one = "".join(f"; next {name} {p:.2f}, margin {share - p:.2f}" for name, p in others)
    yield f"  {verb} under {first}: share {share:.2f} of all categories{next_one}"
    if candidates := () if facet.decision else facet.labels.candidates:
        among = "one of " if len(candidates) > 1 else ""
        yield f"  With {100 * COVERAGE:.0f} %: {among}{', '.join(candidates)}"


def _account_lines(facet: FacetExplanation, told: CategoryAccount) -> Iterator[str]:
    role = "the primary" if told.category == facet.labels.primary else "given"
    yield f"  {told.category} ({role if told.given else 'not given'})"
    yield from (
        f"    {_signed(reason.weight)}  {reason.text}{' (votes)' if reason.kind == 'vote' else ''}"
        for reason in told.account.reasons
    )
    more = told.account.rest_count
    what = f"{more} weaker term{'' if more == 1 else 's'}" if more else "rounding"
    if more or told.account.rest:
        yield f"    {_signed(told.account.rest)}  {what}"
    yield f"    {_signed(told.account.intercept)}  {_constant(facet, told)}"
    yield f"    {_signed(told.account.logit)}  logit: {_probability(facet, told)}, {_bar(told)}"


def _constant(facet: FacetExplanation, told: CategoryAccount) -> str:
    """Say what the intercept is; where votes decide it holds that a vote alone is little."""
    if not told.account.in_votes:
        return "intercept"
    if facet.facet.may_be_unstated:
        return f"it is stated from {STATED_VOTE:.1f} votes on"
    return "from votes to log-odds: about three votes are an even chance"


def _probability(facet: FacetExplanation, told: CategoryAccount) -> str:
    if facet.facet.kind == "single":
        return f"probability {told.probability:.2f} after division by the sum over categories"
    return f"probability {told.probability:.2f} that it applies"


def _bar(told: CategoryAccount) -> str:
    """Say from which logit a category is given, and what happens on the other side of it."""
    of = "a tie with the likeliest other" if told.threshold is None else f"{told.threshold:.2f}"
    expected = f"given from {_signed(told.needed).strip()} ({of})"
    if told.held_back:
        return f"{expected}; {told.held_back}"
    if told.given and told.shortfall > 0:
        return f"{expected}; it falls short by {told.shortfall:.2f} and is given all the same"
    return expected if told.given else f"{expected}; it falls short by {told.shortfall:.2f}"


def _miss_lines(facet: FacetExplanation, miss: CategoryAccount) -> Iterator[str]:
    logit = _signed(miss.account.logit).strip()
    yield f"  Not {miss.category}: logit {logit}, {_probability(facet, miss)}, {_bar(miss)}"
    reasons = miss.account.reasons
    yield f"    for: {_listed([r for r in reasons if r.weight > 0]) or 'nothing'}"
    yield f"    against: {_listed([r for r in reasons if r.weight < 0]) or 'nothing'}"


def _listed(reasons: Sequence[Reason]) -> str:
    chosen = reasons[:MOST_FOR_AND_AGAINST]
    return "; ".join(
        f"{reason.text} {reason.weight:+.2f}{' votes' if reason.kind == 'vote' else ''}"
        for reason in chosen
    )


def _child_lines(child: ChildAccount) -> Iterator[str]:
    cues = ", ".join(f"‘{hit.cue}’ {PLACES[hit.view]}" for hit in child.hits)
    votes = f"votes {child.vote:.1f}, given from {CHILD_VOTE:.1f}"
    if child.given:
        yield f"  {child.category} ({f'{votes}: {cues}' if cues else 'a decision'})"
    else:
        yield f"  {child.category} (not given)"
        yield f"    {votes}: {cues or 'no cue fired'}; {child.lacks}"


def _signed(value: float) -> str:
    return f"{value:+6.2f}"


def explanation_json(explanation: Explanation) -> dict[str, object]:
    """Return one object: `paper`, `fields` with their sources, and `facets` by id."""
    paper = explanation.paper
    named = ("id", "title", "abstract_kind", "sources")
    return {
        "paper": {
            **{name: json_values(getattr(paper, name)) for name in named},
            "published": paper.published.date,
            "url": paper.link,
            "aliases": list(explanation.aliases),
        },
        "fields": {origin.field: json_values(origin) for origin in explanation.origins},
        "joins": json_values(explanation.joins),
        "not_stated": list(explanation.missing),
        "editorial": json_values(explanation.acts),
        "facets": {facet.facet.id: _facet_json(facet) for facet in explanation.facets},
        "not_asked": list(explanation.not_asked),
    }


def _facet_json(facet: FacetExplanation) -> dict[str, object]:
    shown: dict[str, object] = json_values(facet)
    labels = json_values(facet.labels)
    del shown["facet"], shown["labels"]
    names = ("categories", "primary", "status", "confidence")
    return {name: labels[name] for name in names} | shown
