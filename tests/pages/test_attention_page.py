"""The Attention page: every number that it sends is the tensor's; settings, also invalid ones."""

import math

import numpy as np
import pytest
import streamlit as st
import torch
import torch.nn.functional as F
from test_screen import by_key, choose, drawn, fine, opened, put, said, told

import ui
from drawing.events import guarded
from lmcore.attention import step_table
from lmcore.attention.step_table import compute_step_table
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.numbers import format_number
from lmcore.pretrained.reading import VocabularyModel
from lmcore.vocabulary import Vocabulary
from ui import pretrained

LESSON = ui.lesson("attention")
PRESETS = {preset.label: preset for preset in LESSON.presets}
needs_the_encoder = pytest.mark.skipif(
    pretrained.WHEEL not in pretrained.available_models(), reason="the encoder is not installed"
)


TABLE = {"see": "Step by step"}


def flow(app):
    """The data of the main picture."""
    return drawn(app, "attention-flow")


def numbers(app):
    """Every number of the main picture, by name."""
    data = flow(app)
    return dict(zip(data["names"], data["now"].tolist(), strict=True))


def sentence(app):
    """The finding, with its numbers filled in."""
    live = ui.LiveNumbers("a", tuple(flow(app)["names"]), flow(app)["now"])
    return live.fill(told(flow(app))["sentences"][0])


def picture(app):
    """The data of the table of every number."""
    return drawn(app, "attention-attention")


def good(app):
    return app.session_state["attention-good"]


def on_screen(app):
    """Every number of the table, and whether it is hidden, by what a press on it opens."""
    data = picture(app)
    values = dict(zip(data["names"], data["now"].tolist(), strict=True))
    found = {}
    for block in data["blocks"]:
        for part in ("top", "rows", "foot"):
            for name, opens, hidden in [cell for row in block[part] for cell in row]:
                found[opens or name] = (values[name], hidden)
    return found


def tensors(app):
    """The tensor behind each stage."""
    given, table = good(app).inputs, compute_step_table(good(app).inputs, good(app).config)
    at = good(app).view.query - 1
    return {
        "x": given.inputs, "q": given.query, "k": given.key, "v": given.value,
        "score": table.scores, "scaled": table.scaled, "masked": table.masked,
        "exp": table.exponentials, "weight": table.weights, "context": table.context,
        "weighted": table.weights[at][:, None] * given.value,
    }  # fmt: skip


def lines(app):
    data = picture(app)
    live = ui.LiveNumbers("a", tuple(data["names"]), data["now"])
    return [live.fill(line["text"]) for line in data["lines"]]


def errors(app):
    return " ".join(error.value.replace("\\", "") for error in app.error)


def test_the_page_opens_on_the_slides_numbers():
    app = fine(opened("attention"))
    assert not app.error
    shown = {name: format_number(value) for name, value in numbers(app).items()}
    for name, text in {
        "q1": "7", "k2.3": "7", "s1": "112", "s2": "96", "a1": "14", "a2": "12", "w1": "0.8808",
        "w2": "0.1192", "v1.2": "4", "u1.1": "2.642", "z1": "2.881", "z2": "3.881", "z3": "2.358",
        "gap": "16", "apart": "2", "ratio": "7.389", "n2": "1.125×10⁻⁷",
    }.items():  # fmt: skip
        assert shown[name] == text, name
    data = flow(app)
    assert data["tokens"] == ["Thinking", "Machines"] and data["query"] == 0
    assert data["products"] == ["63 + 40 + 9", "35 + 40 + 21"]
    assert (data["best"], data["second"], data["marked"]) == (0, 1, "w1")
    assert data["whole"] == [3, 3] and shown["d_k"] == "64"
    assert sentence(app) == (
        "“Thinking” looks most at itself: 0.8808. Scores 16 apart, ÷ 8, are 2 apart: weights "
        "7.389 to 1."
    )
    assert "z₁ = 0.8808·v₁ + 0.1192·v₂" in said(app)


def test_the_table_opens_on_the_slides_numbers():
    app = fine(opened("attention", **TABLE))
    shown = {name: format_number(value) for name, (value, _) in on_screen(app).items()}
    for cell, text in {
        "score 1 1": "112", "score 1 2": "96", "scaled 1 1": "14", "scaled 1 2": "12",
        "weight 1 1": "0.8808", "weight 1 2": "0.1192",
    }.items():  # fmt: skip
        assert shown[cell] == text
    assert lines(app)[0] == "z₁ = 0.8808·v₁ + 0.1192·v₂"
    assert lines(app)[1:] == ["s₁₂ = q₁ · k₂ = 7·5 + 5·8 + 3·7", "= 35 + 40 + 21 = 96"]
    assert picture(app)["tokens"] == ["Thinking", "Machines"]
    assert "61 more that are all 0" in said(app)


