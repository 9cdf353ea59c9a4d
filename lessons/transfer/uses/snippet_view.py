"""The view “Snippet”: the slide's code for contextual embeddings, corrected, and run here."""

from __future__ import annotations

from functools import partial

import streamlit as st
import torch

import ui
from lessons.transfer.transfer_state import LESSON, SETTINGS
from lessons.transfer.uses.first_vector_picture import Embedded
from lmcore.models.bert import BERT
from lmcore.pretrained import wheel
from lmcore.pretrained.reading import TokenizingModel
from ui import compute, pretrained

MOST_TOKENS = 64
SHOWN = 5
"""Numbers of each vector that are printed."""
CORRECTED = """from transformers import BertModel, PreTrainedTokenizerFast, pipeline

name = "google-bert/bert-base-uncased"
tokenizer = PreTrainedTokenizerFast.from_pretrained(name)
model = BertModel.from_pretrained(name)
pipe = pipeline("feature-extraction", model=model, tokenizer=tokenizer)

text = {text!r}
emb = pipe(text)      # emb[0] has one vector a token: [CLS], the words, [SEP]
print(emb[0][1])      # of the first word; emb[0][0] is the vector of [CLS]
"""


def snippet_view() -> None:
    """Show the errors, the corrected code, and the output of the same steps here."""
    SETTINGS.draw("sn_text")
    made = ui.validated_or_previous("sn_text", read_embedded, default_embedded)
    st.markdown(
        "On the slide `text` is never defined, and `emb[0][0]` is the vector of **[CLS]**, not of "
        "the first word. Corrected:"
    )
    st.code(CORRECTED.format(text=made.text), language="python")
    shape = f"1 × {len(made.tokens)} × {made.width}"
    st.markdown(
        f"**Run here** without `transformers`, on {made.model}, which this server has: the shape "
        f"of `emb` is **{shape}**. BERT base has 768 numbers a token."
    )
    ui.table(
        ["token", *(f"h[{n}]" for n in range(SHOWN))],
        [
            (f"emb[0][{place}]  {token}", *row)
            for place, (token, row) in enumerate(zip(made.tokens, made.vectors, strict=True))
        ],
        name="embeddings",
        caption=f"The first {SHOWN} of {made.width} numbers of each vector",
    )
    st.caption(
        "Its other example library, AllenNLP, is no longer developed. Here the same three steps "
        "are lmcore.pretrained: a tokenizer, a network, and its last layer."
    )


def read_embedded() -> Embedded:
    """The typed text, read by the available model.

    Raises:
        ValueError: if it has no token.
    """
    return _embedded(SETTINGS.text("sn_text"))


def default_embedded() -> Embedded:
    """The page's own text."""
    return _embedded(str(LESSON.defaults["sn_text"]))


def _embedded(text: str) -> Embedded:
    installed = wheel.package_folder() is not None
    model = pretrained.load(pretrained.WHEEL if installed else "encoder")
    return compute.shared_result(
        "vectors of a text", partial(embed, model, text), most=64, says="Reading the text"
    )


def embed(model: TokenizingModel, text: str) -> Embedded:
    """The first numbers of the last layer's vector of each token."""
    reading = model.read(text, most=MOST_TOKENS)
    assert isinstance(model.network, BERT)
    where = model.network.embedding.token.weight.device
    with torch.no_grad():
        hidden = model.network(reading.ids[None].to(where)).hidden[0].double().cpu()
    return Embedded(
        text, model.name, reading.tokens, hidden[:, :SHOWN].tolist(), model.network.config.width
    )
