"""Generation: one prompt, one model, and what each strategy makes of them."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

import ui
from lessons.generation import beam_section, bench_section, slide_tree_section, state
from lessons.generation import code as deck
from lessons.generation import sections as views
from lessons.generation.state import PROMPTS, GenerationState, prompt_setting
from lmcore.decoding import beam, filters, writing
from lmcore.decoding.continuations import Continuation
from lmcore.decoding.frontier import frontier
from lmcore.decoding.strategies import STRATEGIES
from lmcore.numbers import format_number
from ui import settings

LESSON = ui.lesson("generation")
VIEWS = (
    "One token at a time",
    "Beam search",
    "Bench",
    "The slide’s tree",
    "Numbers",
    "Check yourself",
    "Code",
    "The slide says",
)
MORE = {
    "gen_length": ("Length, tokens at most", "Texts that do not end by themselves stop here"),
    "gen_length_penalty": ("Length penalty a", "Beam search compares log p / tᵃ; 0 compares sums"),
    "gen_no_repeat": ("No n-gram twice, n", "0 lets them; greedy and random walk never look"),
    "gen_groups": ("Groups of beams", "Must divide the width; groups avoid each other’s tokens"),
    "gen_diversity": ("Diversity of groups", "What a token costs for each group that took it"),
}
WIDTHS = ("1", "2", "3", "4", "8", "16")
CHECKED = 10  # steps of the question about what is pruned


@st.fragment
def lab() -> None:
    """Controls left, the cards right; what is written depends on nothing else."""
    top = st.container(key="presets")
    given = {**LESSON.defaults, **LESSON.looks}
    mine = (name for name in given if name.startswith("gen_") and name != "gen_see")
    state.keep_settings({name: given[name] for name in mine})
    models = available_models()
    check_the_address(models)
    left, right = st.columns([1, 3], gap="medium")
    with left:
        controls(models)
    with right:
        opening = partial(state.default_state, dict(LESSON.defaults))
        scene = ui.validated_or_previous("gen", state.read_state, opening)
        names = shown_strategies()
    with left:
        found, live = views.first_token_sweep(scene, names)
        ui.sliders(live, on_settled=views.store_slider)
        if not found.swept and live.sliders:
            st.caption("Of so many tokens the bars move once you let go.")
        more()
    with right:
        prompt_notes(scene)
        texts = views.texts(scene, names)
        views.cards(scene, found, live, texts)
    draw = (
        lambda: views.step_by_step(scene),
        lambda: beam_section.beam_search(scene),
        lambda: bench_section.bench(scene),
        slide_tree_section.slide_tree,
        lambda: views.numbers(scene, texts),
        lambda: predict(scene, texts),
        lambda: source(scene, names),
        lambda: ui.slide_corrections("generation"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="gen_see")
    with top:
        ui.presets(LESSON)


def available_models() -> dict[str, str]:
    """The models that may write, name → label."""
    try:
        return state.available_models()
    except ValueError as error:
        ui.show_error(error)
        return state.OURS


def check_the_address(models: dict[str, str]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("gen_model", tuple(models))
    ui.check_address_value("gen_stepped", views.STEPPED)
    ui.check_address_value("gen_early", ("true", "false"))
    ui.check_address_value("gen_see", VIEWS)


def controls(models: dict[str, str]) -> None:
    """Who writes, after what, with which luck."""
    settings.pills("gen_model", "Model", models)
    prompt = prompt_setting(settings.allowed_value("gen_model", models))
    settings.text_field(
        prompt, PROMPTS[prompt], "What follows is written; change one word and look"
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        settings.text_field("gen_seed", "Seed", "The same seed gives the same text, in any browser")
        st.button("Another seed", on_click=another_seed)
    labels = {name: each.label for name, each in STRATEGIES.items()}
    with st.expander("Strategies shown", key="gen_choose", bind="query-params"):
        settings.pills("gen_shown", "Strategies", labels, many=True)


def another_seed() -> None:
    """The next number, whatever stands there."""
    typed = st.session_state["gen_seed"]
    ui.set_controls(
        {"gen_seed": str(int(typed) + 1) if typed.isdecimal() and len(typed) < 9 else "1"}
    )


def shown_strategies() -> tuple[str, ...]:
    """The strategies side by side, in the page's order; the lecture's three where none is named."""
    typed = [part.strip() for part in st.session_state["gen_shown"].split(",")]
    unknown = [name for name in typed if name and name not in STRATEGIES]
    if unknown:
        known = ", ".join(STRATEGIES)
        ui.show_error(ValueError(f"a strategy must be one of {known}; got {unknown[0]!r:.40}"))
    names = tuple(name for name in STRATEGIES if name in typed)
    if not names:
        st.caption("No strategy is chosen: these are the lecture’s three.")
    return names or ("greedy", "beam", "walk")


def more() -> None:
    """What is set more rarely."""
    settings.pills("gen_width", "Beam width k", {each: each for each in widths()})
    box = st.expander("More: length, beams, repeats", key="gen_more", bind="query-params")
    with box:
        for name, (label, look_for) in MORE.items():
            settings.text_field(name, label, look_for)
        settings.toggle("gen_early", "Stop a beam search once k texts have ended")


def widths() -> list[str]:
    """The widths to choose from, and the one in the address."""
    now = st.session_state["gen_width"]
    good = now.isdecimal() and 1 <= int(now) <= beam.WIDEST
    return sorted({*WIDTHS, *([now] if good else [])}, key=int)


def prompt_notes(scene: GenerationState) -> None:
    """How unknown words and an empty prompt are read."""
    if strange := scene.writer.unknown(scene.text):
        st.caption(ui.escape_markdown(f"Not known, and read as <unk>: {', '.join(strange)[:200]}"))
    if not scene.text.strip():
        begins = scene.writer.shown(int(scene.prompt[0]))
        st.caption(ui.escape_markdown(f"Nothing is given: the text begins with {begins} alone."))


def predict(scene: GenerationState, texts: dict[str, Continuation]) -> None:
    name, best = max(texts.items(), key=lambda each: each[1].total)
    label = STRATEGIES[name].label
    if best.tokens and math.isfinite(best.perplexity):
        ui.check_yourself(
            f"{label} wrote {len(best.tokens)} tokens; their log p is {format_number(best.total)}. "
            "What is the text’s perplexity?",
            answer=best.perplexity,
            because="exp(−log p / T): the score of the slide’s formula, divided by T on both "
            "sides, and its exponential.",
            key="gen-perplexity",
        )
    width = scene.settings.width
    counts = frontier(width, CHECKED)
    ui.check_yourself(
        f"Beam search of width {width} makes {CHECKED} steps and nothing ends. How many beginnings "
        "does it expand?",
        answer=float(counts.expanded),
        because=f"1, then {width} at each step. Without pruning {counts.held:,} would be held.",
        key="gen-frontier",
        near=0,
    )
    ui.check_yourself(
        "After all filters, the running sum of p is 0.2, 0.7, 1 for a, b, c. The draw is u = 0.71. "
        "Which is drawn: 1, 2 or 3?",
        answer=3.0,
        because="The first whose sum is more than u: 0.71 lies between 0.7 and 1.",
        key="gen-u",
        near=0,
    )


def source(scene: GenerationState, names: tuple[str, ...]) -> None:
    """The decks' functions and what they lack; beside them, what runs."""
    for each in deck.decks():
        st.markdown(f"#### {each.title}: the slide’s function, in our words")
        does, lacks = st.columns(2)
        does.markdown("\n".join(f"{n}. {line}." for n, line in enumerate(each.does, start=1)))
        lacks.markdown("**What it lacks**\n" + "\n".join(f"* {line}." for line in each.lacks))
        ui.errata(each.errata)
        st.markdown(f"**Here:** {each.here}")
    when = f"seed={scene.seed}, length={scene.length}"
    snippet = deck.snippet(scene.name, scene.text, scene.settings, names, when)
    ui.show_code(
        writing.generate_steps,
        writing.most_probable,
        writing.sample_tokens,
        filters.apply_narrowing,
        beam.search,
        beam._ranked,
        beam._judged,
        snippet=snippet,
        name="generation",
    )


ui.open_page("generation")
lab()
ui.neighbour_links("generation")
