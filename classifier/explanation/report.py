"""Render an explanation as text for a terminal, or as JSON values."""

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
from classifier.labelling.decide import COVERAGE
from classifier.labelling.explain import PLACES
from classifier.labelling.labels import Decision, Reason
from classifier.labelling.stated_facet import STATED_VOTE
from classifier.papers.paper import Paper
from classifier.review.acts import Act

MAX_FOR_AND_AGAINST = 3


def explanation_report(explanation: Explanation) -> Report:
    """Return the report to print: the paper, then one section per facet."""
    has_abstract = bool(explanation.paper.abstract)
    return Report(
        tuple(_paper_lines(explanation)),
        (
            *(list(_facet_lines(facet, has_abstract)) for facet in explanation.facets),
            *(
                [f"{name}: does not apply to papers with these topics"]
                for name in explanation.not_asked
            ),
        ),
    )


def _paper_lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines about the paper."""
    paper = explanation.paper
    yield paper.title_display
    parts = (paper.id, paper.published.date or "undated", paper.link)
    yield f"  {' · '.join(part for part in parts if part)}"
    if explanation.aliases:
        yield f"  also known as {', '.join(explanation.aliases)}"
    yield from _origin_lines(paper, explanation.origins)
    for join in explanation.joins:
        yield f"  {join.source} was merged with {join.other} by {join.evidence.description}"
    if explanation.missing:
        yield f"  missing in all inputs: {', '.join(explanation.missing)}"
    for name, act in explanation.acts.items():
        yield _act_line(name, act)


def _act_line(name: str, act: Act) -> str:
    """Return the line of an editorial action."""
    by = f" by {act.by}" if act.by else ""
    signed = f"{by} on {act.on}" if act.on else by
    if name == "key":
        return f"  marked as a key paper{signed}"
    text = " ".join(act.text.split())
    return f"  {'left out of the survey' if name == 'exclude' else 'remark'}{signed}: {text}"


def _origin_lines(paper: Paper, origins: Iterable[FieldOrigin]) -> Iterator[str]:
    """Yield one line per source with the fields that come from it, then the rejected values."""
    given: dict[str, list[str]] = {f"{s} ({s.format})": [] for s in paper.sources}
    rejected: list[str] = []
    for origin in origins:
        first = origin.sources[0] if origin.sources else None
        field = origin.field
        if field == "abstract" and paper.abstract_kind == "digest":
            field = "abstract (a digest)"
        given.setdefault(f"{first} ({first.format})" if first else "counted", []).append(field)
        if origin.others:
            places = ", ".join(map(str, origin.others))
            rejected.append(f"  another {origin.field}, not kept: {places}")
    for place, fields in given.items():
        yield f"  from {place}: {', '.join(fields) or 'nothing: other sources are more complete'}"
    yield from rejected


def _facet_lines(facet: FacetExplanation, has_abstract: bool) -> Iterator[str]:
    """Yield the lines about a facet."""
    given = ", ".join(facet.labels.categories) or "no cue found"
    yield f"{facet.facet.name}: {given} — {_status(facet)}"
    if not has_abstract and facet.decision is None:
        yield "  Without an abstract a label is confident only if the cues in the title are clear."
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
    """Return the status of the labels in a facet."""
    if facet.labels.is_decided:
        return facet.labels.status
    confidence, bar = facet.labels.confidence, facet.confident_from
    if facet.labels.held:
        return f"{facet.labels.status}, confidence {confidence:.2f}, kept by the lock"
    if facet.facet.may_be_unstated:
        return f"{facet.labels.status}, by its cues alone"
    if bar is None:
        border = (
            "no label is confident yet: decisions do not show which are right nine times in ten"
        )
    elif facet.labels.status == "provisional" and confidence >= bar:
        border = f"confident from {bar:.2f}, but without abstract or clear cues in the title"
    else:
        border = f"confident from {bar:.2f}"
    return (
        f"{facet.labels.status}, confidence {confidence:.2f} that the primary is right ({border})"
    )


def _decision_lines(facet: FacetExplanation, decision: Decision) -> Iterator[str]:
    """Yield the lines about a decision."""
    who = f" by {decision.reviewer}" if decision.reviewer else ""
    when = f" on {decision.reviewed_on}" if decision.reviewed_on else ""
    drawn = f" (drawn by: {decision.drawn_by})" if decision.drawn_by else ""
    note = f": {decision.note}" if decision.note else ""
    yield f"  Decided{who}{when}{drawn}{note}"
    if facet.facet.may_be_unstated:
        yield "  The classifier does not learn from this decision. The cues of the paper:"
    else:
        yield "  The classifier has learned from this decision. Its reasons after learning:"


def _filing_lines(facet: FacetExplanation) -> Iterator[str]:
    """Yield the lines about the primary category."""
    (first, share), *others = facet.likeliest
    verb = "The classifier files it" if facet.decision or facet.labels.held else "Filed"
    next_one = "".join(f"; next {name} {p:.2f}, margin {share - p:.2f}" for name, p in others)
    yield f"  {verb} under {first}: share {share:.2f} of all categories{next_one}"
    if candidates := () if facet.decision else facet.labels.candidates:
        among = "one of " if len(candidates) > 1 else ""
        yield f"  With {100 * COVERAGE:.0f} %: {among}{', '.join(candidates)}"


def _account_lines(facet: FacetExplanation, account: CategoryAccount) -> Iterator[str]:
    """Yield the lines about a category."""
    role = "the primary" if account.category == facet.labels.primary else "given"
    yield f"  {account.category} ({role if account.given else 'not given'})"
    yield from (
        f"    {_with_sign(reason.weight)}  "
        f"{reason.text}{' (votes)' if reason.kind == 'vote' else ''}"
        for reason in account.account.reasons
    )
    more = account.account.rest_count
    rest = f"{more} weaker term{'' if more == 1 else 's'}" if more else "rounding"
    if more or account.account.rest:
        yield f"    {_with_sign(account.account.rest)}  {rest}"
    yield f"    {_with_sign(account.account.intercept)}  {_constant(facet, account)}"
    logit = _with_sign(account.account.logit)
    yield f"    {logit}  logit: {_probability(facet, account)}, {_bar(account)}"


def _constant(facet: FacetExplanation, account: CategoryAccount) -> str:
    """Return the meaning of the intercept."""
    if not account.account.in_votes:
        return "intercept"
    if facet.facet.may_be_unstated:
        return f"stated from {STATED_VOTE:.1f} votes"
    return "conversion of votes to log-odds; about three votes give a probability of 0.5"


def _probability(facet: FacetExplanation, account: CategoryAccount) -> str:
    """Return the probability of a category."""
    if facet.facet.kind == "single":
        return f"probability {account.probability:.2f}, normalised over categories"
    return f"probability {account.probability:.2f} that it applies"


def _bar(account: CategoryAccount) -> str:
    """Return the logit that a category needs, and whether it is reached."""
    threshold = account.threshold
    meaning = "a tie with the likeliest other" if threshold is None else f"{threshold:.2f}"
    expected = f"given from {_with_sign(account.needed).strip()} ({meaning})"
    if account.held_back:
        return f"{expected}; {account.held_back}"
    if account.given and account.shortfall > 0:
        return f"{expected}; it falls short by {account.shortfall:.2f} but is given anyway"
    return expected if account.given else f"{expected}; it falls short by {account.shortfall:.2f}"


def _miss_lines(facet: FacetExplanation, account: CategoryAccount) -> Iterator[str]:
    """Yield the lines about a category that was almost assigned."""
    logit = _with_sign(account.account.logit).strip()
    odds, bar = _probability(facet, account), _bar(account)
    yield f"  Not {account.category}: logit {logit}, {odds}, {bar}"
    reasons = account.account.reasons
    yield f"    for: {_join_reasons([r for r in reasons if r.weight > 0]) or 'nothing'}"
    yield f"    against: {_join_reasons([r for r in reasons if r.weight < 0]) or 'nothing'}"


def _join_reasons(reasons: Sequence[Reason]) -> str:
    """Return reasons as text."""
    chosen = reasons[:MAX_FOR_AND_AGAINST]
    return "; ".join(
        f"{reason.text} {reason.weight:+.2f}{' votes' if reason.kind == 'vote' else ''}"
        for reason in chosen
    )


def _child_lines(child: ChildAccount) -> Iterator[str]:
    """Yield the lines about a subcategory."""
    cues = ", ".join(f"‘{hit.cue}’ {PLACES[hit.view]}" for hit in child.hits)
    votes = f"votes {child.vote:.1f}, given from {child.min_vote:.1f}"
    if child.given:
        yield f"  {child.category} ({f'{votes}: {cues}' if cues else 'a decision'})"
    else:
        yield f"  {child.category} (not given)"
        yield f"    {votes}: {cues or 'no cue matches'}; {child.lacks}"


def _with_sign(value: float) -> str:
    """Return a number with its sign."""
    return f"{value:+6.2f}"


def explanation_json(explanation: Explanation) -> dict[str, object]:
    """Return an object with `paper`, `fields` with their sources, and `facets` by id."""
    paper = explanation.paper
    names = ("id", "title", "abstract_kind", "sources")
    return {
        "paper": {
            **{name: json_values(getattr(paper, name)) for name in names},
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
    """Return the explanation of a facet as a JSON object."""
    content: dict[str, object] = json_values(facet)
    labels = json_values(facet.labels)
    del content["facet"], content["labels"]
    names = ("categories", "primary", "status", "confidence")
    return {name: labels[name] for name in names} | content
