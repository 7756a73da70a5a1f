"""How much of a survey's prose counts: `python -m tools.prose [OUT]`.

A sentence counts if it is computed (kind C); so does each caption of a table or figure. In the wide
sense a sentence counts too that only lists papers: of a join (kind T) fewer than six words stand
outside its links. The share is of all sentences and captions.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

_CAPTION = re.compile(r"^(?:<a id=\"[^\"]*\"></a>)?\*\*(?:Table|Figure) \d+\.\*\*", re.MULTILINE)
_LINK = re.compile(r"\[[^\[\]]*\]\([^()]*\)")
_WORD = re.compile(r"[A-Za-z]{2,}")
_FEW_WORDS = 6


def main() -> None:
    """Print the share of counting prose in the narrow and in the wide sense."""
    out = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
    if not (out / "sentences.jsonl").is_file():
        sys.exit(f"{out}: holds no survey; build one, or name its folder")
    lines = (out / "sentences.jsonl").read_text("utf-8").splitlines()
    sentences = [json.loads(line) for line in lines]
    captions = len(_CAPTION.findall((out / "survey.md").read_text("utf-8")))
    computed = sum(each["kind"] == "C" for each in sentences)
    listing = sum(each["kind"] == "T" and is_list(each["text"]) for each in sentences)
    every = len(sentences) + captions
    print(f"{len(sentences)} sentences and {captions} captions")
    print(
        f"narrow: {computed} computed and {captions} captions, {(computed + captions) / every:.1%}"
    )
    wide = computed + captions + listing
    print(f"wide: with {listing} that list papers, {wide / every:.1%}")


def is_list(text: str) -> bool:
    """Whether hardly more than links stands in a sentence."""
    return len(_WORD.findall(_LINK.sub("", text))) < _FEW_WORDS


if __name__ == "__main__":
    main()
