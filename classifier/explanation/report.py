"""Render an explanation as text for a terminal, or as JSON values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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
from classifier.labelling.labels import Decision
from classifier.labelling.stated_facet import STATED_VOTE
from classifier.papers.paper import Paper
from classifier.review.acts import Act


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
    for account in facet.near_misses:
        yield from _account_lines(facet, account)


def _status(facet: FacetExplanation) -> str:
    if facet.labels.is_decided:
        return facet.labels.status
    confidence, bar = facet.labels.confidence, facet.confident_from
    if facet.labels.held:
        return f"{facet.labels.status}, confidence {confidence:.2f}, kept by the lock"
    if facet.facet.may_be_unstated:
        return f"{facet.labels.status}, by its cues alone"
    border = "no label is confident yet" if bar is None else f"confident from {bar:.2f}"
    if bar is not None and facet.labels.status == "provisional" and confidence >= bar:
        border += ", but without abstract or clear cues in the title"
    status = facet.labels.status
    return f"{status}, confidence {confidence:.2f} that the primary is right ({border})"


def _decision_lines(facet: FacetExplanation, decision: Decision) -> Iterator[str]:
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
    (first, share), *others = facet.likeliest
    verb = "The classifier files it" if facet.decision or facet.labels.held else "Filed"
    next_one = "".join(f"; next {name} {p:.2f}, margin {share - p:.2f}" for name, p in others)
    yield f"  {verb} under {first}: share {share:.2f} of all categories{next_one}"
    if candidates := () if facet.decision else facet.labels.candidates:
        among = "one of " if len(candidates) > 1 else ""
        yield f"  With {100 * COVERAGE:.0f} %: {among}{', '.join(candidates)}"


def _account_lines(facet: FacetExplanation, account: CategoryAccount) -> Iterator[str]:
    """Yield the lines about a category: a sum of reasons, which is its logit."""
    role = "the primary" if account.category == facet.labels.primary else "given"
    yield f"  {account.category} ({role if account.given else 'not given'})"
    parts = account.account
    rows = [(each.weight, f"{each.text}{' (votes)' if each.kind == 'vote' else ''}")
            for each in parts.reasons]  # fmt: skip
    if parts.rest_count or parts.rest:
        n_more = f"{parts.rest_count} weaker reason{'' if parts.rest_count == 1 else 's'}"
        rows.append((parts.rest, n_more if parts.rest_count else "rounding"))
    constant = "intercept"
    if parts.in_votes and facet.facet.may_be_unstated:
        constant = f"stated from {STATED_VOTE:.1f} votes"
    elif parts.in_votes:
        constant = "conversion of votes to log-odds; about three votes give a probability of 0.5"
    rows.append((parts.intercept, constant))
    yield from (f"    {weight:+6.2f}  {text}" for weight, text in rows)
    if account.threshold is None:
        meaning = "of all categories; the likeliest is given"
    else:
        meaning = f"that it applies; given from {account.threshold:.2f}"
        if account.given != (account.probability >= account.threshold):
            meaning += ", but decisions, the lock and the rules of the facet come first"
    yield f"    {parts.logit:+6.2f}  logit: probability {account.probability:.2f} {meaning}"


def _child_lines(child: ChildAccount) -> Iterator[str]:
    cues = ", ".join(f"‘{hit.cue}’ {PLACES[hit.view]}" for hit in child.hits)
    role = "given" if child.given else "not given"
    votes = f"votes {child.vote:.1f} of {child.min_vote:.1f}"
    yield f"  {child.category} ({role}): {votes}: {cues or 'no cue matches'}"


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
    content: dict[str, object] = json_values(facet)
    labels = json_values(facet.labels)
    del content["facet"], content["labels"]
    names = ("categories", "primary", "status", "confidence")
    return {name: labels[name] for name in names} | content
