"""Safe access to a model's folder: only files inside it, nothing executable, nothing too large."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor

from lmcore.configuration import configuration

CONFIG_FILE, WEIGHTS_FILE, INDEX_FILE = (
    "config.json",
    "model.safetensors",
    "model.safetensors.index.json",
)
PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.h5", "*.msgpack")
MOST_SETTINGS = 1_000_000
"""Bytes of config.json and tokenizer_config.json."""
MOST_TEXT = 50_000_000
"""Bytes of a tokenizer's file, or of the index of a model in several files."""
MOST_SHARDS = 64
FILE_NAME_PATTERN = re.compile(r"\w[\w.-]{0,200}")
"""A plain file name, without a path."""


def max_weight_bytes() -> int:
    """Bytes that all weights of a model may have together on this server."""
    return 1_000_000 * configuration().model_mb


@dataclass(frozen=True, slots=True)
class Folder:
    """A model's files. Each must lie in `root` when links have been followed."""

    path: Path
    root: Path

    def file(self, name: str, most: int) -> Path | None:
        """Where a file of at most `most` bytes is, or None where there is none.

        Raises:
            ValueError: if the name leads out of the root, or what is there is not a file, not
                readable, or too large.
        """
        if not FILE_NAME_PATTERN.fullmatch(name):
            raise ValueError(f"{self.path.name}: a file must lie in its folder; got {name!r:.80}")
        there = self.path / name
        try:
            missing = not there.exists()
        except OSError as error:
            raise ValueError(f"{self.path.name}/{name} must be readable; {error}") from error
        if missing:
            return None
        if not is_inside(there, self.root):
            raise ValueError(
                f"{self.path.name}/{name} must lie in its folder; got a link that leads out of it"
            )
        if not there.is_file():
            raise ValueError(f"{self.path.name}/{name} must be a file; got something else")
        if (size := there.stat().st_size) > most:
            raise ValueError(
                f"{self.path.name}/{name} must be at most {most:,} bytes; got {size:,}"
            )
        return there

    def text(self, name: str, most: int = MOST_TEXT) -> str | None:
        """A file's text, or None where there is none.

        Raises:
            ValueError: as `file`, or if it is not UTF-8 or cannot be read.
        """
        there = self.file(name, most)
        if there is None:
            return None
        try:
            return there.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{self.path.name}/{name} must be text in UTF-8; {error}") from error

    def json(self, name: str, most: int = MOST_TEXT) -> dict[str, Any] | None:
        """A file's JSON object, or None where there is none.

        Raises:
            ValueError: as `text`, or if it is not one.
        """
        text = self.text(name, most)
        if text is None:
            return None
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{self.path.name}/{name} must be JSON; {error!s:.200}") from error
        if not isinstance(value, dict):
            raise ValueError(f"{self.path.name}/{name} must be a JSON object; got {value!r:.40}")
        return value

    def weights(self) -> dict[str, Tensor]:
        """All tensors by their names in the files, which are mapped into memory, not copied.

        Raises:
            ValueError: if there is no safetensors file, or one is cut short or missing.
        """
        tensors: dict[str, Tensor] = {}
        for there in self._shards():
            for name, tensor in _tensors(there):
                if name in tensors:
                    raise ValueError(
                        f"{self.path.name} must hold each weight once; got {name} twice"
                    )
                tensors[name] = tensor
        return tensors

    def _shards(self) -> list[Path]:
        """The files the weights are in, which are small enough together."""
        whole = self.file(WEIGHTS_FILE, max_weight_bytes())
        if whole is not None:
            return [whole]
        index = self.json(INDEX_FILE)
        if index is None:
            raise ValueError(self._why_none())
        places = index.get("weight_map")
        if not isinstance(places, dict) or not all(isinstance(n, str) for n in places.values()):
            raise ValueError(
                f"{self.path.name}/{INDEX_FILE} must hold a weight_map; got {places!r:.40}"
            )
        names = sorted(set(places.values()))
        if not 1 <= len(names) <= MOST_SHARDS:
            raise ValueError(
                f"{self.path.name}/{INDEX_FILE} must name 1 to {MOST_SHARDS} files; "
                f"got {len(names)}"
            )
        most = max_weight_bytes()
        shard_files = [(name, self.file(name, most)) for name in names]
        for name, there in shard_files:
            if there is None or there.suffix != ".safetensors":
                raise ValueError(
                    f"{self.path.name}/{INDEX_FILE} must name .safetensors files of the folder; "
                    f"got {name!r:.80}"
                )
        shards = [there for _, there in shard_files if there is not None]
        if (size := sum(there.stat().st_size for there in shards)) > most:
            raise ValueError(
                f"the weights in {self.path.name} must be at most {most:,} bytes; got {size:,}"
            )
        return shards

    def _why_none(self) -> str:
        pickles = sorted({there.name for kind in PICKLES for there in self.path.glob(kind)})
        if pickles:
            return (
                f"the weights in {self.path.name} must be {WEIGHTS_FILE}; got {pickles[0]}, of a "
                "kind that could run code, and it is not opened"
            )
        return f"{self.path.name} must hold {WEIGHTS_FILE} or {INDEX_FILE}; got neither"


def is_inside(path: Path, root: Path) -> bool:
    """Whether a path lies in `root` when links have been followed."""
    return path.resolve().is_relative_to(root.resolve())


def _tensors(there: Path) -> Iterator[tuple[str, Tensor]]:
    place = f"{there.parent.name}/{there.name}"
    try:
        with safe_open(there, "pt") as file:
            for name in file.keys():  # noqa: SIM118 - it is no dict
                yield name, file.get_tensor(name)
    except (SafetensorError, OSError, ValueError) as error:
        raise ValueError(f"{place} must be a whole safetensors file; {error!s:.200}") from error
