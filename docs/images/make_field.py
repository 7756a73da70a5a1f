"""Makes the pictures of docs/another-field.md, of the two surveys that the page makes.

python docs/images/make_field.py, with playwright, Pillow and Chromium installed and ../shared
beside the checkout. No test runs it; look at what it made: no sentence of an abstract may show.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WIDTH = 1280
PICTURES = {
    "field-stroke.png": ("stroke/out/index.html", 0, 910),
    "field-reading.png": ("reading/out/index.html", 0, 970),
}
"""Name -> the page, and from where to where it is shown, in pixels."""
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main() -> None:
    """Follow the page, then write its pictures beside this file."""
    sys.path.insert(0, str(ROOT))
    from tests.docs.page import page_blocks
    from tests.docs.reader import Reader

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        reader = Reader(Path(folder), {})
        for block in page_blocks(ROOT / "docs" / "another-field.md"):
            reader.follow(block)
        photograph(Path(folder))


def photograph(folder: Path) -> None:
    """Write the pictures of the surveys in `folder`."""
    executable = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": 800})
        for name, (address, top, bottom) in PICTURES.items():
            page.goto((folder / address).as_uri())
            picture = Image.open(io.BytesIO(page.screenshot(full_page=True)))
            shown = picture.crop((0, top, WIDTH, min(bottom, picture.height)))
            shown.convert("RGB").quantize(64).save(HERE / name, optimize=True)
        browser.close()


if __name__ == "__main__":
    main()
