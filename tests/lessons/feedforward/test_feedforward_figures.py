"""The figures and texts of the Feedforward page show the numbers that they are given."""

import pytest
import torch

from lessons.feedforward import (
    feedforward_figures,
    feedforward_picture,
    feedforward_text,
    neighbours,
)
from lessons.feedforward.feedforward_figures import Grouped
from lessons.feedforward.notation import LETTERS, equation
from lmcore.embeddings import drift
from lmcore.embeddings.pipeline import trace_pipeline, unit_terms
from lmcore.evaluation.contexts import ContextResult
from lmcore.models import registry
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.registry import NeuralModel
from lmcore.shipped.models import load_shipped
from lmcore.vocabulary import Vocabulary

BOUNDS = {"uniform guessing, ln |V|": 5.6, "floor with 3 words": 0.82, "grammar's entropy": 0.71}
FOUND = (ContextResult("3-gram", 2, 1.0, 1.4, 1.3), ContextResult("Network", 2, 0.9, 1.35, 1.3))


GROUPED = Grouped([3, 9], [3, 3], 10)


def flow_of(text):
    model = load_shipped("feedforward")[0]
    trace = trace_pipeline(model, torch.tensor(model.vocabulary.read(text)))
    return feedforward_text.Flow(model, trace, unit_terms(model, trace))


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_curves_are_those_recorded_and_the_levels_are_drawn(mode):
    learned, frozen = drift.load_recorded("learned"), drift.load_recorded("frozen")
    grouped = neighbours.own_nearest_over(learned, frozen)
    chart = feedforward_figures.freezing(learned, frozen, grouped, BOUNDS, mode)
    assert list(chart.data[0].y) == learned.losses.tolist()
    assert list(chart.data[2].y) == frozen.losses.tolist()
    assert list(chart.data[1].y) == grouped.learned
    assert list(chart.data[3].y) == grouped.frozen
    assert [shape.y0 for shape in chart.layout.shapes] == list(BOUNDS.values())
    assert chart.data[0].line.dash != chart.data[2].line.dash
    described = feedforward_figures.describe_freezing(learned, frozen, grouped, BOUNDS)
    assert "E learned ends at" in described
    assert f"frozen, {grouped.frozen[-1]} throughout" in described


def test_what_freezing_costs_is_in_the_rows_and_not_in_the_loss():
    learned, frozen = drift.load_recorded("learned"), drift.load_recorded("frozen")
    grouped = neighbours.own_nearest_over(learned, frozen)
    assert len(set(grouped.frozen)) == 1 and grouped.learned[-1] > 2 * grouped.frozen[-1]
    assert float(frozen.losses[-1] - learned.losses[-1]) < 0.05
    said = " ".join(feedforward_figures.freezing_notice(learned, frozen, GROUPED, BOUNDS))
    assert "learned, 9 of 10 words" in said and "frozen, 3, as at the start" in said


def test_models_stand_over_the_words_they_see():
    rows = [(each.name, each.seen, each.ratio) for each in FOUND]
    chart = feedforward_figures.floor_comparison(rows, {2: 1.3}, "light")
    ngram, network = chart.data[1:]
    assert (list(ngram.y), list(network.y)) == ([1.4], [1.35])
    assert ngram.marker.symbol != network.marker.symbol
    assert abs(ngram.x[0] - 2) < 0.3
    assert "3-gram: 1.4, floor 1.3" in feedforward_figures.describe_floors(rows, {2: 1.3})


def test_the_notice_names_the_nearer_to_the_floor():
    chances = [("3-gram", 0.6, 0.06), ("Network", 0.7, 0.4), ("truth", 0.7, 0.7)]
    assert "Network is nearer" in " ".join(feedforward_figures.floor_notice(FOUND))
    said = " ".join(feedforward_figures.fed_notice(chances, 0.25))
    assert "3-gram gives “fed” 0.06, the network 0.4 (after “cat gets”: 0.7)" in said
    assert "cos(E[cat], E[dog]) is 0.25" in said


def test_whether_the_finding_of_the_paper_is_found_is_said_by_the_numbers():
    said = feedforward_figures.measured_in_words(FOUND, 100, 10)
    assert "It is better here too" in said and "its perplexity is 1.35" in said
    worse = (FOUND[0]._replace(ratio=1.31), FOUND[1])
    assert "not better here" in feedforward_figures.measured_in_words(worse, 100, 10)
    assert "(3-gram) 1.31." in feedforward_figures.measured_in_words(worse, 100, 10)


@pytest.mark.parametrize("deck", LETTERS)
def test_equation_table_and_picture_have_the_letters_of_one_deck(deck):
    model, letters = load_shipped("feedforward")[0], LETTERS[deck]
    trace = trace_pipeline(model, torch.tensor(model.vocabulary.read("the dog sleeps")))
    steps = feedforward_picture.pipeline_steps(model, trace, 2, letters)
    symbols = [step.symbol for step in steps]
    assert symbols[1] == letters.side_by_side and symbols[3] == letters.hidden
    assert steps[2].formula == letters.sum and steps[4].formula == letters.output_sum
    heads = feedforward_picture.flow_picture(model, trace, unit_terms(model, trace), letters)[
        "heads"
    ]
    assert heads["side"] == letters.side_by_side and heads["hidden"] == letters.hidden
    assert heads["weights"] == f"{letters.weights}, {letters.bias}"
    assert heads["output"] == f"{letters.output}, {letters.output_bias}"
    line = " ".join(feedforward_text.formulas(flow_of("the dog sleeps"), letters, asks=False)[2])
    assert letters.sum in line and f"softmax({letters.output_sum})" in line
    formula = equation(model, trace, deck)
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
    own, other = neighbours.near_rows(model, drift.load_recorded("learned"), "cat")
    assert len(own) == len(other) == 6
    assert "cat" not in [word for word, _ in own + other]
    with pytest.raises(ValueError, match=r"word 1 must be one of the 279 words .*; got 'zebra'"):
        neighbours.near_rows(model, drift.load_recorded("learned"), "zebra")


