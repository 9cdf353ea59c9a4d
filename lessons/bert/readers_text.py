"""Five readers of one gap: the picture’s data, rows, grids and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypedDict

from jaxtyping import Float64
from torch import Tensor

from drawing import probability_grid
from drawing.events import Place
from drawing.payload import NumberName, Script
from lmcore.masked_lm.contest import Contest, PlaceBlock
from lmcore.masked_lm.readers import visible_places
from lmcore.numbers import format_number

LABELS = {
    "bag": "Bag DNN",
    "window": "Window DNN",
    "rnn": "RNN from the left",
    "birnn": "BiRNN",
    "bert": "Transformer (BERT)",
}
VISIBLE_CONTEXT = {
    "bag": "all words, but not their positions",
    "window": "three words on either side, each with its own block of W",
    "rnn": "the words before the gap",
    "birnn": "both sides: →h before the gap and ←h after it, joined",
    "bert": "every word at every place, through attention",
}
CONTEST = ("reader", "expected accuracy", "share of the best", "KL, nats per gap", "parameters")
BLOCKS = ("place", "norm of W_k E[w]", "cosine with place −1")
TOP = 3
MORE = 1.005
"""The factor from which one probability counts as larger than another."""


OWN = "own"
"""What a beat hides to ask for the covered word."""
GRAMMAR = "The grammar, exactly"
ASKED = (
    "The same gap, five readers: **who** can fill it? The **?** are shown once you have answered."
)


class Answer(NamedTuple):
    """A reader's probability of the covered word, and its first guess."""

    kind: str
    label: str
    q: str
    """The name of that probability"""
    chance: float
    guess: str
    best: float
    right: bool


class ReaderPayload(TypedDict):
    """A reader: the places that it reads, and the names of its numbers."""

    part: str
    label: str
    sees: list[int]
    ordered: bool
    """Whether it receives the position of each word."""
    exact: bool
    q: NumberName
    best: NumberName
    guess: str
    right: bool


class ReadersPayload(TypedDict):
    """A text with one gap, and its readers."""

    words: list[str]
    pressable: list[int]
    place: int
    rows: list[ReaderPayload]
    marked: NumberName


READERS = Script("readers", ReadersPayload, ("p *", "best p *", "own"), Place)
"""`own` is not a number: a question that hides it hides the covered word."""


def number(label: str) -> str:
    """The name of a reader's probability of the covered word."""
    return f"p {label}"


def answers(
    rows: Mapping[str, Float64[Tensor, " vocabulary"]],
    exact: Float64[Tensor, " type"] | None,
    own: int,
    words: Sequence[str],
) -> list[Answer]:
    """Each reader's answer, and the grammar's."""
    kinds = {label: kind for kind, label in LABELS.items()}
    every = {**rows, GRAMMAR: exact} if exact is not None else dict(rows)
    found = []
    for label, row in every.items():
        best = int(row.argmax())
        chance = float(row[own]) if own < len(row) else 0.0
        kind = kinds.get(label, "grammar")
        found.append(
            Answer(kind, label, number(label), chance, words[best], float(row[best]), best == own)
        )
    return found


def numbers(found: Sequence[Answer]) -> dict[str, float]:
    """Every number of the picture."""
    return {each.q: each.chance for each in found} | {f"best {each.q}": each.best for each in found}


def picture(tokens: Sequence[str], place: int, found: Sequence[Answer]) -> ReadersPayload:
    """The data of `lessons/bert/readers.js` other than the numbers."""
    transformer = next(each for each in found if each.kind == "bert")
    return {
        "words": list(tokens),
        "pressable": list(range(1, len(tokens) - 1)),
        "place": place,
        "rows": [
            {
                "part": each.kind,
                "label": each.label,
                "sees": list(visible_places(each.kind, place, len(tokens))),
                "ordered": each.kind != "bag",
                "exact": each.kind == "grammar",
                "q": each.q,
                "best": f"best {each.q}",
                "guess": each.guess,
                "right": each.right,
            }
            for each in found
        ],
        "marked": transformer.q,
    }


def finding(found: Sequence[Answer], own: str) -> str:
    """Which readers guess the covered word, as a template."""
    readers = [each for each in found if each.kind != "grammar"]
    right = [each for each in readers if each.right]
    bert = next(each for each in readers if each.kind == "bert")
    best = max(readers, key=lambda each: each.chance)
    said = (
        f"“**{own}**” is the first guess of {len(right)} of {len(readers)} readers; the "
        f"Transformer gives it =={{{bert.q}}}=="
    )
    if best.chance > MORE * bert.chance:
        said += f", the {best.label} more: {{{best.q}}}"
    return f"{said}."


