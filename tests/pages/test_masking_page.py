"""The Masks page shows the tensors of the chosen masks, and keeps the last good state."""

import math

import numpy as np
import pytest
import torch
from test_screen import by_key, choose, drawn, fine, opened, put, said

import ui
from drawing.live import LiveNumbers
from lessons.masking.masking_picture import KINDS, VARIANTS
from lmcore.masking import leakage, under_mask
from lmcore.masking.without_causal_mask import load_recording
from lmcore.models import masks
from lmcore.numbers import format_number
from lmcore.shipped.models import load_shipped

LESSON = ui.lesson("masking")
MODEL, _, _ = load_shipped("gpt")
WORDS = under_mask.encode_text(LESSON.defaults["masking_text"], MODEL.vocabulary)
N = len(WORDS.ids)
MASKS = ("Picture", "Compare", "Step by step", "Output and next word", "Both ways, one way", "Code")


def picture(app):
    return drawn(app, "masking-masking")


def grid(app, letter):
    """A grid: s scores, k masked scores, w weights, m mask; o, x: w and m of the other mask."""
    shown = picture(app)
    now = dict(zip(shown["names"], shown["now"], strict=True))
    panel = next(
        (each for each in shown["panels"] if letter in (each["number"], each["mask"])),
        shown["panels"][1],
    )
    rows, columns = len(shown["queries"]), len(panel["keys"])
    return np.array(
        [[now[f"{letter}{i}.{j}"] for j in range(1, columns + 1)] for i in range(1, rows + 1)]
    )


def told(app):
    """The sentence that the picture's script chooses for the chosen query."""
    shown = picture(app)
    now = dict(zip(shown["names"], shown["now"], strict=True))
    at = shown["at"]
    row = shown["watched"][at]
    watches = any(each and now[f"m{at + 1}.{j}"] for j, each in enumerate(row, start=1))
    kind = 0 if not now[f"sees{at + 1}"] else 1 if watches else 2 if now[f"cut{at + 1}"] else 3
    numbers = LiveNumbers("", tuple(shown["names"]), shown["now"])
    return numbers.fill(shown["sentences"][len(VARIANTS) * at + kind])


def scene(app):
    return app.session_state["masking-good"]


def plainly(error):
    return error.value.replace("\\", "")


def test_the_page_opens_on_the_causal_mask_with_the_models_own_numbers():
    app = fine(opened("masking"))
    shown = picture(app)
    assert shown["queries"] == list(WORDS.tokens)
    assert [each["number"] for each in shown["panels"]] == ["s", "w"]
    assert shown["panels"][0]["paints"] and not shown["panels"][1]["paints"]
    assert grid(app, "m").astype(bool).tolist() == masks.causal(N).tolist()
    above = np.triu(np.ones((N, N)), 1).astype(bool)
    assert (grid(app, "w")[above] == 0).all()
    assert (grid(app, "k")[above] == -math.inf).all()
    with torch.no_grad():
        trace = MODEL.network(torch.tensor([WORDS.ids])).blocks[0].attention
    assert np.allclose(grid(app, "w"), trace.weights[0, 1].numpy(), atol=1e-6)
    assert np.allclose(grid(app, "s"), trace.scaled[0, 1].numpy(), atol=1e-5)
    assert told(app) == (
        "“animal” sees **3** of 7 words. The others become −∞, so words after it get ==0== of its "
        "weight."
    )
    assert "softmax([score|" in shown["formula"][8][1]


@pytest.mark.parametrize("view", (*MASKS, "Leakage", "Leakage code"))
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_mask_has_every_view(kind, view):
    painted = masks.format_mask(masks.sliding(N, 2))
    app = fine(opened("masking", masking_kind=kind, see=view, masking_painted=painted))
    assert not app.error


def test_the_table_of_a_query_is_its_row_of_the_grid():
    app = fine(opened("masking", masking_at="4", see="Step by step"))
    table = drawn(app, "table-masking-steps")
    rows = table["numbers"].reshape(N, -1)
    assert np.allclose(rows[:, 0], grid(app, "s")[3])
    assert (rows[4:, 1] == -math.inf).all() and (rows[4:, 2:4] == 0).all()
    assert np.allclose(rows[:, 3], grid(app, "w")[3])
    assert np.allclose(rows[:, 4], grid(app, "o")[3])


