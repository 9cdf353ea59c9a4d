"""Five readers of one gap: rows, grids and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jaxtyping import Float64
from torch import Tensor

from lessons.shared import probability_grid
from lmcore.masked_lm.contest import Contest, PlaceBlock
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
    return [
        f"On {found.gaps} gaps in test documents: {order}.",
        f"The grammar itself, reading both sides, has **{format_number(found.best)}**; reading "
        f"from the left alone, **{format_number(found.left)}**.",
    ]


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
        said.append(
            f"**{', '.join(still)}: by 0, exactly**. A bag of words ignores order: its input is "
            f"the same sum."
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
