"""The fields of a record: those in plain letters are read alike, with fewer looks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from classifier.corpus.paper import Source
from classifier.corpus.readers import fields
from classifier.corpus.readers.fields import READ, read_fields

PLACE = Source("papers/a.jsonl", "jsonl", 7)
TEXTS = st.text(max_size=12) | st.sampled_from(
    [
        "", " ", "On Frogs", "Caf\u00c3\u00a9", "Café", "n/a", "\ud800", "a\x00b", "et al.",
        "arxiv:2401.10230v2", "arxiv:2401.10230", "10.1000/182", "2024-02-30", "2024-02-29",
        "https://a.b/c", "ftp://a.b", "fieldguide:x", "digest", "p-0123456789",
    ]
)  # fmt: skip
VALUES = st.one_of(
    TEXTS,
    st.lists(TEXTS, max_size=3),
    st.lists(TEXTS | st.none(), max_size=2),
    st.dictionaries(TEXTS, TEXTS, max_size=2),
    st.sampled_from([None, True, 0, -1, 2024, 3_000_000, 1.5, (), {}, ("a", "b")]),
)


RECORDS = st.dictionaries(st.sampled_from(sorted(READ)), VALUES, max_size=6)
TITLED = st.builds(lambda record, title: {**record, "title": title}, RECORDS, TEXTS)


@given(RECORDS | TITLED)
def test_a_record_in_ascii_is_read_as_any_other(record: dict[str, object]) -> None:
    found = list(read_fields(record, PLACE))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fields, "_is_ascii", lambda given: False)
        assert found == list(read_fields(record, PLACE))
