from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from classifier.text.bulk.residue import displayed
from classifier.text.normalise import display

SIGNS = (
    *r"\$~{}^`->.%(): 13aAmx_", *"\n\t\x00\x7f\u200b\u00a0é²", "times", "sim", "approx",
    "rightarrow", r"\times", r"\text{a}", "``", "''", "--", "---", "http://a.b", "  ", "pp",
    " faster", "points",
)  # fmt: skip


@settings(max_examples=500)
@given(st.lists(st.lists(st.sampled_from(SIGNS)).map("".join), max_size=4))
def test_every_text_is_displayed_as_by_itself(texts: list[str]) -> None:
    assert displayed(texts) == [display(text) for text in texts]
