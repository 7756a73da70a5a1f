"""Choices among many papers as an earlier build made them: pure functions of texts, long to find.

An edit of a claim or a template leaves nearly all of them as they were.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from classifier.files.json_text import compact_json
from classifier.files.manifest import digest
from classifier.files.memo import Memos, memo_key

_MEMO = "choices.json"


class Choices:
    """Choices of this build, each remembered under what it was made of."""

    def __init__(self, memos: Memos | None = None) -> None:
        """memos: of earlier builds; None remembers nothing."""
        content = memos.recall(_MEMO, memo_key([])) if memos else None
        self._kept: dict[str, Any] = {} if content is None else json.loads(content)
        self._made: dict[str, Any] = {}

    def made(self, name: str, made_of: object, choose: Callable[[], Any]) -> Any:
        """Return what `choose` returns, from the memo where an earlier build called it.

        name: of the rule by which is chosen. made_of: all that the choice is a function of; this
        and what is chosen are values that JSON gives back as they are.
        """
        key = digest(json.dumps([name, made_of]).encode())
        if key not in self._made:
            self._made[key] = self._kept[key] if key in self._kept else choose()
        return self._made[key]

    def keep(self, memos: Memos) -> None:
        """Keep the choices of this build, where they are not those of the last."""
        if self._made.keys() != self._kept.keys():
            memos.keep(_MEMO, memo_key([]), compact_json(self._made))
