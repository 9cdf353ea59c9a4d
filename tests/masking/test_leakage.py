"""Outputs change where a path through the mask leads; all others stay equal bit for bit."""

import itertools

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.masking import leakage
from lmcore.masking.leakage import DEPTH, Leakage
from lmcore.models import masks

IDS = torch.tensor([3, 9, 4, 1, 5, 9, 2])


def by_walking(mask, depth):
    """Whether at most `depth` steps through the mask lead from position i to position j."""
    length = len(mask)
    found = torch.zeros(length, length, dtype=torch.bool)
    for i in range(length):
        here = {i}
        for _ in range(depth):
            here |= {j for k in here for j in range(length) if mask[k, j]}
        found[i, list(here)] = True
    return found


@given(st.integers(0, 2**31), st.integers(1, 7), st.floats(0.1, 0.9))
@settings(max_examples=40)
def test_paths_are_walks_through_the_mask(seed, length, share):
    mask = torch.rand(length, length, generator=torch.Generator().manual_seed(seed)) < share
    for depth, reach in enumerate(leakage.paths(mask, DEPTH), start=1):
        assert reach.equal(by_walking(mask, depth))


@given(st.integers(0, 2**31), st.floats(0.05, 0.9), st.booleans())
@settings(max_examples=25, deadline=None)
def test_what_moves_is_what_the_paths_say_whatever_the_mask(seed, share, blank):
    mask = torch.rand(7, 7, generator=torch.Generator().manual_seed(seed)) < share
    assert leakage.leakage(mask, IDS, blank=blank).agree


@pytest.mark.parametrize("length", range(1, 13))
def test_under_a_causal_mask_nothing_before_the_change_moves_to_the_last_bit(length):
    found = leakage.leakage(masks.causal(length), torch.arange(length) % 5)
    before = ~masks.causal(length)
    assert (found.moved[:, before] == 0).all()
    assert (found.moved[:, ~before] > 0).all()


def test_the_reach_of_a_window_grows_by_one_window_a_layer():
    length, window = 12, 3
    reach = leakage.paths(masks.sliding(length, window), DEPTH)
    for depth in range(1, DEPTH + 1):
        assert reach[depth - 1].equal(masks.sliding(length, min(depth * (window - 1) + 1, length)))


def test_a_place_that_may_not_see_itself_sees_itself_through_two_layers():
    found = leakage.leakage(masks.bidirectional(7), IDS, blank=True)
    itself = found.moved.diagonal(dim1=1, dim2=2)
    assert (itself[0] == 0).all() and (itself[1:] > 0).all()


def test_a_permutation_never_lets_a_place_see_its_own_word():
    for order in itertools.islice(itertools.permutations(range(5)), 0, 120, 17):
        found = leakage.leakage(masks.permutation(order), IDS[:5], blank=True)
        assert found.agree
        assert (found.moved.diagonal(dim1=1, dim2=2) == 0).all()
        assert found.reach[-1].equal(masks.permutation(order, content=False))


def test_the_measure_is_that_of_one_text_run_by_hand():
    network, mask = leakage.leakage_network(), masks.sliding(7, 2)
    moved = leakage.measure_leakage(network, IDS, mask)
    changed = IDS.clone()
    changed[2] = leakage.unused_token(IDS, leakage.ROWS)
    with torch.no_grad():
        runs = [network(ids[None], mask=mask).blocks for ids in (IDS, changed)]
    for depth in range(DEPTH):
        one, other = (run[depth].output[0] for run in runs)
        expected = (other - one).norm(dim=-1) / one.norm(dim=-1)
        torch.testing.assert_close(moved[depth, :, 2], expected)


def test_a_disagreement_would_be_seen():
    reach = torch.ones(1, 2, 2, dtype=torch.bool)
    assert not Leakage(torch.eye(2, dtype=torch.float64)[None], reach).agree


def test_the_changed_word_is_one_that_the_text_does_not_have():
    assert leakage.unused_token(torch.tensor([0, 1, 3]), 64) == 2


def test_the_effect_of_a_change_is_counted_on_both_sides_of_it():
    found = leakage.leakage(masks.sliding(7, 2), IDS)
    effect = leakage.change_effect(found, 2)
    assert effect.moved.tolist() == [2, 3, 4, 5]
    assert (int(effect.before), int(effect.after), effect.own_layer) == (0, 5, 1)
    assert list(effect.to_frame()["moved"]) == [2, 3, 4, 5]
    found = leakage.leakage(masks.bidirectional(7), IDS, blank=True)
    effect = leakage.change_effect(found, 2)
    assert (int(effect.before), int(effect.after), effect.own_layer) == (2, 5, 2)
    found = leakage.leakage(masks.permutation(range(7)), IDS, blank=True)
    assert leakage.change_effect(found, 2).own_layer == 0


def test_a_receptive_field_grows_by_the_window_less_one_with_each_layer():
    assert [leakage.receptive_field(masks.sliding(12, 3), depth) for depth in (1, 2, 3, 4)] == [
        3, 5, 7, 9,
    ]  # fmt: skip
