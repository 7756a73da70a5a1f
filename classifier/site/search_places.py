"""Search results that are not papers, such as topics, benchmarks and claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from classifier.site import paths
from classifier.site.blocks import block_anchor
from classifier.site.context import RenderContext
from classifier.site.listing import category_name, top_categories
from classifier.site.markup import plain_text
from classifier.site.pages.benchmark import BenchmarkPage
from classifier.site.pages.front import papers_to_start_with
from classifier.site.search_index import Place, applicable_papers
from classifier.survey.claims import tally_or_reason
from classifier.survey.document import Table
from classifier.survey.entry import SurveyPaper
from classifier.survey.landmarks import landmarks
from classifier.survey.sections.landscape import LANDMARKS
from classifier.survey.sections.numbers import ID as NUMBERS
from classifier.survey.sections.numbers import MADE, SAVINGS, USED
from classifier.survey.survey import Survey
from classifier.survey.wording import count_in_digits
from classifier.taxonomy.claims import Claim
from classifier.text.links import without_dead_links
from classifier.text.normalise import tokens

_BEGIN = "begin beginner introduction introductory start starting"
_UNSOLVED = "unsolved unresolved open-problem open-question open-challenge open-issue research-gap"
_DISPUTED = (
    "contradict contradiction contradictory conflicting contested contrary controversial "
    "controversy disagree disagreement dispute disputed"
)
_DIFFER = "compare comparison contrast designs differ difference differences"
_AMOUNTS = {
    SAVINGS: "cheaper cheapest cost costs dollar dollars price prices saved saves saving savings",
    USED: "cost costs compute gpu gpu-hours hours tokens expensive long duration calls",
    MADE: "size sizes large many number dataset-size how-many how-much",
}
"""Table of amounts -> words that ask for it."""
_RELEASES = {
    "models": "open weights, weights, models released, released models, release models",
    "data": "data released, released data, release data, open data, data sets released",
}
"""Kind of release -> cues that find the list of such papers."""
_SETTINGS = "same different several two settings tried scores"
_ASKING = {
    "unsolved": ("", _UNSOLVED),
    NUMBERS: (
        f"benchmark {_SETTINGS}",
        "conflicting-results results-conflict different-results results-differ results-disagree "
        "different-scores scores-differ",
    ),
    "conclusion": ("", _DISPUTED),
    "how-to-cite": ("", "bibtex citation cite cited licence license"),
    "landscape": ("over time years months growth", "trend trends"),
    "method-labels": (
        "how accurate accuracy reliable trustworthy quality error rate made inter-annotator "
        "agreement",
        "kappa",
    ),
}
"""Section -> further words that find it, and words that ask for it; see `Place`."""
_MIN_PAPERS, _MIN_SHARE = 2, 1 / 4
"""A claim is about a topic of at least two of its papers, and of a quarter of them."""


def search_places(
    context: RenderContext, benchmarks: Mapping[str, BenchmarkPage]
) -> Iterator[Place]:
    """Yield all places.

    If several places match a query equally well, the first one is shown first.
    """
    yield from label_places(context.survey)
    topics = {category.id for category in context.catalogue.paged}
    for category in context.catalogue.paged:
        page = paths.category_page_path(category.id)
        cues = _plain_cues((*category.cues.title, *category.cues.anywhere))
        yield category.name, "topic", page, ", ".join(cues)
    for section in context.survey.document.sections:
        if section.id in context.pages_by_anchor and section.id not in topics:
            page = context.pages_by_anchor[section.id]
            address = page if section.level == 1 else f"{page}#{section.id}"
            yield section.title, "section", address, *_ASKING.get(section.id, ("", ""))
    yield from _reading_list_places(context)
    yield from _kind_places(context)
    yield from release_places(context.survey)
    newest = "^new newest latest recent recently"
    yield "The newest papers", "list", "browse.html?sort=newest", "", newest
    oldest = "old oldest earliest first"
    yield "The oldest papers", "list", "browse.html?sort=oldest", "", oldest
    for name, benchmark in benchmarks.items():
        yield name, "benchmark", benchmark.path
    if context.layout["has_benchmarks"]:
        yield "All benchmarks", "index", "benchmarks.html", _SETTINGS
    yield "What changed", "index", "changes.html", "", "changed"
    yield "Files to take away, and feeds", "index", "data.html", "csv json ris", "download feed rss"
    yield from _claim_places(context)
    yield from problem_places(context.survey)
    if page_of_landmarks := context.pages_by_anchor.get(LANDMARKS):
        yield from landmark_places(context.survey, page_of_landmarks)
    yield from _table_places(context)


def label_places(survey: Survey) -> list[Place]:
    """Return the lists of papers with a label in a facet that papers may leave unstated.

    "GRPO" finds "Optimised by: group-relative policy optimisation (7 of 110 papers)". The labels
    are found by their cues; those with fewer cues come first.
    """
    taxonomy = survey.taxonomy
    labels = []
    for facet in taxonomy.facets.values():
        applicable = applicable_papers(facet, survey)
        for category in facet.walk() if facet.may_be_unstated else ():
            words = _plain_cues(
                cue for view, cues in category.cues.views() if view != "against" for cue in cues
            )
            if number := survey.facts.select((facet.id, category.id)).number:
                of = f"{number} of {applicable}" if applicable else count_in_digits(number, "paper")
                name = f"{facet.name}: {category.name} ({of})"
                address = paths.browse_address((facet.id, category.id))
                labels.append((len(words), -number, (name, "label", address, ", ".join(words))))
    return [place for _, _, place in sorted(labels)]


def problem_places(survey: Survey) -> list[Place]:
    """Return the lists of papers that state an open problem, found by its cues."""
    return [
        (
            f"{problem[:1].upper()}{problem[1:]} (unsolved in {count_in_digits(number, 'paper')})",
            "open problem",
            paths.browse_address((survey.roles.unsolved, problem)),
            ", ".join(_plain_cues(cues)),
            _UNSOLVED,
        )
        for problem, cues in survey.taxonomy.open_problems.items()
        if (number := survey.facts.select((survey.roles.unsolved, problem)).number)
    ]


def _plain_cues(cues: Iterable[str]) -> list[str]:
    """Return the cues of up to three words, without their special signs."""
    return sorted({" ".join(parts) for cue in cues if len(parts := tokens(cue)) <= 3})


def _reading_list_places(context: RenderContext) -> Iterator[Place]:
    """Yield the papers to read first, per topic and for all topics."""
    begun: dict[str, str] = {}
    for sentence in context.survey.document.sentences:
        topic, found, _ = sentence.id.partition("-path-")
        if found:
            begun.setdefault(topic, sentence.id)
    kind = "papers to read first"
    for category in context.catalogue.paged:
        if category.id in begun:
            address = f"{paths.category_page_path(category.id)}#{begun[category.id]}"
            yield category.name, kind, address, "", _BEGIN
    if any(papers_to_start_with(context.survey.document, top_categories(context.survey))):
        yield "Start here", "list of papers", "index.html#begin", "", _BEGIN


def _kind_places(context: RenderContext) -> Iterator[Place]:
    """Yield the lists of papers by kind of contribution, such as surveys."""
    roles = context.survey.roles
    facet = context.survey.taxonomy.facets.get(roles.contribution)
    for kind in facet.walk() if facet else ():
        address = paths.browse_address((roles.contribution, kind.id))
        number = context.survey.facts.select((roles.contribution, kind.id)).number
        if number and kind.id == roles.survey:
            yield "Surveys", "list", address, "", "survey surveys"
        elif number:
            yield (
                f"Contribution: {kind.name} ({count_in_digits(number, 'paper')})",
                "label",
                address,
            )


def release_places(survey: Survey) -> Iterator[Place]:
    """Yield the lists of papers that state that they release models or data."""
    for what, cues in _RELEASES.items():
        if number := survey.facts.select(("code", what)).number:
            label = f"{what.capitalize()} said to be released ({count_in_digits(number, 'paper')})"
            yield label, "label", paths.browse_address(("code", what)), cues


def _claim_places(context: RenderContext) -> Iterator[Place]:
    """Yield the claims, found by their text, their topic, its subcategories and evidence."""
    for claim in context.survey.claims.claims:
        place = f"{claim.topic}-{claim.name}"
        if page_of_it := context.pages_by_anchor.get(place):
            placed = tally_or_reason(claim, context.survey.paper)
            label = plain_text(without_dead_links(claim.text)) + f" ({placed})" * bool(placed)
            papers = (context.survey.paper(each.paper_id) for each in claim.placements)
            entries = [entry for entry in papers if entry]
            topic = " ".join(_topics_of(context.survey, claim, entries))
            found_by = " ".join((topic, *(each.words for each in claim.placements)))
            about = " ".join((*_topic_words(entries, topic), claim.search)).strip()
            yield label, "claim", f"{page_of_it}#{place}", found_by, _DISPUTED, about


def _topics_of(survey: Survey, claim: Claim, entries: Sequence[SurveyPaper]) -> list[str]:
    """Return the names of a claim's topic, and of those subcategories that its papers have."""
    category = survey.taxonomy.first.get(claim.topic)
    parts = (
        part.name
        for part in (category.children if category else ())
        if _are_enough_papers(sum(part.id in entry.first.categories for entry in entries), entries)
    )
    return [category_name(survey, claim.topic), *parts]


