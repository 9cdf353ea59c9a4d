"""The sentences and formulas of the picture of a network's blame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drawing.live import LiveNumbers
from lessons.backprop.naming import rich, short
from lmcore import graph as graphs

if TYPE_CHECKING:
    from lessons.backprop.blame_view import Blame

NEAR = 0.05
"""An answer that is so near to its target leaves little to blame."""
AGREE = 1e-6
"""A gradient agrees with its central difference up to this share of the largest gradient."""


def sentence(live: LiveNumbers, asked: Blame) -> str:
    """What the stage on screen shows."""
    if asked.stage == "forward":
        return _forward(live, asked)
    if asked.stage == "output":
        net = asked.network
        out, target = asked.value(net.output), asked.value(net.target)
        letters = f"{_letter(asked, net.output)} − {_letter(asked, net.target)}"
        blame = f"=={{{asked.gradient(net.out_sum)}}}=="
        numbers = f"{{{out}}} − {{{target}}} = {blame}"
        return f"Blame starts as {letters} = {numbers}, and each weight passes on its share."
    return _through(live, asked)


def _forward(live: LiveNumbers, asked: Blame) -> str:
    net = asked.network
    out, target = asked.value(net.output), asked.value(net.target)
    if abs(live[out] - live[target]) < NEAR:
        answer = f"=={{{out}}}== where the answer is {{{target}}}"
        return f"Forward: the network says {answer}: little to blame."
    return (
        f"Forward: the network says =={{{out}}}==, but the answer is {{{target}}}. Who is to blame?"
    )


def _through(live: LiveNumbers, asked: Blame) -> str:
    at_the_kink = [i for i in asked.units if live[asked.value(asked.network.sums, i)] == 0]
    if at_the_kink:
        return (
            f"Unit {at_the_kink[0] + 1} is exactly at 0: its slope counts as 0 here, "
            "and as 1 on the slide."
        )
    shut = shut_units(live, asked)
    if not shut:
        first = asked.gradient(asked.network.weights, 0, 0)
        return (
            "Every unit was on, so blame gets through to every weight: "
            f"=={{{first}}}== to the first one."
        )
    named = " and ".join(str(i + 1) for i in shut)
    slope = f"=={{{asked.local(asked.network.hidden, shut[0])}}}=="
    if len(shut) == 1:
        off = f"Unit {named} was off, so its slope is {slope}"
        return f"{off}: no blame gets through, its weights do not move."
    return (
        f"Units {named} were off: slope {slope}, no blame gets through, their weights do not move."
    )


def shut_units(live: LiveNumbers, asked: Blame) -> list[int]:
    """The hidden units that let nothing through, from 0."""
    return [i for i in asked.units if live[asked.local(asked.network.hidden, i)] == 0]


def moved(asked: Blame) -> str:
    """The sentence while a bias or the target is dragged."""
    net = asked.network
    answer = f"{_letter(asked, net.output)} = [activation|{{{asked.value(net.output)}}}]"
    letters = f"{_letter(asked, net.output)} − {_letter(asked, net.target)}"
    blame = f"**[gradient|{{{asked.gradient(net.out_sum)}}}]**"
    return (
        f"You moved **{{label}}** from {{moved<}} to =={{moved}}==: {answer}, {letters} = {blame}."
    )


def formula(live: LiveNumbers, asked: Blame) -> list[str]:
    """The equations of the stage on screen."""
    return {"forward": _sums, "output": _shares, "weights": _slopes}[asked.stage](live, asked)


def _sums(live: LiveNumbers, asked: Blame) -> list[str]:
    net = asked.network
    terms = [
        f"{{{asked.value(net.out_weights, i)}:p}}·{{{asked.value(net.hidden, i)}:p}}"
        for i in asked.units
    ]
    total = " + ".join([*terms, f"{{{asked.value(net.out_bias)}:p}}"])
    out_sum, out = asked.value(net.out_sum), asked.value(net.output)
    return [
        f"[score|{_letter(asked, net.out_sum)} = {total} = **{{{out_sum}}}**]",
        f"[activation|{_letter(asked, net.output)} = σ({{{out_sum}}}) = **{{{out}}}**]",
    ]


def _shares(live: LiveNumbers, asked: Blame) -> list[str]:
    net = asked.network
    start, out = asked.gradient(net.out_sum), _letter(asked, net.output)
    chain = f"{{{asked.gradient(net.output)}:p}} · {{{asked.local(net.output)}}}"
    share = asked.gradient(net.hidden, 0)
    weight = asked.value(net.out_weights, 0)
    return [
        f"[gradient|{rich(start)}] = {rich(asked.gradient(net.output))} · {out}(1 − {out}) = "
        f"{chain} = **[gradient|{{{start}}}]**",
        f"[gradient|{_places(share)}] = {{{start}:p}} · [weight|{{{weight}:p}}] = "
        f"**[gradient|{{{share}}}]**",
    ]


def _slopes(live: LiveNumbers, asked: Blame) -> list[str]:
    net = asked.network
    unit = next(iter(shut_units(live, asked)), 0)
    arrived = f"{{{asked.gradient(net.hidden, unit)}:p}} · {{{asked.local(net.hidden, unit)}}}"
    behind = asked.gradient(net.sums, unit)
    share = f"[gradient|{_places(behind)}] = {arrived} = **[gradient|{{{behind}}}]**"
    first = asked.gradient(net.weights, 0, 0)
    slope = f"{{{asked.gradient(net.sums, 0)}:p}} · [input|{{{asked.value(net.inputs, 0)}:p}}]"
    weight = f"[gradient|{_places(first)}] = {slope} = **[gradient|{{{first}}}]**"
    return [share, weight, *([AGREEING] if agrees(asked) else [])]


AGREEING = "central differences agree"


def agrees(asked: Blame) -> bool:
    """Whether central differences find the gradients of the first layer, too."""
    net = asked.network
    compared = {row.node: row for row in graphs.compare_gradients(asked.graph, asked.trace)}
    rows = [compared[node] for node in (net.weights, net.biases)]
    largest = max(float(row.hand.abs().max()) for row in rows)
    return all(float((row.hand - row.numeric).abs().max()) <= AGREE * largest for row in rows)


def _letter(asked: Blame, node: int) -> str:
    return rich(short(asked.graph.nodes[node].name))


def _places(name: str) -> str:
    """A name with its places in square brackets, as the program counts them."""
    return rich(name.replace("(", "[").replace(")", "]"))


def describe(asked: Blame) -> str:
    """Alt text: the network, its answer, and what its stage shows."""
    net = asked.network
    size = f"{len(asked.inputs)} inputs, {len(asked.units)} hidden units with ReLU, one output"
    answer = f"it says {{{asked.value(net.output)}}}, the target is {{{asked.value(net.target)}}}"
    text = f"A network of {size}: {answer}."
    if asked.stage == "forward":
        return text
    shares = ", ".join(f"{{{asked.gradient(net.hidden, i)}}}" for i in asked.units)
    back = f"Back from it flows {{{asked.gradient(net.out_sum)}}}"
    text += f" {back}; at the hidden units arrive {shares}."
    if asked.stage == "output":
        return text
    slopes = ", ".join(
        f"{{{asked.gradient(net.weights, i, j)}}}" for i in asked.units for j in asked.inputs
    )
    return f"{text} The gradients of the first weights: {slopes}."
