"""Chooses a student's next act: a control that is on screen, and a plausible new value for it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from benchmarks import hands, mounting
from benchmarks.mounting import Mounted
from benchmarks.student import Act, Student
from ui.streamlit_internals.messages import WidgetState, component_event

LESSONS = Path(__file__).parent.parent / "lessons"
# Relative frequencies of the sorts of acts: most are at the controls that follow the pointer.
WEIGHTS = {
    "sliders": 38,
    "picture": 18,
    "choice": 18,
    "view": 12,
    "preset": 6,
    "text": 4,
    "fold": 2,
    "button": 2,
    "beat": 12,
}
BEATS = {"beat-back", "beat-next", "present-stop"}
"""The buttons of a tour: back, next and leave."""
# Buttons that students do not press: presenter mode, downloads, starting or ending a training run.
UNPRESSED = ("Present", "Start", "Train", "Stop", "Leave presenter", "Save", "Load", "Try again")
HEAVY = ("bench", "heads-start", "go-on")
# Texts to type where the lesson has only one value.
TYPED = {
    "gen_seed": ("1", "2", "3", "7", "11"),
    "gen_length": ("10", "15", "20"),
    "gen_no_repeat": ("0", "2", "3"),
    "gen_length_penalty": ("0", "0.6", "1"),
    "gen_diversity": ("0", "0.5", "1"),
    "rate": ("0.001", "0.003", "0.01"),
    "run_steps": ("200", "400", "1000"),
    "tokens_types": ("100", "200", "400"),
    "rnn_unit": ("1", "3", "7", "12"),
    "positions_pair": ("0", "1", "2"),
    "nn_units": ("2", "4", "3, 3", "8"),
    "rv_text": ("no plot, no wit, and no point", "a great film and funny!", "dull but clever"),
    "em_text": ("good not great", "not dull but great", "a great film"),
    "wv_word": ("cat", "street", "tired", "big", "the"),  # in every text but the visitor's own
    "wv_new": ("farmhouse", "catlike", "streets"),
    "wv_en": ("great", "bank", "mouse"),
}
# Fields whose value must fit another control, so only the present one is valid.
UNTYPED = {
    *("gen_groups", "attention_columns", "attention_words", "heads_pair", "corrupt_text"),
    *("readers_gap", "x", "w", "tf_text", "ct_own"),
}
# Moving these may be refused: a model may lack the words of the text, a view has limited inputs.
UNMOVED = {"corrupt_model", "tokens_model", "fill_model", "tokens_text", "inputs"}
UNOPENED = {"Decision surface", "By hand", "BertViz model view"}
FEWEST = 4
"""The least number of pressed pills of a group with multiple selection."""
COUNTS = {"four": 4, "six": 6}
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def choose(student: Student, rng: Random, weights: dict[str, int] | None = None) -> Act | None:
    """The next act on this page, or None if there is nothing to move."""
    weights = weights or WEIGHTS
    there: dict[str, list[Mounted]] = {}
    for each in movable(student):
        there.setdefault(sort_of(each), []).append(each)
    while there:
        sorts = list(there)
        sort = rng.choices(sorts, [weights.get(each, 0) + 1e-9 for each in sorts])[0]
        each = rng.choice(there[sort])
        if act := act_on(student, each, rng):
            act.sort = sort
            return act
        there[sort].remove(each)
        if not there[sort]:
            del there[sort]
    return None


def movable(student: Student) -> list[Mounted]:
    """Every control that a student may move."""
    elements = student.elements
    return [
        each
        for path, each in elements.items()
        if each.id and sort_of(each) and not mounting.hidden(elements, path)
    ]


def sort_of(each: Mounted) -> str:
    """The sort of a control; empty if no student moves it."""
    element = each.element
    if not each.kind:
        return "fold" if element.HasField("expandable") else ""
    if getattr(element, "disabled", False) or each.setting in UNMOVED:
        return ""
    if each.kind == "bidi_component":
        name = element.component_name
        return "sliders" if name == "lml_sliders" else "picture" if name in hands.HANDS else ""
    if each.kind == "button":
        if each.name in BEATS:
            return "beat"
        quiet = element.label.startswith(UNPRESSED) or any(w in each.name for w in HEAVY)
        return "" if quiet else "button"
    if each.kind == "button_group":
        if each.setting == "preset":
            return "preset"
        return "view" if element.label == "Look closer" else "choice"
    if each.kind in ("text_input", "text_area"):
        return "text"
    return "choice" if each.kind in ACTS else ""


def act_on(student: Student, each: Mounted, rng: Random) -> Act | None:
    """One move of that control, or None if it cannot move."""
    return ACTS[each.kind](student, each, rng)


def _made(each: Mounted, state: WidgetState, value: object, kind: str = "") -> Act:
    return Act(each.name, str(value)[:80], state, each.fragment, kind)


def _component(student: Student, each: Mounted, rng: Random) -> Act | None:
    event = hands.event_of(each.element.component_name, each.element.bytes, rng)
    if event is None:
        return None
    return reported(each, *event)


def reported(each: Mounted, event: str, value: object) -> Act:
    """The act of a component of the app that reports this value."""
    return _made(each, component_event(each.id, event, value), value, "trigger")


def _button(student: Student, each: Mounted, rng: Random) -> Act:
    return _made(each, WidgetState(id=each.id, trigger_value=True), each.element.label, "trigger")


def _group(student: Student, each: Mounted, rng: Random) -> Act | None:
    """Another pill; with multiple selection, one more or one fewer."""
    element = each.element
    names = [option.content for option in element.options]
    now = list(student.states[each.id].string_array_value.data)
    free = [name for name in names if name not in now and name not in UNOPENED]
    many = element.click_mode == element.MULTI_SELECT
    if many and len(now) > FEWEST and (len(now) >= most(element.label) or rng.random() < 0.6):
        gone = rng.choice(now)
        return chosen(each, [name for name in now if name != gone])
    if not free or (many and len(now) >= most(element.label)):
        return None
    return chosen(each, [*now, rng.choice(free)] if many else [rng.choice(free)])


def most(label: str) -> int:
    """The most pills that may be pressed, as the label states."""
    _, _, count = label.partition("up to ")
    return COUNTS.get(count) or int(count or len(label) + 99)


def chosen(each: Mounted, wanted: list[str]) -> Act:
    """The act after which these pills of a group are pressed."""
    state = WidgetState(id=each.id)
    state.string_array_value.data.extend(wanted)
    act = _made(each, state, ", ".join(wanted))
    opens = [each.element.options[i].content for i in each.element.default]
    return _bind(act, each, wanted, wanted == opens)


def _bind(act: Act, each: Mounted, values: list[str], as_it_opens: bool) -> Act:
    if each.bound:
        act.bound = (each.bound, None if as_it_opens else values)
    return act


def _toggle(student: Student, each: Mounted, rng: Random) -> Act:
    value = not student.states[each.id].bool_value
    act = _made(each, WidgetState(id=each.id, bool_value=value), value)
    return _bind(act, each, [str(value).lower()], value == each.element.default)


def _fold(student: Student, each: Mounted, rng: Random) -> Act:
    folded = each.element.expandable
    value = not folded.expanded
    act = _made(each, WidgetState(id=each.id, bool_value=value), value, "fold")
    return _bind(act, each, [str(value).lower()], value == folded.default_expanded)


def _text(student: Student, each: Mounted, rng: Random) -> Act | None:
    now = student.states[each.id].string_value
    if among_numbers(now) and each.setting not in TYPED:
        return typed(each, nudged(now, rng))
    values = [value for value in typed_values(each.setting) if value != now]
    return typed(each, rng.choice(values)) if values else None


def among_numbers(text: str) -> bool:
    """Whether a text is a list of numbers or a matrix."""
    rest, count = NUMBER.subn("", text)
    return count > 1 and not rest.strip(" ,;\n\t")


def nudged(text: str, rng: Random) -> str:
    """The text with one of its numbers replaced by another small one."""
    found = rng.choice(list(NUMBER.finditer(text)))
    value = rng.choice([str(n) for n in range(4) if str(n) != found[0]])
    return text[: found.start()] + value + text[found.end() :]


def typed(each: Mounted, value: str) -> Act:
    """The act that enters this text."""
    act = _made(each, WidgetState(id=each.id, string_value=value), value)
    return _bind(act, each, [value], value == each.element.default)


def _number(student: Student, each: Mounted, rng: Random) -> Act:
    element, state = each.element, student.states[each.id]
    whole = mounting.whole(element)
    now = float(state.int_value if whole else state.double_value)
    value = now + rng.choice((-1, 1)) * (element.step or 1)
    if (element.has_min and value < element.min) or (element.has_max and value > element.max):
        value = 2 * now - value
    new = WidgetState(id=each.id)
    if whole:
        new.int_value = int(value)
    else:
        new.double_value = value
    default = element.HasField("default") and element.default == value
    return _bind(_made(each, new, value), each, [f"{value:g}"], default)


def _slide(student: Student, each: Mounted, rng: Random) -> Act:
    element = each.element
    steps = round((element.max - element.min) / element.step)
    value = round(element.min + element.step * rng.randint(0, steps), 10)
    state = WidgetState(id=each.id)
    state.double_array_value.data.append(value)
    return _bind(_made(each, state, value), each, [f"{value:g}"], [value] == list(element.default))


@lru_cache(maxsize=512)
def typed_values(setting: str) -> tuple[str, ...]:
    """The values to type into a text box: those of the lessons, or of `TYPED`."""
    setting = setting.removesuffix("-typed")
    if setting in UNTYPED:
        return ()
    if setting in TYPED:
        return TYPED[setting]
    found = _lessons().get(setting, ())
    return found if len(found) > 1 else ()


@lru_cache(maxsize=1)
def _lessons() -> dict[str, tuple[str, ...]]:
    values: dict[str, dict[str, None]] = {}
    for path in sorted(LESSONS.glob("*/lesson.toml")):
        lesson: dict[str, Any] = tomllib.loads(path.read_text("utf-8"))
        rows = [each.get("settings", {}) for each in lesson["preset"]]
        for row in (lesson["defaults"], *rows):
            for name, value in row.items():
                if value:
                    values.setdefault(name, {})[str(value)] = None
    return {name: tuple(each) for name, each in values.items()}


ACTS: dict[str, Callable[[Student, Mounted, Random], Act | None]] = {
    "": _fold,
    "bidi_component": _component,
    "button": _button,
    "button_group": _group,
    "checkbox": _toggle,
    "text_input": _text,
    "text_area": _text,
    "number_input": _number,
    "slider": _slide,
}
