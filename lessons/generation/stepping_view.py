"""One token at a time on the Generation page, with branches in which tokens are forced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

from drawing.live import LiveNumbers
from lessons.generation import generation_picture, generation_text
from lessons.generation.generation_picture import SteppedBranch, SteppingMove
from lessons.generation.generation_state import SETTINGS, GenerationState
from lessons.generation.generation_views import TextPlan, get_or_make_all, text_plan
from lmcore.decoding import stepping
from lmcore.decoding.continuations import SECONDS
from lmcore.decoding.strategies import STRATEGIES, Strategy
from lmcore.decoding.token_by_token import allowed_seconds
from ui import components, widgets

MOST_BRANCHES = 4
"""The most branches with forced tokens, in addition to the one without."""


class BranchChoices(NamedTuple):
    """The tokens forced in each branch, place → id, none in the first; and what is on screen."""

    forced: tuple[Mapping[int, int], ...]
    branch: int
    """The selected branch."""
    length: int
    """Tokens shown on screen."""


def step_by_step(scene: GenerationState) -> None:
    """Draw the text one token at a time; any other token can be forced."""
    SETTINGS.draw("gen_stepped")
    strategy = STRATEGIES[SETTINGS.choice("gen_stepped")]
    branches, choices = widgets.validated_or_previous(
        "gen_steps", lambda: _branches(scene, strategy), lambda: _unforced(scene, strategy)
    )
    branch = min(choices.branch, len(branches) - 1)
    shown = generation_picture.stepper(scene.writer, scene.text, branches, branch, choices.length)
    nothing = LiveNumbers("generation-step", (), np.empty(0))

    def on_event(event: SteppingMove) -> None:
        widgets.set_controls(settings_after_event(event, choices, scene.name))

    payload: generation_picture.SteppingPayload = {**shown, "seed": scene.seed}
    components.picture(generation_picture.STEPPING, nothing, payload, on_event=on_event)
    st.caption(generation_text.stepping_words(scene.writer, len(branches[branch].steps[0].tokens)))


def _branches(
    scene: GenerationState, strategy: Strategy
) -> tuple[list[SteppedBranch], BranchChoices]:
    choices = read_branches(scene)
    return step_branches(scene, strategy, choices.forced), choices


def _unforced(
    scene: GenerationState, strategy: Strategy
) -> tuple[list[SteppedBranch], BranchChoices]:
    return step_branches(scene, strategy, ({},)), BranchChoices(({},), 0, 0)


def step_branches(
    scene: GenerationState, strategy: Strategy, several: Sequence[Mapping[int, int]]
) -> list[SteppedBranch]:
    """The steps of each branch, with its forced tokens."""
    plan = text_plan(scene, strategy)
    return get_or_make_all([partial(_branch, plan, tuple(forced.items())) for forced in several])


def _branch(plan: TextPlan, forced: tuple[tuple[int, int], ...]) -> SteppedBranch:
    writer, seconds = plan.writer, allowed_seconds(SECONDS)
    when = {"length": plan.length, "stop": writer.stop, "seconds": seconds}
    how = plan.strategy.sampling_config(plan.settings, plan.seed, forced=dict(forced), **when)
    steps = stepping.decoding_steps(writer.model, torch.tensor(plan.prompt), how)
    return SteppedBranch(dict(forced), tuple(steps))


def read_branches(scene: GenerationState) -> BranchChoices:
    """The branches of the address: `model~2:31;2:40,5:7`, places from 1.

    Raises:
        ValueError: if it is not of that form, or a place or branch is invalid.
    """
    model, _, branches = st.session_state["gen_forced"].rpartition("~")
    parts = [part for part in branches.split(";") if part] if model == scene.name else []
    typed = [_forced(part) for part in parts[:MOST_BRANCHES]]
    forced = ({}, *(each for n, each in enumerate(typed) if each and each not in typed[:n]))
    branch = _whole(st.session_state["gen_branch"], "the branch")
    length = _whole(st.session_state["gen_at"], "the place")
    return BranchChoices(forced, min(branch, len(forced) - 1), length)


def _whole(text: str, place: str) -> int:
    if not text.isdecimal() or len(text) > len("99999"):
        raise ValueError(f"{place} must be a whole number, 0 or more; got {text[:24]!r}")
    return int(text)


def _forced(part: str) -> dict[int, int]:
    pairs = [pair.split(":") for pair in part.split(",")]
    if not all(len(pair) == 2 for pair in pairs):
        raise ValueError(f"a forced token must be place:id, such as 3:17; got {part[:24]!r}")
    places = {_whole(place, "the place of a forced token"): token for place, token in pairs}
    if 0 in places:
        raise ValueError("the place of a forced token must be 1 or more; got 0")
    return {n - 1: _whole(token, "a forced token") for n, token in sorted(places.items())}


def format_branches(name: str, forced: Sequence[Mapping[int, int]]) -> str:
    """Branches in the form of the address."""
    branches = (",".join(f"{n + 1}:{i}" for n, i in each.items()) for each in forced if each)
    return f"{name}~{text}" if (text := ";".join(branches)) else ""


def settings_after_event(event: SteppingMove, now: BranchChoices, model: str) -> dict[str, str]:
    """The settings after an event of the picture: a step, a branch, a dropped or forced token."""
    if "at" in event:
        return {"gen_at": str(event["at"])}
    if "branch" in event:
        return {"gen_branch": str(event["branch"])}
    if "drop" in event:
        kept = [each for n, each in enumerate(now.forced) if n != event["drop"]]
        return {"gen_forced": format_branches(model, kept), "gen_branch": "0"}
    place, token = event["force"]
    before = {n: i for n, i in now.forced[now.branch].items() if n < place}
    new = before | {place: token}
    others = [each for each in now.forced[1:] if each != new]
    kept = [*others[1 - MOST_BRANCHES :], new]
    return {
        "gen_forced": format_branches(model, kept),
        "gen_branch": str(len(kept)),
        "gen_at": str(place + 1),
    }
