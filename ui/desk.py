"""The desk of a page: bar, examples, the stage with its picture, controls, and closer looks.

    @st.fragment
    def lab() -> None:
        rows = ui.rows(LESSON)
        with rows.rail: ...            controls
        with rows.picture: ...         ui.main_picture(...)
        ui.look_closer(rows, parts)
        ui.examples(rows)

    with ui.page("neuron"):
        lab()

The rows are placed by assets/desk.css; their order here is the order of the keyboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from drawing.live import StageTexts
from ui import components, contents, glossary, guide, questions
from ui.frame import APP, open_shell
from ui.lectures import place
from ui.lessons import Lesson, lesson
from ui.menu import bar, page_bar, pages_menu
from ui.widgets import (
    address_value,
    changed_value,
    check_address_value,
    fresh_key,
    has_gone_elsewhere,
    rename_address_values,
    set_controls,
    show_error,
)

PICTURE = "Picture"


class Rows(NamedTuple):
    """The rows of a desk that a page fills."""

    lesson: Lesson
    strip: Any
    stage: Any
    errors: Any
    """The row of errors, in front of the sentence; empty if there are none."""
    picture: Any
    view: Any
    rail: Any
    look: Any


@contextmanager
def page(slug: str) -> Iterator[None]:
    """Open a page; what is drawn inside is on its desk."""
    here = contents.page(slug)
    open_shell(f"{here.title} · {APP}")
    presenting = guide.mode() == "present"
    st.session_state["shown-mode"] = guide.mode()
    _read_address(lesson(slug))
    with st.container(key="present" if presenting else "desk", gap=None):
        page_bar(here)
        if presenting:  # first: the next slide can be turned to while this one is computed
            place.draw_place(presenting=True)
        yield
        if presenting:
            guide.next_page(slug)
            place.load_charts()
    with st.container(key="neighbours"):
        st.markdown("&nbsp;")  # the last thing that is drawn


@contextmanager
def home(here: Lesson, folded: Mapping[str, Callable[[], None]]) -> Iterator[bool]:
    """Open Home; `folded` is behind buttons of the bar, and is drawn once it is opened.

    The part that the address names as `see` is drawn on the stage instead (`folded_view`). Yields
    whether Home is presented as a slide of a lecture, with its picture alone; it presents nothing
    else.
    """
    open_shell(APP)
    slide = place.is_part()
    presenting = slide and guide.presenting()
    with (
        st.container(key="home", gap=None),
        st.container(key="present" if presenting else "desk", gap=None),
    ):
        with bar():
            pages_menu()
            with st.container(key="heading", gap=None):
                st.title(APP, anchor=False)
                st.markdown("From one sigmoid neuron to BERT and GPT: move one thing, and see why.")
            if slide and not presenting:
                place.draw_place(presenting=False)
            components.find("field")
            for label, draw in folded.items():
                if label != folded_view_named(folded):
                    folded_away(label, draw)
        if presenting:
            place.draw_place(presenting=True)
        yield presenting
        if slide:
            with st.container(key="listener"):
                guide.listen(here)
        if presenting:
            place.load_charts()
    with st.container(key="neighbours"):
        st.markdown("&nbsp;")


def folded_view_named(folded: Mapping[str, Callable[[], None]]) -> str:
    """Which of Home's folded parts the address names, if any."""
    named = st.query_params.get("see", "")
    return named if named in folded else ""


def folded_view(folded: Mapping[str, Callable[[], None]]) -> None:
    """Draw the folded part of Home that the address names, over the picture."""
    check_address_value("see", folded)
    if draw := folded.get(folded_view_named(folded)):
        with st.container(key="view"), st.container(key="view-open"):
            draw()


@contextmanager
def bare_page(title: str, says: str, error: ValueError | None = None) -> Iterator[None]:
    """Open a page that is not a lesson: the bar, and below it all that is drawn inside."""
    open_shell(f"{title} · {APP}")
    with st.container(key="bare", gap=None), st.container(key="desk", gap=None):
        with bar():
            pages_menu()
            with st.container(key="heading", gap=None):
                st.title(title, anchor=False)
                st.markdown(says)
            components.find("button")
        with st.container(key="stage", height="stretch", gap=None):
            if error:
                show_error(error)
            yield
    with st.container(key="neighbours"):
        st.markdown("&nbsp;")


