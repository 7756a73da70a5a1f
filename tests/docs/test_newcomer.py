"""What a newcomer types: the few commands of the README; `python -m tools.newcomer` runs them."""

from __future__ import annotations

from tools.newcomer import MOST_COMMANDS, commands


def test_a_newcomer_types_few_commands() -> None:
    assert commands()[0].startswith("git clone")
    assert commands()[-1] == "fieldguide build"
    assert len(commands()) <= MOST_COMMANDS
