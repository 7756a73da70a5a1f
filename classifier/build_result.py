"""What a build made, and what the person who started it is told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from classifier.errors import Fault
from classifier.learned import Learned
from classifier.papers.load import Corpus
from classifier.survey.changes.told import reasons_in_short, summary
from classifier.survey.inputs import Inputs, quarantine_faults
from classifier.survey.last_build import BuildReport
from classifier.survey.quality import border_line, waiting_line
from classifier.survey.survey import Survey


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build made, for the person who started it."""

    files: Mapping[str, bytes]
    """Relative path -> bytes, the manifest not included."""
    inputs: Inputs
    """What people wrote."""
    edition: Survey
    """The survey that was built."""
    learned: Learned
    """What the classifier said, before decisions and lock."""
    is_cached: bool = False
    """Whether nothing had to be learned: the labels of the last build still hold."""
    before: tuple[int, Mapping[str, Any]] | None = None
    """How many labels were confident at the build before, and its metrics."""
    removed: tuple[str, ...] = ()
    """Files of an earlier build that this one was not asked for: a workbook, a PDF."""

    @property
    def corpus(self) -> Corpus:
        """The papers as read and merged, those that the editors left out among them."""
        return self.inputs.corpus

    @property
    def warnings(self) -> tuple[Fault, ...]:
        """What is doubtful in the files that people wrote."""
        return self.inputs.warnings

    def fact(self, fact_id: str) -> int:
        """Return a counted fact of the edition; 0 for one that surveys of other kinds have."""
        value = self.edition.fact_values.get(fact_id, 0)
        assert isinstance(value, int)
        return value

    @property
    def report(self) -> BuildReport:
        """What the person who started the build is told."""
        changes, held = self.edition.changes, self.edition.held
        return BuildReport(
            papers=self.fact("papers.total"),
            reviewed=self.fact("papers.reviewed"),
            imported=self.fact("papers.imported"),
            confident=self.fact("papers.confident"),
            provisional=self.fact("papers.provisional"),
            waits=waiting_line(
                [each for each in self.edition.entries if each.first.status == "provisional"],
                self.learned.metrics,
                self.inputs.taxonomy.first.id,
            ),
            left_out=self.fact("papers.left_out"),
            title_only=self.fact("papers.title_only"),
            merged=self.corpus.merged,
            columns=tuple(filter(None, (file.columns_line() for file in self.corpus.files))),
            warnings=self.warnings,
            quarantined=quarantine_faults(self.corpus),
            held=(len(held), reasons_in_short(held) if held else ""),
            border=border_line(
                self.learned.metrics,
                self.inputs.taxonomy.first.id,
                self.fact("papers.confident"),
                self.before,
            ),
            changes=("", "") if changes is None else (changes.kind, summary(changes)),
        )
