"""The picture of softmax, against the exponentials themselves."""

import math

import pytest
import torch

import ui
from lessons.networks import shares_text, shares_view
from lessons.networks.networks_questions import share_questions
from lessons.networks.shares_view import Scores


def filled(live, scores):
    return live.fill(shares_text.sentences(scores)[int(live["@say"])])


def test_the_bars_are_the_exponentials_and_the_shares_their_parts():
    live = shares_view.live_numbers(Scores((2.0, 1.0, 0.0), (2.0, 1.0, 0.0)))
    bars = [math.exp(z) for z in (2, 1, 0)]
    assert [live[f"e{k}"] for k in (1, 2, 3)] == pytest.approx(bars)
    assert live["total"] == pytest.approx(sum(bars))
    shares = [live[f"p{k}"] for k in (1, 2, 3)]
    assert shares == pytest.approx([each / sum(bars) for each in bars])
    assert sum(shares) == pytest.approx(1)


def test_what_the_last_beat_says_is_so():
    beat = ui.lesson("networks").beats[18]
    live = shares_view.live_numbers(Scores((2.0, 1.0, 2.0), (2.0, 1.0, 0.0)))
    assert live.fill("**falls** from {q1} to {p1},") in beat.say


@pytest.mark.parametrize(
    ("now", "was", "words"),
    [
        ((2, 1, 0), (2, 1, 0), "the scores 2, 1, 0 share one whole as ==0.6652==, 0.2447"),
        ((2, 1, 2), (2, 1, 0), "z₃ goes from 0 to 2: class 1 falls from 0.6652 to ==0.4223=="),
        ((2, 1, -2), (2, 1, 0), "z₃ goes from 0 to −2: class 1 rises from 0.6652 to ==0.7214=="),
        ((0, 1, 0), (2, 1, 0), "z₁ goes from 2 to 0: class 2 rises from 0.2447"),
        ((2, 2.5, 0), (2, 1, 0), "z₂ goes from 1 to 2.5: class 1 falls from 0.6652"),
        ((0, 0, 0), (2, 1, 0), "the scores 0, 0, 0 share one whole as ==0.3333=="),
    ],
)
def test_the_sentence_is_that_of_the_scores(now, was, words):
    scores = Scores(tuple(map(float, now)), tuple(map(float, was)))
    assert words in filled(shares_view.live_numbers(scores), scores)


def test_along_a_slider_the_sentence_says_which_way_the_other_class_goes():
    scores = Scores((2.0, 1.0, 0.0), (2.0, 1.0, 0.0))
    live = shares_view.live_numbers(scores)
    table, positions = live.table[2], live.sliders[2].positions
    say, p1 = (table[:, live.names.index(name)] for name in ("@say", "p1"))
    for z, row, share in zip(positions, say, p1, strict=True):
        sentence = shares_text.sentences(scores)[int(row)]
        way = "" if z == 0 else "class 1 falls" if share < live["p1"] else "class 1 rises"
        assert way in sentence and (z != 0 or "share one whole" in sentence)
    assert positions[0] == shares_view.LOWEST and positions[-1] == shares_view.HIGHEST


def test_the_answer_is_computed():
    (asked,) = share_questions((2.0, 1.0, 0.0))
    z = torch.tensor([2.0, 1.0, 2.0], dtype=torch.float64)
    assert asked.answer == "it falls" and f"{float(z.softmax(0)[0]):.4f}" in asked.because
