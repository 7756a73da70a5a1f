"""Share of papers filed right with and without their keywords, by number of decisions.

    python -m tools.keywords FOLDER [--deals 5] [--counts 0,30,100]

FOLDER contains `taxonomy.yaml` and `texts.jsonl.gz`: one object per line with `id`, `title`,
`abstract`, `label` (a category of the taxonomy) and `keywords` (a list).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tools.first_hour import Field, curve, line, read_field
from tools.labelled import parser_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit code."""
    parser = parser_of("keywords", __doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=5, help="number of draws of papers")
    parser.add_argument("--counts", default="0,30,100", help="numbers of decisions")
    options = parser.parse_args(arguments)
    field = read_field(str(options.folder.resolve()))
    counts = [int(count) for count in options.counts.split(",")]
    have = sum(bool(paper.keywords) for paper in field.papers)
    print(f"{have} of {len(field.papers)} papers have keywords")
    print(f"{'':24}" + "".join(f"{count:>16}" for count in counts))
    for name, measured in (
        ("without", with_setting(field, False)),
        ("with", with_setting(field, True)),
    ):
        found = [curve(measured, deal, counts, "random", None) for deal in range(options.deals)]
        print(line(name, found), flush=True)
    return 0


def with_setting(field: Field, use_keywords: bool) -> Field:
    """Return the field with `use_keywords` set."""
    survey = field.taxonomy.survey.model_copy(update={"use_keywords": use_keywords})
    return replace(field, taxonomy=field.taxonomy.model_copy(update={"survey": survey}))


if __name__ == "__main__":
    sys.exit(main())
