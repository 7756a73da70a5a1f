"""What answers on proposed cues teach: share filed right with and without them.

    python -m tools.cue_answers [--fields ohsumed,cei,math,astro] [--deals 3] [--counts 0,100]
                                [--answers 30]

The labels of the field answer as a reviewer would: a phrase is a cue of a category if 60 % of the
project's papers with it are in the category. Cues are proposed in three rounds; accepted ones are
added to the list `anywhere`. Projects, decisions and scored papers are those of
`tools.first_hour`, without the field's own source in the background.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from classifier.commands.cue_proposals import YES_SHARE, propose_cues
from classifier.labelling.classifier import TaxonomyClassifier
from classifier.labelling.cue_index import CueIndex
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy
from tools.background import background_without
from tools.first_hour import CHOSEN_ON, Field, deal_rows, read_field, score
from tools.labelled import parser_of

N_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """Shares filed right before and after the answers, and the share of them that are "yes"."""

    before: float
    after: float
    yes: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = parser_of("cue_answers", __doc__)
    parser.add_argument("--fields", default=",".join(CHOSEN_ON), help="comma-separated names")
    parser.add_argument("--deals", type=int, default=3, help="number of draws of papers per field")
    parser.add_argument("--counts", default="0,100", help="numbers of decisions")
    parser.add_argument("--answers", type=int, default=30, help="number of answers on cues")
    options = parser.parse_args(arguments)
    counts = [int(count) for count in options.counts.split(",")]
    print(f"{'':12}{'decided':>8}{'before':>8}{'after':>8}{'gain':>17}{'yes':>6}")
    totals: dict[int, list[float]] = {count: [] for count in counts}
    for name in options.fields.split(","):
        field = read_field(name)
        for count in counts:
            found = [answer(field, deal, count, options.answers) for deal in range(options.deals)]
            gains = np.array([each.after - each.before for each in found])
            half = 1.96 * gains.std(ddof=min(1, len(gains) - 1)) / np.sqrt(len(gains))
            before, after, yes = np.mean([(e.before, e.after, e.yes) for e in found], axis=0)
            totals[count].append(float(gains.mean()))
            print(
                f"{name:12}{count:8}{before:8.3f}{after:8.3f}{gains.mean():+8.3f} ± {half:.3f}"
                f"{yes:7.2f}",
                flush=True,
            )
    for count, gains_of_fields in totals.items():
        print(f"{'mean':12}{count:8}{'':16}{np.mean(gains_of_fields):+8.3f}")
    return 0


def answer(field: Field, deal: int, count: int, n_answers: int) -> Outcome:
    """Return the outcome for one draw of papers."""
    background = background_without(field.name, Path(tempfile.gettempdir()))
    project, scored, _ = deal_rows(field, deal)
    papers = [field.papers[row] for row in project]
    of_project = field.labels[project]
    decisions = field.decisions(project[:count].tolist())

    def fit(taxonomy: Taxonomy) -> TaxonomyClassifier:
        return TaxonomyClassifier(taxonomy, background=background).fit(papers, decisions)

    def right(classifier: TaxonomyClassifier) -> float:
        found = classifier.label([field.papers[row] for row in scored], explain="nothing")
        return score(field, scored, found).right

    taxonomy, n_yes = field.taxonomy, 0
    classifier = fit(taxonomy)
    before = right(classifier)
    for _ in range(N_ROUNDS):
        for proposal in propose_cues(classifier, papers, decisions)[: n_answers // N_ROUNDS]:
            column = taxonomy.first.ids.index(proposal.category)
            with_cue = have_cue(proposal.cue, papers)
            is_cue = bool(with_cue) and np.mean(of_project[with_cue] == column) >= YES_SHARE
            n_yes += is_cue
            key = "anywhere" if is_cue else "rejected"
            taxonomy = with_phrase(taxonomy, proposal.category, key, proposal.cue)
        classifier = fit(taxonomy)
    return Outcome(before, right(classifier), n_yes / n_answers)


def have_cue(cue: str, papers: Sequence[Paper]) -> list[int]:
    """Return the rows of the papers in which a cue matches."""
    categories = [{"id": "it", "cues": {"anywhere": [cue]}}]
    facets = {"topic": {"kind": "single", "categories": categories}}
    taxonomy = Taxonomy.model_validate({"survey": {"title": "One cue"}, "facets": facets})
    return [row for row, hits in enumerate(CueIndex(taxonomy).count(papers)["topic"].hits) if hits]


def with_phrase(taxonomy: Taxonomy, category_id: str, key: str, phrase: str) -> Taxonomy:
    """Return the taxonomy with a phrase added to a list of cues of a category."""
    content = taxonomy.model_dump(exclude_defaults=True)
    facet = content["facets"][taxonomy.first.id]
    category = next(each for each in facet["categories"] if each["id"] == category_id)
    cues = category.setdefault("cues", {})
    cues[key] = [*cues.get(key, ()), phrase]
    return Taxonomy.model_validate(content)


if __name__ == "__main__":
    sys.exit(main())
