"""Attention's main picture shows the tensors' numbers, and its sentence names one of them."""

import math

import pytest
import torch

import ui
from drawing.live import LiveNumbers
from lessons.attention import attention_picture, flow_picture, flow_text
from lmcore.attention import step_sweep
from lmcore.attention.step_table import (
    AttentionConfig,
    compute_step_table,
    from_inputs,
    inputs_from_qkv,
    unscaled_config,
)
from lmcore.numbers import format_number

SLIDE = from_inputs(
    ("Thinking", "Machines"),
    "1 0 2 1; 2 1 0 1",
    "0 0 2; 0 3 0; 2 2 0; 3 1 1",
    "2 2 2; 0 2 2; 3 2 0; 1 2 1",
    "1 0 1; 0 1 2; 1 1 0; 0 2 1",
)
HOW = AttentionConfig(64)


def made(given=SLIDE, how=HOW, query="1"):
    view = attention_picture.table_view("query", query, "score 1 1", "2", given)
    table = compute_step_table(given, how)
    return given, how, table, view, flow_picture.pair(table, view.query)


def live(given=SLIDE, how=HOW, query="1"):
    _, _, table, view, favoured = made(given, how, query)
    setting = step_sweep.score_scaling(how)
    found = flow_picture.numbers(given, how, table, view, setting, favoured)
    return LiveNumbers("attention", found.names, found.values.numpy())


def sentence(given=SLIDE, how=HOW, query="1"):
    return live(given, how, query).fill(flow_text.sentence(*made(given, how, query), ui.quoted))


def test_every_position_of_the_sliders_is_the_table_of_that_setting():
    given, how, _, view, favoured = made()
    scalings = step_sweep.slider_scalings(how)
    swept = step_sweep.sweep_step_table(given, how, scalings)
    every = flow_picture.numbers(given, how, swept, view, scalings, favoured)
    assert every.names == live().names
    for place in ((0, 3), (0, -1), (1, 0), (1, -1)):
        d_k, tau = int(scalings.d_k[place]), float(scalings.temperature[place])
        there = AttentionConfig(d_k, temperature=tau)
        alone = live(how=there)
        row = dict(zip(every.names, every.values[place].tolist(), strict=True))
        for name in alone.names:
            assert row[name] == pytest.approx(alone[name], rel=1e-9, abs=1e-12), name
        assert row["temperature"] == row["tau"] == tau


def test_a_weight_without_the_division_is_that_of_the_undivided_table():
    for how in (HOW, AttentionConfig(9, temperature=3.0), AttentionConfig(4, scaled=False)):
        numbers = live(how=how)
        plain = compute_step_table(SLIDE, unscaled_config(how)).weights[0].tolist()
        assert [numbers["n1"], numbers["n2"]] == pytest.approx(plain, rel=1e-9)


def test_the_two_favoured_keys_are_the_largest_that_are_open():
    scores = inputs_from_qkv(("a", "b", "c"), "1; 1; 1", "2; 9; 5", "0; 0; 0")
    assert made(scores)[-1] == (1, 2)
    assert made(scores, AttentionConfig(1, mask="causal"), "1")[-1] == (0, None)
    assert made(scores, AttentionConfig(1, mask="before"), "1")[-1] == (None, None)
    assert made(scores, AttentionConfig(1, mask="before"), "3")[-1] == (1, 0)


def test_the_gap_becomes_smaller_and_then_a_ratio():
    numbers = live()
    assert [numbers[name] for name in ("gap", "apart", "ratio")] == [16, 2, math.exp(2)]
    assert numbers["w1"] / numbers["w2"] == pytest.approx(math.exp(2))


