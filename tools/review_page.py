"""Compare the labels that the review page predicts in Chromium with those of the next build.

    python -m tools.review_page PROJECT [--answers 20] [--chromium /usr/bin/chromium]

Answers papers of a copy of the project in the page's order: every third paper goes to the likeliest
other category, the others are approved. Then applies the answers, trains anew, and compares where
the undecided papers are filed with where the page filed them. Prints the time per answer, too.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from classifier.commands.apply import apply_sheets
from classifier.commands.review_page import review_page
from classifier.learning import train_and_label
from classifier.project import Project
from classifier.survey.inputs import read_inputs

LEARNED = """() => Object.fromEntries(data.papers
  .filter((paper) => isUnanswered(paper) && !paper.decided)
  .map((paper) => [paper.id, [paper.newLabels.primary, waits(paper)]]))"""
PARTS = ("taxonomy", "papers", "templates")


def main() -> None:
    """Print the share of undecided papers that a build files as the page did."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", type=Path)
    parser.add_argument("--answers", type=int, default=20)
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        for part in PARTS:
            if (options.project / part).is_dir():
                shutil.copytree(options.project / part, root / part)
        project = Project(root)
        predicted, seconds = answer_in_browser(project, options.answers, options.chromium)
        apply_sheets(project, [root / "reviews.csv"])
        inputs = read_inputs(project)
        _, machine = train_and_label(inputs)
    first = inputs.taxonomy.first.id
    labels = {label.paper_id: label.facets[first] for label in machine}
    same = sum(labels[key].primary == primary for key, (primary, _) in predicted.items())
    waiting = sum(labels[key].status == "provisional" for key in predicted)
    page_waiting = sum(waits for _, waits in predicted.values())
    share = 100 * same / len(predicted)
    print(f"{same} of {len(predicted)} undecided papers filed as the page did ({share:.1f} %)")
    print(f"waiting: {page_waiting} on the page, {waiting} after the build")
    print(f"seconds per answer: {seconds:.2f}")


def answer_in_browser(
    project: Project, n_answers: int, chromium: str
) -> tuple[dict[str, tuple[str, bool]], float]:
    """Answer papers; return paper id -> (primary, whether it waits), and the seconds per answer."""
    path = project.root / "review.html"
    path.write_bytes(review_page(project, reviewer="ada").html())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(path.as_uri())
        started = time.monotonic()
        for number in range(n_answers):
            page.keyboard.press("1" if number % 3 == 2 else "o")
        page.locator("#counts").inner_text()
        seconds = (time.monotonic() - started) / n_answers
        with page.expect_download() as waiting:
            page.locator("#save").click()
        waiting.value.save_as(project.root / "reviews.csv")
        predicted = page.evaluate(LEARNED)
        browser.close()
    return predicted, seconds


if __name__ == "__main__":
    main()
