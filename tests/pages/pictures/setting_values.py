"""Other values of a page's settings than those of its first example."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TypeVar

import ui
from ui.settings import SWITCH_VALUES, Between, Bound, Choice, Setting, SettingsTable, Switch

MOST_OPTIONS = 2
"""The most other values of a setting."""
T = TypeVar("T")


def spread(every: Sequence[T], most: int) -> Sequence[T]:
    """Up to `most` of the items, evenly spread."""
    return every[:: -(-len(every) // most) or 1]


def settings_table(slug: str) -> SettingsTable:
    """The settings table of a page."""
    found: SettingsTable = import_module(f"lessons.{slug}.{slug}_state").SETTINGS
    return found


def other_values(slug: str) -> Iterator[tuple[str, str]]:
    """Each setting of a page with up to `MOST_OPTIONS` other values than the first example's."""
    first = next((each.settings for each in ui.lesson(slug).presets), {})
    for name, setting in settings_table(slug).table.items():
        yield from ((name, value) for value in others(setting, str(first.get(name, ""))))


def others(setting: Setting, value: str) -> list[str]:
    """Other values of a setting than `value`: up to `MOST_OPTIONS`, evenly spread."""
    rule = setting.rule if isinstance(setting, Bound) else setting
    if isinstance(rule, Switch):
        return [each for each in SWITCH_VALUES if each != value]
    if isinstance(rule, Between):
        return [f"{each:g}" for each in (rule.low, rule.high) if f"{each:g}" != value]
    if isinstance(rule, Choice):
        return [*spread([each for each in rule.labels() if each != value], MOST_OPTIONS)]
    return []
