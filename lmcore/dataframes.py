"""Traces and tables as pandas DataFrames, with the names that are on screen.

Every trace and table has `to_frame()`, in one of three forms:

    one row per entry     quantities with the same axes: a column per axis, then one per quantity
    one row per number    quantities with different axes: `quantity`, a column per axis, `value`
    one row per record    measures of several models, say; a row of records is a `Table`

Axes are counted from 0, as tensors count, unless a docstring says otherwise. pandas is imported
with the first frame, so that importing lmcore stays light.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, get_args, get_type_hints

import numpy as np
from torch import Tensor

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary

ABSENT = -1
"""In place of an index: the quantity does not have this axis."""


class Tabular(Protocol):
    """Anything that can be converted to a DataFrame."""

    def to_frame(self) -> DataFrame:
        """The DataFrame."""


class Trace:
    """A trace whose quantities have different axes."""

    __slots__ = ()

    def to_frame(self) -> DataFrame:
        """One row per number: quantity, layer, those of the axes that it has, value."""
        return numbers(self)


Record = TypeVar("Record", bound=Tabular)


class Table(tuple[Record, ...]):
    """Records in a row."""

    __slots__ = ()

    def to_frame(self) -> DataFrame:
        """The rows of each record, one record after another."""
        import pandas

        found = [record.to_frame() for record in self]
        return pandas.concat(found, ignore_index=True) if found else pandas.DataFrame()


def frame(columns: Mapping[str, Any]) -> DataFrame:
    """A DataFrame from columns of one length: tensors, arrays or lists."""
    import pandas

    return pandas.DataFrame({name: _array(column) for name, column in columns.items()})


def one_row(columns: Mapping[str, Any]) -> DataFrame:
    """A DataFrame of one row, from one value per column."""
    return frame({name: [value] for name, value in columns.items()})


def entries(axes: str, columns: Mapping[str, Any]) -> DataFrame:
    """One row per entry of tensors with the same axes, whose names are separated by spaces.

    The first name may be `*batch`, which stands for any number of axes: if there are several, they
    are numbered.
    """
    values = {name: _array(column) for name, column in columns.items()}
    shape = np.broadcast_shapes(*(each.shape for each in values.values()))
    flat = {name: np.broadcast_to(each, shape).reshape(-1) for name, each in values.items()}
    return frame(_places(axes, shape) | flat)


def token_names(ids: Any, vocabulary: Vocabulary | None) -> list[Any]:
    """The tokens of a vocabulary; the ids themselves without one."""
    plain = _array(ids).tolist() if isinstance(ids, Tensor) else list(ids)
    return plain if vocabulary is None else [vocabulary.tokens[each] for each in plain]


def numbers(trace: Any) -> DataFrame:
    """One row per number of a trace, in the order it is computed.

    `quantity` is the path of the field, as in `blocks.attention.weights`. The axes are those in the
    annotation of the field, and `layer` in a row of layers; one that a quantity does not have is
    <NA> there. `value` is last. What the model does not have is left out.
    """
    import pandas

    parts = list(_quantities(trace, "", {}))
    order = list(dict.fromkeys(path for path, _, _ in parts))
    codes = np.repeat([order.index(path) for path, _, _ in parts], [v.size for *_, v in parts])
    columns: dict[str, Any] = {"quantity": pandas.Categorical.from_codes(codes, order)}
    for axis in dict.fromkeys(axis for _, places, _ in parts for axis in places):
        index = np.concatenate([at.get(axis, np.full(v.size, ABSENT)) for _, at, v in parts])
        columns[axis] = pandas.arrays.IntegerArray(index, index == ABSENT)
    columns["value"] = np.concatenate([v.reshape(-1).astype(float) for *_, v in parts])
    return pandas.DataFrame(columns)


Quantity = tuple[str, dict[str, Any], Any]
"""The path of a field, the index of each of its numbers along each axis, and the numbers."""


def _quantities(trace: Any, path: str, layer: dict[str, int]) -> Iterator[Quantity]:
    """Every tensor of a trace and of the traces within it."""
    kinds = get_type_hints(type(trace))
    for name in [f.name for f in fields(trace)] if is_dataclass(trace) else trace._fields:
        yield from _field(getattr(trace, name), kinds[name], path + name, layer)


def _field(value: Any, kind: Any, path: str, layer: dict[str, int]) -> Iterator[Quantity]:
    if isinstance(value, Tensor):
        axes = next(each.dim_str for each in (kind, *get_args(kind)) if hasattr(each, "dim_str"))
        fixed = {axis: np.full(value.numel(), index) for axis, index in layer.items()}
        yield path, fixed | _places(axes, tuple(value.shape)), _array(value)
    elif is_dataclass(value):
        yield from _quantities(value, f"{path}.", layer)
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            if is_dataclass(each):
                yield from _quantities(each, f"{path}.", {"layer": index})
            elif isinstance(each, Tensor):
                yield from _field(each, get_args(kind)[index], f"{path}[{index}]", layer)


def _places(axes: str, shape: tuple[int, ...]) -> dict[str, Any]:
    """Axis → the index along it of every entry; axes as annotations write them."""
    first, *rest = axes.replace("#", "").split() or ["*batch"]
    if first.startswith("*"):
        many = len(shape) - len(rest)
        letters = [""] if many == 1 else [f" {n}" for n in range(1, many + 1)]
        names = [*(first[1:] + each for each in letters), *rest]
    else:
        names = [first, *rest]
    return dict(zip(names, np.indices(shape).reshape(len(shape), math.prod(shape)), strict=True))


def _array(column: Any) -> Any:
    return column.numpy(force=True) if isinstance(column, Tensor) else column
