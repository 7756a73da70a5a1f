"""A prior is learned from labelled papers, the same from the same papers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from classifier.labelling.labels import Decision
from classifier.labelling.learn_prior import GROUPS, learn_prior
from classifier.labelling.prior import LinearModel, Prior, paper_key
from classifier.labelling.prior_file import prior_bytes
from classifier.labelling.prior_terms import term_values
from classifier.labelling.term_places import TEXT_VIEWS
from classifier.labelling.views import text_views
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

Decided = dict[str, dict[str, Decision]]


def weight(prior: Prior, name: str, category_id: str) -> float:
    """Return a weight of "applies", learned from all papers."""
    facet = prior.facets["topic"]
    assert facet.applies is not None
    column = facet.applies.names.index(name)
    return float(facet.applies.weights[0, facet.category_ids.index(category_id), column])


def test_words_and_cues_of_a_category_speak_for_it(prior: Prior) -> None:
    assert weight(prior, "whole:gluten", "dough") > 0.1 > 0 > weight(prior, "whole:gluten", "ovens")
    assert weight(prior, "share:ovens", "ovens") > 0.1


def test_the_order_of_papers_and_of_the_background_does_not_matter(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> None:
    backwards = dict(reversed(decisions.items()))
    again = learn_prior(
        taxonomy, papers[::-1], backwards, papers[:39:-1], provenance=prior.provenance
    )
    assert prior_bytes(again) == prior_bytes(prior)


def test_of_two_papers_with_one_title_the_order_does_not_matter_either(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    twin = replace(papers[0], id="p-twin", abstract="Another text on crust and steam.")
    told = {**decisions, twin.id: decisions[papers[1].id]}
    there, back = (learn_prior(taxonomy, both, told) for both in ([*papers, twin], [twin, *papers]))
    assert prior_bytes(there) == prior_bytes(back)


def test_every_labelled_paper_is_in_a_group_and_no_other(papers: list[Paper], prior: Prior) -> None:
    assert prior.groups.keys() == {paper_key(paper) for paper in papers[:40]}
    sizes = np.bincount(list(prior.groups.values()))
    assert sizes.tolist() == [40 // GROUPS] * GROUPS


def test_labelled_papers_are_no_background(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> None:
    """A page may well hold, under other ids, the papers that were taken from it."""
    copies = [replace(paper, id=f"copy-{paper.id}") for paper in papers]
    again = learn_prior(taxonomy, papers, decisions, copies, provenance=prior.provenance)
    assert prior_bytes(again) == prior_bytes(prior)
    assert prior_bytes(learn_prior(taxonomy, papers, decisions, papers[45:])) != prior_bytes(prior)


def test_a_facet_with_fewer_than_two_papers_a_group_gets_no_prior(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> None:
    """Nobody decided on fuel; on the kind, as few as are just too few."""
    assert list(prior.facets) == ["topic", "kind"]
    enough = 2 * GROUPS
    for kinds, known in ((enough - 1, ["topic"]), (enough, ["topic", "kind"])):
        told = {
            key: decided if row < kinds else {"topic": decided["topic"]}
            for row, (key, decided) in enumerate(decisions.items())
        }
        assert list(learn_prior(taxonomy, papers, told).facets) == known


@pytest.mark.parametrize("count", [0, 1, 9])
def test_of_too_few_papers_nothing_is_learned(
    count: int, taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    prior = learn_prior(taxonomy, papers[:count], decisions)
    assert (len(prior.groups), prior.facets) == (count, {})


def test_a_single_facet_has_but_one_model(prior: Prior) -> None:
    assert prior.facets["kind"].applies is None
    assert prior.facets["topic"].applies is not None


def test_a_version_for_all_papers_and_one_without_each_group(prior: Prior) -> None:
    for facet in prior.facets.values():
        for model in (facet.applies or facet.filed, facet.filed):
            k, m = len(facet.category_ids), len(model.names)
            assert model.weights.shape == (GROUPS + 1, k, m)
            assert model.intercepts.shape == (GROUPS + 1, k)
            assert model.weights.any(axis=(0, 1)).all()
            assert list(model.names) == sorted(set(model.names))


def test_progress_is_told(taxonomy: Taxonomy, papers: list[Paper], decisions: Decided) -> None:
    told: list[tuple[str, int, int]] = []
    learn_prior(taxonomy, papers, decisions, progress=lambda *step: told.append(step))
    assert told[0] == ("Learning the background", 0, 1)
    assert told[-1] == ("Learning the prior", 3, 3)


def test_a_category_that_nobody_gave_is_unknown_not_impossible(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    told = {key: value for key, value in decisions.items() if "ovens" not in value["topic"].values}
    facet = learn_prior(taxonomy, papers, told).facets["topic"]
    assert "ovens" not in facet.category_ids
    assert "dough" in facet.category_ids
    assert facet.filed.weights.shape[1] == len(facet.category_ids)


def test_of_a_category_that_no_decision_knows_nothing_is_learned(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    late = {
        paper_id: {
            name: replace(decision, unknown=("taste",)) if name == "topic" else decision
            for name, decision in facets.items()
        }
        for paper_id, facets in decisions.items()
        if facets["topic"].primary != "taste"
    }
    known = learn_prior(taxonomy, papers, late)
    assert known.facets["topic"].category_ids == ("dough", "ovens", "other")
    # Where three later decisions name it, the older ones are no counter-examples.
    some = [name for name, facets in decisions.items() if facets["topic"].primary == "taste"]
    both = learn_prior(taxonomy, papers, {**late, **{name: decisions[name] for name in some[:4]}})
    shown = both.facets["topic"].applies
    assert shown is not None
    intercepts = shown.intercepts[0]
    assert intercepts[both.facets["topic"].category_ids.index("taste")] > intercepts.min()


def cut_to(
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    least: float,
    told: tuple[Taxonomy, list[Paper], Decided],
) -> LinearModel:
    """The model of "applies" with so many terms a category, none smaller than `least`."""
    monkeypatch.setattr("classifier.labelling.learn_prior.MOST_TERMS", most)
    monkeypatch.setattr("classifier.labelling.learn_prior._LEAST_SIZE", least)
    model = learn_prior(*told).facets["topic"].applies
    assert model is not None
    return model


def terms_of(model: LinearModel, papers: list[Paper]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The weights on terms, learned from all papers; how much of each a paper has; the sizes."""
    views = [text_views(paper) for paper in papers]
    at = [n for n, name in enumerate(model.names) if name.partition(":")[0] in TEXT_VIEWS]
    values = term_values([model.names[n] for n in at], views).toarray()
    weights = model.weights[0][:, at]
    return weights, values, np.abs(weights) * np.sqrt((values**2).mean(axis=0))


