"""A page's settings, declared once: the allowed values, the default and the widget of each.

They are stored as text in the session and in the address, independently of their widgets: a widget
that Streamlit binds to the address loses its value when it leaves the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from lmcore.typed import fold, fold_number
from ui.lessons import Lesson
from ui.widgets import (
    address_values,
    changed_value,
    check_address_value,
    fresh_key,
    is_number_between,
    text_area,
)

SWITCH_VALUES = ("true", "false")
Options = Collection[str] | Callable[[], Collection[str]] | None
"""The allowed values, or a mapping of each to its label, or a function that returns either. None if
they are given to `draw`."""


@dataclass(frozen=True, slots=True)
class Text:
    """A typed setting. Text longer than `longest` characters is cut, with a warning.

    With a `height` it has several lines. `then` is called when another text has been typed.
    """

    label: str
    help: str | None = None
    longest: int | None = None
    warning: str = "Of {:,} characters the first {} are kept."
    height: int | None = None
    then: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some values, or with `many` several of them separated by commas.

    Without a label it has no widget. With `may_be_empty`, having no value is allowed; otherwise the
    last value cannot be deselected. Once `most` values are chosen, a further one deselects the
    first. `then` is called when another value has been chosen.
    """

    options: Options
    label: str = ""
    many: bool = False
    may_be_empty: bool = False
    most: int | None = None
    then: Callable[[], None] | None = None
    help: str | None = None

    def labels(self) -> dict[str, str]:
        """The currently allowed values, each with its label."""
        options = self.options() if callable(self.options) else self.options
        if isinstance(options, Mapping):
            return dict(options)
        return {each: each for each in options or ()}


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is "true" or "false". Without a label it has no widget."""

    label: str = ""


@dataclass(frozen=True, slots=True)
class Between:
    """A number that a picture or a slider sets, from `low` to `high`."""

    low: float
    high: float
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Bound:
    """A setting held by a widget that Streamlit binds to the address, such as the open view.

    `rule` gives the allowed values, if the widget does not check them itself.
    """

    rule: Choice | Switch | Between | None = None


Setting = Text | Choice | Switch | Between | Bound


class SettingsTable:
    """A page's settings: the allowed values, the widget and the current value of each.

    `besides` are settings that no preset touches, with their defaults. Settings that the table does
    not name stay in the address unchecked.
    """

    def __init__(
        self,
        lesson: Lesson,
        table: Mapping[str, Setting],
        *,
        besides: Mapping[str, str] | None = None,
    ) -> None:
        """Raises ValueError if a setting in the table has no default."""
        self.defaults = {**lesson.defaults, **lesson.looks, **(besides or {})}
        if unknown := table.keys() - self.defaults.keys():
            known = ", ".join(self.defaults)
            raise ValueError(f"a setting must be one of {known}; got {', '.join(sorted(unknown))}")
        self.table = dict(table)
        bound = {name for name, setting in self.table.items() if isinstance(setting, Bound)}
        self.kept = {name: value for name, value in self.defaults.items() if name not in bound}

    def restore(self) -> None:
        """Read each setting from the address or the session; report what is not allowed."""
        self.keep()
        self.check()

    def keep(self) -> None:
        """Read each setting from the address or the session; a text that is too long is cut."""
        address_values(self.kept)
        for name, setting in self.table.items():
            if isinstance(setting, Text) and setting.longest is not None:
                self._cut(name, setting.longest, setting.warning)

    def check(self, *beginnings: str) -> None:
        """Report address values that are not allowed, of all settings or those so prefixed."""
        address = st.query_params.to_dict()
        for name, setting in self.table.items():
            if name in address and name.startswith(beginnings or ""):
                _check(name, setting.rule if isinstance(setting, Bound) else setting)

    def draw(self, *names: str, **now: Any) -> None:
        """Draw the widgets of these settings, in this order; `now` overrides parts of the table."""
        for name in names:
            match setting := replace(self.table[name], **now):
                case Text():
                    _draw_text(name, setting)
                case Choice():
                    _draw_choice(name, setting)
                case Switch(label):
                    _draw_switch(name, label)
                case _:
                    raise TypeError(f"{name} is set by the picture; it has no widget")

    def text(self, name: str) -> str:
        """The typed text of a setting."""
        return str(st.session_state[name])

    def choice(self, name: str, options: Options = None) -> str:
        """The chosen value, or the first allowed one."""
        setting = self.table[name]
        assert isinstance(setting, Choice)
        allowed = replace(setting, options=options or setting.options).labels()
        chosen = self.text(name)
        return chosen if chosen in allowed else next(iter(allowed))

    def several(self, name: str) -> list[str]:
        """The values of a setting that are separated by commas."""
        return [part.strip() for part in fold(self.text(name)).split(",") if part.strip()]

    def switch(self, name: str) -> bool:
        """Whether it is switched on."""
        return self.text(name) == "true"

    def number(self, name: str) -> float:
        """The value of a setting between two numbers, or its default if it is not between them."""
        rule = self.table[name]
        assert isinstance(rule, Between)
        given = fold_number(self.text(name))
        return float(
            given if is_number_between(given, rule.low, rule.high) else self.defaults[name]
        )

    def _cut(self, name: str, most: int, warning: str) -> None:
        typed = self.text(name)
        if len(typed) > most:
            st.session_state[name] = typed[:most]
            address_values({name: self.defaults[name]})
            st.warning(warning.format(len(typed), most))


def _check(name: str, rule: Setting | None) -> None:
    match rule:
        case Choice(many=False) if allowed := tuple(rule.labels()):
            check_address_value(name, ("",) * rule.may_be_empty + allowed)
        case Switch():
            check_address_value(name, SWITCH_VALUES)
        case Between(low, high, whole=True):
            check_address_value(name, range(int(low), int(high) + 1))
        case Between(low, high):
            check_address_value(name, (float(low), float(high)))


def _draw_text(name: str, text: Text) -> None:
    key = _widget_key(name, st.session_state[name])
    how: Any = {"key": key, "help": text.help, "on_change": _store_widget_value}
    how["args"] = name, key, text.then
    if text.height is None:
        st.text_input(text.label, **how)
    else:
        text_area(text.label, height=text.height, **how)


def _draw_choice(name: str, choice: Choice) -> None:
    options = choice.labels()
    now = [part.strip() for part in st.session_state[name].split(",")]
    known = [part for part in now if part in options]
    key = _widget_key(name, known if choice.many else next(iter(known), next(iter(options))))
    mode: Any = "multi" if choice.many else "single"
    st.pills(
        choice.label,
        list(options),
        selection_mode=mode,
        format_func=options.__getitem__,
        key=key,
        on_change=_store_choice,
        args=(name, key, choice),
        required=not choice.many,
        help=choice.help,
        wrap=True,
    )


def _draw_switch(name: str, label: str) -> None:
    key = _widget_key(name, st.session_state[name] == "true")
    st.toggle(label, key=key, on_change=_store_widget_value, args=(name, key))


def _widget_key(name: str, value: object) -> str:
    """The key of the widget of a setting."""
    return fresh_key(f"{name}-shown", value)


def _store_choice(name: str, key: str, choice: Choice) -> None:
    value = changed_value(f"{name}-shown", key)
    if isinstance(value, list):
        if not value and not choice.may_be_empty:
            return  # it is drawn again as it was
        value = ", ".join(value[-(choice.most or len(value)) :])
    if value is not None:
        st.session_state[name] = value
        if choice.then is not None:
            choice.then()


def _store_widget_value(name: str, key: str, then: Callable[[], None] | None = None) -> None:
    value = changed_value(f"{name}-shown", key)
    if isinstance(value, bool):
        value = str(value).lower()
    if value is not None:
        st.session_state[name] = value
        if then is not None:
            then()
