"""The Fill in tab: the data of its picture, its tables, its pipeline and BERT's training."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor

from lessons.shared import probability_grid
from lessons.shared.payload import LossesPayload, Script
from lessons.shared.steps import StepRow
from lmcore.masked_lm.cloze import ClozeText, FillTrace, likeliest_types
from lmcore.models.bert import BERTTrace
from lmcore.models.transformer_config import TransformerConfig
from lmcore.numbers import format_number

TypeName = Callable[[int], str]
"""The type of an id, as it is shown."""
TOP = 5
"""Fillers of the model, and of the grammar, that a card shows."""
PRESS = "Press a word, or move to it and press Enter or the space bar, to cover it or to show it"
NOTHING = "No word is covered: press one."
WAIT = "…"
COVERED_COLUMNS = ("place", "−log q, model", "−log p, grammar", "KL of q from p")
TRAINING_BATCHES = 1_000_000
BATCH_TEXTS = 256
SHORT_TEXT, LONG_TEXT = 128, 512
"""Tokens of a text: for the first 90 % of the steps, and for the rest."""
SHARE_SHORT = 0.9
TRAINING_WORDS = 3.3e9
"""800 million of BooksCorpus, 2.5 billion of Wikipedia."""
CHOSEN_SHARE = 0.15
TRAINING_SOURCES = (
    "Quoted: 1,000,000 steps, 256 texts per step, 128 tokens for 90 % of them and 512 for the "
    "rest, 3.3 billion words, 15 % chosen; four days on 4 Cloud TPUs, 16 chips, for the base "
    "model, on 16 of them, 64 chips, for the large one (Devlin et al. 2019, appendix A.2; slides "
    "of UW and Feng). The rest is computed. A word often has more than one token, so there are "
    "fewer passes."
)
TRAINING_STEPS = (
    StepRow("short texts", "0.9 · {steps} · {texts} · {short}", "{first} tokens", "", "input"),
    StepRow("long texts", "0.1 · {steps} · {texts} · {long}", "{second} tokens", "", "input"),
    StepRow("in all", "{first} + {second}", "{tokens} tokens", "", "activation"),
    StepRow("passes", "{tokens} / {words} words", "{passes}", "", "weight"),
    StepRow("predicted", "0.15 · {tokens}", "{predicted}", "", "loss"),
)


def format_places(places: Iterable[int]) -> str:
    """The covered places as the address has them."""
    return ",".join(map(str, sorted(places)))


class ClozeCard(TypedDict):
    """A covered word: its fillers, with q of the model and p of the grammar, if it is known."""

    title: str
    words: list[str]
    own: str | None
    """The word that stood there; none if [MASK] was typed."""
    q: list[float]
    p: list[float] | None
    foot: str
    alt: str


class ClozeView(TypedDict):
    """The cards of one way to cover the text, and the loss in a sentence."""

    cards: list[ClozeCard]
    said: str


class ClozePayload(TypedDict):
    """A text, the places that are covered, and what every next press shows."""

    name: str
    tokens: list[str]
    maskable: list[int]
    typed: list[int]
    spoken: str
    at: str
    wait: str
    views: dict[str, ClozeView]


CLOZE = Script("cloze", ClozePayload)


def picture(
    text: ClozeText, at: str, traces: Mapping[str, FillTrace], word: TypeName, said: str = ""
) -> ClozePayload:
    """The data of `lessons/bert/cloze.js`: the covered text, and the result of any next press.

    `said` replaces the cards if the model has no head that fills in words.
    """
    views = {name: view(text, trace, word) for name, trace in traces.items()}
    return {
        "name": "fill-in",
        "tokens": list(text.tokens),
        "maskable": list(text.maskable),
        "typed": list(text.typed),
        "spoken": PRESS,
        "at": at,
        "wait": said or WAIT,
        "views": views,
    }


def view(text: ClozeText, trace: FillTrace, word: TypeName) -> ClozeView:
    """The cards of one way to cover the text, and the loss in a sentence."""
    cards = [card(text, trace, row, word) for row in range(len(trace.places))]
    return {"cards": cards, "said": loss_words(trace)}


def card(text: ClozeText, trace: FillTrace, row: int, word: TypeName) -> ClozeCard:
    """The fillers of one covered word, with both probabilities."""
    place = trace.places[row]
    own = None if place in text.typed else int(text.reading.ids[place])
    ids = likeliest_types(trace, row, TOP, own)
    q = trace.log_q[row, list(ids)].exp().tolist()
    p = None if trace.exact is None else [_chance(trace.exact[row], i) for i in ids]
    hidden = "typed [MASK]" if own is None else f"“{word(own)}” is covered"
    return {
        "title": f"{place}: {hidden}",
        "words": [word(i) for i in ids],
        "own": None if own is None else word(own),
        "q": q,
        "p": p,
        "foot": _foot(trace, row),
        "alt": _alt(place, [word(i) for i in ids], q, p),
    }


def _chance(row: Float64[Tensor, " type"], word: int) -> float:
    return float(row[word]) if word < len(row) else 0.0


def _foot(trace: FillTrace, row: int) -> str:
    term = float(trace.terms[row])
    parts = [] if math.isnan(term) else [f"−log q = {format_number(term)}"]
    if trace.exact_terms is not None and trace.divergence is not None:
        if not math.isnan(term):
            parts.append(f"−log p = {format_number(float(trace.exact_terms[row]))}")
        parts.append(f"KL = {format_number(float(trace.divergence[row]))}")
    return " · ".join([*parts, "nats"]) if parts else "no right answer to compare with"


def _alt(place: int, words: Sequence[str], q: Sequence[float], p: Sequence[float] | None) -> str:
    each = [
        f"{word} {format_number(q[n])}" + ("" if p is None else f", exactly {format_number(p[n])}")
        for n, word in enumerate(words)
    ]
    return f"What may stand at place {place}, by the model: {'; '.join(each)}."


def loss_words(trace: FillTrace) -> str:
    """L of the covered words, and the grammar's."""
    known = int((~trace.terms.isnan()).sum())
    if not trace.places:
        return NOTHING
    if not known:
        return "There is no loss, because the word behind [MASK] is not known."
    said = f"L = {format_number(trace.loss)} nats, the mean of {known} "
    said += "term" if known == 1 else "terms"
    if trace.exact_terms is not None:
        said += f"; the grammar's own {format_number(float(trace.exact_terms.nanmean()))}"
    return f"{said}."


