"""Generation: one prompt, one model, and what each strategy makes of them."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

import ui
from lessons.generation import beam_section, bench_section, slide_tree_section, state
from lessons.generation import code as deck
from lessons.generation import sections as views
from lessons.generation.state import PROMPTS, Scene, prompt_of
from lmcore.decoding import beam, filters, writing
from lmcore.decoding.continuations import Continuation
from lmcore.decoding.frontier import frontier
from lmcore.decoding.strategies import STRATEGIES
from lmcore.numbers import significant
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
    state.keep({name: given[name] for name in mine})
    models = offered()
    check_the_address(models)
    left, right = st.columns([1, 3], gap="medium")
    with left:
        controls(models)
    with right:
        opening = partial(state.opening, dict(LESSON.defaults))
        scene = ui.last_good("gen", state.scene, opening)
        names = shown()
    with left:
        found, live = views.following(scene, names)
        ui.sliders(live, on_settled=views.settled)
        if not found.swept and live.sliders:
            st.caption("Of so many tokens the bars move once you let go.")
        more()
    with right:
        said_of_the_prompt(scene)
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
        lambda: ui.slide_says("generation"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="gen_see")
    with top:
        ui.presets(LESSON)


def offered() -> dict[str, str]:
    """The models that may write, name → label."""
    try:
        return state.offered()
    except ValueError as error:
        ui.refuse(error)
        return state.OURS


def check_the_address(models: dict[str, str]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.expect("gen_model", tuple(models))
    ui.expect("gen_stepped", views.STEPPED)
    ui.expect("gen_early", ("true", "false"))
    ui.expect("gen_see", VIEWS)


def controls(models: dict[str, str]) -> None:
    """Who writes, after what, with which luck."""
    settings.chosen("gen_model", "Model", models)
    prompt = prompt_of(settings.among("gen_model", models))
    settings.typed(prompt, PROMPTS[prompt], "What follows is written; change one word and look")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        settings.typed("gen_seed", "Seed", "The same seed gives the same text, in any browser")
        st.button("Another seed", on_click=another_seed)
    labels = {name: each.label for name, each in STRATEGIES.items()}
    with st.expander("Strategies shown", key="gen_choose", bind="query-params"):
        settings.chosen("gen_shown", "Strategies", labels, many=True)


def another_seed() -> None:
    """The next number, whatever stands there."""
    typed = st.session_state["gen_seed"]
    ui.put({"gen_seed": str(int(typed) + 1) if typed.isdecimal() and len(typed) < 9 else "1"})


def shown() -> tuple[str, ...]:
    """The strategies side by side, in the page's order; the lecture's three where none is named."""
    typed = [part.strip() for part in st.session_state["gen_shown"].split(",")]
    unknown = [name for name in typed if name and name not in STRATEGIES]
    if unknown:
        known = ", ".join(STRATEGIES)
        ui.refuse(ValueError(f"a strategy must be one of {known}; got {unknown[0]!r:.40}"))
    names = tuple(name for name in STRATEGIES if name in typed)
    if not names:
        st.caption("No strategy is chosen: these are the lecture’s three.")
    return names or ("greedy", "beam", "walk")


def more() -> None:
    """What is set more rarely."""
    settings.chosen("gen_width", "Beam width k", {each: each for each in widths()})
    box = st.expander("More: length, beams, repeats", key="gen_more", bind="query-params")
    with box:
        for name, (label, look_for) in MORE.items():
            settings.typed(name, label, look_for)
        settings.switched("gen_early", "Stop a beam search once k texts have ended")


def widths() -> list[str]:
    """The widths to choose from, and the one in the address."""
    now = st.session_state["gen_width"]
    good = now.isdecimal() and 1 <= int(now) <= beam.WIDEST
    return sorted({*WIDTHS, *([now] if good else [])}, key=int)


def said_of_the_prompt(scene: Scene) -> None:
    """How unknown words and an empty prompt are read."""
    if strange := scene.writer.unknown(scene.text):
        st.caption(ui.plain(f"Not known, and read as <unk>: {', '.join(strange)[:200]}"))
    if not scene.text.strip():
        begins = scene.writer.shown(int(scene.prompt[0]))
        st.caption(ui.plain(f"Nothing is given: the text begins with {begins} alone."))


def predict(scene: Scene, texts: dict[str, Continuation]) -> None:
    name, best = max(texts.items(), key=lambda each: each[1].total)
    label = STRATEGIES[name].label
    if best.tokens and math.isfinite(best.perplexity):
        ui.check(
            f"{label} wrote {len(best.tokens)} tokens; their log p is {significant(best.total)}. "
            "What is the text’s perplexity?",
            answer=best.perplexity,
            because="exp(−log p / T): the score of the slide’s formula, divided by T on both "
            "sides, and its exponential.",
            key="gen-perplexity",
        )
    width = scene.settings.width
    counts = frontier(width, CHECKED)
    ui.check(
        f"Beam search of width {width} makes {CHECKED} steps and nothing ends. How many beginnings "
        "does it expand?",
        answer=float(counts.expanded),
        because=f"1, then {width} at each step. Without pruning {counts.held:,} would be held.",
        key="gen-frontier",
        near=0,
    )
    ui.check(
        "After all filters, the running sum of p is 0.2, 0.7, 1 for a, b, c. The draw is u = 0.71. "
        "Which is drawn: 1, 2 or 3?",
        answer=3.0,
        because="The first whose sum is more than u: 0.71 lies between 0.7 and 1.",
        key="gen-u",
        near=0,
    )


def source(scene: Scene, names: tuple[str, ...]) -> None:
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
    ui.code(
        writing.write,
        writing.most_probable,
        writing.drawn,
        filters.narrowed,
        beam.search,
        beam._ranked,
        beam._judged,
        snippet=snippet,
        name="generation",
    )


ui.page("generation")
lab()
ui.neighbours("generation")
