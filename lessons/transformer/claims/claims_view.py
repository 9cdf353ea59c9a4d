"""The view “Four claims”: one small experiment for each reason to build a Transformer."""

from __future__ import annotations

from functools import lru_cache, partial

import plotly.graph_objects as go
import streamlit as st

import ui
from drawing.theme import Mode
from lessons.transformer import cost_figures
from lessons.transformer.claims import claims_text
from lessons.transformer.cost_view import measured_on
from lmcore.dataframes import Table
from lmcore.models.positions import encoding_facts
from lmcore.recurrence.recall import CHANCE, load_results
from lmcore.shipped.models import load_shipped
from lmcore.transformer import four_claims
from lmcore.transformer.four_claims import HeadRelation, Recalled
from lmcore.transformer.measured_cost import MeasuredCost, measure_costs
from lmcore.transformer.path_length import (
    PathLengths,
    last_of_block,
    last_of_recurrent,
    measure_paths,
)
from ui import compute, contents

SENTENCE, ORDER = ("the", "dog", "near", "the", "cats", "sleeps"), (0, 4, 2, 3, 1, 5)
"""The words, and the order that swaps dog and cats."""
TIME, WIDTH, HEADS = 256, 128, 4
"""The sizes of the block and the RNN that are timed."""


def claims_view() -> None:
    """Draw the four experiments side by side, their figures, and what is quoted."""
    st.caption(f"In quotation marks: {claims_text.DECK}. :gray-badge[quoted]")
    cards = (_distance, _order, _heads, _parallel)
    for column, draw in zip(st.columns(4, border=True), cards, strict=True):
        with column:
            draw()
    left, right = st.columns(2)
    with left:
        _draw_recall()
    with right:
        _draw_heads()
    with left, st.container(border=True):
        st.markdown(f"**The paper’s numbers**\n{claims_text.ABSTRACT}")
    with right, st.container(border=True):
        st.markdown(f"**What it is used for**\n{claims_text.APPLICATIONS}")


def _draw_finding(name: str, finding: claims_text.Finding, kind: str) -> None:
    title, claim = claims_text.CLAIMS[name]
    st.markdown(f"**{title}**")
    st.caption(f"“{claim}”")
    st.markdown(f"##### {finding.short}\n{finding.sentence} :gray-badge[{kind}]")


def _link(slug: str, label: str) -> None:
    st.page_link(contents.page(slug).script, label=label, icon=contents.page(slug).icon)


def _recalled() -> Table[Recalled]:
    return compute.shared_result(
        "recall by attention",
        partial(four_claims.learn_recall),
        most=1,
        says="Training three networks",
        apart=True,
    )


def _distance() -> None:
    _draw_finding("distance", claims_text.recall_finding(_recalled()), "measured here")
    _link("lstm", "LSTM: why RNNs forget")


def _order() -> None:
    _draw_finding("order", _order_finding(), "computed")
    _link("positions", "Positions: two orders")


def _heads() -> None:
    _draw_finding("heads", claims_text.heads_finding(_muted()), "measured here")
    _link("heads", "Heads: surgery")


@lru_cache(maxsize=1)
def _order_finding() -> claims_text.Finding:
    return claims_text.order_finding(four_claims.change_order(SENTENCE, ORDER), encoding_facts())


@lru_cache(maxsize=1)
def _muted() -> Table[HeadRelation]:
    return four_claims.mute_heads(load_shipped("gpt")[0])


@lru_cache(maxsize=2)
def _recall_figure(found: Table[Recalled], mode: Mode) -> go.Figure:
    shares = {"": {each.network: each.accuracy for each in found}}
    return cost_figures.bars_figure(shares, mode, title="share recalled", chance=CHANCE)


def _draw_recall() -> None:
    found = _recalled()
    ui.show_figure(
        _recall_figure(found, ui.theme_mode()),
        name="claim-distance",
        reading=f"Long distances, measured here. Dotted: chance. {claims_text.recall_sizes(found)}",
        alt=claims_text.recall_finding(found).sentence.replace("**", ""),
    )
    st.caption(claims_text.recorded_recall(load_results()))


@lru_cache(maxsize=2)
def _heads_figure(found: Table[HeadRelation], mode: Mode) -> go.Figure:
    shares = {
        relation: {
            "none" if each.head is None else str(each.head): each.right
            for each in found
            if each.relation == relation
        }
        for relation in four_claims.RELATIONS
    }
    return cost_figures.bars_figure(shares, mode, title="share right", chance=0.5)


def _draw_heads() -> None:
    found = _muted()
    ui.show_figure(
        _heads_figure(found, ui.theme_mode()),
        name="claim-heads",
        reading=f"By muted head, layer.head, measured here on {found[0].items} sentences each. "
        "Dotted: chance.",
        alt=claims_text.heads_finding(found).sentence.replace("**", ""),
    )


def time_both() -> tuple[MeasuredCost, str]:
    """The times of the block and the RNN, and the device."""
    return measure_costs(WIDTH, HEADS, (TIME,))[0], measured_on()


@lru_cache(maxsize=1)
def _paths() -> dict[str, PathLengths]:
    networks = {"RNN": last_of_recurrent, "block": last_of_block}
    return {name: measure_paths(last, (TIME,))[0] for name, last in networks.items()}


def _parallel() -> None:
    cost, where = compute.shared_result(
        "block and RNN", partial(time_both), most=1, says="Measuring", apart=True
    )
    _draw_finding("parallel", claims_text.parallel_finding(cost, _paths(), where), "measured here")
    show_cost = partial(ui.set_controls, {"see": "Cost"})
    st.button("Cost against T", icon=":material/timer:", key="claim-cost", on_click=show_cost)
