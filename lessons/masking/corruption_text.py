"""A corrupted text: the sentences that point at what just happened, and the script for it."""

from __future__ import annotations

from collections.abc import Sequence

from lmcore.corruption.corruption import CorruptionTrace, Rates
from lmcore.corruption.draws import CorruptionConfig
from lmcore.corruption.full_sentences import PackingTrace
from lmcore.corruption.rates import RepeatedDrawsTrace
from lmcore.corruption.text import CorruptText
from lmcore.numbers import format_number, latex

UNITS = {"token": "Single tokens", "word": "Whole words", "span": "Spans"}
UNIT_WORDS = {
    "token": "Each token is chosen by itself.",
    "word": "All pieces of a word, or none; pieces are typed with ## in front.",
    "span": "Runs of words, as SpanBERT has them, until the share is used up.",
}
SOURCES = {"uniform": "Uniform", "unigram": "Unigram"}
MOST_TERMS = 4
"""Terms of a loss that are written out."""
NONE = "None: any words"
NO_MODEL = (
    "No model reads this text here, so there are no terms to show: only which places have one. "
    "Choose our small encoder under *Read by*, and words of the microworld."
)
MORE = (
    "BERT’s code takes round(0.15 · tokens) places, at least one, at most 20 in a text; this "
    "training takes each by itself, and where none was chosen the likeliest."
)


def notice(trace: CorruptionTrace, text: CorruptText, *, hand: bool) -> list[str]:
    """How many are chosen, what the model sees of them, and where they come from."""
    count, places = int(trace.chosen.sum()), len(text.open_places)
    if not count:
        return [
            f"**None of {places} was chosen**: this text would teach nothing in this step.",
            f"At 15 % that happens to {format_number(100 * 0.85**places)} % of texts of {places} "
            f"word{'' if places == 1 else 's'}.",
        ]
    covered, swapped = int(trace.masked.sum()), int(trace.random.sum())
    said = [
        f"**{count} of {places} are predicted**, {format_number(100 * count / places)} %: "
        f"{covered} behind [MASK], {swapped} replaced, {count - covered - swapped} as they were.",
        "The model is asked for all of them, and is not told which of the words in view are wrong.",
    ]
    if hand:
        said.append("These places are **set by hand**, not drawn: at 15 % chance would have taken "
                    f"about {format_number(0.15 * places)}.")  # fmt: skip
    return said


def many_words(found: RepeatedDrawsTrace, text: CorruptText, lot: CorruptionConfig) -> str:
    """What the draws were, and how the replacement was drawn."""
    count = f"{len(found.shares):,} draws of these {len(text.open_places)} words, seed {lot.seed}"
    if lot.unit == "span":
        return (
            f"{count}. The last word of a span is taken whole, so a short text gives up more than "
            "the share; there is no short formula for how much."
        )
    rule = " Where chance chose none, the likeliest is taken: so more are chosen than the share."
    return f"{count}, computed here.{rule if lot.at_least_one else ''}"


DEFINED = r"L_{\text{MLM}} = -\frac{1}{|M|}\sum_{i \in M} \log P(x_i \mid h_i^{(N)})"


def masked_formula(terms: Sequence[float], loss: float) -> str:
    """L_MLM with the first of its terms plugged in."""
    shown = [latex(each) for each in terms[:MOST_TERMS]]
    shown += [r"\dots"] if len(terms) > MOST_TERMS else []
    return rf"= \frac{{{' + '.join(shown)}}}{{{len(terms)}}} = {latex(loss)}\ \text{{nats}}"


def gradient_words(tokens: Sequence[str], norms: Sequence[float], chosen: Sequence[bool]) -> str:
    """How much gradient arrives where no term is."""
    rest = sum(n**2 for n, each in zip(norms, chosen, strict=True) if not each)
    share = rest / sum(n**2 for n in norms)
    count = sum(not each for each in chosen)
    return (
        f"**{count} of {len(tokens)} places add no term, yet they get "
        f"{format_number(100 * share)} % of the squared gradient** ‖∂L/∂P‖²: through attention they "
        "shape the terms of the others."
    )


def waste_words(rates: Rates) -> str:
    """K06: fewer predictions a batch, and a token that no text has."""
    asked, masks = (
        format_number(100 * each) for each in (rates.chosen, rates.chosen * rates.masked)
    )
    return (
        f"A causal model is asked at every place but the first, a masked one at {asked} %: it "
        f"needs more texts for as many predictions. And {masks} % "
        "of what it reads is [MASK], which no text has after training. What it gains is that each "
        "prediction sees both sides."
    )


def snippet(text: str, lot: CorruptionConfig, hand: str, *, model: str | None) -> str:
    """A script that prints what is on screen; of a model, one that the app loads by that name."""
    share = lot.rates
    rates = f"Rates({share.chosen!r}, {share.masked!r}, {share.random!r})"
    given = f"{rates}, {lot.unit!r}, {lot.source!r}, {lot.seed}, {lot.at_least_one}"
    made = (
        f"trace = corrupt_as_chosen(text, {hand!r})"
        if hand
        else f"lot = CorruptionConfig({given})\ntrace = corrupt_at_random(text, lot, [lot.rates], draw_for_text(text, lot).draws)"
    )
    read = f"of_words({text!r})" if model is None else f"of_model(load({model!r}), {text!r})"
    loads = "of_words" if model is None else "of_model"
    loader = "" if model is None else "from ui.pretrained import load\n"
    asked = (
        ""
        if model is None
        else "print(masked_loss(text.network, text.ids, trace.corrupted, trace.chosen).loss)\n"
    )
    return f"""from lmcore.corruption.corruption import Rates
from lmcore.corruption.draws import CorruptionConfig, corrupt_at_random, draw_for_text, corrupt_as_chosen, visible_tokens
from lmcore.corruption.text import {loads}
from lmcore.corruption.masked_loss import masked_loss
{loader}
text = {read}
{made}
print(visible_tokens(text, trace, {hand!r}))
print(trace.outcomes[0].tolist())  # 0 not chosen, 1 [MASK], 2 random, 3 kept
{asked}"""


def packing_words(one: PackingTrace, other: PackingTrace) -> str:
    """How full the inputs are, either way."""
    extra = sum(item.what == "between" for items in one.inputs for item in items)
    return (
        f"At length {one.length}: **{len(one.inputs)} inputs, "
        f"{format_number(100 * one.filled)} % filled**, {extra} extra separators between documents. "
        f"The other way: {len(other.inputs)} inputs, {format_number(100 * other.filled)} % filled. "
        ":gray-badge[computed] RoBERTa packs up to 512 tokens past the ends of documents, with no "
        "pairs and no next-sentence task (quoted: Liu et al. 2019). Under a token: its document "
        "and sentence."
    )
