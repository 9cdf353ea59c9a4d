"""Sentences and scripts of the tab on attention masks, and of its two training runs."""

from __future__ import annotations

from collections.abc import Sequence

from lmcore.masking.mask_choice import MaskChoice, complete_order
from lmcore.masking.mask_pairs import HeadIndex, MaskPair, PaddingEffect, QueryVisibility
from lmcore.masking.under_mask import PAD
from lmcore.masking.without_causal_mask import GeneratedTexts
from lmcore.models.masks import format_mask
from lmcore.numbers import format_number


def notice(pair: MaskPair, query: int, visibility: QueryVisibility, layer: int) -> list[str]:
    """The keys that the chosen query sees, and the weight that the mask removes."""
    word, place = pair.queries[query], query + 1
    if not visibility.sees:
        return [
            f"Place {place}, “{word}”, **may look at nothing**: all its scores are −∞. There is "
            "nothing to average, so its weights and its output are 0, not nan; torch's "
            "`scaled_dot_product_attention` gives the same."
        ]
    if pair.chosen.name == "cross":
        return [
            f"At “{word}”, the decoder sees {place} of its own "
            f"{len(pair.queries)} words, and **all {visibility.places} of the source**."
        ]
    hidden = visibility.places - visibility.sees
    sentences = [
        f"Place {place}, “{word}”, **sees {visibility.sees} of {visibility.places}** places."
    ]
    if hidden:
        sentences.append(
            f"For the {'other' if hidden == 1 else f'other {hidden}'}, the score is replaced by "
            "−∞: $e^{-\\infty} = 0$, so the weight is exactly 0, and the row still sums to 1. "
            f"Under the other mask {'it' if hidden == 1 else 'they'} got "
            f"**{format_number(visibility.given)}** of the row’s weight."
        )
    elif visibility.other_sees < visibility.places:
        sentences.append(
            f"Under the other mask it sees {visibility.other_sees}; the places hidden there get "
            f"**{format_number(visibility.kept)}** of the row’s weight here."
        )
    if layer:
        sentences.append(
            "In this layer the scores differ too: the layers below were masked as well."
        )
    return sentences


def padding_words(effect: PaddingEffect, index: int, pads: int) -> str:
    """How much the [PAD]s change a text's outputs, without and with the padding mask."""
    if not pads:
        return f"Text {index + 1} is the longest: it has no [PAD], so nothing is hidden."
    return (
        f"Text {index + 1} has {pads} [PAD]. If they are visible, its outputs differ from those "
        f"of the text alone by up to **{format_number(effect.without)}**; with "
        f"the padding mask, by **{format_number(effect.masked)}**"
        f"{', which is rounding' if effect.masked else ''}."
    )


def order_words(choice: MaskChoice, length: int) -> str:
    """The order in which a permutation is read, and what its stream sees."""
    order = complete_order(choice.order, length)
    places = " → ".join(str(place + 1) for place in order)
    stream = (
        "The content stream also sees its own word."
        if choice.content
        else "The query stream must predict its own word, so it may not see it; the first place "
        "sees nothing. Here its queries come from a GPT, which does see the word."
    )
    return f"Read in the order {places}. {stream}"


def model_words(*, trained: bool, cross: bool, filler: str = PAD) -> str:
    """Which model computed the scores; `filler` is the token used in place of [PAD]."""
    sentence = (
        "Scores of a small model, trained on the microworld."
        if trained
        else "Scores of an untrained model: the mask decides which cells are 0; the values of the "
        "others are meaningless."
    )
    if cross:
        return (
            "An untrained encoder and decoder, as in the paper of 2017: the mask decides what is "
            "seen; the values of the weights are meaningless."
        )
    if filler != PAD:
        sentence += f" It has no {PAD}; {filler} is used instead."
    return sentence


def sees_words(pair: MaskPair, query: int) -> str:
    """The words that a query sees."""
    row = pair.chosen.now.mask[0, query].tolist()
    words = [f"“{key}”" for key, is_open in zip(pair.chosen.keys, row, strict=True) if is_open]
    return f"It sees {', '.join(words)}." if words else "All are hidden from it."


