"""Translates the names of weights, the paper's, the file's and ours, and reshapes tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

FEW = 3
"""The most names in an error message."""


class WeightName(NamedTuple):
    """One weight; in a layer's, {n} stands for its number, from 0.

    `ours` are several where the file has matrices side by side. `turned` is a matrix that the file
    holds as the paper writes it, x W; ours, like torch's, are stored as Wᵀ.
    """

    paper: str
    file: str
    ours: tuple[str, ...]
    turned: bool = False


def with_prefixes(rows: Sequence[WeightName], file: str, ours: str) -> tuple[WeightName, ...]:
    """The rows of one part of a layer, with what is before their names."""
    return tuple(
        row._replace(file=file + row.file, ours=tuple(ours + name for name in row.ours))
        for row in rows
    )


def affine_names(
    W: str, b: str, file: str, ours: str, *, turned: bool = False
) -> tuple[WeightName, WeightName]:
    """A matrix and its bias."""
    return (
        WeightName(W, f"{file}.weight", (f"{ours}.weight",), turned),
        WeightName(b, f"{file}.bias", (f"{ours}.bias",)),
    )


def translate_weights(
    file: Mapping[str, Tensor], rows: Sequence[WeightName], layers: int, ignored: Sequence[str]
) -> dict[str, Tensor]:
    """The weights under our names.

    Raises:
        ValueError: naming those that are missing in the file, or left over.
    """
    left, translated, missing = dict(file), dict[str, Tensor](), list[str]()
    for row in rows:
        for n in range(layers if "{n}" in row.file else 1):
            name = row.file.replace("{n}", str(n))
            if name not in left:
                missing.append(name)
                continue
            for ours, tensor in zip(row.ours, _parts(left.pop(name), row, name), strict=True):
                translated[ours.replace("{n}", str(n))] = tensor
    passed = {name.replace("{n}", str(n)) for name in ignored for n in range(layers)}
    if missing:
        raise ValueError(f"the weights must hold {_some(missing)}; the file has no such tensor")
    if unknown := sorted(left.keys() - passed):
        raise ValueError(
            f"the weights must be those of the model and no others; got {_some(unknown)} besides"
        )
    return translated


def resolve_tied(
    file: dict[str, Tensor], name: str, other: str, *, same: bool = True
) -> dict[str, Tensor]:
    """The file's tensors with `name` left out, or renamed to `other` if that is missing.

    Raises:
        ValueError: if both tensors are present, `same` is set, and they differ.
    """
    if name not in file:
        return file
    rest = {key: tensor for key, tensor in file.items() if key != name}
    if other not in file:
        return rest | {other: file[name]}
    if same and not torch.equal(file[name], file[other]):
        raise ValueError(f"{name} must be equal to {other}, as it is tied to it; got other numbers")
    return rest


def rename_tensors(
    file: Mapping[str, Tensor], prefix: str, changes: Mapping[str, str] | None = None
) -> dict[str, Tensor]:
    """The tensors under names without `prefix`, and with old endings in their newer form.

    Raises:
        ValueError: if that makes two of one name.
    """
    renamed: dict[str, Tensor] = {}
    for name, tensor in file.items():
        now = name.removeprefix(prefix)
        for old, new in (changes or {}).items():
            now = now.removesuffix(old) + new if now.endswith(old) else now
        if now in renamed:
            raise ValueError(f"the weights must hold {now} once; got it twice, once as {name}")
        renamed[now] = tensor
    return renamed


def check_settings(config: Mapping[str, Any], needed: Mapping[str, tuple[object, ...]]) -> None:
    """Reject a model with features that ours do not have.

    Raises:
        ValueError: naming the first setting that has another value than one of those; one that is
            not in config.json has the first.
    """
    for name, allowed in needed.items():
        if (value := config.get(name, allowed[0])) not in allowed:
            known = " or ".join(repr(each) for each in allowed)
            raise ValueError(f"{name} in config.json must be {known}; got {value!r:.40}")


def size_setting(config: Mapping[str, Any], name: str) -> int:
    """A size that config.json must have.

    Raises:
        ValueError: if it is missing, or not a whole number.
    """
    value = config.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        shown = "nothing" if value is None else repr(value)
        raise ValueError(f"{name} in config.json must be a whole number; got {shown:.40}")
    return value


def epsilon_setting(config: Mapping[str, Any], name: str, usual: float) -> float:
    """LayerNorm's ε; `usual` where config.json does not say.

    Raises:
        ValueError: if it is not a number from 0 to 1.
    """
    value = config.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, float | int) or not 0 <= value <= 1:
        raise ValueError(f"{name} in config.json must be a number from 0 to 1; got {value!r:.40}")
    return float(value)


def _parts(tensor: Tensor, row: WeightName, name: str) -> tuple[Tensor, ...]:
    count = len(row.ours)
    if not tensor.is_floating_point():
        raise ValueError(f"{name} must hold floating-point numbers; got {tensor.dtype}")
    if tensor.ndim == 0 or tensor.shape[-1] % count:
        raise ValueError(f"{name} must be {count} parts side by side; got {tuple(tensor.shape)}")
    parts = tensor.float().chunk(count, dim=-1)
    return tuple(part.t() for part in parts) if row.turned and tensor.ndim == 2 else parts


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - FEW} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more
