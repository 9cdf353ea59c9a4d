"""The page on positions: the lecture's numbers on opening, the shuffle, and the last position."""

import re

import numpy as np
import pytest
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from ui import pretrained

LESSON = ui.lesson("positions")
PRESETS = {preset.label: preset for preset in LESSON.presets}


def asked(app):
    spec, _ = app.session_state["positions-good"]
    return spec


def numbers(app):
    shown = drawn(app, "positions-positions")
    return dict(zip(shown["names"], shown["now"], strict=True))


def plainly(app):
    return said(app).replace("\\", "")


def test_the_page_opens_on_dog_bit_man():
    app = fine(opened("positions"))
    spec = asked(app)
    assert (spec.position, spec.offset, spec.width, spec.base) == (1, 3, 16, 10_000)
    assert " ".join(spec.words.shuffled) == "the man bit the dog"
    now = numbers(app)
    assert now["plain"] == 0 and now["gap"] == pytest.approx(1.437, abs=5e-4)
    assert now["dot"] == pytest.approx(now["at4"]) and now["squared"] == pytest.approx(8)
    assert "difference 0. With PE(1) or PE(4) added, the difference is 1.437" in plainly(app)


def test_the_dot_product_of_the_lecture_is_the_same_near_and_far():
    near = numbers(opened("positions", positions_width="512"))
    far = numbers(opened("positions", positions_width="512", positions_start="39"))
    assert far["pos"] == 40
    assert near["dot"] == pytest.approx(211.749, abs=5e-4) == far["dot"]


def test_the_sliders_carry_every_position_width_and_base():
    sliders = drawn(opened("positions"), "positions-sliders")["sliders"]
    assert [slider["name"] for slider in sliders] == ["pos", "d", "base"]
    assert np.array_equal(sliders[0]["positions"], np.arange(1, 42))
    assert {4, 16, 64, 512} <= set(sliders[1]["positions"])
    assert {10, 100, 1000, 10_000, 100_000} <= set(sliders[2]["positions"])


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"positions_start": "41"}, "the position of the first word must be from 0 to 40; got 41"),
        ({"positions_start": "1.5"}, "the position of the first word must be a whole number"),
        ({"positions_word": "-1"}, "the word must be from 0 to 4; got -1"),
        ({"positions_width": "7"}, "the width d must be an even number from 4 to 512; got 7"),
        ({"positions_width": "x"}, "the width d must be a whole number"),
        ({"positions_base": "1"}, "the base must be from 2 to 1,000,000; got 1"),
        ({"positions_base": "nan"}, "the base must be"),
        ({"positions_pair": "-2"}, "the pair must be 0 or more; got -2"),
    ],
    ids=str,
)
def test_what_is_wrong_is_refused_and_the_last_good_stays(settings, reason):
    app = opened("positions", positions_start="7")
    before = asked(app)
    fine(put(app, settings))
    assert any(reason in error.value.replace("\\", "") for error in app.error), app.error
    assert asked(app) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [("positions_causal", "perhaps"), ("positions_on", "maybe"), ("see", "Nothing")],
)
def test_an_address_that_asks_for_what_is_not_there_says_so(name, value):
    app = fine(opened("positions", **{name: value}))
    assert any(f"got '{value}'" in error.value.replace("\\", "") for error in app.error)


def test_a_pair_and_a_word_after_the_last_are_the_last():
    app = opened("positions", positions_width="8", positions_pair="200", positions_word="9")
    assert numbers(app)["pair"] == 3
    assert asked(app).word == 4


def test_the_step_table_is_that_of_the_chosen_pair():
    app = fine(opened("positions", see="Step by step", positions_pair="51", positions_width="512"))
    table = drawn(app, "positions-steps")
    assert "dimensions 102 and 103" in table["caption"]
    now = dict(zip(table["names"], table["now"], strict=True))
    divisor = 10_000 ** (102 / 512)
    assert now["angle"] == pytest.approx(1 / divisor)
    assert now["sin"] == pytest.approx(np.sin(1 / divisor))
    assert now["term"] == pytest.approx(np.cos(3 / divisor))


def test_words_of_another_number_are_shuffled_where_the_order_does_not_fit():
    app = opened("positions")
    field = next(each for each in app.text_input if each.label == "Words")
    fine(field.set_value("one two three").run())
    assert not app.error
    assert app.session_state["positions_order"] == "seed 1"
    assert len(asked(app).words.shuffled) == 3


def test_the_waves_are_a_heat_map_of_every_dimension():
    assert not fine(opened("positions", see="Every dimension")).error


def test_the_four_numbers_are_there():
    text = said(fine(opened("positions", see="Four facts")))
    for number in ("[0, 1, 0, 1]", "256.000000 to 256.000000", "211.749", "60,611"):
        assert number in text


ENCODER = {"see": "In an encoder"}


def test_a_shuffle_changes_nothing_until_positions_or_a_mask_are_switched_on():
    assert "the vector it had" in said(fine(opened("positions", **ENCODER)))
    for name in ("positions_on", "positions_causal"):
        text = said(fine(opened("positions", **ENCODER, **{name: "true"})))
        assert "the network gets the order of the words from" in text
        assert "the vector it had" not in text


def test_the_table_of_the_shuffle_is_the_networks_own():
    from lmcore.attention.permutation import parse_order, shuffle_words

    app = fine(opened("positions", **ENCODER, positions_on="true", positions_order="4 3 2 1 0"))
    table = drawn(app, "table-positions-moves")
    found = shuffle_words(parse_order("the dog bit the man", "4 3 2 1 0", positions=True))
    numbers = table["numbers"].reshape(5, -1)
    assert np.allclose(numbers[:, -1], found.differences)
    assert np.allclose(numbers[:, 2], found.before[:, 0])
    assert table["labels"] == ["the", "dog", "bit", "the", "man"]


