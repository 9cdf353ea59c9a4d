"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import ui
from lessons.vectors.areas_picture import MOST_TYPES, network_of
from lessons.vectors.vectors_state import Run, VectorsState
from lmcore.embeddings.static import planted
from lmcore.embeddings.static.maps import NearestThroughTime
from lmcore.embeddings.static.methods import METHODS, VectorConfig


def questions(now: VectorsState, run: Run, near: NearestThroughTime) -> list[ui.Question]:
    """The page's questions: the nearest word, the pairs of a window, and sizes."""
    words, m = run.method.record.words, now.config.window
    asked = [
        _nearest(now.word, words, near.ids[-1].tolist()),
        ui.Question(
            "pairs",
            f"A sentence of {2 * m + 4} words, and a window of ±{m}: how many pairs (centre, "
            "context) does it give?",
            float(m * (3 * m + 7)),
            f"Away from the ends every word has {2 * m} context words; the {m} words at either end "
            "have fewer.",
            hint="Count the context words of each word, one word after the other.",
        ),
        ui.Question(
            "self",
            f"What is the cosine of “{now.word}” with itself?",
            1.0,
            "A vector has the angle 0 with itself. So the word itself is left out of its "
            "neighbours.",
        ),
    ]
    if now.config.method in METHODS[:2]:
        asked.append(_parameters(now.config, len(words)))
    return asked


def _nearest(word: str, words: Sequence[str], last: Sequence[int]) -> ui.Question:
    """Which word is the first of `last`, the words that are nearest in the end."""
    others = other_words(word, words, {words[i] for i in last})
    return ui.Question(
        "nearest",
        f"In the end, which word is nearest to “{word}”?",
        words[last[0]],
        "Its cosine is the largest. All that was learned is which words stand near which.",
        hint="Words that stand near the same words get alike vectors.",
        options=tuple(sorted([words[last[0]], *others])),
        hides=("c1",),
    )


def _parameters(config: VectorConfig, types: int) -> ui.Question:
    d = config.dimensions
    return ui.Question(
        "parameters",
        f"{types} words, vectors of {d} numbers: how many parameters does {config.method} train?",
        float(2 * types * d),
        "Each word has two vectors, one as input and one as target; only the first is kept.",
        hint="There are two tables.",
    )


def other_words(word: str, words: Sequence[str], near: Collection[str]) -> list[str]:
    """Three frequent words that are not near: one of any kind, then two of other planted groups."""
    group = planted.group_of_word()
    far = [each for each in words if each != word and each not in near]
    planted_far = [each for each in far if each in group and group[each] != group.get(word)]
    return list(dict.fromkeys([*far[:1], *planted_far[:2], *far[:4]]))[:3]


def area_questions(config: VectorConfig, live: ui.LiveNumbers, own: int) -> list[ui.Question]:
    """What the picture of 2003 and 2013 asks: what a large vocabulary changes, and the scores."""
    products, hidden = round(live["skip"]), network_of(config).hidden
    stay = f"they stay {products}"
    times = [f"{factor} times as many" for factor in sorted({2, max(round(MOST_TYPES / own), 3)})]
    grows = ui.Question(
        "grows",
        f"The vocabulary grows from {own:,} words to {MOST_TYPES:,}. What happens to the "
        f"{products} products of 2013?",
        stay,
        f"It scores the word beside it and {config.negatives} noise words, however many words "
        "there are. Drag |V| to see it.",
        hint="Which words get a score in 2013?",
        options=(stay, *times),
    )
    scores = ui.Question(
        "scores",
        f"H = {hidden} units, |V| = {live['types']:.0f} words: how many products do the scores of "
        "2003 take?",
        live["scores"],
        "Each word’s score is a dot product with the hidden layer.",
        hint=f"Each word takes {hidden} products.",
        hides=("scores", "above", "nnlm", "thousands", "ratio"),
    )
    return [grows, scores]


def ladder_questions(shares: Sequence[float]) -> list[ui.Question]:
    """What the view *Five ladders* asks: the method with the fewest right neighbours."""
    worst = shares.index(min(shares))
    return [
        ui.Question(
            "ladders-worst",
            "Over all words of the Microworld, which method has the fewest right neighbours?",
            METHODS[worst],
            f"{shares[worst]:.1%} of its neighbours are right, {max(shares):.1%} of the best’s.",
            hint="Look at the words that are wrong: are they only frequent?",
            options=METHODS,
            hides=tuple(f"share {n}" for n in range(len(shares))),
        )
    ]
