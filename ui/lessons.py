"""A lesson: what a page opens on, its presets and its beats, read from assets/lessons."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ui.assets import FOLDER

Settings = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Preset:
    """A named setting of every control."""

    label: str
    help: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Beat:
    """What to say in presenter mode, and what the controls are set to while it is said."""

    say: str
    settings: Settings


@dataclass(frozen=True, slots=True)
class Lesson:
    slug: str
    defaults: Settings
    presets: tuple[Preset, ...]
    beats: tuple[Beat, ...]

    def address(self, preset: Preset) -> dict[str, str]:
        """The query parameters that open this page on `preset`: what differs from the defaults."""
        return {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in preset.settings.items()
            if value != self.defaults[name]
        }


@cache
def lesson(slug: str) -> Lesson:
    """The lesson of a page. What a preset or beat leaves out has its default; a beat's
    `preset` stands for the settings of the preset of that label.

    Raises:
        ValueError: if a preset or beat sets something that has no default.
    """
    with (FOLDER / "lessons" / f"{slug}.toml").open("rb") as file:
        table = tomllib.load(file)
    defaults: dict[str, Any] = table["defaults"]

    def whole(settings: Settings) -> Settings:
        named = {p["label"]: p.get("settings", {}) for p in table["preset"]}
        settings = dict(settings)
        settings |= named[settings.pop("preset")] if "preset" in settings else {}
        if unknown := settings.keys() - defaults.keys():
            raise ValueError(f"{slug}.toml must only set {sorted(defaults)}; got {sorted(unknown)}")
        return defaults | settings

    presets = [Preset(p["label"], p["help"], whole(p.get("settings", {}))) for p in table["preset"]]
    beats = [Beat(b["say"], whole(b.get("settings", {}))) for b in table["beat"]]
    return Lesson(slug, defaults, tuple(presets), tuple(beats))
