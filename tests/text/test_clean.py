"""What is not the authors' own is taken off before anything reads an abstract."""

from __future__ import annotations

import pytest

from classifier.survey.paper_names import short_name
from classifier.text.clean import clean_abstract, clean_title
from classifier.text.normalise import title_id
from classifier.text.sentences import split_sentences

# as read -> as its authors wrote it
ABSTRACTS = {
    "Further research is needed. © 2019 Elsevier B.V": "Further research is needed.",
    "It worked. (c) 2012 APA, all rights reserved.": "It worked.",
    "It worked (n = 3). Copyright © 2020 The Authors.": "It worked (n = 3).",
    "It worked. 2023 The Author(s). Published by Elsevier Ltd.": "It worked.",
    "It worked. This article is protected by copyright. All rights reserved.": "It worked.",
    "It worked. (PsycINFO Database Record (c) 2016 APA)": "It worked.",
    "Abstract We review bread.": "We review bread.",
    "El pan sube.Alternate abstract:The bread of this study rises.": (
        "The bread of this study rises."
    ),
    "The ﬁrst loaf is of rye.": "The first loaf is of rye.",
    "ABSTRACT: We review bread.": "We review bread.",
    "Abstract interpretation is sound.": "Abstract interpretation is sound.",
    "Purpose The purpose of this paper is bread.": "Purpose: The purpose of this paper is bread.",
    "We asked adolescents.Recent FindingsWe searched.": (
        "We asked adolescents. Recent Findings: We searched."
    ),
    "We study copyright law and the sign ©. It matters.": (
        "We study copyright law and the sign ©. It matters."
    ),
    "It worked. (c) Lastly, we show that bread rises.": (
        "It worked. (c) Lastly, we show that bread rises."
    ),
    "It worked. ABSTRACT FROM AUTHOR]; Copyright of Bread is the property of Oven Inc.": (
        "It worked."
    ),
    "Abstract Aim Global change factors matter.": "Aim: Global change factors matter.",
    "It fell.ResultsBread rose.Conclusions: It does.": (
        "It fell. Results: Bread rose. Conclusions: It does."
    ),
    "OBJECTIVEThe role of bread is open.": "OBJECTIVE: The role of bread is open.",
    "": "",
}


@pytest.mark.parametrize(("read", "expected"), ABSTRACTS.items())
def test_an_abstract_is_its_authors_words(read: str, expected: str) -> None:
    assert clean_abstract(read) == expected


TITLES = {
    "Til Debt Do Us Part: Partners and Their Spouses.": (
        "Til Debt Do Us Part: Partners and Their Spouses"
    ),
    "[Psoas abscess].": "Psoas abscess",
    "[[Psoas abscess. Three cases].": "Psoas abscess. Three cases",
    "Joints welded twice; [Giunti di lega Mg].": "Joints welded twice",
    "Life in the U.S.": "Life in the U.S.",
    "What next...": "What next...",
}


@pytest.mark.parametrize(("read", "expected"), TITLES.items())
def test_a_title_has_no_full_stop(read: str, expected: str) -> None:
    assert clean_title(read) == expected


TEX = {
    r"at $350\,^\circ\mathrm{C}$": "at 350 °C",
    r"on Cu$(0\,0\,1)$": "on Cu(001)",
    r"$\{\}^\{63\}$Cu and $^{65}$Cu": "⁶³Cu and ⁶⁵Cu",
    r"Cu$_{2-\delta}$O, Cu$_{0.5}$Au$_{0.5}$": "Cu_(2-δ)O, Cu₀.₅Au₀.₅",
    r"$\mathrm{Cu}_2\mathrm{O}$ films": "Cu₂O films",
    r"$SL_2(\mathbb{Z})$ in $O(\sqrt{d})$": "SL₂(Z) in O(√d)",
    r"a $\times$46 faster oven, $x_{t+1}$": "a ×46 faster oven, xₜ₊₁",
    r"$R_{\rm A} = 1.28 \pm 0.04$": "R_A = 1.28 ±0.04",
    "on$backslash$n$backslash$nbread": "on bread",
    "from $5 to $7": "from $5 to $7",
    r"an accuracy of \mathbf8 6. 8 2 %, \mathbf9 3. 7 8 % precision": (
        "an accuracy of 86.82 %, 93.78 % precision"
    ),
    r"$\mathbf{8 6. 8 2 \%}$ of \mathbf6 0, 0 0 0 faces": "86.82 % of 60,000 faces",
    r"\mathbf{9 0. 8 \%} of \text0. 9 5 2 AUC, (\mathrmp<0.01), \mathbf3 12 cats": (
        "90.8 % of 0.952 AUC, (p<0.01), 3 12 cats"
    ),
    r"(\mathbfpłt0.05)": "(p<0.05)",
    "0.8 mA cm(-2), 4 x 10(-3) M(-1)s(-1), B(-), f(x)": "0.8 mA cm⁻², 4 x 10⁻³ M⁻¹s⁻¹, B(-), f(x)",
    r"$\unknown{x}$ stays": r"$\unknown{x}$ stays",
}


@pytest.mark.parametrize(("read", "expected"), TEX.items())
def test_tex_is_readable(read: str, expected: str) -> None:
    assert clean_title(read) == clean_abstract(read) == expected


def test_a_rule_for_tex_never_moves_an_id() -> None:
    """Ids hash titles by the rules that every edition has had."""
    assert title_id(r"Oxidation at $350\,^\circ\mathrm{C}$") == "p-7a75094300"


SENTENCES = {
    "A cohort of U.S. Marines. It grew.": ["A cohort of U.S. Marines.", "It grew."],
    "It needs vitamin D. We ask why.": ["It needs vitamin D.", "We ask why."],
    "Bread by J. A. Smith, Ph.D. Bakers.": ["Bread by J. A. Smith, Ph.D. Bakers."],
    "It fell in the U.S. We ask why.": ["It fell in the U.S.", "We ask why."],
    "See Smith et al. (2019), e.g. Table 1. Done.": [
        "See Smith et al. (2019), e.g. Table 1.",
        "Done.",
    ],
}


@pytest.mark.parametrize(("text", "expected"), SENTENCES.items())
def test_an_abbreviation_ends_no_sentence(text: str, expected: list[str]) -> None:
    assert [span.text for span in split_sentences(text)] == expected


NAMES = {
    "Review article: the gut and the brain": "Review article: the gut and the brain",
    "Commentary on Currie et al. (2017): on harm": "Commentary on Currie et al. (2017): on harm",
    "RETRACTED ARTICLE: Bread": "RETRACTED ARTICLE: Bread",
    "Case Report: A Man and His Dog": "Case Report: A Man and His Dog",
    "Online Gambling Addiction: The Relationship between Bets and Harm": (
        "Online Gambling Addiction: The Relationship between Bets and Harm"
    ),
    "WebArena: A Realistic Web": "WebArena",
    "Latent Jailbreak: A Benchmark": "Latent Jailbreak",
}


@pytest.mark.parametrize(("title", "expected"), NAMES.items())
def test_no_name_is_a_kind_of_text(title: str, expected: str) -> None:
    assert short_name(title) == expected
