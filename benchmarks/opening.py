"""Search for the example that Generation opens on: one that shows how the strategies differ.

    python -m benchmarks.opening [sentences]

The prompts are the beginnings of sentences of the Microworld. An example counts if, with the small
GPT,

* beam search finds a text that is clearly more probable than greedy's, with another first word;
* top-k, top-p and min-p keep different sets of first tokens, and write different texts;
* every text ends, and the grammar allows it.

It prints the examples, the one with the shortest texts first. Only the sentences are random, and
their seed is fixed, so the search always finds the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from lmcore.corpora.microworld import microworld
from lmcore.decoding.continuations import Continuation, continue_prompt
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.sweeps import sweep_first_token
from lmcore.decoding.writer import Writer, writer_from_vocabulary
from lmcore.shipped.models import load_shipped

SENTENCES = 300
WORDS = range(2, 7)
"""Words of a prompt."""
SEEDS = range(1, 7)
TOP_K = range(2, 6)
LENGTH = 40
CLEARLY = 0.4
"""By how much beam search's log p must exceed greedy's: e^0.4 ≈ 1.5 times as probable."""
SEARCHES = ("greedy", "beam")
FILTERS = ("top_k", "top_p", "min_p")
LANES = (*SEARCHES, "walk")
SHOWN = (*LANES, *FILTERS)


class Example(NamedTuple):
    """A prompt with settings, and what its strategies write."""

    prompt: str
    settings: StrategySettings
    seed: int
    texts: dict[str, Continuation]

    @property
    def longest(self) -> int:
        """Tokens of the longest text."""
        return max(len(text.tokens) for text in self.texts.values())


def example(writer: Writer, prompt: str, settings: StrategySettings, seed: int) -> Example | None:
    """The example of this prompt, or None if it does not meet the conditions above."""
    ids, texts = writer.read(prompt), dict[str, Continuation]()
    first = sweep_first_token(writer.model, ids, settings, seed, FILTERS)
    kept = {tuple((odds.probabilities > 0).tolist()) for odds in first.now.values()}
    if len(kept) < len(FILTERS):
        return None
    for name in SHOWN:
        text = texts[name] = continue_prompt(
            writer, ids, STRATEGIES[name], settings, seed=seed, length=LENGTH
        )
        if text.why != "stop" or (text.judged is not None and text.judged.wrong is not None):
            return None
        if name == "beam" and not _beam_wins(texts):
            return None
    for together in (FILTERS, LANES):
        if len({texts[name].tokens for name in together}) < len(together):
            return None
    return Example(prompt, settings, seed, texts)


def _beam_wins(texts: dict[str, Continuation]) -> bool:
    greedy, beam = (texts[name] for name in SEARCHES)
    return beam.total > greedy.total + CLEARLY and beam.tokens[0] != greedy.tokens[0]


def prompts(sentences: int) -> list[str]:
    """Beginnings of sentences of the Microworld, in alphabetical order."""
    world = microworld()
    found = set[str]()
    for document in world.sample(sentences, np.random.default_rng(1)):
        words = world.vocabulary.decode([int(token) for token in document])
        inside = [word for word in words if word not in ("<s>", "</s>")]
        found |= {" ".join(inside[:count]) for count in WORDS if count < len(inside)}
    return sorted(found)


def search(writer: Writer, sentences: int = SENTENCES) -> Iterator[Example]:
    """Every example among the prompts, seeds and k of top-k."""
    for prompt in prompts(sentences):
        ids = writer.read(prompt)
        both = {
            name: continue_prompt(
                writer, ids, STRATEGIES[name], StrategySettings(), seed=1, length=LENGTH
            )
            for name in SEARCHES
        }
        if not _beam_wins(both):
            continue
        for seed, top_k in product(SEEDS, TOP_K):
            if found := example(writer, prompt, StrategySettings(top_k=top_k), seed):
                yield found


def main() -> None:
    """Print the examples."""
    model, _, _ = load_shipped("gpt")
    writer = writer_from_vocabulary("gpt", model, model.vocabulary, microworld())
    sentences = int(sys.argv[1]) if len(sys.argv) > 1 else SENTENCES
    for found in sorted(search(writer, sentences), key=lambda each: each.longest):
        print(f"{found.prompt} | top-k {found.settings.top_k}, seed {found.seed}")
        for name, text in found.texts.items():
            print(f"    {name:8} {text.total:8.3f}  {writer.text(text.tokens)}")


if __name__ == "__main__":
    main()