@pytest.mark.parametrize("label", PRESETS)
def test_every_number_of_the_picture_is_that_of_its_tensor(label):
    app = fine(opened("attention", **LESSON.address(PRESETS[label]) | {"see": "Picture"}))
    assert not app.error
    stages, at, met = tensors(app), good(app).view.query - 1, set()
    undivided = compute_step_table(good(app).inputs, step_table.unscaled_config(good(app).config))
    row = {
        "q": stages["q"][at], "s": stages["score"][at], "a": stages["scaled"][at],
        "e": stages["exp"][at], "w": stages["weight"][at], "z": stages["context"][at],
        "n": undivided.weights[at],
    }  # fmt: skip
    matrix = {"k": stages["k"], "v": stages["v"], "u": stages["weighted"]}
    for name, value in numbers(app).items():
        letter, place = name[0], name[1:]
        if "." in place and letter in matrix:
            i, j = place.split(".")
            assert value == float(matrix[letter][int(i) - 1, int(j) - 1]), name
        elif place.isdecimal() and letter in row:
            # A number that is divided and multiplied again may be off by rounding.
            assert value == pytest.approx(float(row[letter][int(place) - 1]), rel=1e-9), name
        else:
            continue
        met.add(letter)
    assert met == {*row, *matrix}
    data = flow(app)
    mask = good(app).config.seen(len(data["tokens"]))
    assert data["closed"] == (
        [False] * len(data["tokens"]) if mask is None else (~mask[at]).tolist()
    )


@pytest.mark.parametrize("label", PRESETS)
@pytest.mark.parametrize("mode", ["query", "matrix"])
def test_every_number_of_every_preset_is_that_of_its_tensor(label, mode):
    address = LESSON.address(PRESETS[label]) | TABLE | {"attention_mode": mode}
    app = fine(opened("attention", **address))
    assert not app.error
    stages, met = tensors(app), 0
    for opens, (value, hidden) in on_screen(app).items():
        if opens in ("sum", "total"):
            continue
        stage, i, j = opens.split()
        tensor = float(stages[stage][int(i) - 1, int(j) - 1])
        assert value == tensor and format_number(value) == format_number(tensor), opens
        met += 1
        if hidden and stage == "masked":
            assert value == -math.inf
        if hidden and stage == "weight":
            assert value == 0
    length = len(good(app).inputs.tokens)
    assert met >= 4 * length * (1 if mode == "query" else length)


@pytest.mark.parametrize("label", PRESETS)
def test_the_output_of_every_preset_is_torchs(label):
    app = fine(opened("attention", **LESSON.address(PRESETS[label])))
    given, how = good(app).inputs, good(app).config
    theirs = F.scaled_dot_product_attention(
        given.query, given.key, given.value, attn_mask=how.seen(len(given.tokens)),
        scale=1 / how.divisor,
    )  # fmt: skip
    torch.testing.assert_close(tensors(app)["context"], theirs)


@pytest.mark.parametrize(
    ("d_k", "weights"),
    [
        ("16", ("0.9820", "0.01799")),
        ("64", ("0.8808", "0.1192")),
        ("256", ("0.7311", "0.2689")),
        ("512", ("0.6698", "0.3302")),
    ],
)
def test_d_k_moves_the_weights_and_the_hand_gets_the_same(d_k, weights):
    app = fine(opened("attention", attention_d_k=d_k, **TABLE))
    shown, pictured = on_screen(app), numbers(app)
    assert [format_number(shown[f"weight 1 {j}"][0]) for j in (1, 2)] == list(weights)
    assert [format_number(pictured[f"w{j}"]) for j in (1, 2)] == list(weights)
    assert shown["score 1 1"][0] == pictured["s1"] == 112
    # The same position of the slider, on the page as it opens.
    first = fine(opened("attention"))
    slider = drawn(first, "attention-sliders")["sliders"][0]
    names = flow(first)["names"]
    row = slider["positions"].tolist().index(float(d_k))
    columns = len(slider["columns"])
    moved = slider["table"][row * columns : (row + 1) * columns]
    at = slider["columns"].index(names.index("w1"))
    assert format_number(float(moved[at])) == weights[0]
    assert names.index("s1") not in slider["columns"]


