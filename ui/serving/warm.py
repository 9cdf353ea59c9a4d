"""What the first visitor would wait for, done before he comes.

The first random numbers of a network alone make PyTorch import its compiler, for more than a
second in which no other session is served.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from lmcore import shipped
from lmcore.corpora.microworld import microworld
from ui import apart, executor, generation_scene, heavy, models, pretrained
from ui.serving.health import LOG, READY


def up() -> None:
    """Read the grammar and the models that come with the app."""
    with ThreadPoolExecutor(1, initializer=executor.settle_in) as beside:
        beside.submit(_read).result()


def later() -> threading.Thread:
    """The rest, while the first visitors may come already: a process for each core that computes
    apart, which knows the models that write, and the trigrams."""
    thread = threading.Thread(target=_later, name="warm", daemon=True)
    thread.start()
    return thread


def _later() -> None:
    executor.settle_in()
    many = heavy.executor().threads
    with ThreadPoolExecutor(many) as beside:
        asked = [beside.submit(apart.call, ready) for _ in range(many)]
        models.counted(generation_scene.TRIGRAM)
    for fault in filter(None, (process.exception() for process in asked)):
        if READY.open:  # a server that ends meanwhile ends its processes too
            LOG.warning("a process could not read the models that write", exc_info=fault)


def ready() -> None:
    """Read all that writes, for a process that computes apart; some take it seconds."""
    for name in generation_scene.OURS:
        if name not in shipped.SHIPPED or shipped.there(name):
            generation_scene.kept(name)


def _read() -> None:
    microworld()
    for name in shipped.SHIPPED:
        if not shipped.there(name):
            continue
        if name in pretrained.OWN:
            pretrained.load(name)
        if name != "encoder":
            models.network(name)
