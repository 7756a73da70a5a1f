"""Four times the text takes about four times the time: no reader can be made to hang.

`python -m tests.fuzz.growth` tries every text in every place of a file.
"""

from __future__ import annotations

import pytest

from classifier.corpus.readers import Reader
from classifier.corpus.readers.registry import READERS
from classifier.files.content import text_content
from tests.fuzz.growth import FRAMES, filled, growth_fault

_BY_NAME = {reader.name: reader for reader in READERS}
_TEXTS = [reader for reader in READERS if reader.name in FRAMES]
_UNITS = (
    "{", "@a{", '"', "'", "<", "<a ", "<!--", "&", "|", "[", "[a](", "](", "(", "*", "`", "\\(",
    "\n", "\t", " ", "- [", "- [a](http://a.b/c)\n", "<details>", ";", ",", "TY  - \n", "AU  - \n",
    "AU  - A, B\n", "a ", "a", "1", "PMID- 1\n", '{"title": "A"}\n', '{"a":', "[[",
    "@a{b, title={A}}\n",
)  # fmt: skip
_SIZE = 20_000

_LIST = FRAMES["markdown"][0].removesuffix(" @@\n")

# Found by fuzzing: what is repeated, and where.
_FOUND = [
    ("endnote-xml", "<xml><records><record><titles><title>Bees @@</title></titles>", "<a"),
    ("ris", "TY  - JOUR\nTI  - Bees\nUR  - @@\nER  - \n", ";"),
    ("bibtex", "@article{bees,\n title = {Bees},\n year = 2024}\n@@", "@a{"),
    ("bibtex", "@article{bees,\n title = {Bees @@},\n year = 2024}\n", "\\("),
    ("csv", "Title,Authors,Abstract\nBees,@@,We bake.\n", "a"),
    ("csv", "Title,Authors,Abstract\nBees,['@@],We bake.\n", "\\'"),
    ("markdown", _LIST + "\n| Title | Authors |\n|---|---|\n| Bees @@ | |\n", "a\n"),
    ("markdown", _LIST + "\n| Title | Authors |\n|---|---|\n| Bees @@ | |\n", "[a"),
    ("markdown", _LIST + "\n| Title | Authors |\n|---|---|\n| Bees @@ | |\n", "A. "),
    ("markdown", _LIST + "\n- @@ [Paper](https://arxiv.org/abs/2403.00009)\n", " "),
    ("markdown", _LIST + " @@\n", "<!--"),
    ("markdown", _LIST + ' <a href="@@\n', "a"),
    ("markdown", _LIST + "\n- ![a](@@ [Paper](https://arxiv.org/abs/2403.00009)\n", " "),
    ("csv", "Title,Authors,Abstract\nBees,Ada@@One,We bake.\n", " "),
    ("csv", 'Title,Authors,Abstract\nBees,"Ada@@One",We bake.\n', "\n "),
    ("markdown", _LIST + " @@\n", " - ["),
    ("markdown", _LIST + "\n# Bread\n\nRye [[Paper](https://a.org/b.pdf)]\n@@", "a\n\n</p>\n\n"),
]  # fmt: skip


def test_every_format_that_is_text_has_an_example() -> None:
    assert {reader.name for reader in READERS} - set(FRAMES) == {"xlsx", "parquet"}


@pytest.mark.parametrize("reader", _TEXTS, ids=lambda reader: reader.name)
def test_the_examples_are_known(reader: Reader) -> None:
    for frame in FRAMES[reader.name]:
        content = text_content("example.txt", filled(frame, " ", 10))
        assert not reader.why_not(content)
        assert list(reader.read(content)) or reader.name == "daily-papers"


@pytest.mark.parametrize("reader", _TEXTS, ids=lambda reader: reader.name)
def test_time_grows_with_the_length(reader: Reader) -> None:
    frame = FRAMES[reader.name][0]
    faults = {unit: growth_fault(reader, frame, unit, _SIZE) for unit in _UNITS}
    assert {unit: fault for unit, fault in faults.items() if fault} == {}


@pytest.mark.parametrize(("name", "frame", "unit"), _FOUND)
def test_what_was_found(name: str, frame: str, unit: str) -> None:
    assert growth_fault(_BY_NAME[name], frame, unit, 40_000) == ""
