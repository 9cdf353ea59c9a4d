"""Shows BertViz in a sandboxed frame: no access to the app, to other hosts or to storage."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import streamlit as st
from jaxtyping import Float
from torch import Tensor

from drawing import bertviz as figures
from ui.widgets import show_error, theme_mode

TALLEST = 760
"""The maximum height in pixels; taller content scrolls in its frame."""
MISSING = (
    "BertViz is not installed here: its three packages are in requirements-figures.txt, "
    "which `make run` installs. Everything they show is also on this page."
)


def bertviz(
    view: figures.BertVizMode,
    attentions: Sequence[Float[Tensor, "head query key"]],
    tokens: Sequence[str],
    *,
    alt: str,
    keys: Sequence[str] | None = None,
    sentence_b: int | None = None,
    layer: int = 0,
    heads: Sequence[int] = (),
) -> None:
    """Draw BertViz's "head" or "model" view of the weights of each layer.

    `alt` describes the drawing to screen readers; the other arguments are those of `BertVizView`.
    If BertViz is not installed or cannot draw the weights, a message is shown instead.
    """
    if not figures.is_installed():
        st.info(MISSING)
        return
    try:
        shown = figures.BertVizView(view, attentions, tokens, keys, sentence_b, layer, heads)
    except ValueError as error:
        show_error(error)
        return
    st.iframe(
        sandboxed_frame(figures.page(shown, theme_mode()), alt),
        height=min(shown.height, TALLEST),
        alt=alt,
    )


def sandboxed_frame(page: str, title: str) -> str:
    """`page` inside a frame that may run scripts and nothing else.

    Streamlit's own frame shares the app's origin, and so its cookies and its socket; this frame,
    nested inside it, has an origin of its own.
    """
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>
<style>html,body{{margin:0;height:100%}}iframe{{border:0;display:block;width:100%;height:100%}}</style>
</head><body>
<iframe title="{escape(title)}" sandbox="allow-scripts" srcdoc="{escape(page)}"></iframe>
</body></html>
"""
