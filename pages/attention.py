"""The step table: one head of attention, every stage and every number of it in view."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

import ui
from lessons.attention import blocks
from lessons.attention import cells as spelled
from lessons.attention import picture as cells
from lessons.attention import sections as views
from lessons.attention import text as words
from lessons.attention.picture import TableView
from lmcore import parsing
from lmcore.attention import one_head, step_sweep, step_table
from lmcore.attention.matrices import MOST_ROWS
from lmcore.attention.step_table import MASKS, AttentionConfig, AttentionInputs, StepTable
from ui import pretrained, settings
from ui.compute import shared_results

LESSON = ui.lesson("attention")
VIEWS = (
    "Step by step",
    "Saturation",
    "Similarities",
    "Slide code",
    "Check yourself",
    "Code",
    "The slide says",
)
SOURCES = {"x": "X and W", "qkv": "Q, K, V", "model": "A model"}
# Characters of a text that a snippet repeats: more than the table has room for.
SHOWN = 2000
MATRIX_SETTINGS = {"x": ("X", "WQ", "WK", "WV"), "qkv": ("Q", "K", "V"), "model": ()}
D_K_HELP = "Scores stay; right, they are divided by more, and the weights even out"
TAU_HELP = "One more divisor: below 1 the largest takes all, above 1 the weights even out"


class AttentionState(NamedTuple):
    """What the controls ask for, where it could be read."""

    given: AttentionInputs
    how: AttentionConfig
    look: TableView
    # The lines of a script that make Q, K and V.
    code: str
    # What was left out, and which head of which model it is.
    said: tuple[str, ...] = ()


@st.fragment
def lab() -> None:
    """Controls above, the table below them; the sliders are played in the browser."""
    top = st.container(key="presets")
    opens = {**LESSON.defaults, **LESSON.looks}
    settings.keep_in_address(
        {name: value for name, value in opens.items() if name != "attention_see"}
    )
    models = available_models()
    check_the_address(models)
    controls(models)
    good = ui.validated_or_previous(
        "attention", lambda: read_state(st.session_state), lambda: read_state(opens)
    )
    given, how, look, code, said = good
    for sentence in said:
        st.caption(sentence)
    table = step_table.compute_step_table(given, how)
    live = slider_numbers(good, table)
    ui.sliders(live, on_settled=store_slider)
    st.caption(words.d_k_words(given, how))
    lay_out(good, table, live)
    with st.expander("Edit the words and the numbers", key="attention_edit", bind="query-params"):
        edit()
    draw = (
        lambda: ui.step_table(
            words.steps(given, how, look), live, caption=f"Query {look.query}, one operation a row"
        ),
        lambda: views.saturation_view(given, how, table, look.query),
        lambda: views.similarities(given, how, look.query),
        views.slide_code,
        lambda: views.predict(given, how, table, look.query),
        lambda: views.source(given, how, table, look.query, code),
        lambda: ui.slide_corrections("attention"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="attention_see")
    with top:
        ui.presets(LESSON)


def lay_out(good: AttentionState, table: StepTable, live: ui.LiveNumbers) -> None:
    """The table itself, the opened cell multiplied out below it, and what stands out."""
    given, how, look, *_ = good
    lines = [spelled.output_line(given, table, look.query)]
    lines += spelled.cell_lines(given, how, table, look)
    picture = blocks.picture(given, how, table, look) | {
        "lines": [line._asdict() for line in lines],
        "alt": words.alt_text(given, look),
    }
    ui.picture("attention", live, picture, on_told=open_cell)
    measured = given.projections is not None and given.projections.biases is not None
    ui.notice(
        *words.notice(given, how, table, look.query, ui.escape_markdown),
        kind="measured here" if measured else "computed",
    )


def available_models() -> dict[str, str]:
    """The models whose heads can be looked into, name → label."""
    try:
        return pretrained.available_models()
    except ValueError as error:
        ui.show_error(error)
        return {}


def check_the_address(models: dict[str, str]) -> None:
    """Controls that have no such value as the address gives them say so."""
    ui.check_address_value("attention_from", tuple(SOURCES))
    ui.check_address_value("attention_model", ("", *models))
    ui.check_address_value("attention_mode", tuple(cells.MODES))
    ui.check_address_value("attention_mask", tuple(MASKS))
    ui.check_address_value("attention_scale", ("true", "false"))
    ui.check_address_value("attention_soft", ("true", "false"))
    ui.check_address_value("attention_see", VIEWS)


def controls(models: dict[str, str]) -> None:
    """Where Q, K and V are from, what is shown, the mask and the scale."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        settings.pills("attention_from", "Q, K and V from", SOURCES)
        settings.pills("attention_mode", "Show", cells.MODES)
        settings.pills("attention_mask", "Mask", MASKS)
        settings.toggle("attention_scale", "Divide by √d_k")
    if st.session_state["attention_from"] != "model":
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        settings.text_field("attention_text", "Text", "Its tokens are the rows of the table")
        settings.text_field(
            "attention_layer", "Layer, from 0", "Later layers look less at neighbours"
        )
        settings.text_field("attention_head", "Head, from 0", "Each head looks elsewhere")
        if len(models) > 1:
            settings.pills("attention_model", "Model", models)


