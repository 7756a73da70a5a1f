"""How heavy the search index is and how long an answer takes in Chromium.

    python -m tools.benchmarks.searching [--papers 5000]

Titles and abstracts are those of arXiv papers in `../shared`; authors are drawn from names in
`../shared`, labels from the shipped taxonomy, both by a hash of the paper's id. A query is timed in
the page: the answer alone, and until the browse page shows it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path

from classifier.labelling.labels import FacetLabels, PaperLabels
from classifier.papers.paper import Paper, Published
from classifier.project import Project
from classifier.site.render import render_site
from classifier.site.search_index import search_index
from classifier.survey.document import Document
from classifier.survey.entry import SurveyPaper
from classifier.survey.names import NameFinder
from classifier.survey.survey import Survey
from classifier.taxonomy.load import load_taxonomy
from classifier.taxonomy.model import Facet
from classifier.text.roles import roled_sentences

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
QUERIES = (
    "agent", "reinforcement learning", "benchmrk", "graph neural netwrok", "a", "segmentation of",
    "langauge modle reasonning", "xyzzyq", "wang", "diffusion image generation text", "swebench",
    "federated lerning privacy",
)  # fmt: skip
_PAGES = ("browse.html", "style.css")

_TIMED = """async (queries) => {
  const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
  const { engine } = await fieldguide.load();
  const clock = async (act) => {
    const begin = performance.now();
    await act();
    return performance.now() - begin;
  };
  const rows = [];
  for (const query of queries) {
    let found = null;
    const answers = [];
    for (let time = 0; time < 7; time += 1) {
      answers.push(await clock(async () => {
        found = engine.find(query);
      }));
    }
    rows.push([query, found.papers.length, answers[0], median(answers)]);
  }
  return rows;
}"""

_SHOWN = """(query) => new Promise((resolve) => {
  const begin = performance.now();
  const heading = document.querySelector("[data-part=heading]");
  const before = heading.textContent;
  const look = () => {
    if (heading.textContent === before) return setTimeout(look, 0);
    document.body.getBoundingClientRect();
    return resolve(performance.now() - begin);
  };
  history.replaceState(null, "", "?q=" + encodeURIComponent(query));
  window.dispatchEvent(new PopStateEvent("popstate"));
  look();
})"""


def large_survey(shared: Path, papers: int = 5000) -> Survey:
    """Return an edition of arXiv papers, each with drawn authors and labels."""
    taxonomy = load_taxonomy(Project(ROOT).taxonomy_file).taxonomy
    names = _names(shared)
    finder = NameFinder(taxonomy.lexicons, taxonomy.roles)
    with gzip.open(shared / "data" / "arxiv_20k.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in islice(lines, papers)]
    entries = []
    for number, record in enumerate(records, 1):
        paper = _paper(record, names)
        facets = {f.id: _labels(f, paper.id) for f in taxonomy.facets.values() if not f.applies_to}
        labels = PaperLabels(paper.id, facets)
        sentences = tuple(roled_sentences(paper.abstract_display))
        found = finder.find(f"{paper.title} . {paper.abstract}")
        entries.append(
            SurveyPaper(paper, labels, number, facets[taxonomy.first.id], sentences, found)
        )
    document = Document("Five thousand papers", "", (), "0" * 12, "", (), ())
    return Survey(taxonomy=taxonomy, entries=tuple(entries), document=document)


def _names(shared: Path) -> Sequence[str]:
    lines = (shared / "data" / "seed_facts.jsonl").read_text("utf-8").splitlines()
    return sorted({name for line in lines for name in json.loads(line).get("authors", ())})


def _drawn(paper_id: str, what: str, choices: int) -> int:
    digest = blake2b(f"{what} {paper_id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") % choices


def _paper(record: dict[str, str], names: Sequence[str]) -> Paper:
    key = record["id"]
    count = 1 + _drawn(key, "count", 9)
    month, day = 1 + _drawn(key, "month", 12), 1 + _drawn(key, "day", 28)
    return Paper(
        record["title"],
        id=key,
        abstract=record["abstract"],
        abstract_kind="abstract",
        authors=tuple(names[_drawn(key, f"author {i}", len(names))] for i in range(count)),
        published=Published(f"{record['year']}-{month:02}-{day:02}"),
    )


def _labels(facet: Facet, paper_id: str) -> FacetLabels:
    ids = [category.id for category in facet.categories if not category.replaced_by]
    several = 1 + (_drawn(paper_id, f"several {facet.id}", 2) if facet.kind == "multi" else 0)
    drawn = (ids[_drawn(paper_id, f"{facet.id} {i}", len(ids))] for i in range(several))
    chosen = tuple(dict.fromkeys(drawn))
    return FacetLabels(chosen, chosen[0], 0.8, "confident", {})


def weight(script: str) -> int:
    """Return the size of a script as a server sends it, in bytes."""
    return len(gzip.compress(script.encode("utf-8"), 9, mtime=0))


def main() -> None:
    """Print weight and times as Markdown."""
    parser = argparse.ArgumentParser(description="Weight and speed of the search.")
    parser.add_argument("--papers", type=int, default=5000)
    papers = parser.parse_args().papers
    survey = large_survey(SHARED, papers)
    print(f"search-index.js, {papers}: {weight(search_index(survey)) / 1000:.0f} KB gzip\n")
    with tempfile.TemporaryDirectory() as folder:
        _write(survey, Path(folder))
        _time(Path(folder))


def _write(survey: Survey, folder: Path) -> None:
    few = replace(survey, entries=survey.entries[:1], facts=None)
    for path, content in render_site(few).items():
        if path in _PAGES or path.endswith(".js"):
            (folder / path).write_bytes(content)
    (folder / "search-index.js").write_text(search_index(survey), "utf-8")


def _kilobytes(paths: Sequence[Path]) -> float:
    return sum(path.stat().st_size for path in {*paths} if path.is_file()) / 1000


def _time(folder: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page()
        loaded: list[Path] = []
        page.on("request", lambda request: loaded.append(folder / Path(request.url).name))
        page.goto((folder / "browse.html").as_uri())
        page.wait_for_selector("[data-part=papers] li")
        ready = page.evaluate("performance.now()")
        at_first = _kilobytes(loaded)
        rows = []
        for query in QUERIES:
            loaded.clear()
            [row] = page.evaluate(_TIMED, [query])
            rows.append([*row, page.evaluate(_SHOWN, query), _kilobytes(loaded)])
        browser.close()
    print(f"browse page shown with all papers after {ready:.0f} ms, {at_first:.0f} KB loaded\n")
    print(
        "| query | papers | first answer, ms | median of 7, ms | shown, ms | loaded, KB |\n"
        "|---|---:|---:|---:|---:|---:|"
    )
    for query, found, *times in rows:
        print(f"| {query} | {found} | " + " | ".join(f"{time:.1f}" for time in times) + " |")
    print(f"\nslowest answer {max(row[2] for row in rows):.1f} ms, "
          f"median {statistics.median(row[3] for row in rows):.1f} ms")  # fmt: skip


if __name__ == "__main__":
    main()
