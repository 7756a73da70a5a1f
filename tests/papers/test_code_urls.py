from __future__ import annotations

import pytest

from classifier.papers.clean import find_code_urls


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("See https://github.com/a/b.", ["https://github.com/a/b"]),
        ("See (http://www.github.com/a/b), or gitlab.com/c/d_e;", ["https://github.com/a/b", "https://gitlab.com/c/d_e"]),
        ("Data: https://huggingface.co/datasets/a/b-c}.", ["https://huggingface.co/datasets/a/b-c"]),
        ("Listed on https://huggingface.co/papers/2401.10230", []),
        ("On https://github.com and https://github.com/owner.", []),
        ("https://github.com/a/b twice: https://github.com/a/b", ["https://github.com/a/b"]),
    ],
)  # fmt: skip
def test_repositories_are_found_without_the_punctuation_around_them(
    text: str, urls: list[str]
) -> None:
    assert list(find_code_urls(text)) == urls
