"""The pictures of three cases: their numbers against the prints, and their sentences."""

import math
import tomllib

import pytest

from lessons.results.cases import (
    in_use_picture,
    in_use_text,
    paper_picture,
    paper_text,
    scale_picture,
    scale_text,
)
from lessons.results.cases.cases_questions import paper_questions, scale_questions, use_questions
from lessons.results.cases.scale_picture import Cost, Growth
from lessons.results.reading_view import CARDS
from lmcore.results.costs import GREEN_AI

BIG = Cost(1515.43, 84.0, 1.58, 0.954)
PRINTED = [("Granny Smith", 85.6, 0.1), ("iPod", 0.4, 99.7)]


def test_the_bars_are_the_printed_shares_and_the_rest():
    found = paper_picture.answers()
    rows = list(zip(found.labels, found.off, found.on, strict=True))
    assert rows[:2] == PRINTED
    assert math.isclose(sum(found.off), 100) and math.isclose(sum(found.on), 100)
    assert rows[-1] == ("other labels", 13.9, 0.2)
    for paper, shares in (("off", found.off), ("on", found.on)):
        live = paper_picture.numbers(found, paper)
        assert [live[f"p {n}"] for n in range(len(shares))] == list(shares)
        assert (live["rise"], live["fall"], live["paper"]) == (99.3, -85.5, paper == "on")


@pytest.mark.parametrize("paper", paper_picture.PAPERS)
def test_the_label_with_the_largest_share_is_named_and_asked_for(paper):
    found = paper_picture.answers()
    live = paper_picture.numbers(found, paper)
    said = live.fill(paper_text.sentences(found)[paper == "on"])
    best, share = {"off": ("Granny Smith", "85.6"), "on": ("iPod", "99.7")}[paper]
    assert f"**{best}**" in said and f"=={share}==" in said
    (question,) = paper_questions(found, paper)
    assert question.answer == "iPod" and question.answer in question.options
    assert ("p 0" in question.hides) == (paper == "on")
    hidden = paper_text.sentences(found, hidden=True)
    assert not any("**iPod**" in each or "{on" in each for each in hidden)


@pytest.mark.parametrize("place", range(8))
def test_yours_is_compared_with_each_row(place):
    beside = scale_picture.consumptions()[place]
    live = scale_picture.numbers(BIG, beside, Growth(*GREEN_AI))
    assert live["own"] == pytest.approx(0.954 * 1.58 * 1515.43 * 84 / 1000)
    low, high = sorted((live["own"], beside.lbs))
    assert live["times"] == pytest.approx(high / low)
    said = live.fill(scale_text.sentences(beside)[int(live["@say"])])
    assert said.startswith("Yours is") == (live["own"] >= beside.lbs)
    assert beside.printed in said
    (question,) = scale_questions(live, beside)
    assert question.answer == live["times"]


def test_the_growth_is_a_ruler_of_equal_doublings():
    live = scale_picture.numbers(BIG, scale_picture.consumptions()[0], Growth(*GREEN_AI))
    assert 2 ** live["doublings"] == pytest.approx(300_000)
    assert live["doublings"] * live["double"] == pytest.approx(72)


def test_each_slider_has_yours_at_each_of_its_places():
    beside = scale_picture.consumptions()[1]
    live = scale_picture.numbers(BIG, beside, Growth(*GREEN_AI))
    for slider, rows in zip(live.sliders, live.table, strict=True):
        assert getattr(BIG, slider.name) in slider.positions
        for row in rows:
            at = dict(zip(live.names, row, strict=True))
            own = at["watts"] * at["hours"] * at["overhead"] * at["lbs"] / 1000
            assert at["own"] == pytest.approx(own)
            assert at["@say"] == (0 if not own else 1 if own < beside.lbs else 2)


@pytest.mark.parametrize("cost", [BIG._replace(watts=0.0), BIG._replace(hours=1e6)])
def test_a_cost_beyond_the_sliders_is_shown_as_it_is(cost):
    beside = scale_picture.consumptions()[0]
    live = scale_picture.numbers(cost, beside, Growth(*GREEN_AI))
    assert (live["watts"], live["hours"]) == (cost.watts, cost.hours)
    assert bool(scale_questions(live, beside)) == bool(cost.watts)


# --- Uses -----------------------------------------------------------------------------------------


def card():
    """What the card “In use” says about each use, by its key."""
    rows = tomllib.loads(CARDS.read_text("utf-8"))["card"]
    said = next(row for row in rows if row["id"] == "uses")["says"]
    return dict(zip(in_use_picture.USES, said, strict=True))


@pytest.mark.parametrize("use", [use for use in in_use_picture.USES if use != "human"])
def test_each_use_has_the_models_of_the_card(use):
    said, found = card()[use], in_use_picture.USES[use]
    assert found.name.split()[-1].lower() in said.lower()
    said = said.replace("encoder–decoder", "both")
    words = {"encoder": "encoder", "encoder–decoder": "both", "decoder": "decoder"}
    assert set(found.runs) == {model for model, word in words.items() if word in said}


def test_the_human_model_is_an_assistant_s_with_other_texts_first():
    human, assistant = (in_use_picture.USES[each] for each in ("human", "assistant"))
    assert (human.model, human.runs["decoder"].head) == (assistant.model, "language-model head")
    assert "other texts" in human.runs["decoder"].note and "other texts" in card()["human"]


@pytest.mark.parametrize("use", in_use_picture.USES)
def test_the_uses_of_a_model_are_counted_and_each_run_has_its_words(use):
    live = in_use_picture.numbers(use)
    assert [live[f"count {n}"] for n in range(3)] == [2, 1, 3]
    chosen = in_use_picture.USES[use]
    said = live.fill(in_use_text.sentences()[int(live["@say"])])
    count = sum(chosen.model in each.runs for each in in_use_picture.USES.values())
    assert said.startswith(chosen.name) and f"serves =={count}== of 5 uses" in said
    for model, run in chosen.runs.items():
        assert len(run.reads) == (8 if model == in_use_picture.BOTH else 4)


def test_complaints_are_found_as_sentiment_is():
    (question,) = use_questions()
    assert question.answer == "Sentiment" in question.options
    assert "encoder, linear layer on [CLS]" in question.because
