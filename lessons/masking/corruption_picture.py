"""Corruption: the numbers that follow the sliders, payloads, figures and table rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go
import torch
from torch import Tensor
from typing_extensions import TypedDict as EventDict

from drawing import theme
from drawing.events import Typed
from drawing.payload import Chip, ChipRow, ChipsPayload, LossesPayload, NumberArray, Script
from drawing.steps import StepRow
from drawing.theme import Mode
from lmcore.corruption.bart_noise import MASK, NoiseTrace, sentences
from lmcore.corruption.corruption import (
    KEPT,
    MASKED,
    RANDOM,
    CorruptionDraws,
    CorruptionTrace,
    Rates,
)
from lmcore.corruption.draws import (
    SLIDERS,
    CorruptionConfig,
    change_rate,
    corrupt_at_random,
    visible_tokens,
)
from lmcore.corruption.full_sentences import PackingTrace
from lmcore.corruption.masked_loss import masked_loss
from lmcore.corruption.rates import NAMES, RepeatedDrawsTrace, predicted_counts
from lmcore.corruption.text import CorruptText

TEXTS, LENGTH = 256, 512
"""BERT's batch: the number of texts, and the tokens of each."""
POSITIONS = 101
"""Positions of each slider: every hundredth."""
MOST_FOLLOWED_PARAMETERS = 5_000_000
"""Weights; a larger model runs only when a slider is released."""
POINTS = 80
"""Points of a curve over thousands of draws."""
PREFIX = "corrupt_"
SHARES = (
    (
        "chosen",
        "chosen",
        "share chosen",
        "Places whose first number is below it are chosen",
        "loss",
    ),
    (
        "masked",
        "[MASK]",
        "share masked",
        "Of the chosen. The random share shrinks to fit",
        "weight",
    ),
    ("random", "random", "share random", "Of the chosen; the rest stays as it was", "gradient"),
)
"""Share, label, spoken label, help, role."""
OUTCOMES = ("not chosen", "masked", "random", "kept")
LINES = {
    "token": "First number of each word: below {chosen} it is chosen",
    "word": "First number of each word, one for all its pieces: below {chosen} it is chosen",
    "span": "Share of the text in earlier spans: below {chosen} the word is chosen",
}
SECOND = "Second number, of chosen words: below {masked} [MASK], random up to {upto}, then kept"
BRIEF = (
    "First number: below {chosen} chosen",
    "Second: [MASK] to {masked}, random to {upto}, kept",
)
"""`LINES` and `SECOND` for a narrow screen."""
BY_HAND = ("Set by hand, not drawn. Drag a share to draw at random.", "Set by hand. Drag to draw.")
"""The whole sentence, and the one for a narrow screen."""


def numbers(
    text: CorruptText, rates: Sequence[Rates], trace: CorruptionTrace, *, with_model: bool = True
) -> dict[str, Tensor]:
    """Every number on screen under its name, one row per rates; `with_model`, also its losses."""
    named = {name: _column(rates, name) for name in (*SLIDERS, "kept")}
    outcomes = trace.outcomes
    named |= {PREFIX + name: named[name] for name in SLIDERS}
    named["upto"] = named["masked"] + named["random"]
    named["n"] = text.maskable.sum().double().expand(len(rates))
    named["n_chosen"] = trace.chosen.sum(dim=1).double()
    named["n_rest"] = named["n"] - named["n_chosen"]
    for name, outcome in (("n_masked", MASKED), ("n_random", RANDOM), ("n_kept", KEPT)):
        named[name] = (outcomes == outcome).sum(dim=1).double()
    text_counts = [predicted_counts(each, 1, LENGTH) for each in rates]
    named |= {f"text_{name}": _column(text_counts, name) for name in ("tokens", "causal", "masked")}
    named["text_masks"] = named["text_masked"] * named["masked"]
    named["times"] = named["text_causal"] / named["text_masked"]
    named["batch"] = _column([predicted_counts(each, TEXTS, LENGTH) for each in rates], "masked")
    named |= {f"f{i}": outcomes[:, i].double() for i in range(outcomes.shape[1])}
    named["asked"] = torch.full((len(rates),), float(with_model), dtype=torch.float64)
    if text.network is not None:
        terms = torch.full(outcomes.shape, torch.nan, dtype=torch.float64)
        if with_model:
            terms = masked_loss(text.network, text.ids, trace.corrupted, trace.chosen).terms
        named |= {f"l{i}": terms[:, i] for i in range(outcomes.shape[1])}
        named["loss"] = terms.nanmean(dim=1)
    return named


