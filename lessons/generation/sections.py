"""What the Generation page draws: every strategy's card, one choice after the other, the code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
import streamlit as st

from lessons.generation import picture as figures
from lessons.generation import text as words
from lessons.generation.picture import SteppedBranch
from lessons.generation.state import GenerationState
from lmcore.decoding import stepping, sweeps
from lmcore.decoding.continuations import SECONDS, Continuation, continue_prompt
from lmcore.decoding.strategies import STRATEGIES, Strategy
from lmcore.decoding.sweeps import FirstTokenOdds, FirstTokenSweep
from lmcore.decoding.writing import allowed_seconds
from ui import components, settings, widgets
from ui.compute import shared_results
from ui.live import NO_SWEEP, FloatArray, LiveNumbers, Slider

T = TypeVar("T")
STEPPED = tuple(name for name, each in STRATEGIES.items() if each.kind in ("greedy", "walk"))
"""Strategies that write a token at a time."""
EXACT_MODELS = ("grammar", "tree")
"""Models whose every probability is given."""
MOST_BRANCHES = 4
"""Forced branches that are kept beside the one in which nothing is forced."""
REMEMBERED = 256
"""Texts and sweeps of this session that are not written again when something else changes."""
SHARED = 512
"""Texts and sweeps that other visitors need not wait for."""
HELP = {
    "temperature": ("τ", "Temperature", "Near 0 the most probable takes all; above 1 all even out"),
    "top_k": ("top-k", "Top-k, tokens", "So many may be drawn; 0 keeps all"),
    "top_p": ("top-p", "Top-p, probability", "The fewest that sum to it may be drawn"),
    "min_p": ("min-p", "Min-p, share of the largest", "Less than this share is cut"),
    "typical": ("typical", "Typical, probability", "Those near the entropy, until they sum to it"),
    "repetition": ("repeat", "Repetition penalty", "Above 1: less of what stands there"),
}
"""Setting → its name on the slider, in words, and what to look for."""


class BranchChoices(NamedTuple):
    """What was forced in each branch, place → id, nothing in the first; and where one stands."""

    forced: tuple[Mapping[int, int], ...]
    branch: int
    """The one that is looked at."""
    at: int
    """Tokens that are written on screen."""


def get_or_make_all(wanted: Mapping[Hashable, Callable[[], T]]) -> list[T]:
    """What was made before, here or by another visitor who asked for the same, and the rest."""
    mine = _mine()
    found = {key: mine[key] for key in wanted if key in mine}
    missing = {key: make for key, make in wanted.items() if key not in found}
    found |= shared_results.shared_results_by_key(
        "written texts", missing, most=SHARED, says="Writing"
    )
    return [get_or_make(mine, key, partial(found.__getitem__, key)) for key in wanted]


def _mine() -> dict[Hashable, Any]:
    """What was made before in this session."""
    mine: dict[Hashable, Any] = st.session_state.setdefault("gen-made", {})
    return mine


def get_or_make(mine: dict[Hashable, Any], key: Hashable, make: Callable[[], T]) -> T:
    """That of the key, made if it is not there; what was used longest ago goes."""
    made: T = mine.pop(key) if key in mine else make()
    mine[key] = made
    if len(mine) > REMEMBERED:
        del mine[next(iter(mine))]
    return made


def model_key(scene: GenerationState) -> Hashable:
    """The model and its prompt."""
    return scene.name, scene.writer.name, tuple(scene.prompt.tolist())


def text_key(scene: GenerationState, strategy: Strategy) -> Hashable:
    """All that a text of the strategy depends on."""
    taken = tuple(getattr(scene.settings, name) for name in strategy.takes)
    return (
        model_key(scene),
        strategy.name,
        taken,
        scene.seed if strategy.draws else None,
        scene.length,
    )


def texts(scene: GenerationState, names: Sequence[str]) -> dict[str, Continuation]:
    """What each strategy writes."""
    strategies = [STRATEGIES[name] for name in names]
    made = get_or_make_all(
        {("text", text_key(scene, each)): partial(_text, scene, each) for each in strategies}
    )
    return dict(zip(names, made, strict=True))


def _text(scene: GenerationState, strategy: Strategy) -> Continuation:
    return continue_prompt(
        scene.writer,
        scene.prompt,
        strategy,
        scene.settings,
        seed=scene.seed,
        length=scene.length,
    )


def first_token_sweep(
    scene: GenerationState, names: Sequence[str]
) -> tuple[FirstTokenSweep, LiveNumbers]:
    """The first token under each strategy, at every position of every slider."""
    mine, asked = _mine(), model_key(scene)
    found = sweeps.sweep_first_token(
        scene.writer.model,
        scene.prompt,
        scene.settings,
        scene.seed,
        tuple(names),
        lambda key, make: get_or_make(mine, (key, asked), make),
    )
    sliders = tuple(_slider(scene, name) for name in sweeps.SLIDER_RANGES if _matters(name, names))
    here = (sweeps.POSITIONS, len(found.tokens) + 1)
    called, now, every = [], [], []
    for name, shown in found.now.items():
        called += [f"{name}.{row}" for row in range(len(found.tokens))] + [f"{name}.chosen"]
        now.append(_numbers(shown))
        moved = [found.swept.get(slider.name, {}).get(name, shown) for slider in sliders]
        every.append([np.broadcast_to(_numbers(each), here) for each in moved])
    table = np.concatenate(every, axis=-1) if sliders else NO_SWEEP
    return found, LiveNumbers("generation", tuple(called), np.concatenate(now), sliders, table)


def _numbers(shown: FirstTokenOdds) -> FloatArray:
    """Those of a strategy's card: p of each row, and the row that is chosen."""
    chosen = shown.chosen.numpy()[..., None]
    return np.concatenate([shown.probabilities.numpy(), chosen], axis=-1)


