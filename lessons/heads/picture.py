"""What the page on heads draws and says: its data for the browser, alt texts and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

import numpy as np
import torch

from lessons.shared import theme
from lessons.shared.unrolled_picture import diverging_colours
from lmcore.attention import weight_packing
from lmcore.attention.heads import Head, HeadStatistics, HeadsTrace, QueryScores, rank_heads
from lmcore.numbers import format_number

COLUMNS: Mapping[str, tuple[str, str]] = {
    "entropy": ("entropy, nats", "how widely a place looks: 0 is one token"),
    "distance": ("distance, places", "how far away what is looked at stands"),
    "previous": ("token before", "share of the weight on the token just before"),
    "following": ("token after", "share on the token just after"),
    "itself": ("itself", "share on the token that looks"),
    "first": ("first token", "share on the first token: [CLS] in an encoder"),
    "separator": ("[SEP]", "share on [SEP]"),
    "special": ("special tokens", "share on tokens that stand for no word"),
    "same": ("same token", "share on other places with the same token"),
}
"""Of each statistic: the head of its column, and what it says."""
PATTERNS = {
    "previous": "look at the token before",
    "following": "look at the token after",
    "itself": "look at their own token",
    "first": "look at the first token",
    "separator": "look at [SEP]",
    "special": "look at special tokens",
    "same": "look at the same token elsewhere",
    "entropy": "look everywhere",
    "distance": "look far",
}
STANDING_NOTE = (
    "**Attention is not explanation.** A large weight says where a head takes its values from, not "
    "that the model's answer depends on it. What does it depend on? Take the head away: *Surgery*."
)


class HeadsSelection(NamedTuple):
    """What is open: a head, the tokens followed (None: none), and the filters."""

    head: Head
    query: int | None = None
    key: int | None = None
    special: bool = False
    threshold: float = 0.0
    between: str = "all"
    faint: bool = False


def picture(seen: HeadsTrace, model: str) -> dict[str, object]:
    """What `lessons/heads/heads.js` draws: every weight, whatever is open."""
    layers, heads = seen.shape
    codes = weight_packing.pack(seen.weights)
    segments = seen.text.segments.tolist()
    scale = [theme.probability_colours(step / (theme.STEPS - 1)) for step in range(theme.STEPS)]
    return {
        "of": weights_digest(codes),
        "tokens": list(seen.text.tokens),
        "special": seen.text.special.tolist(),
        "segments": segments,
        "pair": len(set(segments)) > 1,
        "layers": layers,
        "heads": heads,
        "codes": codes,
        "scale": [colour for colour, _ in scale],
        "inks": [ink for _, ink in scale],
        "model": model,
        "alt": describe(seen, model),
    }


def weights_digest(codes: bytes) -> str:
    """Tells the weights of one text from those of another."""
    return sha256(codes).hexdigest()[:16]


def open_head_payload(seen: HeadsTrace, at: HeadsSelection, of: str) -> dict[str, object]:
    """What `lessons/heads/opened.js` passes on: what is open, with every digit."""
    shown = {
        "layer": at.head.layer,
        "head": at.head.head,
        "query": -1 if at.query is None else at.query,
        "key": -1 if at.key is None else at.key,
        "special": at.special,
        "threshold": at.threshold,
        "between": at.between,
        "faint": at.faint,
    }
    return {"of": of, "at": shown, "weights": seen.weights[at.head].double().numpy()}


def describe(seen: HeadsTrace, model: str) -> str:
    """Alt text: what is drawn, and the largest weight between two words."""
    layers, heads = seen.shape
    words = ~seen.text.special
    between = seen.weights * (words[:, None] & words).to(seen.weights)
    layer, head, i, j = (int(n) for n in np.unravel_index(int(between.argmax()), between.shape))
    tokens = seen.text.tokens
    return (
        f"The attention weights of {model} over {len(tokens)} tokens, {layers} layers of {heads} "
        f"heads. The largest between words: layer {layer}, head {head}, {tokens[i]} to "
        f"{tokens[j]}, {format_number(float(seen.weights[layer, head, i, j]))}."
    )


def token_in_sentence(tokens: Sequence[str], place: int) -> str:
    """A token for a sentence, kept apart from it where it is written from right to left."""
    return f"“\u2068{tokens[place]}\u2069”"


def notice(
    seen: HeadsTrace, at: HeadsSelection, plain: Mapping[str, str], elsewhere: float | None = None
) -> list[str]:
    """What the open head does with the token that is followed, from the weights.

    `plain` gives each token as it may stand in Markdown, `elsewhere` the weight from the same to
    the same token in the other text, if both are there.
    """
    tokens = [plain[token] for token in seen.text.tokens]
    weights = seen.weights[at.head]
    place = at.query if at.query is not None else int(weights.max(-1).values.argmax())
    best = int(weights[place].argmax())
    name = f"layer {at.head.layer}, head {at.head.head}"
    said = [
        f"In {name}, {token_in_sentence(tokens, place)} looks most at {token_in_sentence(tokens, best)}: "
        f"**{format_number(float(weights[place, best]))}** of its weight."
    ]
    if at.key is not None and at.key != best:
        here = float(weights[place, at.key])
        said.append(f"{token_in_sentence(tokens, at.key)} gets **{format_number(here)}**.")
    if elsewhere is not None and at.key is not None:
        said.append(
            f"In the other text it gives {token_in_sentence(tokens, at.key)} **{format_number(elsewhere)}**."
        )
    if at.key is not None:
        top, most = rank_heads(seen.weights[..., place, at.key])[0]
        all_heads = seen.shape[0] * seen.shape[1]
        where = "this one" if top == at.head else f"layer {top.layer}, head {top.head}"
        said.append(
            f"Of all {all_heads} heads, {where} gives {token_in_sentence(tokens, at.key)} the most"
            + ("." if top == at.head else f": **{format_number(most)}**.")
        )
    return said


def statistic_rows(found: HeadStatistics) -> tuple[list[str], np.ndarray]:
    """A row a head: its address, and its statistics in the order of `COLUMNS`."""
    layers, heads = found.entropy.shape
    labels = [str(Head(*divmod(at, heads))) for at in range(layers * heads)]
    columns = [getattr(found, name).reshape(-1) for name in COLUMNS]
    return labels, torch.stack(columns, dim=1).double().numpy()


def pattern_words(found: HeadStatistics, name: str) -> str:
    """The three heads that show a pattern most, with their numbers."""
    unit = {"entropy": " nats", "distance": " places"}.get(name, "")
    best = rank_heads(getattr(found, name))[:3]
    named = ", ".join(f"**{head}** ({format_number(value)}{unit})" for head, value in best)
    return f"The heads that most {PATTERNS[name]}: {named}."


def meeting_data(
    met: QueryScores, seen: HeadsTrace, head: Head, place: int, key: int
) -> dict[str, object]:
    """What `lessons/heads/qk.js` draws; the weights are the head's own."""
    hidden = torch.isinf(met.scaled)
    scaled = met.scaled.masked_fill(hidden, 0)
    numbers = (met.query, met.keys, met.products)
    return {
        "tokens": list(seen.text.tokens),
        "head": str(head),
        "place": place,
        "key": key,
        "q": met.query.numpy(),
        "k": met.keys.reshape(-1).numpy(),
        "products": met.products.reshape(-1).numpy(),
        "scores": met.scores.numpy(),
        "scaled": scaled.numpy(),
        "hidden": hidden.tolist(),
        "weights": seen.weights[head][place].double().numpy(),
        "reach": [float(each.abs().max()) or 1.0 for each in numbers],
        "scale": diverging_colours(),
        "probabilities": [
            theme.probability_colours(n / (theme.STEPS - 1))[0] for n in range(theme.STEPS)
        ],
    }