def test_a_number_that_is_dragged_is_there_at_every_value():
    app = fine(opened("masking", masking_kind="prefix", masking_prefix="5"))
    (slider,) = drawn(app, "masking-sliders")["sliders"]
    assert slider["positions"].tolist() == list(range(N + 1)) and slider["value"] == 5
    names = picture(app)["names"]
    table = slider["table"].reshape(N + 1, -1)
    swept = {names[int(i)]: table[:, k] for k, i in enumerate(slider["columns"])}
    now = dict(zip(names, picture(app)["now"], strict=True))
    for known in range(N + 1):
        mask = masks.prefix(N, known)
        for i in range(N):
            for j in range(N):
                name = f"m{i + 1}.{j + 1}"
                assert swept.get(name, np.full(N + 1, now[name]))[known] == mask[i, j]


def test_two_masks_are_compared_where_that_is_asked_for_and_never_one_with_itself():
    app = fine(opened("masking", masking_kind="bidirectional", see="Compare"))
    shown = picture(app)
    assert [each["title"] for each in shown["panels"]] == [
        "Causal mask: weights",
        "No mask: weights",
    ]
    assert not grid(app, "x").all() and grid(app, "m").all()
    weights = grid(app, "w")
    assert f"=={format_number(float(weights[2, 3:].sum()))}==" in told(app)
    assert "to words that the causal mask hides" in told(app)
    app = fine(opened("masking", see="Compare"))
    given = grid(app, "o")[2, 3:].sum()
    assert (
        f"The causal mask takes =={format_number(float(given))}== of the weight of “animal”"
        in told(app)
    )


def test_a_painted_mask_is_in_the_address_and_fits_a_text_of_another_length():
    painted = masks.format_mask(masks.sliding(N, 2))
    app = fine(opened("masking", masking_kind="painted", masking_painted=painted))
    assert picture(app)["text"] == painted
    app = fine(put(app, {"masking_text": "the animal didn't cross the street because"}))
    assert picture(app)["text"] == (
        ".".join(f"{row}0" for row in painted.split(".")) + "." + "1" * (N + 1)
    )


def test_one_open_cell_above_the_diagonal_leaks_its_weight():
    app = fine(choose(opened("masking"), "preset-shown", "A leak"))
    weights = grid(app, "w")
    assert 0 < weights[2, 3] == weights[2, 3:].sum()
    assert told(app) == (
        f"The future leaks: “animal” takes =={format_number(float(weights[2, 3]))}== of its weight "
        "from words that come after it."
    )


@pytest.mark.parametrize(
    ("kind", "see"),
    [(kind, "Picture") for kind in KINDS if kind != "painted"]
    + [("sliding", "Compare"), ("sliding", "Leakage")],
)
def test_a_mask_by_hand_starts_from_the_mask_that_stands(kind, see):
    app = fine(opened("masking", masking_kind=kind, see=see))
    stood = scene(app).pair.chosen.now.mask[0]
    fine(choose(app, "masking_kind-shown", "painted"))
    assert scene(app).pair.chosen.name == "painted"
    if kind in ("padding", "cross"):
        stood = masks.causal(N)
    assert scene(app).pair.chosen.now.mask[0].equal(stood)


def test_the_mask_to_compare_with_starts_by_hand_from_the_one_it_was_compared_with():
    app = fine(opened("masking", see="Compare", masking_other="prefix"))
    fine(choose(app, "masking_other-shown", "painted"))
    assert scene(app).pair.other.now.mask[0].equal(masks.prefix(N, 3))
    fine(choose(app, "masking_kind-shown", "painted"))
    assert scene(app).pair.chosen.now.mask[0].equal(masks.prefix(N, 3))
    assert scene(app).pair.other.name == "bidirectional"


def test_an_address_that_names_a_mask_by_hand_without_its_cells_shows_the_causal_one():
    app = fine(opened("masking", masking_kind="painted"))
    assert scene(app).pair.chosen.now.mask[0].equal(masks.causal(N))


def test_a_row_that_sees_nothing_is_zero_and_said_why():
    app = fine(choose(opened("masking"), "preset-shown", "A blind row"))
    weights = grid(app, "w")
    assert (weights[2] == 0).all() and np.isfinite(weights).all()
    assert "may look at nothing" in told(app) and "==0==, not nan" in told(app)
    assert "All are 0" in said(choose(app, "see", "Step by step"))


