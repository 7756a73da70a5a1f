"""The header Retry-After (RFC 9110, section 10.2.3): seconds, or the date of a next try."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def seconds_to_wait(header: str | None, now: datetime) -> float | None:
    """Return how long a server asks to wait, 0 or more; None where it says nothing we understand.

    now: with its time zone.

    >>> seconds_to_wait("120", datetime(2026, 1, 1, tzinfo=UTC))
    120.0
    >>> seconds_to_wait("Thu, 01 Jan 2026 00:01:00 GMT", datetime(2026, 1, 1, tzinfo=UTC))
    60.0
    """
    text = (header or "").strip()
    if text.isascii() and text.isdecimal() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
