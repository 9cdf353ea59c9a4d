"""The views of the page that are pictures of their own."""

from __future__ import annotations

from lessons.networks import classifiers_view, pooled_view, shares_view

PICTURES = {
    "Classifiers": classifiers_view.show,
    pooled_view.SEE: pooled_view.show,
    shares_view.SEE: shares_view.show,
}
"""View → how it is drawn on the stage."""
