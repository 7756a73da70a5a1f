"""The numbers of a sentence that count something: all but those that are left apart."""

from __future__ import annotations

import pytest

from classifier.site.exports.uncounted import Uncounted
from classifier.site.verify import NUMBER, number_digits
from classifier.taxonomy.model import Taxonomy

TAXONOMY = Taxonomy.model_validate(
    {
        "survey": {"title": "Numbers"},
        "facets": {
            "topic": {
                "kind": "multi",
                "categories": [{"id": "web", "name": "Web 2.0"}, {"id": "one", "name": "One shot"}],
            }
        },
        "lexicons": {"benchmarks": {"AIME 2024": [], "Nine questions": [], "2.0 [x] | 3*": []}},
    }
)

# sentence -> its numbers
READ = {
    "This holds two papers and 1,204 more.": "2 1204",
    "None of the 12 does; nine do.": "0 12 9",
    "It agrees on 78% (71% to 83%; 95% intervals): an F1 of 0.61.": "78 71 83 0.61",
    r"Three texts \[[12](#ref-12), [40](#ref-40) and 3 more\] name it.": "3",
    "*Eight Ways to Bake* builds “two ovens” with `GPT 4`.": "",
    "[Web 2.0](#web) (14) and one shot (3) name AIME 2024 and Nine Questions.": "14 3",
    "GPT-4, 8B, v2.0 and 2025-08 are names; 2025 is a year.": "2025",
    "They differ from one another, more than one by two or more papers.": "",
    r"Two name \[x\], [2.0 \[x\] \| 3\*](#x) and 2.0 \[x\] \| 3\*.": "2",
    r"A name with a\_7 mark, then 5.": "5",
    "[nine papers](browse.html?filed=web&year=2025)": "9",
}


@pytest.mark.parametrize(("text", "expected"), READ.items())
def test_numbers_of_a_sentence(text: str, expected: str) -> None:
    apart = Uncounted(TAXONOMY).spans(text)
    counted = [number_digits(m[0]) for m in NUMBER.finditer(text) if m.span() not in apart]
    assert " ".join(counted) == expected
