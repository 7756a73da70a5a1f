"""Texts that were decoded in the wrong encoding somewhere on their way: “CafÃ©” for “Café”."""

from __future__ import annotations


def repaired(text: str) -> str:
    """Return `text` with what was decoded wrongly decoded rightly; most texts come back unchanged.

    By ftfy (Speer, “ftfy”, Zenodo 2019), which changes only what is hardly ever meant; nothing but
    the encoding is mended, so that quotes, widths and ligatures stay as they were read.

    >>> repaired("CafÃ© â€“ naÃ¯ve"), repaired("Café – naïve")
    ('Café – naïve', 'Café – naïve')
    """
    if text.isascii():
        return text
    import ftfy  # late: most files are all right
    from ftfy.badness import is_bad

    if not is_bad(text):
        return text
    fixed = ftfy.fix_encoding(text)
    # Half repaired is worse than as read: nobody sees any more what was there.
    return text if "�" in fixed and "�" not in text else fixed
