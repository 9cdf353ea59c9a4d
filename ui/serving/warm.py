"""What the first visitor would wait for, done before he comes.

The first random numbers of a network alone make PyTorch import its compiler, for more than a
second in which no other session is served.
"""

from __future__ import annotations

from functools import partial

from lmcore import shipped
from lmcore.corpora.microworld import microworld
from ui import apart, heavy, models, pretrained


def up() -> None:
    """Read the grammar and the models that come with the app."""
    beside = [heavy.executor().submit(partial(apart.call, partial(max, 1, 2)))]
    heavy.executor().submit(_read).future.result()
    for each in beside:
        each.future.result()


def _read() -> None:
    microworld()
    for name in shipped.SHIPPED:
        if not (shipped.FOLDER / f"{name}.safetensors").is_file():
            continue
        if name in pretrained.OWN:
            pretrained.load(name)
        if name != "encoder":
            models.network(name)
