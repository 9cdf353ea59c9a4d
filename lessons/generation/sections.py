"""The Generation page: its controls, every strategy's card, their numbers, questions and code."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from lessons.generation import code as deck
from lessons.generation import picture as figures
from lessons.generation import text as words
from lessons.generation.state import EXACT_MODELS, SETTINGS, GenerationState, prompt_setting
from lmcore.decoding import beam, filters, sweeps, writing
from lmcore.decoding.continuations import Continuation, continue_prompt
from lmcore.decoding.frontier import frontier
from lmcore.decoding.strategies import STRATEGIES, Strategy
from lmcore.decoding.sweeps import FirstTokenOdds, FirstTokenSweep
from lmcore.numbers import format_number
from ui import components, compute, widgets
from ui.live import NO_SWEEP, FloatArray, LiveNumbers, Slider

T = TypeVar("T")
WIDTHS = ("1", "2", "3", "4", "8", "16")
CHECKED_STEPS = 10
"""Steps of the question about pruning."""
REMEMBERED = 256
"""Texts and sweeps kept by a session, so that other changes do not compute them again."""
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


def controls() -> None:
    """The model, its prompt, the seed and the strategies shown."""
    SETTINGS.draw("gen_model")
    SETTINGS.draw(prompt_setting(SETTINGS.choice("gen_model")))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        SETTINGS.draw("gen_seed")
        st.button("Another seed", on_click=another_seed)
    choice = st.expander("Strategies shown", key="gen_choose", bind="query-params")
    if choice.open:
        with choice:
            SETTINGS.draw("gen_shown")


def another_seed() -> None:
    """Increase the seed by one; 1 if it is not a number."""
    typed = st.session_state["gen_seed"]
    widgets.set_controls(
        {"gen_seed": str(int(typed) + 1) if typed.isdecimal() and len(typed) < 9 else "1"}
    )


def shown_strategies() -> tuple[str, ...]:
    """The strategies side by side, in the page's order; the lecture's three where none is named."""
    typed = SETTINGS.several("gen_shown")
    unknown = [name for name in typed if name not in STRATEGIES]
    if unknown:
        known = ", ".join(STRATEGIES)
        widgets.show_error(ValueError(f"a strategy must be one of {known}; got {unknown[0]!r:.40}"))
    names = tuple(name for name in STRATEGIES if name in typed)
    if not names:
        st.caption("No strategy is chosen, so the lecture’s three are shown.")
    return names or ("greedy", "beam", "walk")


def more() -> None:
    """Beam width, and settings that are changed more rarely."""
    SETTINGS.draw("gen_width", options=widths())
    rare = st.expander("More: length, beams, repeats", key="gen_more", bind="query-params")
    if rare.open:
        with rare:
            SETTINGS.draw("gen_length", "gen_length_penalty", "gen_no_repeat")
            SETTINGS.draw("gen_groups", "gen_diversity", "gen_early")


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


def get_or_make_all(wanted: Mapping[Hashable, Callable[[], T]]) -> list[T]:
    """The result of every key: kept by this session or another, or else computed now."""
    mine = _mine()
    found = {key: mine[key] for key in wanted if key in mine}
    missing = {key: make for key, make in wanted.items() if key not in found}
    found |= compute.shared_results_by_key("written texts", missing, most=SHARED, says="Writing")
    return [get_or_make(mine, key, partial(found.__getitem__, key)) for key in wanted]


def _mine() -> dict[Hashable, Any]:
    """Results kept by this session."""
    mine: dict[Hashable, Any] = st.session_state.setdefault("gen-made", {})
    return mine


def get_or_make(mine: dict[Hashable, Any], key: Hashable, make: Callable[[], T]) -> T:
    """The result of the key, computed if it is missing; the least recently used one is dropped."""
    made: T = mine.pop(key) if key in mine else make()
    mine[key] = made
    if len(mine) > REMEMBERED:
        del mine[next(iter(mine))]
    return made


def model_key(scene: GenerationState) -> Hashable:
    """The model and its prompt."""
    return scene.name, scene.writer.name, tuple(scene.prompt.tolist())


def text_key(scene: GenerationState, strategy: Strategy) -> Hashable:
    """The cache key of a strategy's text: everything it depends on."""
    taken = tuple(getattr(scene.settings, name) for name in strategy.takes)
    return (
        model_key(scene),
        strategy.name,
        taken,
        scene.seed if strategy.draws else None,
        scene.length,
    )