def folded_away(label: str, draw: Callable[[], None]) -> None:
    """A button that opens what `draw` draws; nothing is drawn before."""
    opened = st.popover(label, key=f"folded-{label}", on_change="rerun")
    if opened.open:
        with opened:
            draw()


def _read_address(here: Lesson) -> None:
    """Set the controls from the address, if Back or Forward has led to another state.

    A page that is opened without settings in its address is as it was left, except that no
    question is open; a slide of a lecture is always the same.
    """
    rename_address_values(here.renamed)
    opens = {**here.defaults, **here.looks}
    at = st.session_state.get("shown-place"), st.session_state.get("shown-page")
    now = place.name_of_place(), here.slug
    same = at[1] == here.slug
    st.session_state["shown-place"], st.session_state["shown-page"] = now
    if (same and has_gone_elsewhere(opens)) or (now[0] and at != now):
        set_controls({name: st.query_params.get(name, value) for name, value in opens.items()})
    elif not same:
        for name in {"see", "ask", "answers"} - st.query_params.keys():
            st.session_state.pop(name, None)
        left = st.session_state.get("views-left", {}).get(here.slug)
        if left and "see" not in st.query_params:
            st.session_state["see"] = left


def rows(here: Lesson) -> Rows:
    """The rows of this page's desk, and the keys it listens to. Call this first in a fragment."""
    if guide.mode() != st.session_state.get("shown-mode"):
        st.rerun()
    guide.open_beat(here)
    presenting, guided = guide.presenting(), guide.beat_number(here) > 0
    own = presenting and guide.beat(here) is None  # the picture's own sentence is the headline
    strip = st.container(key="strip" if not guided else "left" if own else "caption", gap="small")
    with strip:
        if guided:
            guide.caption(here)
    questions.open_question_in(st.container(key="question") if presenting else None)
    stage = st.container(key="stage", height="stretch", gap=None)
    with stage:
        errors = st.container(key="errors", gap=None)
        with errors:
            place.show_missing()
        picture = st.container(key="picture", height="stretch", gap=None)
        view = st.container(key="view")
    rail, look = st.container(key="rail", gap="small"), st.container(key="look", gap="small")
    with st.container(key="listener"):
        guide.listen(here)
    return Rows(here, strip, stage, errors, picture, view, rail, look)


def stage_texts(
    here: Lesson,
    *,
    sentences: Sequence[str],
    alt: str,
    formula: Sequence[Sequence[str]] = (),
    moved: str = "",
    kind: str = "computed",
    hidden: Sequence[str] = (),
) -> StageTexts:
    """The texts around the main picture, with what the current beat lights up and hides.

    The sentence states the finding and so gives the answer away: while a prediction is asked for,
    the question replaces it. The question of a beat is already above the picture.
    """
    beat = guide.beat(here)
    asks = beat.hide if beat else ()
    question = questions.open_question()
    if question or asks:
        ask = question.ask if question else ""
        sentences, moved = [ask] * len(sentences), ""
        alt = ask or "The numbers that are asked for are hidden."
    if question and any(question.is_answered_by(part) for row in formula for part in row):
        formula = ()
    explained = [glossary.explain_terms(each) for each in sentences]
    return {
        "sentences": explained,
        "moved": moved,
        "formula": formula,
        "alt": alt,
        "kind": kind,
        "light": beat.light if beat else (),
        "hidden": (*hidden, *asks),
        "glossary": glossary.terms_in(explained),
    }


def examples(rows: Rows, here: Lesson | None = None) -> None:
    """The page's examples; call this after the controls, whose values select the marked one.

    In a tour the strip has the beat's sentence instead; in presenter mode a popover has the
    examples.
    """
    here = here or rows.lesson
    if guide.mode() == "present":
        with rows.rail, st.popover("Examples", key="examples"):
            _pills(here)
    elif guide.mode() == "":
        with rows.strip, st.container(key="pills", horizontal=True, wrap=False, gap="small"):
            label = _pills(here)
            on_screen = next((p for p in here.presets if p.label == label), None)
            said = on_screen.help if on_screen else "Your own settings"
            question = questions.open_question()
            st.caption("" if question and question.is_answered_by(said) else said)


