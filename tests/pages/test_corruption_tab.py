"""The Corruption view shows lmcore's decisions, keeps state in the address, refuses bad input."""

import numpy as np
import pytest
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from lessons.masking.masking_state import CORRUPTION_VIEWS
from lmcore.corruption.corruption import Rates
from lmcore.corruption.draws import (
    SLIDERS,
    CorruptionConfig,
    change_rate,
    corrupt_at_random,
    draw_for_text,
)
from lmcore.corruption.masked_loss import masked_loss
from lmcore.corruption.text import text_from_model, text_from_words
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import VocabularyModel
from lmcore.vocabulary import Vocabulary
from ui import pretrained

LESSON = ui.lesson("masking")
FISH = "So long and thanks for all the fish"
TEXT = text_from_words(FISH)
WORDS = Vocabulary(("[CLS]", "[SEP]", "the", "dog", "sees", "cat", "[MASK]"), lower=True)
HAND = "2:[MASK] 4:[MASK] 7:apricot"


def tab(**address):
    """The corruption that the address describes; without a choice by hand, the slide's."""
    return fine(opened("masking", **{"see": "Corruption", "corrupt_hand": HAND} | address))


def picture(app):
    return drawn(app, "corrupt-corruption")


def now(app, name):
    data = picture(app)
    return data["now"][data["names"].index(name)]


def outcomes(app):
    count = len(picture(app)["tokens"])
    return [int(now(app, f"f{i}")) for i in range(count)]


def plainly(app):
    return said(app).replace("\\", "")


def test_the_tab_opens_on_the_slides_example_set_by_hand():
    app = tab()
    assert picture(app)["standing"] == ["So", "[MASK]", "and", "[MASK]", "for", "all", "apricot",
                                        "fish"]  # fmt: skip
    assert outcomes(app) == [0, 1, 0, 1, 0, 0, 2, 0]
    assert (
        "By hand: 3 of 8 words must be predicted, 2 behind [MASK], 1 replaced, 0 left as they were."
        in plainly(app)
    )
    assert "of 512 tokens: 512·0.15 = 76.8 predicted" in said(app)
    assert now(app, "n_rest") == 5 and picture(app)["kind"] == "set by hand"
    assert "No model reads this text here" in said(tab(see="Loss"))


def test_corruption_is_a_look_beside_the_others_and_the_address_says_so():
    app = fine(choose(opened("masking"), "see", "Corruption"))
    assert picture(app)["tokens"] and app.query_params["see"] in ("Corruption", ["Corruption"])
    assert now(app, "n_chosen") == 2  # drawn, with no word chosen by hand
    app = fine(choose(app, "see", "Picture"))
    assert drawn(app, "masking-masking") and "see" not in app.query_params


def test_every_correction_of_a_slide_is_in_slides_and_goals():
    shown = said(fine(opened("masking")))
    for name in ui.contents.page("masking").errata:
        assert ui.contents.ERRATA[name].correct in shown


@pytest.mark.parametrize(
    ("label", "stands"), [("Feng slide: hairy → [MASK]", "[MASK]"), ("hairy → apple", "apple"),
                          ("hairy → hairy", "hairy")],
)  # fmt: skip
def test_hairy_becomes_what_the_slide_says_and_is_always_the_target(label, stands):
    app = choose(tab(), "preset-shown", label)
    assert picture(app)["standing"] == ["my", "dog", "is", stands]
    assert now(app, "n_chosen") == 1 and outcomes(app)[3] > 0