def test_a_slider_moves_the_table_and_the_picture_together():
    app = fine(opened("attention", **TABLE))
    slider = drawn(app, "attention-sliders")["sliders"][0]
    names = flow(app)["names"]
    assert names == picture(app)["names"] == drawn(app, "attention-steps")["names"]
    assert {names.index("w1"), names.index("w1.1")} <= set(slider["columns"])


def test_what_the_hand_moves_is_told_in_a_sentence():
    app = fine(opened("attention"))
    live = ui.LiveNumbers("a", tuple(flow(app)["names"]), flow(app)["now"])
    for name, label, value in (("d_k", "d_k", "64"), ("temperature", "τ", "1")):
        template = flow(app)["moved"].replace("{moved", f"{{{name}").replace("{label}", label)
        assert live.fill(template).startswith(
            f"You moved **{label}** from {value} to =={value}==: "
        )


def test_a_cell_that_is_pressed_is_multiplied_out(monkeypatch):
    real, told = ui.picture, {}

    def stand_in(kind, live, how, on_event=None):
        real(kind, live, how, on_event=on_event)
        st.button("press", key="press", on_click=lambda: guarded(on_event)(dict(told)))

    monkeypatch.setattr(ui, "picture", stand_in)
    app = opened("attention", **TABLE)
    told["cell"] = "weight 1 1"
    fine(app.button(key="press").click().run())
    assert lines(app)[-2] == "= 1 ÷ 1.135 = 0.8808"
    assert app.query_params["attention_cell"] in ("weight 1 1", ["weight 1 1"])
    told["cell"] = "score 2 1"
    fine(app.button(key="press").click().run())
    assert good(app).view.query == 2 and lines(app)[1].startswith("s₂₁ = q₂ · k₁")
    told["cell"] = "v 1 2"
    fine(app.button(key="press").click().run())
    assert good(app).view.query == 2 and lines(app)[1].startswith("v₁[2]")
    told.clear()
    told["query"] = 1
    fine(app.button(key="press").click().run())
    assert good(app).view.query == 1
    for nonsense in ("weight", "a b c d", 7):
        told.clear()
        told["cell"] = nonsense
        fine(app.button(key="press").click().run())
        assert not app.error and good(app).view.query == 1


def test_a_word_that_is_pressed_asks(monkeypatch):
    real = ui.main_picture

    def stand_in(kind, live, how, told, *, on_event=None):
        real(kind, live, how, told, on_event=on_event)
        st.button("press", key="press", on_click=lambda: on_event({"query": 2}))

    monkeypatch.setattr(ui, "main_picture", stand_in)
    app = opened("attention")
    fine(app.button(key="press").click().run())
    assert good(app).view.query == 2 and flow(app)["query"] == 1
    assert app.query_params["attention_query"] in ("2", ["2"])
    assert [format_number(numbers(app)[name]) for name in ("s1", "s2")] == ["74", "82"]
    assert sentence(app).startswith("“Machines” looks most at itself: 0.7311. Scores 8 apart")


@pytest.fixture
def slider(monkeypatch):
    """A function that types a value at a slider, as if the user released the slider there."""
    real, told = ui.sliders, {}

    def stand_in(live, *, on_settled):
        real(live, on_settled=on_settled)
        st.button("let go", key="let-go", on_click=lambda: on_settled(dict(told)))

    monkeypatch.setattr(ui, "sliders", stand_in)

    def let_go(app, name, typed):
        told.update(name=name, typed=typed)
        return fine(app.button(key="let-go").click().run())

    return let_go


def test_sliders_settle_in_the_address(slider):
    app = slider(opened("attention"), "d_k", "256")
    assert app.session_state["attention_d_k"] == "256"
    assert app.query_params["attention_d_k"] in ("256", ["256"])
    slider(app, "temperature", "0.5")
    assert good(app).config.divisor == 8


@pytest.mark.parametrize(
    ("name", "typed", "reason"),
    [
        ("d_k", "0", "d_k must be from 1 to 512; got 0"),
        ("d_k", "2.5", "d_k must be a whole number"),
        ("temperature", "0", "the temperature must be from 0.1 to 10; got 0"),
        ("temperature", "", "the temperature must be a number"),
    ],
)
def test_what_is_typed_beside_a_slider_may_be_refused(slider, name, typed, reason):
    app = slider(opened("attention"), name, typed)
    assert reason in errors(app)
    assert good(app).config.d_k == 64 and good(app).config.temperature == 1


def test_without_the_scale_d_k_has_no_slider():
    app = fine(opened("attention", attention_scale="false", **TABLE))
    names = [each["name"] for each in drawn(app, "attention-sliders")["sliders"]]
    assert names == ["temperature"]
    assert on_screen(app)["scaled 1 1"][0] == numbers(app)["a1"] == 112
    assert "d_k has no effect" in said(app) and not flow(app)["scaled"]
    assert flow(app)["marked"] == "w2"
    assert sentence(app) == (
        "Not divided, scores 16 apart make weights 8.886×10⁶ to 1: “Machines” gets 1.125×10⁻⁷."
    )


