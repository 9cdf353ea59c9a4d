"""The Fill in tab: fixed sentences, sentences about what is on screen, and the script."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from jaxtyping import Float64
from torch import Tensor

from lmcore.corpora.microworld import microworld
from lmcore.masked_lm.cloze import ClozeText, FillTrace
from lmcore.numbers import format_number, latex

EXAMPLES = (
    "He drove the yellow [MASK] into the front of our house.",
    "Nancy Pelosi sent the articles of [MASK] to the Senate.",
    "Seattle [MASK] some snow, so UW was delayed due to [MASK] roads.",
    "Please turn [MASK] homework in.",
    "He ate the cake [MASK] the fork.",
)
"""Cloze examples of the slides, for models that know their words."""
DEFINED = r"L_{\text{MLM}} = -\frac{1}{|M|}\sum_{i\in M} \log \hat y_i[x_i]"
PREDICTED_PROBABILITY = r"P(w_i \mid w_1,\dots,w_{i-1},w_{i+1},\dots,w_n)"
CLOSE = 1e-9
"""Probabilities that differ by no more are treated as equal."""
TERMS = 4
"""Terms of a loss that are written out."""
BARS = (
    "Two bars per word: above, the model’s probability; below, in brown, the grammar’s exact one. "
    "▸ marks the hidden word."
)
BARS_ALONE = "One bar per word: the model’s probability. ▸ marks the hidden word."
NO_HEAD = (
    "{name} has no head that fills in masked words: its file holds the encoder alone, made for "
    "sentence vectors. The page shows its input and the shapes up to h⁽ᴺ⁾. A server can offer a "
    "BERT with its MLM head: `make run LMCORE_MODELS=…` or `LMCORE_MODEL_IDS=…`."
)
UNGRAMMATICAL_NOTE = (
    "The microworld’s grammar cannot produce this text, whatever the covered words are, so there "
    "is no exact answer: these are the model’s probabilities alone."
)
REAL_ENGLISH_NOTE = (
    "There is no exact answer for a text of real English: these are the model’s probabilities "
    "alone."
)
PIPELINE = (
    "Every token is looked up and takes part in attention. Only the places M need the head and "
    "the loss: the other {rest} places add no term. The norm is that of all numbers of a tensor "
    "together; no tensor is shown whole here."
)
TRAINING = (
    "BERT is a stack of encoder blocks. It is not a language model: every place sees both sides, "
    "so the next word would already be visible. Instead, some words are covered and predicted. "
    "This has two costs: [MASK] never occurs when the model is used, and only 15 % of the tokens "
    "of a batch are predicted, so training takes more steps."
)


def notice(text: ClozeText, trace: FillTrace, word: Callable[[int], str]) -> list[str]:
    """The likeliest word at the first covered place, by the model and by the grammar."""
    if not trace.places:
        return [
            "Nothing is covered, so there is nothing to predict, and **no place adds a term** to "
            "the loss."
        ]
    row, place = 0, trace.places[0]
    first = int(trace.log_q[row].argmax())
    q = float(trace.log_q[row, first].exp())
    sentences = [
        f"At place {place} the model’s likeliest word is **{word(first)}**, {format_number(q)}."
    ]
    if trace.exact is not None and trace.divergence is not None:
        best = int(trace.exact[row].argmax())
        p = float(trace.exact[row, best])
        equal = int((trace.exact[row] > p - CLOSE).sum()) - 1
        also = f" and {equal} more words as likely" if equal else ""
        sentences.append(
            f"The grammar’s, given all words in view, is {word(best)}{also}, "
            f"**{format_number(p)}**; the model is {format_number(float(trace.divergence[row]))} "
            "nats from it."
        )
    if len(trace.places) > 1:
        sentences.append(
            f"{len(trace.places)} words are covered: each is predicted on its own, without seeing "
            f"the predictions for the others."
        )
    return sentences


def usable_type_count() -> int:
    """The number of words of the microworld, without its full stop and special tokens."""
    return sum(token[0].isalpha() for token in microworld().vocabulary.tokens)


def no_truth(text: ClozeText) -> str:
    """Why there is no exact answer."""
    return UNGRAMMATICAL_NOTE if text.in_microworld else REAL_ENGLISH_NOTE


def loss_formula(trace: FillTrace) -> str:
    """The formula of L with its terms; empty if no term is known."""
    known = [term for term in trace.terms.tolist() if not math.isnan(term)]
    if not known:
        return ""
    written = [latex(term) for term in known[:TERMS]] + ([r"\cdots"] if len(known) > TERMS else [])
    return (
        rf"L = \frac{{1}}{{{len(known)}}}\left({' + '.join(written)}\right) = "
        rf"{format_number(trace.loss)}\text{{ nats}}"
    )


def reach_words(
    found: Mapping[str, Float64[Tensor, " time"]], place: int, tokens: Sequence[str]
) -> str:
    """How many words on either side can change the prediction."""
    sentences = []
    for name, row in found.items():
        before = int((row[:place] > 0).sum())
        after = int((row[place + 1 :] > 0).sum())
        sentences.append(f"{name}: **{before}** before it and **{after}** after it")
    following = len(tokens) - place - 1
    return (
        f"Words that can change the prediction at place {place}, of {place} before and {following} "
        f"after it. {'; '.join(sentences)}."
    )


def snippet(model: str, text: str, at: str) -> str:
    """A script that prints the fillers on screen."""
    loaded = (
        """from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder

network, vocabulary, *_ = encoder()
reader = VocabularyModel("our small encoder", network, vocabulary)"""
        if model == "encoder"
        else f"""from lessons.bert.state import load

reader = load({model!r})
network = reader.network"""
    )
    return f"""from lmcore.masked_lm import cloze
{loaded}
text = cloze.cloze_text(reader, {text!r})
places = cloze.covered_places(text, [{at.replace(",", ", ")}])
(found,) = cloze.fill(network, text, [places])
for place, row in zip(found.places, found.log_q):
    top = row.topk(5)
    print(place, text.tokens[place], top.indices.tolist(), top.values.exp().tolist())
print("terms", found.terms.tolist(), "L", found.loss)
if found.exact is not None:
    print("KL", found.divergence.tolist())
"""
