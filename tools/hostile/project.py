"""All hostile records, texts and acts as one project, and the commands that are run on it."""

from __future__ import annotations

import csv
import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from typer.testing import CliRunner

from classifier.cli.commands import app
from classifier.review.ledger import COLUMNS
from classifier.taxonomy.document import parse_document
from tools.hostile.cases import Case

BREAD = Path(__file__).resolve().parents[2] / "tests" / "golden" / "project"
CANARY = "__pwned"
ABSTRACT = "We propose a sourdough method. It wins 12% on the Rapeseed test. Code is available."


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command did."""

    code: int
    output: str
    """Standard output and standard error, as a terminal would get them."""
    traceback: str
    """What it raised and did not catch, "" where all is well."""


def run(*words: str) -> Ran:
    """Run the command line."""
    result = CliRunner().invoke(app, list(words))
    stray = result.exception if not isinstance(result.exception, SystemExit) else None
    return Ran(result.exit_code, result.output, repr(stray) if stray else "")


def word_of(case: Case) -> str:
    """Return a word that no other case has: titles stay apart, and a cue finds its paper."""
    return "w" + hashlib.blake2b(case.name.encode(), digest_size=10).hexdigest()


def record_line(case: Case) -> str:
    """Return the line of a record; without title or abstract it is given harmless ones."""
    text = case.input
    if not text.startswith("{"):
        return text
    start = text[:4000]
    given = {} if '"title"' in start else {"title": f"Sourdough {word_of(case)}"}
    given |= {} if '"abstract"' in start else {"abstract": ABSTRACT}
    return "{" + "".join(f"{json.dumps(k)}: {json.dumps(v)}, " for k, v in given.items()) + text[1:]


def record_file(number: int) -> str:
    """Return the file of the record of a case, from 0: one each, so that a warning names it."""
    return f"papers/{number:03}.jsonl"


def write_records(folder: Path, cases: Sequence[Case]) -> None:
    """Write each record into a file of its own."""
    (folder / "papers").mkdir(parents=True, exist_ok=True)
    for number, case in enumerate(cases):
        (folder / record_file(number)).write_text(record_line(case) + "\n", encoding="utf-8")


def write_texts(folder: Path, cases: Sequence[Case]) -> dict[str, Case]:
    """Write the golden taxonomy with all texts, their papers and acts; return id -> case.

    Each category has a paper of its own, decided by hand, and each act one, too.
    """
    text = (BREAD / "taxonomy" / "taxonomy.yaml").read_text("utf-8")
    taxonomy: dict[str, Any] = parse_document(text, "taxonomy.yaml")[0].value()
    topic, owners = taxonomy["facets"]["topic"], {}
    papers: list[dict[str, str]] = []
    acts: list[dict[str, str]] = []
    for number, case in enumerate(cases):
        given, identity = json.loads(case.input), f"case-{number}"
        owners[identity] = case
        paper = {"id": f"p-{number:010x}", "title": f"Of {word_of(case)}", "abstract": ABSTRACT}
        if "category" in given:
            topic["categories"].append(_category(given["category"], identity, case))
            papers.append(paper)
            acts.append(_act(paper, "topic", identity, "ada"))
        elif "act" in given:
            papers.append(paper)
            acts.append(_act(paper, *given["act"]))
        else:
            _lay_in(taxonomy, given)
    (folder / "taxonomy").mkdir(parents=True, exist_ok=True)
    (folder / "papers").mkdir(exist_ok=True)
    with (folder / "taxonomy" / "taxonomy.yaml").open("w", encoding="utf-8") as file:
        yaml.safe_dump(taxonomy, file, allow_unicode=True, sort_keys=False)
    with (folder / "taxonomy" / "reviews.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(acts)
    lines = "".join(json.dumps(paper) + "\n" for paper in papers)
    (folder / "papers" / "texts.jsonl").write_text(lines, encoding="utf-8")
    return owners


def _category(given: Mapping[str, Any], identity: str, case: Case) -> dict[str, Any]:
    text = json.dumps(given).replace("CASE/", f"{identity}/")
    harmless = {"id": identity, "name": identity, "definition": "A case."}
    category = harmless | json.loads(text)
    category["cues"] = {"title": [word_of(case)]} | category.get("cues", {})
    return category


def _act(paper: Mapping[str, str], facet: str, value: str, reviewer: str) -> dict[str, str]:
    return {
        **dict.fromkeys(COLUMNS, ""),
        "id": paper["id"],
        "title": paper["title"],
        "facet": facet,
        "value": value,
        "reviewer": reviewer,
        "reviewed_on": "2025-06-01",
    }


def _lay_in(taxonomy: dict[str, Any], given: Mapping[str, Any]) -> None:
    """Lay texts of the survey, of its first facet or of a lexicon in."""
    for key, value in given.get("survey", {}).items():
        before = taxonomy["survey"].get(key, "")
        taxonomy["survey"][key] = value if isinstance(value, list) else f"{before}\n\n{value}"
    taxonomy["facets"]["topic"].update(given.get("facet", {}))
    taxonomy["lexicons"]["benchmarks"].update(given.get("lexicon", {}))


def fingerprint(folder: Path) -> dict[str, str]:
    """Return path -> digest of every file below a folder, but for what a build writes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {"out", ".fieldguide"} & {*path.relative_to(folder).parts}
    }


def built_files(out: Path) -> dict[str, bytes]:
    """Return path -> bytes of what a build published."""
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file()
    }


def copy_bread(folder: Path) -> Path:
    """Return a copy of the golden project."""
    shutil.copytree(BREAD, folder)
    return folder
