"""The events that the app's own components report when a user moves something in them.

`lessons/*/<name>.js` is the original of each function here. A function returns `None` if there is
nothing to move at present.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

Data = dict[str, Any]


class Unpacked:
    """What `drawing.live.pack` wrote; arrays are only read on demand."""

    def __init__(self, data: bytes) -> None:
        length = int.from_bytes(data[:4], "little")
        self.data: Data = json.loads(data[4 : 4 + length])
        self.rest = data[4 + length :]

    def array(self, of: Data) -> Any:
        start, count = of["at"]
        return np.frombuffer(self.rest, "<f8", count, 8 * start)


def event_of(component: str, data: bytes, rng: Random) -> tuple[str, Any] | None:
    """The event and its value after one move, or None."""
    hand = HANDS.get(component)
    if hand is None or not data:
        return None
    value = hand(Unpacked(data), rng)
    event = "settled" if component == "lml_sliders" else "event"
    return None if value is None else (event, value)


def plain(value: float) -> str:
    """A number as sliders.js writes it."""
    return f"{value:.12g}"


def other(rng: Random, count: int, now: int = -1, first: int = 0) -> int | None:
    """A place other than the present one."""
    places = [place for place in range(first, first + count) if place != now]
    return rng.choice(places) if places else None


def sliders(found: Unpacked, rng: Random) -> Any:
    if not found.data["sliders"]:
        return None
    slider = rng.choice(found.data["sliders"])
    positions = found.array(slider["positions"])
    chosen = rng.choice([p for p in positions.tolist() if p != slider["value"]] or [None])
    return chosen if chosen is None else {"name": slider["name"], "typed": plain(chosen)}


def attention(found: Unpacked, rng: Random) -> Any:
    data = found.data
    if data["mode"] == "query" and rng.random() < 0.5:
        return {"query": rng.randrange(len(data["tokens"])) + 1}
    rows = [row for block in data["blocks"] for row in (*block["top"], *block["rows"])]
    opens = [cell[1] for row in rows for cell in row if cell[1]]
    return {"cell": rng.choice(opens)} if opens else None


def beam(found: Unpacked, rng: Random) -> Any:
    return other(rng, found.data["steps"], found.data["at"], first=1)


def cloze(found: Unpacked, rng: Random) -> Any:
    data = found.data
    maskable = [place for place in data["maskable"] if place not in data["typed"]]
    if not maskable:
        return None
    covered = {int(place) for place in data["at"].split(",") if place}
    covered ^= {rng.choice(maskable)}
    return ",".join(str(place) for place in sorted(covered))


def corruption(found: Unpacked, rng: Random) -> Any:
    """Repeated presses mask, replace, keep, and leave a word."""
    data = found.data
    now = dict(zip(data["names"], found.array(data["now"]).tolist(), strict=True))
    maskable = (
        data["maskable"]
        if isinstance(data["maskable"], list)
        else found.array(data["maskable"]).tolist()
    )
    place = rng.choice([i for i, each in enumerate(maskable) if each > 0])
    parts = []
    for i, token in enumerate(data["tokens"]):
        outcome = int(now[f"f{i}"] + (i == place)) % 4
        if outcome:
            drawn = i == place or not now["hand"]
            text = data["drawn"][i] if drawn else data["standing"][i]
            number = sum(each > 0 for each in maskable[: i + 1])
            parts.append(f"{number}:{('', '[MASK]', text, token)[outcome]}")
    return {"hand": " ".join(parts)}


def drift(found: Unpacked, rng: Random) -> Any:
    return [other(rng, len(found.data["steps"]), found.data["at"]), found.data["word"]]


def generation(found: Unpacked, rng: Random) -> Any:
    data = found.data
    if rng.random() < 0.5:
        return {"lane": rng.choice(data["lanes"])}
    cards = [each["name"] for each in data["strategies"] if each["name"] not in data["lanes"]]
    return {"promote": rng.choice(cards)}


def stepping(found: Unpacked, rng: Random) -> Any:
    data = found.data
    if rng.random() < 0.3:
        at = min(data["at"], len(data["steps"]) - 1)
        step = data["steps"][at]
        ids = step["ids"] if isinstance(step["ids"], list) else found.array(step["ids"]).tolist()
        forced = [int(each) for row, each in enumerate(ids) if row != step["free"]]
        if forced:
            return {"force": [at, rng.choice(forced[:6])]}
    to = other(rng, len(data["steps"]) + 1, data["at"])
    return None if to is None else {"at": to}


def graph(found: Unpacked, rng: Random) -> Any:
    last = len(found.data["steps"])
    at = rng.randrange(last + 1)
    return -1 if at == last else at


def heads(found: Unpacked, rng: Random) -> Any:
    data = found.data
    if rng.random() < 0.5:
        head = {"layer": rng.randrange(data["layers"]), "head": rng.randrange(data["heads"])}
        return {"of": data["of"], **head}
    count, at = len(data["tokens"]), found.array(data["now"])[:2]
    pair = {"of": data["of"], "query": rng.randrange(count), "key": rng.randrange(count)}
    return {**pair, "at": [int(each) for each in at]}


def inputs(found: Unpacked, rng: Random) -> Any:
    data = found.data
    return [rng.randrange(len(data["tokens"])), rng.randrange(data["shown"])]


def masking(found: Unpacked, rng: Random) -> Any:
    return {"name": "query", "value": rng.randrange(len(found.data["queries"])) + 1}


def feedforward(found: Unpacked, rng: Random) -> Any:
    return {"unit": rng.randint(1, found.data["sizes"]["hidden"])}


def language_model(found: Unpacked, rng: Random) -> Any:
    return [-1, rng.randrange(len(found.data["words"]))]


def positions(found: Unpacked, rng: Random) -> Any:
    pairs = found.data.get("pairs")
    if not isinstance(pairs, list):
        return None
    return {"pair": int(rng.choice(pairs)), "at": rng.randrange(1, 9)}


def qk(found: Unpacked, rng: Random) -> Any:
    return {"key": rng.randrange(len(found.data["tokens"]))}


def ranking(found: Unpacked, rng: Random) -> Any:
    return rng.choice(found.data["heads"])


def unrolled(found: Unpacked, rng: Random) -> Any:
    data = found.data
    step = rng.randrange(len(data["words"])) + 1
    return {"step": step, "phase": rng.choice(data["phases"]), "unit": data["unit"]}


def longest(found: Unpacked, rng: Random) -> Any:
    return other(rng, 1 + len(found.data["attempts"]), found.data["at"])


def networks(found: Unpacked, rng: Random) -> Any:
    """A weight is pressed or dragged, a point is pressed, or the input is put into the plane."""
    data, points = found.data, found.array(found.data["x"]).tolist()
    pairs = [list(pair) for pair in zip(points[::2], points[1::2], strict=True)]
    inside = [within(rng, data["low"], data["high"]) for _ in range(2)]
    if rng.random() < 0.4:
        place = rng.randrange(weights_of(data["sizes"]))
        return {"weight": place, "value": rng.choice([None, within(rng, -4, 4)])}
    if data["data"] == "own" and rng.random() < 0.5:
        labels = found.array(data["labels"]).tolist()
        listed = [[*pair, label] for pair, label in zip(pairs, labels, strict=True)]
        listed[rng.randrange(len(listed))][:2] = inside
        return {"points": listed}
    return {"x": rng.choice([inside, rng.choice(pairs)])}


def weights_of(sizes: list[int]) -> int:
    """The number of parameters of a network with these layers."""
    return sum((before + 1) * after for before, after in pairwise(sizes))


def within(rng: Random, low: float, high: float) -> float:
    return round(rng.uniform(low, high), 2)


def vectors(found: Unpacked, rng: Random) -> Any:
    place = other(rng, len(found.data["words"]), found.data["word"])
    return None if place is None else {"word": found.data["words"][place]}


def wordmatrix(found: Unpacked, rng: Random) -> Any:
    data = found.data
    return {"row": rng.choice(data["rows"]), "column": rng.choice(data["columns"])}


def seq2seq(found: Unpacked, rng: Random) -> Any:
    """All of a step's α is forced on one place, or a forced step is released."""
    data = found.data
    if max(data["forced"]) >= 0 and rng.random() < 0.5:
        return {"release": True}
    step, place = (rng.randint(1, len(data[name])) for name in ("forced", "source"))
    return {"force": [step, place], "step": step}