def test_the_shapes_of_the_steps_are_those_of_the_tensors():
    model = load_shipped("feedforward")[0]
    trace = trace_pipeline(model, torch.tensor(model.vocabulary.read("the dog sleeps")))
    steps = feedforward_picture.pipeline_steps(model, trace, 2)
    assert [step.shape for step in steps] == [
        "3 × 64", "1 × 192", "1 × 128", "1 × 128", "1 × 282", "1 × 282",
    ]  # fmt: skip


def test_the_sentence_says_what_is_seen_and_what_follows():
    ours = flow_of("the animal didn't cross the street because it was too tired")
    said = feedforward_text.sentences(ours, asks=False)
    assert said[10].startswith("From **it was too** alone the model gives **big** ==")
    assert said[10].endswith("The text goes on with **tired**: {pt}, rank {rank}.")
    assert said[8].endswith("The text indeed continues with **was**.")
    assert said[11].endswith("The text ends here.")


def test_where_the_winner_is_asked_for_no_text_names_it():
    ours = flow_of("the dog sleeps")
    for at in range(4):
        best = ours.best(at)[0]
        assert (
            best not in feedforward_text.sentences(ours, asks=True)[at].replace("model", "").split()
        )
        assert f"({best})" not in " ".join(
            feedforward_text.formulas(ours, LETTERS["cmu"], asks=True)[at]
        )
        assert "most probable" not in feedforward_text.describe(ours, at, asks=True)


def test_what_was_typed_stands_for_itself_in_the_sentence_and_the_formula():
    model = NeuralModel(
        registry.build(FeedforwardConfig(4, 2, 3, 2), 0), Vocabulary(("<s>", "**", "{p1}", "[a|b]"))
    )
    trace = trace_pipeline(model, torch.tensor([0, 1, 2, 3]))
    ours = feedforward_text.Flow(model, trace, unit_terms(model, trace))
    assert r"\*\* \{p1\}" in feedforward_text.sentences(ours, asks=False)[2]
    assert r"\[a\|b\]" in " ".join(feedforward_text.formulas(ours, LETTERS["cmu"], asks=False)[3])


def test_the_numbers_of_every_place_are_those_of_the_trace():
    ours = flow_of("the dog sleeps")
    live = feedforward_text.numbers(ours, 1)
    rows = dict(zip(live.names, live.table[0].T, strict=True))
    for at in range(4):
        unit = ours.terms.unit[at]
        assert rows["z"][at] == ours.trace.pre_activation[at, unit]
        assert rows["h"][at] == ours.trace.hidden[at, unit]
        assert rows["p1"][at] == ours.trace.probabilities[at].max()
        assert rows["l1"][at] == ours.trace.logits[at].max()
    assert live["place"] == 1 and live["@say"] == 1
    assert rows["pt"][:3].tolist() == ours.trace.true_probabilities.tolist()


def test_a_text_of_one_token_has_no_slider():
    assert feedforward_text.numbers(flow_of(""), 0).sliders == ()


def test_of_a_wide_model_the_first_numbers_are_drawn_and_their_places_are_right():
    places = torch.tensor([[0, 3, 7, 12, 19]])
    assert feedforward_picture.drawn_places(places, width=10, each=4).tolist() == [
        [0, 3, -1, 6, -1]
    ]
    wide = NeuralModel(
        registry.build(FeedforwardConfig(400, 100, 350, 8), 0),
        Vocabulary(("<s>", *(f"w{i}" for i in range(399)))),
    )
    trace = trace_pipeline(wide, torch.tensor([0, 398, 5]))
    data = feedforward_picture.flow_picture(wide, trace, unit_terms(wide, trace), LETTERS["cmu"])
    assert {name: each["cells"] for name, each in data["strips"].items()} == {
        "concatenated": 296, "pre_activation": 300, "hidden": 300, "logits": 300, "chances": 300,
    }  # fmt: skip
    assert data["strips"]["hidden"]["whole"] == 350
    assert len(data["table"]["shades"]) == 300 * 100


def test_shades_are_symmetric_about_0():
    table = feedforward_picture.shaded(torch.tensor([[-2.0, 0.0], [2.0, 9.0]]), 2.0, 41)
    assert list(table["shades"]) == [0, 20, 40, 40]


def test_words_end_up_nearer_to_their_own_group_than_they_began():
    record = drift.load_recorded("learned")
    begin, end = neighbours.own_nearest(record, 0), neighbours.own_nearest(record, -1)
    assert begin < end <= len(neighbours.WORDS)
    assert f"it is {end}" in neighbours.drift_notice(record)[0]


def test_weak_neighbours_of_a_wide_table_are_said_to_be_weak():
    model, record = load_shipped("feedforward")[0], drift.load_recorded("learned")
    own, _ = neighbours.near_rows(model, record, "cat")
    said = " ".join(neighbours.near_notice(model, record, "cat", own))
    assert f"to cat it is {own[0][0]}, with a cosine of only" in said
    assert f"{neighbours.own_nearest(record, -1)} have their nearest" in said
