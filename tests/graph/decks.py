"""The Backprop page's own programs under short names: what is taught is what is tested."""

from typing import NamedTuple

from ui.lessons import lesson


class Program(NamedTuple):
    label: str
    program: str
    names: tuple[str, ...]


def _names(text):
    return tuple(name.strip() for name in text.split(",") if name.strip())


def programs():
    """The examples that open the graph; the others open another picture of the same programs."""
    return [each for each in lesson("backprop").presets if each.settings["see"] == "Picture"]


IDS = ("slide", "network", "regression", "twice", "vanishing", "dead", "kink")
PRESETS = {
    name: Program(preset.label, preset.settings["program"], _names(preset.settings["update"]))
    for name, preset in zip(IDS, programs(), strict=True)
}
