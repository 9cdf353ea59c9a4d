"""A text with gaps: fixed sentences, sentences about its closer looks, and the script."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from jaxtyping import Float64
from torch import Tensor

from lmcore.masked_lm.cloze import FillTrace
from lmcore.numbers import format_number, latex
from lmcore.shipped import english
from lmcore.training.masked_batches import masked_vocabulary

EXAMPLES = (
    "He drove the yellow [MASK] into the front of our house.",
    "Nancy Pelosi sent the articles of [MASK] to the Senate.",
    "Seattle [MASK] some snow, so UW was delayed due to [MASK] roads.",
    "Please turn [MASK] homework in.",
    "He ate the cake [MASK] the fork.",
    "So long and [MASK] for all the fish",
    "My dog is [MASK].",
)
"""Cloze examples of the slides, for models that have their words."""
DEFINED = r"L_{\text{MLM}} = -\frac{1}{|M|}\sum_{i\in M} \log \hat y_i[x_i]"
PREDICTED_PROBABILITY = r"P(w_i \mid w_1,\dots,w_{i-1},w_{i+1},\dots,w_n)"
TERMS = 4
"""Terms of a loss that are written out."""
PIPELINE = (
    "Every token is looked up and takes part in attention. Only the places M need the head and "
    "the loss: the other {rest} places add no term. The norm is that of all numbers of a tensor "
    "together; no tensor is shown whole here."
)
TRAINING = (
    "BERT is a stack of encoder blocks, and a **masked** language model: every place sees both "
    "sides, so the next word would already be visible. Instead, some words are covered and "
    "predicted. "
    "This has two costs: [MASK] never occurs when the model is used, and only 15 % of the tokens "
    "of a batch are predicted, so training takes more steps."
)


def share_found() -> str:
    """The share of held-out words that the English model finds, from its card: 34 %."""
    return f"{100 * english.share_found():.0f} %"


def types_words() -> str:
    """How many types the small BERT has, and what they are."""
    types = masked_vocabulary()
    special = sum(token[0] == "[" for token in types.tokens)
    return (
        f"The small BERT has {len(types)} types: the {len(types.words)} words of the microworld, "
        f"its full stop and {special} special tokens. Other words are refused."
    )


def loss_formula(trace: FillTrace) -> str:
    """The formula of L with its terms; empty if no term is known."""
    known = [term for term in trace.terms.tolist() if not math.isnan(term)]
    if not known:
        return ""
    written = [latex(term) for term in known[:TERMS]] + ([r"\cdots"] if len(known) > TERMS else [])
    mean = written[0]
    if len(known) > 1:
        mean = rf"\frac{{1}}{{{len(known)}}}\left({' + '.join(written)}\right) = " + format_number(
            trace.loss
        )
    return rf"L = {mean}\text{{ nats}}"


def reach_words(
    found: Mapping[str, Float64[Tensor, " time"]], place: int, tokens: Sequence[str]
) -> str:
    """How many words on either side can change the prediction."""
    sentences = []
    for name, row in found.items():
        before = int((row[:place] > 0).sum())
        after = int((row[place + 1 :] > 0).sum())
        sentences.append(f"{name} reads **{before}** and **{after}**")
    following = len(tokens) - place - 1
    return (
        f"Words that can change the prediction at place {place}: of {place} before it and "
        f"{following} after it, {'; '.join(sentences)}."
    )


LEFT = """
from lmcore.shipped.models import load_shipped
gpt, *_ = load_shipped("gpt")
both, found = found, cloze.fill_from_left(gpt.network, text, places[0])
print("from both sides: terms", both.terms.tolist())"""


_BY_VOCABULARY = """
reader = VocabularyModel({name!r}, network, vocabulary)
decode = vocabulary.decode"""
_BY_TOKENIZER = """
decode = lambda ids: [reader.tokenizer.id_to_token(i) for i in ids]"""


def _loaded(model: str) -> str:
    """How a script loads a model: `reader`, and `decode` from ids to words."""
    kind, _, which = model.partition(":")
    if kind in ("folder", "hub"):
        load = f"load_from_{kind}"
        made = f"from lmcore.pretrained.allowed import {load}\n\nreader = {load}({which!r})"
        return made + _BY_TOKENIZER
    if model == "english":
        made = "from lmcore.shipped.english import english\n\nreader = english()"
        return made + _BY_TOKENIZER
    made = "from lmcore.pretrained.reading import VocabularyModel\n"
    if model == "encoder":
        made += "from lmcore.shipped.models import encoder\n\nnetwork, vocabulary, *_ = encoder()"
    else:
        made = f"""from pathlib import Path

{made}from lmcore.training import checkpoint

saved = Path("run.safetensors").read_bytes()  # saved on this page
network, vocabulary, *_ = checkpoint.load_network(saved)"""
    return made + _BY_VOCABULARY.format(name=model)


def snippet(model: str, text: str, at: str, *, left: bool = False) -> str:
    """A script that prints the fillers on screen; with `left`, a GPT's as well."""
    return f"""from lmcore.masked_lm import cloze
{_loaded(model)}
network = reader.network
text = cloze.cloze_text(reader, {text!r})
places = cloze.covered_places(text, [{at.replace(",", ", ")}])
(found,) = cloze.fill(network, text, [places]){LEFT if left else ""}
for place, row in zip(found.places, found.log_q):
    top = row.topk(5)
    print(place, text.tokens[place], decode(top.indices.tolist()), top.values.exp().tolist())
print("terms", found.terms.tolist(), "L", found.loss)
if found.exact is not None:
    print("KL", found.divergence.tolist())
"""


def sides_snippet(model: str, text: str, place: int) -> str:
    """A script that prints what fills a gap with more and more of the words after it."""
    return f"""from lmcore.masked_lm import both_sides, cloze
{_loaded(model)}
text = cloze.cloze_text(reader, {text!r})
found = both_sides.read_sides(reader.network, text, {place})
for read, (row, shares) in enumerate(zip(found.log_q, found.shares())):
    top = row.topk(4)
    print(read, decode(top.indices.tolist()), top.values.exp().tolist())
    print("attention: left, right, elsewhere", shares.tolist())
"""


def terms_snippet(model: str, text: str, covered: Sequence[int], swaps: Mapping[int, str]) -> str:
    """A script that prints the terms of the chosen words, and their mean."""
    return f"""from lmcore.masked_lm import cloze, masked_terms
{_loaded(model)}
text = cloze.cloze_text(reader, {text!r})
swaps = masked_terms.swapped_ids(reader, {dict(swaps)!r})
found = masked_terms.trace_terms(reader.network, text, {list(covered)!r}, swaps)
for place, row, term, rank in zip(found.places, found.log_q, found.terms, found.ranks):
    print(place, text.tokens[place], float((-term).exp()), float(term), "rank", int(rank))
    top = row.topk(5)
    print(decode(top.indices.tolist()), top.values.exp().tolist())
print("L", found.loss)
"""