def formula(found: Sequence[Answer], word: str) -> list[str]:
    """The output of every reader, and that of two of them, as a template."""
    bert = next(each for each in found if each.kind == "bert")
    parts = ["ŷ = softmax(U h + b₂)", f"[activation|BERT: ŷ({word})] = **{{{bert.q}}}**"]
    if found[-1].kind == "grammar":
        parts.append(f"[weight|exactly {{{found[-1].q}}}]")
    return parts


def contest_rows(found: Contest) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per reader; the columns are `CONTEST`."""
    return [
        (each.name, each.accuracy, each.accuracy / found.best, each.divergence, each.parameters)
        for each in found.results
    ]


def contest_words(found: Contest) -> list[str]:
    """The readers' accuracies, and the best possible."""
    ranked = sorted(found.results, key=lambda each: -each.accuracy)
    order = ", ".join(f"{each.name} {format_number(each.accuracy)}" for each in ranked)
    said = [
        f"On {found.gaps} gaps in test documents: {order}.",
        f"The grammar itself, reading both sides, has **{format_number(found.best)}**; reading "
        f"from the left alone, **{format_number(found.left)}**.",
    ]
    accuracy = {each.name: each.accuracy for each in found.results}
    ours = accuracy.get(LABELS["bert"])
    ahead = [name for name, its in accuracy.items() if ours is not None and its > ours]
    if ours is not None and ahead:
        lead = max(accuracy[name] for name in ahead) - ours
        said.append(
            f"**{', '.join(ahead)}** {'are' if len(ahead) > 1 else 'is'} ahead of the Transformer, "
            f"by at most {format_number(lead)}{BAG_AHEAD if LABELS['bag'] in ahead else '.'}"
        )
    return said


BAG_AHEAD = (
    ": in these short texts it often suffices which words occur. Where their order decides, it "
    "does not."
)


def answer_grid(
    rows: Mapping[str, Float64[Tensor, " vocabulary"]], words: Sequence[str]
) -> probability_grid.NamedGrid:
    """The readers' likeliest words: one row per reader, one column per word, p in the cell."""
    mean = sum(row / row.sum() for row in rows.values())
    assert not isinstance(mean, int)
    ids = mean.topk(2 * TOP).indices.tolist()
    cells = {name: [float(row[i]) for i in ids] for name, row in rows.items()}
    first = [f"{name}: {words[int(row.argmax())]}, {format_number(float(row.max()))}"
             for name, row in rows.items()]  # fmt: skip
    return {
        **probability_grid.grid([words[i] for i in ids], cells),
        "alt": f"Each reader’s first answer. {'; '.join(first)}.",
        "name": "cloze-answers",
    }


def moves_grid(
    columns: Sequence[str], rows: Mapping[str, Float64[Tensor, " time"]], place: int
) -> probability_grid.NamedGrid:
    """How much another word at each place changes each prediction; 0: the place is not seen."""
    cells = {name: row.clamp(0, 1).tolist() for name, row in rows.items()}
    blind = {n: sum(1 for i, x in enumerate(r) if x == 0 and i != place) for n, r in cells.items()}
    said = "; ".join(f"{name} does not see {count} words" for name, count in blind.items())
    labels = [f"{i}: {column}" for i, column in enumerate(columns)]
    return {
        **probability_grid.grid(labels, cells, here=(0, place)),
        "alt": f"Which words change the prediction at place {place}: {said}.",
        "name": "cloze-seen",
    }


def shuffle_words(moved: Mapping[str, float]) -> list[str]:
    """Which predictions change when the words are shuffled."""
    still = [name for name, far in moved.items() if far == 0]
    far = ", ".join(f"{name} by {format_number(x)}" for name, x in moved.items() if x)
    said = [f"The same words in another order change the prediction of {far}." if far else ""]
    if still:
        bag = " A bag of words ignores order: its input is the same sum."
        said.append(
            f"**{', '.join(still)}: by 0, exactly**.{bag if LABELS['bag'] in still else ''}"
        )
    return [each for each in said if each]


def block_rows(found: Sequence[PlaceBlock]) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per position of the window; the columns are `BLOCKS`."""
    return [(f"{each.place:+d}".replace("-", "−"), each.length, each.cosine) for each in found]


def snippet(ids: Sequence[int], place: int, seed: int) -> str:
    """A script that prints the answers on screen."""
    return f"""import torch
from lmcore.masked_lm import readers as cloze_readers
from lmcore.masked_lm.contest import shuffle_context
from lmcore.training.masked_batches import masked_vocabulary

ids, place = {list(ids)}, {place}
for order in (ids, shuffle_context(ids, place, {seed})):
    print(masked_vocabulary().decode(order))
    for name, reader in cloze_readers.load_readers().items():
        row = cloze_readers.gap_log_probabilities(reader, torch.tensor(order), place)
        best = int(row.argmax())
        print(name, masked_vocabulary().tokens[best], float(row[best].exp()))
"""
