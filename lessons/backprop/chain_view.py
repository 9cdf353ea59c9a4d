"""The picture of the chain rule: a nudge of one leaf on its way to the result, link by link."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple, TypedDict

import numpy as np
import torch
from torch import Tensor

import ui
from drawing.events import Moved, PlaceOrNone
from drawing.payload import NumberName, Script
from lessons.backprop import backprop_state, chain_text, naming, walk_text
from lessons.backprop.backprop_questions import chain_questions
from lessons.backprop.backprop_state import LESSON, SETTINGS
from lmcore import graph as graphs
from lmcore import parsing
from lmcore.graph import Edge, Graph, GraphTrace

SEE = "Chain of slopes"
MOST_LINKS = 5
MOST_CHAINS = 4
WIDEST = 0.1
"""The largest nudge."""
LACKING = f"no leaf reaches the result on one way of at most {MOST_LINKS} links between numbers"


class ChainNode(TypedDict):
    """A node of a chain: its formula in letters and in numbers, and how far it moves."""

    name: str
    letters: str
    numbers: str
    value: NumberName
    role: str
    move: NumberName


class ChainLink(TypedDict):
    """A link: its local derivative, as ∂d/∂b, in letters if it has any, and as a number.

    `handle` is the slider of the leaf that is the slope; empty if it is none.
    """

    said: str
    letters: str
    slope: NumberName
    handle: NumberName


class ChainWay(TypedDict):
    """A chain from a leaf to the result."""

    leaf: str
    nodes: list[ChainNode]
    links: list[ChainLink]
    start: NumberName
    gradient: NumberName


class ChainPayload(TypedDict):
    """One chain, or with `each` several below each other.

    Of one chain `seen` links are open, of several the products; −1: everything.
    """

    ways: list[ChainWay]
    each: bool
    seen: int
    loss: str


SLOPES = Script("chainrule", ChainPayload, ("nudge", "reach", "*"), PlaceOrNone)


class Chains(NamedTuple):
    """The chains of a graph, and what is shown of them."""

    graph: Graph
    trace: GraphTrace
    ways: Mapping[str, tuple[Edge, ...]]
    """The chain of each leaf that has one."""
    leaf: str
    """The leaf that is nudged; empty: each."""
    nudge: float
    seen: int

    @property
    def shown(self) -> Mapping[str, tuple[Edge, ...]]:
        """The chains on the stage."""
        return {self.leaf: self.ways[self.leaf]} if self.leaf else self.ways


def ways_of(graph: Graph) -> dict[str, tuple[Edge, ...]]:
    """The chain of each leaf that has a short one, the longest first."""
    every = {name: graphs.only_way(graph, graph.index(name)) for name in graph.leaves}
    short = {name: way for name, way in every.items() if 0 < len(way) <= MOST_LINKS}
    ranked = sorted(short, key=lambda name: -len(short[name]))
    return {name: short[name] for name in islice(ranked, MOST_CHAINS)}


def show(rows: ui.Rows, graph: Graph, trace: GraphTrace) -> ui.LiveNumbers:
    """Draw the chain on the stage, and beside it the nudge and the leaves; returns its numbers."""
    ways = ways_of(graph)
    with rows.rail:
        asked = read(graph, trace, ways)
        live = live_numbers(asked, backprop_state.chosen_entries(graph))
        hidden = ui.predict_first(chain_questions(live, asked))
        if not ui.presenting():
            SETTINGS.draw("chain_of", options=[*ways, chain_text.EACH])
        ui.sliders(live, on_settled=store_slider)
        with ui.more(rows):
            if ui.presenting():
                SETTINGS.draw("chain_of", options=[*ways, chain_text.EACH])
            SETTINGS.draw("program")
    with rows.picture:
        closed = unseen(asked)
        texts = ui.stage_texts(
            LESSON,
            sentences=[chain_text.asking(asked) if closed else chain_text.finding(live, asked)],
            moved="" if closed else chain_text.moved(asked),
            formula=[chain_text.formula(asked, open_=not closed)],
            alt=chain_text.describe(asked, open_=not closed),
            hidden=(*hidden, *closed),
        )
        ui.main_picture(SLOPES, live, chain_picture(live, asked), texts, on_event=keep_seen)
    return live


def read(graph: Graph, trace: GraphTrace, ways: Mapping[str, tuple[Edge, ...]]) -> Chains:
    """What the controls describe."""
    leaf = SETTINGS.choice("chain_of", [*ways, chain_text.EACH])
    nudge, seen = SETTINGS.number("nudge"), int(SETTINGS.number("chain_seen"))
    return Chains(graph, trace, ways, "" if leaf == chain_text.EACH else leaf, nudge, seen)


def keep_seen(seen: PlaceOrNone) -> None:
    """Store how many links are open."""
    ui.set_controls({"chain_seen": str(seen)})


def store_slider(moved: Moved) -> None:
    """Store the released nudge, or write the released leaf into the program."""
    if moved["name"] != "nudge":
        backprop_state.store_slider(moved)
        return
    try:
        nudge = parsing.parse_number(moved["typed"], "the nudge")
        if abs(nudge) > WIDEST:
            raise ValueError(f"the nudge must lie between −{WIDEST} and {WIDEST}; got {nudge:g}")
        ui.set_controls({"nudge": f"{nudge:g}"})
    except ValueError as error:
        ui.show_error_later(error)


def unseen(asked: Chains) -> tuple[str, ...]:
    """The numbers that are not open yet."""
    if asked.seen < 0:
        return ()
    names = list[str]()
    for leaf, way in asked.shown.items():
        closed = way[asked.seen :] if asked.leaf else way[-1:]
        if closed:
            names += [chain_text.move_name(asked.graph, leaf, edge.target) for edge in closed]
            names.append(naming.gradient_name(asked.graph, asked.graph.index(leaf)))
        if asked.leaf:
            names += [naming.local_name(asked.graph, edge) for edge in closed]
    return tuple(names)


def live_numbers(asked: Chains, moving: tuple[graphs.LeafEntry, ...]) -> ui.LiveNumbers:
    """The numbers of the graph and the moves, now and at every position of nudge and leaves."""
    graph, trace, nudge = asked.graph, asked.trace, asked.nudge
    places = ui.slider_positions(nudge, reach=WIDEST, limit=WIDEST, count=backprop_state.POSITIONS)
    leaves = [backprop_state.slider(graph, entry) for entry in moving]
    swept = graphs.sweep(
        graph, moving, torch.tensor(np.array([slider.positions for slider in leaves]))
    )
    how = ui.Slider("nudge", "nudge", "nudge", nudge, places, chain_text.NUDGE_HELP, "gradient")
    nudged = torch.full((1 + len(leaves), len(places)), nudge, dtype=torch.float64)
    nudged[0] = torch.from_numpy(places)
    now = {**naming.by_name(graph, trace), **_moves(asked, trace, nudged[-1, :1].squeeze())}
    here = {name: value.expand(1, len(places)) for name, value in now.items()}
    first = {**here, **_moves(asked, trace, nudged[:1])}
    rest = {**naming.by_name(graph, swept), **_moves(asked, swept, nudged[1:])}
    reach = torch.tensor(_reach(asked), dtype=torch.float64)
    return ui.live_numbers(
        "backprop",
        {**now, "reach": reach},
        [how, *leaves],
        {name: torch.cat([first[name].expand(1, -1), rest[name]]) for name in now}
        | {"reach": reach.expand(nudged.shape)},
    )


def _moves(asked: Chains, trace: GraphTrace, nudge: Tensor) -> dict[str, Tensor]:
    named = {"nudge": nudge}
    for leaf, way in asked.ways.items():
        moves = graphs.moves_along(trace, way, nudge)
        for edge, move in zip(way, moves[1:], strict=True):
            named[chain_text.move_name(asked.graph, leaf, edge.target)] = move
    return named


def _reach(asked: Chains) -> float:
    """The farthest that a node on the stage moves, at the largest nudge."""
    widest = torch.tensor(WIDEST, dtype=torch.float64)
    every = (graphs.moves_along(asked.trace, way, widest) for way in asked.shown.values())
    return max(float(move.abs()) for moves in every for move in moves)


def chain_picture(live: ui.LiveNumbers, asked: Chains) -> ChainPayload:
    """The data of `lessons/backprop/chainrule.js`."""
    movable = {slider.name for slider in live.sliders}
    return {
        "ways": [_way(asked.graph, leaf, way, movable) for leaf, way in asked.shown.items()],
        "each": not asked.leaf,
        "seen": asked.seen,
        "loss": naming.short(asked.graph.nodes[asked.graph.result].name),
    }


def _way(graph: Graph, leaf: str, way: tuple[Edge, ...], movable: set[str]) -> ChainWay:
    letters = naming.short(leaf)
    first: ChainNode = {
        "name": letters,
        "letters": letters,
        "numbers": f"{{{leaf}}}",
        "value": leaf if leaf in movable else "",
        "role": "input",
        "move": "nudge",
    }
    return {
        "leaf": letters,
        "nodes": [first, *(_node(graph, leaf, edge.target) for edge in way)],
        "links": [_link(graph, edge, movable) for edge in way],
        "start": leaf,
        "gradient": naming.gradient_name(graph, graph.index(leaf)),
    }


def _node(graph: Graph, leaf: str, i: int) -> ChainNode:
    node = graph.nodes[i]
    step = next(s for s in graphs.walk(graph) if s.kind == "forward" and s.nodes == (i,))
    numbers = walk_text.forward_text(graph, step).removeprefix(step.text).removeprefix(" = ")
    return {
        "name": naming.short(node.name),
        "letters": step.text,
        "numbers": numbers,
        "value": "",
        "role": "loss" if i == graph.result else "activation",
        "move": chain_text.move_name(graph, leaf, i),
    }


def _link(graph: Graph, edge: Edge, movable: set[str]) -> ChainLink:
    letters = graphs.local_formula(graph, edge.target, edge.position)
    constant = letters.lstrip("−").replace(".", "", 1).isdecimal()
    return {
        "said": naming.local_name(graph, edge).removeprefix("local "),
        "letters": "" if constant else letters,
        "slope": naming.local_name(graph, edge),
        "handle": letters if letters in movable else "",
    }