def edit() -> None:
    """Words, matrices as text, and what is shown of a wide one."""
    names = MATRIX_SETTINGS[settings.allowed_value("attention_from", SOURCES)]
    with st.container(horizontal=True):
        if names:
            settings.text_field(
                "attention_words", "Words, parted by blanks", "A row of the table each"
            )
        if settings.allowed_value("attention_mask", MASKS) == "padding":
            settings.text_field(
                "attention_hidden", "Padding: keys hidden at the end", "From 0 to all"
            )
        settings.text_field(
            "attention_columns", "Columns shown of a wide matrix", "Up to 8 are all shown"
        )
    for column, name in zip(st.columns(max(len(names), 1)), names, strict=False):
        with column:
            matrix_text(f"attention_{name}", name if len(name) == 1 else f"W^{name[1]}")


def matrix_text(name: str, label: str) -> None:
    """A matrix, a row a line; in the address its rows are parted by semicolons."""
    rows = [row.strip() for row in str(st.session_state[name]).replace("\n", ";").split(";")]
    key = ui.fresh_key(f"{name}-shown", "\n".join(rows))

    def typed() -> None:
        if (text := ui.changed_value(f"{name}-shown", key)) is not None:
            lines = [row.strip() for row in text.splitlines()]
            st.session_state[name] = "; ".join(line for line in lines if line)

    st.text_area(label, key=key, height=150, on_change=typed, help="A row a line, blanks between")


def read_state(state: Any) -> AttentionState:
    """What the controls describe.

    Raises:
        ValueError: naming what is wrong.
    """
    models = available_models() if state["attention_from"] == "model" else {}
    given, code, said = read_model_head(state, models) if models else read_matrices(state)
    own, key = len(given.query[0]), "attention_model_d_k" if models else "attention_d_k"
    how = AttentionConfig(
        own if state[key] == "own" else parsing.parse_integer(state[key], "d_k"),
        state["attention_scale"] != "false",
        parsing.parse_number(state["attention_temperature"], "the temperature"),
        state["attention_mask"],
        parsing.parse_integer(state["attention_hidden"], "hidden keys"),
    )
    names = ("mode", "query", "cell", "columns")
    mode, query, cell, columns = (state[f"attention_{name}"] for name in names)
    return AttentionState(
        given, how, cells.table_view(mode, query, cell, columns, given), code, said
    )


