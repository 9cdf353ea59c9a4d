"""The view “The biLM”: a sentence read from both sides, its two losses, and R_k of a word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st
import torch

import ui
from lessons.contextual import contextual_figures
from lessons.contextual.contextual_state import SETTINGS, our_bilm
from lmcore import parsing
from lmcore.contextual.bilm import BiLMLosses, BiLMTrace, bilm_losses
from lmcore.contextual.layers import BiLMLayers
from lmcore.models.lstm import layer_parameters
from lmcore.vocabulary import END, START, join_tokens
from ui import compute

MOST_WORDS = 24
SIZES = (
    ("ours", 96, 96, 2),
    ("ELMo’s, before its projection", 512, 4096, 1),
    ("a small one", 64, 128, 1),
)
"""Name, d_x, d_h, and biases per gate."""


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A sentence that the biLM has read, and which of its words is chosen."""

    text: str
    words: tuple[str, ...]
    at: int
    """From 0."""
    trace: BiLMTrace
    losses: BiLMLosses
    next_probabilities: tuple[float, ...]
    """p(x_k | all before) of each word and of `</s>`."""
    previous_probabilities: tuple[float, ...]
    """p(x_k | all after) of `<s>` and of each word."""

    @property
    def word(self) -> str:
        """Word k."""
        return self.words[self.at]


def read_sentence() -> Sentence:
    """The sentence and the word of the controls.

    Raises:
        ValueError: naming an unknown word, or a place that the sentence does not have.
    """
    words = tuple(our_bilm().vocabulary.split(SETTINGS.text("bi_text").lower()))
    if not 1 <= len(words) <= MOST_WORDS:
        raise ValueError(f"the sentence must have 1 to {MOST_WORDS} words; got {len(words)}")
    our_bilm().vocabulary.encode(words)
    k = parsing.parse_integer(SETTINGS.text("bi_at"), "word k")
    if not 1 <= k <= len(words):
        raise ValueError(f"word k must be from 1 to {len(words)}; got {k}")
    return _sentence(words, k - 1)


def default_sentence() -> Sentence:
    """The example of the page."""
    words = tuple(SETTINGS.defaults["bi_text"].split())
    return _sentence(words, int(SETTINGS.defaults["bi_at"]) - 1)


def _sentence(words: tuple[str, ...], at: int) -> Sentence:
    return compute.shared_result(
        "biLM reading",
        partial(trace_sentence, our_bilm(), words, at),
        most=64,
        says="Reading the sentence",
    )


@torch.no_grad()
def trace_sentence(model: BiLMLayers, words: tuple[str, ...], at: int) -> Sentence:
    """Both directions over `<s>`, the words and `</s>`, with every probability."""
    ids = torch.tensor([model.vocabulary.encode((START, *words, END))])
    trace = model.network(ids)
    losses = bilm_losses(trace, ids, torch.tensor([ids.shape[1]]))
    after = trace.next_logits[0, :-1].double().softmax(-1)
    before = trace.previous_logits[0, 1:].double().softmax(-1)
    rows = torch.arange(ids.shape[1] - 1)
    return Sentence(
        join_tokens(words, "word"),
        words,
        at,
        trace,
        losses,
        tuple(after[rows, ids[0, 1:]].tolist()),
        tuple(before[rows, ids[0, :-1]].tolist()),
    )


def bilm_view() -> None:
    """Draw the two directions over a sentence, the losses, R_k, and sizes."""
    sentence = ui.validated_or_previous("bi_text", read_sentence, default_sentence)
    left, right = (
        float(each) for each in (sentence.losses.left_to_right, sentence.losses.right_to_left)
    )
    st.markdown(
        f"Two language models read “{sentence.text}”, one from each side. Their losses are summed: "
        f"L = L→ + L← = {left:.3f} + {right:.3f} = **{left + right:.3f}** nats per token. They "
        "share the embeddings (Θₓ) and the softmax (Θₛ)."
    )
    one, other = st.columns([3, 2])
    with one:
        SETTINGS.draw("bi_text")
    with other:
        SETTINGS.draw("bi_at")
    table_part(sentence)
    st.markdown(
        f"**Rₖ of “{sentence.word}”**: xₖ and one vector per direction and layer, 2L + 1 = "
        f"{len(sentence.trace.representations(1))} vectors of {SIZES[0][1]} numbers; end to end "
        f"{len(sentence.trace.layers)} vectors hₖ,ⱼ of {2 * SIZES[0][1]}."
    )
    ui.show_figure(
        contextual_figures.vectors_figure(sentence.trace, sentence.at + 1, ui.theme_mode()),
        name="representations",
        reading="Each cell is a number of the vector: red above 0, blue below. Simplest use: only "
        "the last layer, E(Rₖ) = hₖ,L.",
        alt=f"The {len(sentence.trace.representations(1))} vectors of {sentence.word}.",
    )
    sizes_part()


def table_part(sentence: Sentence) -> None:
    """Draw the probability that each direction assigns to every word."""
    columns = zip(
        sentence.words,
        sentence.next_probabilities[:-1],
        sentence.previous_probabilities[1:],
        strict=True,
    )
    ui.table(
        ["word", "p→ given all before", "−ln p→", "p← given all after", "−ln p←"],
        [
            (f"{i}. {word}", after, *_loss(after), before, *_loss(before))
            for i, (word, after, before) in enumerate(columns, start=1)
        ],
        name="bilm",
        caption="The probability of each word from the left and from the right",
    )
    st.caption(
        f"The means are over {len(sentence.words) + 1} predictions a direction: from the left also "
        "the end of the text, from the right also its beginning."
    )


def _loss(probability: float) -> tuple[float]:
    return (-torch.tensor(probability, dtype=torch.float64).log().item(),)


def sizes_part() -> None:
    """Parameters of one LSTM layer in one direction, ours and as large as ELMo's."""
    st.markdown(
        "**How large is ELMo?** A hidden state of 4,096 numbers, projected to 512. One layer in "
        "one direction has 4 (dₕ (dₕ + dₓ) + dₕ) parameters:"
    )
    st.markdown(
        "\n".join(
            f"- {name}: dₓ = {wide:,}, dₕ = {hidden:,}, {biases} bias per gate: "
            f"**{layer_parameters(wide, hidden, biases=biases):,}**"
            for name, wide, hidden, biases in SIZES
        ).replace("2 bias per", "torch’s 2 biases per")
    )
