"""Related papers as an earlier build found them, so that unchanged texts need not be compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from classifier.files.json_text import compact_json
from classifier.files.memo import Memos, memo_key
from classifier.survey.edition import Entry

_MEMO = "related.json"


def remembered_related(entries: Sequence[Entry], memos: Memos) -> Mapping[str, tuple[str, ...]]:
    """Return what `related_papers` returns, from the memos where an earlier build found it."""
    ids = [entry.paper.id for entry in entries]
    key = memo_key([ids, [entry.paper.text_digest for entry in entries]], "numpy")
    kept = memos.recall(_MEMO, key)
    if kept is not None:
        rows = json.loads(kept)
        return {own: tuple([ids[n] for n in row]) for own, row in zip(ids, rows, strict=True)}
    from classifier.survey.related import related_papers  # late: numpy, where texts are compared

    related = related_papers(entries)
    place = {own: number for number, own in enumerate(ids)}
    memos.keep(_MEMO, key, compact_json([[place[other] for other in related[own]] for own in ids]))
    return related
