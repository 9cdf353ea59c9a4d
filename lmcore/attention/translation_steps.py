"""A translation word by word: what the decoder attends to, and what it would write instead.

    y_i = argmax p(y_i | y_1 … y_{i−1}, x)            the word it writes, with α_i as computed
    y_i(j) = argmax p(y_i | …) with c_i = h_j         the word if all of α_i were on place j

Weights α can be forced at some steps; everything after such a step is computed anew.

Source: lecture "Adding Attention"; Strobelt et al. 2018 (weights α that a person may set).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float, Float64, Int
from torch import Tensor

from lmcore.checks import check_between, check_kind, check_row
from lmcore.dataframes import Trace
from lmcore.models.recurrent_seq2seq import DecoderState, Seq2Seq, Seq2SeqTrace
from lmcore.models.registry import device_of
from lmcore.models.soft_attention import Order, check_forced
from lmcore.training.translation_batches import MOST_WRITTEN, encode_sources
from lmcore.vocabulary import END, START, Vocabulary


@dataclass(frozen=True, slots=True)
class TranslationSteps(Trace):
    """A source, its greedy translation, and the trace of that translation."""

    source: Int[Tensor, " source"]
    """x_1 … x_{T_x}; the last is `</s>`."""
    written: Int[Tensor, " time"]
    """y_1 … y_n; the last is `</s>`, unless the translation was broken off."""
    probabilities: Float64[Tensor, "time vocabulary"]
    """p(y_i | y_1 … y_{i−1}, x)"""
    alternatives: Int[Tensor, "time source"] | None
    """y_i(j); None without attention."""
    alternative_probabilities: Float64[Tensor, "time source"] | None
    """The probability of y_i(j) if all of α_i is on place j."""
    trace: Seq2SeqTrace
    """The trace of `<s>` y_1 … y_{n−1}, in a batch of one."""

    @property
    def probability(self) -> Float64[Tensor, " time"]:
        """p(y_i | y_1 … y_{i−1}, x) of the words that are written."""
        return self.probabilities.gather(1, self.written[:, None])[:, 0]


@torch.no_grad()
def trace_translation(
    network: Seq2Seq,
    vocabulary: Vocabulary,
    source: Sequence[str],
    *,
    forced: Mapping[int, Sequence[float] | Tensor] | None = None,
    order: Order | None = None,
    longest: int = MOST_WRITTEN,
) -> TranslationSteps:
    """Translate a source greedily, at most `longest` words, and keep every quantity.

    `forced` has, for a step i from 0, weights α for the source's words and `</s>`; a step that is
    not reached is left out. `order` permutes α at every step.

    Raises:
        ValueError: if a word is not in the vocabulary, a step is below 0, forced weights are not
            valid weights, or weights are forced or permuted in a network without attention.
    """
    check_kind("the network", network, Seq2Seq, "such as load_translator gives")
    check_row("the source", source, "['tom', 'runs']")
    ids, where = encode_sources([source]), device_of(network)
    places = ids.shape[1]
    given = forced or {}
    alphas = {i: check_forced(alpha, places).float().to(where) for i, alpha in given.items()}
    if min(alphas, default=0) < 0:
        raise ValueError(f"a step with forced weights α must be 0 or more; got {min(alphas)}")
    if network.attention is None and (alphas or order is not None):
        raise ValueError("weights α can be changed only in a model with attention; it has none")
    start, end = vocabulary.ids[START], vocabulary.ids[END]
    state = network.encode(ids.to(where))
    read, written, before = [start], list[int](), list[DecoderState]()
    while len(written) < longest and end not in written:
        before.append(state)
        tokens = torch.tensor(read[-1:], device=where)
        logits, _, state = network.step(tokens, state, forced=alphas.get(len(written)), order=order)
        written.append(int(logits[0].argmax()))
        read.append(written[-1])
    kept = {i: alpha for i, alpha in alphas.items() if i < len(written)}
    trace = network(ids.to(where), [read[:-1]], forced=kept, order=order)
    instead = _with_one_place(network, read[:-1], before) if network.attention else None
    best = None if instead is None else instead.double().softmax(dim=-1).max(dim=-1)
    return TranslationSteps(
        ids[0],
        torch.tensor(written),
        trace.logits[0].double().softmax(dim=-1).cpu(),
        None if best is None else best.indices.cpu(),
        None if best is None else best.values.cpu(),
        trace,
    )


def _with_one_place(
    network: Seq2Seq, read: Sequence[int], before: Sequence[DecoderState]
) -> Float[Tensor, "time source vocabulary"]:
    """The logits of each y_i with all of α_i on one place of the source, place by place."""
    states = before[0].encoder_states[0]
    places, steps = len(states), len(before)
    carried = zip(*(each.carried for each in before), strict=True)
    logits = network.logits_of_context(
        torch.tensor(read, device=states.device).repeat_interleave(places),
        tuple(torch.cat(part).repeat_interleave(places, dim=0) for part in carried),
        states.repeat(steps, 1),
    )
    return logits.view(steps, places, -1)


def one_place(place: int, places: int) -> Float[Tensor, " source"]:
    """Weights α that are 1 at `place`, from 0, and 0 elsewhere.

    Raises:
        ValueError: if there is no such place.
    """
    check_between("the place of α", place, 0, places - 1)
    return torch.eye(places)[place]