def test_the_terms_that_usually_move_a_logit_most_are_kept_and_the_others_on_average(
    monkeypatch: pytest.MonkeyPatch, taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    told, labelled = (taxonomy, papers, decisions), papers[:40]
    whole = cut_to(monkeypatch, 10**6, 0.0, told)
    weights, values, sizes = terms_of(whole, labelled)
    average = (values @ weights.T).mean(axis=0) + whole.intercepts[0]
    for most, least in ((4, 0.0), (10**6, 0.05)):
        cut = cut_to(monkeypatch, most, least, told)
        kept, own, _ = terms_of(cut, labelled)
        bars = np.maximum(np.sort(sizes, axis=1)[:, -min(most, sizes.shape[1])], least)
        assert (kept != 0).sum(axis=1).tolist() == (sizes >= bars[:, None]).sum(axis=1).tolist()
        assert 4 <= (kept != 0).sum() < (weights != 0).sum()
        assert (own @ kept.T).mean(axis=0) + cut.intercepts[0] == pytest.approx(average)


def test_a_category_is_learned_from_three_papers_on(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided
) -> None:
    tasted = [name for name, told in decisions.items() if told["topic"].primary == "taste"]
    for count, known in ((2, False), (3, True)):
        told = {name: each for name, each in decisions.items() if name not in tasted[count:]}
        facet = learn_prior(taxonomy, papers, told).facets["topic"]
        assert ("taste" in facet.category_ids) == known
