"""Sentences and scripts of the tab on attention masks, and of its two training runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch import Tensor

from lessons.masking.masking_picture import NAMES
from lmcore.masking.mask_choice import MaskChoice, complete_order
from lmcore.masking.mask_pairs import HeadIndex, MaskPair, PaddingEffect
from lmcore.masking.under_mask import PAD
from lmcore.masking.without_causal_mask import GeneratedTexts, RecordedRun
from lmcore.models.masks import format_mask
from lmcore.numbers import format_number

Quote = Callable[[str], str]
"""Escapes a token for the sentence."""
LONGEST_QUOTED = 14
"""Characters of a token in a sentence."""

DEEPER = "In this layer the scores depend on the mask too: the layers below were masked as well."
CHANGES = ("It grows", "It shrinks", "It stays")
MOST_LISTED = 5
"""Keys of a row that are written out in the formula."""


def sentences(pair: MaskPair, quote: Quote, *, order: str = "") -> list[str]:
    """The finding of each query as templates, one for each of `masking_picture.VARIANTS`.

    `order` is the order in which a permutation is read, in words.
    """
    return [
        each
        for i in range(len(pair.queries))
        for each in (_blind(pair, i, quote), *_row(pair, i, quote, order))
    ]


def _word(pair: MaskPair, i: int, quote: Quote) -> str:
    return f"“{quote(cut_word(pair.queries[i]))}”"


def cut_word(word: str) -> str:
    """A word for a sentence: its first letters, if it is long."""
    return word if len(word) <= LONGEST_QUOTED else f"{word[: LONGEST_QUOTED - 1]}…"


def _blind(pair: MaskPair, i: int, quote: Quote) -> str:
    return (
        f"{_word(pair, i, quote)} may look at nothing: all its scores are −∞. There is nothing to "
        f"average, so its weights and its output are =={{ahead{i + 1}}}==, not nan."
    )


def _row(pair: MaskPair, i: int, quote: Quote, order: str) -> tuple[str, str, str]:
    """The sentences if watched keys are seen, if keys are cut, and if all keys are seen."""
    word, places, n = _word(pair, i, quote), len(pair.chosen.keys), i + 1
    sees = f"{word} sees **{{sees{n}}}** of {places} words"
    share = f"=={{ahead{n}}}=="
    if pair.chosen.name == "cross":
        best = int(pair.chosen.now.weights[0, i].argmax())
        at = f"“{quote(cut_word(pair.chosen.keys[best]))}”"
        said = (
            f"At {word} the decoder sees **all {places}** words of the source, most of all "
            f"{at}: =={{w{n}.{best + 1}}}==."
        )
        return said, said, said
    if pair.chosen.name == "padding":
        hidden = f"{sees}: [PAD] becomes −∞ and gets {share} of its weight."
        none = f"This text is the longest of the batch. It has no [PAD], which gets {share}."
        return hidden, hidden, none
    ahead = _weight_ahead(pair.chosen.name, word, sees, share, order)
    cut = f"{sees}. The others become −∞, so words after it get {share} of its weight."
    whole = f"{word} sees **all {places}** words, and none comes after it: {share}."
    return ahead, cut, whole


def _weight_ahead(name: str, word: str, sees: str, share: str, order: str) -> str:
    """Why a word may take a share of its weight from later words, or that the future leaks."""
    match name:
        case "bidirectional":
            return (
                f"Without a mask, {word} takes {share} of its weight from later words. An encoder "
                "may do so, a language model may not."
            )
        case "prefix":
            return (
                f"{word} takes {share} of its weight from later words of the prefix. They are "
                "given, so no answer leaks."
            )
        case "permutation":
            return (
                f"{word} takes {share} of its weight from later words, but only from those read "
                f"before it: {order}."
            )
        case "sliding":
            return f"{sees}. This window reaches ahead: later words get {share} of its weight."
    return f"The future leaks: {word} takes {share} of its weight from words that come after it."


def compared(pair: MaskPair, quote: Quote, share: str) -> list[str]:
    """The difference between the two masks for each query, as templates."""
    found, name = list[str](), NAMES[pair.chosen.name].lower()
    for i in range(len(pair.queries)):
        word, n = _word(pair, i, quote), i + 1
        if pair.chosen.name == "cross":
            *_, said = _row(pair, i, quote, "")
            said = said.replace("**all", f"{{own{n}}} of its own words and **all")
        elif share == "given":
            said = (
                f"The {name} takes =={{given{n}}}== of the weight of {word} away "
                "from the words that it hides, and the others share it."
            )
        else:
            said = (
                f"{word} gives =={{kept{n}}}== of its weight to words that the "
                f"{NAMES[pair.other.name].lower()} hides."
            )
        found += [_blind(pair, i, quote).replace("ahead", share), said, said, said]
    return found


def moved(pair: MaskPair, query: int, quote: Quote) -> str:
    """The sentence while the slider of the mask is dragged."""
    n = query + 1
    return (
        f"You moved the **{{label}}** from {{moved<}} to =={{moved}}==: "
        f"{_word(pair, query, quote)} sees **{{sees{n}}}** words, and later ones get "
        f"{{ahead{n}<}} → [gradient|**{{ahead{n}}}**]."
    )


def formulas(pair: MaskPair, variants: int) -> list[list[str]]:
    """The softmax of each query with its numbers in, as templates; the same for each variant."""
    found = []
    for i in range(len(pair.queries)):
        last = min(max(i + 2, MOST_LISTED), len(pair.chosen.keys))
        first = max(last - MOST_LISTED, 0)
        around = ("…, " if first else "", ", …" if last < len(pair.chosen.keys) else "")
        masked, weights = (
            around[0] + ", ".join(f"{{{x}{i + 1}.{j + 1}}}" for j in range(first, last)) + around[1]
            for x in "kw"
        )
        row = [f"softmax([score|{masked}]) = **([activation|{weights}])**"]
        found += [["[mask|exp(−∞) = 0]", *row]] * variants
    return found


def describe(pair: MaskPair, query: int, *, compares: bool) -> str:
    """The alt text of the picture, as a template."""
    n, keys = query + 1, pair.chosen.keys
    weights = ", ".join(f"{quoted_brace(key)} {{w{n}.{j}}}" for j, key in enumerate(keys, start=1))
    name = NAMES[pair.chosen.name]
    beside = f", beside {NAMES[pair.other.name]}" if compares else ""
    rows = []
    for word, row in zip(pair.queries, pair.chosen.now.mask[0].tolist(), strict=True):
        seen = [quoted_brace(key) for key, is_open in zip(keys, row, strict=True) if is_open]
        rows.append(f"{quoted_brace(word)} sees {' '.join(seen) or 'nothing'}")
    return (
        f"{name}{beside}: a row for each query, minus infinity where hidden. {'; '.join(rows)}. "
        f"Query {n}, {quoted_brace(pair.queries[query])}, sees {{sees{n}}} words. Weights: "
        f"{weights}."
    )


def change_words(before: float, after: float) -> str:
    """Which of `CHANGES` happens to a weight."""
    if abs(before - after) < 1e-9:
        return CHANGES[2]
    return CHANGES[after < before]


def quoted_brace(word: str) -> str:
    """A word for a template without marks: braces would open a number."""
    return word.replace("{", "(").replace("}", ")")


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


def reading_order(choice: MaskChoice, length: int) -> str:
    """The order in which a permutation is read, in places from 1."""
    return " → ".join(str(place + 1) for place in complete_order(choice.order, length))


def stream_words(choice: MaskChoice) -> str:
    """What the stream of a permutation sees."""
    if choice.content:
        return "The content stream also sees its own word."
    return (
        "The query stream must predict its own word, so it may not see it; the first place "
        "sees nothing. Here its queries come from a GPT, which does see the word."
    )


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


def leak_snippet(ids: Sequence[int], mask: Tensor, *, blank: bool) -> str:
    """A script that prints how far each output moves, for every changed token."""
    return f"""import torch

from lmcore.masking.leakage import leakage
from lmcore.models.masks import parse_mask

torch.set_printoptions(precision=4, sci_mode=False, linewidth=120)
found = leakage(parse_mask("{format_mask(mask)}"), torch.tensor({list(ids)}), blank={blank})
print(found.moved)  # layer, output, changed token
print("paths and measurement agree:", found.agree)
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


def recorded_row(label: str, run: RecordedRun, written: int) -> tuple[str, *tuple[float, ...]]:
    """The numbers of `TRAINING_COLUMNS` of a recorded run."""
    share = run.possible / written
    return (label, run.loss, run.loss_without_future, run.grammar_loss, share)


def excerpt(texts: Sequence[str], most: int = 3) -> list[str]:
    """The first few texts, each in quotation marks; an empty one is named."""
    return [f"“{text}”" if text else "(empty: it ends at once)" for text in texts[:most]]


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
