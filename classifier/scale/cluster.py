"""An engine that labels chunks on a Dask cluster, on this computer or elsewhere.

A task is a pure function of its chunk, so the scheduler can give the task of a lost worker to
another worker. The model is sent as a plug-in, once to each worker, including workers that join
later.
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
from classifier.scale.tasks import LabelledChunks, LabelTask

_PLUGIN = "fieldguide"
_CHUNKS_AHEAD, _MIN_CHUNKS_AHEAD = 3, 8
"""Chunks that are submitted ahead, so that no worker waits for this process: the number per worker
thread, and the minimum number in total."""
_RETRIES = 2
"""Number of retries of a failed task."""
_CONNECT_SECONDS = 10
"""Timeout of the connection to the scheduler, in seconds."""
_MAX_SECONDS_WITHOUT_WORKER = 300.0
"""Maximum time without any worker; workers that are restarted return within minutes."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), 1)
_WORKER_SETTINGS = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
    # Replaces the environment that Dask sets, which makes allocating arrays slow.
    "distributed.nanny.pre-spawn-environ": _ONE_THREAD,
}
"""Settings of workers on this computer; Dask's defaults double the time of labelling."""


class TaskPlugin(WorkerPlugin):  # type: ignore[misc]
    """The task of every worker; it stays pickled until it reaches the worker."""

    def __init__(self, task: LabelTask) -> None:
        self._pickled = pickle.dumps(task)
        self.task: LabelTask | None = None

    def setup(self, worker: Worker) -> None:
        """Unpickle the task; Dask calls this once per worker."""
        self.task = pickle.loads(self._pickled)


def label_on_cluster(
    task: LabelTask, chunks: Iterator[Chunk], workers: int, scheduler: str = ""
) -> LabelledChunks:
    """Label chunks on a cluster.

    scheduler: address of the scheduler; "" for a cluster of `workers` processes on this computer.
    Raises UsageError if the scheduler does not answer or its workers cannot run the classifier.
    Raises WorkerError if the connection is lost, if there is no worker for minutes, or if a chunk
    ends every worker that gets it.
    """
    with _client(workers, scheduler) as client:
        client.register_plugin(TaskPlugin(task), _PLUGIN)
        submitted: deque[tuple[Chunk, Future[Part]]] = deque()
        for chunk in chunks:
            future = client.submit(_label, chunk, pure=False, retries=_RETRIES)
            submitted.append((chunk, future))
            n_threads = sum(client.nthreads().values())
            if len(submitted) > max(_MIN_CHUNKS_AHEAD, _CHUNKS_AHEAD * n_threads):
                yield _wait_for_first(client, submitted)
        while submitted:
            yield _wait_for_first(client, submitted)


def check_cluster(scheduler: str) -> None:
    """Raise UsageError if a scheduler does not answer, or its workers cannot run the classifier."""
    if scheduler:
        with _client(0, scheduler):
            pass


def _wait_for_first(
    client: Client, submitted: deque[tuple[Chunk, Future[Part]]]
) -> tuple[Chunk, Part]:
    """Remove and return the first chunk with its labels; raise WorkerError without workers."""
    chunk, future = submitted.popleft()
    while not future.done():
        try:
            wait(future, timeout=_MAX_SECONDS_WITHOUT_WORKER)
        except TimeoutError:
            if not client.nthreads():
                minutes = f"{_MAX_SECONDS_WITHOUT_WORKER / 60:.0f}"
                raise WorkerError(
                    f"The cluster has had no worker for {minutes} minutes. "
                    "Start workers and run the same command again."
                ) from None
    return chunk, future.result()


def _label(chunk: Chunk) -> Part:
    """Run the plug-in's task (called in a worker)."""
    plugin = get_worker().plugins[_PLUGIN]
    assert isinstance(plugin, TaskPlugin)
    assert plugin.task is not None
    return plugin.task(chunk)


def _version() -> str:
    """Return the version of Fieldguide (called in a worker)."""
    return classifier.__version__


@contextmanager
def _client(workers: int, scheduler: str) -> Iterator[Client]:
    """Yield a cluster client whose workers can run the classifier.

    A cluster that was started here is closed on exit.
    """
    if not scheduler:
        with (
            dask.config.set(_WORKER_SETTINGS),
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",
                silence_logs="ERROR",
            ) as cluster,
            Client(cluster, direct_to_workers=True) as client,
            _convert_errors(),
        ):
            yield client
        return
    try:
        client = Client(scheduler, timeout=_CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"{scheduler}: no scheduler answers at this address. --scheduler expects an address "
            "such as tcp://10.0.0.1:8786."
        ) from error
    with client, _convert_errors():
        _check(client)
        yield client


@contextmanager
def _convert_errors() -> Iterator[None]:
    """Convert errors of a lost cluster to WorkerError."""
    try:
        yield
    except FieldguideError:
        raise
    except KilledWorker as error:
        raise WorkerError(
            "One chunk crashed every worker that received it, perhaps because memory ran out. "
            "Give the workers more memory, or use smaller chunks (--chunk-size)."
        ) from error
    except (CommClosedError, OSError, TimeoutError) as error:
        raise WorkerError(
            "The connection to the cluster's scheduler was lost. Start the "
            "scheduler and run the command again."
        ) from error


def _check(client: Client) -> None:
    """Raise UsageError if a worker does not have Fieldguide, or has another version."""
    hint = f"Install fieldguide=={classifier.__version__} there, in the same environment."
    try:
        versions = client.run(_version)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"The workers of the cluster cannot label ({error}). {hint}") from error
    for address, version in sorted(versions.items()):
        if version != _version():
            raise UsageError(f"{address}: has fieldguide {version}. {hint}")
