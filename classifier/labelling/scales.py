"""How far each kind of column of the design matrix is trusted.

A kind is what the name of a column begins with, as `title` in `title:agent`. TF-IDF rows have
length one before they are scaled: under an L2 penalty twice the scale is twice the trust. After a
change here nothing else need change: a prior goes on as it was learned, its weights converted as
it is read. Made again with `fieldguide prior` it learns under the new scales.
"""

from __future__ import annotations

SCALES = {
    "title": 0.5,
    "text": 1.0,
    "cue": 0.5,
    "vote": 0.25,
    "share": 1.0,
    # What another facet sees of the votes of the first one: what a paper is about says something
    # about its kind.
    "first-vote": 0.125,
    "first-share": 0.5,
}
"""Kind of column -> its scale."""
