"""The labels that would move were it not for the lock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from classifier.survey.changes.compare import label_moves
from classifier.survey.changes.move import Comparison, Move
from classifier.survey.changes.published import Publication, PublishedLabels, PublishedPaper


def held_moves(
    lock: Publication, kept: Publication, free: Publication, aliases: Mapping[str, str]
) -> tuple[Move, ...]:
    """Return every label that the lock keeps from moving, by paper, with the reason why it would.

    kept: the build with the lock; free: the same without it; aliases: other ids of papers -> id.
    """
    rows = {aliases.get(key, key): paper for key, paper in lock.papers.items()}
    pairs = [
        (replace(rows[key], labels=_with_locked_status(paper, rows[key])), free.papers[key])
        for key, paper in sorted(kept.papers.items())
        if key in rows
    ]
    facets = list(kept.taxonomy.facets) if kept.taxonomy else []
    return tuple(label_moves(Comparison(lock, kept.taxonomy), pairs, facets))


def _with_locked_status(
    paper: PublishedPaper, locked: PublishedPaper
) -> dict[str, PublishedLabels]:
    """Return the labels of a paper with the status that they had when they were locked.

    So a label that people had decided is seen to move because the decision was withdrawn.
    """
    return {
        name: replace(labels, status=locked.labels[name].status)
        if name in locked.labels
        else labels
        for name, labels in paper.labels.items()
    }
