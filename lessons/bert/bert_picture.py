"""A text with gaps: the data of its picture, its tables, its pipeline and BERT's training."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypedDict

import torch
from jaxtyping import Float64
from torch import Tensor

from drawing import probability_grid
from drawing.events import Name
from drawing.payload import LossesPayload, NumberName, Script
from drawing.steps import StepRow
from lmcore.masked_lm.cloze import ClozeText, FillTrace, likeliest_types
from lmcore.models.bert import BERTTrace
from lmcore.models.transformer_config import TransformerConfig

TypeName = Callable[[int], str]
"""The type of an id, as it is shown."""
TOP, FEW, MOST = 5, 2, 8
"""Words of the model and of the grammar for a gap, of a second reader, and of all together."""
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


class FillerPayload(TypedDict):
    """A word for a gap, and the names of its numbers."""

    word: str
    q: NumberName
    p: NumberName
    """The exact probability; empty if there is none."""
    both: NumberName
    """The BERT's probability from both sides, if a GPT reads from the left; else empty."""
    own: bool
    """Whether it is the covered word."""


class GapPayload(TypedDict):
    """A covered word: the words that may fill it, and notes with the name of a number each."""

    place: int
    fillers: list[FillerPayload]
    notes: list[tuple[str, NumberName]]


class BarsPayload(TypedDict):
    """The names of the two bars of each word, and of the dashed outline, if there are any."""

    ours: str
    exact: str
    both: str
    own: str


class ClozePayload(TypedDict):
    """A text with gaps, and paired bars for the words that may fill them."""

    words: list[str]
    covered: list[int]
    pressable: list[int]
    at: str
    """The covered places as the address has them."""
    several: bool
    """Whether a press covers one more word, or moves the gap."""
    left: bool
    """Whether only the words before the gap are read."""
    asked: bool
    """Whether the covered word is to be predicted."""
    gaps: list[GapPayload]
    bars: BarsPayload
    marked: NumberName
    """The number that the sentence marks."""


OF_TEXT = ("terms", "loss", "exact loss")
OF_WORD = ("q# *", "both# *", "p# *")
OF_GAP = ("cost#", "exact cost#", "KL#")
CLOZE = Script("cloze", ClozePayload, (*OF_TEXT, *OF_WORD, *OF_GAP, "own"), Name)
"""`own` is not a number: a question that hides it hides the covered word."""


def number_name(kind: str, row: int, word: str, i: int) -> str:
    """The name of a probability: q0 animal."""
    return f"{kind}{row} {word if word.isalpha() else i}"


class Gap(NamedTuple):
    """The words of one gap, by id and in the order they are drawn, and the covered one."""

    row: int
    place: int
    ids: tuple[int, ...]
    own: int | None


def gap(
    text: ClozeText,
    trace: FillTrace,
    both: FillTrace,
    row: int,
    word: TypeName,
    *,
    asked: bool = False,
) -> Gap:
    """The words of one gap: the likeliest first, or in alphabetical order if they are asked for.

    They are the model's likeliest, the grammar's, those of a second reader if there is one, and the
    covered word.
    """
    place = trace.places[row]
    own = None if place in text.typed else int(text.reading.ids[place])
    ids = list(likeliest_types(trace, row, TOP, own))
    if both is not trace:
        ids += likeliest_types(both, row, FEW, own)
    needed = {own, int(trace.log_q[row].argmax())}
    if trace.exact is not None:
        needed.add(int(trace.exact[row].argmax()))
    ids = sorted(dict.fromkeys(ids), key=lambda i: -float(trace.log_q[row, i]))
    kept = [i for i in ids if i in needed]
    kept += [i for i in ids if i not in needed][: MOST - len(kept)]
    if asked:
        return Gap(row, place, tuple(sorted(kept, key=word)), own)
    return Gap(row, place, tuple(i for i in ids if i in kept), own)


def gaps(
    text: ClozeText, trace: FillTrace, both: FillTrace, word: TypeName, *, asked: bool = False
) -> list[Gap]:
    """Every gap of the text."""
    rows = range(len(trace.places))
    return [gap(text, trace, both, row, word, asked=asked) for row in rows]


def numbers(
    text: ClozeText, trace: FillTrace, both: FillTrace, found: Sequence[Gap], word: TypeName
) -> dict[str, float]:
    """Every number of the picture, its sentence and its formula.

    One gap in a text of the microworld has the probabilities of all words: however it is moved, the
    numbers have the same names.
    """
    named: dict[str, float] = {"terms": float((~trace.terms.isnan()).sum()), "loss": trace.loss}
    if trace.exact_terms is not None:
        named["exact loss"] = float(trace.exact_terms.nanmean())
    for row, _, ids, _ in found:
        whole = text.in_microworld and len(found) == 1
        q, second = trace.log_q[row].exp(), both.log_q[row].exp()
        for i in range(trace.log_q.shape[1]) if whole else ids:
            its = word(i)
            named[number_name("q", row, its, i)] = chance(q, i)
            named[number_name("both", row, its, i)] = chance(second, i)
            if trace.exact is not None:
                named[number_name("p", row, its, i)] = chance(trace.exact[row], i)
        named[f"cost{row}"] = float(trace.terms[row])
        if trace.exact_terms is not None and trace.divergence is not None:
            named[f"exact cost{row}"] = float(trace.exact_terms[row])
            named[f"KL{row}"] = float(trace.divergence[row])
    return named


def bar_names(found: Sequence[Gap], trace: FillTrace, word: TypeName) -> tuple[str, ...]:
    """The numbers that would reveal which word fits: those of all bars and of what follows."""
    kinds = ("q", "both", *(("p",) if trace.exact is not None else ()))
    ends = ("cost", "exact cost", "KL")
    return (
        *(number_name(kind, each.row, word(i), i) for each in found for i in each.ids
          for kind in kinds),
        *(f"{end}{each.row}" for each in found for end in ends),
        "loss",
        "exact loss",
    )  # fmt: skip


def gap_payload(each: Gap, trace: FillTrace, word: TypeName, *, left: bool) -> GapPayload:
    """The data of one gap."""
    row, place, ids, own = each
    has_truth = trace.exact is not None
    notes = [] if own is None else [("−log q", f"cost{row}")]
    if has_truth:
        notes += [] if own is None else [("−log p", f"exact cost{row}")]
        notes.append(("KL(p ‖ q)", f"KL{row}"))
    return {
        "place": place,
        "fillers": [
            {
                "word": word(i),
                "q": number_name("q", row, word(i), i),
                "p": number_name("p", row, word(i), i) if has_truth else "",
                "both": number_name("both", row, word(i), i) if left else "",
                "own": i == own,
            }
            for i in ids
        ],
        "notes": notes,
    }


def chance(row: Float64[Tensor, " type"], word: int) -> float:
    """A word's probability; the grammar has none for [MASK] and [PAD]."""
    return float(row[word]) if word < len(row) else 0.0


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
    """The numbers of `drawing/losses.js`: whether a place has a term, and the term."""
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
    """The data that `drawing/losses.js` needs, other than the numbers."""
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