def test_a_row_that_sees_nothing_is_0_and_says_why():
    app = fine(opened("attention", **LESSON.address(PRESETS["Sees nothing"]), **TABLE))
    shown = on_screen(app)
    assert sentence(app) == (
        "“the” sees no key: there is nothing to average, so every weight and z are 0."
    )
    assert flow(app)["closed"] == [True] * 5 and flow(app)["best"] == -1
    assert [numbers(app)[f"w{j}"] for j in range(1, 6)] == [0] * 5 and numbers(app)["z1"] == 0
    assert [shown[f"masked 1 {j}"][0] for j in range(1, 6)] == [-math.inf] * 5
    assert [shown[f"weight 1 {j}"][0] for j in range(1, 6)] == [0] * 5
    assert shown["context 1 1"][0] == 0
    assert "there is nothing to average" in said(app)
    sums = sum(shown[f"weight 3 {j}"][0] for j in range(1, 6))
    assert sums == pytest.approx(1)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"attention_words": "  "}, "there must be 1 to 16 words, separated by spaces; got none"),
        ({"attention_words": "one"}, "X must have 1 row, one for each word; got 2"),
        ({"attention_X": "1 0 2 1; 2 1 0"}, "row 2 of X must have 4 numbers, as row 1 has; got 3"),
        ({"attention_X": "1 0 2 1; 2 1 a 0"}, "row 2, column 3 of X must be a number"),
        ({"attention_WQ": "1 0; 2 1"}, "W^Q must have 4 rows, one for each column of X; got 2"),
        ({"attention_WK": "1; 2; 3; 4"}, "row 1 of W^K must have 3 numbers, as W^Q has; got 1"),
        ({"attention_WV": ""}, "W^V must have 4 rows"),
        ({"attention_from": "qkv", "attention_Q": "1; 2", "attention_K": "1; 2",
          "attention_V": "1"}, "V must have 2 rows, one for each word; got 1"),
        ({"attention_d_k": "1000"}, "d_k must be from 1 to 512; got 1000"),
        ({"attention_temperature": "99"}, "the temperature must be from 0.1 to 10; got 99"),
        ({"attention_hidden": "x"}, "hidden keys must be a whole number"),
        ({"attention_cell": "word 1 2"}, "the cell must be one of x, q, k, v, score"),
        ({"attention_query": "0"}, "the query must be 1 or more"),
        ({"attention_columns": "99"}, "columns shown must be from 1 to 16; got 99"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_wrong_is_refused_and_the_last_good_stays(settings, reason):
    app = opened("attention", attention_query="2", **TABLE)
    before = on_screen(app), numbers(app)
    fine(put(app, settings))
    assert reason in errors(app), errors(app)
    assert (on_screen(app), numbers(app)) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("attention_from", "thin air"),
        ("attention_mode", "all"),
        ("attention_mask", "random"),
        ("attention_scale", "maybe"),
        ("attention_model", "gone"),
        ("see", "Nothing"),
    ],
)
def test_an_address_that_asks_for_what_is_not_there_says_so(name, value):
    app = fine(opened("attention", **{name: value}))
    assert f"got '{value}'" in errors(app)
    assert flow(app)["tokens"] == ["Thinking", "Machines"]


def test_a_place_beyond_a_shorter_text_is_its_end():
    app = fine(opened("attention", attention_query="7", attention_cell="score 7 9"))
    assert not app.error
    assert good(app).view.query == 2 and good(app).view.cell == ("score", 2, 2)


STRANGE = ["<script>alert(1)</script>", "😀", "שלום", "**bold**", "[x](http://y)", "$a$", "é"]


@pytest.mark.parametrize("word", STRANGE)
@pytest.mark.parametrize("view", ["Step by step", "Saturation", "Similarities", "Code"])
def test_any_word_is_a_row_and_is_only_text(word, view):
    address = {"attention_words": f"Thinking {word}", "attention_query": "2", "see": view}
    app = fine(opened("attention", **address))
    assert not app.error
    assert flow(app)["tokens"][1] == word
    # The sentence escapes its markup characters, and Markdown escapes its own.
    assert f"“{ui.quoted(word[:17])}" in flow(app)["sentences"][0]
    asked = fine(opened("attention", **address, ask="weight")).markdown
    assert any(f"“{ui.escape_markdown(word)}”" in each.value for each in asked)


