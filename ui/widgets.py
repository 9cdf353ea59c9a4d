"""What pages share: settings in the session and the address, errors, figures, code, corrections."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import streamlit as st

from drawing.microworld import reason
from drawing.theme import Mode
from lmcore.typed import fold_number
from lmcore.vocabulary import UnknownTokenError
from ui import components, compute, contents
from ui.lessons import ControlSettings

T = TypeVar("T")
PROJECTED = 22
"""The font size of figures on a projector, in pixels."""
LONGEST_ADDRESS = 100_000
"""Characters; percent-encoded, one of this length comes near the longest that Streamlit reads."""
RECENT = 8
"""The number of recent addresses that are recognised when they come back late."""
MARKDOWN = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>$:~&])")
FORMULA = re.compile(r"(\$[^$]+\$)")
# Bare addresses turn into links after all escapes are undone; an invisible word joiner prevents it.
BARE_LINK = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)(?=[-\w])", re.IGNORECASE)


def set_controls(settings: ControlSettings) -> None:
    """Set controls by name; for callbacks, which run before the controls are drawn."""
    for name, value in settings.items():
        st.session_state[name] = value


def fresh_key(name: str, value: object) -> str:
    """The key of a widget that shows `value`: a new one whenever something else has set the value.

    The browser may send the old value of a widget after the page has set a new one; under the same
    key, that would look like a choice and undo the newer value. `changed_value` reads what the user
    set.
    """
    shown: list[object] = _session_store().setdefault(f"{name}-drawn", [])
    if not shown or shown[-1] != value:
        shown.append(value)
    turn = len(shown) - 1
    key = f"{name}-{turn}" if turn else name
    st.session_state[key] = value
    return key


def changed_value(name: str, key: str) -> Any:
    """The new value of the widget of that `fresh_key`, or None if the user has not changed it.

    After an interrupted run, the widgets that it did not draw are forgotten, and their next value
    counts as a choice.
    """
    value, shown = st.session_state[key], _session_store()[f"{name}-drawn"]
    turn = int(key.removeprefix(name).removeprefix("-") or 0)
    if value == shown[turn]:
        return None
    shown[turn] = value
    return value


def _session_store() -> dict[str, list[Any]]:
    """A session's own records, apart from its settings.

    One entry of the session's state holds them all, because every text field that Streamlit draws
    reads all entries.
    """
    book: dict[str, list[Any]] = st.session_state.setdefault("written-down", {})
    return book


def address_value(name: str, default: str) -> str:
    """A setting that has no widget: stored in the session and in the address.

    Callbacks set it with `set_controls`; an address that the user opens or edits takes precedence.
    """
    return address_values({name: default})[name]


def address_values(defaults: Mapping[str, str]) -> dict[str, str]:
    """`address_value` for many settings: name → default, name → value."""
    address, book, state = st.query_params.to_dict(), _session_store(), st.session_state
    values, changed = {}, {}
    for name, default in defaults.items():
        in_address = address.get(name)
        # A message may leave the browser before a later change of the address has arrived there:
        # an earlier address of ours that comes back is not a change by the user.
        ours: list[str | None] = book.setdefault(f"{name}-addresses", [])
        news = in_address is not None and in_address not in ours
        before = state.get(name)
        value = str(in_address if news else default if before is None else before)
        wanted = None if value == default else value
        if wanted is not None and wanted != in_address:
            changed[name] = wanted
        elif wanted is None and in_address is not None:
            del st.query_params[name]
        if value != before:
            state[name] = value
        if wanted not in ours[-1:]:
            book[f"{name}-addresses"] = [*ours[1 - RECENT :], wanted]
        values[name] = value
    if changed:
        st.query_params.update(changed)  # one message to the browser, however many
    return values


def rename_address_values(renamed: Mapping[str, str]) -> None:
    """Put values in the address under the names that settings have now: old name → new name.

    Where the address has both, that of the new name is kept.
    """
    address = st.query_params.to_dict()
    old = renamed.keys() & address.keys()
    if old:
        kept = {name: value for name, value in address.items() if name not in old}
        st.query_params.from_dict({renamed[name]: address[name] for name in old} | kept)


def has_gone_elsewhere(names: Collection[str]) -> bool:
    """Whether the address holds other values of these settings than the page has left there.

    It does so after Back or Forward. An address that is too long is never read again.
    """
    address, book = st.query_params.to_dict(), _session_store()
    left = {name: book[key][-1] for name in names if (key := f"{name}-addresses") in book}
    if sum(len(value or "") for value in left.values()) > LONGEST_ADDRESS:
        return False
    return any(address.get(name) != value for name, value in left.items())


def check_address_value(name: str, allowed: Collection[str] | range | tuple[float, float]) -> None:
    """Report an address value of `name` that is not allowed; it is then ignored.

    `allowed` lists the values, or is a range of whole numbers, or a pair of numbers between which
    the value must lie.
    """
    given = st.query_params.get(name)
    if given is None:
        return
    if isinstance(allowed, range):
        fits = given in map(str, allowed)
        rule = f"a whole number from {allowed[0]} to {allowed[-1]}"
    elif isinstance(allowed, tuple) and isinstance(allowed[0], float):
        low, high = float(allowed[0]), float(allowed[1])
        fits, rule = is_number_between(given, low, high), f"a number from {low:g} to {high:g}"
    else:
        fits, rule = given in allowed, f"one of {', '.join(map(str, allowed))}"
    if not fits:
        show_error(ValueError(f"{name} in the address must be {rule}; got {given[:40]!r}"))


def is_number_between(text: str, low: float, high: float) -> bool:
    """Whether a text is a number from `low` to `high`."""
    try:
        return low <= float(fold_number(text)) <= high
    except ValueError:
        return False


def validated_or_previous(name: str, make: Callable[[], T], fallback: Callable[[], T]) -> T:
    """The state of the controls; if it is invalid, show the error and return the last valid one."""
    if late := st.session_state.pop("refused", None):
        show_error(late)
    try:
        with compute.raise_refusals():
            st.session_state[f"{name}-good"] = make()
    except ValueError as error:
        before = f"{name}-good" in st.session_state
        if isinstance(error, compute.ComputationRefused) and not before:
            compute.show_refusal(error)
        show_error(error)
        st.caption(f"Still showing {'the last valid setting' if before else 'the page’s example'}.")
        if isinstance(error, compute.ComputationRefused):
            compute.offer_again(f"{name}-again")
        if not before:
            st.session_state[f"{name}-good"] = fallback()
    good: T = st.session_state[f"{name}-good"]
    return good


def show_error(error: ValueError) -> None:
    """Show an error: what is wrong and what is allowed; typed text is shown, never executed."""
    why = reason(error.vocabulary) if isinstance(error, UnknownTokenError) else ""
    st.error(escape_markdown(f"{error}{why}"), icon=":material/error:")


def show_error_later(error: ValueError) -> None:
    """Store an error of a callback, for `validated_or_previous` to show when the page is drawn."""
    st.session_state["refused"] = error


def escape_markdown(text: str) -> str:
    """Escape `text` so that Markdown shows it literally: no link, no image, no formula."""
    return MARKDOWN.sub(r"\\\1", BARE_LINK.sub("\u2060", text)).replace("\n", " ")


def unescape_markdown(text: str) -> str:
    """The text that `escape_markdown` received, on one line."""
    return re.sub(r"\\(.)", r"\1", text.replace("\u2060", ""))


def theme_mode() -> Mode:
    """The user's current theme."""
    return "dark" if st.context.theme.type == "dark" else "light"


