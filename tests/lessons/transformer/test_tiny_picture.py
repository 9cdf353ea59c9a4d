"""What the view “One screen” sends to its script, and what it says."""

from dataclasses import fields

import numpy as np
import pytest
import torch

from lessons.transformer import tiny_picture, tiny_text
from lmcore.transformer import tiny
from lmcore.transformer.tiny import MATRICES, TinyTrace, WeightPlace

RUN = tiny.train_tiny(steps=12)


def payload(text, place=2, edits=()):
    ids = tiny.tiny_ids(text)
    with torch.no_grad():
        recorded = tiny.trace_tiny(RUN.weights, ids)
        positions = torch.tensor([-1.0, 0.25], dtype=torch.float64)
        weight = WeightPlace("P", 2, 0)
        turned = tiny.sweep_weight(RUN.weights[3], weight, positions)
        swept = tiny.trace_tiny(turned, ids)
    data = tiny_picture.picture(
        text,
        place,
        RUN,
        weight=weight,
        step=6,
        positions=positions.numpy(),
        swept=swept,
        edits=edits,
        mode="light",
    )
    return data, recorded, swept


@pytest.mark.parametrize("text", ["cat near cats runs", "run ."])
def test_every_weight_and_every_number_is_where_its_grid_says(text):
    data, recorded, swept = payload(text)
    rows = np.frombuffer(data["early"] + data["late"], "<f4").reshape(-1, data["size"])
    moved = np.repeat(rows[3:4, 244:], 2, axis=0)
    moved[:, data["turned"]] = np.frombuffer(data["swept"], "<f4").reshape(2, -1)
    weights = list(MATRICES)
    assert [grid["name"] for grid in data["grids"]] == weights + [f.name for f in fields(TinyTrace)]
    end = 0
    for grid in data["grids"]:
        assert grid["start"] == end
        end += grid["rows"] * grid["columns"]
        part = rows[:, grid["start"] : end]
        if grid["kind"] == "weight":
            np.testing.assert_array_equal(part, RUN.weights[:, grid["start"] : end].float())
            continue
        for found, trace in ((part, recorded), (moved[:, grid["start"] - 244 : end - 244], swept)):
            wanted = getattr(trace, grid["name"])
            assert wanted.shape[1:] == (grid["rows"], grid["columns"])
            np.testing.assert_array_equal(found, wanted.flatten(1).float())
    assert end == data["size"]


def test_the_right_words_are_known_in_the_four_sentences_only():
    data, _, _ = payload("cats near cat run")
    assert [tiny.WORDS[each] for each in data["right"]] == ["near", "cat", "run", "."]
    assert data["followed"] == 2
    data, _, _ = payload("run .")
    assert (data["right"], data["followed"]) == ([-1, -1], -1)


@pytest.mark.parametrize(
    ("typed", "label"),
    [
        ("WQ[1,2]", "W^Q[1, 2]"),
        ("E[4,2]", "E[runs, 2]"),
        ("U[2,6]", "U[2, .]"),
        ("gamma2[1,3]", "γ₂[3]"),
        ("b1[1,8]", "b₁[8]"),
        ("bO[1,1]", "b^O[1]"),
        ("P[3,1]", "P[3, 1]"),
    ],
)
def test_a_weight_is_written_as_on_screen(typed, label):
    assert tiny_picture.weight_label(tiny.parse_place(typed)) == label


def test_what_is_said_for_each_word_that_can_be_the_most_probable():
    said = tiny_text.sentences("cat near cats runs", 3)
    undecided, decided = said[:6], said[6:]
    assert all("No word is clearly the most probable" in each for each in undecided)
    assert [", right:" in each for each in decided] == [word == "runs" for word in tiny.WORDS]
    assert "continues with **run**, wrong: p(**runs**) = =={p}==" in decided[4]
    for place, words in ((2, "½ is the best possible"), (4, "p(**.**)")):
        said = tiny_text.sentences("cat near cats runs", place)
        assert len(said) == 12
        assert all(words in each for each in said)
    own = tiny_text.sentences("run .", 1)
    assert own[6] == "After **{step}** steps, “run” continues with **cat**: p = =={best}==."
