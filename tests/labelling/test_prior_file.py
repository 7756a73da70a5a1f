"""A prior as a file: what is written is read, and what cannot be read is said."""

from __future__ import annotations

import json
import math
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from classifier.errors import InputError
from classifier.labelling.prior import FacetPrior, LinearModel, Prior
from classifier.labelling.prior_file import FORMAT, is_prior, prior_bytes, read_prior, write_prior

CURE = "Make it again with `fieldguide prior`, or go without: move prior.json away."
WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


def read_again(folder: Path, content: bytes) -> Prior:
    path = folder / "prior.json"
    path.write_bytes(content)
    return read_prior(path, "prior.json")


def small(weights: list[float], names: tuple[str, ...] = ("title:rye", "whole:rye")) -> Prior:
    """A prior of one single facet with one category and one version."""
    model = LinearModel(names, np.array([[weights]]), np.array([[0.5]]))
    return Prior(
        {"made_by": "a baker"}, {}, {"kind": FacetPrior(("trial",), ("abc",), None, model)}
    )


@st.composite
def models(draw: st.DrawFn, versions: int, k: int) -> LinearModel:
    names = draw(st.lists(WORDS.map("whole:{}".format), max_size=4, unique=True))
    numbers = st.floats(-99, 99) | st.floats(allow_nan=False, allow_infinity=False)
    return LinearModel(
        tuple(names),
        draw(arrays(float, (versions, k, len(names)), elements=numbers)),
        draw(arrays(float, (versions, k), elements=numbers)),
    )


@st.composite
def priors(draw: st.DrawFn) -> Prior:
    groups = draw(st.dictionaries(WORDS, st.integers(0, 2), max_size=4))
    versions = max(groups.values(), default=-1) + 2
    facets = {}
    for name in draw(st.lists(WORDS, max_size=2, unique=True)):
        ids = tuple(draw(st.lists(WORDS, min_size=1, max_size=3, unique=True)))
        meanings = tuple(draw(WORDS) for _ in ids)
        both = draw(st.booleans())
        applies = draw(models(versions, len(ids))) if both else None
        facets[name] = FacetPrior(ids, meanings, applies, draw(models(versions, len(ids))))
    return Prior({"made_by": draw(WORDS)}, groups, facets)


@given(prior=priors())
def test_what_is_read_is_written_byte_by_byte(
    tmp_path_factory: pytest.TempPathFactory, prior: Prior
) -> None:
    written = prior_bytes(prior)
    again = read_again(tmp_path_factory.mktemp("prior"), written)
    assert prior_bytes(again) == written
    assert (again.provenance, again.groups) == (prior.provenance, prior.groups)
    assert list(again.facets) == list(prior.facets)
    for name, facet in prior.facets.items():
        found = again.facets[name]
        assert (found.category_ids, found.meanings) == (facet.category_ids, facet.meanings)
        assert (found.applies is None) == (facet.applies is None)
        assert np.allclose(found.filed.intercepts, facet.filed.intercepts, rtol=1e-15, atol=6e-4)


def test_a_learned_prior_says_the_same_but_for_the_third_digit(
    tmp_path: Path, prior: Prior
) -> None:
    write_prior(tmp_path / "prior.json", prior)
    again = read_prior(tmp_path / "prior.json", "prior.json")
    assert again.groups == prior.groups
    for name, facet in prior.facets.items():
        kept = [facet.filed.names.index(known) for known in again.facets[name].filed.names]
        difference = again.facets[name].filed.weights - facet.filed.weights[:, :, kept]
        assert np.abs(difference).max() <= 5.01e-4


def test_a_person_can_read_it() -> None:
    assert (
        prior_bytes(small([-0.25, 1.5])).decode()
        == """\
{
"format": "fieldguide-prior-1",
"made_by": "a baker",
"papers": {
},
"facets": {
"kind": {
"trial": {"meaning": "abc",
"filed": {
"intercept": [0.5],
"whole:rye": [1.5],
"title:rye": [-0.25]
}
}
}
}
}
"""
    )


def test_the_strongest_weights_come_first_whatever_their_sign_and_equals_by_name() -> None:
    names = ("whole:b", "whole:d", "whole:a", "whole:c")
    lines = prior_bytes(small([0.1, -2, 0.1, 1], names)).decode().splitlines()
    assert [line[:9] for line in lines if line.startswith('"whole')] == [
        '"whole:d"', '"whole:c"', '"whole:a"', '"whole:b"',
    ]  # fmt: skip


def test_what_rounds_to_nothing_is_not_written_and_zero_has_no_sign() -> None:
    content = prior_bytes(small([-0.0004, -0.0]))
    assert b"rye" not in content
    assert b"-0" not in content
    model = LinearModel(("whole:rye",), np.array([[[1.0]], [[-0.0]]]), np.full((2, 1), -0.0))
    two = Prior({}, {"a": 0}, {"kind": FacetPrior(("trial",), ("abc",), None, model)})
    assert b'"whole:rye": [1, 0]' in prior_bytes(two)
    assert b'"intercept": [0, 0]' in prior_bytes(two)


