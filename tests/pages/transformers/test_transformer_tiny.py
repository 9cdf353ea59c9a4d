"""The view One screen of the Transformer page: a model with 244 weights, trained and edited."""

from functools import cache

import numpy as np
import pytest
from test_screen import by_key, choose, drawn, fine, held, opened, put, said

from lmcore.numbers import format_number
from lmcore.transformer import tiny


def page(**address):
    return fine(opened("transformer", see="One screen", **address))


def words(app):
    return said(app).replace("**", "").replace("\\", "").replace("==", "")


def picture(app):
    return drawn(app, "tiny-tiny")


def recorded(app):
    """The weights and numbers at every recorded step, from both parts of the payload."""
    data = picture(app)
    return np.frombuffer(data["early"] + data["late"], "<f4").reshape(101, -1)


@cache
def run(edits="", seed=tiny.SEED, rate=tiny.RATE):
    return tiny.train_tiny(seed, rate, tiny.parse_edits(edits))


def chances(text, step, edits=""):
    return tiny.trace_tiny(run(edits).weights[step // 2], tiny.tiny_ids(text)).p


@pytest.mark.parametrize(
    ("step", "says"), [(200, "right: p(runs)"), (84, "No word is clearly the most probable yet")]
)
def test_the_sentence_has_the_probability_and_the_weight_of_the_first_word(step, says):
    shown = words(page(tiny_step=str(step)))
    trace = tiny.trace_tiny(run().weights[step // 2], tiny.tiny_ids("cat near cats runs"))
    p, alpha = float(trace.p[2, 3]), float(trace.alpha[2, 0])
    assert says in shown
    assert f"p(runs) = {format_number(p)}; α to the first word is {format_number(alpha)}" in shown


def test_both_sliders_have_the_numbers_of_the_run_and_of_the_sweep():
    data = drawn(page(tiny_step="84"), "tiny-sliders")
    step, weight = data["sliders"]
    assert step["positions"].tolist() == list(range(0, 201, 2))
    assert weight["label"] == "P[3, 1]"
    names = [data["names"][column] for column in step["columns"]]
    table = step["table"].reshape(101, -1)
    np.testing.assert_allclose(table[:, names.index("loss")], run().losses.mean(dim=-1))
    np.testing.assert_allclose(table[:, names.index("l2")], run().losses[:, 1])
    names = [data["names"][column] for column in weight["columns"]]
    table = weight["table"].reshape(61, -1)
    for place in (0, 17, 60):
        row = run().weights[42].clone()
        row[tiny.parse_place("P[3,1]").offset] = weight["positions"][place]
        wanted = tiny.trace_tiny(row, tiny.tiny_ids("cat near cats runs")).p[2, 3]
        assert table[place, names.index("p")] == pytest.approx(float(wanted), rel=1e-9)
        losses = tiny.sentence_losses(row)
        assert table[place, names.index("loss")] == pytest.approx(float(losses.mean()), rel=1e-9)


def test_an_edit_in_the_address_is_trained_from_and_taken_back():
    edits = "40:WQ[1,1]=2;200:P[3,1]=0"
    app = page(tiny_edits=edits)
    assert picture(app)["edits"] == ["40 WQ[1,1]", "200 P[3,1]"]
    rows = recorded(app)
    np.testing.assert_array_equal(rows[:, :244], run(edits).weights.float())
    app = fine(by_key(app.button, "tiny-undo").click().run())
    assert held(app, "tiny_edits", "") == "40:WQ[1,1]=2"
    app = fine(by_key(app.button, "tiny-forget").click().run())
    assert held(app, "tiny_edits", "") == ""
    assert by_key(app.button, "tiny-undo").disabled
    rows = recorded(app)
    np.testing.assert_array_equal(rows[:, :244], run().weights.float())


def test_an_edit_leaves_the_rows_before_its_step_as_they_were_sent():
    app = page(tiny_edits="40:WQ[1,1]=2; 160:P[3,1]=0")
    before = picture(app)
    after = picture(fine(put(app, {"tiny_edits": "40:WQ[1,1]=2; 160:P[3,1]=1"})))
    assert after["early"] == before["early"]
    assert after["late"] != before["late"]
    assert len(after["early"]) == 80 * 4 * after["size"]


def test_without_the_first_number_of_its_row_of_p_the_third_word_is_taken_for_the_first():
    app = fine(choose(opened("transformer"), "preset-shown", "One number of P"))
    p = chances("cat near cats runs", 200, "200:P[3,1]=0")[2]
    assert tiny.WORDS[int(p.argmax())] == "near"
    assert f"continues with near, wrong: p(runs) = {format_number(float(p[3]))}" in words(app)


def test_the_examples_show_the_verb_before_and_after_it_is_learnt():
    before, after = (chances("cat near cats runs", step)[2, 3] for step in (84, 104))
    assert before < 0.6
    assert after > 0.95
    app = fine(choose(opened("transformer"), "preset-shown", "It learns to attend"))
    assert f"p(runs) = {format_number(float(before))}" in words(app)


def test_own_words_are_followed_and_their_next_word_is_not_known():
    app = page(tiny_text="own", tiny_own="cats near cat .", tiny_place="1")
    data = picture(app)
    assert (data["tokens"], data["right"]) == (["cats", "near", "cat", "."], [-1] * 4)
    p = float(chances("cats near cat .", 200)[0].max())
    assert f"“cats” continues with near: p = {format_number(p)}." in words(app)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ({"tiny_edits": "41: WQ[1,1] = 2"}, "the step of an edit must be one of 0, 2, …, 200"),
        ({"tiny_edits": "40: WQ[1,7] = 2"}, "the column of WQ must be from 1 to 4; got 7"),
        ({"tiny_weight": "W"}, "a weight must be a matrix, row and column"),
        ({"tiny_eta": "7"}, "the learning rate η must be from 0 to 1; got 7"),
        ({"tiny_seed": "x"}, "the seed must be a whole number"),
        ({"tiny_place": "0"}, "the word must be from 1 to 4; got 0"),
        ({"tiny_text": "own", "tiny_own": "cat dog"}, "a word must be one of cat, cats, near"),
        ({"tiny_step": "300"}, "tiny_step in the address must be a whole number from 0 to 200"),
    ],
)
def test_what_cannot_be_is_refused_and_the_example_stays(address, says):
    app = page(**address)
    assert any(says in error.value.replace("\\", "") for error in app.error)
    assert picture(app)["tokens"] == ["cat", "near", "cats", "runs"]


def test_another_seed_and_another_rate_are_another_run():
    app = page(tiny_seed="7", tiny_eta="0.05")
    rows = recorded(app)
    np.testing.assert_array_equal(rows[:, :244], run("", 7, 0.05).weights.float())


def test_a_refused_edit_leaves_the_last_run():
    app = page(tiny_edits="40:WQ[1,1]=2")
    before = recorded(app)
    app = fine(put(app, {"tiny_edits": "40:WQ[1,1]=1000"}))
    assert any("from -100 to 100; got 1000" in each.value.replace("\\", "") for each in app.error)
    np.testing.assert_array_equal(recorded(app), before)
