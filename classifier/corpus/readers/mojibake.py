"""Texts that were decoded in the wrong encoding somewhere on their way: “CafÃ©” for “Café”."""

from __future__ import annotations

import re

# All that ftfy holds to be bad has one of these signs, or two letters beyond ASCII in a row. Single
# quotes and dashes, which most abstracts have, need no search of ftfy's, the slowest step of all.
_SUSPECT = re.compile(r"[\x80-\x9fÂÃŒœ]|[ВГРСΒΓΞΟ]-|[^\x00-\x7f]{2}")


def repaired(text: str) -> str:
    """Return `text` with what was decoded wrongly decoded rightly; most texts come back unchanged.

    By ftfy (Speer, “ftfy”, Zenodo 2019), which changes only what is hardly ever meant; nothing but
    the encoding is mended, so that quotes, widths and ligatures stay as they were read.

    >>> repaired("CafÃ© â€“ naÃ¯ve"), repaired("Café – naïve")
    ('Café – naïve', 'Café – naïve')
    """
    if text.isascii() or not _SUSPECT.search(text):
        return text
    import ftfy  # late: most files are all right
    from ftfy.badness import is_bad

    if not is_bad(text):
        return text
    fixed = ftfy.fix_encoding(text)
    # Half repaired is worse than as read: nobody sees any more what was there.
    return text if "�" in fixed and "�" not in text else fixed
