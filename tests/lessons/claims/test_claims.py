"""At no settings do the numbers of a page refute its text; a planted false text is caught."""

import sys

import claimed_attention
import claimed_models
import claimed_pages
import claimed_training
import claimed_transfer
import pytest
import torch
from claim_check import check

from lessons.attention import flow_text
from lessons.backprop import backprop_text
from lessons.bert import fill_in_text
from lessons.contextual import contextual_text
from lessons.descent import descent_text
from lessons.feedforward import feedforward_text
from lessons.generation import slide_tree_text
from lessons.heads import heads_text
from lessons.home import home_picture
from lessons.language_model import language_model_text
from lessons.lstm import lstm_picture
from lessons.masking import leakage_text
from lessons.networks import networks_text
from lessons.neuron import neuron_text
from lessons.positions import positions_text
from lessons.results import results_text
from lessons.rnn import rnn_text
from lessons.seq2seq import seq2seq_text
from lessons.tokens import tokens_text
from lessons.training import training_text
from lessons.transfer import transfer_picture
from lessons.transformer import transformer_shown
from lessons.vectors import vectors_picture
from ui import contents

PAGES = {
    slug: page
    for part in (
        claimed_pages,
        claimed_models,
        claimed_attention,
        claimed_training,
        claimed_transfer,
    )
    for slug, page in part.PAGES.items()
}
WITHOUT: dict[str, str] = {}
"""Pages whose sentences make no claim that a number could refute → the reason."""


def test_every_page_with_claims_is_checked():
    built = {"home", *(page.slug for page in contents.PAGES if page.built)}
    assert set(PAGES) | set(WITHOUT) == built
    assert not set(PAGES) & set(WITHOUT)


@pytest.mark.parametrize("page", PAGES)
def test_what_is_said_is_never_refuted_by_the_numbers(page):
    met = check(PAGES[page])
    for claim in PAGES[page].claims:
        sys.stdout.write(f"{page}: {claim.what} ({met[claim.what]} times)\n")
    never = [claim.what for claim in PAGES[page].claims if not met[claim.what]]
    assert never == [], "a claim that is never met is not checked"


def saying(old, new):
    """A wrapper of sentence functions that replaces `old` by `new` in their texts."""

    def lie(function):
        def lied(*given, **named):
            found = function(*given, **named)
            if isinstance(found, str):
                return found.replace(old, new)
            return [each.replace(old, new) for each in found]

        return lied

    return lie


LIES = {
    "neuron": (
        neuron_text,
        "unit_sentences",
        saying("the point climbs the curve", "the unit is saturated"),
    ),
    "networks": (networks_text, "run_sentences", saying("{wrong}", "{step}")),
    "descent": (
        descent_text,
        "run_sentences",
        saying("leaves at most", "**diverges**, leaving"),
    ),
    "results": (results_text, "_more", lambda honest: lambda difference: honest(-difference)),
    "masking": (leakage_text, "sentences", saying("=={before}== move", "=={ofBefore}== move")),
    "generation": (
        slide_tree_text,
        "sentences",
        saying("The most probable has {bestp}", "The most probable has {beamp}"),
    ),
    "lstm": (
        lstm_picture,
        "vanishing_say",
        lambda honest: lambda found: torch.zeros_like(honest(found)),
    ),
    "contextual": (
        contextual_text,
        "layer_sentences",
        saying("the two senses of **fine** overlap", "**fine** falls into two clouds"),
    ),
    "vectors": (
        vectors_picture,
        "chosen_sentences",
        lambda honest: lambda near: [0] * len(honest(near)),
    ),
    "heads": (heads_text, "sentences", lambda honest: lambda *given: honest(*given)[::-1]),
    "tokens": (tokens_text, "sentences", saying("==2 pieces==", "==3 pieces==")),
    "transformer": (transformer_shown, "embedding_sum", saying(" + PE", "")),
    "language_model": (
        language_model_text,
        "_verdict",
        lambda honest: lambda yes, of: honest(of - yes, of),
    ),
    "feedforward": (feedforward_text, "sentences", saying("rank {rank}", "rank {place}")),
    "rnn": (rnn_text, "sentences", saying("the model adds {own}", "the model adds {grammar}")),
    "attention": (flow_text, "sentence", saying("**{apart}** apart", "**{gap}** apart")),
    "positions": (positions_text, "sentence", saying("**{plain}**", "{gap}")),
    "bert": (fill_in_text, "_word", lambda honest: lambda scene, i: honest(scene, i + 1)),
    "backprop": (
        backprop_text,
        "gradient_at",
        lambda honest: lambda *given: 1 / (1 + abs(honest(*given))),
    ),
    "training": (training_text, "sentences", saying("{second}", "{final}")),
    "transfer": (transfer_picture, "caught_up", lambda honest: lambda *given: 0),
    "seq2seq": (seq2seq_text, "largest_place", lambda honest: lambda shown, i: 0),
    "home": (home_picture, "sentences", lambda honest: lambda opened: honest(opened)[::-1]),
}
"""One false text per page: the function that writes or chooses a sentence, and a wrapper."""


@pytest.mark.parametrize("page", PAGES)
def test_a_planted_lie_is_caught(page, monkeypatch):
    where, name, lie = LIES[page]
    monkeypatch.setattr(where, name, lie(getattr(where, name)))
    with pytest.raises(AssertionError, match="is refuted"):
        check(PAGES[page])