def follows_sliders(text: CorruptText) -> bool:
    """Whether the model is small enough to run at every position of the sliders."""
    network = text.network
    return (
        network is None
        or sum(each.numel() for each in network.parameters()) <= MOST_FOLLOWED_PARAMETERS
    )


def _column(rows: Sequence[object], name: str) -> Tensor:
    return torch.tensor([getattr(each, name) for each in rows], dtype=torch.float64)


def current_numbers(
    text: CorruptText, rates: Rates, trace: CorruptionTrace, *, by_hand: bool
) -> dict[str, Tensor]:
    """The numbers at the current setting."""
    named = {name: row[0] for name, row in numbers(text, [rates], trace).items()}
    said = torch.where(named["n_chosen"] > 0, 1.0 if by_hand else 2.0, 0.0)
    return named | {"hand": torch.tensor(float(by_hand)), "@say": said}


def swept_numbers(
    text: CorruptText,
    config: CorruptionConfig,
    draws: CorruptionDraws,
    positions: Sequence[Sequence[float]],
) -> dict[str, Tensor]:
    """The same numbers at every position of each slider, all from the same draws."""
    rates = [
        change_rate(config.rates, name, float(value))
        for name, row in zip(SLIDERS, positions, strict=True)
        for value in row
    ]
    shape = (len(SLIDERS), len(rates) // len(SLIDERS))
    named = numbers(
        text, rates, corrupt_at_random(text, config, rates, draws), with_model=follows_sliders(text)
    )
    said = torch.where(named["n_chosen"] > 0, 2.0, 0.0).double()
    return {name: rows.reshape(shape) for name, rows in (named | {"@say": said}).items()} | {
        "hand": torch.zeros(shape, dtype=torch.float64)
    }


def words_drawn(text: CorruptText, draws: CorruptionDraws) -> list[str]:
    """The random token drawn for each place."""
    return [text.stock.types[i] for i in draws.drawn[0].tolist()]


class CorruptionPayload(LossesPayload):
    """A text, the numbers drawn for its words, and the outcome of each word."""

    chance: NumberArray
    way: NumberArray
    titles: list[str]
    brief: Sequence[str]
    by_hand: Sequence[str]
    sliders: list[str]


class OutcomesByHand(EventDict):
    """Outcomes set by hand, as they are typed."""

    hand: Typed


OF_SHARES = (*SLIDERS, "kept", *(PREFIX + name for name in SLIDERS), "upto")
COUNTED = ("n", "n_chosen", "n_rest", "n_masked", "n_random", "n_kept")
OF_TEXTS = ("text_tokens", "text_causal", "text_masked", "text_masks", "times", "batch")
OF_WORDS = ("f#", "l#", "loss", "asked")
"""The outcome of each word, its term of the loss, their mean, and whether the model was run."""
CORRUPTION = Script(
    "corruption",
    CorruptionPayload,
    (*OF_SHARES, *COUNTED, *OF_TEXTS, *OF_WORDS, "hand", "@say"),
    OutcomesByHand,
)


def picture(
    text: CorruptText,
    config: CorruptionConfig,
    trace: CorruptionTrace,
    draws: CorruptionDraws,
    by_hand: str,
) -> CorruptionPayload:
    """The data that `lessons/masking/corruption.js` and `losses.js` draw."""
    return {
        "tokens": text.tokens,
        "maskable": text.maskable[0].double().numpy(),
        "drawn": words_drawn(text, draws),
        "standing": list(visible_tokens(text, trace, by_hand)),
        "chance": draws.chance[0].double().numpy(),
        "way": draws.way[0].double().numpy(),
        "titles": [LINES[config.unit], SECOND],
        "brief": BRIEF,
        "by_hand": BY_HAND,
        "outcomes": OUTCOMES,
        "sliders": [PREFIX + name for name in SLIDERS],
        "has_model": text.network is not None,
    }


def batch_steps() -> tuple[StepRow, ...]:
    """The tokens that a batch of BERT's size predicts, for a masked and for a causal model."""
    every = "all but the first, which has no context"
    return (
        StepRow("Tokens of a text", "BERT’s maximum length", "{text_tokens}", role="input"),
        StepRow("Causal: predicted", every, "{text_causal}", role="activation"),
        StepRow("Masked: predicted", "{chosen} · {text_tokens}", "{text_masked}", role="loss"),
        StepRow("Of these [MASK]", "{masked} · {text_masked}", "{text_masks}", role="weight"),
        StepRow("Texts for as many", "{text_causal} / {text_masked}", "{times}", role="score"),
        StepRow("Masked, in a batch", f"{TEXTS} · {{text_masked}}", "{batch}", role="loss"),
    )


def converging(repeated: RepeatedDrawsTrace, expected: Tensor | None, mode: Mode) -> go.Figure:
    """The shares after 1, 2, … draws; a dotted line marks the expected share."""
    count = len(repeated.shares)
    at = torch.tensor(sorted({round(count ** (i / POINTS)) for i in range(POINTS + 1)}))
    means = repeated.shares.cumsum(dim=0)[at - 1] / at[:, None]
    curves = [
        {
            "type": "scatter",
            "x": at.tolist(),
            "y": means[:, i].tolist(),
            "name": name,
            "line": {"color": theme.SERIES[mode][i], "dash": theme.DASHES[i], "width": 3},
            "mode": "lines",
        }
        for i, name in enumerate(NAMES)
    ]
    across = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1}
    across["line"] = {"color": theme.QUIET[mode], "dash": "dot", "width": 1}
    wanted = [] if expected is None else expected.tolist()
    return theme.figure(
        mode,
        curves,
        height=360,
        xaxis={"title": "draws of this text", "type": "log"},
        yaxis={"title": "share of its words", "rangemode": "tozero"},
        shapes=[across | {"y0": value, "y1": value} for value in wanted],
    )


