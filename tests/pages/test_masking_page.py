"""The Masks page shows the tensors of the masks asked for, and keeps the last good ones."""

import math

import numpy as np
import pytest
import torch
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from lessons.masking.picture import KINDS
from lmcore.masking import under_mask
from lmcore.models import masks
from lmcore.shipped.models import load_shipped

LESSON = ui.lesson("masking")
PRESETS = {
    preset.label: preset for preset in LESSON.presets if preset.settings["masking_tab"] == "masks"
}
MODEL, _, _ = load_shipped("gpt")
WORDS = under_mask.encode_text(LESSON.defaults["masking_text"], MODEL.vocabulary)
N = len(WORDS.ids)


def picture(app):
    return drawn(app, "masking-masking")


def grid(side, name, rows=None):
    values = side[name].reshape(len(side["values"]), -1, len(side["columns"]))
    return values[side["at"]]


def scene(app):
    return app.session_state["masking-good"]


def plainly(error):
    return error.value.replace("\\", "")


def test_the_page_opens_on_the_causal_mask_with_the_models_own_numbers():
    app = fine(opened("masking"))
    shown = picture(app)
    assert shown["rows"] == list(WORDS.tokens)
    left, right = shown["sides"]
    assert grid(right, "mask").astype(bool).tolist() == masks.causal(N).tolist()
    assert grid(left, "mask").all()
    above = np.triu(np.ones((N, N)), 1).astype(bool)
    assert (grid(right, "weights")[above] == 0).all()
    with torch.no_grad():
        trace = MODEL.network(torch.tensor([WORDS.ids])).blocks[0].attention
    assert np.allclose(grid(right, "weights"), trace.weights[0, 1].numpy(), atol=1e-6)
    assert np.allclose(grid(right, "scaled"), trace.scaled[0, 1].numpy(), atol=1e-5)
    assert "**sees 3 of 7** places" in said(app)
    assert "of its own" not in said(app)


@pytest.mark.parametrize("view", by_view := (
    "Step by step", "Output and next word", "Leakage test", "Train without it",
    "Both ways, one way", "Check yourself", "Code", "Slide check",
))  # fmt: skip
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_mask_has_every_view(kind, view):
    painted = masks.format_mask(masks.sliding(N, 2))
    app = fine(opened("masking", masking_kind=kind, masking_see=view, masking_painted=painted))
    assert not app.error


def test_the_table_of_a_query_is_its_row_of_the_grid():
    app = fine(opened("masking", masking_at="4"))
    shown, table = picture(app), drawn(app, "table-masking-steps")
    rows = table["numbers"].reshape(N, -1)
    left, right = shown["sides"]
    assert np.allclose(rows[:, 0], grid(right, "scaled")[3])
    assert (rows[4:, 1] == -math.inf).all() and (rows[4:, 2:4] == 0).all()
    assert np.allclose(rows[:, 3], grid(right, "weights")[3])
    assert np.allclose(rows[:, 4], grid(left, "weights")[3])


def test_a_number_that_is_dragged_is_there_at_every_value():
    app = fine(opened("masking", masking_kind="prefix", masking_prefix="5"))
    right = picture(app)["sides"][1]
    assert right["values"] == list(range(N + 1)) and right["at"] == 5
    swept = right["mask"].reshape(N + 1, N, N)
    for known in range(N + 1):
        assert swept[known].astype(bool).tolist() == masks.prefix(N, known).tolist()


def test_a_mask_is_never_compared_with_itself():
    app = fine(opened("masking", masking_kind="bidirectional"))
    assert not grid(picture(app)["sides"][0], "mask").all()
    assert "No mask: both ways" in picture(app)["sides"][1]["short"]


def test_a_painted_mask_is_in_the_address_and_fits_a_text_of_another_length():
    painted = masks.format_mask(masks.sliding(N, 2))
    app = fine(opened("masking", masking_kind="painted", masking_painted=painted))
    assert picture(app)["sides"][1]["text"] == painted
    app = fine(put(app, {"masking_text": "the animal didn't cross the street because"}))
    assert picture(app)["sides"][1]["text"] == (
        ".".join(f"{row}0" for row in painted.split(".")) + "." + "1" * (N + 1)
    )


