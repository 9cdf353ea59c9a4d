"""Sentences and the script of Corruption."""

from __future__ import annotations

from collections.abc import Sequence

from lmcore.corruption.corruption import Rates
from lmcore.corruption.draws import CorruptionConfig
from lmcore.corruption.full_sentences import PackingTrace
from lmcore.corruption.rates import RepeatedDrawsTrace
from lmcore.corruption.text import CorruptText
from lmcore.numbers import format_number, latex

UNITS = {"token": "Single tokens", "word": "Whole words", "span": "Spans"}
UNIT_WORDS = {
    "token": "Each token is chosen independently.",
    "word": "All pieces of a word, or none; pieces are typed with ## in front.",
    "span": "Runs of words, as in SpanBERT, until the share is reached.",
}
SOURCES = {"uniform": "Uniform", "unigram": "Unigram"}
SOURCE_WORDS = {
    "uniform": "every type is equally likely",
    "unigram": "frequent types are more likely",
}
MOST_TERMS = 4
"""Terms of a loss that are written out."""
NONE = "None: any words"
NO_MODEL = (
    "No model reads this text here: the picture shows which places have a term, not its value. "
    "Choose our small encoder under *More*, *Read by*, and words of the microworld."
)
MORE = (
    "BERT’s code chooses round(0.15 · tokens) places, at least one and at most 20 per text. In "
    "our encoder’s training each place is drawn independently; where none is drawn, the place "
    "with the smallest first number is chosen."
)


SENTENCES = (
    "None of {n} words is chosen: this text adds =={n_chosen}== terms to the loss of this step.",
    "By hand: =={n_chosen}== of {n} words must be predicted, {n_masked} behind "
    "[weight|\\[MASK\\]], {n_random} [gradient|replaced], {n_kept} [activation|left as they were].",
    "=={n_chosen}== of {n} words must be predicted: {n_masked} behind [weight|\\[MASK\\]], "
    "{n_random} [gradient|replaced], {n_kept} [activation|left as they were].",
)
"""The finding as templates, chosen by the number @say."""
MOVED = (
    "You moved **{label}** from {moved<} to =={moved}==: {n_chosen<} → **{n_chosen}** of {n} words "
    "must be predicted, and nothing is drawn again."
)


def formula(*, with_model: bool) -> list[str]:
    """How many of 512 tokens are predicted and masked; with a model, the loss of this text."""
    expected = [
        "of 512 tokens: 512·{chosen} = **[loss|{text_masked}]** predicted",
        "·{masked} = **[weight|{text_masks}]** become \\[MASK\\]",
    ]
    if not with_model:
        return expected
    return ["L = mean of −log p(x | corrupted text) = **[loss|{loss}]** nats", *expected]


def describe(tokens: Sequence[str], standing: Sequence[str]) -> str:
    """The alt text of the picture, as a template."""
    words, shown = (
        " ".join(each).replace("{", "(").replace("}", ")") for each in (tokens, standing)
    )
    return (
        f"The text “{words}”; the model reads “{shown}”. {{n_chosen}} of {{n}} "
        "words are predicted: {n_masked} masked, {n_random} random, {n_kept} kept; {n_rest} are "
        "not in the loss."
    )


def many_words(repeated: RepeatedDrawsTrace, text: CorruptText, config: CorruptionConfig) -> str:
    """The number of draws, and their rule."""
    count = (
        f"{len(repeated.shares):,} draws of these {len(text.open_places)} words, seed {config.seed}"
    )
    if config.unit == "span":
        return (
            f"{count}. The last word of a span is always taken whole, so in a short text more is "
            f"chosen than the share; there is no simple formula for how much."
        )
    rule = (
        " If none is drawn, the place with the smallest first number is, which adds slightly to "
        "the share."
    )
    return f"{count}, computed here.{rule if config.at_least_one else ''}"


