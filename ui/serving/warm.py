"""What the first visitor would wait for, done before he comes.

The first random numbers of a network alone make PyTorch import its compiler, for more than a
second in which no other session is served.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from lmcore import shipped
from lmcore.corpora.microworld import microworld
from ui import apart, executor, models, pretrained


def up() -> None:
    """Read the grammar and the models that come with the app."""
    with ThreadPoolExecutor(2, initializer=executor.settle_in) as beside:
        for each in (beside.submit(_read), beside.submit(apart.call, partial(max, 1, 2))):
            each.result()


def _read() -> None:
    microworld()
    for name in shipped.SHIPPED:
        if not (shipped.FOLDER / f"{name}.safetensors").is_file():
            continue
        if name in pretrained.OWN:
            pretrained.load(name)
        if name != "encoder":
            models.network(name)
