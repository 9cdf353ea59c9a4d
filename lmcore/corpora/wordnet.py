"""WordNet's glosses: definitions, and example sentences, of about 118,000 sets of synonyms.

    apt-get download wordnet-base && dpkg-deb -x wordnet-base_*.deb build/english

One line of `data.noun`, `data.verb`, `data.adj` or `data.adv` is one set:

    00001740 29 v 04 breathe 0 take_a_breath 0 … | draw air into the lungs; "I can breathe better"

Source: Fellbaum 1998; WordNet 3.0, Princeton University, under WordNet's licence; the format is
that of its manual page wndb(5).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PARTS = ("noun", "verb", "adj", "adv")
EXAMPLE = re.compile(r'"([^"]+)"')
MARKER = re.compile(r"\(\w+\)$")
"""A marker of where an adjective may occur: `fit(p)`."""
HELD_OUT = 20
"""One set in this many is held out."""


@dataclass(frozen=True, slots=True)
class Synset:
    """A set of synonyms: its key, such as `verb00001740`, its definition, its example sentences."""

    key: str
    words: tuple[str, ...]
    definition: str
    examples: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        """Whether the set is for testing, not for training: decided by the hash of its key."""
        return int(hashlib.sha256(self.key.encode()).hexdigest(), 16) % HELD_OUT == 0


def read_synsets(folder: Path) -> Iterator[Synset]:
    """All sets of WordNet, in the order of its files.

    Raises:
        ValueError: if a file is missing, or a line is not of this format.
    """
    for part in PARTS:
        file = folder / f"data.{part}"
        if not file.is_file():
            raise ValueError(f"WordNet's folder must hold {file.name}; {folder} does not")
        with file.open(encoding="utf-8") as lines:
            yield from (_synset(part, line) for line in lines if not line.startswith("  "))


def _synset(part: str, line: str) -> Synset:
    head, bar, gloss = line.partition(" | ")
    if not bar:
        raise ValueError(f"a line of data.{part} must hold a gloss after |; got {line!r:.60}")
    definition = gloss.partition('"')[0].strip(" ;:,\n")
    examples = tuple(each.strip() for each in EXAMPLE.findall(gloss))
    parts = head.split()
    count = int(parts[3], 16)
    words = tuple(MARKER.sub("", each).replace("_", " ") for each in parts[4 : 4 + 2 * count : 2])
    return Synset(f"{part}{head[:8]}", words, definition, examples)