DEFINED = r"L_{\text{MLM}} = -\frac{1}{|M|}\sum_{i \in M} \log P(x_i \mid h_i^{(N)})"


def masked_formula(terms: Sequence[float], loss: float) -> str:
    """L_MLM with the values of its first terms."""
    shown = [latex(each) for each in terms[:MOST_TERMS]]
    shown += [r"\dots"] if len(terms) > MOST_TERMS else []
    return rf"= \frac{{{' + '.join(shown)}}}{{{len(terms)}}} = {latex(loss)}\ \text{{nats}}"


def gradient_words(tokens: Sequence[str], norms: Sequence[float], chosen: Sequence[bool]) -> str:
    """The share of the gradient that reaches the places without a term."""
    rest = sum(n**2 for n, each in zip(norms, chosen, strict=True) if not each)
    share = rest / sum(n**2 for n in norms)
    count = sum(not each for each in chosen)
    return (
        f"**{count} of {len(tokens)} places add no term, yet they get "
        f"{format_number(100 * share)} % of the squared gradient** ‖∂L/∂P‖²: through attention "
        f"they influence the terms of the others."
    )


def waste_words(rates: Rates) -> str:
    """What masking costs: fewer predictions per batch, and a token that real texts lack."""
    predicted, masks = (
        format_number(100 * each) for each in (rates.chosen, rates.chosen * rates.masked)
    )
    return (
        f"A causal model predicts at every place but the first, a masked one at {predicted} %, so "
        f"masked training needs more texts for as many predictions. And {masks} % of what it reads "
        "is [MASK], which no text has after training. In return, each prediction sees both sides."
    )


def snippet(text: str, config: CorruptionConfig, by_hand: str, *, model: str | None) -> str:
    """A script that prints what is on screen; `model` is the name by which the app loads it."""
    share = config.rates
    rates = f"Rates({share.chosen!r}, {share.masked!r}, {share.random!r})"
    given = f"{rates}, {config.unit!r}, {config.source!r}, {config.seed}, {config.at_least_one}"
    made = (
        f"trace = corrupt_as_chosen(text, {by_hand!r})"
        if by_hand
        else f"config = CorruptionConfig({given})\n"
        "draws = draw_for_text(text, config).draws\n"
        "trace = corrupt_at_random(text, config, [config.rates], draws)"
    )
    reader = "text_from_words" if model is None else "text_from_model"
    read = f"{reader}({text!r})" if model is None else f"{reader}(load({model!r}), {text!r})"
    loader = "" if model is None else "from ui.pretrained import load\n"
    print_loss = (
        ""
        if model is None
        else "print(masked_loss(text.network, text.ids, trace.corrupted, trace.chosen).loss)\n"
    )
    return f"""from lmcore.corruption.corruption import Rates
from lmcore.corruption.draws import (
    CorruptionConfig, corrupt_as_chosen, corrupt_at_random, draw_for_text, visible_tokens,
)
from lmcore.corruption.text import {reader}
from lmcore.corruption.masked_loss import masked_loss
{loader}
text = {read}
{made}
print(visible_tokens(text, trace, {by_hand!r}))
print(trace.outcomes[0].tolist())  # 0 not chosen, 1 [MASK], 2 random, 3 kept
{print_loss}"""


def packing_words(one: PackingTrace, other: PackingTrace) -> str:
    """The share of the inputs that is filled, packed either way."""
    extra = sum(item.what == "between" for items in one.inputs for item in items)
    return (
        f"At length {one.length}: **{len(one.inputs)} inputs, "
        f"{format_number(100 * one.filled)} % filled**, {extra} extra separators between "
        f"documents. With the other setting: {len(other.inputs)} inputs, "
        f"{format_number(100 * other.filled)} % filled. "
        ":gray-badge[computed] RoBERTa packs up to 512 tokens across document boundaries, with no "
        "pairs and no next-sentence task (quoted: Liu et al. 2019). Under a token: its document "
        "and sentence."
    )