def transformer(found: Unpacked, rng: Random) -> Any:
    """A part is enlarged, a number is opened or closed, or another token is followed."""
    data = found.data
    tensor = rng.choice(data["tensors"])
    if data["number"] and rng.random() < 0.4:
        return {"at": ""}
    if rng.random() < 0.4 and ".0" not in tensor["stage"]:
        at = [rng.randrange(tensor[name]) for name in ("rows", "columns")]
        return {"at": f"{tensor['stage']}[{at[0]}, {at[1]}]", "zoom": tensor["stage"]}
    return {"zoom": rng.choice(["", "b1", "b2.attention", "b1.feed", "unembed"])}


def tiny(found: Unpacked, rng: Random) -> Any:
    """Another weight gets the slider, or another word or sentence is followed."""
    data = found.data
    name = rng.choice(["weight", "place", "sentence"])
    if name == "weight":
        grid = rng.choice([each for each in data["grids"] if each["kind"] == "weight"])
        row, column = (rng.randrange(grid[side]) + 1 for side in ("rows", "columns"))
        return {name: f"{grid['name']}[{row},{column}]"}
    if name == "place":
        at = other(rng, len(data["tokens"]), data["place"])
        return None if at is None else {name: at + 1}
    return {name: other(rng, len(data["texts"]), data["followed"])}


def results(found: Unpacked, rng: Random) -> Any:
    """Another of the drawn systems is chosen for comparison."""
    data = found.data
    places = range(len(data["labels"])) if data["form"] == "tasks" else data["order"]
    name = rng.choice(["chosen", "reference"]) if data["form"] == "tasks" else "reference"
    return {name: rng.choice(list(places))}


def mix(found: Unpacked, rng: Random) -> Any:
    """Another point of the triangle is chosen."""
    points = found.array(found.data["shares"]).reshape(-1, 3)
    return {"shares": rng.choice(points.tolist())}


def descent(found: Unpacked, rng: Random) -> Any:
    """A point of a regression is dragged, or the start of the runs."""
    data = found.data
    if data["surface"] == "regression" and rng.random() < 0.6:
        places = (found.array(data[axis]).tolist() for axis in ("x", "y"))
        listed = [list(pair) for pair in zip(*places, strict=True)]
        low, high = data["window"][2:]
        listed[rng.randrange(len(listed))][1] = within(rng, low, high)
        return {"points": listed}
    half, center = 0.8 * data["half"], found.array(data["center"]).tolist()
    return {"start": [within(rng, at - half, at + half) for at in center]}


HANDS: dict[str, Callable[[Unpacked, Random], Any]] = {
    f"lml_{hand.__name__}": hand
    for hand in (
        sliders,
        attention,
        beam,
        cloze,
        corruption,
        descent,
        drift,
        generation,
        stepping,
        graph,
        heads,
        inputs,
        longest,
        masking,
        mix,
        feedforward,
        language_model,
        networks,
        positions,
        qk,
        ranking,
        results,
        seq2seq,
        tiny,
        transformer,
        unrolled,
        vectors,
        wordmatrix,
    )
}