def test_words_in_braces_are_no_templates():
    app = fine(opened("attention", attention_words="{w1.1} {x", **TABLE))
    assert not app.error and picture(app)["tokens"] == ["{w1.1}", "{x"]
    assert flow(app)["sentences"][0].startswith("“\\{w1.1\\}” looks most at itself: =={w1}==")


def test_one_word_has_all_the_weight():
    one = {"attention_from": "qkv", "attention_words": "one", "attention_Q": "1",
           "attention_K": "2", "attention_V": "3"}  # fmt: skip
    app = fine(opened("attention", **one, **TABLE))
    assert on_screen(app)["weight 1 1"][0] == 1 and on_screen(app)["context 1 1"][0] == 3
    assert sentence(app) == "“one” sees only itself: it gets all the weight, 1."
    for view in ("Picture", "Saturation", "Similarities"):
        assert not fine(opened("attention", **one, see=view)).error


def test_a_long_text_is_cut_with_a_word_on_it():
    rows = ";".join(["1 2"] * 16)
    app = fine(opened("attention", attention_from="qkv", attention_words="word " * 700,
                      attention_Q=rows, attention_K=rows, attention_V=rows))  # fmt: skip
    assert not app.error
    assert len(flow(app)["tokens"]) == 16
    assert "room for 16 tokens" in said(app)


NUMBERS = {"see": "Words and numbers"}


def test_matrices_are_edited_a_row_a_line():
    app = fine(opened("attention", **NUMBERS))
    box = next(area for area in app.text_area if area.label == "X")
    assert box.value == "1 0 2 1\n2 1 0 1"
    fine(box.set_value("1 0 2 1\n0 0 0 0").run())
    assert app.session_state["attention_X"] == "1 0 2 1; 0 0 0 0"
    assert numbers(app)["s2"] == 0


def words_field(app):
    return next(field for field in app.text_input if field.label.startswith("Words"))


def test_more_words_bring_rows_of_their_own_and_that_is_said():
    app = fine(opened("attention", **NUMBERS))
    fine(words_field(app).set_value("Thinking Machines dream on").run())
    assert not app.error
    assert app.session_state["attention_X"] == "1 0 2 1; 2 1 0 1; 1 2 1 0; 0 1 2 1"
    assert flow(app)["tokens"] == ["Thinking", "Machines", "dream", "on"]
    assert "X: 2 new rows, each the row above it" in said(app)
    fine(words_field(app).set_value("Machines").run())
    assert app.session_state["attention_X"] == "1 0 2 1" and not app.error
    assert "X: the rows after 1 are gone." in said(app)
    typed = next(area for area in app.text_area if area.label == "X")
    fine(typed.set_value("9 9 9 9").run())
    assert "are gone" not in said(app)


def test_of_typed_q_k_and_v_each_grows_with_the_words():
    app = fine(opened("attention", attention_from="qkv", **NUMBERS))
    fine(words_field(app).set_value("a b c").run())
    assert not app.error and flow(app)["tokens"] == ["a", "b", "c"]
    rows = [app.session_state[f"attention_{name}"].split("; ")[2] for name in "QKV"]
    assert rows == ["5 3 4", "7 5 8", "5 2 3"]
    assert "Q, K and V: 1 new row" in said(app)


def test_words_leave_a_matrix_that_is_wrong_as_it_is():
    app = opened("attention", attention_X="1 0 2 1; 2 1 a 0", **NUMBERS)
    fine(words_field(app).set_value("one").run())
    assert "row 2, column 3 of X must be a number" in errors(app)
    assert app.session_state["attention_X"] == "1 0 2 1; 2 1 a 0"


def test_a_models_matrices_are_not_typed(models):
    app = of_model(model="bert", layer="1")
    assert "Words and numbers" not in by_key(app.button_group, "see-shown").options
    assert "2 other views: not with these settings" in said(app)
    (reason,) = [each.proto.help for each in app.caption if "not with these settings" in each.value]
    assert reason.startswith("- **Words and numbers**: Q, K and V are a model’s; choose X and W")
    app = fine(opened("attention", attention_from="model", see="Words and numbers"))
    assert "Words and numbers: not with these settings" in said(app) and not app.text_area


