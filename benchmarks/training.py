"""How near the models come to the grammar, how fast, and the cost of a run over a bare loop.

    python -m benchmarks.training                 everything, about 35 minutes
    python -m benchmarks.training quality 30      test perplexity over the grammar's, 30 s a model
    python -m benchmarks.training speed           throughput against a bare loop
    python -m benchmarks.training beside          how a run slows other pages
    python -m benchmarks.training cells           how soon a live run has interpretable cells
    python -m benchmarks.training initial         the LSTM's initial weights against PyTorch's own

Figures are ratios within one run; seconds are this machine's.
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path
from pydoc_data import topics

import numpy as np
import torch

from benchmarks.interaction import served_page
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.evaluation import probes
from lmcore.evaluation.against_grammar import compare_by_split, compare_with_grammar, test_documents
from lmcore.models import ngram
from lmcore.models.lstm import LSTM
from lmcore.models.registry import build
from lmcore.recurrence import unit_probes
from lmcore.shipped.models import SHIPPED
from lmcore.training import checkpoint
from lmcore.training.events import Diverged, Stepped
from lmcore.training.loop import Training, optimizer, validation_loss
from lmcore.training.loss import cross_entropy
from lmcore.training.pool.pool import Pool
from lmcore.training.pool.runs import LIVE_STATES
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from tests.browser.serving import serve

SEEDS = (0, 1, 2)
KINDS = ("feedforward", "rnn", "gru", "lstm")
RATES = {"feedforward": 5e-3, "rnn": 5e-3, "gru": 8e-3, "lstm": 8e-3}


def recipe(kind: str, seconds: float, seed: int) -> RunSpec:
    """The spec of a run that takes `seconds` on this machine; its speed is measured first."""
    rate, hidden = RATES[kind], 160 if kind == "rnn" else 128
    spec = RunSpec(
        model=ModelSpec(kind, 64, hidden), learning_rate=rate, seed=seed, every=50, steps=100_000
    )
    run = Training(spec)
    timed = _steps(run, 100) and _steps(run, 300)
    return replace(spec, steps=int(seconds / (timed / 300)))


def _steps(run: Training, count: int) -> float:
    start, made = time.perf_counter(), 0
    for event in run:
        made += isinstance(event, Stepped)
        if made == count:
            break
    return time.perf_counter() - start


def quality(seconds: float, kinds: tuple[str, ...] = KINDS, seeds: tuple[int, ...] = SEEDS) -> None:
    """Train each model for `seconds` on both cores, streamed; print its distance to the grammar."""
    torch.set_num_threads(2)
    world = microworld()
    documents = test_documents(world)
    for kind in kinds:
        for seed in seeds:
            spec = recipe(kind, seconds, seed)
            start = time.perf_counter()
            run = Training(spec)
            last = list(run)[-1]
            took = time.perf_counter() - start
            assert not isinstance(last, Diverged), last
            split = compare_by_split(run.language_model(), documents, world)
            line = " ".join(
                f"{name} ratio {j.ratio:.4f} KL {j.divergence:.4f}" for name, j in split.items()
            )
            print(f"{kind:12} seed {seed} {spec.steps} steps {took:.0f} s: {line}", flush=True)
            print("    ", constructions(run.language_model()), flush=True)


def constructions(model) -> str:
    """The share of correct items of each construction, and p(fed | the dog gets)."""
    shares = [
        f"{p.name} {probes.measure_probe(model, p).accuracy:.2f}" for p in probes.probes(count=60)
    ]
    fed = probes.fed_probabilities(model)
    return ", ".join(shares) + f"; p(fed | the dog gets) {fed.fed_dog:.3f}, cat {fed.fed_cat:.3f}"


def counts() -> None:
    """Print n-grams on 60,000 documents, each with its lowest possible perplexity."""
    world = microworld()
    documents = test_documents(world, 1000)
    corpus = training_documents(world.sample(60_000, np.random.default_rng(1)))
    floors = entropy.perplexity_floors(world, 4)
    truth = entropy.perplexity(world)
    for order in (1, 2, 3, 4, 5):
        start = time.perf_counter()
        model = ngram.fit_ngram(ngram.NGramConfig(order, "kneser-ney"), world.vocabulary, corpus)
        took = time.perf_counter() - start
        judged = compare_with_grammar(model, documents, world)
        floor = floors[order - 1] / truth if order <= len(floors) else float("nan")
        print(
            f"{order}-gram KN, {took:.2f} s: ratio {judged.ratio:.4f} KL {judged.divergence:.4f}, "
            f"floor {floor:.4f}, over its floor {judged.ratio / floor:.4f}; {constructions(model)}",
            flush=True,
        )


def speed() -> None:
    """Tokens per second of a run in its worker, with all messages and saving, over a bare loop."""
    torch.set_num_threads(1)
    pool = Pool(workers=1)
    for kind in KINDS:
        spec = RunSpec(model=ModelSpec(kind), learning_rate=RATES[kind], steps=100_000)
        ratios = [_in_worker(pool, spec) / _bare(spec, 200) for _ in range(5)]
        print(
            f"{kind:12} run / bare loop: {sorted(ratios)[2]:.3f} (of {min(ratios):.3f} to "
            f"{max(ratios):.3f})",
            flush=True,
        )
    pool.close()


def _in_worker(pool: Pool, spec: RunSpec, seconds: float = 3.0) -> float:
    """Tokens per second between two messages of the worker, in wall-clock time."""
    name = pool.start(spec)
    history = pool.history(name)

    def next_message() -> tuple[int, float]:
        before = history.tokens
        while history.tokens == before:
            time.sleep(0.001)
        return history.tokens, time.perf_counter()

    while pool.view(name).step < 50:
        time.sleep(0.01)
    tokens, start = next_message()
    time.sleep(seconds)
    more, end = next_message()
    pool.stop(name)
    return (more - tokens) / (end - start)


def _bare(spec: RunSpec, count: int) -> float:
    run = Training(spec)
    network = build(run.network.config, spec.seed)
    adam = optimizer(network, spec)
    tokens = 0
    start = time.perf_counter()
    for step in range(count):
        batch = run.feed.batch(step)
        logits, _ = network.logits_and_state(batch.inputs)
        value = cross_entropy(logits, batch.targets)
        adam.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), spec.clip)
        adam.step()
        tokens += int((batch.targets >= 0).sum())
    return tokens / (time.perf_counter() - start)


def beside() -> None:
    """How a run slows another visitor's page, the memory of its worker, how fast it stops."""
    pool = Pool(workers=1)
    with serve() as app:
        quiet = statistics.median(served_page(app, "neuron"))
        name = pool.start(RunSpec(steps=100_000))
        while pool.view(name).step < 50:
            time.sleep(0.1)
        busy = statistics.median(served_page(app, "neuron"))
    print(f"a page's interaction: {quiet:.1f} ms, {busy:.1f} ms beside a run: {busy / quiet:.2f} x")
    worker = pool.workers()[0]
    status = Path(f"/proc/{worker}/status").read_text("utf-8")
    peak = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    print(f"the worker's memory at most: {int(peak) / 1024:.0f} MiB")
    halts = []
    for _ in range(10):
        start = time.perf_counter()
        pool.pause(name)
        halts.append(1000 * (time.perf_counter() - start))
        pool.resume(name)
        step = pool.view(name).step
        while pool.view(name).step <= step:
            time.sleep(0.01)
    print(f"click to halt: median {statistics.median(halts):.0f} ms, worst {max(halts):.0f} ms")
    pool.close()


