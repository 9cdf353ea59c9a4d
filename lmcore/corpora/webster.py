"""Webster's dictionary of 1913: its definitions, and what it quotes from literature.

    apt-get download dict-gcide && dpkg-deb -x dict-gcide_*.deb build/english

The file is a later dictionary that marks the source of each paragraph. Only paragraphs followed by
[1913 Webster] are read: they are in the public domain.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

OWN = "[1913 Webster]"
SOURCE = re.compile(
    r"(.*?)(\[[^\]]*(?:Webster|WordNet|PJC|AS|GG|RDH|DP|Century)[^\]]*\])", re.DOTALL
)
AUTHOR = re.compile(r"\s*--\s*[A-Z][^-]{0,40}$")
NOTE = re.compile(r"\[[^\]]*\]|[{}]|^\(?\d+\.\s*|^\(\w\)\s*|^\([A-Z]\w*\.?\)\s*|^(?:Syn|Note): ")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"])")
ETYMOLOGY = re.compile(r"(?:[A-Z]{1,2}|Gr|Fr|NL|Icel|It|Sp|Cf)\. ")
PLAIN = re.compile(r"[A-Z\"][A-Za-z ,.;:!?'()\"-]*")
FEWEST = 4
"""The fewest words of a sentence."""


def read_sentences(file: Path) -> Iterator[str]:
    """Sentences of at least `FEWEST` words, of letters and punctuation only.

    Raises:
        ValueError: if there is no such file.
    """
    if not file.is_file():
        raise ValueError(f"the dictionary must be the file {file}; it is not there")
    with gzip.open(file, "rt", encoding="utf-8", errors="replace") as stream:
        text = stream.read()
    for body, source in SOURCE.findall(text):
        if source == OWN:
            for paragraph in body.split("\n\n"):
                yield from _sentences(" ".join(paragraph.split()))


def _sentences(paragraph: str) -> Iterator[str]:
    for sentence in SENTENCE_END.split(AUTHOR.sub("", paragraph)):
        clean = " ".join(NOTE.sub("", NOTE.sub("", sentence).strip()).split())
        plain = PLAIN.fullmatch(clean) and not ETYMOLOGY.match(clean)
        if plain and clean.count("(") == clean.count(")") and len(clean.split()) >= FEWEST:
            yield clean
