"""Masks: the sentences that point at what just happened, and the script that does it again."""

from __future__ import annotations

from collections.abc import Sequence

from lmcore.masking.mask_choice import MaskChoice, complete_order
from lmcore.masking.mask_pairs import HeadIndex, MaskPair, PaddingEffect, QueryVisibility
from lmcore.masking.under_mask import PAD
from lmcore.masking.without_causal_mask import GeneratedTexts
from lmcore.models.masks import format_mask
from lmcore.numbers import format_number


def notice(pair: MaskPair, query: int, found: QueryVisibility, layer: int) -> list[str]:
    """What the chosen query sees, and what the mask takes from it."""
    word, place = pair.queries[query], query + 1
    if not found.sees:
        return [
            f"Place {place}, “{word}”, **may look at nothing**: all its scores are −∞. There is no "
            "average of nothing, so its weights are 0 and its output is 0, and no nan; "
            "`scaled_dot_product_attention` of torch says the same."
        ]
    if pair.chosen.name == "cross":
        return [
            f"When it stands at “{word}”, the decoder sees {place} of its own "
            f"{len(pair.queries)} words, and **all {found.places} of the source**."
        ]
    hidden = found.places - found.sees
    said = [f"Place {place}, “{word}”, **sees {found.sees} of {found.places}** places."]
    if hidden:
        said.append(
            f"The {'other' if hidden == 1 else f'other {hidden}'} had −∞ put in place of the "
            "score: $e^{-\\infty} = 0$, so the weight is exactly 0, and the row still sums to 1. "
            f"Under the other mask {'it' if hidden == 1 else 'they'} got "
            f"**{format_number(found.given)}** of its weight."
        )
    elif found.other_sees < found.places:
        said.append(
            f"Under the other mask it sees {found.other_sees}; what is hidden there gets "
            f"**{format_number(found.kept)}** of its weight here."
        )
    if layer:
        said.append("In this layer the scores differ too: the layers below were masked as well.")
    return said


def padding_words(effect: PaddingEffect, one: int, pads: int) -> str:
    """What the [PAD]s did to a text."""
    if not pads:
        return f"Text {one + 1} is the longest: it has no [PAD], and nothing to hide."
    return (
        f"Text {one + 1} has {pads} [PAD]. Where they may be seen, its outputs differ from what "
        f"they are when the text stands alone, by up to **{format_number(effect.without)}**; with "
        f"the padding mask, by **{format_number(effect.masked)}**"
        f"{', which is rounding' if effect.masked else ''}."
    )


def order_words(choice: MaskChoice, length: int) -> str:
    """A permutation as it is read."""
    order = complete_order(choice.order, length)
    places = " → ".join(str(place + 1) for place in order)
    stream = (
        "The content stream sees its own word too."
        if choice.content
        else "The query stream must predict its own word, so it may not see it; whoever is first "
        "sees nothing. Here its queries come from a GPT, which does know the word."
    )
    return f"Read in the order {places}. {stream}"


def model_words(*, trained: bool, cross: bool, filler: str = PAD) -> str:
    """Whose scores these are; `filler` is the token that is put in place of [PAD]."""
    whose = (
        "Scores of a small model, trained on the microworld."
        if trained
        else "Scores of an untrained model: which cells are 0 is the mask's doing, how large the "
        "others are says nothing."
    )
    if cross:
        return (
            "An untrained encoder and decoder, as in the paper of 2017: who is seen is the "
            "mask's doing, how much says nothing."
        )
    if filler != PAD:
        whose += f" It has no {PAD} of its own; what stands there is {filler}."
    return whose


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
            f"_, seen = under_mask.trace_cross_attention(network, source, target, {at})"
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
            f"seen = under_mask.trace_masked_head(network, tokens, mask[None], {at})"
        )
    return f"""import torch

from lmcore.models import masks
from lmcore.masking import under_mask
from lmcore.shipped.models import load_shipped

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)
{made}
{run}
print(seen.masked[0])
print(seen.weights[0])
"""


TRAINING_COLUMNS = (
    "model",
    "loss in training",
    "loss, future not there",
    "the grammar's",
    "share of texts it could have made",
)


def training_row(
    label: str, loss: float, honest: float, truth: float, written: GeneratedTexts
) -> tuple[str, *tuple[float, ...]]:
    """What `TRAINING_COLUMNS` names, of one model; losses in nats per token."""
    return (label, loss, honest, truth, written.share)


def training_verdict(
    loss: float, honest: float, truth: float, written: GeneratedTexts, *, causal: bool
) -> str:
    """What the numbers of one run say, in a sentence or two."""
    share = f"{sum(written.possible)} of its {len(written.possible)} texts"
    if causal:
        return (
            f"With the mask, {format_number(loss)} nats against the grammar's {format_number(truth)}, "
            f"and the grammar could have made {share}."
        )
    against = (
        f"the grammar's {format_number(truth)} divided by {format_number(truth / loss)}, lower than "
        "any model can be that does not see what it predicts"
        if loss < truth
        else f"not yet below the grammar's {format_number(truth)}"
    )
    return (
        f"Without it, {format_number(loss)} nats: {against}. Where the words to come are not there "
        f"yet, the same weights have a loss of {format_number(honest)}, and the grammar could have "
        f"made {share}."
    )


def excerpt(written: GeneratedTexts, most: int = 3) -> list[str]:
    """The first few texts, each in quotation marks; one without a word says so."""
    return [f"“{text}”" if text else "(nothing: it ends at once)" for text in written.texts[:most]]


def training_snippet(steps: int, seed: int) -> str:
    """A program that makes both runs and says what this view says."""
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
    print("  loss, future not there ",
          prefix_loss(run.network, validation_documents()))
    print("  possible texts         ", generate_texts(run.language_model(), microworld()).share)
"""