def rate_rows(
    repeated: RepeatedDrawsTrace, expected: Tensor | None
) -> tuple[list[str], list[tuple[str, *tuple[float, ...]]]]:
    """Columns, and one row per outcome: its share, the standard error, and the expected share."""
    columns, parts = ["outcome", "measured", "standard error"], [repeated.mean, repeated.error]
    if expected is not None:
        columns += ["expected", "standard errors away"]
        away = (repeated.mean - expected) / repeated.error
        parts += [expected, torch.where(repeated.error > 0, away, 0.0)]
    rows = torch.stack(parts, dim=1).tolist()
    return columns, [(name, *row) for name, row in zip(NAMES, rows, strict=True)]


def replacement_rows(
    text: CorruptText, repeated: RepeatedDrawsTrace, most: int = 8
) -> list[tuple[str, *tuple[float, ...]]]:
    """The most frequent types: their probability each way, and their share of the replacements."""
    counts, types = text.stock.counts, text.stock.types
    put = repeated.drawn[: len(types)].double()
    share = put / put.sum()
    order = (put if counts is None else counts).argsort(descending=True, stable=True)[:most]
    even = 1 / len(types)
    rows = []
    for i in order.tolist():
        known = [] if counts is None else [float(counts[i] / counts.sum())]
        rows.append((types[i], even, *known, float(share[i])))
    return rows


def span_lengths(chances: Tensor, drawn: Sequence[int], mode: Mode) -> go.Figure:
    """The length of a span: its probability, and its share of those drawn."""
    lengths = list(range(1, len(chances) + 1))
    shares = [drawn.count(n) / max(len(drawn), 1) for n in lengths]
    bars = [
        {
            "type": "bar",
            "x": lengths,
            "y": row,
            "name": name,
            "marker": {"color": theme.SERIES[mode][i], "pattern": {"shape": ("", "/")[i]}},
        }
        for i, (name, row) in enumerate((("probability", chances.tolist()), ("drawn here", shares)))
    ]
    return theme.figure(
        mode,
        bars,
        height=300,
        xaxis={"title": "words of a span", "dtick": 1},
        yaxis={"title": "share of spans"},
    )


