"""Ids that facets must not have, because a column or a query key has the same name; section ids.

The columns of the sheet are declared in `review/columns.py`, and the keys of facts and queries in
`survey/keys.py`. `tests/taxonomy/test_reserved.py` compares them with these lists.
"""

COLUMNS = frozenset(
    "id title year url status confidence primary topics why verdict review_primary review_topics "
    "exclude remark reviewer note abstract retracted drawn_by".split()
)
"""Columns of out/labels.csv and editorial actions."""
QUERY_KEYS = frozenset("filed code result key status year quarter month several text".split())
"""Keys by which facts and queries select papers."""
PAGE_KEYS = frozenset("q sort page".split())
"""Other parameters in an address of the browse page."""
RESERVED_FACET_IDS = COLUMNS | QUERY_KEYS | PAGE_KEYS
RESERVED_STARTS = ("review_", "col_")
SECTION_IDS = frozenset(
    "abstract introduction conclusion landmarks landscape taxonomy unsolved method references "
    "how-to-cite left-out reference-list sources found filed numbers content downloads".split()
)
"""Anchors of the survey's own sections, which no category of the first facet may have as its id."""
