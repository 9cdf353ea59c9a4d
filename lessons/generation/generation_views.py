"""The Generation page: its controls, the strategies side by side, their numbers and code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeVar

import streamlit as st
import torch

import ui
from drawing.events import Moved
from drawing.live import LiveNumbers, Slider, StageTexts, live_numbers
from lessons.generation import (
    generation_code,
    generation_picture,
    generation_questions,
    generation_text,
)
from lessons.generation.generation_picture import PressedStrategy
from lessons.generation.generation_state import (
    EXACT_MODELS,
    LANES,
    LESSON,
    SETTINGS,
    GenerationState,
    prompt_setting,
    writes_quickly,
)
from lmcore.checks import check_one_of
from lmcore.decoding import beam, filters, sweeps, token_by_token
from lmcore.decoding.continuations import Continuation, continue_prompt
from lmcore.decoding.strategies import STRATEGIES, Strategy, StrategySettings
from lmcore.decoding.sweeps import FirstTokenSweep
from lmcore.decoding.writer import Writer
from ui import components, compute, widgets

T = TypeVar("T")
WIDTHS = ("1", "2", "3", "4", "8", "16")
LECTURE = ("greedy", "beam", "walk")
OF_CARDS = ("temperature", "top_k", "top_p")
"""The sliders that are shown if no lane has one."""
REMEMBERED = 256
"""Texts and sweeps kept per session, so that unrelated changes do not recompute them."""
SHARED = 512
"""Texts and sweeps kept for all sessions together."""
HELP = {
    "temperature": (
        "τ",
        "Temperature",
        "Near 0 only the most probable token is drawn; above 1, p becomes more uniform",
    ),
    "top_k": ("top-k", "Top-k, tokens", "Only the k most probable may be drawn; 0 keeps all"),
    "top_p": (
        "top-p",
        "Top-p, probability",
        "Only the fewest tokens whose p sum to this may be drawn",
    ),
    "min_p": ("min-p", "Min-p, share of the largest", "Tokens below this share are cut"),
    "typical": (
        "typical",
        "Typical, probability",
        "Tokens with a surprise near the entropy, until their p sum to this",
    ),
    "repetition": ("repeat", "Repetition penalty", "Above 1, tokens already there are less likely"),
}
"""Setting → its name on the slider, in words, and its help text."""


def controls(lanes: Sequence[str], *, again: Callable[[], None] | None = None) -> None:
    """The prompt and the seed, and the beam width where a lane searches.

    *Another* takes the next seed, or does what `again` does.
    """
    prompt = prompt_setting(SETTINGS.choice("gen_model"))
    SETTINGS.draw(prompt)
    if prompt == "gen_text":
        ui.microworld_popover(_add_word, doing="Press a word: it is added to the prompt")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        SETTINGS.draw("gen_seed")
        on_click = again or another_seed
        st.button("Another", key="gen-again", on_click=on_click, help="The next seed")
    if "width" in {taken for name in lanes for taken in STRATEGIES[name].takes}:
        SETTINGS.draw("gen_width", options=widths())


def _add_word(word: str) -> None:
    ui.set_controls({"gen_text": f"{SETTINGS.text('gen_text')} {word}".strip()})


def another_seed() -> None:
    """Increase the seed by one; 1 if it is not a number."""
    typed = st.session_state["gen_seed"]
    widgets.set_controls(
        {"gen_seed": str(int(typed) + 1) if typed.isdecimal() and len(typed) < 9 else "1"}
    )


def shown_lanes() -> tuple[str, ...]:
    """The strategies in the lanes; by default the lecture's three."""
    typed = tuple(dict.fromkeys(SETTINGS.several("gen_shown")))
    unknown = [name for name in typed if name not in STRATEGIES]
    if unknown:
        known = ", ".join(STRATEGIES)
        widgets.show_error(ValueError(f"a strategy must be one of {known}; got {unknown[0]!r:.40}"))
    return tuple(name for name in typed if name in STRATEGIES)[:LANES] or LECTURE


def lane_looked_at(lanes: Sequence[str]) -> str:
    """The chosen lane; empty if there is none."""
    chosen = str(st.session_state["gen_lane"])
    return chosen if chosen in lanes else ""


def store_press(lanes: Sequence[str], lane: str, pressed: PressedStrategy) -> None:
    """Select a pressed lane, or make a pressed card a lane, if need be in place of another."""
    if "lane" in pressed:
        widgets.set_controls({"gen_lane": pressed["lane"]})
        return
    card = pressed["promote"]
    check_one_of("a strategy", card, STRATEGIES)
    if len(lanes) < LANES:
        after = [*lanes, card]
    else:
        gone = lane or lanes[-1]
        after = [card if name == gone else name for name in lanes]
    widgets.set_controls({"gen_shown": ", ".join(after), "gen_lane": card})