def test_a_row_that_sees_nothing_is_zero_and_said_why():
    app = fine(choose(opened("masking"), "preset-shown", "A blind row"))
    weights = grid(picture(app)["sides"][1], "weights")
    assert (weights[2] == 0).all() and np.isfinite(weights).all()
    assert "may look at nothing" in said(app) and "All are 0" in said(app)


def test_a_batch_hides_its_padding_and_says_what_it_was_worth():
    app = fine(opened("masking", masking_kind="padding"))
    shown = picture(app)
    pads = [row == "[PAD]" for row in shown["rows"]]
    right = shown["sides"][1]
    assert sum(pads) == 6 and not grid(right, "mask")[:, pads].any()
    assert grid(right, "mask")[:, ~np.array(pads)].all()
    assert "which is rounding" in said(app)
    assert "no [PAD]; </s> is used instead." in said(app).replace("\\", "")
    causal = picture(opened("masking", masking_kind="padding", masking_too="true"))["sides"][1]
    assert (np.triu(grid(causal, "weights"), 1) == 0).all()


def test_a_decoder_has_two_looks_of_one_run():
    app = fine(opened("masking", masking_kind="cross", masking_source="🙂 <i>two</i>"))
    left, right = picture(app)["sides"]
    assert right["columns"] == ["🙂", "<i>two</i>"]
    assert grid(right, "mask").all() and not grid(left, "mask").all()
    assert "all 2 of the source" in said(app)


def test_the_unmasked_gpt_knows_the_next_word_if_it_may_see_it():
    app = fine(
        opened(
            "masking", masking_kind="bidirectional", masking_model="gpt_unmasked",
            masking_see="Output and next word",
        )
    )  # fmt: skip
    table = drawn(app, "table-masking-next")
    assert table["labels"][0] == WORDS.tokens[3]
    assert table["numbers"][0] > 0.99


def test_the_leakage_test_measures_the_mask_that_is_shown():
    app = fine(opened("masking", masking_see="Leakage test", masking_change="3"))
    shown = drawn(app, "leak-leak")
    moved = shown["moved"].reshape(4, N, N)
    assert (moved[:, ~masks.causal(N).numpy()] == 0).all()
    assert (moved > 0).tolist() == shown["reach"].reshape(4, N, N).astype(bool).tolist()
    assert shown["at"] == 2
    assert "**Nothing before the changed token moves**" in said(app)
    painted = masks.format_mask(masks.bidirectional(N))
    chosen = {"masking_kind": "painted", "masking_blank": "true", "masking_painted": painted}
    app = fine(put(app, chosen))
    assert "it sees itself indirectly" in said(app)


def test_four_layers_of_a_window_of_three_see_nine_as_the_beat_says():
    app = fine(choose(opened("masking"), "preset-shown", "Sliding window"))
    shown = drawn(app, "leak-leak")
    moved = shown["moved"].reshape(4, 10, 10)[:, :, shown["at"]]
    assert (moved > 0).sum(axis=1).tolist() == [3, 5, 7, 9]
    assert any("see nine" in beat.say for beat in LESSON.beats)


def test_both_readers_are_asked_and_the_grammar_knows_best():
    app = fine(choose(opened("masking"), "preset-shown", "Stony Brook: one way, both"))
    table = drawn(app, "table-masking-readers")
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    left, both = rows[:, 0], rows[:, 1]
    assert -np.log(both).mean() < -np.log(left).mean()
    assert table["columns"][1:3] == ["from the left: the grammar", "both ways: the grammar"]