def test_the_sliders_ship_what_lmcore_decides_at_every_position():
    app = tab(corrupt_hand="", corrupt_seed="5", corrupt_masked="0.75")
    data, config = drawn(app, "corrupt-sliders"), CorruptionConfig(Rates(masked=0.75), seed=5)
    draws = draw_for_text(TEXT, config).draws
    for name, slider in zip(SLIDERS, data["sliders"], strict=True):
        assert slider["name"] == f"corrupt_{name}"
        columns = [data["names"][i] for i in slider["columns"]]
        table = slider["table"].reshape(len(slider["positions"]), -1)
        for value, row in zip(slider["positions"], table, strict=True):
            rates = change_rate(config.rates, name, float(value))
            wanted = corrupt_at_random(TEXT, config, [rates], draws).outcomes[0].tolist()
            shown = dict(zip(columns, row, strict=True))
            found = [shown.get(f"f{i}", now(app, f"f{i}")) for i in range(8)]
            assert found == wanted


@pytest.mark.parametrize("view", CORRUPTION_VIEWS)
@pytest.mark.parametrize("unit", ["token", "word", "span"])
def test_every_view_opens_for_every_unit(view, unit):
    app = tab(see=view, corrupt_unit=unit, corrupt_hand="", corrupt_seed="2")
    assert not app.error


def test_draw_again_takes_the_next_seed_and_forgets_the_hand():
    app = tab()
    button = next(each for each in app.button if each.label == "Draw again")
    app = fine(button.click().run())
    assert app.session_state["corrupt_seed"] == "6" and not app.session_state["corrupt_hand"]
    config = CorruptionConfig(seed=6)
    assert (
        outcomes(app)
        == corrupt_at_random(TEXT, config, [Rates()], draw_for_text(TEXT, config).draws)
        .outcomes[0]
        .tolist()
    )


def test_many_draws_come_near_the_lectures_rates():
    app = tab(corrupt_hand="", see="Many draws")
    table = drawn(app, "table-corrupt-rates")
    rows = table["numbers"].reshape(4, -1)
    assert rows[:, 2] == pytest.approx([0.15, 0.12, 0.015, 0.015])
    assert (abs(rows[:, 0] - rows[:, 2]) < 4 * rows[:, 1]).all()
    assert "10,000 draws of these 8 words, seed 5, computed here." in plainly(app)


def test_unigram_puts_the_frequent_words_in_more_often():
    shares = {}
    for source in ("uniform", "unigram"):
        address = {"corrupt_random": "1", "corrupt_masked": "0", "corrupt_chosen": "1"}
        address["corrupt_seed"] = "2"
        app = tab(corrupt_hand="", corrupt_from=source, see="Many draws", **address)
        table = drawn(app, "table-corrupt-types")
        assert table["labels"][0] == "the"
        shares[source] = table["numbers"].reshape(-1, 3)[0]
    assert shares["uniform"][2] == pytest.approx(shares["uniform"][0], rel=0.4)
    assert shares["unigram"][2] == pytest.approx(shares["unigram"][1], rel=0.1)


