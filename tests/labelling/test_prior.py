"""What a prior says of papers: of its own papers, and after the taxonomy has changed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import expit

from classifier.labelling.estimator import TaxonomyClassifier
from classifier.labelling.labels import Decision
from classifier.labelling.learn_prior import learn_prior
from classifier.labelling.prior import Prior, meaning, paper_key, prior_faults
from classifier.labelling.prior_scores import PriorScores
from classifier.papers.paper import Paper
from classifier.taxonomy.model import Taxonomy

Decided = dict[str, dict[str, Decision]]
FILE = "taxonomy/prior.json"


def scores_of(
    taxonomy: Taxonomy, prior: Prior, papers: list[Paper], facet_id: str = "topic"
) -> PriorScores:
    """What the prior says of papers in a facet."""
    scores = TaxonomyClassifier(taxonomy, prior=prior).fit([]).facet_views(papers)[facet_id].prior
    assert scores is not None
    return scores


def written(taxonomy: Taxonomy) -> Any:
    """The taxonomy as a tree that a test may change."""
    return json.loads(taxonomy.model_dump_json())


def changed(taxonomy: Taxonomy, place: int, **news: Any) -> Taxonomy:
    """The taxonomy with a topic changed."""
    tree = written(taxonomy)
    tree["facets"]["topic"]["categories"][place] |= news
    return Taxonomy.model_validate(tree)


def test_a_paper_is_met_by_weights_that_have_not_seen_its_label(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> None:
    """Whatever people had decided of a kind: the guide held for a trial is scored alike.

    The primary topic stays, which says into which group a paper is dealt.
    """
    told = papers[6]
    flipped = {**decisions, told.id: decisions[told.id] | {"kind": Decision(("trial",), "trial")}}
    assert flipped[told.id] != decisions[told.id]
    other = learn_prior(taxonomy, papers, flipped, papers[40:])
    assert other.groups == prior.groups
    before, after = (scores_of(taxonomy, which, papers, "kind").filed for which in (prior, other))
    assert np.allclose(before[6], after[6], rtol=0, atol=1e-9)
    group = prior.groups[paper_key(told)]
    others = [row for row in range(40) if prior.groups[paper_key(papers[row])] != group]
    assert (np.abs(before - after)[others] > 1e-4).all()


def test_a_paper_that_it_was_not_learned_from_meets_the_weights_of_all(
    papers: list[Paper], prior: Prior
) -> None:
    assert [prior.knows(paper) for paper in papers] == [True] * 40 + [False] * 20
    versions = prior.versions(papers)
    assert versions[40:].tolist() == [0] * 20
    assert set(versions[:40].tolist()) == {1, 2, 3, 4, 5}
    renamed = replace(papers[0], id="p-elsewhere", title=papers[0].title.upper())
    assert prior.versions([renamed]) == versions[:1]


def test_papers_that_it_never_met_are_filed_where_they_belong(
    taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    filed = scores_of(taxonomy, prior, papers[40:]).filed.argmax(axis=1)
    assert (filed == np.arange(40, 60) % 4).mean() >= 0.8


@pytest.mark.parametrize("facet_id", ["topic", "kind"])
def test_contributions_and_intercept_are_the_logit(
    facet_id: str, taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    scores = scores_of(taxonomy, prior, papers, facet_id)
    for row in (0, 7, 39, 40, 59):
        for column in range(len(scores.columns)):
            values, intercept = scores.contributions(row, column)
            assert values.shape == (len(scores.model.names),)
            assert values.sum() + intercept == pytest.approx(scores.applies[row, column])


def test_a_category_whose_definition_changed_loses_its_own_weights_only(
    taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    today = changed(taxonomy, 1, definition="Anything hot.")
    before, after = scores_of(taxonomy, prior, papers), scores_of(today, prior, papers)
    assert after.known.tolist() == [True, False, True, True]
    for name in ("applies", "filed"):
        assert np.isnan(getattr(after, name)[:, 1]).all()
        kept = [0, 2, 3]
        assert np.array_equal(getattr(after, name)[:, kept], getattr(before, name)[:, kept])
    assert [str(fault) for fault in prior_faults(today, prior, FILE)] == [
        "taxonomy/prior.json: warning: found weights of ovens (facet topic), learned under another "
        "definition; not used; wanted the same definition. Make the prior again with `fieldguide "
        "prior`, or go on without them."
    ]


def test_all_changed_categories_of_a_facet_are_one_warning(
    taxonomy: Taxonomy, prior: Prior
) -> None:
    today = changed(changed(taxonomy, 1, definition="Hot."), 2, definition="Cold.")
    first, second = (today.first.categories[place].id for place in (1, 2))
    (fault,) = prior_faults(today, prior, FILE)
    assert fault.found == (
        f"weights of {first}, {second} (facet topic), learned under another definition; not used"
    )


@pytest.mark.parametrize(
    "news",
    [{"name": "Sour things"}, {"exemplars": []}, {"definition": ""}, {"children": []}],
    ids=lambda news: next(iter(news)),
)
def test_what_is_no_change_of_meaning_keeps_the_weights(
    news: dict[str, Any], taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    today = changed(taxonomy, 0, **news)
    scores = scores_of(today, prior, papers)
    assert np.array_equal(scores.applies, scores_of(taxonomy, prior, papers).applies)
    assert prior_faults(today, prior, FILE) == []


def test_a_cue_that_was_rewritten_keeps_the_weight_of_its_list(
    taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    """Weights are those of a category's lists, not of single cues."""
    today = changed(taxonomy, 1, cues={"title": ["oven", "ovens"], "anywhere": ["bake at _"]})
    assert prior_faults(today, prior, FILE) == []
    scores = scores_of(today, prior, papers)
    assert np.array_equal(scores.applies, scores_of(taxonomy, prior, papers).applies)
    silent = scores_of(changed(taxonomy, 1, cues={}), prior, papers)
    cued = ["with an oven" in paper.title for paper in papers]
    assert (silent.applies[cued, 1] < scores.applies[cued, 1]).all()


