"""Tokens per second, ours over `transformers.generate`: same weights, one thread, 128 new tokens.

    python -m benchmarks.generation [rounds]

Each round runs both on the same prompt, one after the other, first the one and then the other; a
figure is the median over the rounds of their ratio. No end token is set, so all write 128.

Then the page on generation with the mini-GPT that ships, in Chromium, from a click to painted: a
step, which needs no server, and a forced token, after which the model continues the text.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import torch
from playwright.sync_api import Page, sync_playwright
from transformers import GPT2Config, GPT2LMHeadModel

from lmcore.decoding import beam
from lmcore.decoding.beam import BeamConfig
from lmcore.decoding.cached_gpt import CachedGPT
from lmcore.decoding.token_by_token import SamplingConfig, generate
from lmcore.pretrained import gpt2
from lmcore.pretrained.loading import fill_weights
from tests.browser.serving import chromium, serve

NEW, PROMPT = 128, 8
ROUNDS = 7
SIZES = {
    "mini-GPT": {"vocab_size": 300, "n_embd": 64, "n_layer": 2, "n_head": 4, "n_inner": 256},
    "mini-GPT, wider": {"vocab_size": 1000, "n_embd": 128, "n_layer": 4, "n_head": 4},
    "GPT-2 small": {"vocab_size": 50257, "n_embd": 768, "n_layer": 12, "n_head": 12},
}
"""The last has the size of GPT-2 small; random weights cost the same time as trained ones."""
CLICKS = 10
PAINTED = """(name) => new Promise((done) => {
  const host = [...document.querySelectorAll("*")].find((each) =>
    each.shadowRoot?.querySelector(".gen-row"));
  const root = host?.shadowRoot ?? document;
  const texts = () => [...root.querySelectorAll(".gen-text")];
  const written = () => texts().map((each) => each.innerText).join();
  const before = written();
  const start = performance.now();
  root.querySelector(name).click();
  const look = () => {
    if (written() === before) return requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel(); // heard after the refresh that the text is in
    port1.onmessage = () => done(performance.now() - start);
    requestAnimationFrame(() => port2.postMessage(0));
  };
  look();
})"""
STEP = 'button[aria-label="Step one token"]'
ALTERNATIVE = ".gen-table tbody tr:not(.here) button"
WAYS = ("greedy, 1", "sampling, 1", "greedy, 16", "sampling, 16", "beam 4, 1")


def main(rounds: int) -> None:
    torch.set_num_threads(1)
    print(f"{'':<18}" + "".join(f"{way:>22}" for way in WAYS))
    for name, sizes in SIZES.items():
        theirs, ours = models(sizes)
        cells = []
        for way in WAYS:
            few = max(2, rounds // 3) if name == "GPT-2 small" else rounds
            mine, other = timed(ours, theirs, way, few)
            ratio = statistics.median(o / m for m, o in zip(mine, other, strict=True))
            speed = NEW * int(way.split(", ")[1]) / statistics.median(mine)
            cells.append(f"{ratio:.2f} x ({speed:,.0f}/s)")
        print(f"{name:<18}" + "".join(f"{cell:>22}" for cell in cells), flush=True)
    clicks()


def clicks() -> None:
    """Milliseconds from a click to painted, in a real browser on a real server."""
    with serve() as address, sync_playwright() as playwright:
        browser = chromium(playwright)
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        took: dict[str, list[float]] = {"step": [], "force": []}
        for turn in range(CLICKS):
            page.goto(
                f"{address}/generation?see=One+token+at+a+time&gen_stepped=walk&gen_at={turn}"
            )
            page.locator(STEP).wait_for()
            settle(page)
            took["step"].append(page.evaluate(PAINTED, STEP))
            settle(page)
            took["force"].append(page.evaluate(PAINTED, ALTERNATIVE))
            settle(page)
        browser.close()
    for name, times in took.items():
        print(
            f"{name:<6} click to painted {statistics.median(times):5.0f} ms   "
            f"({min(times):.0f} to {max(times):.0f})"
        )


def settle(page: Page) -> None:
    page.wait_for_timeout(700)
    page.wait_for_selector("[data-test-script-state='notRunning']")
    page.wait_for_timeout(300)


def models(sizes: dict[str, int]) -> tuple[GPT2LMHeadModel, CachedGPT]:
    """The same random weights in both."""
    torch.manual_seed(0)
    config = GPT2Config(**sizes, n_positions=PROMPT + NEW, bos_token_id=None, eos_token_id=None)
    theirs = GPT2LMHeadModel(config).eval()
    theirs.generation_config.pad_token_id = 0
    network, weights = gpt2.build_network(config.to_dict(), theirs.state_dict())
    fill_weights(network, weights)
    return theirs, CachedGPT(network)


def timed(
    ours: CachedGPT, theirs: GPT2LMHeadModel, way: str, rounds: int
) -> tuple[list[float], list[float]]:
    """Seconds of both, run alternately."""
    how, batch = way.split(", ")
    tokens = torch.randint(0, 300, (int(batch), PROMPT))
    attention = torch.ones_like(tokens)
    kept = {"max_new_tokens": NEW, "min_new_tokens": None, "attention_mask": attention}
    asks: dict[str, tuple[Callable[[], object], dict[str, object]]] = {
        "greedy": (lambda: generate(ours, tokens, SamplingConfig(NEW)), {"do_sample": False}),
        "sampling": (
            lambda: generate(ours, tokens, SamplingConfig(NEW, seeds=tuple(range(int(batch))))),
            {"do_sample": True, "top_k": 0},
        ),
        "beam 4": (
            lambda: beam.finished_beams(list(beam.search(ours, tokens[0], BeamConfig(4, NEW)))),
            {"do_sample": False, "num_beams": 4},
        ),
    }
    ask, said = asks[how]
    other = lambda: theirs.generate(tokens, **kept, **said)  # noqa: E731
    with torch.no_grad():
        ask(), other()
        mine, others = [], []
        for n in range(rounds):
            for each, into in ((ask, mine), (other, others))[:: 1 if n % 2 else -1]:
                start = time.perf_counter()
                each()
                into.append(time.perf_counter() - start)
    return mine, others


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS)