@pytest.mark.parametrize(
    ("how", "query", "says"),
    [
        (HOW, "1", "“Thinking” looks most at itself: ==0.8808==. Scores [score|**16** apart], ÷ 8"),
        (HOW, "2", "“Machines” looks most at itself: ==0.7311=="),
        (AttentionConfig(64, temperature=2.0), "1", "÷ 16, are [score|**1** apart]"),
        (AttentionConfig(64, scaled=False), "1", "“Machines” gets ==1.125×10⁻⁷==."),
        (AttentionConfig(64, mask="causal"), "1", "sees only itself: it gets all the weight, =="),
        (AttentionConfig(64, mask="before"), "2", "sees only “Thinking”: it gets all the weight"),
        (AttentionConfig(64, mask="before"), "1", "“Thinking” sees no key: there is nothing to"),
    ],
)  # fmt: skip
def test_the_sentence_names_a_number_that_is_marked_in_the_picture(how, query, says):
    assert says in sentence(how=how, query=query)
    *_, view, favoured = made(how=how, query=query)
    drawn = flow_picture.picture(SLIDE, how, view, favoured)
    marked = format_number(live(how=how, query=query)[drawn["marked"]])
    assert f"=={marked}==" in sentence(how=how, query=query)


def test_equal_scores_are_no_winner():
    same = inputs_from_qkv(("a", "b"), "1; 1", "3; 3", "1; 2")
    assert sentence(same) == (
        "“a” looks most at itself: ==0.5==, and as much at “b”: the scores are equal."
    )


def test_a_long_word_and_a_word_of_marks_stand_for_themselves():
    words = ("**{w1}**[key|x]", "y" * 40)
    strange = inputs_from_qkv(words, "1; 1", "3; 2", "1; 2")
    assert sentence(strange).startswith(f"“{ui.quoted(words[0])}” looks most at itself")
    assert f"“{'y' * 17}…” looks most at" in sentence(strange, query="2")


def test_the_formula_has_the_numbers_in():
    filled = [live().fill(part) for part in flow_text.formula(*made())]
    assert filled == [
        "[score|s₁₁] = 7·9 + 5·8 + 3·3 = **[score|112]**",
        "112 ÷ √64 = **[score|14]**",
        "[activation|α₁₁] = exp(14) ÷ (exp(14) + exp(12)) = **[activation|0.8808]**",
        "[value|z₁] = [activation|0.8808]·v₁ + [activation|0.1192]·v₂",
    ]
    plain = AttentionConfig(64, scaled=False)
    assert len(flow_text.formula(*made(how=plain))) == 3  # no division by √d_k
    blind = AttentionConfig(64, mask="before")
    assert flow_text.formula(*made(how=blind)) == [
        "[score|−∞] for every key",
        "[value|z₁] = **0**",
    ]


def test_of_many_numbers_some_are_sent_and_how_many_there_are_is_said():
    wide = inputs_from_qkv(
        ("a", "b"), *("; ".join([" ".join(["1"] * 12)] * 2) for _ in "qk"), "1 2; 3 4"
    )
    *_, view, favoured = made(wide)
    drawn = flow_picture.picture(wide, HOW, view, favoured)
    assert (drawn["shown"], drawn["whole"]) == ((8, 2), (12, 2))
    assert (
        drawn["products"] == ["", ""] and "q8" in live(wide).names and "q9" not in live(wide).names
    )
    assert live(wide).fill(flow_text.formula(*made(wide))[0]).startswith("[score|s₁₁] = q₁·k₁ = ")


def test_what_is_given_away_is_among_the_numbers():
    hidden = flow_picture.given_away(SLIDE)
    assert set(hidden) <= set(live().names)
    assert {"w1", "w2", "u2.3", "z1", "ratio", "sum"} <= set(hidden)
    assert flow_picture.given_away(SLIDE, from_z=True) == ("z1", "z2", "z3")


def test_the_alt_text_has_the_numbers_and_what_is_hidden():
    causal = AttentionConfig(64, mask="causal")
    *_, view, _ = made(how=causal)
    said = live(how=causal).fill(flow_text.describe(SLIDE, causal, view))
    assert "scores 112, 96, divided by 8: 14, 12; weights 1, 0" in said
    assert said.endswith("Hidden by the mask: keys 2.")


def test_a_row_of_a_fully_hidden_query_is_0():
    before = AttentionConfig(64, mask="before")
    numbers = live(how=before)
    assert [numbers[f"w{j}"] for j in (1, 2)] == [numbers[f"n{j}"] for j in (1, 2)] == [0, 0]
    assert not any(torch.tensor(numbers.now).isnan())