def _topic_words(entries: Sequence[SurveyPaper], topic: str) -> list[str]:
    """Return the words of a claim's topic that occur in its papers."""
    texts = [
        frozenset(tokens(f"{entry.paper.title_display} {entry.paper.abstract_display}"))
        for entry in entries
    ]
    words = sorted({*tokens(topic)})
    return [
        word for word in words if _are_enough_papers(sum(word in text for text in texts), entries)
    ]


def _are_enough_papers(number: int, entries: Sequence[SurveyPaper]) -> bool:
    """Return whether a number of papers is large enough for a place."""
    return number >= max(_MIN_PAPERS, len(entries) * _MIN_SHARE)


def landmark_places(survey: Survey, page: str) -> Iterator[Place]:
    """Yield the works outside the survey (except benchmarks), found by their names."""
    for each in landmarks(survey):
        if not each.is_benchmark:
            number = len(each.entries)
            naming = (
                f"named by {count_in_digits(number, 'paper')}" if number else "no paper names it"
            )
            label = f"{each.name} (not in this sample; {naming})"
            yield label, "landmark", f"{page}#{LANDMARKS}", ", ".join(each.spellings)


def _table_places(context: RenderContext) -> Iterator[Place]:
    """Yield the tables of amounts, and the tables that compare the papers of a topic."""
    blocks = (block for section in context.survey.document.sections for block in section.blocks)
    for table in blocks:
        if isinstance(table, Table) and (table.id in _AMOUNTS or table.id.startswith("papers-")):
            kind = "section" if table.id in _AMOUNTS else "table"
            asking = _AMOUNTS.get(table.id, _DIFFER)
            address = f"{context.pages_by_anchor[block_anchor(table)]}#{block_anchor(table)}"
            yield (
                plain_text(table.caption).partition(". ")[0].removesuffix("."),
                kind,
                address,
                "",
                asking,
            )