def more_controls() -> None:
    """The model, and settings that are changed more rarely."""
    SETTINGS.draw("gen_model", "gen_shown", "gen_length", "gen_length_penalty")
    SETTINGS.draw("gen_no_repeat", "gen_groups", "gen_diversity", "gen_early")


def widths() -> list[str]:
    """The widths to choose from, and the one in the address if it is valid."""
    now = st.session_state["gen_width"]
    good = now.isdecimal() and 1 <= int(now) <= beam.WIDEST
    return sorted({*WIDTHS, *([now] if good else [])}, key=int)


def prompt_notes(scene: GenerationState) -> None:
    """Notes on unknown words and on an empty prompt."""
    if strange := scene.writer.unknown(scene.text):
        st.caption(
            widgets.escape_markdown(f"Unknown words, read as <unk>: {', '.join(strange)[:200]}")
        )
    if not scene.text.strip():
        begins = scene.writer.shown(int(scene.prompt[0]))
        st.caption(
            widgets.escape_markdown(f"The prompt is empty, so the text begins with {begins} alone.")
        )


def get_or_make_all(wanted: Sequence[partial[T]]) -> list[T]:
    """The result of each call, cached by this session or another, or else computed now."""
    mine, keys = _mine(), [compute.key_of(call) for call in wanted]
    found = {key: mine[key] for key in keys if key in mine}
    missing = {key: call for key, call in zip(keys, wanted, strict=True) if key not in found}
    found |= compute.shared_results_by_key("written texts", missing, most=SHARED, says="Writing")
    return [_keep(mine, key, found[key]) for key in keys]


def _mine() -> dict[Hashable, Any]:
    """Results kept by this session, by what they depend on."""
    mine: dict[Hashable, Any] = st.session_state.setdefault("gen-made", {})
    return mine


def get_or_make(mine: dict[Hashable, Any], call: partial[T]) -> T:
    """The result of the call, computed if missing; the least recently used result is dropped.

    Its function and all its arguments are the key.
    """
    key = compute.key_of(call)
    return _keep(mine, key, mine[key] if key in mine else call())


def _keep(mine: dict[Hashable, Any], key: Hashable, made: T) -> T:
    mine.pop(key, None)
    mine[key] = made
    if len(mine) > REMEMBERED:
        del mine[next(iter(mine))]
    return made


class TextPlan(NamedTuple):
    """Everything that the text of a strategy depends on."""

    writer: Writer
    prompt: tuple[int, ...]
    strategy: Strategy
    settings: StrategySettings
    """Those that the strategy does not use are at their defaults."""
    seed: int
    """0 if nothing is drawn."""
    length: int


def text_plan(scene: GenerationState, strategy: Strategy) -> TextPlan:
    """The part of the state that the text of a strategy depends on."""
    return TextPlan(
        scene.writer,
        scene.prompt_ids,
        strategy,
        strategy.used(scene.settings),
        scene.seed if strategy.draws else 0,
        scene.length,
    )


def texts(scene: GenerationState, names: Sequence[str]) -> dict[str, Continuation]:
    """The text that each strategy generates."""
    plans = [text_plan(scene, STRATEGIES[name]) for name in names]
    made = get_or_make_all([partial(write_text, plan) for plan in plans])
    return dict(zip(names, made, strict=True))


def write_text(plan: TextPlan) -> Continuation:
    """The text of a strategy."""
    ids, how = torch.tensor(plan.prompt), (plan.strategy, plan.settings)
    return continue_prompt(plan.writer, ids, *how, seed=plan.seed, length=plan.length)


def first_token_sweep(
    scene: GenerationState, lanes: Sequence[str], found: Mapping[str, Continuation]
) -> tuple[FirstTokenSweep, LiveNumbers]:
    """The first token under every strategy, at every position of the sliders that are shown."""
    shown = shown_sliders(lanes)
    first = sweeps.sweep_first_token(
        scene.writer.model,
        scene.prompt,
        scene.settings,
        scene.seed,
        tuple(STRATEGIES),
        partial(get_or_make, _mine()),
        shown,
    )
    sliders = [_slider(scene, name) for name in shown]
    now, swept = generation_picture.numbers(first, found, shown, scene.settings.length_penalty)
    for name in sweeps.SLIDER_RANGES:
        now[name] = torch.tensor(float(getattr(scene.settings, name)), dtype=torch.float64)
        swept[name] = now[name].repeat(len(sliders), sweeps.POSITIONS)
        if name in shown:
            place = shown.index(name)
            swept[name][place] = torch.tensor(sliders[place].positions)
    return first, live_numbers("generation", now, sliders, swept)


