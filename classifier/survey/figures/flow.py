"""How records became papers, and who labelled those."""

from __future__ import annotations

from classifier.survey.document import Figure
from classifier.survey.facts.facts import Facts
from classifier.survey.survey import Survey
from classifier.survey.wording import counted, how_many, noun

KEPT, ASIDE, PART = "kept", "set aside", "of these"
"""What a step does with what it counts: goes on, goes no further, is a part of the last kept."""


def flow_figure(material: Survey) -> Figure | None:
    """Return the path from files to labelled papers; None where no record was read."""
    facts = material.facts
    if not facts.number("records.read"):
        return None
    total, reviewed = facts.number("papers.total"), facts.number("papers.reviewed")
    imported = "papers.imported" in facts.by_id
    by_people = "reviewed by a person"
    rows = (
        *_read(facts),
        *_kept(facts),
        (PART, by_people, facts.text("papers.reviewed")),
        *([(PART, "filed so by their source", facts.text("papers.imported"))] if imported else []),
        (PART, "labelled with confidence", facts.text("papers.confident")),
        (PART, "filed provisionally", facts.text("papers.provisional")),
    )
    read = counted(facts.number("records.read"), "record")
    became = f"{read} became {counted(total, 'paper')}"
    return Figure(
        "flow",
        "How did records become the papers of this survey, and who labelled them?",
        f"Flow chart: {became}, {how_many(reviewed)} of them {by_people}.",
        ("What happens to them", "Step", "Number"),
        rows,
        "flow",
    )


def _read(facts: Facts) -> list[tuple[str, str, str]]:
    """Return the steps from files to distinct papers."""
    read, distinct = facts.number("records.read"), facts.number("papers.distinct")
    return [
        (
            KEPT,
            noun(facts.number("files.read"), "file read", "files read"),
            facts.text("files.read"),
        ),
        (ASIDE, "records that could not be read", facts.text("records.quarantined")),
        (KEPT, "records read", str(read)),
        (ASIDE, "merged with another record", str(read - distinct)),
    ]


def _kept(facts: Facts) -> list[tuple[str, str, str]]:
    """Return the steps from distinct papers to those of the survey."""
    return [
        (KEPT, "distinct papers", facts.text("papers.distinct")),
        (ASIDE, "left out by the editors", facts.text("papers.left_out")),
        (KEPT, "papers in the survey", facts.text("papers.total")),
    ]
