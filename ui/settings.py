"""Settings kept as text in the session and in the address, independently of their widgets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ui.lessons import Lesson
from ui.widgets import address_values, changed_value, check_address_value, fresh_key

SWITCH_VALUES = ("true", "false")
Options = Mapping[str, str] | Callable[[], Mapping[str, str]]
"""Each allowed value with its label, or a function that returns them."""


@dataclass(frozen=True, slots=True)
class Text:
    """A typed setting. Text longer than `longest` characters is cut, with a warning."""

    label: str
    help: str
    longest: int | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some values, or with `many` several of them separated by commas."""

    label: str
    options: Options
    many: bool = False

    def allowed(self) -> Mapping[str, str]:
        """The currently allowed values, each with its label."""
        return self.options() if callable(self.options) else self.options


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is "true" or "false"."""

    label: str


@dataclass(frozen=True, slots=True)
class Between:
    """A number that a picture or a slider sets, from `low` to `high`."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class View:
    """The open section below the picture; the bar of sections stores it."""

    names: tuple[str, ...]


Setting = Text | Choice | Switch | Between | View


class SettingsTable:
    """A page's settings: the allowed values, the widget and the current value of each.

    A lesson's default that is not in the table is kept in the address unchecked.
    """

    def __init__(self, lesson: Lesson, table: Mapping[str, Setting]) -> None:
        """Raises ValueError where the table names a setting that the lesson has no default for."""
        self.defaults = {**lesson.defaults, **lesson.looks}
        if unknown := table.keys() - self.defaults.keys():
            known = ", ".join(self.defaults)
            raise ValueError(f"a setting must be one of {known}; got {', '.join(sorted(unknown))}")
        self.table = dict(table)

    def restore(self) -> None:
        """Read each setting from the address or the session; report values that are not allowed."""
        views = {name for name, setting in self.table.items() if isinstance(setting, View)}
        address_values({n: value for n, value in self.defaults.items() if n not in views})
        for name, setting in self.table.items():
            match setting:
                case Text(longest=int(most)):
                    self._cut(name, most)
                case Choice(many=False):
                    check_address_value(name, tuple(setting.allowed()))
                case Switch():
                    check_address_value(name, SWITCH_VALUES)
                case Between(low, high):
                    check_address_value(name, (float(low), float(high)))
                case View(names):
                    check_address_value(name, names)

    def draw(self, *names: str) -> None:
        """Draw the widgets of these settings, in this order."""
        for name in names:
            match setting := self.table[name]:
                case Text(label, help):
                    text_field(name, label, help)
                case Choice(label, many=many):
                    pills(name, label, setting.allowed(), many=many)
                case Switch(label):
                    toggle(name, label)
                case _:
                    raise TypeError(f"{name} is set by the picture; it has no widget")

    def text(self, name: str) -> str:
        """The typed text of a setting."""
        return str(st.session_state[name])

    def choice(self, name: str) -> str:
        """The chosen value, or the first allowed one."""
        setting = self.table[name]
        assert isinstance(setting, Choice)
        return allowed_value(name, setting.allowed())

    def switch(self, name: str) -> bool:
        """Whether it is switched on."""
        return str(st.session_state[name]) == "true"

    def _cut(self, name: str, most: int) -> None:
        typed = str(st.session_state[name])
        if len(typed) > most:
            st.session_state[name] = typed[:most]
            address_values({name: self.defaults[name]})
            st.warning(f"Of {len(typed):,} characters the first {most} are kept.")


def keep_in_address(settings: Mapping[str, str]) -> None:
    """Store each setting in the address, with its default where none was chosen."""
    address_values(settings)


def text_field(name: str, label: str, look_for: str) -> None:
    """Draw a text field for a setting, which is checked when it is read."""
    key = _widget_key(name, st.session_state[name])
    st.text_input(label, key=key, help=look_for, on_change=_store_widget_value, args=(name, key))


def pills(name: str, label: str, options: Mapping[str, str], *, many: bool = False) -> None:
    """Draw pills for one or several of `options`, which maps each value to its label."""
    now = [part.strip() for part in st.session_state[name].split(",")]
    known = [part for part in now if part in options]
    key = _widget_key(name, known if many else next(iter(known), next(iter(options))))
    mode: Any = "multi" if many else "single"
    st.pills(
        label,
        list(options),
        selection_mode=mode,
        format_func=options.__getitem__,
        key=key,
        on_change=_store_widget_value,
        args=(name, key),
        required=not many,
        wrap=True,
    )


def tab_bar(name: str, label: str, options: Mapping[str, str]) -> None:
    """Draw a bar of the parts of the page; the setting is the selected part."""
    key = _widget_key(name, allowed_value(name, options))
    st.segmented_control(
        label,
        list(options),
        format_func=options.__getitem__,
        key=key,
        on_change=_store_widget_value,
        args=(name, key),
        required=True,
        label_visibility="collapsed",
    )


def allowed_value(name: str, options: Collection[str]) -> str:
    """The value of a setting if it is one of `options`, else the first of them."""
    chosen = str(st.session_state[name])
    return chosen if chosen in options else next(iter(options))


def toggle(name: str, label: str) -> None:
    """A setting that is "true" or "false"."""
    key = _widget_key(name, st.session_state[name] == "true")
    st.toggle(label, key=key, on_change=_store_widget_value, args=(name, key))


def _widget_key(name: str, value: object) -> str:
    """The key of the widget of a setting."""
    return fresh_key(f"{name}-shown", value)


def _store_widget_value(name: str, key: str) -> None:
    value = changed_value(f"{name}-shown", key)
    if isinstance(value, bool):
        value = str(value).lower()
    if value is not None:
        st.session_state[name] = ", ".join(value) if isinstance(value, list) else value
