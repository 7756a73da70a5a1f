"""Time grows with the length of a text: a fast tenth of `python -m tools.growth`."""

from __future__ import annotations

import pytest

from classifier.papers.reader import Reader
from classifier.site.markup import markdown_to_html
from tools import growth
from tools.growth import LONGEST, SIGNS, STEPS, build, growth_fault, seconds_of


@pytest.mark.parametrize("step", STEPS)
def test_a_step_takes_time_in_proportion(step: str) -> None:
    mine = list(STEPS).index(step)
    for sign in SIGNS[mine % 5 :: 5]:
        assert not growth_fault(STEPS[step], "@@", sign, 20_000), sign


@pytest.mark.parametrize("sign", ["<", "&lt;", "[", "$"])
def test_a_build_with_one_long_abstract_ends(sign: str) -> None:
    assert seconds_of(build, sign * (24_000 // len(sign))) < 5


@pytest.mark.parametrize("unit", ["a", "a\u0300", "Fig. 1. ", "the "])
def test_a_build_does_not_take_the_square_of_the_length(unit: str) -> None:
    """One word, one sentence of one word, and many short sentences with a number each."""
    assert seconds_of(build, unit * (100_000 // len(unit))) < LONGEST


def test_markdown_of_too_many_marks_is_printed_as_it_is() -> None:
    assert markdown_to_html("[" * 2_001 + "<") == f"<p>{'[' * 2_001}&lt;</p>"


def test_an_unknown_name_is_refused_and_a_plug_in_is_known(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plugin = Reader("toml", lambda content: "", lambda content: iter(()), "TOML")
    monkeypatch.setattr(growth, "all_readers", lambda: (plugin,))
    for name, code in (("tomll", 2), ("toml", 0)):
        monkeypatch.setattr("sys.argv", ["growth", name])
        with pytest.raises(SystemExit) as ended:
            growth.main()
        assert ended.value.code == code
    printed = capsys.readouterr()
    assert (printed.out, "unknown: tomll; expected abstract," in printed.err) == (
        "toml: done\n",
        True,
    )
