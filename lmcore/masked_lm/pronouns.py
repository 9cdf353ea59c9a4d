"""The pronoun in a masked model: whom it means, which heads that hangs on, and where *it* looks.

    the horse didn't cross the road because it was too tired . … the [MASK] was old .

Only the adjective tells the noun: what is said of it afterwards fits both, sentences stand between,
and the pair of nouns is one that no training document has. A head is muted to see what hangs on it.
Where *it* looks is measured beside that and proves nothing: attention is no explanation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float64

from lmcore.attention.heads import Head
from lmcore.corpora import microworld_rules as tables
from lmcore.evaluation import probes
from lmcore.evaluation.probes import Probe
from lmcore.masked_lm.filling_in import GapQuestion, gap_log_probabilities
from lmcore.models.bert import BERT
from lmcore.models.interventions import Mute
from lmcore.training.masked_batches import MASK, masked_vocabulary
from lmcore.vocabulary import END, START

HARDEST = "pronoun, new pair, then a gap"
MOST_HEADS = 3
MOVED = 0.05
"""A share of attention that has moved by so much has moved."""
ITEMS = 200
TRIED = 60
"""Items on which sets of heads are tried; the set that is found is then measured on all."""


class MinimalPair(NamedTuple):
    """Two texts that differ in the adjective alone, as ids, and the places that matter."""

    of_creature: tuple[int, ...]
    of_way: tuple[int, ...]
    it: int
    creature: int
    way: int


class AttentionShift(NamedTuple):
    """What the adjective does to where *it* looks, in one head.

    A share is α(it → animal) / (α(it → animal) + α(it → way)), its mean over the pairs; `moved` the
    share of pairs in which it falls by `MOVED` or more from "tired" to "wide".
    """

    head: Head
    tired: float
    wide: float
    moved: float


class DecisiveHeads(NamedTuple):
    """The heads whose muting leaves least, and the share of pronouns that is right without them."""

    heads: tuple[Head, ...]
    accuracy: float


def hardest_probe(count: int = ITEMS) -> Probe:
    """Pronouns that are neutral, gapped, and of pairs that training never has."""
    return next(probe for probe in probes.probes(count=count) if probe.name == HARDEST)


def pronoun_accuracy(network: BERT, probe: Probe, muted: Sequence[Head] = ()) -> float:
    """Share of items in which the noun that is meant is likelier than the other.

    Raises:
        ValueError: if the network has no head for covered words, or no such attention head.
    """
    ids = masked_vocabulary().ids
    frame = {START: "[CLS]", END: "[SEP]"}
    questions = [
        GapQuestion(
            tuple(ids[frame.get(w, w)] for w in (*item.prefix, MASK, *item.rest)), len(item.prefix)
        )
        for item in probe.items
    ]
    log_q = gap_log_probabilities(
        network, questions, [Mute(head.layer, head.head) for head in muted]
    )
    rows = np.arange(len(questions))
    right, wrong = (
        log_q[rows, [ids[getattr(item, name)] for item in probe.items]]
        for name in ("right", "wrong")
    )
    return float(np.mean(right > wrong))


def decisive_heads(network: BERT, probe: Probe, most: int = MOST_HEADS) -> DecisiveHeads:
    """Of all sets of at most `most` heads, the one whose muting does most: the smallest first.

    Tried on the first `TRIED` items, then measured on all.

    Raises:
        ValueError: as `pronoun_accuracy`.
    """
    few = Probe(probe.name, probe.items[:TRIED])
    found = [
        (pronoun_accuracy(network, few, heads), len(heads), heads) for heads in _sets(network, most)
    ]
    _, _, heads = min(found)
    return DecisiveHeads(heads, pronoun_accuracy(network, probe, heads))


def minimal_pairs() -> tuple[MinimalPair, ...]:
    """Every animal with every way, said both ways round, tired against wide; the noun of the last
    sentence is covered, so that the adjective is the only difference."""
    ids = masked_vocabulary().ids
    made = []
    for creature, way in product(tables.CREATURES, tables.WAYS):
        for said in (
            f"the {creature} didn't cross the {way}",
            f"the {way} wasn't crossed by the {creature}",
        ):
            tired, wide = (
                f"[CLS] {said} because it was too {adjective} . the {MASK} was old . [SEP]".split()
                for adjective in ("tired", "wide")
            )
            first, second = (tuple(ids[word] for word in text) for text in (tired, wide))
            it, animal, place = (tired.index(word) for word in ("it", creature, way))
            made.append(MinimalPair(first, second, it, animal, place))
    return tuple(made)


def attention_shifts(network: BERT, pairs: Sequence[MinimalPair]) -> tuple[AttentionShift, ...]:
    """Every head, the one that moves in most pairs first."""
    tired = _shares(network, pairs, "of_creature")
    wide = _shares(network, pairs, "of_way")
    layers, heads = tired.shape[:2]
    found = [
        AttentionShift(
            Head(layer, head),
            float(tired[layer, head].mean()),
            float(wide[layer, head].mean()),
            float((tired[layer, head] - wide[layer, head] >= MOVED).mean()),
        )
        for layer, head in product(range(layers), range(heads))
    ]
    return tuple(sorted(found, key=lambda shift: (-shift.moved, shift.wide - shift.tired)))


def _shares(
    network: BERT, pairs: Sequence[MinimalPair], which: str
) -> Float64[np.ndarray, "layer head pair"]:
    """Of what *it* gives to the two nouns, the animal's share; a half where it gives nothing."""
    shares: list[Float64[np.ndarray, "layer head"]] = []
    for pair in pairs:
        with torch.inference_mode():
            seen = network(torch.tensor([getattr(pair, which)]))
        at = torch.stack([block.attention.weights[0, :, pair.it] for block in seen.blocks]).double()
        animal, way = at[..., pair.creature], at[..., pair.way]
        both = animal + way
        shares.append(torch.where(both > 0, animal / both, 0.5).numpy())
    return np.stack(shares, axis=-1)


def _sets(network: BERT, most: int) -> Iterator[tuple[Head, ...]]:
    config = network.config
    every = [Head(*place) for place in product(range(config.layers), range(config.heads))]
    for size in range(1, most + 1):
        yield from combinations(every, size)