def covered_rows(text: ClozeText, trace: FillTrace) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per covered word that is known; the columns are `COVERED_COLUMNS`."""
    rows: list[tuple[str, *tuple[float, ...]]] = []
    for row, place in enumerate(trace.places):
        if place in text.typed:
            continue
        numbers = [float(trace.terms[row])]
        if trace.exact_terms is not None and trace.divergence is not None:
            numbers += [float(trace.exact_terms[row]), float(trace.divergence[row])]
        rows.append((f"{place}: {text.tokens[place]}", *numbers))
    return rows


def terms(text: ClozeText, trace: FillTrace) -> dict[str, Tensor]:
    """The numbers of `lessons/shared/losses.js`: whether a place has a term, and the term."""
    time = len(text.tokens)
    has, term = torch.zeros(time, dtype=torch.float64), torch.full((time,), torch.nan).double()
    for row, place in enumerate(trace.places):
        if place not in text.typed:
            has[place], term[place] = 1.0, trace.terms[row]
    named = {f"f{i}": has[i] for i in range(time)} | {f"l{i}": term[i] for i in range(time)}
    one, none = torch.tensor(1.0), torch.tensor(0.0)
    return named | {
        "n_chosen": has.sum(),
        "loss": torch.tensor(trace.loss),
        "asked": one,
        "hand": none,
    }


def terms_table(text: ClozeText) -> LossesPayload:
    """The data that `lessons/shared/losses.js` needs beside the numbers."""
    time = len(text.tokens)
    return {
        "tokens": list(text.tokens),
        "maskable": [float(i in text.maskable and i not in text.typed) for i in range(time)],
        "outcomes": ["in view", "covered"],
        "standing": [""] * time,
        "drawn": [""] * time,
        "has_model": True,
    }


def reach_grid(
    columns: Sequence[str], found: Mapping[str, Float64[Tensor, " time"]], place: int
) -> probability_grid.NamedGrid:
    """Each word's share of the influence on the prediction, one row per model."""
    shares = {name: (row / row.sum()).tolist() for name, row in found.items()}
    words_after = {
        name: sum(1 for share in row[place + 1 :] if share > 0) for name, row in shares.items()
    }
    said = ", ".join(f"{name}: {count} words after it" for name, count in words_after.items())
    labels = [f"{i}: {column[:12]}" for i, column in enumerate(columns)]
    alt = f"Which words can change the prediction at place {place}. {said}."
    drawn = probability_grid.grid(labels, shares, here=(0, place))
    return {**drawn, "alt": alt, "name": "reach"}