@pytest.mark.parametrize(
    ("weight", "written"),
    [
        (999.9996, "1000"),
        (1234.5678, "1234.568"),
        (-1234567.0625, "-1234567.062"),
        (0.001, "0.001"),
        (1e16, "10000000000000000"),
        (1e22, "1" + 22 * "0"),
    ],
)
def test_numbers_have_three_digits_and_no_exponent_however_large(
    tmp_path: Path, weight: float, written: str
) -> None:
    content = prior_bytes(small([weight, 0]))
    assert f'"title:rye": [{written}]' in content.decode()
    assert prior_bytes(read_again(tmp_path, content)) == content


def test_numbers_are_as_many_as_groups_and_one(tmp_path: Path) -> None:
    content = prior_bytes(small([1, 2])).replace(b"{\n},", b'{\n"0123456789ab": 3\n},', 1)
    with pytest.raises(InputError, match=re.escape("[0.5], not 5 numbers")):
        read_again(tmp_path, content)


def spoiled(**news: Any) -> bytes:
    """A prior in which one thing is wrong."""
    filed = {"intercept": [0.5], "whole:rye": [1.5]} | news.pop("filed", {})
    category = {"meaning": "abc", "filed": filed} | news.pop("category", {})
    facets = {"kind": {"trial": category}}
    return json.dumps({"format": FORMAT, "papers": {}, "facets": facets} | news).encode()


BROKEN = {
    "empty": (b"", "Expecting value: line 1 column 1 (char 0)"),
    "cut": (spoiled()[:80], ""),
    "not UTF-8": (b'{"format": "\xe9"}', "'utf-8' codec can't decode byte 0xe9"),
    "a list": (b"[]", f"no {FORMAT}"),
    "another format": (spoiled(format="fieldguide-prior-9"), f"no {FORMAT}"),
    "deep": (b"[" * 100_000, ""),
    "no papers": (b'{"format": "fieldguide-prior-1", "facets": {}}', "no 'papers'"),
    "papers in a list": (spoiled(papers=["a"]), ""),
    "a group without end": (spoiled(papers={"a": math.inf}), ""),
    "a group below nought": (spoiled(papers={"a": -9}), ""),
    "very many groups": (spoiled(papers={"a": 10**12}), "not 1000000000002 numbers"),
    "facets in a list": (spoiled(facets=[1]), ""),
    "a category in a list": (spoiled(facets={"kind": {"trial": []}}), ""),
    "no meaning": (spoiled(facets={"kind": {"trial": {"filed": {}}}}), "no 'meaning'"),
    "no intercept": (spoiled(category={"filed": {"whole:rye": [1.5]}}), "no 'intercept'"),
    "filed in a list": (spoiled(category={"filed": ["whole:rye"]}), ""),
    "too many numbers": (spoiled(filed={"whole:rye": [1, 2]}), "[1, 2], not 1 numbers"),
    "one number": (spoiled(filed={"whole:rye": 1}), "1, not 1 numbers"),
    "no number": (spoiled(filed={"whole:rye": [math.nan]}), "[nan], not 1 numbers"),
    "a word": (spoiled(filed={"whole:rye": ["much"]}), "could not convert string to float"),
    "a vast number": (spoiled(filed={"whole:rye": [10**400]}), ""),
    "nested": (spoiled(filed={"whole:rye": [[1]]}), "[[1]], not 1 numbers"),
}


@pytest.mark.parametrize(("content", "reason"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_told_with_a_cure(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(InputError) as error:
        read_again(tmp_path, content)
    message = str(error.value)
    assert re.match(r"prior\.json(:\d+)?: error: found a file that is no prior \(.", message)
    assert reason in message
    assert message.endswith(f"; wanted JSON of the format {FORMAT}. {CURE}")


def test_a_line_is_named_where_json_ends(tmp_path: Path) -> None:
    content = prior_bytes(small([1, 2])).replace(b'"papers": {', b'"papers": ')
    with pytest.raises(InputError, match=r"^prior\.json:\d+: error: "):
        read_again(tmp_path, content)


def test_who_named_the_file_goes_without_by_option(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"or go without: --prior none\.$"):
        read_prior(tmp_path, "prior.json", named=True)


def test_a_file_is_a_prior_or_not(tmp_path: Path) -> None:
    path = tmp_path / "prior.json"
    assert not is_prior(path)
    path.write_bytes(prior_bytes(small([1, 2])))
    assert is_prior(path)
    path.write_text('{"format": "mine"}', encoding="utf-8")
    assert not is_prior(path)


def test_a_folder_is_no_prior(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no prior"):
        read_prior(tmp_path, "prior.json")


@given(
    junk=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["papers", "facets", "kind", "meaning", "filed", "applies"]), inner
            )
        ),
    )
)
def test_any_json_is_read_or_told(tmp_path_factory: pytest.TempPathFactory, junk: object) -> None:
    folder = tmp_path_factory.mktemp("prior")
    for content in (
        junk,
        {"format": FORMAT, "papers": {}, "facets": junk},
        {"format": FORMAT, "papers": junk, "facets": {"kind": {"trial": junk}}},
    ):
        with suppress(InputError):
            assert prior_bytes(read_again(folder, json.dumps(content).encode()))


def test_the_shipped_prior_is_as_it_would_be_written(root: Path) -> None:
    path = root / "taxonomy" / "prior.json"
    assert prior_bytes(read_prior(path, "prior.json")) == path.read_bytes()
