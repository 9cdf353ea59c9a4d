"""Warms up the server, so that the first visitor does not wait.

Already the first random numbers of a network make PyTorch import its compiler, which takes more
than a second in which no other session is served.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from lmcore.corpora.microworld import microworld
from lmcore.shipped import models as shipped
from ui import compute, models, pretrained
from ui.server.health import LOG, READY


def warm_up() -> None:
    """Read the grammar and the models that come with the app."""
    with ThreadPoolExecutor(1, initializer=compute.mark_computation_thread) as beside:
        beside.submit(_read).result()


def warm_up_in_background(
    read_writers: Callable[[], None], context: int, first: Sequence[Callable[[], None]] = ()
) -> threading.Thread:
    """Do the rest while the first visitors may already come.

    These are the n-grams of `context`; a computing process for each core, which calls the
    module-level function `read_writers`; and the results that each of `first` computes and caches.
    Join the thread once the server is no longer ready: PyTorch must not compute while Python ends.
    """
    thread = threading.Thread(
        target=_later, args=(read_writers, context, first), name="warmup", daemon=True
    )
    thread.start()
    return thread


def _later(
    read_writers: Callable[[], None], context: int, first: Sequence[Callable[[], None]]
) -> None:
    compute.mark_computation_thread()
    many = compute.shared_executor().threads
    with ThreadPoolExecutor(many) as beside:
        asked = [beside.submit(compute.call_in_process, read_writers) for _ in range(many)]
        models.counted_ngram(context)
    for fault in filter(None, (process.exception() for process in asked)):
        if READY.open:  # a server that ends meanwhile ends its processes too
            LOG.warning("a process could not read the models that write", exc_info=fault)
    for compute_first in first:
        if not READY.open:
            return
        try:
            compute_first()
        except ValueError as fault:
            if READY.open:
                LOG.warning("what a page opens on could not be computed", exc_info=fault)


def _read() -> None:
    microworld()
    for name in shipped.SHIPPED:
        if not shipped.has_weights(name):
            continue
        if name in pretrained.OUR_MODELS:
            pretrained.load(name)
        if name not in ("encoder", "encoder_decoder"):
            models.shipped_network(name)
