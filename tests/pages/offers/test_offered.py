"""What a page offers can be chosen: no option leads to an error, an exception or a mere notice.

By default the options are pressed that were once refused. A walk presses every option of every
view from every example, as `python -m benchmarks.offered` does. `tests/pages/pictures` draws other
values of the first example's settings.
"""

import logging
from contextlib import suppress
from functools import cache

import pytest

from benchmarks.offered import MANY, SLUGS, NotOfferedError, Walk
from drawing import events
from drawing.events import read_event
from tests.drawing.test_events import HOSTILE
from tests.sampled import sampled
from tests.ui.streamlit_internals.pressing import send
from ui.lessons import lesson


def example(slug, label):
    return next(each.settings for each in lesson(slug).presets if each.label == label)


STORY, OWN = (
    {"wv_text": text, "wv_word": word} for text, word in (("story", "the"), ("own", "king"))
)
FIVE = [example("attention", each) for each in ("Five words", "Causal mask", "Sees nothing")]
REFUSED_ONCE = [
    ("training", {}, "models-shown", "release LSTM"),
    ("descent", {}, "gd_rules-shown", "release GD"),
    ("masking", {}, "masking_kind-shown", "By hand"),
    ("masking", {"masking_kind": "cross"}, "masking_kind-shown", "By hand"),
    ("masking", {}, "masking_other-shown", "By hand"),
    *(("attention", each, "attention_from-shown", "X and W") for each in FIVE),
    ("tokens", {"see": "Input of BERT"}, "tokens_model-shown", "Our small encoder"),
    ("tokens", example("tokens", "Sennrich 2016: low, newest"), "tokens_text-shown", "Story"),
    *(("vectors", text, "see-shown", "Counts") for text in (STORY, OWN)),
    *(("vectors", text, "see-shown", "Analogies") for text in (STORY, OWN)),
    ("vectors", {"see": "Counts"}, "wv_text-shown", "the story"),
    ("masking", {"see": "Corruption"}, "corrupt_model-shown", "Our small encoder"),
    ("language_model", {"see": "Four advantages, one cost", "lm_models": "bigram, lstm"},
     "lm_models-shown", "release LSTM"),
    ("language_model", {"see": "Four advantages, one cost", "lm_models": "bigram, lstm"},
     "lm_models-shown", "release Bigram"),
    ("language_model", {"lm_models": "unigram, bigram, trigram, rnn, gru, lstm"},
     "lm_models-shown", "add Feedforward"),
    ("descent", {"see": "Closed form"}, "gd_surface-shown", "saddle"),
    ("vectors", {"see": "One vector"}, "wv_text-shown", "the story"),
    ("attention", {"see": "Words and numbers"}, "attention_from-shown", "A model"),
    ("contextual", example("contextual", "Nail and beam"), "ct_model-shown", "our biLM"),
    ("bert", example("bert", "In English: So long and ⟨M⟩"), "fill_model-shown", "Our small"),
    ("bert", example("bert", "Encoders slide: long, thanks, the"), "fill_model-shown", "Our small"),
    ("rnn", example("rnn", "The same without “which was”") | {"see": "Deep and both ways"},
     "rnn_both-shown", "True"),
]  # fmt: skip
"""A page, its settings, and a press that was once refused or led to a mere notice."""
NOT_OFFERED = [
    ("training", {}, "models-shown", "add Encoder–decoder"),
    ("descent", {"gd_surface": "saddle"}, "gd_rules-shown", "add SGD"),
    *(("descent", {"gd_surface": "saddle"}, "see-shown", view)
      for view in ("Closed form", "Batches", "Slide code")),
    ("vectors", OWN, "see-shown", "One vector"),
    ("networks", {"nn_data": "three classes"}, "see-shown", "One line"),
    ("language_model", {"lm_models": "bigram"}, "see-shown", "Four advantages"),
    ("heads", {"see": "Surgery", "heads_other": ""}, "heads_cut-shown", "Patch"),
    ("heads", example("heads", "A longer text"), "see-shown", "BertViz model view"),
]  # fmt: skip
"""Options that have nothing to show under these settings."""


@cache
def walk(slug):
    return Walk(slug)


@pytest.mark.parametrize(("slug", "settings", "key", "option"), REFUSED_ONCE)
def test_what_was_refused_once_can_be_chosen(slug, settings, key, option):
    here = walk(slug)
    before = len(here.findings)
    here.one(settings, key, option)
    assert here.findings[before:] == []


@pytest.mark.parametrize(("slug", "settings", "key", "option"), NOT_OFFERED)
def test_what_has_nothing_to_show_is_not_offered(slug, settings, key, option):
    with pytest.raises(NotOfferedError):
        walk(slug).one(settings, key, option)


@pytest.mark.walk
@pytest.mark.parametrize("slug", SLUGS)
def test_every_option_of_a_page_leads_somewhere(slug):
    here = Walk(slug, many=MANY)
    here.everything()
    here.extremes()
    assert here.findings == [] and here.presses


@pytest.mark.parametrize("slug", sampled(SLUGS, SLUGS[1:2]))
def test_no_view_obeys_what_no_component_sends(slug, monkeypatch, caplog):
    """Sends invalid events to every component of every view."""
    kinds, typed = [], events.event_type

    def seen(handle):
        kinds.append(typed(handle))
        return kinds[-1]

    monkeypatch.setattr(events, "event_type", seen)
    here = walk(slug)
    names = {**here.lesson.defaults, **here.lesson.looks}
    for app in here.views():
        settings = {name: app.session_state[name] for name in names}
        send(app, {"name": "shown-page", "typed": "7"})
        assert not app.exception and not app.error
        assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []
        assert settings == {name: app.session_state[name] for name in settings}
    assert kinds
    for kind in kinds:
        for value in HOSTILE:
            with suppress(ValueError):
                assert read_event(kind, value) in ({}, [], -1, {"word": 3}, "shown-page")
