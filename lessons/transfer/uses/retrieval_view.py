"""The view “Retrieval”: the passages of this course nearest to a question, and a RAG prompt."""

from __future__ import annotations

from functools import partial

import streamlit as st
from jaxtyping import Float
from torch import Tensor

import ui
from lessons.transfer.transfer_state import LESSON, SETTINGS
from lessons.transfer.uses import passage_vectors
from lessons.transfer.uses.found_picture import MOST
from lessons.transfer.uses.passages import Passage, passages
from lmcore.pretrained import wheel
from lmcore.transfer import retrieval
from lmcore.transfer.retrieval import Hit, WordIndex
from ui import compute, contents, pretrained

RAG = (
    "**Retrieval-augmented generation** first looks up passages, then puts them before the "
    "question. Here the passages are this course’s own; the answer is the passage "
    "itself, and the nearest one need not be the right one."
)


def retrieval_view() -> None:
    """Draw the question, the passages found by meaning and by words, and the prompt with them."""
    st.markdown(RAG)
    SETTINGS.draw("rt_question")
    question = ui.validated_or_previous("rt_question", read_question, default_question)
    by_words = retrieval.search_words(word_index(), question, MOST)
    if wheel.package_folder() is None:
        st.caption(
            "MiniLM is not installed on this server: passages are found by their words only."
        )
        show_hits("By shared words", "cosine of TF-IDF", by_words)
        show_prompt(question, by_words)
        return
    by_meaning = search_meaning(question)
    left, right = st.columns(2)
    with left:
        show_hits("By meaning", "cosine of MiniLM’s mean vectors", by_meaning)
    with right:
        show_hits("By shared words", "cosine of TF-IDF", by_words)
    show_prompt(question, by_meaning)


def read_question() -> str:
    """The typed question.

    Raises:
        ValueError: if it has no word.
    """
    question = SETTINGS.text("rt_question").strip()
    if not retrieval.words_of(question):
        raise ValueError("the question must have a word; it has none")
    return question


def default_question() -> str:
    """The page's default question."""
    return str(LESSON.defaults["rt_question"])


def word_index() -> WordIndex:
    """The index by words, built once for all visitors."""
    texts = tuple(each.text for each in passages())
    return compute.shared_result(
        "passages by words",
        partial(retrieval.index_words, texts),
        most=1,
        says="Reading the course",
    )


def vectors_of_passages() -> Float[Tensor, "text width"]:
    """MiniLM's vectors of all passages; those that did not come with the app are made once."""
    missing = passage_vectors.texts_without()
    if not missing:
        return passage_vectors.completed(None)
    made = compute.shared_result(
        "passages by meaning",
        partial(retrieval.embed_with_minilm, missing),
        most=1,
        says="MiniLM reads the course",
        apart=True,
    )
    return passage_vectors.completed(made)


def search_meaning(question: str) -> list[Hit]:
    """The passages whose vectors are nearest to the question's."""
    vectors = vectors_of_passages()
    model = pretrained.load(pretrained.WHEEL)
    asked = compute.shared_result(
        "question",
        partial(retrieval.embed_texts, model, (question,)),
        most=256,
        says="Reading the question",
    )
    return retrieval.search_vectors(vectors, asked[0], MOST)


def show_hits(title: str, how: str, hits: list[Hit]) -> None:
    """Draw passages with their cosines and links to their pages."""
    st.markdown(f"**{title}** ({how})")
    if not hits:
        st.markdown("No passage shares a word with the question.")
    for place, cosine in hits:
        its = passages()[place]
        st.markdown(f"**{cosine:.3f}** {ui.escape_markdown(its.text)}")
        if its.slug:
            page = contents.page(its.slug)
            st.page_link(page.script, label=page.title, icon=page.icon)


def show_prompt(question: str, hits: list[Hit]) -> None:
    """Show the text that a generator would be given to continue."""
    if not hits:
        return
    st.markdown(
        "**What a generator would read.** The models of this course are too small to answer from "
        "it; a large one continues after “Answer:”."
    )
    st.code(rag_prompt(question, [passages()[hit.place] for hit in hits]), language=None)


def rag_prompt(question: str, found: list[Passage]) -> str:
    """The passages, then the question."""
    context = "\n".join(f"[{n}] {each.text}" for n, each in enumerate(found, 1))
    return f"Answer from the context.\n\nContext:\n{context}\n\nQuestion: {question}\nAnswer:"
