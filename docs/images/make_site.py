"""Makes the pictures of the site: home, a category, a paper, browse and the survey.

python docs/images/make_site.py [OUT], where OUT is a folder that `fieldguide build` filled
(default: out/), with playwright, Pillow and Chromium installed. Light and dark, each at most 80 kB
as WebP. No test runs it; look at what it made.
"""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).resolve().parent
PAGES = {
    "home": "index.html",
    "category": "c/search-agents.html",
    "paper": "p/arxiv-2606.03951.html",
    "browse": "browse.html?filed=search-agents",
    "survey": "survey/search-agents.html",
}
SCHEMES = ("light", "dark")
WIDTH, HEIGHT = 1280, 800
MOST_BYTES = 80_000
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main() -> None:
    """Write site-NAME-SCHEME.webp beside this file."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[1] / "out"
    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        for name, page in PAGES.items():
            for scheme in SCHEMES:
                address = f"{out.resolve().as_uri()}/{page}"
                save(photograph(browser, address, scheme), HERE / f"site-{name}-{scheme}.webp")
        browser.close()


def photograph(browser: Browser, address: str, scheme: str) -> Image.Image:
    """Return what a screen of a laptop shows of a page."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(address)
    page.wait_for_load_state()
    picture = Image.open(io.BytesIO(page.screenshot()))
    context.close()
    return picture.convert("RGB")


def save(picture: Image.Image, path: Path) -> None:
    """Write a picture in the best quality that keeps it small."""
    for quality in (90, 80, 70, 60, 50, 40):
        content = io.BytesIO()
        picture.save(content, "WEBP", quality=quality, method=6)
        if content.tell() <= MOST_BYTES:
            break
    path.write_bytes(content.getvalue())


if __name__ == "__main__":
    main()
