"""Suggest cues for each category: `fieldguide check --suggest`.

A suggested cue separates the papers that are probably in a category from the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from classifier.commands.cue_proposals import propose_cues
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.labels import Decisions
from classifier.papers.paper import Paper

_MAX_SUGGESTED = 5
_MORE_PAPERS = "Add one or two exemplars, or extend the definition."
_HOW_TO_ANSWER = (
    "Copy good phrases into `anywhere` under the `cues` of their category, and the others into "
    "`rejected`, so that they are not proposed again."
)


def suggestions(
    classifier: TaxonomyClassifier, papers: Sequence[Paper], decisions: Decisions
) -> Iterator[str]:
    """Yield lines with proposed cues per category of the first facet, and a list to paste.

    classifier: fitted on these papers and decisions.
    """
    proposals = propose_cues(classifier, papers, decisions)
    for category in classifier.taxonomy.first.tops:
        if category.out_of_scope:
            continue
        own = [each for each in proposals if each.category == category.id][:_MAX_SUGGESTED]
        if not own:
            yield f"{category.id}: no phrase separates its papers from the others. {_MORE_PAPERS}"
            continue
        yield f"{category.id}:"
        for each in own:
            yield f"  {each.cue} ({each.n_likely} of {each.n_papers} papers)"
            yield from (f"      “{title}”" for title in each.titles)
        yield f"  anywhere: [{', '.join(each.cue for each in own)}]"
    if proposals:
        yield _HOW_TO_ANSWER
