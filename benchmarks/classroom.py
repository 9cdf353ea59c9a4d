"""A class on one server, and on two: how long students wait, and what it costs.

    python -m benchmarks.classroom                      # everything; about an hour
    python -m benchmarks.classroom --only day --quick   # 20 seconds of a class of 100
    python -m benchmarks.classroom --only replicas --url http://127.0.0.1:8080
    python -m benchmarks.classroom --only pages --pages networks,descent --moves 200

What is measured (`--only day,training,replicas,lecture,memory,start,pages`):

day       100 students, each acting every 4 s on average, spread over the star pages, no training;
          then, for comparison, as many on a plain Streamlit page of 7 sliders, 3 charts, a table
training  the same during one training run
replicas  300 students on two servers, or on what --url names; then the acts per second of two
servers and of one, when students do not pause lecture everybody opens the same link of Live
training, with an empty browser, and presses Start memory students come and go, sped up: does the
server's memory level off? start from the command to the first page pages what one act and one
opening cost each page: the server's processor time, and bytes;
          and what each sort of act costs: a slider, the picture, an example, a view, a text

The students share the machine with the server: their share of its time is printed too. They are
real sessions without a browser (`student.py`); `benchmarks.truth` shows that they send what
Chromium does. A refusal, an exception, a failed run or a dropped line is an error, and is named.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import classroom_parts as parts
from benchmarks.crowd import ALL

PARTS: dict[str, Callable[[parts.Asked], None]] = {
    "start": parts.start,
    "pages": parts.pages,
    "day": parts.day,
    "training": parts.training,
    "replicas": parts.replicas,
    "lecture": parts.lecture,
    "memory": parts.memory,
}


def main() -> None:
    if not Path("/proc/self/status").exists():
        sys.exit("this benchmark reads /proc, which only Linux has")
    parser = argparse.ArgumentParser(prog="python -m benchmarks.classroom")
    parser.add_argument("--only", default=",".join(PARTS), help="some parts, with commas")
    parser.add_argument("--minutes", type=float, default=5.0, help="of each class")
    parser.add_argument("--count", type=int, default=0, help="students, instead of 100 or 300")
    parser.add_argument("--think", type=float, default=4.0, help="seconds between two moves")
    parser.add_argument("--all", action="store_true", help="all pages, not the star pages alone")
    parser.add_argument("--url", action="append", default=[], help="servers that run already")
    parser.add_argument("--pages", default="", help="some pages, with commas")
    parser.add_argument("--moves", type=int, default=parts.MOVES, help="acts a page, for pages")
    parser.add_argument("--quick", action="store_true", help="20 seconds of each")
    given = parser.parse_args()
    names = given.only.split(",")
    if unknown := set(names) - set(PARTS):
        parser.error(f"--only must be of {', '.join(PARTS)}; got {', '.join(sorted(unknown))}")
    pages = tuple(filter(None, given.pages.split(",")))
    if unknown := set(pages) - set(ALL):
        parser.error(f"--pages must be of {', '.join(ALL)}; got {', '.join(sorted(unknown))}")
    asked = parts.Asked(
        seconds=20.0 if given.quick else 60 * given.minutes,
        count=given.count,
        think=given.think,
        every_page=given.all,
        urls=tuple(url.rstrip("/") for url in given.url),
        quick=given.quick,
        pages=pages,
        moves=10 if given.quick else given.moves,
    )
    for name in names:
        PARTS[name](asked)


if __name__ == "__main__":
    main()
