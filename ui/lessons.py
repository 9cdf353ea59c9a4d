"""Reads a page's defaults, presets and beats from `lessons/<page>/lesson.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "lessons"

ControlSettings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named setting of every control."""

    label: str
    help: str
    settings: ControlSettings


@dataclass(frozen=True, slots=True)
class Beat:
    """A sentence of presenter mode, and the settings that go with it."""

    say: str
    settings: ControlSettings
    light: tuple[str, ...] = ()
    """The parts of the picture that it speaks of; empty: all."""
    hide: tuple[str, ...] = ()
    """The numbers that it asks for, and the next beat shows."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A page's presets and beats; `defaults` are content settings, `looks` those of the view."""

    slug: str
    defaults: ControlSettings
    looks: ControlSettings
    presets: tuple[Preset, ...]
    beats: tuple[Beat, ...]
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Old names of settings → their names now, so that old addresses still work."""
    figure: str = ""
    """The code that draws a figure from the variables of the page's snippet, in a notebook."""

    def address(self, state: Preset | Beat) -> dict[str, str]:
        """The query parameters that open this page in `state`: what differs from the defaults."""
        return self.differs(state.settings)

    def differs(self, settings: ControlSettings) -> dict[str, str]:
        """Those of these settings that differ from their defaults, or have none."""
        opens = {**self.defaults, **self.looks}
        return {name: str(value) for name, value in settings.items() if value != opens.get(name)}


@lru_cache(maxsize=32)
def lesson(slug: str) -> Lesson:
    """The lesson of a page.

    A setting that a preset or beat leaves out has its default; a beat's `preset` is the label of
    the preset whose settings it takes.

    Raises:
        ValueError: if a preset or beat sets what has no default, a beat names an unknown preset, or
            a renamed setting has no name now.
    """
    with (FOLDER / slug / "lesson.toml").open("rb") as file:
        table = tomllib.load(file)
    defaults, looks = table.get("defaults", {}), table.get("looks", {})
    opens = {**defaults, **looks}
    presets = tuple(
        Preset(row["label"], row["help"], {**opens, **row.get("settings", {})})
        for row in table.get("preset", ())
    )
    where = f"lessons/{slug}/lesson.toml"
    beats = tuple(_read_beat(row, presets, opens, where) for row in table.get("beat", ()))
    renamed = table.get("renamed", {})
    _check_names([*presets, *beats], renamed, sorted(opens), where)
    figure = table.get("notebook", {}).get("figure", "")
    return Lesson(slug, defaults, looks, presets, beats, renamed, figure)


def _read_beat(
    row: Mapping[str, Any], presets: Sequence[Preset], opens: ControlSettings, where: str
) -> Beat:
    """A beat with the settings of its preset, if it names one, and its own.

    Raises:
        ValueError: if there is no such preset.
    """
    settings, named = dict(row.get("settings", {})), {each.label: each for each in presets}
    preset = settings.pop("preset", None)
    if preset is not None and preset not in named:
        raise ValueError(f"{where}: preset must be one of {sorted(named)}; got {preset!r}")
    base = named[preset].settings if preset is not None else {}
    parts = {name: tuple(row.get(name, ())) for name in ("light", "hide")}
    return Beat(row["say"], {**opens, **base, **settings}, **parts)


def _check_names(
    states: Sequence[Preset | Beat], renamed: Mapping[str, str], known: Sequence[str], where: str
) -> None:
    """Raises ValueError if a state sets what has no default, or an old name leads nowhere."""
    for each in states:
        if unknown := each.settings.keys() - set(known):
            raise ValueError(f"{where} must only set {known}; got {sorted(unknown)}")
    for old, new in renamed.items():
        if old in known or new not in known:
            raise ValueError(
                f"{where}: renamed must lead from a name that is no setting to one of {known}; "
                f"got {old!r} to {new!r}"
            )