def pipeline(trace: BERTTrace, places: Sequence[int], loss: float) -> dict[str, Tensor]:
    """The numbers of `pipeline_steps`: sizes, and the length of what is at each stage."""
    e = trace.embedding
    named = {
        "T": torch.tensor(float(trace.hidden.shape[1])),
        "M": torch.tensor(float(len(places))),
        "E": e.token.norm(),
        "P": torch.tensor(torch.nan) if e.position is None else e.position.norm(),
        "S": torch.tensor(torch.nan) if e.segment is None else e.segment.norm(),
        "x": e.output.norm(),
        "h0": trace.start.norm(),
        "hN": trace.hidden.norm(),
        "loss": torch.tensor(loss),
    }
    if trace.transformed is not None and trace.logits is not None:
        named["t"] = trace.transformed[0, list(places)].norm()
        named["u"] = trace.logits[0, list(places)].norm()
    return {name: value.detach().double().cpu() for name, value in named.items()}


def _shape(tensor: Tensor | None) -> str:
    """A shape without the batch of one."""
    return "–" if tensor is None else f"({' × '.join(map(str, tensor.shape[1:]))})"


def pipeline_steps(
    config: TransformerConfig, trace: BERTTrace, places: Sequence[int], *, term: bool
) -> tuple[StepRow, ...]:
    """From the tokens to the loss: each tensor with its shape, and the length of its numbers."""
    post = config.norm == "post"
    said = "every token takes part" + ("" if post else "; then LayerNorm")
    blocks = f"{len(trace.blocks)} blocks"
    rows = [*_entering(trace, len(places))]
    if post:
        start = _shape(trace.start)
        rows.append(StepRow("normalise", "LayerNorm(X)", "norm {h0}", "h⁽⁰⁾", "input", start))
    rows.append(StepRow(blocks, said, "norm {hN}", "h⁽ᴺ⁾", "activation", _shape(trace.hidden)))
    if trace.transformed is None or trace.logits is None or not places:
        return tuple(rows)
    head = f"({len(places)} × {trace.transformed.shape[-1]})"
    types = f"({len(places)} × {trace.logits.shape[-1]})"
    turned = "LayerNorm(g(h⁽ᴺ⁾W + b))"
    output = "· U + b₂" + (", U = Eᵀ" if config.tied else "")
    rows += [
        StepRow("head, only at M", turned, "norm {t}", "", "activation", head),
        StepRow("logits, only at M", output, "norm {u}", "", "score", types),
    ]
    if term:
        rows.append(
            StepRow("loss, only at M", "mean of −log ŷ", "{loss} nats", "L", "loss", "scalar")
        )
    return tuple(rows)


def _entering(trace: BERTTrace, count: int) -> tuple[StepRow, ...]:
    """From the tokens to what enters the first block."""
    e, time = trace.embedding, f"({trace.hidden.shape[1]})"
    typed, covers = "[CLS] text [SEP], by their ids", "M: the covered places become [MASK]"
    rows = [
        StepRow("tokens", typed, "{T} tokens", "x", "input", time),
        StepRow("sample", covers, "{M} of them", "M", "mask", f"({count})"),
        StepRow(
            "look up", "a row of E for each token", "norm {E}", "E[x]", "input", _shape(e.token)
        ),
    ]
    if e.position is not None:
        shape = f"({' × '.join(map(str, e.position.shape[-2:]))})"
        rows.append(StepRow("position", "a row of P for each place", "norm {P}", "P", "key", shape))
    if e.segment is not None:
        rows.append(StepRow("segment", "S_A or S_B", "norm {S}", "S", "value", _shape(e.segment)))
    summed = " + ".join(["E[x]", *(["P"] if e.position is not None else []),
                         *(["S"] if e.segment is not None else [])])  # fmt: skip
    return (*rows, StepRow("add", summed, "norm {x}", "X", "input", _shape(e.output)))


def training_numbers() -> dict[str, Tensor]:
    """Every number of `TRAINING_STEPS`."""
    first = SHARE_SHORT * TRAINING_BATCHES * BATCH_TEXTS * SHORT_TEXT
    second = (1 - SHARE_SHORT) * TRAINING_BATCHES * BATCH_TEXTS * LONG_TEXT
    named = {
        "steps": TRAINING_BATCHES,
        "texts": BATCH_TEXTS,
        "short": SHORT_TEXT,
        "long": LONG_TEXT,
        "first": first,
        "second": second,
        "tokens": first + second,
        "words": TRAINING_WORDS,
        "passes": (first + second) / TRAINING_WORDS,
        "predicted": CHOSEN_SHARE * (first + second),
    }
    return {name: torch.tensor(float(value), dtype=torch.float64) for name, value in named.items()}