def test_similarities_with_and_without_a_softmax():
    soft = fine(opened("attention", see="Similarities"))
    table = drawn(soft, "table-attention-similarities")
    assert table["labels"] == ["dot", "scaled dot", "cosine", "additive"]
    rows = table["numbers"].reshape(4, -1)
    assert rows[1, :3] == pytest.approx((14, 12, 1))
    assert rows[1, 3:] == pytest.approx(
        compute_step_table(good(soft).inputs, good(soft).config).context[0]
    )
    assert rows[:, 2] == pytest.approx(np.ones(4))
    raw = fine(opened("attention", see="Similarities", attention_soft="false"))
    rows = drawn(raw, "table-attention-similarities")["numbers"].reshape(4, -1)
    assert rows[0, 2] == 208 and "no average" in said(raw)


def test_saturation_says_what_was_drawn():
    app = fine(opened("attention", see="Saturation"))
    assert "At d_k = 512 the variance of q·k is" in said(app)
    slopes = drawn(app, "table-attention-slopes")["numbers"].reshape(2, 4)
    assert slopes[0] == pytest.approx((0.880797, 0.104994, 1, 1.1254e-7), rel=1e-3)


def test_the_slides_code_is_run_fault_by_fault():
    app = fine(opened("attention", see="Slide code"))
    text = said(app).replace("\\", "")
    for words in ("No module named 'nn'", "no attribute 'dropout'", "It runs, over the batch"):
        assert words in text
    assert "class SelfAttention(nn.Module)" in text


@pytest.mark.parametrize(
    ("key", "asks", "answer"),
    [
        ("weight", "What is the weight of “Thinking”?", "0.8808"),
        ("wider", "d_k becomes 256", "0.7311"),
        ("shift", "Add 10 to every score", "0.8808"),
        ("output", "the first number of the output z", "2.881"),
    ],
)
def test_the_questions_are_computed_from_the_state(key, asks, answer):
    app = fine(opened("attention", ask=key))
    assert asks in said(app)
    hidden = flow(app)["hidden"]
    assert ("w1" in hidden) == (key == "weight") and ("z1" in hidden) == (
        key in ("weight", "output")
    )
    fine(app.button(key=f"reveal-{key}").click().run())
    assert f"It is **{answer}**" in said(app) and not flow(app)["hidden"]


@pytest.mark.parametrize(
    ("settings", "key", "reason"),
    [
        ({"attention_d_k": "512"}, "wider", "A smaller d_k means a smaller divisor"),
        ({"attention_d_k": "64"}, "wider", "A larger d_k means a larger divisor"),
        ({"attention_mask": "before"}, "weight", "hides every key from this query"),
        ({"attention_mask": "before"}, "output", "hides every key from this query"),
    ],
)
def test_the_reason_is_that_of_the_settings(settings, key, reason):
    app = fine(opened("attention", ask=key, **settings))
    assert reason in said(fine(app.button(key=f"reveal-{key}").click().run()))


def test_what_is_asked_for_is_on_the_picture_and_hidden():
    app = fine(opened("attention", ask="weight"))
    hidden, names = flow(app)["hidden"], flow(app)["names"]
    assert set(hidden) <= set(names)
    assert {"w1", "w2", "e2", "n1", "u2.3", "z3", "ratio"} <= set(hidden)
    beats = [beat for beat in LESSON.beats if beat.hide]
    views = {"Matrices": "matrices-matrices", "Four scores": "rulers-rulers"}
    for beat in beats:
        key = views.get(beat.settings.get("see", ""))
        if key is not None:
            app = fine(opened("attention", **LESSON.differs(beat.settings)))
            names = drawn(app, key)["names"]
        else:
            names = flow(fine(opened("attention")))["names"]
        assert set(beat.hide) <= set(names)


@pytest.mark.parametrize("label", PRESETS)
@pytest.mark.parametrize("key", ["weight", "wider", "shift", "output"])
def test_every_question_can_be_asked_of_every_preset(label, key):
    app = fine(
        opened("attention", **(LESSON.address(PRESETS[label]) | {"ask": key, "see": "Picture"}))
    )
    assert not app.error and app.button(key=f"reveal-{key}")


@pytest.mark.parametrize(("stage", "keys"), [("qkv", ["first"]), ("z", ["share", "mixed"])])
def test_what_the_matrices_ask_for_is_on_their_picture_and_hidden(stage, keys):
    at = {"see": "Matrices", "attention_stage": stage}
    for key in keys:
        app = fine(opened("attention", **at, ask=key))
        data = drawn(app, "matrices-matrices")
        assert app.button(key=f"reveal-{key}")
        assert data["hidden"] and set(data["hidden"]) <= set(data["names"])


def test_the_matrices_of_q_k_and_v_alone_begin_with_their_scores():
    app = fine(opened("attention", attention_from="qkv", see="Matrices"))
    assert drawn(app, "matrices-matrices")["stage"] == "z"
    assert not [each for each in app.button_group if each.key == "attention_stage"]


