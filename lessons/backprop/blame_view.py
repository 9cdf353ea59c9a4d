"""The picture of a network's blame: forward, then back through the same edges."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypedDict, cast

import numpy as np
import torch

import ui
from drawing.payload import NumberName, Script
from lessons.backprop import backprop_state, blame_text, naming
from lessons.backprop.backprop_questions import blame_questions
from lessons.backprop.backprop_state import LESSON, SETTINGS
from lessons.backprop.blame_network import Network, network_of
from lmcore import graph as graphs
from lmcore.graph import Graph, GraphTrace, LeafEntry

SEE = "Blame flows back"
LACKING = "it is drawn for one hidden layer of ReLUs, a sigmoid, and a target y"
Stage = Literal["forward", "output", "weights"]


class BlameInput(TypedDict):
    """An input: the name of its number, and its label."""

    name: NumberName
    label: str


class BlameUnit(TypedDict):
    """A hidden unit: the names of its numbers; `handle` is the slider of its bias."""

    sum: NumberName
    out: NumberName
    slope: NumberName
    weight: NumberName
    """The weight from it to the output."""
    blame: NumberName
    """The gradient of its output."""
    weights: list[NumberName]
    """The weights from the inputs to it."""
    slopes: list[NumberName]
    """The gradients of those."""
    handle: NumberName


class BlamePayload(TypedDict):
    """The network at a stage: forward, back to the hidden units, or back to the first weights."""

    stage: str
    inputs: list[BlameInput]
    units: list[BlameUnit]
    out: NumberName
    outLabel: str
    blame: NumberName
    blameLabel: str
    target: NumberName
    targetLabel: str
    gapLabel: str
    sharesLabel: str
    slopesLabel: str


BLAME = Script("blame", BlamePayload, ("*",))


class Blame(NamedTuple):
    """A program's network with its numbers, and the stage on screen."""

    graph: Graph
    trace: GraphTrace
    network: Network
    stage: Stage

    @property
    def units(self) -> range:
        """The hidden units, from 0."""
        return range(self.graph.shapes[self.network.hidden][0])

    @property
    def inputs(self) -> range:
        """The inputs, from 0."""
        return range(self.graph.shapes[self.network.inputs][0])

    def value(self, node: int, *at: int) -> str:
        """The name of a value, or of one of its numbers; places count from 0."""
        return _entry(naming.value_name(self.graph, node), at)

    def gradient(self, node: int, *at: int) -> str:
        """The name of a gradient, or of one of its numbers."""
        return _entry(naming.gradient_name(self.graph, node), at)

    def local(self, node: int, *at: int) -> str:
        """The name of the local derivative of a function of one operand."""
        edge = graphs.Edge(self.graph.nodes[node].operands[0], node, 0)
        return _entry(naming.local_name(self.graph, edge), at)


def _entry(name: str, at: tuple[int, ...]) -> str:
    return f"{name}({','.join(str(i + 1) for i in at)})" if at else name


def is_shown(graph: Graph) -> bool:
    """Whether the program is a network that the picture can draw."""
    return network_of(graph) is not None


def show(rows: ui.Rows, graph: Graph, trace: GraphTrace) -> ui.LiveNumbers:
    """Draw the network on the stage, beside it the biases and the target; returns its numbers."""
    network = network_of(graph)
    assert network is not None, "the page asks is_shown first"
    asked = Blame(graph, trace, network, cast(Stage, SETTINGS.choice("blame")))
    live = live_numbers(asked)
    with rows.rail:
        hidden = ui.predict_first(blame_questions(live, asked))
        if not ui.presenting():
            SETTINGS.draw("blame")
        ui.sliders(live, on_settled=backprop_state.store_slider)
        with ui.more(rows):
            if ui.presenting():
                SETTINGS.draw("blame")
            SETTINGS.draw("program")
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=[blame_text.sentence(live, asked)],
            moved=blame_text.moved(asked),
            formula=[blame_text.formula(live, asked)],
            alt=blame_text.describe(asked),
            hidden=hidden,
        )
        ui.main_picture(BLAME, live, blame_picture(asked), texts)
    return live


def entries(asked: Blame) -> tuple[LeafEntry, ...]:
    """The leaves with a slider: the bias of each hidden unit, and the target."""
    names = {asked.graph.nodes[node].name for node in (asked.network.biases, asked.network.target)}
    every = (each for each in graphs.leaf_entries(asked.graph) if each.leaf in names)
    return tuple(sorted(every, key=lambda entry: not entry.at))


def live_numbers(asked: Blame) -> ui.LiveNumbers:
    """Every number of the graph, now and at every position of the biases and the target."""
    graph, moving = asked.graph, entries(asked)
    sliders = [_slider(graph, entry) for entry in moving]
    positions = torch.tensor(np.array([slider.positions for slider in sliders]))
    swept = graphs.sweep(graph, moving, positions)
    now = naming.by_name(graph, asked.trace)
    return ui.live_numbers("backprop", now, sliders, naming.by_name(graph, swept))


def _slider(graph: Graph, entry: LeafEntry) -> ui.Slider:
    if entry.at:
        return backprop_state.slider(graph, entry)
    value = float(graph.leaves[entry.leaf])
    places = np.linspace(0.0, 1.0, backprop_state.POSITIONS)
    if 0.0 <= value <= 1.0:
        places[np.abs(places - value).argmin()] = value
    name, look_for = naming.short(entry.label), "Drag: the blame begins as a minus this"
    spoken = f"the target {name}"
    return ui.Slider(naming.entry_name(entry), name, spoken, value, places, help=look_for)


def blame_picture(asked: Blame) -> BlamePayload:
    """The data of `lessons/backprop/blame.js`."""
    graph, net = asked.graph, asked.network
    letters = {node: naming.short(graph.nodes[node].name) for node in net}
    return {
        "stage": asked.stage,
        "inputs": [
            {"name": asked.value(net.inputs, j), "label": f"{letters[net.inputs]}[{j + 1}]"}
            for j in asked.inputs
        ],
        "units": [_unit(asked, i) for i in asked.units],
        "out": asked.value(net.output),
        "outLabel": f"{letters[net.output]} = σ({letters[net.out_sum]})",
        "blame": asked.gradient(net.out_sum),
        "blameLabel": asked.gradient(net.out_sum),
        "target": asked.value(net.target),
        "targetLabel": letters[net.target],
        "gapLabel": f"{letters[net.output]} − {letters[net.target]}",
        "sharesLabel": asked.gradient(net.hidden),
        "slopesLabel": asked.gradient(net.weights),
    }


def _unit(asked: Blame, i: int) -> BlameUnit:
    net = asked.network
    return {
        "sum": asked.value(net.sums, i),
        "out": asked.value(net.hidden, i),
        "slope": asked.local(net.hidden, i),
        "weight": asked.value(net.out_weights, i),
        "blame": asked.gradient(net.hidden, i),
        "weights": [asked.value(net.weights, i, j) for j in asked.inputs],
        "slopes": [asked.gradient(net.weights, i, j) for j in asked.inputs],
        "handle": asked.value(net.biases, i),
    }
