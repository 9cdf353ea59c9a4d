"""A visitor's own English on a model of the Microworld: why it is refused, and what reads it."""

import json

import pytest
from test_screen import by_key, choose, drawn, fine, opened, said

from lmcore.corpora.microworld import microworld
from lmcore.shipped import english, english_gpt
from lmcore.shipped.models import card_path

WORDS = len(microworld().vocabulary.words)
OWN = "i love my dog"
READ = {
    "bert": {"fill_text": OWN},
    "feedforward": {"ff_text": OWN},
    "generation": {"gen_text": OWN},
    "heads": {"heads_text": OWN, "heads_model": "encoder"},
    "language_model": {"lm_text": OWN, "lm_models": "rnn"},
    "masking": {"masking_text": OWN},
    "rnn": {"rnn_text": OWN},
    "transformer": {"tf_text": OWN},
}
INSTALLED = pytest.mark.skipif(not english.is_available(), reason="MiniLM is not installed")


def plain(text):
    return text.replace("\\", "")


@pytest.mark.parametrize("slug", READ)
def test_a_refusal_says_what_the_microworld_is_and_no_number_of_words_but_one(slug):
    app = fine(opened(slug, **READ[slug]))
    (error,) = app.error
    told = plain(error.value)
    assert f"must be one of the {WORDS} words the model knows; got 'love'" in told
    assert "similar words" not in told  # no word is similar
    assert f"a tiny English of {WORDS} words" in told and "exact" in told
    for other in {WORDS + more for more in range(1, 6)}:
        assert f"{other} words" not in plain(said(app))


@INSTALLED
def test_the_english_model_is_one_press_away_and_fills_the_unknown_word():
    app = opened("bert", **READ["bert"])
    assert "34 %" in app.button(key="offer-english").label
    app.button(key="offer-english").click().run()
    shown = drawn(fine(app), "fill-cloze")
    assert not app.error and app.session_state["fill_model"] == "english"
    assert shown["words"] == ["[CLS]", "i", "love", "my", "dog", "[SEP]"]
    assert [gap["place"] for gap in shown["gaps"]] == [2]
    share = json.loads(card_path("english").read_text())["figures"]["masked word: top-1"]
    assert f"{100 * share:.0f} %" in shown["bars"]["ours"]
    assert f"finds {100 * share:.0f} % of held-out words" in plain(said(app))


@INSTALLED
def test_another_model_covers_the_same_word():
    app = choose(fine(opened("bert")), "fill_model-shown", "english")
    for each in (app, opened("bert", fill_model="english")):
        shown = drawn(fine(each), "fill-cloze")
        assert [shown["words"][gap["place"]] for gap in shown["gaps"]] == ["animal"]
        assert shown["gaps"][0]["place"] == 16  # didn't is three tokens: didn, ' and t
    app = choose(app, "fill_model-shown", "encoder")
    assert app.session_state["fill_at"] == "14"


@pytest.mark.skipif(not english_gpt.is_available(), reason="its weights are not there")
def test_dictionary_gpt_goes_on_from_ones_own_words():
    app = opened("generation", **READ["generation"])
    app.button(key="offer-english").click().run()
    assert not fine(app).error and app.session_state["gen_entry"] == OWN
    assert by_key(app.button_group, "gen_model-shown").value == english_gpt.FILE
