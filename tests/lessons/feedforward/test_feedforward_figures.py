"""The figures of the feedforward page show the numbers they are given, and say them."""

import pytest
import torch

from lessons.feedforward import figures, picture
from lessons.feedforward.picture import LETTERS
from lmcore.embeddings import drift
from lmcore.embeddings.pipeline import trace_pipeline
from lmcore.evaluation.contexts import ContextResult
from lmcore.shipped.models import load_shipped

BOUNDS = {"uniform guessing, ln |V|": 5.6, "floor with 3 words": 0.82, "grammar's entropy": 0.71}
FOUND = (ContextResult("3-gram", 2, 1.0, 1.4, 1.3), ContextResult("Network", 2, 0.9, 1.35, 1.3))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_curves_are_those_recorded_and_the_levels_are_drawn(mode):
    learned, frozen = drift.load_recorded("learned"), drift.load_recorded("frozen")
    chart = figures.freezing(learned, frozen, BOUNDS, mode)
    assert list(chart.data[0].y) == learned.losses.tolist()
    assert list(chart.data[1].y) == frozen.losses.tolist()
    assert [shape.y0 for shape in chart.layout.shapes] == list(BOUNDS.values())
    assert chart.data[0].line.dash != chart.data[1].line.dash
    assert "E learned ends at" in figures.describe_freezing(learned, frozen, BOUNDS)


def test_models_stand_over_the_words_they_see():
    rows = [(each.name, each.seen, each.ratio) for each in FOUND]
    chart = figures.floor_comparison(rows, {2: 1.3}, "light")
    ngram, network = chart.data[1:]
    assert (list(ngram.y), list(network.y)) == ([1.4], [1.35])
    assert ngram.marker.symbol != network.marker.symbol
    assert abs(ngram.x[0] - 2) < 0.3
    assert "3-gram: 1.4, floor 1.3" in figures.describe_floors(rows, {2: 1.3})


def test_the_notice_names_the_nearer_to_the_floor():
    chances = [("3-gram", 0.6, 0.06), ("Network", 0.7, 0.4), ("truth", 0.7, 0.7)]
    said = " ".join(figures.fed_notice(FOUND, chances, 0.25))
    assert "Network is nearer" in said
    assert "gives “fed” 0.06, the network 0.4 (after “cat gets”: 0.7)" in said
    assert "cos(E[cat], E[dog]) is 0.25" in said


def test_whether_the_finding_of_the_paper_is_found_is_said_by_the_numbers():
    said = figures.measured_in_words(FOUND, 100, 10)
    assert "It is better here too" in said and "its perplexity is 1.35" in said
    worse = (FOUND[0]._replace(ratio=1.31), FOUND[1])
    assert "not better here" in figures.measured_in_words(worse, 100, 10)
    assert "(3-gram) 1.31." in figures.measured_in_words(worse, 100, 10)


@pytest.mark.parametrize("deck", LETTERS)
def test_equation_table_and_picture_have_the_letters_of_one_deck(deck):
    model, letters = load_shipped("feedforward")[0], LETTERS[deck]
    trace = trace_pipeline(model, torch.tensor(model.vocabulary.read("the dog sleeps")))
    steps = picture.pipeline_steps(model, trace, 2, letters)
    symbols = [step.symbol for step in steps]
    assert symbols[1] == letters.side_by_side and symbols[3] == letters.hidden
    assert steps[2].formula == letters.sum and steps[4].formula == letters.output_sum
    heads = picture.headings(model, trace, letters)
    assert heads["concatenated"][0].startswith(f"{letters.side_by_side}: side by side, 1 × 192")
    assert letters.sum in heads["pre_activation"][0]
    assert heads["outcome"][0] == f"softmax({letters.output_sum}), 1 × 282"
    formula = picture.equation(model, trace, deck)
    plain = formula.replace("_1", "₁").replace("_2", "₂")
    assert letters.sum in plain and letters.output_sum in plain
    assert f"{letters.hidden} = " in formula


def test_no_letter_of_a_deck_stands_for_two_things():
    for letters in LETTERS.values():
        _, _, _, *own = letters
        own = [letter for letter in own if letter]
        assert len(set(own)) == len(own)


def test_a_word_is_named_with_its_neighbours_in_both_embeddings():
    model = load_shipped("feedforward")[0]
    own, other = picture.near_rows(model, drift.load_recorded("learned"), "cat")
    assert len(own) == len(other) == 6
    assert "cat" not in [word for word, _ in own + other]
    with pytest.raises(ValueError, match=r"the word must be one of the 282 .*; got 'zebra'"):
        picture.near_rows(model, drift.load_recorded("learned"), "zebra")


def test_the_shapes_of_the_steps_are_those_of_the_tensors():
    model = load_shipped("feedforward")[0]
    trace = trace_pipeline(model, torch.tensor(model.vocabulary.read("the dog sleeps")))
    steps = picture.pipeline_steps(model, trace, 2)
    assert [step.shape for step in steps] == [
        "3 × 64", "1 × 192", "1 × 128", "1 × 128", "1 × 282", "1 × 282",
    ]  # fmt: skip


def test_the_picture_says_what_is_seen_and_what_cannot_count():
    model = load_shipped("feedforward")[0]
    trace = trace_pipeline(model, torch.tensor(model.vocabulary.read("today the dog sleeps")))
    said = picture.notice(model, trace, 3)
    assert "the model sees 3, `today the dog`" in said[0]
    assert "The text goes on with `sleeps`" in said[1]
    assert "does not depend on the 1 earlier token." in said[2]
    assert len(picture.notice(model, trace, 4)) == 2


def test_words_end_up_nearer_to_their_own_group_than_they_began():
    record = drift.load_recorded("learned")
    begin, end = picture.own_nearest(record, 0), picture.own_nearest(record, -1)
    assert begin < end <= len(picture.WORDS)
    assert f"it is {end}" in picture.drift_notice(record)[0]
