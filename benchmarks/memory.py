"""Checks that memory stays bounded without garbage collection after every rerun.

    python -m benchmarks.memory

One server, waves of visitors; each wave opens a page, releases a slider many times and leaves.
Prints the server's resident memory after each wave: it must level off, not climb.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

from benchmarks.visitor import Visitor
from tests.browser.serving import served

WAVES, VISITORS, MOVES = 8, 10, 40
PAGES = ("neuron", "backprop")


def resident(process: int) -> float:
    """Resident memory of the process in MiB."""
    fields = Path(f"/proc/{process}/status").read_text().splitlines()
    return int(next(line for line in fields if line.startswith("VmRSS")).split()[1]) / 1024


def wave(address: str) -> None:
    for number in range(VISITORS):
        rng = Random(number)
        with Visitor(address, PAGES[number % 2]) as visitor:
            visitor.open()
            for _ in range(MOVES):
                visitor.move("sliders", rng)


def main() -> None:
    if not Path("/proc/self/status").exists():
        sys.exit("this benchmark reads /proc, which only Linux has")
    with served() as (address, process):
        print(f"idle                {resident(process):7.1f} MiB")
        for number in range(1, WAVES + 1):
            wave(address)
            done = number * VISITORS
            print(
                f"{done:3d} visitors, {done * MOVES:5d} moves {resident(process):7.1f} MiB",
                flush=True,
            )


if __name__ == "__main__":
    main()
