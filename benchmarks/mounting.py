"""Imitates how the frontend mounts elements that arrive, with the state of their widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode

from ui.streamlit_internals.messages import WidgetState

Path = tuple[int, ...]


@dataclass(slots=True)
class Mounted:
    """An element or a block in its place; `kind` is empty for a block."""

    run: str
    fragment: str
    element: Any
    kind: str = ""

    @property
    def id(self) -> str:
        return str(getattr(self.element, "id", "")) if self.kind else str(self._folded("id"))

    @property
    def name(self) -> str:
        """The widget's key in the page's code."""
        return self.id.split("-", 2)[-1]

    @property
    def setting(self) -> str:
        """The setting that the widget shows, whatever its current key is."""
        return self.name.rstrip("0123456789").removesuffix("-").removesuffix("-shown")

    @property
    def bound(self) -> str:
        """Its query parameter in the address; empty if it has none."""
        if not self.kind:
            return str(self._folded("query_param_key"))
        return str(getattr(self.element, "query_param_key", ""))

    def _folded(self, part: str) -> str:
        block = self.element
        return getattr(block.expandable, part) if block.HasField("expandable") else ""


def mount(
    elements: dict[Path, Mounted], states: dict[str, WidgetState], path: Path, new: Mounted
) -> None:
    """Put an element in its place; a widget has a state from then on."""
    before = elements.get(path)
    if before and bool(before.kind) != bool(new.kind):
        for below in [each for each in elements if each[: len(path)] == path]:
            del elements[below]
    elements[path] = new
    if new.kind:
        if not hidden(elements, path) and (state := _state(new, states)):
            states[state.id] = state
    elif before and new.id and new.id == before.id:
        was, now = (each.element.expandable.expanded for each in (before, new))
        if was != now:
            states[new.id] = WidgetState(id=new.id, bool_value=now)


def clear_stale(elements: dict[Path, Mounted], run: str, fragments: set[str]) -> None:
    """Remove elements that the run has left out; after a fragment's run, only that fragment's."""
    for path, each in list(elements.items()):
        if each.run != run and (not fragments or each.fragment in fragments):
            del elements[path]


def forget(elements: Mapping[Path, Mounted], states: dict[str, WidgetState]) -> None:
    """Drop the states of widgets that have been removed."""
    there = {each.id for each in elements.values()}
    for own in [own for own in states if own not in there]:
        del states[own]


def hidden(elements: Mapping[Path, Mounted], path: Path) -> bool:
    """Whether an element is in a popover, whose content is not mounted until it is opened."""
    above = (elements.get(path[:length]) for length in range(2, len(path)))
    return any(each and not each.kind and each.element.HasField("popover") for each in above)


def _state(new: Mounted, states: Mapping[str, WidgetState]) -> WidgetState | None:
    """The initial state of a widget, or the one that the server has set."""
    read = STATES.get(new.kind)
    if read is None:
        return None
    element = new.element
    if not getattr(element, "set_value", False) and element.id in states:
        return None
    return read(element)


def _chosen(element: Any) -> WidgetState:
    state = WidgetState(id=element.id)
    names = [option.content for option in element.options]
    set_now = list(element.raw_values) if element.set_value else [names[i] for i in element.default]
    state.string_array_value.data.extend(set_now)
    return state


def _switched(element: Any) -> WidgetState:
    value = element.value if element.set_value else element.default
    return WidgetState(id=element.id, bool_value=value)


def _written(element: Any) -> WidgetState:
    part = "value" if element.set_value else "default"
    state = WidgetState(id=element.id)
    if element.HasField(part):
        state.string_value = getattr(element, part)
    return state


def _counted(element: Any) -> WidgetState:
    part = "value" if element.set_value else "default"
    state = WidgetState(id=element.id)
    if element.HasField(part):
        number = getattr(element, part)
        if whole(element):
            state.int_value = int(number)
        else:
            state.double_value = number
    return state


def _slid(element: Any) -> WidgetState:
    state = WidgetState(id=element.id)
    numbers = element.value if element.set_value else element.default
    state.double_array_value.data.extend(numbers)
    return state


def _uploaded(element: Any) -> WidgetState:
    state = WidgetState(id=element.id)
    state.file_uploader_state_value.SetInParent()
    return state


def whole(element: Any) -> bool:
    """Whether a number input takes whole numbers only."""
    return bool(element.data_type == element.INT)


STATES = {
    "button_group": _chosen,
    "checkbox": _switched,
    "text_input": _written,
    "text_area": _written,
    "number_input": _counted,
    "slider": _slid,
    "file_uploader": _uploaded,
}


def written(parts: Mapping[str, list[str]], *, turning: bool = False) -> str:
    """Parameters as the frontend writes them, sorted by name. It escapes them differently
    after a change of a widget and on turning to another page."""
    pairs = [(name, value) for name in sorted(parts) for value in parts[name]]
    text = urlencode(pairs, safe="" if turning else "*")
    return text if turning else text.replace("~", "%7E")


def bound(query: str, name: str, values: list[str] | None) -> str:
    """The address after a bound widget has changed."""
    parts = parse_qs(query, keep_blank_values=True)
    parts.pop(name, None)
    if values is not None:
        parts[name] = values
    return written(parts)