@pytest.mark.parametrize("label", PRESETS)
def test_the_code_prints_the_row_on_screen(label, capsys):
    app = fine(opened("attention", **LESSON.address(PRESETS[label]) | {"see": "Code"}))
    snippet = next(each.value for each in app.code if "trace = attention(" in each.value)
    exec(snippet, {})
    at = good(app).view.query - 1
    assert f"weights {tensors(app)['weight'][at].tolist()}" in capsys.readouterr().out
    assert "def attention(" in said(app)


def test_the_slide_is_put_right():
    app = fine(opened("attention"))
    assert len(app.expander) >= len(ui.contents.page("attention").errata)


def test_equal_scores_are_said_to_be_equal():
    app = fine(opened("attention", attention_from="qkv", attention_K="9 8 3; 9 8 3"))
    assert sentence(app) == (
        "“Thinking” looks most at itself: 0.5, and as much at “Machines”: the scores are equal."
    )


def test_what_the_mask_closes_is_closed_in_the_picture():
    app = fine(opened("attention", **LESSON.address(PRESETS["Causal mask"])))
    assert flow(app)["closed"] == [False] * 3 + [True] * 2
    assert flow(app)["mask"] == "closed: later keys"
    shown = numbers(app)
    assert (shown["w4"], shown["w5"]) == (0, 0) and shown["total"] == pytest.approx(1)
    padded = fine(opened("attention", attention_mask="padding"))
    assert flow(padded)["closed"] == [False, True]
    assert sentence(padded) == "“Thinking” sees only itself: it gets all the weight, 1."


@needs_the_encoder
@pytest.mark.parametrize(("last", "weight"), [("tired", 0.64), ("wide", 0.27)])
def test_the_real_heads_it_looks_at_the_animal(last, weight):
    app = fine(opened("attention", **LESSON.address(PRESETS[f"Real head: {last}"]), **TABLE))
    tokens = picture(app)["tokens"]
    assert (tokens[10], tokens[2], tokens[13]) == ("it", "animal", last)
    assert on_screen(app)["weight 11 3"][0] == pytest.approx(weight, abs=5e-3)
    assert "MiniLM, a real English encoder: layer 3 of 0 to 5, head 1 of 0 to 11" in said(app)
    assert "differ by at most" in said(app)


WORDS = Vocabulary(("<s>", "</s>", "<unk>", "[CLS]", "[SEP]", "the", "animal", "was", "tired"))
SMALL = TransformerConfig(len(WORDS), width=12, heads=2, layers=2, hidden=8, longest=32)
MODELS = {"bert": VocabularyModel("ours", BERT(SMALL, seed=1), WORDS),
          "gpt": VocabularyModel("ours too", GPT(SMALL, seed=1), WORDS)}  # fmt: skip


@pytest.fixture
def models(monkeypatch):
    monkeypatch.setattr(pretrained, "available_models", lambda: {"bert": "A BERT", "gpt": "A GPT"})
    monkeypatch.setattr(pretrained, "load", MODELS.__getitem__)


def of_model(**settings):
    named = {f"attention_{name}": value for name, value in settings.items()}
    defaults = {"attention_text": "the animal was tired", "attention_layer": "1"}
    return fine(opened("attention", attention_from="model", **TABLE, **(defaults | named)))


def test_a_models_head_is_the_models_own(models):
    app = of_model(model="bert", head="1", query="2")
    reading = MODELS["bert"].read("the animal was tired", most=16)
    with torch.no_grad():
        own = MODELS["bert"].network(reading.ids[None]).blocks[1].attention
    shown = on_screen(app)
    for j in range(len(reading.tokens)):
        weight = float(own.weights[0, 1, 1, j])
        assert shown[f"weight 2 {j + 1}"][0] == pytest.approx(weight, abs=1e-6)
    assert good(app).config.d_k == 6
    assert "A BERT: layer 1 of 0 to 1, head 1 of 0 to 1" in said(app)
    assert "measured here" in said(app)


def test_of_a_gpt_it_is_said_that_its_own_mask_is_causal(models):
    app = of_model(model="gpt", mask="causal")
    assert "The model itself uses the causal mask" in said(app)
    assert on_screen(app)["masked 1 2"][0] == -math.inf


def test_a_layer_that_a_model_has_not_is_its_last_and_that_is_said(models):
    app = of_model(model="bert", layer="7")
    assert not app.error
    assert "It has no layer 7 with a head 1; this is the nearest." in said(app)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"layer": "-1"}, "the layer must be 0 or more; got -1"),
        ({"head": "x"}, "the head must be a whole number"),
        ({"text": " "}, "the text must hold at least one token"),
        ({"model_d_k": "0"}, "d_k must be from 1 to 512; got 0"),
    ],
)
def test_what_a_model_cannot_is_refused(models, settings, reason):
    app = of_model(model="bert", **settings)
    assert reason in errors(app), errors(app)
    assert picture(app)["tokens"]


