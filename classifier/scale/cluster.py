"""Chunks labelled by a Dask cluster: one of this machine, or any that has a scheduler.

Tasks are pure functions of a chunk and carry it with them, so the scheduler gives the task of a
lost worker to another one. The model is a plugin: every worker gets it once, whenever it comes.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import dask
from distributed import (
    Client,
    Future,
    KilledWorker,
    LocalCluster,
    Worker,
    WorkerPlugin,
    get_worker,
    wait,
)
from distributed.comm.core import CommClosedError

import classifier
from classifier.errors import FieldguideError, UsageError, WorkerError
from classifier.scale.chunks import Chunk
from classifier.scale.joining import Part
from classifier.scale.run import Labelled, LabelTask

_PLUGIN = "fieldguide"
_AHEAD = 3
"""Chunks a thread that are handed out ahead, so that none of them waits for this process."""
_MIN_AHEAD = 8
_RETRIES = 2
"""Number of retries of a failed task."""
_CONNECT_SECONDS = 10
"""In which a scheduler has to answer."""
_ALONE_SECONDS = 300.0
"""How long no worker may be there: those that are restarted come back within minutes."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), 1)
_UNDISTURBED = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    # Besides these Dask has memory given back at once, which arrays then ask for anew.
    "distributed.nanny.pre-spawn-environ": _ONE_THREAD,
}
"""What workers of this machine do not do, since it doubles what labelling takes."""


class ShippedTask(WorkerPlugin):  # type: ignore[misc]
    """What a worker does with a chunk; it is unpacked where it arrives."""

    def __init__(self, task: LabelTask) -> None:
        self._packed = pickle.dumps(task)
        self.task: LabelTask | None = None

    def setup(self, worker: Worker) -> None:
        """Unpack the task; called once a worker."""
        self.task = pickle.loads(self._packed)


def label_on_cluster(
    task: LabelTask, chunks: Iterator[Chunk], workers: int, scheduler: str = ""
) -> Labelled:
    """Label chunks on a cluster.

    scheduler: its address; "" for a cluster of `workers` processes of this machine.
    Raises UsageError if there is no scheduler, or its workers cannot label; WorkerError where it
    is lost, where no worker is there for minutes, or one chunk after another costs a worker.
    """
    with _client(workers, scheduler) as client:
        client.register_plugin(ShippedTask(task), _PLUGIN)
        waiting: deque[tuple[Chunk, Future[Part]]] = deque()
        for chunk in chunks:
            labelled = client.submit(_label, chunk, pure=False, retries=_RETRIES)
            waiting.append((chunk, labelled))
            if len(waiting) > max(_MIN_AHEAD, _AHEAD * sum(client.nthreads().values())):
                yield _first(client, waiting)
        while waiting:
            yield _first(client, waiting)


def check_cluster(scheduler: str) -> None:
    """Raise UsageError, as `label_on_cluster` does, where a cluster elsewhere cannot label."""
    if scheduler:
        with _client(0, scheduler):
            pass


def _first(client: Client, waiting: deque[tuple[Chunk, Future[Part]]]) -> tuple[Chunk, Part]:
    """Return the first chunk with its part; raises WorkerError if nobody comes to make it."""
    chunk, labelled = waiting.popleft()
    while not labelled.done():
        try:
            wait(labelled, timeout=_ALONE_SECONDS)
        except TimeoutError:
            if not client.nthreads():
                raise WorkerError(
                    f"The cluster has had no worker for {_ALONE_SECONDS / 60:.0f} minutes. "
                    "Start some and run the same command again."
                ) from None
    return chunk, labelled.result()


def _label(chunk: Chunk) -> Part:
    """Do the task of the plugin, in a worker."""
    shipped = get_worker().plugins[_PLUGIN]
    assert isinstance(shipped, ShippedTask)
    assert shipped.task is not None
    return shipped.task(chunk)


def _version() -> str:
    """Return the version of Fieldguide of a worker."""
    return classifier.__version__


@contextmanager
def _client(workers: int, scheduler: str) -> Iterator[Client]:
    """Give a client of a cluster whose workers can label; what is started for it ends with it."""
    if not scheduler:
        with (
            dask.config.set(_UNDISTURBED),
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs="ERROR",
            ) as cluster,
            Client(cluster, direct_to_workers=True) as client,
            _in_words(),
        ):
            yield client
        return
    try:
        client = Client(scheduler, timeout=_CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"{scheduler}: no scheduler answers there; --scheduler wants an address such as "
            "tcp://10.0.0.1:8786."
        ) from error
    with client, _in_words():
        _check(client)
        yield client


@contextmanager
def _in_words() -> Iterator[None]:
    """Convert errors of a lost cluster into WorkerError."""
    try:
        yield
    except FieldguideError:
        raise
    except KilledWorker as error:
        raise WorkerError(
            "Every worker that was given a chunk ended by itself, perhaps for want of memory. Give "
            "workers more, or chunks fewer papers (--chunk-size)."
        ) from error
    except (CommClosedError, OSError, TimeoutError) as error:
        raise WorkerError("The scheduler of the cluster is lost.") from error


def _check(client: Client) -> None:
    """Raise UsageError if a worker lacks Fieldguide or has another version."""
    hint = f"Install fieldguide=={classifier.__version__} there, in the same environment."
    try:
        versions = client.run(_version)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"The workers of the cluster cannot label ({error}). {hint}") from error
    for address, version in sorted(versions.items()):
        if version != _version():
            raise UsageError(f"{address}: has fieldguide {version}. {hint}")