def show_figure(
    figure: Any, *, name: str, reading: str, alt: str, selectable: bool = False
) -> list[str]:
    """Draw a Plotly figure with one line on how to read it and, at the desk, buttons to save it.

    The figure stays as it is: it may be cached for all visitors.
    Returns the texts of the selected points, if it is `selectable`.
    """
    presenting = st.query_params.get("present") == "1"
    if presenting:
        figure = _enlarged(figure)
    with st.container(key=f"figure-{name}"):
        chosen: Any = st.plotly_chart(
            figure,
            key=f"chart-{name}",
            alt=alt,
            config={"displayModeBar": False},
            on_select="rerun" if selectable else "ignore",
            selection_mode="points",
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if not presenting:
            components.save(f"figure-{name}", name=name)
        st.caption(reading)
    return [point["text"] for point in chosen.selection.points] if selectable else []


def _enlarged(figure: Any) -> Any:
    """A copy with larger type and more height, for a projector."""
    figure = copy.deepcopy(figure)
    figure.update_layout(
        font_size=PROJECTED,
        height=1.35 * (figure.layout.height or 380),
        margin={"l": 130, "r": 24, "t": 56, "b": 84},
        legend_font_size=PROJECTED,
    )
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(tickfont_size=PROJECTED, title_font_size=PROJECTED)
    return figure


def show_code(*functions: Callable[..., object], snippet: str, name: str) -> None:
    """Show a snippet that reproduces this view, and the exact source of the functions that ran."""
    st.caption("Run this in the project's folder: it prints the numbers on this screen.")
    st.code(snippet, language="python", wrap_lines=True)
    st.download_button(
        "Save as .py", snippet, file_name=f"{name}.py", on_click="ignore", key=f"snippet-{name}"
    )
    st.caption("The code that just ran, read from the module:")
    for function in functions:
        st.code(_source(function), language="python", wrap_lines=True)


@lru_cache(maxsize=256)
def _source(function: Callable[..., object]) -> str:
    return inspect.getsource(function)


def text_area(label: str, *, key: str, **how: Any) -> str:
    """A field of several lines with a button that submits the text, as Ctrl+Enter does.

    A phone has no such keys. The button needs no code: a press leaves the field, and then the
    browser sends what is in it.
    """
    with st.container(key=f"lines-{key}", gap=None):
        typed: str = st.text_area(label, key=key, **how)
        st.button("Apply", key=f"apply-{key}", type="tertiary", help="Or press Ctrl + Enter")
    return typed


def save_file(data: bytes, *, label: str, name: str) -> None:
    """Draw a button that saves `data` under that name."""
    st.download_button(label, data, file_name=name, on_click="ignore", key=f"save-{name}")


def slide_corrections(slug: str) -> None:
    """List the errata of this page's slides, with the corrections."""
    errata(contents.page(slug).errata)


def errata(names: Sequence[str]) -> None:
    """Draw a collapsed note for each erratum."""
    for erratum in (contents.ERRATA[name] for name in names):
        decks = " and ".join(contents.DECKS[name].short for name in erratum.decks)
        with st.expander(
            f"Slide check · {erratum.kind} … {decks}, “{_with_formulas(erratum.heading)}”"
        ):
            st.markdown(f"**Slide:** {erratum.says}")
            st.markdown(f"**Correct:** {erratum.correct}")
            if erratum.note:
                st.caption(erratum.note)


def _with_formulas(heading: str) -> str:
    """The heading of a slide, its formulas between dollars as formulas, the rest literally."""
    parts = FORMULA.split(heading)
    return "".join(part if i % 2 else escape_markdown(part) for i, part in enumerate(parts))
