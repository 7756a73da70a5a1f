"""No text makes a reader hang: what once took the square of its length is read to its end.

`python -m tools.growth` tries every text in every place of a file and holds times against each
other; here only the limit of a test does, hundreds of times what reading takes.
"""

from __future__ import annotations

import pytest

from classifier.files.content import text_content
from classifier.papers.reader import Reader
from classifier.papers.readers import READERS
from tools.growth import filled, read_through

_BY_NAME = {reader.name: reader for reader in READERS}
_TEXTS = [reader for reader in READERS if reader.examples]
_UNITS = ("{", '"', "<a ", "<!--", "&", "|", "[a](", "(", "*", "\\(", "\n", " ", ";", "a ")
_SIZE = 30_000

_LIST = _BY_NAME["markdown"].examples[0].removesuffix(" @@\n")

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
    ("markdown", _LIST + "\n\n## Rye@@b\n", " "),
    ("markdown", _LIST + " @@\n", " - ["),
    ("markdown", _LIST + "\n# Bread\n\nRye [[Paper](https://a.org/b.pdf)]\n@@", "a\n\n</p>\n\n"),
]  # fmt: skip


def test_every_format_that_is_text_has_an_example() -> None:
    assert {reader.name for reader in READERS if not reader.examples} == {"xlsx", "parquet"}


@pytest.mark.parametrize("reader", _TEXTS, ids=lambda reader: reader.name)
def test_the_examples_are_known(reader: Reader) -> None:
    for example in reader.examples:
        content = text_content("example.txt", filled(example, " ", 10))
        assert not reader.reject_reason(content)
        assert list(reader.read(content)) or reader.name == "daily-papers"


@pytest.mark.timeout(120)
@pytest.mark.parametrize("reader", _TEXTS, ids=lambda reader: reader.name)
def test_what_is_repeated_is_read_to_its_end(reader: Reader) -> None:
    for unit in _UNITS:
        read_through(reader, filled(reader.examples[0], unit, _SIZE))


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("name", "frame", "unit"), _FOUND)
def test_what_was_found_is_read_to_its_end(name: str, frame: str, unit: str) -> None:
    read_through(_BY_NAME[name], filled(frame, unit, _SIZE))
