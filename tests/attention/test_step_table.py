"""Each stage of the step table, checked against the equation, the slide and PyTorch."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from lmcore.attention import step_sweep
from lmcore.attention.dot_terms import MAX_LISTED, SHOWN_WHEN_LONG, dot
from lmcore.attention.matrices import format_matrix, parse_matrix, resize_rows
from lmcore.attention.step_table import (
    MASKS,
    AttentionConfig,
    AttentionInputs,
    compute_step_table,
    from_inputs,
    inputs_from_qkv,
    max_deviation,
    split_words,
    unscaled_config,
)

X, W_Q = "1 0 2 1; 2 1 0 1", "0 0 2; 0 3 0; 2 2 0; 3 1 1"
W_K, W_V = "2 2 2; 0 2 2; 3 2 0; 1 2 1", "1 0 1; 0 1 2; 1 1 0; 0 2 1"
SLIDE = from_inputs(("Thinking", "Machines"), X, W_Q, W_K, W_V)
HOWS = st.builds(
    AttentionConfig,
    d_k=st.integers(1, 512),
    scaled=st.booleans(),
    temperature=st.floats(0.1, 10),
    mask=st.sampled_from(list(MASKS)),
    hidden=st.integers(0, 9),
)


def drawn(length, d_k, d_v, seed):
    generator = torch.Generator().manual_seed(seed)

    def normal(*shape):
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    return AttentionInputs(
        ("t",) * length, normal(length, d_k), normal(length, d_k), normal(length, d_v)
    )


def test_the_slides_numbers_come_of_x_and_its_weights():
    table = compute_step_table(SLIDE, AttentionConfig(64))
    assert table.scores[0].tolist() == [112, 96]
    assert table.scaled[0].tolist() == [14, 12]
    high = 1 / (1 + math.exp(-2))
    assert table.weights[0].tolist() == pytest.approx([high, 1 - high], abs=1e-12)
    z = high * SLIDE.value[0] + (1 - high) * SLIDE.value[1]
    torch.testing.assert_close(table.context[0], z)


@pytest.mark.parametrize(
    ("d_k", "weights"),
    [
        (3, (0.99990, 0.00010)),
        (16, (0.982, 0.018)),
        (64, (0.8808, 0.1192)),
        (256, (0.731, 0.269)),
        (512, (0.670, 0.330)),
    ],
)
def test_d_k_moves_the_weights_and_not_the_scores(d_k, weights):
    table = compute_step_table(SLIDE, AttentionConfig(d_k))
    assert table.scores[0].tolist() == [112, 96]
    assert table.weights[0].tolist() == pytest.approx(weights, abs=5e-4)


def test_a_wider_d_k_is_the_same_as_more_numbers_that_are_0():
    pad = torch.zeros(2, 61, dtype=torch.float64)
    wide = AttentionInputs(
        SLIDE.tokens, torch.cat([SLIDE.query, pad], 1), torch.cat([SLIDE.key, pad], 1), SLIDE.value
    )
    theirs = F.scaled_dot_product_attention(wide.query, wide.key, wide.value)
    torch.testing.assert_close(compute_step_table(SLIDE, AttentionConfig(64)).context, theirs)


def test_without_the_scale_one_key_takes_all():
    table = compute_step_table(SLIDE, unscaled_config(AttentionConfig(64)))
    assert float(table.weights[0, 1]) == pytest.approx(1.1254e-7, rel=1e-4)
    assert float(table.slopes[0].max()) < 1.2e-7


@given(HOWS, st.integers(1, 6), st.integers(1, 5), st.integers(1, 4), st.integers(0, 99))
def test_every_stage_follows_from_the_one_before(how, length, d_k, d_v, seed):
    table = compute_step_table(drawn(length, d_k, d_v, seed), how)
    torch.testing.assert_close(table.scaled, table.scores / how.divisor)
    mask = how.seen(length)
    hidden = torch.zeros(length, length, dtype=torch.bool) if mask is None else ~mask
    assert torch.equal(table.masked == -math.inf, hidden)
    assert torch.equal(table.masked[~hidden], table.scaled[~hidden])
    blind = hidden.all(dim=1)
    seen = ~blind
    torch.testing.assert_close(table.sums, table.exponentials.sum(dim=-1))
    torch.testing.assert_close(
        table.weights[seen], table.exponentials[seen] / table.sums[seen, None]
    )
    assert not table.weights[blind].any() and not table.context[blind].any()
    assert not table.exponentials[hidden].any()
    torch.testing.assert_close(
        table.weights[seen].sum(dim=-1), torch.ones(int(seen.sum())).double()
    )


@given(HOWS, st.integers(1, 6), st.integers(0, 99))
def test_z_is_that_of_torchs_own_function(how, length, seed):
    given = drawn(length, 4, 3, seed)
    assert max_deviation(given, how, compute_step_table(given, how)) < 1e-12


@given(HOWS, st.integers(0, 99))
def test_slopes_are_the_gradients_of_the_softmax(how, seed):
    table = compute_step_table(drawn(4, 3, 2, seed), how)
    row = table.scaled[1].clone().requires_grad_()
    hides = how.seen(4)
    masked = row if hides is None else row.masked_fill(~hides[1], -math.inf)
    if hides is not None and not hides[1].any():
        return
    for j in range(4):
        (gradient,) = torch.autograd.grad(masked.softmax(0)[j], row, retain_graph=True)
        assert float(gradient[j]) == pytest.approx(float(table.slopes[1, j]), abs=1e-12)


@given(HOWS, st.integers(0, 99))
def test_the_sweep_is_the_table_at_each_position(how, seed):
    given = drawn(3, 4, 2, seed)
    moved = step_sweep.slider_scalings(how)
    swept = step_sweep.sweep_step_table(given, how, moved)
    sliders, places = moved.divisor.shape
    assert sliders == (2 if how.scaled else 1)
    for s in range(sliders):
        for p in range(0, places, 7):
            there = AttentionConfig(
                round(float(moved.d_k[s, p])), how.scaled, float(moved.temperature[s, p]),
                how.mask, how.hidden,
            )  # fmt: skip
            for name, values in compute_step_table(given, there)._asdict().items():
                stage = getattr(swept, name)
                found = stage if name == "scores" else stage[s, p]
                torch.testing.assert_close(found, values, rtol=1e-9, atol=1e-12)


@given(HOWS)
def test_sliders_hold_what_is_now_and_stay_in_order(how):
    d_k, temperature = step_sweep.slider_positions(how)
    assert len(d_k) == len(temperature)
    assert how.d_k in d_k.tolist() and how.temperature in temperature.tolist()
    for grid in (d_k, temperature):
        assert (grid.diff() > 0).all()


def test_sliders_reach_every_power_of_two_and_no_temperature():
    d_k, temperature = step_sweep.slider_positions(AttentionConfig(64))
    assert set(d_k.tolist()) >= {2.0**i for i in range(10)}
    assert (temperature[0], temperature[-1]) == (0.1, 10) and 1.0 in temperature.tolist()


def test_masks_hide_what_their_names_say():
    assert AttentionConfig(1).seen(3) is None
    assert AttentionConfig(1, mask="before").seen(2).tolist() == [[False, False], [True, False]]
    assert AttentionConfig(1, mask="causal").seen(2).tolist() == [[True, False], [True, True]]
    assert (
        AttentionConfig(1, mask="padding", hidden=2).seen(3).tolist() == [[True, False, False]] * 3
    )
    assert not AttentionConfig(1, mask="padding", hidden=9).seen(3).any()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: AttentionConfig(0), "d_k must be from 1 to 512; got 0"),
        (lambda: AttentionConfig(513), "d_k must be from 1 to 512; got 513"),
        (
            lambda: AttentionConfig(1, temperature=0.0),
            "the temperature must be from 0.1 to 10; got 0",
        ),
        (lambda: AttentionConfig(1, temperature=math.nan), "the temperature must be from"),
        (
            lambda: AttentionConfig(1, mask="all"),
            "the mask must be one of none, causal, before, padding",
        ),
        (lambda: AttentionConfig(1, hidden=-1), "hidden keys must be from 0 to 16; got -1"),
        (lambda: split_words("  "), "there must be 1 to 16 words"),
        (
            lambda: inputs_from_qkv(("a",), "1 2; 3 4", "1 2", "1"),
            "Q must have 1 row, one for each word",
        ),
        (
            lambda: inputs_from_qkv(("a",), "1 2", "1 2 3", "1"),
            "row 1 of K must have 2 numbers, as Q",
        ),
        (lambda: inputs_from_qkv(("a",), "1 2", "1 2", "1; 2"), "V must have 1 row, .*; got 2"),
        (lambda: from_inputs(("a",), "1 2", "1", "1; 1", "1; 1"), r"W\^Q must have 2 rows, .* X"),
        (
            lambda: parse_matrix("1 x", "Q"),
            "row 1, column 2 of Q must be a number such as 0.4; got 'x'",
        ),
        (
            lambda: parse_matrix("1 2; 3", "Q"),
            "row 2 of Q must have 2 numbers, as row 1 has; got 1",
        ),
        (lambda: parse_matrix("", "Q"), "Q must have from 1 to 16 rows; got 0"),
        (lambda: parse_matrix("1 " * 17, "Q"), "row 1 of Q must have from 1 to 16 numbers; got 17"),
        (lambda: parse_matrix("1;" * 17, "Q"), "Q must have from 1 to 16 rows; got 17"),
        (lambda: parse_matrix("2e6", "Q"), "row 1, column 1 of Q must be from −1,000,000 to"),
        (lambda: parse_matrix("nan", "Q"), "row 1, column 1 of Q must be a finite number"),
        (lambda: parse_matrix("1" * 4001, "Q"), "Q must be at most 4,000 characters; got 4,001"),
    ],
)
def test_what_cannot_be_is_refused_by_place_and_value(make, says):
    with pytest.raises(ValueError, match=says):
        make()


def test_a_long_text_is_cut_and_says_so():
    assert split_words("a b") == (("a", "b"), False)
    assert split_words("a " * 17) == (("a",) * 16, True)
    assert split_words("x" * 41) == (("x" * 40,), True)
    assert split_words("w " * 100_000).cut


NUMBERS = st.floats(-1e6, 1e6).map(lambda value: float(f"{value:.12g}"))


@given(st.integers(1, 4).flatmap(
    lambda wide: st.lists(st.lists(NUMBERS, min_size=wide, max_size=wide), min_size=1, max_size=4)
))  # fmt: skip
def test_a_matrix_that_was_written_is_read_again(rows):
    values = torch.tensor(rows, dtype=torch.float64)
    assert parse_matrix(format_matrix(values), "M").equal(values)
    assert parse_matrix(format_matrix(values).replace("; ", "\n").replace(" ", ", "), "M").equal(
        values
    )


@given(st.integers(1, 40), st.one_of(st.none(), st.floats(-3, 3)), st.integers(0, 99))
def test_a_dot_product_is_the_sum_of_what_is_shown(length, bias, seed):
    generator = torch.Generator().manual_seed(seed)
    left, right = torch.randn((2, length), generator=generator, dtype=torch.float64)
    found = dot(left, right, bias)
    assert found.total == pytest.approx(float(left @ right) + (bias or 0))
    assert sum(found.products) + found.rest + (bias or 0) == pytest.approx(found.total)
    assert len(found.products) + found.others == length
    assert len(found.products) == (length if length <= MAX_LISTED else SHOWN_WHEN_LONG)
    smallest = min(map(abs, found.products))
    others = set(range(length)) - set(found.places)
    assert all(abs(float(left[i] * right[i])) <= smallest for i in others)


def test_a_matrix_gets_as_many_rows_as_are_wanted():
    assert resize_rows("1 0 2 1; 2 1 0 1", "X", 2) == "1 0 2 1; 2 1 0 1"
    assert resize_rows("1 0 2 1\n2 1 0 1", "X", 1) == "1 0 2 1"
    assert resize_rows("1 0 2 1; 2 1 0 1", "X", 4) == "1 0 2 1; 2 1 0 1; 1 2 1 0; 0 1 2 1"
    assert resize_rows("0.5", "V", 3) == "0.5; 0.5; 0.5"
    with pytest.raises(ValueError, match="row 1, column 2 of X must be a number"):
        resize_rows("1 a", "X", 2)
