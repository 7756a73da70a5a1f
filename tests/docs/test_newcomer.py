"""What a newcomer types: the few commands of the README; `python -m tools.newcomer` runs them."""

from __future__ import annotations

import re

from tools.newcomer import MOST_COMMANDS, MOST_MINUTES, PAGE, commands


def test_a_newcomer_types_few_commands() -> None:
    assert commands()[0].startswith("git clone")
    assert commands()[-1] == "fieldguide build"
    assert len(commands()) <= MOST_COMMANDS


def test_the_transcript_is_of_these_commands_and_quick() -> None:
    text = PAGE.read_text("utf-8")
    typed = re.findall(r"^\$ (.+)$", text, re.MULTILINE)
    assert typed == [command.replace("CLONE", "ADDRESS") for command in commands()]
    assert sum(map(int, re.findall(r"^\[(\d+) s\]$", text, re.MULTILINE))) <= 60 * MOST_MINUTES