def snippet(
    pair: MaskPair, where: HeadIndex, *, model: str | None, ids: Sequence[Sequence[int]]
) -> str:
    """A script that prints the grids on the right; `ids` are one text, or a source and a target."""
    made = (
        "network = under_mask.untrained_gpt()"
        if model is None
        else f'network = load_shipped("{model}")[0].network'
    )
    at = f"layer={where.layer}, head={where.head}"
    if pair.chosen.name == "cross":
        made = "network = under_mask.untrained_transformer()"
        run = (
            f"source, target = torch.tensor({list(ids[0])}), torch.tensor({list(ids[1])})\n"
            f"_, trace = under_mask.trace_cross_attention(network, source, target, {at})"
        )
    else:
        mask = (
            f"masks.causal({len(pair.queries)})"
            if pair.chosen.name == "causal"
            else f'masks.parse_mask("{format_mask(pair.chosen.now.mask[0])}")'
        )
        run = (
            f"tokens = torch.tensor([{list(ids[0])}])\n"
            f"mask = {mask}\n"
            f"trace = under_mask.trace_masked_head(network, tokens, mask[None], {at})"
        )
    return f"""import torch

from lmcore.models import masks
from lmcore.masking import under_mask
from lmcore.shipped.models import load_shipped

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)
{made}
{run}
print(trace.masked[0])
print(trace.weights[0])
"""


TRAINING_COLUMNS = (
    "model",
    "loss in training",
    "loss without the future",
    "the grammar's",
    "share of texts the grammar allows",
)


def training_row(
    label: str,
    loss: float,
    loss_without_future: float,
    grammar_loss: float,
    writing: GeneratedTexts,
) -> tuple[str, *tuple[float, ...]]:
    """The numbers of `TRAINING_COLUMNS` for one model; losses in nats per token."""
    return (label, loss, loss_without_future, grammar_loss, writing.share)


def training_verdict(
    loss: float,
    loss_without_future: float,
    grammar_loss: float,
    writing: GeneratedTexts,
    *,
    causal: bool,
) -> str:
    """The result of one run, in a sentence or two."""
    share = f"{sum(writing.possible)} of its {len(writing.possible)} texts"
    if causal:
        return (
            f"With the mask, {format_number(loss)} nats against the grammar's "
            f"{format_number(grammar_loss)}, and the grammar allows {share}."
        )
    against = (
        f"{format_number(grammar_loss / loss)} times lower than the grammar's "
        f"{format_number(grammar_loss)}, which is impossible for a model that "
        "does not see what it predicts"
        if loss < grammar_loss
        else f"not yet below the grammar's {format_number(grammar_loss)}"
    )
    return (
        f"Without it, {format_number(loss)} nats: {against}. Without the later words, the same "
        f"weights have a loss of {format_number(loss_without_future)}, and the grammar allows "
        f"{share}."
    )


def excerpt(writing: GeneratedTexts, most: int = 3) -> list[str]:
    """The first few texts, each in quotation marks; an empty one is named."""
    return [f"“{text}”" if text else "(empty: it ends at once)" for text in writing.texts[:most]]


def training_snippet(steps: int, seed: int) -> str:
    """A program that trains both and prints the numbers of this view."""
    return f"""from lmcore.corpora.microworld import microworld
from lmcore.masking.without_causal_mask import prefix_loss, run_specs, generate_texts
from lmcore.training.batches import validation_documents
from lmcore.training.loop import Training, validation_loss

for spec in run_specs(steps={steps}, seed={seed}):
    run = Training(spec)
    for event in run:
        pass
    print("causal mask:", spec.model.causal)
    print("  loss in training       ", validation_loss(run))
    print("  loss without the future",
          prefix_loss(run.network, validation_documents()))
    print("  possible texts         ", generate_texts(run.language_model(), microworld()).share)
"""