def test_a_models_loss_is_the_mean_over_the_chosen_places(monkeypatch):
    network = BERT(TransformerConfig(len(WORDS), width=8, heads=2, layers=1, longest=16), 3)
    reader = VocabularyModel("a small one", network, WORDS)
    monkeypatch.setattr(pretrained, "available_models", lambda: {"small": "Small"})
    monkeypatch.setattr(pretrained, "load", lambda name: reader)
    app = tab(corrupt_model="small", corrupt_text="the dog sees the cat", corrupt_hand="2:[MASK] "
              "5:the", see="Loss")  # fmt: skip
    assert not app.error
    text = text_from_model(reader, "the dog sees the cat")
    data = drawn(app, "corrupt-losses")
    assert data["has_model"] and data["standing"][2] == "[MASK]" and data["standing"][5] == "the"
    trace = app.session_state["corrupt-good"].trace
    found = masked_loss(network, text.ids, trace.corrupted, trace.chosen)
    assert now(app, "l2") == pytest.approx(float(found.terms[0, 2]))
    assert now(app, "loss") == pytest.approx(float(found.terms[0, [2, 5]].mean()))
    assert np.isnan(now(app, "l1"))
    assert "5 of 7 places add no term, yet they get" in said(app)
    app = fine(put(app, {"corrupt_text": "the unicorn sees the cat"}))
    assert "got 'unicorn'" in app.error[0].value.replace("\\", "")
    assert picture(app)["tokens"][2] == "dog"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ({"corrupt_text": "   "}, "the text must have 1 word or more that may be chosen; got none"),
        ({"corrupt_text": "[SEP]"}, "got none"),
        ({"corrupt_chosen": "2"}, "the share chosen must be from 0 to 1; got 2"),
        ({"corrupt_chosen": "x"}, "the share chosen must be a number such as 0.4; got 'x'"),
        ({"corrupt_masked": "0.95"}, "masked and random must be at most 1 together; got 1.05"),
        ({"corrupt_seed": "-1"}, "the seed must be from 0 to 2147483647; got -1"),
        ({"corrupt_hand": "12:x"}, "a place by hand must be from 1 to 8; got 12"),
        ({"corrupt_hand": "rubbish"}, "a choice by hand must look like 7:apricot; got 'rubbish'"),
        ({"corrupt_unit": "letter"}, "corrupt_unit in the address must be one of"),
        ({"see": "Nothing"}, "see in the address must be one of"),
        ({"corrupt_model": "minilm"}, "corrupt_model in the address must be one of"),
    ],
    ids=str,
)
def test_an_address_that_cannot_be_is_refused_and_something_good_is_shown(address, says):
    app = fine(opened("masking", **{"see": "Corruption", **address}))
    assert says in "\n".join(each.value for each in app.error).replace("\\", "")
    if "see" not in address:
        assert picture(app)["tokens"][0] == "So"


@pytest.mark.parametrize(
    ("view", "settings", "says"),
    [
        ("BART", {"corrupt_noise_share": "3"}, "the share must be from 0 to 1; got 3"),
        ("BART", {"corrupt_noise": " "}, "the text must have 1 token or more; got none"),
        ("BART", {"corrupt_noise": "a " * 61}, "at most 60 tokens; got 61"),
        ("RoBERTa packing", {"corrupt_pack_length": "3"}, "the length must be from 8"),
        ("RoBERTa packing", {"corrupt_pack": "|"}, "the documents must have 1 to 60 tokens; got 0"),
        ("RoBERTa packing", {"corrupt_pack": "a " * 50}, "a sentence must have at most 38 tokens"),
    ],
)
def test_views_refuse_and_keep_what_was_there(view, settings, says):
    app = tab(see=view)
    group = "noise" if view == "BART" else "packing"
    before = drawn(app, f"{group}-chips")["views"]
    app = fine(put(app, settings))
    assert says in app.error[0].value.replace("\\", "")
    assert drawn(app, f"{group}-chips")["views"] == before


def test_every_length_of_an_input_is_there_before_the_hand_asks():
    app = tab(see="RoBERTa packing")
    data, slider = drawn(app, "packing-chips"), drawn(app, "packing-sliders")["sliders"][0]
    assert len(data["views"]) == len(slider["positions"])
    for length, rows in zip(slider["positions"], data["views"], strict=True):
        assert all(len(row["chips"]) <= length for row in rows)
    assert "2 inputs, 87.5 % filled**, 2 extra separators" in said(app)


def test_another_text_forgets_what_was_chosen_in_the_old_one():
    app = tab()
    box = by_key(app.text_input, "corrupt_text-shown")
    app = fine(box.set_value("![x](http://x.example/x.png) <b>one</b> two").run())
    assert not app.error and app.session_state["corrupt_hand"] == ""
    assert picture(app)["tokens"][-1] == "two"


def test_a_server_whose_settings_cannot_be_read_still_corrupts(monkeypatch):
    def refuse():
        raise ValueError("LMCORE_MODEL_IDS must hold ids; got '/'")

    monkeypatch.setattr(pretrained, "available_models", refuse)
    app = tab()
    assert [each.value.replace("\\", "") for each in app.error] == [
        "LMCORE_MODEL_IDS must hold ids; got '/'"
    ]
    assert picture(app)["tokens"][0] == "So"
