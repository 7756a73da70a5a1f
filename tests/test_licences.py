"""Each package that Fieldguide needs has a licence that is allowed."""

from __future__ import annotations

from tools.licences import dependencies, is_allowed


def test_each_licence_is_allowed() -> None:
    refused = {
        one.name: one.licence or "no licence"
        for one in dependencies().values()
        if not is_allowed(one.licence)
    }
    assert not refused
    assert not is_allowed("GPL-3.0-or-later")
