"""The figures on the model cards: recomputed on a sample, and within the required ranges."""

import json

import pytest

from lmcore.shipped import evaluate
from lmcore.shipped.models import FOLDER, SHIPPED, card_path, path

REACHED = {
    "gpt": {"perplexity over the grammar's": (1.0, 1.008)},
    "encoder": {
        "covered word: share of the best": (0.995, 1.0),
        "next sentence told from another": (0.95, 1.0),
    },
    "encoder_decoder": {
        "exact match, lengths seen": (0.999, 1.0),
        "exact match, 20 words": (0.99, 1.0),
    },
    "character_lstm": {
        "inside quotes, cell c": (0.95, 1.0),
        "inside brackets, cell c": (0.97, 1.0),
    },
}
"""Model → figure → the range in which the figure on its card must lie."""
SAMPLED = {
    "perplexity over the grammar's": 0.01,
    "covered word: share of the best": 0.02,
    "next sentence told from another": 0.03,
    "loss, nats per token": 1e-3,
    "exact match, lengths seen": 0.01,
    "exact match, 20 words": 0.03,
    "exact match, 40 words": 0.01,
}
"""Figure → the tolerance between its value on a tenth of the texts and the card's value."""


def card(name):
    return json.loads(card_path(name).read_text("utf-8"))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_model_has_a_card_of_the_run_that_made_it(name):
    told = card(name)
    assert told["name"] == name
    assert told["steps"] == SHIPPED[name].steps
    assert json.dumps(told["spec"], sort_keys=True) == json.dumps(
        json.loads(SHIPPED[name].to_json()), sort_keys=True
    )


@pytest.mark.parametrize("name", REACHED)
def test_the_cards_figures_are_those_wanted(name):
    figures = card(name)["figures"]
    for label, (low, high) in REACHED[name].items():
        assert low <= figures[label] <= high, label


@pytest.mark.parametrize(
    "name",
    [
        "gpt",
        "encoder",
        "gpt_prose",
        "encoder_decoder",
    ],
)
def test_a_sample_gives_the_figures_of_the_card(name):
    found, told = evaluate.figures(name, path(name), quick=True), card(name)["figures"]
    compared = SAMPLED.keys() & found.keys()
    assert compared
    for label in compared:
        assert found[label] == pytest.approx(told[label], abs=SAMPLED[label]), label


def test_they_are_small_enough_to_ship():
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 25_000_000


def test_what_is_printed_is_what_was_measured(capsys, monkeypatch):
    monkeypatch.setattr(evaluate, "figures", lambda name, file: {"one": 0.12345, "two": 1.2})
    lines = []
    evaluate.main(["gpt", "encoder"], lines.append)
    text = "".join(lines)
    assert text.splitlines()[0] == "gpt"
    assert "one" in text and "0.1235" in text and "1.2000" in text
