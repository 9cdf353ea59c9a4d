"""The beats of a page, one sentence and one state each: in presenter mode, or as a guided tour.

The address says which: `?present=1` or `?tour=1`, and `beat=3`. In presenter mode beat 0 is the
page as it was when *Present* was pressed, before the first beat.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import streamlit as st

from ui import components, contents, questions
from ui.lectures import place
from ui.lessons import Beat, ControlSettings, Lesson
from ui.widgets import set_controls

GuideMode = Literal["", "tour", "present"]
MODES: tuple[GuideMode, ...] = ("present", "tour")
ANSWERED = "key-answered"
"""The key under which a session keeps the `turn` of the last key press that it has answered."""
OTHER_SETTINGS = "Your own settings now. **Next** goes on with the steps."
"""The text in place of a beat's sentence once other settings have been chosen."""


def mode() -> GuideMode:
    """How the page is shown: in presenter mode, as a tour, or as it is."""
    return next((each for each in MODES if st.query_params.get(each) == "1"), "")


def presenting() -> bool:
    """Whether the page is in presenter mode, where the controls are in a low dock."""
    return mode() == "present"


def beat(lesson: Lesson) -> Beat | None:
    """The current beat of a tour or a presentation; None outside both, and at beat 0.

    Also None once a control has another value than the beat gives it: the beat's sentence may be
    false for that value. A beat with a question still hides the numbers that it asks for.
    """
    number = beat_number(lesson)
    current = lesson.beats[number - 1] if number else None
    return None if current and is_left(lesson) and not current.hide else current


def is_left(lesson: Lesson) -> bool:
    """Whether a control has another value than the current beat gives it."""
    number = beat_number(lesson)
    settings = settings_of(lesson, number) if number else {}
    return any(st.session_state.get(name, value) != value for name, value in settings.items())


def beat_number(lesson: Lesson) -> int:
    """The number of the current beat, from 1; 0 if there is none."""
    if not mode():
        return 0
    asked = st.query_params.get("beat", "1")
    number = int(asked) if asked.isdecimal() and asked.isascii() and len(asked) < 4 else 1
    least = 0 if mode() == "present" else 1
    return min(max(number, least), len(lesson.beats))


def open_beat(lesson: Lesson) -> None:
    """Set the controls of the beat in the address, once, where it has just been opened."""
    here = f"{lesson.slug} {mode()} {place.name_of_place()}"
    number = beat_number(lesson)
    if st.session_state.get("guided") != here and number:
        given = set(st.query_params)
        settings = settings_of(lesson, number)
        set_controls({name: v for name, v in settings.items() if name not in given})
    st.session_state["guided"] = here


def go(lesson: Lesson, number: int) -> None:
    """Turn to a beat: set its controls, and its number in the address. For callbacks."""
    st.query_params["beat"] = str(number)
    if number:
        set_controls(settings_of(lesson, number))


def settings_of(lesson: Lesson, number: int) -> ControlSettings:
    """The settings of a beat, from 1; in a lecture, with the changes of its slide."""
    here = place.current_place()
    if here is None or here.slide.page != lesson.slug:
        return lesson.beats[number - 1].settings
    return here.slide.settings_of_beat(number)


def start(lesson: Lesson, how: GuideMode) -> None:
    """Start the tour or presenter mode. For callbacks.

    Presenter mode keeps what is on screen: the beats begin at once only if that is the page's
    opening state.
    """
    leave()
    st.query_params[how] = "1"
    opens = {**lesson.defaults, **lesson.looks}
    as_opened = all(st.session_state.get(name, value) == value for name, value in opens.items())
    first = how == "tour" or (as_opened and not place.is_asked())
    go(lesson, 1 if first else 0)
    st.session_state["guided"] = f"{lesson.slug} {how} {place.name_of_place()}"


def leave() -> None:
    """Leave the tour or presenter mode; the page stays as it is. For callbacks."""
    for name in (*MODES, "beat"):
        st.query_params.pop(name, None)
    st.session_state.pop("guided", None)


def press(lesson: Lesson, pressed: components.KeyPress) -> None:
    """Perform the action of a pressed key. For callbacks."""
    st.session_state[ANSWERED] = pressed["turn"]
    match pressed["event"]:
        case "beat":
            go(lesson, min(max(pressed["value"], 0), len(lesson.beats)))
        case "leave":
            leave()
        case "present":
            start(lesson, "present")
        case "example":
            _next_example(lesson, pressed["value"])


