"""The sentences that the masked model of English is trained and tested on.

The texts are files of Debian's packages wordnet-base and dict-gcide, unpacked in build/english:

    apt-get download wordnet-base dict-gcide
    for each in *.deb; do dpkg-deb -x $each .; done
"""

from __future__ import annotations

from pathlib import Path

from lmcore.corpora import webster, wordnet
from lmcore.shipped.models import FOLDER

TEXTS = FOLDER.parents[2] / "build" / "english" / "usr" / "share"
WORDNET_LICENCE = (
    "WordNet 3.0 (Debian's wordnet-base). Copyright 2006 by Princeton University. All rights "
    "reserved. Provided as is, without any warranty; permission to use, copy, modify and "
    "distribute for any purpose and without fee, if this notice stays."
)
WEBSTER_LICENCE = "Webster's dictionary of 1913 (Debian's dict-gcide): public domain."
SHARES = {"examples": 0.65, "definitions": 0.15, "webster": 0.2}
"""Each source's share of the tokens."""


def training_sentences(folder: Path = TEXTS) -> dict[str, list[str]]:
    """The sentences of each source; examples both with a full stop and without.

    Those of held-out sets are left out, and so are equal sentences elsewhere.

    Raises:
        ValueError: if a file is missing.
    """
    learnt = [each for each in wordnet.read_synsets(folder / "wordnet") if not each.held_out]
    tested = {_letters(example) for example in held_out_examples(folder)}
    examples = [e for each in learnt for e in each.examples if _letters(e) not in tested]
    quoted = webster.read_sentences(folder / "dictd" / "gcide.dict.dz")
    return {
        "examples": [*examples, *(f"{e}." for e in examples if e[-1:].isalnum())],
        "definitions": [each.definition for each in learnt],
        "webster": [sentence for sentence in quoted if _letters(sentence) not in tested],
    }


def dictionary_lines(folder: Path = TEXTS) -> tuple[list[str], list[str]]:
    """WordNet as lines of text, those to learn from and the held-out ones.

    A line is `word: definition. "example" "example"`.

    Raises:
        ValueError: if a file is missing.
    """
    learnt, tested = list[str](), list[str]()
    for each in wordnet.read_synsets(folder / "wordnet"):
        quoted = "".join(f' "{example}"' for example in each.examples)
        line = f"{each.words[0]}: {each.definition}.{quoted}\n"
        (tested if each.held_out else learnt).append(line)
    return learnt, tested


def held_out_examples(folder: Path = TEXTS) -> tuple[str, ...]:
    """The example sentences of held-out sets, each once.

    Raises:
        ValueError: if a file is missing.
    """
    sets = wordnet.read_synsets(folder / "wordnet")
    return tuple(dict.fromkeys(e for each in sets if each.held_out for e in each.examples))


def _letters(sentence: str) -> str:
    return sentence.lower().strip(" .!?")