def cells() -> None:
    """The character LSTM of the app, trained live: seconds until its best cells are known."""
    pool = Pool(workers=1)
    start = time.perf_counter()
    name = pool.start(SHIPPED["character_lstm"])
    while pool.view(name).state in LIVE_STATES:
        time.sleep(0.05)
    trained = time.perf_counter() - start
    model, _, _ = checkpoint.load_model(pool.checkpoint(name) or b"")
    assert isinstance(model.network, LSTM)
    best, _ = unit_probes.search(model.network, model.vocabulary)
    scores = ", ".join(f"{each.label} {each.scored:.4f}" for each in best if "cell" in each.kind)
    print(f"trained in {trained:.0f} s, known after {time.perf_counter() - start:.0f} s: {scores}")
    pool.close()


def initial() -> None:
    """Validation loss per character on Python's help, from our initial weights and PyTorch's."""
    text = "\n\n".join(topics.topics[name] for name in sorted(topics.topics))
    spec = RunSpec(
        CorpusSpec("own", "character", text=text),
        ModelSpec("lstm", embedding=32, hidden=96),
        learning_rate=4e-3,
        batch=16,
        length=128,
        clip=1.0,
        steps=3908,
        every=1000,
    )
    for start in ("ours", "PyTorch's"):
        losses = []
        for seed in (1, 2, 3):
            run = Training(replace(spec, seed=seed))
            if start != "ours":
                torch.manual_seed(seed)
                for part in run.network.children():
                    part.reset_parameters()
            list(run)
            losses.append(validation_loss(run))
        said = ", ".join(f"{loss:.3f}" for loss in losses)
        print(f"{start}: {statistics.mean(losses):.3f} nats per character ({said})", flush=True)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["quality", seconds, *kinds]:
            quality(float(seconds), tuple(kinds) or KINDS)
        case ["counts"]:
            counts()
        case ["speed"]:
            speed()
        case ["beside"]:
            beside()
        case ["cells"]:
            cells()
        case ["initial"]:
            initial()
        case _:
            speed()
            beside()
            cells()
            initial()
            counts()
            quality(30)
            quality(90, ("lstm",))