def shown_sliders(lanes: Sequence[str]) -> list[str]:
    """The sliders of the lanes, or of three cards where the lanes have none."""
    taken = {setting for name in lanes for setting in STRATEGIES[name].takes}
    return [name for name in sweeps.SLIDER_RANGES if name in taken] or list(OF_CARDS)


def _slider(scene: GenerationState, name: str) -> Slider:
    value = float(getattr(scene.settings, name))
    label, spoken, look_for = HELP[name]
    places = sweeps.slider_positions(name, value)
    return Slider(name, label, spoken, value, places, look_for, role="weight")


def store_slider(moved: Moved) -> None:
    """Store a released slider's value, or a typed number."""
    widgets.set_controls({f"gen_{moved['name']}": moved["typed"]})


def side_by_side(rows: ui.Rows, scene: GenerationState, see: str) -> None:
    """Draw the strategies side by side on the stage, and their controls in the rail."""
    with rows.errors:
        lanes = shown_lanes()
        prompt_notes(scene)
    lane = lane_looked_at(lanes)
    with rows.errors:
        found = texts(scene, tuple(STRATEGIES) if writes_quickly(scene.name) else lanes)
        first, live = first_token_sweep(scene, lanes, found)
    with rows.rail:
        hidden = ui.predict_first(generation_questions.questions(scene, lanes, found, first))
        ui.sliders(live, on_settled=store_slider)
        controls(lanes)
        if not first.swept:
            st.caption("With so many tokens the bars follow once you release the slider.")
        with ui.more(rows):
            more_controls()
    with rows.picture:
        drawing = generation_picture.strategies(
            scene.writer, scene.text, first, found, lanes, lane, scene.seed
        )
        finds = generation_text.VIEWS.get(see) or generation_text.finding(lanes, found)
        ui.main_picture(
            generation_picture.STRATEGIES_SIDE_BY_SIDE,
            live,
            drawing,
            _stage_texts(scene, lanes, found, drawing, finds, hidden),
            on_event=partial(store_press, lanes, lane),
        )


def _stage_texts(
    scene: GenerationState,
    lanes: Sequence[str],
    found: Mapping[str, Continuation],
    drawing: generation_picture.StrategiesPayload,
    finds: str,
    hidden: Sequence[str],
) -> StageTexts:
    names = [each["name"] for each in drawing["strategies"]]
    taken: dict[str, Sequence[str]] = {
        each["name"]: each["takes"] for each in drawing["strategies"]
    }
    top = ui.quoted(drawing["rows"][0])
    return ui.stage_texts(
        LESSON,
        sentences=generation_text.sentences(names, finds, top, scene.writer.types, taken),
        formula=generation_text.formulas(
            names, found, top, scene.settings.length_penalty, shown_sliders(lanes)
        ),
        alt=generation_text.describe(lanes, found, ui.quoted(scene.text), scene.writer),
        kind="computed" if scene.name in EXACT_MODELS else "measured here",
        hidden=hidden,
    )


def numbers(scene: GenerationState) -> None:
    """The numbers of all texts in one table."""
    names = tuple(STRATEGIES) if writes_quickly(scene.name) else shown_lanes()
    found = texts(scene, names)
    components.table(
        generation_text.NUMBERS,
        [generation_text.number_row(name, text) for name, text in found.items()],
        name="generation-numbers",
        caption=f"After “{scene.text}”, each strategy’s text",
    )
    st.caption(generation_text.numbers_words(scene.writer))


def source(scene: GenerationState) -> None:
    """The decks' functions, what they lack, and the code that ran."""
    for each in generation_code.decks():
        st.markdown(f"#### {each.title}: the slide’s function, in our words")
        does, lacks = st.columns(2)
        does.markdown("\n".join(f"{n}. {line}." for n, line in enumerate(each.does, start=1)))
        lacks.markdown("**What is wrong**\n" + "\n".join(f"* {line}." for line in each.lacks))
        widgets.errata(each.errata)
        st.markdown(f"**Here:** {each.replacement}")
    when = f"seed={scene.seed}, length={scene.length}"
    snippet = generation_code.snippet(scene.name, scene.text, scene.settings, shown_lanes(), when)
    widgets.show_code(
        token_by_token.generate_steps,
        token_by_token.most_probable,
        token_by_token.sample_tokens,
        filters.apply_narrowing,
        beam.search,
        beam.rank_candidates,
        beam.judge_candidates,
        snippet=snippet,
        name="generation",
    )
