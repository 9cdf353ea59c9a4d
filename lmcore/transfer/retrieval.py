"""Search over passages: by the words they share with a question, or by the vectors of an encoder.

    words      cos of TF-IDF vectors: tf · log((N + 1) / (df + 1)) for every word
    meaning    cos of h̄(question) and h̄(passage), h̄ the mean of the last layer over all tokens

This is the retrieval of retrieval-augmented generation: the best passages are put before the
question, and a generator answers from them.

Source: Lewis et al. 2020 (RAG); Reimers & Gurevych 2019 (the mean as the vector of a sentence).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.pretrained import wheel
from lmcore.pretrained.reading import TokenizingModel

WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*|\d+")
LONGEST = 128
"""Tokens of a passage that are read."""


class Hit(NamedTuple):
    """A passage that was found, and its cosine with the question."""

    place: int
    cosine: float


@dataclass(frozen=True, slots=True)
class WordIndex:
    """Passages as vectors of TF-IDF, each of length 1."""

    rows: tuple[Mapping[str, float], ...]
    weights: Mapping[str, float]
    """log((N + 1) / (df + 1)) of each word."""


def index_words(passages: Sequence[str]) -> WordIndex:
    """The index of passages by their words.

    Raises:
        ValueError: if there is no passage.
    """
    if not passages:
        raise ValueError("there must be at least one passage; got none")
    counts = [Counter(words_of(passage)) for passage in passages]
    frequencies = Counter(word for count in counts for word in count)
    ratios = {word: (len(passages) + 1) / (df + 1) for word, df in frequencies.items()}
    weights = {word: float(torch.tensor(ratio).log()) for word, ratio in ratios.items()}
    return WordIndex(tuple(_weighed(count, weights) for count in counts), weights)


def search_words(index: WordIndex, question: str, most: int = 3) -> list[Hit]:
    """The passages that share most with the question, the best first."""
    asked = _weighed(Counter(words_of(question)), index.weights)
    cosines = [sum(row.get(word, 0.0) * w for word, w in asked.items()) for row in index.rows]
    return best_hits(torch.tensor(cosines, dtype=torch.float32), most)


def words_of(text: str) -> list[str]:
    """The words of a text in lower case."""
    return [found.lower() for found in WORD.findall(text)]


def _weighed(count: Counter[str], weights: Mapping[str, float]) -> dict[str, float]:
    row = {word: n * weights[word] for word, n in count.items() if word in weights}
    length = sum(value * value for value in row.values()) ** 0.5
    return {word: value / length for word, value in row.items()} if length else {}


def embed_texts(
    model: TokenizingModel, texts: Sequence[str], *, together: int = 32
) -> Float[Tensor, "text width"]:
    """The mean of the last layer over all tokens of each text, scaled to length 1.

    Texts of one length are read together.

    Raises:
        ValueError: if the model is not an encoder, or a text has no token.
    """
    network = model.network
    if not isinstance(network, BERT):
        raise ValueError(f"the model must be an encoder; got {model.name}")
    rows = [model.read(text, most=LONGEST).ids for text in texts]
    found = torch.empty(len(rows), network.config.width)
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    for places in _of_one_length(order, [len(row) for row in rows], together):
        ids = torch.stack([rows[i] for i in places])
        with torch.no_grad():
            hidden = network(ids.to(network.embedding.token.weight.device)).hidden
        found[places] = hidden.mean(1).float().cpu()
    return torch.nn.functional.normalize(found, dim=-1)


def _of_one_length(order: Sequence[int], lengths: Sequence[int], together: int) -> list[list[int]]:
    groups = list[list[int]]()
    for i in order:
        last = groups[-1] if groups else []
        if last and len(last) < together and lengths[last[0]] == lengths[i]:
            last.append(i)
        else:
            groups.append([i])
    return groups


def embed_with_minilm(texts: Sequence[str]) -> Float[Tensor, "text width"]:
    """As `embed_texts` with MiniLM, which it loads: to be run in a separate process.

    Raises:
        ValueError: if MiniLM is not installed.
    """
    return embed_texts(wheel.minilm(), texts)


def search_vectors(
    vectors: Float[Tensor, "text width"], question: Float[Tensor, " width"], most: int = 3
) -> list[Hit]:
    """The passages whose vectors are nearest to the question's, the best first."""
    return best_hits(vectors @ question, most)


def best_hits(cosines: Float[Tensor, " text"], most: int) -> list[Hit]:
    """The places of the largest cosines above 0."""
    order = cosines.argsort(descending=True, stable=True)[:most].tolist()
    return [Hit(i, float(cosines[i])) for i in order if cosines[i] > 0]