def texts(scene: GenerationState, names: Sequence[str]) -> dict[str, Continuation]:
    """The text that each strategy generates."""
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
    """The numbers of a strategy's card: p of each row, and the chosen row."""
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
    """Store a released slider's value, or a typed number."""
    widgets.set_controls({f"gen_{moved['name']}": moved["typed"]})


def cards(
    scene: GenerationState,
    first: FirstTokenSweep,
    live: LiveNumbers,
    found: Mapping[str, Continuation],
) -> None:
    """Draw the cards of all strategies."""
    components.picture(figures.CARDS, live, figures.cards(scene.writer, scene.text, first, found))
    st.caption(words.CARDS + (words.UNDERLINED if scene.writer.truth else ""))
    kind: widgets.Provenance = "computed" if scene.name in EXACT_MODELS else "measured here"
    widgets.notice(*words.notice(found, scene.seed), kind=kind)


def numbers(scene: GenerationState, found: Mapping[str, Continuation]) -> None:
    """The numbers of all cards in one table."""
    components.table(
        words.NUMBERS,
        [words.number_row(name, text) for name, text in found.items()],
        name="generation-numbers",
        caption=f"After “{scene.text}”, each strategy’s text",
    )
    st.caption(words.numbers_words(scene.writer))


def predict(scene: GenerationState, texts: dict[str, Continuation]) -> None:
    """Ask three questions: a perplexity, the cost of a beam search, and one draw."""
    name, best = max(texts.items(), key=lambda each: each[1].total)
    label = STRATEGIES[name].label
    if best.tokens and math.isfinite(best.perplexity):
        widgets.check_yourself(
            f"{label} generated {len(best.tokens)} tokens; their log p is "
            f"{format_number(best.total)}. "
            "What is the text’s perplexity?",
            answer=best.perplexity,
            because="exp(−log p / T): the score of the slide’s formula, divided by T on both "
            "sides, and its exponential.",
            key="gen-perplexity",
        )
    width = scene.settings.width
    counts = frontier(width, CHECKED_STEPS)
    widgets.check_yourself(
        f"Beam search of width {width} makes {CHECKED_STEPS} steps and no text ends. How many "
        "hypotheses does it expand?",
        answer=float(counts.expanded),
        because=f"1, then {width} at each step. Without pruning {counts.held:,} would be held.",
        key="gen-frontier",
        near=0,
    )
    widgets.check_yourself(
        "After all filters, the running sum of p is 0.2, 0.7, 1 for a, b, c. The draw is u = 0.71. "
        "Which is drawn: 1, 2 or 3?",
        answer=3.0,
        because="The first whose sum is more than u: 0.71 lies between 0.7 and 1.",
        key="gen-u",
        near=0,
    )


def source(scene: GenerationState, names: tuple[str, ...]) -> None:
    """The decks' functions, what they lack, and the code that ran."""
    for each in deck.decks():
        st.markdown(f"#### {each.title}: the slide’s function, in our words")
        does, lacks = st.columns(2)
        does.markdown("\n".join(f"{n}. {line}." for n, line in enumerate(each.does, start=1)))
        lacks.markdown("**What is wrong**\n" + "\n".join(f"* {line}." for line in each.lacks))
        widgets.errata(each.errata)
        st.markdown(f"**Here:** {each.replacement}")
    when = f"seed={scene.seed}, length={scene.length}"
    snippet = deck.snippet(scene.name, scene.text, scene.settings, names, when)
    widgets.show_code(
        writing.generate_steps,
        writing.most_probable,
        writing.sample_tokens,
        filters.apply_narrowing,
        beam.search,
        beam.rank_candidates,
        beam.judge_candidates,
        snippet=snippet,
        name="generation",
    )