def _pills(here: Lesson) -> str | None:
    """The examples to choose from; returns the label of the one on screen."""
    by_label = {preset.label: preset for preset in here.presets}
    label = guide.example_on_screen(here)
    if label:
        st.session_state["example-last"] = here.slug, label
    key = fresh_key("preset-shown", label)

    def chosen() -> None:
        if preset := by_label.get(changed_value("preset-shown", key)):
            set_controls(preset.settings)

    st.pills(
        "Examples",
        list(by_label),
        key=key,
        on_change=chosen,
        required=label is not None,
        wrap=guide.mode() == "present",
        label_visibility="collapsed",
    )
    return label


@contextmanager
def more(rows: Rows) -> Iterator[None]:
    """The last row of the controls: *More*, which opens what is drawn inside, and *Example*.

    *Example* goes back to the example that was chosen last.
    """
    with st.container(key="rail-end", horizontal=True, gap="small"):
        with st.popover("More…", key="more"):
            yield
        st.button(
            "Example",
            icon=":material/restart_alt:",
            key="again",
            on_click=_again,
            args=(rows.lesson,),
            disabled=guide.example_on_screen(rows.lesson) is not None,
            help="Back to the example that you chose last",
        )


def _again(here: Lesson) -> None:
    slug, label = st.session_state.get("example-last", ("", ""))
    first = here.presets[0]
    chosen = next((p for p in here.presets if slug == here.slug and p.label == label), first)
    set_controls(chosen.settings)


@dataclass(frozen=True)
class SeparateView:
    """A view of other numbers than the picture's.

    The sentence of the picture is not above it, and presenter mode leaves out the picture's
    controls.
    """

    draw: Callable[[], None]

    def __call__(self) -> None:
        """Draw the view."""
        self.draw()


def look_closer(
    rows: Rows,
    parts: Mapping[str, Callable[[], None] | None],
    *,
    lacks: Mapping[str, str] | None = None,
    key: str = "see",
) -> None:
    """Closer looks: the chosen one is computed, and takes the picture's place on the stage.

    In presenter mode they are in a popover of the dock. The value None is for a view that the page
    draws as its picture. `lacks` gives the reason why a view of `parts` has nothing to show now; an
    empty reason means that there is something to show. A view with nothing to show is not offered,
    and an address that names it shows the picture. The picture also stays while a question about it
    is open; choosing a view closes the question.
    """
    without = {name: reason for name, reason in (lacks or {}).items() if reason}
    with rows.errors:
        check_address_value(key, [PICTURE, *parts])
        chosen = address_value(key, PICTURE)
    names = [PICTURE, *(name for name in parts if name not in without)]
    shown = chosen if chosen in names else PICTURE
    st.session_state.setdefault("views-left", {})[rows.lesson.slug] = shown
    if parts.get(shown) and questions.open_question():
        shown = PICTURE  # a question hides numbers in the picture, but not in a view
    presenting = guide.presenting()
    with rows.rail if presenting else rows.look, _views(presenting):
        _view_choice(key, names, shown, wrap=presenting)
        if without:
            _views_without(without, chosen)
    if part := parts.get(shown):
        with (
            rows.view,
            st.container(key="apart") if isinstance(part, SeparateView) else nullcontext(),
            st.container(key="view-open"),
        ):
            part()


def _view_choice(key: str, names: Sequence[str], shown: str, *, wrap: bool) -> None:
    """The names of the views, of which one is chosen."""
    widget = fresh_key(f"{key}-shown", shown)

    def choose() -> None:
        if (name := changed_value(f"{key}-shown", widget)) is not None:
            set_controls({key: name, "ask": ""})

    st.segmented_control(
        "Look closer",
        names,
        required=True,
        key=widget,
        on_change=choose,
        wrap=wrap,
        label_visibility="collapsed",
    )


def _views_without(without: Mapping[str, str], chosen: str) -> None:
    """A note on the views that have nothing to show now, each with its reason."""
    reasons = "\n".join(f"- **{name}**: {reason}" for name, reason in without.items())
    more = f"{len(without)} other view{'s' * (len(without) > 1)}"
    asked = chosen if chosen in without else more
    st.caption(f"{asked}: not with these settings", help=reasons, width="content")


def _views(presenting: bool) -> Any:
    return st.popover("Views", key="views") if presenting else nullcontext()
