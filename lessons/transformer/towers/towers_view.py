"""The view “Towers”: BERT base, and a larger encoder beside it, as towers of one scale."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypedDict

import numpy as np
import streamlit as st

import ui
from drawing.live import FloatArray
from drawing.payload import Script
from lessons.transformer.towers import towers_state, towers_text
from lessons.transformer.towers.towers_questions import towers_questions
from lessons.transformer.towers.towers_state import DRAGGED, HEAD, Tower
from lessons.transformer.transformer_state import LESSON, SETTINGS
from lmcore.transformer.floors import floors_of
from lmcore.transformer.parameters import Sizes

TOWERS = "Towers"
"""The view that this picture draws."""
MILLION = 1e6
HELP = {
    "N": "Drag the roof: each floor has as many weights as the one below",
    "d": "Drag the wall: a head of 64 more, and every floor is heavier",
    "V": "Drag the upper edge of the embeddings: a row for each token",
    "e": "Drag the wall of the embeddings: up to d it is a BERT’s E and a matrix more",
}


class TowerPayload(TypedDict):
    """A tower: its name, and what stands beside it."""

    name: str
    printed: str


class TowersPayload(TypedDict):
    """What `lessons/transformer/towers.js` draws besides the numbers."""

    towers: Sequence[TowerPayload]
    rows: float
    """How high the last tower is before its sizes are dragged, in rows; this sets the scale."""
    wide: int
    """How wide it is then."""
    head: int
    """The width of a head."""


OF_TOWER = (
    *("N#", "d#", "V#", "heads#", "ground#", "floor#", "roof#", "total#", "att#", "mlp#"),
    *("attFloor#", "mlpFloor#", "groundShare#", "attShare#", "mlpShare#", "hidden#"),
    *("stored#", "e#"),
)
SCRIPT = Script("towers", TowersPayload, (*OF_TOWER, "N", "d", "V", "e", "ratio", "@say"))
"""N, d, V and e are those of the last tower, which are dragged."""


def show(rows: ui.Rows) -> None:
    """Draw the towers on the stage, and beside them the sizes of the last one."""
    with rows.errors:
        towers = ui.validated_or_previous(
            "towers", towers_state.read_towers, towers_state.default_towers
        )
    live = live_numbers(towers)
    with rows.rail:
        hidden = ui.predict_first(towers_questions(towers, live))
        SETTINGS.draw("tower_beside")
        if towers[-1].sizes.kind == "albert":
            SETTINGS.draw("tower_shared")
        ui.sliders(live, on_settled=towers_state.store_size)
        if towers[-1].changed:
            st.button("Its own sizes again", key="towers-own", on_click=towers_state.forget_sizes)
        with ui.more(rows):
            st.caption(towers_text.NOTE)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=towers_text.sentences(towers),
            moved=towers_text.moved(towers),
            formula=[towers_text.formula(towers)],
            alt=towers_text.describe(towers),
            hidden=hidden,
        )
        ui.main_picture(SCRIPT, live, picture(towers), texts)


def picture(towers: Sequence[Tower]) -> TowersPayload:
    """The data of `towers.js` other than the numbers."""
    own = towers[-1].own
    return {
        "towers": [{"name": each.name, "printed": each.printed} for each in towers],
        "rows": floors_of(own).total / own.width,
        "wide": own.width,
        "head": HEAD,
    }


def live_numbers(towers: Sequence[Tower]) -> ui.LiveNumbers:
    """Every number now, and along the slider of each size."""
    return _live(tuple(each.sizes for each in towers))


@lru_cache(maxsize=32)
def _live(sizes: tuple[Sizes, ...]) -> ui.LiveNumbers:
    now, last = numbers(sizes), sizes[-1]
    sliders, tables = list[ui.Slider](), list[FloatArray]()
    for name, each in towers_state.dragged_sizes(last).items():
        value = getattr(last, each.field)
        positions = size_positions(name, value)
        swept = [towers_state.resized(last, {each.field: int(at)}) for at in positions]
        tables.append(np.array([list(numbers((*sizes[:-1], one)).values()) for one in swept]))
        spoken = each.spoken.removeprefix("the ")
        sliders.append(ui.Slider(name, name, spoken, value, positions, HELP[name], "weight"))
    return ui.LiveNumbers(
        "towers", tuple(now), np.array(list(now.values())), tuple(sliders), tables
    )


def size_positions(name: str, value: int) -> FloatArray:
    """The positions of the slider of a size."""
    _, _, least, most = DRAGGED[name]
    step = {"N": 1, "V": 1000}.get(name, HEAD)
    return np.array(sorted({*range(least, most + 1, step), value}), dtype=np.float64)


def numbers(sizes: Sequence[Sizes]) -> dict[str, float]:
    """The numbers of the picture; weights are in millions, shares in percent."""
    named = dict[str, float]()
    for k, each in enumerate(sizes, start=1):
        named |= {f"{name}{k}": float(value) for name, value in tower_numbers(each).items()}
    last = sizes[-1]
    named |= {"N": float(last.layers), "d": float(last.width), "V": float(last.vocabulary)}
    named["e"] = float(last.embedding)
    named["ratio"] = float(f"{named[f'total{len(sizes)}'] / named['total1']:.2g}")
    shares = (named[f"groundShare{k}"] / 100 for k in (1, len(sizes)))
    return named | {"@say": float(towers_text.tail_at(sizes, *shares)) if len(sizes) > 1 else 0.0}


def tower_numbers(sizes: Sizes) -> dict[str, float]:
    """The numbers of a tower."""
    floors = floors_of(sizes)
    att, mlp = floors.stored * floors.attention, floors.stored * floors.mlp
    weights = {
        "ground": floors.ground,
        "floor": floors.floor,
        "roof": floors.roof,
        "total": floors.total,
        "att": att,
        "mlp": mlp,
        "attFloor": floors.attention,
        "mlpFloor": floors.mlp,
    }
    shares = {"groundShare": floors.ground, "attShare": att, "mlpShare": mlp}
    found = {
        "N": sizes.layers,
        "d": sizes.width,
        "V": sizes.vocabulary,
        "heads": sizes.heads,
        "hidden": sizes.hidden,
        "stored": floors.stored,
        "e": sizes.embedding,
        **{name: count / MILLION for name, count in weights.items()},
        **{name: round(100 * count / floors.total) for name, count in shares.items()},
    }
    return {name: float(value) for name, value in found.items()}
