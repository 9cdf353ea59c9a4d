"""What the scripts share with Python. `make check` runs their types and their own tests.

Node is only for development: where it is missing, these tests are skipped and say so.
"""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from drawing.live import pack
from lmcore.numbers import format_number, operand

ROOT = Path(__file__).parents[2]
NODE = shutil.which("node") or shutil.which("node", path=Path(sys.executable).parent)
NUMBERS_PER_KIND = 300

pytestmark = pytest.mark.skipif(NODE is None, reason="no Node: the scripts are not checked")


def node(*arguments: str, stdin: bytes = b"") -> bytes:
    """What Node prints; fails if Node fails."""
    assert NODE is not None
    ended = subprocess.run([NODE, *arguments], cwd=ROOT, input=stdin, capture_output=True)
    assert ended.returncode == 0, (ended.stdout + ended.stderr).decode()
    return ended.stdout


def numbers() -> list[float]:
    """Numbers of many sizes, whole numbers, short decimals, ties and edge cases, of both signs."""
    draw = random.Random(11)
    sizes = [draw.uniform(1, 10) * 10.0 ** draw.randint(-30, 30) for _ in range(NUMBERS_PER_KIND)]
    usual = [draw.gauss(0, 1) for _ in range(NUMBERS_PER_KIND)]
    whole = [float(draw.randint(-200_000, 200_000)) for _ in range(NUMBERS_PER_KIND)]
    short = [round(draw.uniform(-50, 50), draw.randint(1, 5)) for _ in range(NUMBERS_PER_KIND)]
    edges = [0.0, -0.0, 1e-4, 9.9995e-5, 99999.5, 1e5, 0.99995, 9.9995, 5e-324, 1.7e308, 0.1 + 0.2]
    ties = [draw.randint(1, 9999) / 2.0 ** draw.randint(1, 12) for _ in range(NUMBERS_PER_KIND)]
    every = [*sizes, *usual, *whole, *short, *ties, *edges]
    return [*every, *(-value for value in every), math.inf, -math.inf, math.nan]


PRINT_PACKED = """
import { readFileSync } from "node:fs";
import { formatNumber, operand } from "./drawing/numbers.js";
import { unpack } from "./drawing/packing.js";
const { numbers, bytes, name } = unpack(new Uint8Array(readFileSync(0)));
const texts = [...numbers].map((number) => [formatNumber(number), operand(number)]);
console.log(JSON.stringify({ texts, bytes: [...bytes], name }));
"""


def test_scripts_read_what_python_packs_and_print_its_numbers_alike():
    values = numbers()
    packed = pack({"numbers": np.array(values), "bytes": b"\x00\x07\xff", "name": "α"})
    read = json.loads(node("--input-type=module", "--eval", PRINT_PACKED, stdin=packed))
    assert (read["bytes"], read["name"]) == ([0, 7, 255], "α")
    differ = [
        (value, tuple(texts), (format_number(value), operand(value)))
        for value, texts in zip(values, read["texts"], strict=True)
        if tuple(texts) != (format_number(value), operand(value))
    ]
    assert differ == []
