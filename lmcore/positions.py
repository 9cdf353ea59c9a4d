"""Positional encoding: waves of many lengths, added to the embeddings, tell places apart.

    PE(pos, 2i)   = sin(pos / 10000^(2i/d))
    PE(pos, 2i+1) = cos(pos / 10000^(2i/d))

PE(a)·PE(b) = Σ_i cos((a − b) / 10000^(2i/d)) depends on a − b alone.

Source: Vaswani et al. 2017, section 3.5; lecture "Positional Encoding" (CSE538).
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

BASE = 10_000.0


def wavelengths(width: int) -> Float[Tensor, " pair"]:
    """2π · 10000^(2i/d): after so many places the wave of dimensions 2i and 2i+1 begins anew.

    Raises:
        ValueError: if the width is not an even number above 0.
    """
    if width < 2 or width % 2:
        raise ValueError(f"the width must be an even number, 2 or more; got {width}")
    return 2 * math.pi * BASE ** (torch.arange(0, width, 2, dtype=torch.float64) / width)


def sinusoids(places: Int[Tensor, "*shape"], width: int) -> Float[Tensor, "*shape width"]:
    """PE of each place, in float64: a sine and a cosine of each wavelength, side by side.

    Raises:
        ValueError: as `wavelengths`.
    """
    angle = 2 * math.pi * places[..., None] / wavelengths(width).to(places.device)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2)
