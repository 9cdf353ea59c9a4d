"""A prompt continued by one strategy: the text, and its probability under model and grammar.

    log p(y | x) = Σ_t log p(y_t | x, y_1 … y_{t−1})      mean = log p / T      perplexity = e^−mean

T counts the generated tokens, the final one included. All probabilities are the unfiltered
model's, whatever filters chose the text, so that strategies can be compared.

Source: lecture "Practical Points" (errata X44); Jurafsky & Martin, perplexity.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from jaxtyping import Float64, Int
from torch import Tensor

from lmcore import dataframes
from lmcore.corpora.automaton import DEAD_STATE, Automaton
from lmcore.decoding import beam, next_token
from lmcore.decoding.strategies import Strategy, StrategySettings
from lmcore.decoding.token_by_token import GenerationStep, allowed_seconds, generate_steps
from lmcore.decoding.writer import Writer
from lmcore.models import scoring

if TYPE_CHECKING:
    from pandas import DataFrame

    from lmcore.vocabulary import Vocabulary

SECONDS = 10.0
"""The time limit of a text on a page."""


@dataclass(frozen=True, slots=True)
class GrammarVerdict:
    """A text under the grammar of its world."""

    log_p: float
    """log p of the continuation, given the prompt; −∞ if it is ungrammatical."""
    wrong: int | None
    """The index, from 0 after the prompt, of the first ungrammatical token; −1 if the prompt itself
    is ungrammatical, None if there is none."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """The text that a strategy generated, and its probabilities."""

    tokens: tuple[int, ...]
    log_p: Float64[Tensor, " written"]
    """log p of each token under the model, in nats."""
    why: str
    """Why generation stopped: as `writing.generate_steps`."""
    seconds: float
    """Measured time of generation, without the evaluation."""
    judged: GrammarVerdict | None
    """None without a grammar."""

    @property
    def total(self) -> float:
        """log p of the text."""
        return float(self.log_p.sum())

    @property
    def mean(self) -> float:
        """log p per token; nan for an empty text."""
        return self.total / len(self.tokens) if self.tokens else math.nan

    @property
    def perplexity(self) -> float:
        """e^−mean."""
        return scoring.perplexity_of_loss(-self.mean) if self.tokens else math.nan

    def to_frame(self, vocabulary: Vocabulary | None = None) -> DataFrame:
        """One row per token: token, log p in nats.

        Tokens are ids, or words if the vocabulary is given.
        """
        tokens = dataframes.token_names(self.tokens, vocabulary)
        return dataframes.frame({"token": tokens, "log p": self.log_p})


def continue_prompt(
    writer: Writer,
    prompt: Int[Tensor, " time"],
    strategy: Strategy,
    settings: StrategySettings,
    *,
    seed: int,
    length: int,
    seconds: float = SECONDS,
) -> Continuation:
    """The text of one strategy; for a beam search the best it found.

    Raises:
        ValueError: as `writing.generate_steps` and `beam.search`.
    """
    started = time.perf_counter()
    if strategy.kind in ("beam", "drawn beam"):
        how = strategy.search(settings, seed, length, writer.stop, allowed_seconds(seconds))
        finished = beam.finished_beams(list(beam.search(writer.model, prompt, how)))
        best = max(finished, key=lambda each: each.score(settings.length_penalty), default=None)
        tokens = best.tokens if best else ()
        took = time.perf_counter() - started
        log_p = next_token.log_p(writer.model, prompt, [tokens])[0]
        why = _why(writer, prompt, tokens, length)
    else:
        walk = strategy.sampling_config(
            settings, seed, length=length, stop=writer.stop, seconds=allowed_seconds(seconds)
        )
        choices = list(generate_steps(writer.model, prompt[None], walk))
        why = choices[-1].why
        choices = choices[:-1] if why == "nothing left" else choices
        tokens = tuple(int(choice.tokens[0]) for choice in choices)
        took = time.perf_counter() - started
        log_p = _of(choices, tokens)
    verdict = None if writer.truth is None else judge_by_grammar(writer.truth, prompt, tokens)
    return Continuation(tokens, log_p, why, took, verdict)


def judge_by_grammar(
    truth: Automaton, prompt: Int[Tensor, " time"], tokens: Sequence[int]
) -> GrammarVerdict:
    """The grammar's log p of a continuation, and its first error."""
    text = torch.cat([prompt, torch.tensor(tokens, dtype=torch.long)])
    states = truth.states(text.numpy())
    bad = (states == DEAD_STATE).nonzero()[0]
    if not len(bad):
        whole, before = (truth.log_probability(part.tolist()) for part in (text, prompt))
        return GrammarVerdict(whole - before, None)
    return GrammarVerdict(-math.inf, max(int(bad[0]) - len(prompt), -1))


def _of(choices: Sequence[GenerationStep], tokens: Sequence[int]) -> Float64[Tensor, " written"]:
    """The model's log p of each token at the step that chose it."""
    if not tokens:
        return torch.empty(0, dtype=torch.float64)
    rows = torch.cat([choice.stages[0].scores for choice in choices])
    picked = rows.double().cpu().log_softmax(dim=-1)
    return picked.gather(1, torch.tensor(tokens)[:, None])[:, 0]


def _why(writer: Writer, prompt: Int[Tensor, " time"], tokens: Sequence[int], length: int) -> str:
    if not tokens:
        return "nothing left"
    if tokens[-1] in writer.stop:
        return "stop"
    if len(tokens) == length:
        return "length"
    full = writer.model.longest is not None and len(prompt) + len(tokens) > writer.model.longest
    return "room" if full else "time"