@pytest.mark.parametrize("text", ["the " * 100, "the " * 25_000], ids=["100", "25,000"])
def test_a_long_text_for_a_model_is_cut_and_that_is_said(models, text):
    app = fine(put(of_model(model="bert"), {"attention_text": text}))
    assert not app.error
    assert len(picture(app)["tokens"]) == 16
    assert "room for 16 tokens" in said(app)


@pytest.mark.parametrize("text", STRANGE)
def test_any_text_is_read_by_a_model(models, text):
    assert not of_model(model="bert", text=text).error


def test_d_k_of_a_model_is_a_setting_of_its_own(models, slider):
    app = slider(of_model(model="bert"), "d_k", "24")
    assert app.session_state["attention_model_d_k"] == "24"
    assert app.session_state["attention_d_k"] == LESSON.defaults["attention_d_k"]
    assert good(app).config.d_k == 24


def test_without_any_model_the_page_says_so_and_goes_on(monkeypatch):
    monkeypatch.setattr(pretrained, "available_models", dict)
    app = fine(opened("attention", attention_from="model"))
    assert not app.error
    assert "No model is installed here" in said(app)
    assert flow(app)["tokens"] == ["Thinking", "Machines"]


def test_a_server_that_is_set_up_badly_says_so(monkeypatch):
    def broken():
        raise ValueError("LMCORE_MODELS must be a folder; got 'x'")

    monkeypatch.setattr(pretrained, "available_models", broken)
    app = fine(opened("attention"))
    assert "LMCORE_MODELS must be a folder" in errors(app)
    assert flow(app)["tokens"] == ["Thinking", "Machines"]


def test_a_preset_is_marked_when_it_is_on_screen():
    app = choose(opened("attention"), "preset-shown", "Not scaled")
    assert by_key(app.button_group, "preset-shown").value == "Not scaled"
    assert numbers(app)["w2"] == pytest.approx(1.1254e-7, rel=1e-3)
    assert step_table.MASKS["causal"] == "Causal"


RULERS = {"see": "Four scores"}


def rulers(app):
    """The data of the picture of four scores."""
    return drawn(app, "rulers-rulers")


def ruler_numbers(app):
    data = rulers(app)
    return dict(zip(data["names"], data["now"].tolist(), strict=True))


@pytest.mark.parametrize("soft", ["true", "false"])
def test_the_four_scores_of_the_slide_stand_on_their_rulers(soft):
    app = fine(opened("attention", **RULERS, attention_soft=soft))
    assert not app.error
    found = ruler_numbers(app)
    assert [found[f"s0 {k}"] for k in range(2)] == [112, 96]
    assert [found[f"s1 {k}"] for k in range(2)] == [14, 12]
    assert found["w1 0"] == pytest.approx(0.880797, rel=1e-6)
    assert found["sum0"] == 208
    assert rulers(app)["soft"] is (soft == "true")
    said_there = told(rulers(app))["sentences"][0]
    assert said_there.startswith(
        "Softmax sees only" if soft == "true" else "The query of “Thinking”"
    )


@pytest.mark.parametrize(
    ("typed", "stored", "error"), [("1.25", "1.25", ""), ("20", "1", "from 0.1 to 10; got 20")]
)
def test_a_typed_length_of_the_key_is_stored_or_refused(slider, typed, stored, error):
    app = slider(opened("attention", **RULERS), "stretch", typed)
    assert app.session_state["attention_stretch"] == stored
    assert error in errors(app)
    assert ruler_numbers(app)["s0 1"] == 96 * float(stored)


@pytest.mark.parametrize("address", [{"attention_stretch": "0"}, {"attention_stretch": "long"}])
def test_a_length_that_is_none_is_refused_and_the_last_one_stays(address):
    app = fine(opened("attention", **RULERS, **address))
    assert ruler_numbers(app)["stretch"] == 1
    assert "the length must be" in errors(app)


def test_one_word_has_a_picture_of_four_scores():
    one = {"attention_from": "qkv", "attention_words": "one", "attention_Q": "1",
           "attention_K": "2", "attention_V": "3"}  # fmt: skip
    for soft in ("true", "false"):
        app = fine(opened("attention", **one, **RULERS, attention_soft=soft))
        assert not app.error and rulers(app)["pair"] == [0, 0]
