from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.text.normalise import (
    REPAIR_RULES,
    TYPESETTING_RULES,
    format_for_display,
    title_id,
    title_key,
    tokens,
)


@pytest.mark.parametrize(
    ("read", "shown"),
    [
        (r"wins 62\% (53. 6\%)", "wins 62% (53.6%)"),
        ("4.5times faster, a 235 times larger oven", "4.5× faster, a 235× larger oven"),
        ("three times larger", "three times larger"),
        ("it rose five times over the week", "it rose five times over the week"),
        ("12%rightarrow34%", "12%→34%"),
        ("simulated on approx 11K loaves", "simulated on ≈11K loaves"),
        (r"R$^3$L and R^3L", "R³L and R³L"),
        ("2.1\ufffdeV at 200\ufffd\ufffdC", "2.1 eV at 200 °C"),
        ("a 5\ufffd6 loaf\ufffds", "a 5\ufffd6 loaf\ufffds"),
        ("τ^2-bench, pass^k", "τ²-bench, pass^k"),
        (r"a cost of \$0.70", "a cost of $0.70"),
        (r"(\0.08 per loaf)", "($0.08 per loaf)"),
        ("costs $5 and $7", "costs $5 and $7"),
        (r"ovens vs.\ fires", "ovens vs. fires"),
        ("1)~an oven, at ~13 degrees", "1) an oven, at ~13 degrees"),
        ("bread -- of rye -- rises 3--6%", "bread – of rye – rises 3–6%"),
        ("baker--customer talk", "baker–customer talk"),
        (r"\textbf{Rye}: \href{https://a.b}{home} \url{https://c.d/e}", "Rye: home https://c.d/e"),
        ("see https://a.b/c{Home}}. End", "see https://a.b/c. End"),
        (r"we bake \ryeloaf daily", "we bake ryeloaf daily"),
        ("a ``silent failure''", "a “silent failure”"),
        ("soft\u00adhyphen \x00and\n blanks ", "softhyphen and blanks"),
        ("https://a.b/x_y_z", "https://a.b/x_y_z"),
    ],
)
def test_residue_of_latex_is_resolved_for_people(read: str, shown: str) -> None:
    assert format_for_display(read) == shown


SIGNS = (*r"\$~{}^`->.%():' 13aA", "times", "sim", "approx", "rightarrow", "\n", "\t")


@given(st.lists(st.sampled_from(SIGNS)).map("".join))
def test_a_text_without_residue_is_passed_over_and_no_other(text: str) -> None:
    by_every_rule = text
    for rules in (TYPESETTING_RULES, REPAIR_RULES, TYPESETTING_RULES):
        for _, pattern, replacement in rules:
            by_every_rule = pattern.sub(replacement, by_every_rule)
        by_every_rule = " ".join(by_every_rule.split())
    assert format_for_display(text) == by_every_rule


def test_chinese_characters_are_words_of_their_own() -> None:
    assert tokens("GRPO 强化学习") == ["grpo", "强", "化", "学", "习"]
    assert tokens("Die Bäckerei lernt") == ["die", "bäckerei", "lernt"]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("SWE-bench: Can Models?", "swe bench — can models"),
        ("R$^3$L: Retry", "R^3L: Retry"),
        ("Ｆｕｌｌ width", "Full Width"),
        ("Straße", "STRASSE"),
        ("Caf\u00e9", "Cafe\u0301"),
    ],
)
def test_spellings_of_one_title_have_one_key(one: str, two: str) -> None:
    assert title_key(one) == title_key(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [("GPT-4", "GPT-4.5"), ("???", "!!!"), ("😀", "🤖"), ("नि", "ना"), ("面包", "草坪")],
)
def test_other_titles_have_other_keys(one: str, two: str) -> None:
    assert title_key(one) != title_key(two)


def test_the_id_of_a_title_is_a_prefix_and_ten_hex_digits() -> None:
    assert title_id("Baking: A Study") == title_id("baking a study") == "p-31c9f9fea5"


@given(st.text())
def test_any_text_has_a_display_form_on_one_line(text: str) -> None:
    assert format_for_display(text).isprintable()
    assert bool(title_key(text)) == bool(format_for_display(text))


@given(st.text())
def test_tokens_are_lower_case_and_without_blanks(text: str) -> None:
    assert all(
        token == token.lower() and not any(map(str.isspace, token)) for token in tokens(text)
    )