def read_matrices(state: Any) -> tuple[AttentionInputs, str, tuple[str, ...]]:
    """Q, K and V out of typed matrices."""
    text = step_table.split_words(state["attention_words"])
    source = "qkv" if state["attention_from"] == "qkv" else "x"
    made = step_table.inputs_from_qkv if source == "qkv" else step_table.from_inputs
    said = [words.CUT] if text.cut else []
    if state["attention_from"] == "model":
        said.append("No model is installed here: these are the typed matrices.")
    given = made(text.words, *(state[f"attention_{name}"] for name in MATRIX_SETTINGS[source]))
    return given, words.typed_source(given), tuple(said)


def read_model_head(
    state: Any, models: dict[str, str]
) -> tuple[AttentionInputs, str, tuple[str, ...]]:
    """Q, K and V of one head over a text."""
    name = state["attention_model"] if state["attention_model"] in models else next(iter(models))
    reader = pretrained.load(name)
    text = reader.read(state["attention_text"], most=MOST_ROWS)
    asked = [
        parsing.parse_integer(state[f"attention_{part}"], f"the {part}")
        for part in ("layer", "head")
    ]
    layer, head = one_head.nearest_head(reader.network, *asked)
    take = partial(one_head.extract_head, reader.network, text, layer=layer, head=head)
    read = name, state["attention_text"], layer, head
    found = shared_results.shared_result("one head", read, take, most=32, says="Reading the text")
    place = words.head_words(models[name], found, (layer, head), tuple(asked))
    code = words.model_source(name, state["attention_text"][:SHOWN], (layer, head))
    return found.given, code, (place, words.CUT) if text.cut else (place,)


def slider_numbers(good: AttentionState, table: StepTable) -> ui.LiveNumbers:
    """The table now and at every position of d_k and of the temperature, in one batched call."""
    given, how, look, *_ = good
    moved = step_sweep.slider_scalings(how)
    swept = step_sweep.sweep_step_table(given, how, moved)
    now = cells.numbers(given, table, look, step_sweep.score_scaling(how))
    every = cells.numbers(given, swept, look, moved)
    return ui.LiveNumbers(
        "attention", now.names, now.values.numpy(), sliders(how), every.values.numpy()
    )


def sliders(how: AttentionConfig) -> tuple[ui.Slider, ...]:
    """d_k, unless nothing is scaled, and the temperature."""
    d_ks, taus = (each.numpy() for each in step_sweep.slider_positions(how))
    d_k = ui.Slider("d_k", "d_k", "width d_k", how.d_k, d_ks, help=D_K_HELP, role="query")
    tau = ui.Slider(
        "temperature", "τ", "temperature", how.temperature, taus, help=TAU_HELP, role="activation"
    )
    return (d_k, tau) if how.scaled else (tau,)


def store_slider(moved: dict[str, Any]) -> None:
    """A slider was let go, or a number typed beside it."""
    good: AttentionState = st.session_state["attention-good"]
    name, typed = moved["name"], moved["typed"]
    try:
        if name == "d_k":
            asked = replace(good.how, d_k=parsing.parse_integer(typed, "d_k"))
            own = st.session_state["attention_from"] == "model"
            ui.set_controls({"attention_model_d_k" if own else "attention_d_k": str(asked.d_k)})
        else:
            asked = replace(good.how, temperature=parsing.parse_number(typed, "the temperature"))
            ui.set_controls({"attention_temperature": f"{asked.temperature:.12g}"})
    except ValueError as error:
        ui.show_error_later(error)


def open_cell(told: dict[str, Any]) -> None:
    """A cell was opened, or another query chosen."""
    if "query" in told:
        ui.set_controls({"attention_query": str(told["query"])})
        return
    cell = str(told.get("cell"))
    match cell.split():
        case [stage, row, _]:
            pass
        case _:
            wrong = f"a cell must be a stage, a row and a column; got {cell[:24]!r}"
            ui.show_error_later(ValueError(wrong))
            return
    ui.set_controls({"attention_cell": cell})
    if stage not in cells.OF_A_TOKEN:
        ui.set_controls({"attention_query": row})


ui.open_page("attention")
lab()
ui.neighbour_links("attention")
