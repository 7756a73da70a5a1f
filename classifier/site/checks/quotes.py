"""Whether what the survey quotes or retells stands in the paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from classifier.errors import Fault
from classifier.survey.quotation import balanced, says, unmarked
from classifier.text.clean import clean_abstract


def quote_faults(
    sentences: Sequence[Mapping[str, Any]], papers: Mapping[str, Mapping[str, Any]]
) -> Iterator[Fault]:
    """Yield quotes and paraphrases that are not what stands at their span of the paper's text.

    The text is the abstract or digest of papers.json as `clean_abstract` gives it; what else may
    differ is listed in `classifier.survey.quotation`.
    """
    for sentence in sentences:
        if sentence["kind"] not in "QP":
            continue
        paper = papers.get(sentence["source"].partition(": ")[2])
        if paper is None:
            wanted = "the id of a paper of papers.json"
            yield _fault(sentence, f"the source '{sentence['source']}'", wanted)
            continue
        span = sentence.get("span")
        text = clean_abstract(paper["abstract"])
        words = text[slice(*span)] if span else ""
        is_digest = paper["abstract_kind"] == "digest"
        if not words:
            yield _fault(sentence, "no span", f"where the text of {paper['id']} says it")
        elif is_digest != (sentence["kind"] == "P"):
            wanted = "P for a digest, Q for an abstract"
            yield _fault(sentence, f"kind {sentence['kind']}", wanted)
        elif not (_is_told(sentence["text"], words) if is_digest else _is_quoted(sentence, words)):
            yield _fault(sentence, f"“{sentence['text']}”", f"what {paper['id']} says, “{words}”")


def _is_told(text: str, words: str) -> bool:
    return says(text, words)


def _is_quoted(sentence: Mapping[str, Any], words: str) -> bool:
    """Say whether what stands in quotation marks is, letter by letter, what the paper says.

    But for a quotation mark without its fellow.
    """
    return f"“{' '.join(balanced(words).split())}”" in unmarked(sentence["text"])


def _fault(sentence: Mapping[str, Any], found: str, wanted: str) -> Fault:
    return Fault("error", "survey.md", None, f"sentence '{sentence['id']}': {found}", wanted)
