"""In which encoding a text is: marks, zero bytes, UTF-8, else what its bytes look like."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import NamedTuple

from classifier.errors import Fault
from classifier.files.signature import utf_16_order

MIXED = "fieldguide-mixed"
"""The error handler by which a byte that is no UTF-8 is read as Windows-1252."""

MARKS = (  # the longer first: a mark of UTF-32 begins as one of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# What bibliographies come in besides UTF-8 and Windows-1252: Chinese, Japanese, Korean, Cyrillic.
_LEGACY = ["gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251"]
_SAMPLE = 2**16
# Letters beyond ASCII that a sample needs before another encoding than Windows-1252 is believed.
_FEWEST = 64
# Share of those letters that are UTF-8, from which a text is UTF-8 with some bytes of another.
_MOSTLY = 0.75
_MOST_CHAOS = 0.2  # the default of charset-normalizer


class Encoding(NamedTuple):
    """How the bytes of a text become characters."""

    name: str
    errors: str
    faults: tuple[Fault, ...]
    """Warnings: that the bytes are no UTF-8, and what they were taken for."""


def find_encoding(blocks: Iterable[bytes], shown: str) -> Encoding:
    """Return the encoding of a text given in blocks; of a file in UTF-8 all of it is looked at.

    Bytes that are no UTF-8 in a text that mostly is are read as Windows-1252, one by one.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    lines, sample, broken = 1, b"", None
    for number, block in enumerate(blocks):
        if number == 0:
            for mark, name in MARKS:
                if block.startswith(mark):
                    return Encoding(name, "replace", ())
            if order := utf_16_order(block[:4096]):
                return Encoding(order, "replace", ())
        try:
            decoder.decode(block)
        except UnicodeDecodeError as error:
            broken = error.object[error.start], lines + error.object.count(b"\n", 0, error.start)
            sample = block
            break
        lines += block.count(b"\n")
    if broken is None:
        return Encoding("utf-8", MIXED, ())
    byte, line = broken
    name, title = _legacy(sample)
    found, wanted = f"byte 0x{byte:02x}", "UTF-8 text"
    cure = f"It is read as {title}; save the file as UTF-8 if letters look wrong."
    return Encoding(name, MIXED, (Fault("warning", shown, line, found, wanted, cure),))


def _legacy(sample: bytes) -> tuple[str, str]:
    """Return the encoding of a text that is no UTF-8, and its name for people."""
    mixed = "utf-8", "Windows-1252"
    beyond = bytes(byte for byte in sample if byte >= 0x80)
    valid = sum(len(sign.encode()) for sign in sample.decode("utf-8", "ignore") if sign >= "\x80")
    if len(beyond) < _FEWEST or valid > _MOSTLY * len(beyond):
        return mixed
    import charset_normalizer  # late: few files need it

    found = charset_normalizer.from_bytes(
        sample[:_SAMPLE], cp_isolation=[*_LEGACY, "cp1252"], threshold=_MOST_CHAOS
    ).best()
    if found is None or found.encoding == "cp1252":
        return mixed
    return found.encoding, found.encoding


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    byte = error.object[error.start : error.start + 1]
    # Five bytes mean nothing in Windows-1252.
    return byte.decode("cp1252", "replace"), error.start + 1


codecs.register_error(MIXED, _as_windows_1252)
