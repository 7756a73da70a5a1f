"""How files are labelled: what people may choose, and who labels then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from classifier.errors import UsageError
from classifier.files.meter import is_seen_everywhere
from classifier.scale.chunks import Source
from classifier.scale.processes import label_here, label_in_processes, usable_cores
from classifier.scale.run import CHUNK_SIZE, FEW, Engine

EngineName = Literal["processes", "dask"]

_NO_DISTRIBUTED = "Dask needs distributed: pip install 'fieldguide[scale]'."
_WORTH_PROCESSES = 10_000_000
"""Bytes of input from which on processes are likely to be started."""


@dataclass(frozen=True, slots=True)
class LabelOptions:
    """How files are labelled; the labels are the same whatever `workers` and `chunk_size`."""

    reviews: Path | None = None
    """A ledger in place of the project's."""
    prior: str | None = None
    """A file in place of the project's, `none` for no prior."""
    workers: int | None = None
    """Processes; None for one of a short input, else as many as there are usable cores."""
    chunk_size: int = CHUNK_SIZE
    """Records that are labelled at a time."""
    restart: bool = False
    """Whether finished parts of an earlier run are thrown away."""
    engine: EngineName = "processes"
    """Who labels: processes of this machine, or a Dask cluster."""
    scheduler: str = ""
    """Address of the cluster's scheduler; "" for one of this machine, with `workers` workers.
    From Python `client` is the Dask client that is open, whatever cluster that leads to."""


AS_USUAL = LabelOptions()
"""What holds where nobody says otherwise."""


def label_options(*, engine: str, scheduler: str, **options: Any) -> LabelOptions:
    """Return options as people give them; raises UsageError for what is no engine."""
    if engine not in ("processes", "dask"):
        raise UsageError(f"--engine {engine}: wanted processes or dask.")
    if scheduler and engine != "dask":
        raise UsageError("--scheduler is the address of a Dask cluster; add --engine dask.")
    return LabelOptions(**options, engine=cast(EngineName, engine), scheduler=scheduler)


def wants_processes(options: LabelOptions, size: int) -> bool:
    """Return whether processes are likely to be started for an input of so many bytes."""
    if options.engine != "processes" or options.workers == 1:
        return False
    return options.workers is not None or size > _WORTH_PROCESSES


def shares(options: LabelOptions) -> Callable[[Source], bool]:
    """Return what says whether workers can open a file themselves.

    Those of a cluster elsewhere are believed to see addresses, but no paths of this machine.
    """

    def is_shared(source: Source) -> bool:
        if options.engine != "dask":
            return False
        return is_seen_everywhere(source) if isinstance(source, str) else not options.scheduler

    return is_shared


def engine_of(options: LabelOptions) -> Callable[[int], Engine]:
    """Return what chooses the engine by the number of records."""

    def choose(records: int) -> Engine:
        if options.engine == "dask":
            return _cluster_engine(options.workers or usable_cores(), options.scheduler)
        workers = options.workers or (usable_cores() if records >= FEW else 1)
        if workers == 1:
            return label_here
        return lambda task, chunks: label_in_processes(task, chunks, workers)

    return choose


def check_engine(options: LabelOptions) -> None:
    """Raise UsageError at once where the engine that is asked for cannot label."""
    if options.engine == "dask":
        try:
            from classifier.scale.cluster import check_cluster  # late: an extra
        except ImportError as error:
            raise UsageError(_NO_DISTRIBUTED) from error
        check_cluster(options.scheduler)


def _cluster_engine(workers: int, scheduler: str) -> Engine:
    try:
        from classifier.scale.cluster import label_on_cluster  # late: an extra
    except ImportError as error:
        raise UsageError(_NO_DISTRIBUTED) from error
    return lambda task, chunks: label_on_cluster(task, chunks, workers, scheduler)
