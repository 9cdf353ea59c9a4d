"""The picture of four scores has the numbers of NumPy, and says what they say."""

import numpy as np
import pytest
import torch

from lessons.attention import attention_picture, rulers_picture, rulers_text
from lessons.attention.attention_questions import ruler_questions
from lmcore.attention import four_scores
from lmcore.attention.four_scores import ADDITIVE, COSINE, DOT, SCALED
from lmcore.attention.similarity import similarities
from lmcore.attention.step_table import AttentionConfig, inputs_from_qkv

GIVEN = inputs_from_qkv(("Thinking", "Machines"), "7 5 3; 3 4 5", "9 8 3; 5 8 7", "3 4 2; 2 3 5")
MANY = inputs_from_qkv(tuple("abc"), "1 2; 0 1; 1 0", "2 -1; -3 1; 1 4", "1; 2; 3")
ONE = inputs_from_qkv(("one",), "1", "2", "3")
HOW = AttentionConfig(64)


def scene(given=GIVEN, query=1, stretch=1.0, soft=True):
    pair = four_scores.best_pair(given.query[query - 1], given.key)
    live = rulers_picture.live_numbers(given, HOW, query, stretch)
    return pair, live, rulers_picture.picture(given, live, pair, soft=soft)


def numpy_scores(q, k, d_k):
    """Dot product, scaled and cosine in NumPy."""
    dot = k @ q
    return dot, dot / np.sqrt(d_k), dot / (np.linalg.norm(q) * np.linalg.norm(k, axis=1))


def softmax(scores):
    return np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()


def assert_scores(names, numbers, q, k, d_k):
    found = dict(zip(names, numbers, strict=True))
    for m, scores in enumerate(numpy_scores(q, k, d_k)):
        shares = softmax(scores)
        for j in range(len(k)):
            assert found[f"s{m} {j}"] == pytest.approx(scores[j])
            assert found[f"w{m} {j}"] == pytest.approx(shares[j])
        assert found[f"sum{m}"] == pytest.approx(scores.sum())
    mlp = similarities(torch.tensor(q), torch.tensor(k))["additive"]
    assert found[f"s{ADDITIVE} 0"] == pytest.approx(float(mlp[0]))


@pytest.mark.parametrize("given", [GIVEN, MANY])
def test_the_numbers_are_those_of_numpy_now_and_along_both_sliders(given):
    (_, second), live, _ = scene(given)
    q, k = given.query[0].numpy(), given.key.numpy()
    assert_scores(live.names, live.now, q, k, 64)
    d_k, stretch = live.sliders
    for position, row in zip(d_k.positions, live.table[0], strict=True):
        assert_scores(live.names, row, q, k, position)
    for position, row in zip(stretch.positions, live.table[1], strict=True):
        longer = k.copy()
        longer[second] *= position
        assert_scores(live.names, row, q, longer, 64)


def test_the_ratio_of_the_shares_is_exp_of_the_gap():
    (first, second), live, _ = scene(MANY)
    for m in range(4):
        ratio = live[f"w{m} {first}"] / live[f"w{m} {second}"]
        assert live[f"r{m}"] == pytest.approx(ratio) == pytest.approx(np.exp(live[f"g{m}"]))


def test_a_longer_key_changes_the_dot_product_and_not_the_cosine():
    _, live, _ = scene(stretch=1.25)
    assert live[f"s{DOT} 1"] == 120
    assert live[f"g{COSINE}"] == pytest.approx(scene()[1][f"g{COSINE}"])
    assert live["@say"] == 1
    assert scene()[1]["@say"] == 0


@pytest.mark.parametrize("given", [GIVEN, MANY, ONE])
def test_every_pin_lies_on_its_ruler_at_all_positions(given):
    _, live, how = scene(given)
    for rows, slider in zip(live.table, live.sliders, strict=True):
        for position, row in zip(slider.positions, rows, strict=True):
            d_k = position if slider.name == "d_k" else HOW.d_k
            found = dict(zip(live.names, row, strict=True))
            for m, ruler in enumerate(how["rulers"]):
                root = np.sqrt(d_k) if m == SCALED else 1
                for k in range(len(given.tokens)):
                    assert ruler["low"] - 1e-9 <= found[f"s{m} {k}"] * root <= ruler["high"] + 1e-9
    assert how["rulers"][DOT]["low"] < how["rulers"][DOT]["high"]


@pytest.mark.parametrize(
    ("given", "stretch", "soft", "said"),
    [
        (GIVEN, 1.0, True, "Softmax sees only the **gap**: 16 gives “Thinking” 1.000, 2 gives "
         "==0.8808==, 0.09365 gives 0.5234."),
        (GIVEN, 1.25, True, "By dot product “Machines” gets 0.9997; by cosine “Thinking” gets "
         "==0.5234==: the cosine ignores length."),
        (GIVEN, 1.0, False, "The query of “Thinking” with two keys, scored four ways: the gap is "
         "==16== by dot product, 0.09365 by cosine."),
        (MANY, 1.0, True, "One query, three keys: “c” gets 0.9998 by dot product, ==0.6207== "
         "scaled, 0.5869 by cosine."),
        (ONE, 1.0, True, "A single key gets everything, ==1==, whatever it scores."),
        (ONE, 1.0, False, "The query of “one” with one key, scored four ways: ==2== by dot "
         "product, 1 by cosine."),
    ],
)  # fmt: skip
def test_the_sentence_is_computed(given, stretch, soft, said):
    pair, live, how = scene(given, stretch=stretch, soft=soft)
    templates = rulers_text.sentences(given, pair, 1, str, soft=soft)
    template = templates[int(live["@say"])]
    assert live.fill(template) == said
    named = how["disagreed"] if live["@say"] else how["marked"]
    assert f"=={{{named}}}==" in template


def test_the_question_offers_what_the_other_gaps_give():
    pair, live, _ = scene()
    (asked,) = ruler_questions(GIVEN, live, pair, soft=True)
    assert asked.answer == "52%"
    assert {"26%", "50%", "52%", "88%", "100%"} == set(asked.options)
    assert "0.09365 ahead of “Machines”" in asked.ask
    assert set(asked.hides) <= set(live.names)
    (total,) = ruler_questions(GIVEN, live, pair, soft=False)
    assert total.answer == pytest.approx(
        numpy_scores(GIVEN.query[0].numpy(), GIVEN.key.numpy(), 1)[2].sum()
    )


def test_a_single_key_has_no_gap_to_ask_for():
    pair, live, _ = scene(ONE)
    (asked,) = ruler_questions(ONE, live, pair, soft=True)
    assert asked.answer == 1
    assert [each.name for each in live.sliders] == ["d_k"]


@pytest.mark.parametrize("number", [0.3, 1.0, 112.0, 120.0, 120.5, 0.0007, 9.7])
def test_a_ruler_ends_at_a_round_number_that_is_little_more(number):
    assert number * (1 - 1e-9) <= rulers_picture.round_up(number) <= 1.5 * number + 1e-12


def test_a_ruler_of_nothing_still_has_a_length():
    zero = inputs_from_qkv(("a", "b"), "0; 0", "1; 2", "1; 1")
    assert scene(zero)[2]["rulers"][DOT] == {"name": "dot", "formula": "q · k", "low": 0, "high": 1}


def test_what_is_described_is_filled_in():
    pair, live, _ = scene(MANY)
    view = attention_picture.table_view("query", "1", "score 1 1", "2", MANY)
    for soft in (True, False):
        said = live.fill(rulers_text.describe(pair, view.query, soft=soft))
        assert "{" not in said
        assert "cosine: key 3" in said
