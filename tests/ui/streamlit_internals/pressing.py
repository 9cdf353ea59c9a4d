"""For an AppTest: return to a saved state, and press any option of a widget in a single run."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import (
    Button,
    ButtonGroup,
    Checkbox,
    NumberInput,
    Selectbox,
    Toggle,
    Widget,
)

FRESH = re.compile(r"-\d+$")
"""What `ui.fresh_key` adds to a widget's key."""


class Press(NamedTuple):
    """A press: the key of a widget, what is pressed in words, and how its state changes."""

    key: str
    option: str
    change: Callable[[WidgetState], None]


class Moment(NamedTuple):
    """A saved state of an app; `go_back` restores it any number of times."""

    tree: Any
    values: dict[str, Any]
    keys: Any
    known: dict[str, Any]
    """Widget → how its value is read, which depends on its options."""
    address: dict[str, Any]

    @classmethod
    def of(cls, app: AppTest) -> Moment:
        """The state of the app after a run."""
        state = app._session_state._state
        state._compact_state()
        return cls(
            app._tree,
            _copied(state._old_state),
            copy.copy(state._key_id_mapper),
            dict(state._new_widget_state.widget_metadata),
            app.query_params,
        )

    def go_back(self, app: AppTest) -> None:
        """Restore this state in the app."""
        state = app._session_state._state
        state._old_state = _copied(self.values)
        state._new_session_state = {}
        state._new_widget_state.clear()
        state._new_widget_state.widget_metadata = dict(self.known)
        state._key_id_mapper = copy.copy(self.keys)
        app._tree, app.query_params = self.tree, dict(self.address)


def press(app: AppTest, made: Press) -> AppTest:
    """Press once: the widget with that key reports its new state, and the app runs."""
    widget = next(each for each in _widgets(app) if plain_key(each) == made.key)
    states = app._tree.get_widget_states()
    mine = [each for each in states.widgets if each.id == widget.id]
    if not mine:
        mine = [states.widgets.add(id=widget.id)]
    made.change(mine[0])
    return app._run(states)


def session_values(app: AppTest) -> dict[str, Any]:
    """What the session holds, by name."""
    found: dict[str, Any] = app._session_state.filtered_state
    return found


def send(app: AppTest, value: object) -> AppTest:
    """Send a value as each event of every component on screen, in one message."""
    states = app._tree.get_widget_states()
    for each in app.get("bidi_component"):
        told = [{"event": event, "value": value} for event in ("event", "settled", "pressed")]
        aggregator = states.widgets.add(id=_make_trigger_id(each.proto.id, "events"))
        aggregator.json_trigger_value = json.dumps(told)
    return app._run(states)


@contextmanager
def written_by_callbacks() -> Iterator[dict[str, Any]]:
    """What the callbacks of an app write into its session meanwhile, by name."""
    written: dict[str, Any] = {}
    write, begin = SessionState.__setitem__, SessionState.on_script_will_rerun

    def note(state: SessionState, name: str, value: Any) -> None:
        written[name] = value
        write(state, name, value)

    def call(*state: Any, **more: Any) -> None:
        with patch.object(SessionState, "__setitem__", note):
            begin(*state, **more)

    with patch.object(SessionState, "on_script_will_rerun", call):
        yield written


def offered(app: AppTest) -> Iterator[Press]:
    """Every press that the widgets on screen offer, except those that change nothing."""
    for widget in _widgets(app):
        if not widget.key or getattr(widget, "disabled", False):
            continue
        yield from _presses(widget)


def plain_key(widget: Widget) -> str:
    """The key of a widget, without the suffix of `ui.fresh_key`."""
    return FRESH.sub("", widget.key or "")


def _widgets(app: AppTest) -> Iterator[Widget]:
    kinds = Button, ButtonGroup, Checkbox, NumberInput, Selectbox, Toggle
    return (each for each in app._tree if isinstance(each, kinds))


def _presses(widget: Widget) -> Iterator[Press]:
    key = plain_key(widget)
    match widget:
        case Button():
            yield Press(key, "pressed", _set("trigger_value", True))
        case Checkbox() | Toggle():
            yield Press(key, str(not widget.value), _set("bool_value", not widget.value))
        case ButtonGroup():
            yield from _of_group(key, widget)
        case Selectbox():
            for option in widget.options:
                if option != widget.options[widget.index or 0]:
                    yield Press(key, option, _set("string_value", option))
        case NumberInput():
            steps = {widget.value - widget.step, widget.value + widget.step, widget.min, widget.max}
            low = -math.inf if widget.min is None else widget.min
            high = math.inf if widget.max is None else widget.max
            for each in sorted(steps - {None, widget.value}):
                if low <= each <= high:
                    yield Press(key, f"{each:g}", _set("double_value", each))


def _of_group(key: str, group: ButtonGroup[Any]) -> Iterator[Press]:
    now = list(group.formatted_values)
    if group.proto.click_mode == group.proto.ClickMode.MULTI_SELECT:
        yield from _several(key, now, group.options)
        return
    yield from (Press(key, each, _chosen([each])) for each in group.options if each not in now)
    if now and not group.proto.required:
        yield Press(key, f"release {now[0]}", _chosen([]))


def _several(key: str, now: list[str], options: list[str]) -> Iterator[Press]:
    for option in options:
        if option in now:
            yield Press(key, f"release {option}", _chosen([each for each in now if each != option]))
        else:
            yield Press(key, f"add {option}", _chosen([*now, option]))


def _set(field: str, value: object) -> Callable[[WidgetState], None]:
    return lambda state: setattr(state, field, value)


def _chosen(values: list[str]) -> Callable[[WidgetState], None]:
    def change(state: WidgetState) -> None:
        state.string_array_value.data[:] = values

    return change


def _copied(value: Any, depth: int = 4) -> Any:
    """Copies of the containers in a session's state; the values in them never change in place."""
    if depth and type(value) is dict:
        return {name: _copied(each, depth - 1) for name, each in value.items()}
    if depth and type(value) in (list, set):
        return type(value)(_copied(each, depth - 1) for each in value)
    return value