def _matters(setting: str, names: Sequence[str]) -> bool:
    return any(setting in STRATEGIES[name].takes for name in names)


def _slider(scene: GenerationState, name: str) -> Slider:
    value = float(getattr(scene.settings, name))
    label, spoken, look_for = HELP[name]
    places = sweeps.slider_positions(name, value)
    return Slider(name, label, spoken, value, places, look_for, role="weight")


def store_slider(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed."""
    widgets.set_controls({f"gen_{moved['name']}": moved["typed"]})


def cards(
    scene: GenerationState,
    first: FirstTokenSweep,
    live: LiveNumbers,
    found: Mapping[str, Continuation],
) -> None:
    """Every strategy beside the others."""
    components.picture("generation", live, figures.cards(scene.writer, scene.text, first, found))
    st.caption(words.CARDS + (words.UNDERLINED if scene.writer.truth else ""))
    kind: widgets.Provenance = "computed" if scene.name in EXACT_MODELS else "measured here"
    widgets.notice(*words.notice(found, scene.seed), kind=kind)


def read_branches(scene: GenerationState) -> BranchChoices:
    """The branches of the address: `model~2:31;2:40,5:7`, places from 1.

    Raises:
        ValueError: if it is not of that form, or a place or branch cannot be.
    """
    model, _, said = st.session_state["gen_forced"].rpartition("~")
    parts = [part for part in said.split(";") if part] if model == scene.name else []
    typed = [_forced(part) for part in parts[:MOST_BRANCHES]]
    forced = ({}, *(each for n, each in enumerate(typed) if each and each not in typed[:n]))
    branch = _whole(st.session_state["gen_branch"], "the branch")
    at = _whole(st.session_state["gen_at"], "the place")
    return BranchChoices(forced, min(branch, len(forced) - 1), at)


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
    """Branches as the address has them."""
    said = (",".join(f"{n + 1}:{i}" for n, i in each.items()) for each in forced if each)
    return f"{name}~{text}" if (text := ";".join(said)) else ""


def step_branches(
    scene: GenerationState, strategy: Strategy, several: Sequence[Mapping[int, int]]
) -> list[SteppedBranch]:
    """Branches, step by step; in each other tokens are forced."""
    how = text_key(scene, strategy)
    return get_or_make_all(
        {
            ("steps", how, tuple(forced.items())): partial(_branch, scene, strategy, forced)
            for forced in several
        }
    )


def _branch(scene: GenerationState, strategy: Strategy, forced: Mapping[int, int]) -> SteppedBranch:
    when = {"length": scene.length, "stop": scene.writer.stop, "seconds": allowed_seconds(SECONDS)}
    how = strategy.how(scene.settings, scene.seed, forced=forced, **when)
    return SteppedBranch(
        forced, tuple(stepping.decoding_steps(scene.writer.model, scene.prompt, how))
    )


def step_by_step(scene: GenerationState) -> None:
    """One token at a time; any other can be forced."""
    labels = {name: STRATEGIES[name].label for name in STEPPED}
    settings.pills("gen_stepped", "Step through", labels)
    strategy = STRATEGIES[settings.allowed_value("gen_stepped", STEPPED)]
    made = widgets.validated_or_previous(
        "gen_steps", lambda: _branches(scene, strategy), lambda: _unforced(scene, strategy)
    )
    branches, at = made
    branch = min(at.branch, len(branches) - 1)
    shown = figures.stepper(scene.writer, scene.text, branches, branch, at.at)
    nothing = LiveNumbers("generation-step", (), np.empty(0))

    def told(what: dict[str, Any]) -> None:
        widgets.set_controls(settings_after_event(what, at, scene.name))

    components.picture("generation", nothing, {**shown, "seed": scene.seed}, on_told=told)
    st.caption(words.stepping_words(scene.writer, len(branches[branch].steps[0].tokens)))


def _branches(
    scene: GenerationState, strategy: Strategy
) -> tuple[list[SteppedBranch], BranchChoices]:
    at = read_branches(scene)
    return step_branches(scene, strategy, at.forced), at


def _unforced(
    scene: GenerationState, strategy: Strategy
) -> tuple[list[SteppedBranch], BranchChoices]:
    return step_branches(scene, strategy, ({},)), BranchChoices(({},), 0, 0)


def settings_after_event(what: Mapping[str, Any], now: BranchChoices, model: str) -> dict[str, str]:
    """The settings after what the hand did."""
    if "at" in what:
        return {"gen_at": str(int(what["at"]))}
    if "branch" in what:
        return {"gen_branch": str(int(what["branch"]))}
    if "drop" in what:
        kept = [each for n, each in enumerate(now.forced) if n != int(what["drop"])]
        return {"gen_forced": format_branches(model, kept), "gen_branch": "0"}
    place, token = map(int, what["force"])
    before = {n: i for n, i in now.forced[now.branch].items() if n < place}
    new = before | {place: token}
    others = [each for each in now.forced[1:] if each != new]
    kept = [*others[1 - MOST_BRANCHES :], new]
    return {
        "gen_forced": format_branches(model, kept),
        "gen_branch": str(len(kept)),
        "gen_at": str(place + 1),
    }


def numbers(scene: GenerationState, found: Mapping[str, Continuation]) -> None:
    """The numbers of all cards in one table."""
    components.table(
        words.NUMBERS,
        [words.number_row(name, text) for name, text in found.items()],
        name="generation-numbers",
        caption=f"After “{scene.text}”, each strategy’s text",
    )
    st.caption(words.numbers_words(scene.writer))
