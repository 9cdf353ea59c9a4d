"""The Backprop page's own programs under short names: what is taught is what is tested."""

from typing import NamedTuple

from ui.lessons import lesson


class Program(NamedTuple):
    label: str
    program: str
    names: tuple[str, ...]


def _names(text):
    return tuple(name.strip() for name in text.split(",") if name.strip())


IDS = ("slide", "network", "regression", "twice", "vanishing", "dead", "kink")
PRESETS = {
    name: Program(preset.label, preset.settings["program"], _names(preset.settings["update"]))
    for name, preset in zip(IDS, lesson("backprop").presets, strict=True)
}
