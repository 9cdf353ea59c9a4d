"""Reads a page's defaults, presets and beats from `lessons/<page>/lesson.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
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
    presets = [
        Preset(row["label"], row["help"], {**defaults, **looks, **row.get("settings", {})})
        for row in table.get("preset", ())
    ]
    named = {preset.label: preset.settings for preset in presets}
    beats = []
    for row in table.get("beat", ()):
        settings = dict(row.get("settings", {}))
        preset = settings.pop("preset", None)
        if preset is not None and preset not in named:
            raise ValueError(
                f"lessons/{slug}/lesson.toml: preset must be one of {sorted(named)}; got {preset!r}"
            )
        base = named[preset] if preset is not None else {}
        whole = {**defaults, **looks, **base, **settings}
        parts = {name: tuple(row.get(name, ())) for name in ("light", "hide")}
        beats.append(Beat(row["say"], whole, **parts))
    known = sorted({*defaults, *looks})
    for each in (*(p.settings for p in presets), *(b.settings for b in beats)):
        if unknown := each.keys() - set(known):
            raise ValueError(
                f"lessons/{slug}/lesson.toml must only set {known}; got {sorted(unknown)}"
            )
    renamed = table.get("renamed", {})
    for old, new in renamed.items():
        if old in known or new not in known:
            raise ValueError(
                f"lessons/{slug}/lesson.toml: renamed must lead from a name that is no setting to "
                f"one of {known}; got {old!r} to {new!r}"
            )
    figure = table.get("notebook", {}).get("figure", "")
    return Lesson(slug, defaults, looks, tuple(presets), tuple(beats), renamed, figure)
