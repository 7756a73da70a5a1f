"""What nobody asked for between two builds: the alarms of a job that runs unattended.

Growth is no alarm, and neither is what people did. Each alarm has a limit, in its own unit, that is
still taken for usual; the defaults suit a survey of some hundred papers that grows by a few a day.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from classifier.errors import UsageError
from classifier.labelling.labels import DECIDED
from classifier.survey.changes.compare import Changes
from classifier.survey.changes.published import Publication
from classifier.text.links import escaped

AlarmName = Literal["papers", "sources", "decisions", "provisional", "flips", "unread"]

DEFAULT_LIMITS: Mapping[AlarmName, float] = {
    "papers": 0,
    "sources": 0,
    "decisions": 0,
    "provisional": 5,
    "flips": 5,
    "unread": 5,
}
"""Most papers lost, files that gave papers and give none, and reviewed papers whose decision does
not count any more; most points that the share of provisional labels may rise; most percent of the
labels shown as sure that may move by themselves; most records more that cannot be read."""

_LEAST = 3
"""So many flips, or provisional labels more, are no alarm, however few labels there are."""
_NAMED = 10
_LONGEST_TITLE = 90


@dataclass(frozen=True, slots=True)
class Alarm:
    """One limit that was passed."""

    name: AlarmName
    sentence: str
    """What happened, in numbers, without a full stop."""
    named: tuple[str, ...]
    """The papers or files of which it speaks."""

    def __str__(self) -> str:
        listed = "; ".join(self.named[:_NAMED])
        more = f"; and {len(self.named) - _NAMED} more" if len(self.named) > _NAMED else ""
        return f"{self.sentence}: {listed}{more}." if listed else f"{self.sentence}."


def parse_limits(told: Sequence[str]) -> dict[AlarmName, float]:
    """Return the limits with those of `--allow papers=3`; raises UsageError for another name."""
    limits = dict(DEFAULT_LIMITS)
    for each in told:
        name, _, text = each.partition("=")
        known = next((known for known in get_args(AlarmName) if known == name.strip()), None)
        if known is None:
            names = ", ".join(get_args(AlarmName))
            raise UsageError(f"--allow {each}: no alarm '{name}'; one of {names}.")
        try:
            limits[known] = float("inf" if text.strip() == "any" else text)
        except ValueError:
            limits[known] = -1
        if not limits[known] >= 0:
            raise UsageError(f"--allow {each}: '{text}' is no number from 0 up, and not 'any'.")
    return limits


def find_alarms(
    before: Publication,
    now: Publication,
    changes: Changes,
    limits: Mapping[AlarmName, float] = DEFAULT_LIMITS,
) -> list[Alarm]:
    """Return the limits that were passed from `before` to `now`, whose comparison is `changes`.

    What one side does not tell (an older version, a lock) raises no alarm.
    """
    # Papers that the editors left out, or that are part of another one, are not lost.
    lost = [paper for paper in changes.dropped if paper.id not in (now.excluded or {})]
    gave, give = (
        Counter(file for paper in side.papers.values() for file in paper.files)
        for side in (before, now)
    )
    silent = sorted(gave.keys() - give.keys()) if give else []
    undone = [m for m in changes.statuses if m.before in DECIDED and m.now not in DECIDED]
    found = (
        _lost(
            "papers",
            ("paper of the earlier build is gone", "papers of the earlier build are gone"),
            [_named(paper.id, paper.title) for paper in lost],
        ),
        _lost(
            "sources",
            ("file of papers gives none any more", "files of papers give none any more"),
            [f"{file} ({_are(gave[file], 'paper', 'papers')} before)" for file in silent],
        ),
        _lost(
            "decisions",
            (
                "paper was reviewed, and its decision does not count any more",
                "papers were reviewed, and their decisions do not count any more",
            ),
            [_named(move.id, move.title) for move in undone],
        ),
        _provisional(before, now, changes.first),
        _flips(before, changes),
        _unread(before, now),
    )
    return [alarm for alarm, size in found if size > limits[alarm.name]]


def _lost(name: AlarmName, said: tuple[str, str], named: Sequence[str]) -> tuple[Alarm, float]:
    return Alarm(name, _are(len(named), *said), tuple(named)), len(named)


def _provisional(before: Publication, now: Publication, first: str) -> tuple[Alarm, float]:
    known = [
        [p.labels[first].status for p in side.papers.values() if first in p.labels
         and p.labels[first].status]
        for side in (before, now)
    ]  # fmt: skip
    then, today = (statuses.count("provisional") for statuses in known)
    if not all(known) or today - then <= _LEAST:
        return Alarm("provisional", "", ()), 0
    shares = then / len(known[0]), today / len(known[1])
    rise = round(100 * (shares[1] - shares[0]), 1)
    was, is_now = (f"{100 * share:.0f} %" for share in shares)
    sentence = f"provisional labels went from {was} to {is_now}, by {rise:g} points"
    return Alarm("provisional", sentence, ()), rise


def _flips(before: Publication, changes: Changes) -> tuple[Alarm, float]:
    """Labels of the first facet that were shown as sure and moved though nobody decided it."""
    are_sure = ("confident", *DECIDED)
    first = changes.first
    labels = [paper.labels[first] for paper in before.papers.values() if first in paper.labels]
    sure = sum(each.status in are_sure for each in labels)
    moved = [
        (was.primary, move.now.primary if move.now else "nothing", move)
        for move in changes.relabelled
        if move.facet == first
        and move.reason != "human"
        and (was := move.before)
        and was.status in are_sure
        and was.primary != (move.now.primary if move.now else "")
    ]
    if not sure or len(moved) <= _LEAST:
        return Alarm("flips", "", ()), 0
    share = round(100 * len(moved) / sure, 1)
    sentence = f"{len(moved)} of {sure} labels shown as sure moved by themselves, {share:g} %"
    named = (f"{was} → {now}, {_named(move.paper_id, move.title)}" for was, now, move in moved)
    return Alarm("flips", sentence, tuple(named)), share


def _unread(before: Publication, now: Publication) -> tuple[Alarm, float]:
    if before.unread is None or now.unread is None:
        return Alarm("unread", "", ()), 0
    was, is_now = sum(before.unread.values()), sum(now.unread.values())
    grown = [file for file in sorted(now.unread) if now.unread[file] > before.unread.get(file, 0)]
    named = tuple(f"{file} ({now.unread[file]})" for file in grown)
    return Alarm("unread", f"{is_now} records cannot be read, {was} before", named), is_now - was


def _are(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _named(paper_id: str, title: str) -> str:
    text = " ".join(title.split())
    short = text if len(text) <= _LONGEST_TITLE else f"{text[: _LONGEST_TITLE - 1].rstrip()}…"
    return f"“{short}” ({paper_id})"


def alarms_markdown(alarms: Sequence[Alarm]) -> str:
    """Return the alarms as a list under a heading of their own; "" where there is none."""
    lines = [f"- **{alarm.name}**: {escaped(str(alarm))}" for alarm in alarms]
    return "\n".join(["## Alarms", "", *lines, ""]) + "\n" if lines else ""


def alarms_json(alarms: Sequence[Alarm]) -> list[dict[str, object]]:
    """Return the alarms as plain values, everything named."""
    return [asdict(alarm) for alarm in alarms]
