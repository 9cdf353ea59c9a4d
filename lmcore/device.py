"""Chooses the device of tensors: CUDA, else MPS, else CPU, unless LMCORE_DEVICE is set."""

from __future__ import annotations

import torch

from lmcore.configuration import configuration

ENVIRONMENT_VARIABLE = "LMCORE_DEVICE"


def device() -> torch.device:
    """The device that models are built on and trained on.

    The unit and the computation graph are too small for a GPU: they use the CPU, in float64.

    `LMCORE_DEVICE` overrides the choice: `cpu`, `cuda`, `cuda:1`, `mps`.

    Raises:
        ValueError: if the variable names no device of this machine.
    """
    wanted = configuration().device.lower()
    if wanted:
        return _checked(wanted)
    if torch.cuda.is_available():
        return torch.device("cuda")
    if torch.backends.mps.is_available():
        return torch.device("mps")
    return torch.device("cpu")


def device_name(where: torch.device) -> str:
    """The display name of `where`: `NVIDIA H200`, `Apple GPU`, `CPU`."""
    if where.type == "cuda":
        return torch.cuda.get_device_name(where)
    return {"mps": "Apple GPU"}.get(where.type, where.type.upper())


def share_cores(threads: int = 1) -> None:
    """Limit each computation to `threads` cores, so that many sessions share them."""
    torch.set_num_threads(threads)


def available_devices() -> tuple[str, ...]:
    """Every device this machine has, by the name `LMCORE_DEVICE` takes."""
    cuda = tuple(f"cuda:{index}" for index in range(torch.cuda.device_count()))
    mps = ("mps",) if torch.backends.mps.is_available() else ()
    return ("cpu", *cuda, *mps)


def _checked(wanted: str) -> torch.device:
    known = available_devices()
    if wanted in known:
        return torch.device(wanted)
    if wanted == "cuda" and "cuda:0" in known:
        return torch.device("cuda")
    raise ValueError(f"{ENVIRONMENT_VARIABLE} must be one of {', '.join(known)}; got {wanted!r}")
