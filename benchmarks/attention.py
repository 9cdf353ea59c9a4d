"""The cost of a forward pass with its whole trace, against `transformers` on the same weights.

    python -m benchmarks.attention            three models, 16, 128 and 512 tokens: ten minutes
    python -m benchmarks.attention 100        100 rounds of each in place of 30

In a round each side runs once, in random order, and a ratio compares two runs of one round, so that
other load on the machine affects both. Times are processor time of the thread. Printed are the
median times, the median of the ratios, and their quartiles. As in the server, a computation has one
core and a thread that is not the main one, and `malloc` is configured as in `make run`, for all
sides alike: otherwise our forward pass loses time to memory pages that it gives back to the kernel
and requests again.
"""

from __future__ import annotations

import gc
import os
import random
import re
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor, nn
from transformers import BertConfig, BertForMaskedLM, BertModel, GPT2Config, GPT2LMHeadModel

from lmcore.device import share_cores
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.pretrained import bert, gpt2, loading, wheel

LENGTHS, PLAIN_AT = (16, 128, 512), 128
MOST = {"eager": 1.1, "plain": 1.3}
ROUNDS, WARM = 30, 3
MAKEFILE = Path(__file__).resolve().parent.parent / "Makefile"

Side = Callable[[Tensor], object]


class Sides(NamedTuple):
    """One set of weights in our model and in two of theirs: with all optional outputs, without."""

    ours: BERT | GPT
    eager: nn.Module
    plain: nn.Module

    def calls(self, length: int) -> dict[str, Side]:
        """The calls that are timed at a length."""
        every: dict[str, Side] = {
            "ours": self.ours,
            "eager": lambda ids: self.eager(
                ids, output_attentions=True, output_hidden_states=True, **_uncached(self.eager)
            ),
        }
        if length == PLAIN_AT:
            every["plain"] = lambda ids: self.plain(ids, **_uncached(self.plain))
        return every


def _uncached(theirs: nn.Module) -> dict[str, bool]:
    """The argument that disables GPT-2's key–value cache, which is on by default."""
    return {"use_cache": False} if theirs.config.model_type == "gpt2" else {}


def sides(make: Callable[[str], nn.Module]) -> Sides:
    """All three sides; they share the tensors of the first model that `make` makes."""
    eager, plain = make("eager").eval(), make("sdpa").eval()
    file = eager.state_dict()
    plain.load_state_dict(file, assign=True)
    table = gpt2 if eager.config.model_type == "gpt2" else bert
    ours, weights = table.network(eager.config.to_dict(), file)
    loading.fill_weights(ours, weights)
    return Sides(ours, eager, plain)


def models() -> dict[str, Callable[[str], nn.Module]]:
    """The models that are compared; the package's encoder only if it is installed."""
    found: dict[str, Callable[[str], nn.Module]] = {
        "BERT base": lambda kind: BertForMaskedLM(BertConfig(attn_implementation=kind)),
        "GPT-2 small": lambda kind: GPT2LMHeadModel(GPT2Config(attn_implementation=kind)),
    }
    there = wheel.package_folder()
    if there is None:
        return found
    return found | {"MiniLM": lambda k: BertModel.from_pretrained(there, attn_implementation=k)}


@torch.no_grad()
def times(calls: dict[str, Side], ids: Tensor, rounds: int) -> dict[str, list[float]]:
    """Seconds of each side in each round; the output of a run is freed before the next run."""
    took: dict[str, list[float]] = {name: [] for name in calls}
    order = list(calls)
    draw = random.Random(0)
    for turn in range(WARM + rounds):
        draw.shuffle(order)
        for name in order:
            start = time.thread_time()
            found = calls[name](ids)
            seconds = time.thread_time() - start
            del found
            if turn >= WARM:
                took[name].append(seconds)
    return took


def compare(rounds: int) -> None:
    """Print a line for each model, length and side of `transformers`."""
    for name, make in models().items():
        here = sides(make)
        for length in LENGTHS:
            ids = torch.randint(1000, (1, length), generator=torch.Generator().manual_seed(0))
            gc.collect()
            took = times(here.calls(length), ids, rounds)
            for other in list(took)[1:]:
                print(line(name, length, took, other), flush=True)


def line(name: str, length: int, took: dict[str, list[float]], other: str) -> str:
    """Median times, the ratio, its quartiles, and its limit."""
    ratios = [a / b for a, b in zip(took["ours"], took[other], strict=True)]
    low, ratio, high = statistics.quantiles(ratios, n=4)
    ours, theirs = (1000 * statistics.median(took[side]) for side in ("ours", other))
    said = "as it should" if ratio <= MOST[other] else "TOO SLOW"
    return (
        f"{name:12} {length:4} tokens   ours {ours:7.1f} ms   {other} {theirs:7.1f} ms   "
        f"{ratio:5.2f} × ({low:.2f} to {high:.2f}, at most {MOST[other]})   {said}"
    )


def main(rounds: int) -> None:
    share_cores()
    print(
        f"{rounds} rounds; seconds of one core; memory kept as `make run` has it: {' '.join(KEPT)}"
    )
    worker = threading.Thread(target=compare, args=(rounds,))
    worker.start()
    worker.join()


KEPT = re.findall(r"\bMALLOC_\w+=\d+", MAKEFILE.read_text("utf-8"))
"""The settings of `make run` for the C library, which reads them only when a process starts."""


if __name__ == "__main__":
    wanted = dict(setting.split("=") for setting in KEPT) | {"OMP_NUM_THREADS": "1"}
    if any(os.environ.get(name) != value for name, value in wanted.items()):
        again = [sys.executable, "-m", "benchmarks.attention", *sys.argv[1:]]
        os.execve(sys.executable, again, {**os.environ, **wanted})
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS)
