"""The browser of the tests reaches this machine alone, and the site asks for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("address", ["http://survey.example/", "http://192.0.2.1/"])
def test_neither_a_name_nor_an_address_is_reached(browser: Browser, address: str) -> None:
    page = browser.new_page()
    try:
        with pytest.raises(Exception, match="ERR_PROXY_CONNECTION_FAILED"):
            page.goto(address)
    finally:
        page.close()


def test_the_site_asks_this_machine_alone(browser: Browser, home: str) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    try:
        for name in ("index.html", "survey.html", "browse.html"):
            page.goto(home + name)
            page.wait_for_load_state("networkidle")
    finally:
        page.close()
    assert asked
    assert not [url for url in asked if not url.startswith(home)]
