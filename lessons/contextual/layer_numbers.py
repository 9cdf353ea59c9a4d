"""Numbers that have a value in every layer, with the slider of the layer."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from jaxtyping import Float64
from torch import Tensor

from drawing.live import LiveNumbers, Slider, live_numbers


def layer_numbers(
    group: str, by_layer: Mapping[str, Float64[Tensor, " layer"]], layer: int, *, watch: str
) -> LiveNumbers:
    """The numbers in one layer, and in all of them along the slider; `watch` is its help."""
    layers = torch.arange(len(next(iter(by_layer.values())))).double()
    swept = {"layer": layers, **by_layer}
    slider = Slider("layer", "layer", "layer", float(layer), layers.numpy(), watch, role="score")
    now = {name: each[layer] for name, each in swept.items()}
    return live_numbers(group, now, [slider], {name: each[None] for name, each in swept.items()})
