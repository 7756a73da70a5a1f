"""How files are labelled: what people may choose, and who labels then."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from classifier.errors import UsageError
from classifier.scale.processes import label_here, label_in_processes, usable_cores
from classifier.scale.run import CHUNK_SIZE, FEW, Engine

_NO_DISTRIBUTED = "Dask needs distributed: pip install 'fieldguide[scale]'."


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """How files are labelled; the labels are the same whatever `workers` and `chunk_size`.

    Raises UsageError for what is no engine.
    """

    reviews: Path | None = None
    """A ledger in place of the project's."""
    prior: str | None = None
    """A file in place of the project's, `none` for no prior."""
    workers: int | None = None
    """Processes; None for one of a short input, else as many as there are usable cores."""
    chunk_size: int = CHUNK_SIZE
    """Records that are labelled at a time."""
    engine: str = "processes"
    """Who labels: processes of this machine, or with `dask` a Dask cluster."""
    scheduler: str = ""
    """Address of the cluster's scheduler; "" for one of this machine, with `workers` workers."""

    def __post_init__(self) -> None:
        if self.engine not in ("processes", "dask"):
            raise UsageError(f"--engine {self.engine}: wanted processes or dask.")
        if self.scheduler and self.engine != "dask":
            raise UsageError("--scheduler is the address of a Dask cluster; add --engine dask.")

    def choose(self, records: int) -> Engine:
        """Return the engine for an input of so many records, or more."""
        workers = self.workers or usable_cores()
        if self.engine == "dask":
            from classifier.scale.cluster import label_on_cluster  # late: an extra

            return lambda task, chunks: label_on_cluster(task, chunks, workers, self.scheduler)
        if self.workers == 1 or (self.workers is None and (records < FEW or workers == 1)):
            return label_here
        return lambda task, chunks: label_in_processes(task, chunks, workers)

    def check_engine(self) -> None:
        """Raise UsageError at once where the engine that is asked for cannot label."""
        if self.engine == "dask":
            try:
                from classifier.scale.cluster import check_cluster  # late: an extra
            except ImportError as error:
                raise UsageError(_NO_DISTRIBUTED) from error
            check_cluster(self.scheduler)


AS_USUAL = LabelOptions()
"""What holds where nobody says otherwise."""
