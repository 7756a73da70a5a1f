"""The reserved ids are the names of columns and query keys."""

from classifier.review import columns
from classifier.survey import keys
from classifier.taxonomy import reserved


def test_every_column_is_reserved() -> None:
    assert columns.NAMES == reserved.COLUMNS


def test_every_key_is_reserved() -> None:
    assert keys.NAMES == reserved.QUERY_KEYS
    assert keys.PAGE_PARAMETERS == reserved.PAGE_KEYS
