"""The cost of a network's whole training run, and how often two hidden units solve XOR.

    python -m benchmarks.networks [--scrub]

Measured on one thread: 500 steps of training, the same with the surface at 60 × 60 points in every
step, and the size of what the page receives. The page receives the parameters alone: its script
draws the surface from them, in the same way as for a dragged weight. --scrub drags the step in
Chromium for some seconds and counts pictures and messages.
"""

from __future__ import annotations

import argparse
import statistics
import time
import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import torch
from playwright.sync_api import WebSocket, sync_playwright

from drawing.live import pack
from lessons.networks import networks_picture
from lmcore.networks.network import NetworkConfig
from lmcore.networks.points import PointSet, draw_points
from lmcore.networks.seeds import solve_from_seeds
from lmcore.networks.training import TrainingConfig, Trajectory, surfaces, train_network
from tests.browser.serving import chromium, serve

ROUNDS = 9
SIZES: Mapping[str, tuple[int, ...]] = {"2": (2,), "8": (8,), "8, 8": (8, 8), "8, 8, 8": (8, 8, 8)}
SECONDS = 4
COUNT = """([seconds]) => new Promise((done) => {
  const hosts = [...document.querySelectorAll('*')].filter((node) => node.shadowRoot);
  const find = (selector) => hosts.map((h) => h.shadowRoot.querySelector(selector)).find(Boolean);
  const range = find('input[aria-label="step of training"]');
  const svg = find('.stage.figure svg');
  let [pictures, frames] = [0, 0];
  const watch = new MutationObserver(() => (pictures += 1));
  watch.observe(svg, { subtree: true, attributes: true, characterData: true, childList: true });
  const began = performance.now();
  const next = () => {
    const past = performance.now() - began;
    if (past > 1000 * seconds) { watch.disconnect(); return done([pictures, frames, past]); }
    frames += 1;
    range.value = Math.round(250 + 250 * Math.sin(past / 300));
    range.dispatchEvent(new Event('input', { bubbles: true }));
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""


def main() -> None:
    """Print the costs, the shares, and with --scrub the pictures a second."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scrub", action="store_true", help="drag the step in a browser")
    torch.set_num_threads(1)
    wanted = parser.parse_args()
    costs()
    shares()
    if wanted.scrub:
        scrub()


def costs() -> None:
    """Times and sizes of a run, by the sizes of the hidden layers."""
    points = draw_points(PointSet())
    how = TrainingConfig(seed=1)
    print("units | train, ms | surfaces and packing, ms | all, KiB | sent, ms | sent, KiB")
    for name, hidden in SIZES.items():
        config = NetworkConfig(hidden, ("tanh",) * len(hidden))
        trained, run = timed(partial(train_network, config, points, how))
        shaded, whole = timed(partial(packed_surfaces, config, run))
        told, sent = timed(partial(packed_picture, config, run))
        sizes = len(whole) / 1024, len(sent) / 1024
        print(
            f"{name} | {trained:.0f} | {shaded:.0f} | {sizes[0]:.0f} | {told:.1f} | {sizes[1]:.0f}"
        )


def packed_surfaces(config: NetworkConfig, run: Trajectory) -> bytes:
    """ŷ at 60 × 60 points after every step, rounded to 1/255, with the run itself."""
    outputs = surfaces(config, run.parameters, PointSet().window)
    shades = (255 * outputs).round().byte().numpy()
    changes = np.diff(shades, axis=0, prepend=np.zeros_like(shades[:1]))
    return packed_picture(config, run) + zlib.compress(changes.tobytes(), 1)


def packed_picture(config: NetworkConfig, run: Trajectory) -> bytes:
    """The data of a run that the page receives."""
    which = PointSet()
    payload = networks_picture.network_picture(
        config,
        which,
        draw_points(which),
        run,
        at=500,
        hand={},
        weight=0,
        flow="weights",
        brush="input",
        passes=False,
    )
    return pack(payload)


def timed(make: Callable[[], Any]) -> tuple[float, Any]:
    """The median time of several calls in ms, and the result of the last one."""
    times, made = [], None
    for _ in range(ROUNDS):
        began = time.perf_counter()
        made = make()
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times), made


def shares() -> None:
    """Print the share of 200 starts that solve XOR, with its 95 % interval."""
    points = draw_points(PointSet())
    for units in (1, 2, 3, 4, 8):
        runs = solve_from_seeds(NetworkConfig((units,), ("tanh",)), points, TrainingConfig())
        share, low, high = runs.interval
        print(f"XOR, {units} tanh units, 200 starts: {share:.3f} ({low:.3f} to {high:.3f})")


def count_messages(line: WebSocket, sent: list[object]) -> None:
    """Keep every message that the page sends on this WebSocket."""
    line.on("framesent", lambda message: sent.append(message))


def scrub() -> None:
    """Drag the step through the training and count pictures and messages."""
    with serve() as address, sync_playwright() as playwright:
        browser = chromium(playwright)
        for query in ("", "nn_data=spiral&nn_units=8,8&nn_noise=0.03&nn_count=160"):
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            sent: list[object] = []
            page.on("websocket", partial(count_messages, sent=sent))
            page.goto(f"{address}/networks?{query}")
            page.wait_for_function("() => 'stands' in document.documentElement.dataset")
            page.wait_for_timeout(1500)
            told = len(sent)
            pictures, frames, past = page.evaluate(COUNT, [SECONDS])
            print(
                f"scrubbed, {query or 'XOR'}: {1000 * pictures / past:.0f} pictures a second of "
                f"{1000 * frames / past:.0f} frames, {len(sent) - told} messages"
            )
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
