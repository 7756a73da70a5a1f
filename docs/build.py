"""The documentation as a small site, of the same Markdown files that a code host shows.

    python docs/build.py OUT

Writes a page for each file of docs/ and for README, CHANGELOG, CONTRIBUTING and SECURITY, in the
style of the survey's own site; what pages link besides is copied. Links work from any folder and by
double-click. Needs what Fieldguide needs, and no network; the same files give the same bytes.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from jinja2 import Environment
from markdown import Markdown

from classifier.site.context import make_environment

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PAGES = [*sorted(DOCS.glob("*.md")), *(ROOT / f"{n}.md" for n in ("README", "CHANGELOG"))]
PAGES += [path for n in ("CONTRIBUTING", "SECURITY") if (path := ROOT / f"{n}.md").is_file()]
NAVIGATION = {
    "readme.html": "What it is",
    "tutorial.html": "Tutorial",
    "write-a-taxonomy.html": "Taxonomies",
    "review-labels.html": "Review",
    "labelling.html": "Labelling",
    "cli-reference.html": "Commands",
    "faq.html": "Questions",
}
STYLE = """
main.doc { padding-top: 2rem; }
.doc > :not(table, pre) { max-width: var(--measure); }
.doc pre { max-width: 60rem; }
.doc table { display: block; overflow-x: auto; max-width: 100%; width: max-content; }
.doc th, .doc td { min-width: 6ch; max-width: 34rem; vertical-align: top; }
.doc img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); }
.doc td img { min-width: 16rem; }
.doc code { overflow-wrap: anywhere; }
.doc pre code { overflow-wrap: normal; }
"""
TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; \
img-src 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{ title | e }} · Fieldguide</title>
<link rel="stylesheet" href="style.css">
<link rel="stylesheet" href="docs.css">
<link rel="icon" href="icon.svg">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="site">
<a class="name" href="index.html">Fieldguide: documentation</a>
<nav aria-label="Documentation">
{%- for page, name in navigation.items() %}
<a href="{{ page }}"{% if page == here %} aria-current="page"{% endif %}>{{ name }}</a>
{%- endfor %}
</nav>
</header>
<main id="content" class="doc">
{{ body }}
</main>
</body>
</html>
"""
_FENCE = re.compile(r"^```(\w*)[^\n]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_ADDRESS = re.compile(r'(?P<name>href|src)="(?P<path>[^"#:]+)(?P<rest>#[^"]*)?"')


def slug(heading: str, separator: str) -> str:
    """Return the anchor of a heading as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", separator)


def page_name(page: Path) -> str:
    """Return the file name of a page on the site."""
    return f"{page.stem.lower()}.html"


def html_of(page: Path, linked: set[Path]) -> tuple[str, str]:
    """Return the title and the body of a page; files that it links are added to `linked`."""
    parts = _CODE.split(page.read_text("utf-8"))
    text = "".join(part if part.startswith("```") else _COMMENT.sub("", part) for part in parts)
    reader = Markdown(
        extensions=["tables", "fenced_code", "toc", "sane_lists"],
        extension_configs={"toc": {"slugify": slug}, "tables": {"use_align_attribute": True}},
    )
    body = reader.convert(_FENCE.sub(r"```\1", text))

    def address(found: re.Match[str]) -> str:
        target = Path(os.path.normpath(page.parent / found["path"]))
        if target in PAGES:
            path = page_name(target)
        else:
            linked.add(target)
            path = f"files/{target.relative_to(ROOT).as_posix()}"
        return f'{found["name"]}="{path}{found["rest"] or ""}"'

    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    return (title[1] if title else page.stem), _ADDRESS.sub(address, body)


def write_site(out: Path) -> None:
    """Write the site into `out`, which is made; files of the same names are replaced."""
    template = Environment().from_string(TEMPLATE)  # bodies are our own Markdown
    out.mkdir(parents=True, exist_ok=True)
    linked: set[Path] = set()
    for page in PAGES:
        title, body = html_of(page, linked)
        here = page_name(page)
        text = template.render(title=title, body=body, navigation=NAVIGATION, here=here)
        (out / here).write_text(text, "utf-8", newline="\n")
    for path in sorted(linked):
        target = out / "files" / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    for name in ("style.css", "icon.svg"):
        text = make_environment([]).get_template(name).render()
        (out / name).write_text(text, "utf-8", newline="\n")
    (out / "docs.css").write_text(STYLE.lstrip(), "utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("python docs/build.py OUT")
    write_site(Path(sys.argv[1]))
    sys.stdout.write(f"{len(PAGES)} pages: {sys.argv[1]}/index.html\n")