def test_a_batch_hides_its_padding_and_says_what_it_was_worth():
    app = fine(opened("masking", masking_kind="padding"))
    pads = [word == "[PAD]" for word in picture(app)["queries"]]
    assert sum(pads) == 6 and not grid(app, "m")[:, pads].any()
    assert grid(app, "m")[:, ~np.array(pads)].all()
    assert picture(app)["shareTitle"] == "on [PAD]" and "[PAD] becomes −∞ and gets ==0==" in told(
        app
    )
    assert "which is rounding" in said(app)
    assert "no [PAD]; </s> is used instead." in said(app).replace("\\", "")
    causal = opened("masking", masking_kind="padding", masking_too="true")
    assert (np.triu(grid(causal, "w"), 1) == 0).all()


def test_a_decoder_has_two_looks_of_one_run():
    app = fine(
        opened("masking", masking_kind="cross", masking_source="🙂 <i>two</i>", see="Compare")
    )
    left, right = picture(app)["panels"]
    assert right["keys"] == ["🙂", "<i>two</i>"] and left["keys"] == picture(app)["queries"]
    assert grid(app, "m").all() and not grid(app, "x").all()
    assert "sees 3 of its own words and **all 2** words of the source" in told(app)


def test_the_unmasked_gpt_knows_the_next_word_if_it_may_see_it():
    app = fine(
        opened(
            "masking", masking_kind="bidirectional", masking_model="gpt_unmasked",
            see="Output and next word",
        )
    )  # fmt: skip
    table = drawn(app, "table-masking-next")
    assert table["labels"][0] == WORDS.tokens[3]
    assert table["numbers"][0] > 0.99


def test_the_leakage_test_measures_the_mask_that_is_shown():
    app = fine(opened("masking", see="Leakage", masking_change="3"))
    shown = drawn(app, "leak-leak")
    now = dict(zip(shown["names"], shown["now"], strict=True))
    found = leakage.leakage(masks.causal(N), torch.tensor(range(N)))
    for i in range(N):
        assert (now[f"v4.{i + 1}"] > 0) == bool(found.moved[3, i, 2] > 0) == (i >= 2)
    assert now["before"] == 0 and now["after"] == N - 2 and now["masking_change"] == 3
    assert "Change “animal”: of 2 outputs before it, 0 move, in any of 4 layers" in said(app)
    assert "agree in 196 of 196 cells" in said(app)
    painted = masks.format_mask(masks.bidirectional(N))
    chosen = {"masking_kind": "painted", "masking_blank": "true", "masking_painted": painted}
    app = fine(put(app, chosen))
    assert "it sees itself through the others" in said(app)


def test_every_changed_token_is_there_before_the_hand_asks():
    app = fine(opened("masking", see="Leakage"))
    shown, (slider,) = drawn(app, "leak-leak"), drawn(app, "leak-sliders")["sliders"]
    assert slider["positions"].tolist() == list(range(1, N + 1))
    table = slider["table"].reshape(N, -1)
    names = [shown["names"][int(i)] for i in slider["columns"]]
    for j in range(N):
        row = dict(zip(names, table[j], strict=True))
        for i in range(N):
            assert (row[f"v1.{i + 1}"] > 0) == (i >= j)


def test_four_layers_of_a_window_of_three_see_nine_as_the_beat_says():
    app = fine(choose(opened("masking"), "preset-shown", "Sliding window"))
    shown = drawn(app, "leak-leak")
    now = dict(zip(shown["names"], shown["now"], strict=True))
    assert [now[f"n{depth}"] for depth in (1, 2, 3, 4)] == [3, 5, 7, 9]
    assert "outputs that move: 3 → 5 → 7 → 9" in said(app)
    assert any("see nine" in beat.say for beat in LESSON.beats)


def test_without_runs_the_recorded_ones_are_shown_with_their_date():
    app = fine(opened("masking", see="Train without it"))
    shown = drawn(app, "unmasked-unmasked")
    recording = load_recording()
    assert shown["runs"] == [] and not shown["judged"]
    assert shown["kind"] == f"recorded {recording.date}"
    masked, unmasked = recording.runs
    assert masked.causal and not unmasked.causal
    assert shown["curves"][1]["losses"][-1] == pytest.approx(unmasked.loss, rel=1e-4)
    assert format_number(unmasked.loss) in said(app) and "0 of its 50 texts are possible" in said(
        app
    )
    table = drawn(fine(opened("masking", see="What they write")), "table-leak")["numbers"].reshape(
        2, -1
    )
    assert table[:, 0].tolist() == [masked.loss, unmasked.loss]
    assert table[1, 3] == 0 and table[0, 3] > 0.9