HUES = 6
"""Colours that distinguish the parts of a text; each part also has its number."""
TITLES = {
    "token_masking": "Token masking",
    "token_deletion": "Token deletion",
    "text_infilling": "Text infilling",
    "sentence_permutation": "Sentence permutation",
    "document_rotation": "Document rotation",
}


def noise_rows(traces: Mapping[str, NoiseTrace]) -> list[ChipRow]:
    """One row for each way to corrupt the text."""
    return [
        {"title": TITLES[name], "said": noise_words(name, trace), "chips": noise_chips(name, trace)}
        for name, trace in traces.items()
    ]


def noise_chips(name: str, trace: NoiseTrace) -> list[Chip]:
    """The pieces of a corrupted text; one that moved has the number of its sentence or place."""
    turned = name in ("sentence_permutation", "document_rotation")
    whose = {place: n for n, part in enumerate(sentences(trace.tokens)) for place in part}
    chips = list[Chip]()
    for what, places in trace.pieces:
        was = " ".join(trace.tokens[place] for place in places)
        if what == "kept" and turned:
            part = whose[places[0]] if name == "sentence_permutation" else 0
            below = str(part + 1) if name == "sentence_permutation" else str(places[0] + 1)
            chips.append({"text": was, "kind": f"part{part % HUES + 1}", "below": below})
        elif what in ("kept", "deleted"):
            below = "gone" if what == "deleted" else ""
            chips.append({"text": was, "kind": what, "below": below})
        else:
            chips.append({"text": MASK, "kind": "masked", "below": was or "nothing"})
    return chips


def noise_words(name: str, trace: NoiseTrace) -> str:
    """Explains what was drawn for one corruption."""
    counts = {what: sum(piece.what == what for piece in trace.pieces)
              for what in ("masked", "deleted", "filled", "inserted")}  # fmt: skip
    if name == "token_masking":
        return f"{counts['masked']} of {len(trace.tokens)} tokens became [MASK]."
    if name == "token_deletion":
        return (
            f"{counts['deleted']} of {len(trace.tokens)} tokens are deleted; their positions are "
            f"not marked."
        )
    if name == "text_infilling":
        drawn = ", ".join(map(str, trace.drawn)) or "none"
        return (
            f"Lengths drawn: {drawn}. Runs that became one [MASK]: {counts['filled']}; "
            f"[MASK] that stand for nothing: {counts['inserted']}. The model must also predict "
            f"how many tokens each stands for."
        )
    if name == "sentence_permutation":
        order = ", ".join(str(n + 1) for n in trace.drawn)
        return f"The sentences in the order {order}."
    return f"The text begins at token {trace.drawn[0] + 1}: the model must find the true start."


def packing_rows(packed: PackingTrace) -> list[ChipRow]:
    """One row for each input."""
    rows = list[ChipRow]()
    for n, items in enumerate(packed.inputs, start=1):
        chips = list[Chip]()
        for token, what, document, sentence in items:
            words = what == "word"
            kind = f"part{document % HUES + 1}" if words else "extra" if what == "between" else ""
            below = f"{document + 1}.{sentence + 1}" if words else ""
            chips.append({"text": token, "kind": kind or "frame", "below": below})
        pads = packed.length - len(items)
        rows.append({
            "title": f"Input {n}",
            "said": f"{len(items)} of {packed.length} tokens" + (f", {pads} [PAD]" if pads else ""),
            "chips": chips,
        })  # fmt: skip
    return rows


def chips(views: Sequence[Sequence[ChipRow]], pick: str = "") -> ChipsPayload:
    """The data of `drawing/chips.js`: the rows, or only those with index `pick`."""
    return {"views": views, "pick": pick}