def test_a_category_that_it_never_knew_is_left_to_the_papers(
    taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    tree = written(taxonomy)
    tree["facets"]["topic"]["categories"].insert(0, {"id": "spelt"})
    today = Taxonomy.model_validate(tree)
    scores = scores_of(today, prior, papers)
    assert scores.known.tolist() == [False, True, True, True, True]
    assert np.isnan(scores.applies[:, 0]).all()
    assert not np.isnan(scores.applies[:, 1:]).any()
    assert prior_faults(today, prior, FILE) == []


def test_a_category_that_is_gone_is_not_missed(
    taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    tree = written(taxonomy)
    del tree["facets"]["topic"]["categories"][2]
    today = Taxonomy.model_validate(tree)
    assert scores_of(today, prior, papers).columns.tolist() == [0, 1, 3]
    assert prior_faults(today, prior, FILE) == []


def test_a_facet_that_is_gone_is_named(taxonomy: Taxonomy, prior: Prior) -> None:
    tree = written(taxonomy)
    tree["facets"]["form"] = tree["facets"].pop("kind")
    (fault,) = prior_faults(Taxonomy.model_validate(tree), prior, FILE)
    assert str(fault).endswith(
        ": notice: found weights of a facet 'kind', which the taxonomy has not; wanted its "
        "facets. Nothing is lost."
    )
    assert prior_faults(taxonomy, None, FILE) == []


def test_a_facet_that_is_single_today_shows_the_model_that_files(
    taxonomy: Taxonomy, papers: list[Paper], prior: Prior
) -> None:
    tree = written(taxonomy)
    tree["facets"]["topic"] |= {"kind": "single", "at_most": None}
    scores = scores_of(Taxonomy.model_validate(tree), prior, papers)
    assert scores.model is prior.facets["topic"].filed
    values, intercept = scores.contributions(0, 0)
    assert values.sum() + intercept == pytest.approx(scores.filed[0, 0])


def test_weights_that_are_left_out_do_not_move_what_is_usual(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A category that a quarter of the papers has is a quarter likely, on average."""
    logits = scores_of(taxonomy, learn_prior(taxonomy, papers[:40], decisions), papers[:40]).applies
    assert expit(logits).mean(axis=0) == pytest.approx([0.25] * 4, abs=0.01)
    monkeypatch.setattr("classifier.labelling.learn_prior.MOST_TERMS", 3)
    few = scores_of(taxonomy, learn_prior(taxonomy, papers[:40], decisions), papers[:40]).applies
    assert few.mean(axis=0) == pytest.approx(logits.mean(axis=0), abs=0.25)
    assert not np.allclose(few, logits, atol=1)


def test_a_meaning_is_read_without_case_and_blanks(taxonomy: Taxonomy) -> None:
    one = changed(taxonomy, 1, definition="Heat, and  what holds it.").first.categories[1]
    two = changed(taxonomy, 1, definition="heat, and what\nholds it.").first.categories[1]
    three = changed(taxonomy, 1, definition="Heat.", includes=["stone"]).first.categories[1]
    assert meaning(one) == meaning(two) != meaning(three)


def test_the_key_of_a_paper_is_that_of_its_title() -> None:
    one, two = Paper("Rye: A Study", "p-1"), Paper("rye – a study", "p-2", abstract="Of rye.")
    assert paper_key(one) == paper_key(two) != paper_key(Paper("Rye"))
    assert len(paper_key(one)) == 12
    assert "rye" not in paper_key(one)


def test_a_category_that_was_merged_leaves_the_weights_of_the_others(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> None:
    """It stands in the taxonomy still, and is no column of anything."""
    tree = written(taxonomy)
    merged = {"id": "spelt", "definition": "Old grain.", "replaced_by": "dough"}
    tree["facets"]["topic"]["categories"].insert(0, merged)
    today = Taxonomy.model_validate(tree)
    scores = scores_of(today, prior, papers)
    assert scores.columns.tolist() == [0, 1, 2, 3]
    assert np.array_equal(scores.applies, scores_of(taxonomy, prior, papers).applies)
    again = learn_prior(today, papers, decisions, papers[40:]).facets["topic"]
    assert (again.category_ids, again.meanings) == (
        prior.facets["topic"].category_ids,
        prior.facets["topic"].meanings,
    )


def test_a_merged_category_does_not_keep_a_prior_from_a_fit(
    taxonomy: Taxonomy, papers: list[Paper], decisions: Decided, prior: Prior
) -> None:
    today = changed(taxonomy, 2, replaced_by="dough")
    told = {
        key: {"topic": decided["topic"]}
        for key, decided in decisions.items()
        if "taste" not in decided["topic"].values
    }
    classifier = TaxonomyClassifier(today, prior=prior).fit(papers, told)
    assert classifier.predict_proba(papers)["topic"].shape == (60, 3)
