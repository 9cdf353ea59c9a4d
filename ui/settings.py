"""Settings that are kept as text in the session and in the address, by widgets that may come and
go: a widget bound to the address takes its value along when it leaves the screen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import streamlit as st

from ui.widgets import address_values, changed_value, fresh_key


def keep_in_address(settings: Mapping[str, str]) -> None:
    """Remember each setting, with the value it has where nobody chose another."""
    address_values(settings)


def text_field(name: str, label: str, look_for: str) -> None:
    """A setting as text; it is checked where it is read."""
    key = _widget_key(name, st.session_state[name])
    st.text_input(label, key=key, help=look_for, on_change=_store_widget_value, args=(name, key))


def pills(name: str, label: str, options: Mapping[str, str], *, many: bool = False) -> None:
    """One of some settings, or several separated by commas; `options` maps each to its label."""
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
    """A setting that says which part of the page is shown, as a bar of its parts."""
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
    """A setting that is one of `options`, or the first of them."""
    chosen = str(st.session_state[name])
    return chosen if chosen in options else next(iter(options))


def toggle(name: str, label: str) -> None:
    """A setting that is "true" or "false"."""
    key = _widget_key(name, st.session_state[name] == "true")
    st.toggle(label, key=key, on_change=_store_widget_value, args=(name, key))


def _widget_key(name: str, value: object) -> str:
    """The widget's own key, which holds what the setting is."""
    return fresh_key(f"{name}-shown", value)


def _store_widget_value(name: str, key: str) -> None:
    value = changed_value(f"{name}-shown", key)
    if isinstance(value, bool):
        value = str(value).lower()
    if value is not None:
        st.session_state[name] = ", ".join(value) if isinstance(value, list) else value
