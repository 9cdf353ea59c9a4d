"""The picture of all matrices shows the entries of the tensors, also with a number of X moved."""

import numpy as np
import pytest
import torch

from lessons.attention import attention_picture, flow_picture, matrices_picture, matrices_text
from lessons.attention.attention_questions import matrix_questions
from lessons.attention.attention_state import AttentionState
from lmcore.attention.step_table import AttentionConfig, compute_step_table, from_inputs
from lmcore.numbers import format_number

WORDS = ("the", "cat", "sat", "down", "here")
X = np.array([[0, 0, 0, 1], [1, 2, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0], [1, 1, 1, 0.0]])
W_Q = np.array([[1, 2, 0, -1], [-1, 0, 1, 0], [2, 1, 0, 1], [2, 1, 1, 1.0]])
W_K = np.array([[0, -1, 1, 2], [1, 0, -1, -1], [1, 0, 1, 2], [0, 2, 1, 1.0]])
W_V = np.array([[1, 1], [0, 1], [1, 0], [2, 0.0]])
HOW = AttentionConfig(4)


def typed(matrix):
    return "; ".join(" ".join(map(str, row)) for row in matrix)


GIVEN = from_inputs(WORDS, *map(typed, (X, W_Q, W_K, W_V)))


def view_of(query=2, given=GIVEN):
    return attention_picture.table_view("matrix", str(query), "q 1 1", "2", given)


def numpy_matrices(x, divisor=2.0):
    """Attention in NumPy: each matrix by the letter of its numbers."""
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    a = q @ k.T / divisor
    w = np.exp(a) / np.exp(a).sum(axis=1, keepdims=True)
    return {"x": x, "q": q, "k": k, "v": v, "s": q @ k.T, "a": a, "m": a, "w": w, "z": w @ v,
            "Wq": W_Q, "Wk": W_K, "Wv": W_V}  # fmt: skip


def assert_entries(names, numbers, expected):
    found = dict(zip(names, numbers, strict=True))
    for letter, matrix in expected.items():
        for (i, j), number in np.ndenumerate(matrix):
            assert found[f"{letter}{i + 1}.{j + 1}"] == pytest.approx(number)


def test_each_number_is_the_entry_of_its_matrix():
    live = matrices_picture.live_numbers(GIVEN, HOW, view_of())
    assert_entries(live.names, live.now, numpy_matrices(X))
    assert live["sum"] == 13.5


def test_a_moved_number_of_x_moves_all_that_follows_from_it():
    live = matrices_picture.live_numbers(GIVEN, HOW, view_of())
    assert [slider.name for slider in live.sliders] == ["x2.1", "x2.2", "x2.3", "x2.4"]
    for column, (slider, rows) in enumerate(zip(live.sliders, live.table, strict=True)):
        for position, numbers in zip(slider.positions, rows, strict=True):
            moved = X.copy()
            moved[1, column] = position
            assert_entries(live.names, numbers, numpy_matrices(moved))


def test_what_is_hidden_by_the_mask_is_minus_infinity_and_no_part_of_the_sum():
    causal = AttentionConfig(4, mask="causal")
    live = matrices_picture.live_numbers(GIVEN, causal, view_of(3))
    assert live["m3.4"] == -np.inf
    assert live["w3.4"] == 0
    assert live["sum"] == live["a3.1"] + live["a3.2"] + live["a3.3"]


def asked(config=HOW, query=2, stage="z"):
    table = compute_step_table(GIVEN, config)
    current = AttentionState(GIVEN, config, view_of(query), "")
    return matrix_questions(current, table, flow_picture.pair(table, query), stage)


def test_the_question_offers_the_part_of_the_sum_and_the_share_that_is_right():
    share, output = asked()
    weight = numpy_matrices(X)["w"][1, 0]
    assert share.answer == f"{weight:.0%}" == "62%"
    assert {"20%", "33%", "62%"} < set(share.options)
    assert "4.5" in share.ask
    assert "13.5" in share.ask
    assert {"w2.1", "z2.1"} < set(share.hides)
    assert output.answer == pytest.approx(numpy_matrices(X)["z"][1, 0])


def test_the_question_of_the_first_half_is_a_number_of_the_query():
    (first,) = asked(query=3, stage="qkv")
    assert first.answer == numpy_matrices(X)["q"][2, 0]
    assert first.hides == ("q3.1", "q3.2", "q3.3", "q3.4")


def test_one_visible_key_leaves_only_the_question_of_z():
    assert [each.key for each in asked(AttentionConfig(4, mask="causal"), query=1)] == ["mixed"]


@pytest.mark.parametrize(
    ("mask", "query", "said"),
    [
        ("none", 2, "“cat” takes ==0.6190== of its new vector (2.033, 0.5164) from “the”."),
        ("causal", 1, "“the” sees only itself: it takes all of its new vector, ==1==, from it."),
        ("before", 1, "“the” sees no key: its weights and its row of Z, ==(0, 0)==, are 0."),
    ],
)
def test_the_sentence_says_from_which_word_most_comes(mask, query, said):
    config = AttentionConfig(4, mask=mask)
    live = matrices_picture.live_numbers(GIVEN, config, view_of(query))
    favoured = flow_picture.pair(compute_step_table(GIVEN, config), query)
    template = matrices_text.sentence(GIVEN, view_of(query), favoured, "z", str)
    assert live.fill(template) == said


def test_the_formulas_hold():
    live = matrices_picture.live_numbers(GIVEN, HOW, view_of())
    weights = compute_step_table(GIVEN, HOW).weights[1].tolist()
    first, *_ = matrices_text.formula(GIVEN, HOW, view_of(), weights, "qkv")
    assert live.fill(first).endswith("1·1 + 2·(−1) + 0·2 + 1·2 = **1**")
    _, z = matrices_text.formula(GIVEN, HOW, view_of(), weights, "z")
    expected = numpy_matrices(X)["z"][1]
    assert live.fill(z).endswith(f"= **({', '.join(map(format_number, expected))})**")


def test_scores_below_zero_are_no_parts_of_a_sum():
    assert matrices_picture.are_parts(GIVEN, HOW, 1)
    opposite = from_inputs(WORDS, typed(X), typed(-W_Q), typed(W_K), typed(W_V))
    assert not matrices_picture.are_parts(opposite, HOW, 1)


def test_matrices_too_large_to_read_are_not_offered():
    assert not matrices_picture.too_large(GIVEN)
    many = from_inputs(
        tuple("abcdefg"), typed(torch.ones(7, 4).tolist()), *map(typed, (W_Q, W_K, W_V))
    )
    assert "up to 6 words" in matrices_picture.too_large(many)