def test_the_button_takes_the_next_seed():
    app = opened("positions", **ENCODER)
    for seed in (1, 2):
        next(b for b in app.button if b.label == "Shuffle").click().run()
        assert app.session_state["positions_order"] == f"seed {seed}"
    assert not app.error


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"positions_text": ""}, "the text must have from 2 to 24 words; got 0"),
        ({"positions_text": "word " * 30}, "from 2 to 24 words; got 30"),
        ({"positions_text": "a" * 100_000}, "at most 4,000 characters; got 100,000"),
        ({"positions_order": "0 1 2"}, "each place from 0 to 4 once; got 0 1 2"),
        ({"positions_order": "seed two"}, "the seed of the shuffle must be a whole number"),
    ],
    ids=["none", "many", "long", "short order", "no seed"],
)
def test_a_shuffle_that_cannot_be_is_refused_and_the_last_stays(settings, reason):
    app = opened("positions", **ENCODER)
    fine(put(app, settings))
    assert any(reason in error.value.replace("\\", "") for error in app.error), app.error
    assert "the man bit the dog" in plainly(app)


@pytest.mark.parametrize("text", ["<b>x</b> <script>", "👩‍🚀 🙂", "שלום עולם", "![a](b) [c](d)"])
def test_any_words_can_be_shuffled_and_are_shown_as_they_are(text):
    app = fine(opened("positions", **ENCODER, positions_text=text, positions_order="1 0"))
    assert not app.error
    assert f"“{text}”" in plainly(app).replace("\u2060", "")


@pytest.mark.skipif(
    "minilm" not in pretrained.available_models(), reason="the encoder is not installed"
)
def test_the_real_encoder_reads_a_bag_of_words_without_its_positions():
    text = said(fine(opened("positions", **ENCODER)))
    assert "**1.0000** with every token at place 0" in text
    with_places = float(text.split("two mean vectors is **")[1].split("**")[0])
    assert 0.9 < with_places < 0.999


@pytest.mark.skipif(
    "minilm" not in pretrained.available_models(), reason="the encoder is not installed"
)
def test_learned_places_end_and_sinusoids_go_on():
    app = fine(opened("positions", see="Learned or fixed"))
    assert "no vector. Its error: “a place must be from 0 to 511; got 512”" in plainly(app)
    assert "Sinusoids: PE(512) = [0.080, −0.997" in said(app)
    assert "P has only 512 rows" in said(app)
    app = fine(opened("positions", see="Learned or fixed", positions_far="511"))
    assert "P[511] = [" in said(app)


def test_without_any_model_the_page_goes_on(monkeypatch):
    monkeypatch.setattr(pretrained, "available_models", dict)
    app = fine(opened("positions", see="Learned or fixed"))
    assert "No model with learned positions is installed" in app.info[0].value
    app = fine(opened("positions", see="Words to input"))
    assert "a small encoder" in said(app) and "drawn at random" in said(app)
    assert not fine(opened("positions", **ENCODER)).error


def test_a_model_that_cannot_be_loaded_says_why(monkeypatch):
    def broken(name):
        raise ValueError("the model must be whole; got half of it")

    monkeypatch.setattr(pretrained, "available_models", lambda: {"half": "Half a model"})
    monkeypatch.setattr(pretrained, "load", broken)
    app = fine(opened("positions", see="Learned or fixed"))
    assert any("got half of it" in error.value for error in app.error)
    assert app.info


@pytest.mark.parametrize(
    ("far", "reason"), [("-1", "0 or more; got -1"), ("x", "a whole number such")]
)
def test_a_place_far_out_must_be_a_place(far, reason):
    app = fine(opened("positions", see="Learned or fixed", positions_far=far))
    if "minilm" in pretrained.available_models():
        assert any(reason in error.value.replace("\\", "") for error in app.error)


def test_tokens_of_the_pipeline_are_text():
    app = fine(opened("positions", see="Words to input", positions_text="a | <b> $x$ b"))
    assert not app.error
    rows = [line for line in said(app).splitlines() if line.startswith("| ")]
    assert len({line.count(" | ") for line in rows}) == 1


def test_the_answers_are_computed_and_the_code_runs(capsys):
    app = opened("positions", positions_width="512")
    by_key(app.button, "predict").click().run()
    for right in ("0", "211.7", "256", "1"):
        hidden = drawn(app, "positions-positions")["hidden"]
        assert hidden == {"0": ["plain"], "211.7": ["dot"]}.get(right, [])
        reveal = next(b for b in app.button if b.label == "Reveal")
        assert f"It is **{right}**" in said(fine(reveal.click().run()))
        by_key(app.button, "predict-next").click().run()
    app = fine(opened("positions", see="Code", positions_width="512"))
    snippet = next(each.value for each in app.code if "from lmcore.models.positions" in each.value)
    exec(snippet, {})
    printed = capsys.readouterr().out
    assert "dot     211.749" in printed
    (without,) = re.findall(r"without positions (\S+)", printed)
    assert float(without) < 1e-13  # rounding errors, which differ between processors


def test_every_preset_tells_what_it_is_for():
    for label, preset in PRESETS.items():
        app = fine(choose(opened("positions"), "preset-shown", label))
        assert preset.help in [element.value for element in app.caption]
        assert not app.error
