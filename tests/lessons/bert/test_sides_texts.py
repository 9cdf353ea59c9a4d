"""What the picture of both sides says, for gaps at every word of several texts."""

import pytest
import torch

from drawing.live import LiveNumbers, quoted
from lessons.bert import bert_state, sides_text, sides_view
from lessons.bert.bert_questions import sides_questions
from lmcore.masked_lm import both_sides
from lmcore.numbers import format_number

TEXTS = (
    "the animal didn't cross the street because it was too tired.",
    "the [MASK] didn't cross the street.",
    "the wolf that follows the rabbits is happy.",
)
CASES = [(text, at) for text in TEXTS for at in range(1, 8)]


def scene_of(text, at):
    scene = bert_state.fill_in_state("encoder", text, str(at))
    trace = both_sides.read_sides(scene.network, scene.text, sides_view.gap_of(scene))
    return scene, trace, sides_view.words_of(scene, trace)


@pytest.mark.parametrize(("text", "at"), CASES)
def test_the_sentence_is_of_the_tokens_that_are_read(text, at):
    scene, trace, words = scene_of(text, at)
    own, q = words.own_id, trace.log_q.exp()
    for read, template in enumerate(sides_text.sentences(trace, words)):
        live = sides_view.slider_numbers(scene, trace, words, read)
        said = live.fill(template)
        assert f"=={format_number(float(q[read, own]))}==" in said
        if read == trace.after > 0:
            goes = "rises" if q[-1, own] > q[0, own] else "falls"
            assert f"{goes} from {format_number(float(q[0, own]))} to" in said
        elif read:
            assert f"as far as “{quoted(scene.text.tokens[trace.place + read])}”" in said
        elif int(q[0].argmax()) == own:
            assert "is likeliest" in said
        else:
            best = scene.word(int(q[0].argmax()))
            assert f"likeliest is “{best}”, {format_number(float(q[0].max()))}" in said


@pytest.mark.parametrize(("text", "at"), CASES)
def test_the_lists_have_the_likeliest_words_and_the_one_that_is_followed(text, at):
    scene, trace, words = scene_of(text, at)
    drawn = sides_view.sides_picture(scene, trace, words, asked=False)
    best = [scene.word(int(row.argmax())) for row in (trace.log_q[0], trace.log_q[-1])]
    assert drawn["left"][0]["word"] == best[0]
    assert drawn["right"][0]["word"] == best[1]
    assert [each["word"] for each in drawn["right"] if each["own"]] == [words.own]
    names = sides_view.slider_numbers(scene, trace, words, 0).names
    assert {bar["q"] for side in ("left", "right") for bar in drawn[side]} <= set(names)
    assert len(drawn["titles"]) == trace.after + 1


def test_the_numbers_of_the_left_alone_stay_where_the_others_follow_the_slider():
    scene, trace, words = scene_of(TEXTS[0], 6)
    live = sides_view.slider_numbers(scene, trace, words, trace.after)
    assert isinstance(live, LiveNumbers)
    (rows,) = live.table
    at = live.names.index
    assert (rows[:, at("left0 street")] == rows[0, at("left0 street")]).all()
    assert torch.allclose(
        torch.from_numpy(rows[:, at("q0 street")].copy()), trace.log_q[:, words.own_id].exp()
    )


@pytest.mark.parametrize(("text", "at"), CASES)
def test_the_answer_is_the_probability_from_both_sides_and_among_the_options(text, at):
    _, trace, words = scene_of(text, at)
    *asked, looks = sides_questions(trace, words)
    assert looks.answer == pytest.approx(float(trace.shares()[-1, 1]))
    for question in asked:
        both = float(trace.log_q[-1, words.own_id].exp())
        assert float(question.answer) == pytest.approx(both, rel=0.06)
        assert question.answer in question.options and len(set(question.options)) == 3
        assert bert_state.AFTER in question.hides