def test_the_checks_are_computed_from_the_mask():
    reveal = {f"reveal-masking-{name}": "true" for name in ("sees", "zeros", "reach")}
    app = fine(opened("masking", masking_see="Check yourself", **reveal))
    assert "It is **3**. It sees “\\<s\\>”, “the”, “animal”" in said(app)
    assert f"It is **{N * (N - 1) // 2}**" in said(app) and f"It is **{N}**" in said(app)


def test_the_code_runs_and_prints_the_grid_on_screen():
    app = fine(opened("masking", masking_see="Code", masking_kind="sliding", masking_layer="1"))
    assert "def apply_mask(" in said(app)
    space = {}
    exec(next(each.value for each in app.code if "from lmcore.shipped.models" in each.value), space)
    expected = grid(picture(app)["sides"][1], "weights")
    assert np.allclose(space["trace"].weights[0].numpy(), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"masking_text": ""}, "the text must have 1 word or more"),
        ({"masking_text": "the hrse"}, "got 'hrse'; similar words: horse"),
        ({"masking_kind": "padding", "masking_batch": "the dog"}, "a batch must hold 2 or 3 texts"),
        ({"masking_kind": "padding", "masking_one": "0"}, "the text must be from 1 to 3; got 0"),
        ({"masking_prefix": "13"}, "the prefix must be from 0 to 12; got 13"),
        ({"masking_window": "0"}, "the window must be from 1 to 12; got 0"),
        ({"masking_order": "1, 1"}, "an order must name each place once; got 1 twice"),
        ({"masking_kind": "painted", "masking_painted": "1.x"}, "row 2 of a painted mask"),
        ({"masking_layer": "2"}, "the layer must be from 0 to 1; got 2"),
        ({"masking_head": "x"}, "the head must be a whole number"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_is_refused_and_the_last_good_stays(settings, reason):
    app = opened("masking", masking_head="2")
    before = scene(app).pair.chosen.trace.weights
    fine(put(app, settings))
    assert any(reason in plainly(error) for error in app.error), app.error
    assert torch.equal(scene(app).pair.chosen.trace.weights, before)
    fine(opened("masking", **settings))


@pytest.mark.parametrize(
    ("name", "value"),
    [("masking_kind", "none"), ("masking_model", "gone"), ("masking_stream", "both"),
     ("masking_at", "0"), ("masking_other", "padding")],
)  # fmt: skip
def test_an_address_that_asks_for_what_is_not_there_says_so(name, value):
    app = fine(opened("masking", **{name: value}))
    assert any(f"got {value}" in plainly(e) or f"got '{value}'" in plainly(e) for e in app.error)


def test_a_text_far_too_long_is_cut_and_it_is_said():
    app = fine(opened("masking", masking_text="the dog " * 12_500))
    assert any("100,000 characters" in each.value for each in app.warning)
    assert len(app.session_state["masking_text"]) == 400
    assert len(picture(app)["rows"]) == 12
    assert "its first 12 tokens are shown" in said(app)
    assert len(app.query_params["masking_text"][0]) <= 400


def test_any_words_are_text_and_never_markdown():
    text = "![x](http://x.example/x.png) <script>alert(1)</script> שלום 🙂"
    app = fine(opened("masking", masking_model="any", masking_text=text, masking_at="2"))
    assert not app.error
    assert picture(app)["rows"][2] == "<script>alert(1)</s…"
    notice = next(each.value for each in app.markdown if each.value.startswith("**Notice**"))
    assert "![" not in notice and "](http" not in notice


def test_one_word_is_enough():
    app = fine(opened("masking", masking_text="the", masking_see="Leakage test"))
    assert not app.error
    assert len(picture(app)["rows"]) == 2


def test_slides_are_put_right():
    app = fine(opened("masking", masking_see="Slide check"))
    assert "and its own" in said(app)


def test_controls_that_do_not_belong_to_a_mask_are_not_shown():
    app = opened("masking")
    assert not [w for w in app.text_input if w.key == "masking_order-shown"]
    app = opened("masking", masking_kind="permutation")
    assert by_key(app.text_input, "masking_order-shown").value == "4, 2, 7, 3"
