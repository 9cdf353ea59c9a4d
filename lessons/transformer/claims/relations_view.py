"""The view “A head each”: two relations, and what each loses without one of the heads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TypedDict

import numpy as np
import streamlit as st
from typing_extensions import TypedDict as EventDict

import ui
from drawing.events import Place
from drawing.payload import NumberName, Script
from lessons.transformer.claims import relations_text
from lessons.transformer.claims.claims_questions import relation_questions
from lessons.transformer.claims.claims_state import head_names
from lessons.transformer.claims.relations_text import Relation
from lessons.transformer.transformer_state import LESSON, SETTINGS
from lmcore.dataframes import Table
from lmcore.evaluation.probes import probes
from lmcore.shipped.models import load_shipped
from lmcore.transformer import four_claims
from lmcore.transformer.four_claims import HeadRelation
from ui import compute

A_HEAD_EACH = "A head each"
"""The view that this picture draws."""


class RelationRow(TypedDict):
    """A relation: an example of it, and the heads without which it suffers."""

    name: str
    title: str
    role: str
    prefix: str
    right: str
    wrong: str
    needs: Sequence[str]
    bars: Sequence[NumberName]
    """The number of each head: the share that is right without it, in percent."""


class RelationsPayload(TypedDict):
    """What `lessons/transformer/relations.js` draws besides the numbers."""

    rows: Sequence[RelationRow]
    heads: Sequence[str]
    muted: str
    """The head that is pressed; empty if none is."""
    named: NumberName | None
    """The number that the sentence marks."""
    chance: float
    """The share that is right by guessing, in percent."""
    items: int
    """The sentences of each relation."""
    layers: Sequence[int]
    """The number of heads of each layer."""


class HeadPress(EventDict):
    """The head that was pressed, by its place among all heads."""

    head: Place


RELATIONS = Script("relations", RelationsPayload, ("agreement *", "pronoun *"), HeadPress)


def show(rows: ui.Rows) -> None:
    """Draw both relations on the stage; the picture's own buttons mute the heads."""
    found = relations(muted_heads())
    muted = SETTINGS.choice("mute_head")
    live = live_numbers(found)
    with rows.rail:
        hidden = ui.predict_first(relation_questions(found))
        with ui.more(rows):
            st.caption(relations_text.METHOD)
    with rows.picture:
        told, named = relations_text.finding(found, "" if muted == "none" else muted)
        texts = ui.stage_texts(
            LESSON,
            sentences=[told],
            formula=() if hidden else [relations_text.needs(found)],
            alt=relations_text.describe(found),
            kind="measured here",
            hidden=hidden,
        )
        how = relations_picture(found, "" if muted == "none" else muted, named)
        ui.main_picture(RELATIONS, live, how, texts, on_event=store_press)


def muted_heads() -> Table[HeadRelation]:
    """Each relation in our small GPT with all heads, and with each head muted."""
    make = partial(mute_small_gpt)
    return compute.shared_result("muted heads", make, most=1, says="Muting the heads")


def mute_small_gpt() -> Table[HeadRelation]:
    """Measure it."""
    return four_claims.mute_heads(load_shipped("gpt")[0])


def relations(found: Sequence[HeadRelation]) -> list[Relation]:
    """The shares of each relation by the name of the muted head, and its first test sentence."""
    items = {each.name: each.items[0] for each in probes(count=four_claims.ITEMS, seed=0)}
    return [
        Relation(
            name,
            {str(each.head): round(100 * each.right) for each in found if each.relation == name},
            items[probe],
            found[0].items,
        )
        for name, probe in four_claims.RELATIONS.items()
    ]


def live_numbers(found: Sequence[Relation]) -> ui.LiveNumbers:
    """The share that is right of each relation without each head, in percent."""
    named = {f"{each.name} {head}": float(n) for each in found for head, n in each.right.items()}
    return ui.LiveNumbers("relations", tuple(named), np.array(list(named.values())))


def relations_picture(found: Sequence[Relation], muted: str, named: str | None) -> RelationsPayload:
    """The data of `lessons/transformer/relations.js`."""
    heads = found[0].heads
    layers = [head.split(".")[0] for head in heads]
    rows: list[RelationRow] = [
        {
            "name": each.name,
            "title": relations_text.TITLES[each.name],
            "role": relations_text.ROLES[each.name],
            "prefix": " ".join(each.item.prefix[1:]).replace(" .", "."),
            "right": each.item.right,
            "wrong": each.item.wrong,
            "needs": each.needs,
            "bars": [f"{each.name} {head}" for head in heads],
        }
        for each in found
    ]
    return {
        "rows": rows,
        "heads": heads,
        "muted": muted,
        "named": named,
        "chance": relations_text.CHANCE,
        "items": found[0].items,
        "layers": [layers.count(each) for each in dict.fromkeys(layers)],
    }


def store_press(event: HeadPress) -> None:
    """Mute the head that was pressed; pressed again, it is heard again."""
    heads = head_names()[1:]
    if event["head"] < len(heads):
        head = heads[event["head"]]
        ui.set_controls({"mute_head": "none" if SETTINGS.choice("mute_head") == head else head})