def example_on_screen(lesson: Lesson) -> str | None:
    """The label of the example with the current settings; of two, the one with the current view."""
    now = {name: st.session_state.get(name, value) for name, value in lesson.defaults.items()}
    looks = {(name, st.session_state.get(name, value)) for name, value in lesson.looks.items()}
    shown = [each for each in lesson.presets if now.items() <= each.settings.items()]
    as_open = [each for each in shown if looks <= set(each.settings.items())]
    return next((each.label for each in as_open or shown), None)


def _next_example(lesson: Lesson, step: int) -> None:
    labels = [preset.label for preset in lesson.presets]
    shown = example_on_screen(lesson)
    place = labels.index(shown) + step if shown in labels else 0
    set_controls(lesson.presets[place % len(labels)].settings)


def listen(lesson: Lesson) -> None:
    """Listen for the keys of the page."""
    how: components.KeysPayload = {
        "mode": mode(),
        "beat": beat_number(lesson),
        "last": len(lesson.beats),
        "steps": steps(lesson),
        "asked": st.query_params.get("ask", ""),
        "verdict": questions.verdict(st.query_params.get("ask", "")),
        "answered": float(st.session_state.get(ANSWERED, 0)),
    }
    components.key_listener(how, on_pressed=partial(press, lesson))


def steps(lesson: Lesson) -> Sequence[int]:
    """The beats that the keys turn to: all, or those of the current slide of a lecture."""
    if presenting() and place.is_part():
        return place.steps_of_slide(len(lesson.beats))
    return list(range(1, len(lesson.beats) + 1))


def caption(lesson: Lesson) -> None:
    """The sentence of the beat, and the buttons that turn the beats and leave.

    In a lecture the buttons are beside the name of the slide. If a picture is presented at other
    settings than the beat's, its own sentence is the headline.
    """
    number, left = beat_number(lesson), is_left(lesson)
    if beat(lesson) or not presenting():
        with st.container(key="beat"):
            st.markdown(OTHER_SETTINGS if left else lesson.beats[number - 1].say)
    if not (presenting() and place.is_part()):
        with st.container(key="turns", horizontal=True, wrap=False, gap="small"):
            _turns(lesson, number, left)


def _turns(lesson: Lesson, number: int, left: bool) -> None:
    """The buttons beside the number of the beat; after the last one a link to the next page."""
    turn, last = partial(_turn, lesson), len(lesson.beats)
    if left:
        help_again = "The settings of this step again"
        turn(number, "This step", ":material/restart_alt:", "beat-again", help_again)
    turn(
        number - 1,
        "Back",
        ":material/arrow_back:",
        "beat-back",
        "The beat before (←)",
        disabled=number <= 1,
    )
    st.markdown(f"{number} / {last}", width="content")
    if number == last:
        _onward(lesson.slug)
    else:
        turn(number + 1, "Next", ":material/arrow_forward:", "beat-next", "The next beat (→)")
    st.button(
        "Leave", icon=":material/close:", key="present-stop", on_click=leave, help="Leave (Esc)"
    )


def _turn(
    lesson: Lesson, to: int, label: str, icon: str, key: str, says: str, *, disabled: bool = False
) -> None:
    """A button that turns to a beat."""
    st.button(
        label,
        icon=icon,
        key=key,
        disabled=disabled,
        on_click=go,
        args=(lesson, to),
        help=says,
    )


def _onward(slug: str) -> None:
    """A link from the last beat to the next page's first one; from the last page to Home."""
    after = following(slug)
    st.page_link(
        after.script if after else "app.py",
        label=after.short if after else "Home",
        icon=":material/arrow_forward:",
        query_params=_first_beat() if after else {},
        help="Go on with the next page" if after else "All pages, and what you have done",
        width="content",
    )


def _first_beat() -> dict[str, str]:
    return {"tour": "1"} if mode() == "tour" else {"present": "1", "beat": "1"}


def following(slug: str) -> contents.Page | None:
    """The page whose beats come next: in a tour of the seven-page path, that path's next page."""
    here = contents.page(slug)
    if here.star is None or mode() == "present":
        return contents.neighbours(slug)[1]
    return next((page for page in contents.PAGES if page.star == here.star + 1), None)


def next_page(slug: str) -> None:
    """A link to the next page's first beat, which the keys follow after this page's last one.

    None in a lecture, where they follow its slides.
    """
    if place.is_part():
        return
    with st.container(key="onward"):
        if after := following(slug):
            st.page_link(after.script, label=after.title, query_params=_first_beat())