def test_both_readers_are_asked_and_the_grammar_knows_best():
    app = fine(choose(opened("masking"), "preset-shown", "Stony Brook: one way, both"))
    table = drawn(fine(choose(app, "see", "Both ways, one way")), "table-masking-readers")
    rows = table["numbers"].reshape(len(table["labels"]), -1)
    left, both = rows[:, 0], rows[:, 1]
    assert -np.log(both).mean() < -np.log(left).mean()
    assert table["columns"][1:3] == ["from the left: the grammar", "both ways: the grammar"]


def revealed(key, **address):
    app = opened("masking", ask=key, **address)
    shown = next(each for each in app.get("bidi_component") if each.proto.bytes)
    assert shown
    button = next(each for each in app.button if each.label == "Reveal")
    return fine(button.click().run())


def test_the_questions_are_answered_from_the_mask():
    assert f"It is **{N * (N - 1) // 2}**" in said(revealed("zeros"))
    assert "It is **0**." in said(revealed("ahead"))
    assert "It is **It shrinks**" in said(revealed("open"))
    assert f"It is **{N}**" in said(revealed("reach", see="Leakage"))
    assert "It is **0**." in said(revealed("before", see="Leakage"))
    assert "It is **Without it**" in said(revealed("lower", see="Train without it"))


def test_a_question_hides_what_it_asks_for():
    shown = picture(opened("masking", ask="ahead"))
    assert {"ahead3", "w3.4", "past3"} <= set(shown["hidden"])
    shown = drawn(opened("masking", ask="lower", see="Train without it"), "unmasked-unmasked")
    assert {"with", "without"} <= set(shown["hidden"])


def test_the_code_runs_and_prints_the_grid_on_screen():
    app = fine(opened("masking", see="Code", masking_kind="sliding", masking_layer="1"))
    assert "def apply_mask(" in said(app)
    space = {}
    exec(next(each.value for each in app.code if "from lmcore.shipped.models" in each.value), space)
    assert np.allclose(space["trace"].weights[0].numpy(), grid(app, "w"), atol=1e-6)


def test_the_code_of_leakage_prints_what_moves():
    app = fine(opened("masking", see="Leakage code"))
    space = {}
    exec(next(each.value for each in app.code if "import leakage" in each.value), space)
    assert space["found"].agree and space["found"].moved.shape == (4, N, N)


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
    assert len(picture(app)["queries"]) == 12
    assert "its first 12 tokens are shown" in said(app)
    assert len(app.query_params["masking_text"][0]) <= 400


def test_any_words_are_text_and_never_markdown():
    text = "![x](http://x.example/x.png) <script>alert(1)</script> שלום 🙂"
    app = fine(opened("masking", masking_model="any", masking_text=text, masking_at="2"))
    assert not app.error
    assert picture(app)["queries"][2] == "<script>alert(1)</s…"
    assert "“!\\[x\\](http://x…” sees" in told(app)
    assert not any("![" in each.value or "](http" in each.value for each in app.markdown)


def test_one_word_is_enough():
    app = fine(opened("masking", masking_text="the", see="Leakage"))
    assert not app.error
    assert drawn(app, "leak-leak")["tokens"] == ["<s>", "the"]


def test_slides_are_put_right():
    assert "and its own" in said(fine(opened("masking")))


def test_words_of_the_microworld_are_offered_for_one_that_it_lacks():
    app = opened("masking", masking_text="the hrse")
    button = next(each for each in app.button if each.label == "hrse → horse")
    app = fine(button.click().run())
    assert not app.error and picture(app)["queries"] == ["<s>", "the", "horse"]


def test_controls_that_do_not_belong_to_a_mask_are_not_shown():
    app = opened("masking")
    assert not [w for w in app.text_input if w.key == "masking_order-shown"]
    app = opened("masking", masking_kind="permutation")
    assert by_key(app.text_input, "masking_order-shown").value == "4, 2, 7, 3"
