"""Covered words and pairs of texts: the sentences that point at what just happened, and scripts."""

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
"""Probabilities no farther apart are equal."""
TERMS = 4
"""Terms of a loss that are written out."""
BARS = (
    "Two bars a word: above the model’s probability, below, in brown, the grammar’s exact one. "
    "▸ is the word that stands there."
)
BARS_ALONE = "One bar a word: the model’s probability. ▸ is the word that stands there."
NO_HEAD = (
    "{name} has no head that fills in masked words: its file holds the encoder alone, made for "
    "vectors of sentences. You see what it is shown and the shapes up to h⁽ᴺ⁾. A BERT with its "
    "MLM head can be offered by the server: `make run LMCORE_MODELS=…` or `LMCORE_MODEL_IDS=…`."
)
UNGRAMMATICAL_NOTE = (
    "The grammar of the microworld never says this text, whatever stands in the gaps, so there is "
    "no exact answer: these are the model’s probabilities alone."
)
REAL_ENGLISH_NOTE = (
    "There is no exact answer for a text of real English: the model’s probabilities alone."
)
PIPELINE = (
    "Every token is looked up, every token takes part in attention. The head and the loss are "
    "needed at M alone: the other {rest} places add no term. The norm is the length of all "
    "numbers of a tensor taken together; no tensor is shown whole here."
)
TRAINING = (
    "BERT is a stack of encoder blocks. It is no language model: every place sees both sides, so "
    "asking for the next word would be asking for what is in view. The task is changed instead: "
    "some words are covered. Two costs: [MASK] never comes up when the model is used, and only "
    "15 % of the tokens of a batch are predicted, so it takes more steps."
)


def notice(text: ClozeText, trace: FillTrace, word: Callable[[int], str]) -> list[str]:
    """Of the first covered word: who says what, and how sure."""
    if not trace.places:
        return [
            "Nothing is covered, so nothing is asked, and **no place adds a term** to the loss."
        ]
    row, place = 0, trace.places[0]
    first = int(trace.log_q[row].argmax())
    q = float(trace.log_q[row, first].exp())
    said = [f"At place {place} the model says **{word(first)}**, {format_number(q)}."]
    if trace.exact is not None and trace.divergence is not None:
        best = int(trace.exact[row].argmax())
        p = float(trace.exact[row, best])
        equal = int((trace.exact[row] > p - CLOSE).sum()) - 1
        also = f" and {equal} more words as likely" if equal else ""
        said.append(
            f"The grammar, given all words in view, says {word(best)}{also}, "
            f"**{format_number(p)}**; "
            f"the model is {format_number(float(trace.divergence[row]))} nats from it."
        )
    if len(trace.places) > 1:
        said.append(
            f"{len(trace.places)} words are covered: each is filled in by itself, and none sees "
            "what is put into the others."
        )
    return said


def usable_type_count() -> int:
    """The words of the microworld, its full stop and what frames a text left out."""
    return sum(token[0].isalpha() for token in microworld().vocabulary.tokens)


def no_truth(text: ClozeText) -> str:
    """Why there is no exact answer."""
    return UNGRAMMATICAL_NOTE if text.in_microworld else REAL_ENGLISH_NOTE


def loss_formula(trace: FillTrace) -> str:
    """L with its terms in; empty where no term is known."""
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
    """How many words can move the answer, on either side."""
    said = []
    for name, row in found.items():
        before = int((row[:place] > 0).sum())
        after = int((row[place + 1 :] > 0).sum())
        said.append(f"{name}: **{before}** before it and **{after}** behind it")
    behind = len(tokens) - place - 1
    return (
        f"Words that can move what is said of place {place}, of {place} before and {behind} "
        f"behind. {'; '.join(said)}."
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
