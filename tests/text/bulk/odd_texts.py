"""Texts that meet every rule of reading, for comparing what is read in bulk with one by one."""

from __future__ import annotations

from hypothesis import strategies as st

from classifier.text.bulk.cue_finder import cue_finder

SIGNS = [*" .,;:!?()[]\"'’“”‘–—•-_/%$×+*&=<>#@|", ". ", "? ", ") ", "...", "--", "  "]
FOREIGN = list("éßñΔΣςτλαβπ²½ﬁ…ℓ日本語٣İıſKά°→ªᵃ가")
FIGURES = ["3", "53", "6", "1,000", "4.5", "10k", "3 x", "2x", "5 percent", "8 points", "H100"]
WORDS = """
we We introduce introduces propose Proposes present GPT Grid-Map a new framework to benchmark
this paper Paper our The authors is are proposed study stud review however Here In this work
limitations of future work open problems remain code Code data released open-source Open-sources
use fine-tuned carefully first then also without instead of rather than no need for don't doesn't
need require avoids the reliance on but which by using eliminating show that find discuss
challenges roadmap 500 tasks samples http https https://a.b/c?d=e. www e.g. i.e. et al. vs. Fig.
J. 53. agents' model's rock'n'roll results outperform accuracy large language models LLMs LLM
put forward take the position envision iPhone gaps To achieve this by training th
""".split()
PHRASES = [
    "We propose GridMap, a new framework for 500 tasks.",
    "Here we show that it wins 3% without any reward model, by imitation.",
    "Code is available at https://bread.example/a. We also openly release data.",
    "a large language model (LLM) and LLMs",
    "BACKGROUND: Bread dries. METHODS: We asked. CONCLUSION: It does.",
    "The aim of this study was to ask why. Methods Data were taken. Results A fifth.",
    "It does not need labels; we discuss limitations and open challenges.",
]


def texts() -> st.SearchStrategy[str]:
    """Return texts of words, phrases and signs in any order."""
    spoken = sorted(cue_finder().phrases.words)
    words = st.one_of(
        st.sampled_from(WORDS), st.sampled_from(spoken), st.sampled_from(FIGURES)
    ).flatmap(lambda word: st.sampled_from([word, word, f"{word} ", word.title(), word.upper()]))
    parts = st.one_of(
        words.map(lambda word: f"{word} "),
        words,
        st.sampled_from(PHRASES).map(lambda phrase: f"{phrase} "),
        st.sampled_from(SIGNS),
        st.sampled_from(FOREIGN),
    )
    return st.lists(parts, max_size=40).map("".join)
