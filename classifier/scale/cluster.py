"""Chunks labelled by a Dask cluster: one of this machine, or any that has a scheduler.

Tasks are pure functions of a chunk and carry it with them, so the scheduler gives the task of a
lost worker to another one. The model is a plugin: every worker gets it once, whenever it comes.
"""

from __future__ import annotations

import asyncio
import gc
import pickle
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import dask
from distributed import (
    Client,
    Future,
    KilledWorker,
    LocalCluster,
    Security,
    Worker,
    WorkerPlugin,
    default_client,
    get_worker,
    wait,
)
from distributed.comm import connect
from distributed.comm.core import CommClosedError

import classifier
from classifier.errors import FieldguideError, UsageError, WorkerError
from classifier.files.built_folder import digest
from classifier.scale.chunks import Chunk
from classifier.scale.label_model import LabelTask
from classifier.scale.processes import Labelled

OPEN_CLIENT = "client"
"""In place of an address: the client that is open in this process."""

_AHEAD = 3
"""Chunks a thread that are handed out ahead, so that none of them waits for this process."""
_FEWEST_AHEAD = 8
_COUNTED_EVERY = 64
"""Chunks after which the threads are counted again: workers come and go."""
_RETRIES = 2
"""How often a task is done again that failed, as where a file could not be read for once."""
_PATIENCE = 10
"""Seconds in which a scheduler has to answer."""
_ASKED_EVERY = 15.0
"""Seconds after which it is asked, while a chunk is waited for, whether anybody is there."""
_ALONE_FOR = 20
"""How often in a row nobody may be there: workers that are restarted come back within minutes."""
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
        self.name = f"fieldguide-{digest(self._packed)}"
        self.task: LabelTask | None = None

    def setup(self, worker: Worker) -> None:
        """Unpack the task; called once a worker."""
        self.task = pickle.loads(self._packed)
        self._packed = b""
        gc.freeze()  # nothing of it is garbage


def label_on_cluster(
    task: LabelTask, chunks: Iterator[Chunk], workers: int, scheduler: str = ""
) -> Labelled:
    """Label chunks on a cluster.

    scheduler: its address, or `OPEN_CLIENT`; "" for a cluster of `workers` processes of this
    machine.
    Raises UsageError where there is no scheduler, or its workers cannot label; WorkerError where it
    is lost, where no worker is there for minutes, or one chunk after another costs a worker.
    """
    with _client(workers, scheduler) as client, _told():
        _check(client)
        shipped = ShippedTask(task)
        client.register_plugin(shipped, shipped.name)
        waiting: deque[tuple[Chunk, Future[bytes]]] = deque()
        ahead = 0
        for chunk in chunks:
            if chunk.number % _COUNTED_EVERY == 0 or not ahead:
                ahead = max(_FEWEST_AHEAD, _AHEAD * sum(client.nthreads().values()))
            labelled = client.submit(_label, chunk, shipped.name, pure=False, retries=_RETRIES)
            waiting.append((chunk, labelled))
            while len(waiting) > ahead:
                yield _first(client, waiting)
        while waiting:
            yield _first(client, waiting)


def check_cluster(scheduler: str) -> None:
    """Raise UsageError, as `label_on_cluster` does, where a cluster cannot label.

    scheduler: an address; a cluster of this machine ("") and `OPEN_CLIENT` need no check.
    """
    if scheduler and scheduler != OPEN_CLIENT:
        with _client(0, scheduler) as client, _told():
            _check(client)


def _first(client: Client, waiting: deque[tuple[Chunk, Future[bytes]]]) -> tuple[Chunk, bytes]:
    """Return the first chunk with its part; raises WorkerError where nobody comes to make it."""
    chunk, labelled = waiting.popleft()
    alone = 0
    while not labelled.done():
        try:
            wait(labelled, timeout=_ASKED_EVERY)
        except TimeoutError:
            alone = 0 if client.nthreads() else alone + 1
            if alone == _ALONE_FOR:
                raise WorkerError(
                    f"The cluster has had no worker for {alone * _ASKED_EVERY / 60:.0f} minutes. "
                    "Start some and run the same command again."
                ) from None
    return chunk, labelled.result()


def _label(chunk: Chunk, name: str) -> bytes:
    """Do the task of a plugin, in a worker."""
    shipped = get_worker().plugins[name]
    assert isinstance(shipped, ShippedTask)
    assert shipped.task is not None
    return shipped.task(chunk)


def _version() -> str:
    """Return which Fieldguide a worker has."""
    return classifier.__version__


@contextmanager
def _client(workers: int, scheduler: str) -> Iterator[Client]:
    """Give a client of a cluster, which ends with the block if it was started for it."""
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
        ):
            yield client
        return
    if scheduler == OPEN_CLIENT:
        yield default_client()
        return
    try:
        with ThreadPoolExecutor(1) as aside:  # a notebook has a loop of its own running
            aside.submit(asyncio.run, _ask(scheduler)).result()
        client = Client(scheduler, timeout=_PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"{scheduler}: no scheduler answers there; --scheduler wants an address such as "
            "tcp://10.0.0.1:8786."
        ) from error
    with client:
        yield client


async def _ask(scheduler: str) -> None:
    """Raise TimeoutError or OSError where no scheduler answers.

    Dask's own patience covers connecting, not what listens there and never says a word.
    """
    keys = Security().get_connection_args("client")
    comm = await asyncio.wait_for(connect(scheduler, timeout=_PATIENCE, **keys), _PATIENCE)
    await comm.close()


@contextmanager
def _told() -> Iterator[None]:
    """Turn what a cluster raises that is lost into words."""
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
    """Raise UsageError where workers have no Fieldguide, or another one than this."""
    cure = f"Install fieldguide=={classifier.__version__} there, in the same environment."
    try:
        versions = client.run(_version)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"The workers of the cluster cannot label ({error}). {cure}") from error
    others = {address: told for address, told in versions.items() if told != _version()}
    for address, told in sorted(others.items()):
        raise UsageError(f"{address}: has fieldguide {told}. {cure}")
