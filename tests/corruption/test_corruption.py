import pytest
import torch

from lmcore.corruption.corruption import NOT_CHOSEN, Rates, corrupt

TYPES = 1009


def corrupted(rates, seed=0, maskable=None, shape=(200, 500)):
    tokens = torch.randint(TYPES, shape, generator=torch.Generator().manual_seed(3))
    maskable = torch.ones(shape, dtype=torch.bool) if maskable is None else maskable
    generator = torch.Generator().manual_seed(seed)
    return tokens, corrupt(tokens, maskable, rates, generator, mask=TYPES, types=TYPES)


def test_the_shares_are_berts():
    tokens, seen = corrupted(Rates())
    shares = [seen.chosen, seen.masked, seen.random, seen.chosen & ~seen.masked & ~seen.random]
    # Within four standard errors of 100,000 tokens.
    for share, expected in zip(shares, (0.15, 0.12, 0.015, 0.015), strict=True):
        error = (expected * (1 - expected) / tokens.numel()) ** 0.5
        assert float(share.double().mean()) == pytest.approx(expected, abs=4 * error)


def test_every_place_is_what_its_fate_says():
    tokens, seen = corrupted(Rates())
    assert (seen.corrupted[seen.masked] == TYPES).all()
    assert (seen.corrupted[seen.random] < TYPES).all()
    untouched = ~seen.masked & ~seen.random
    assert torch.equal(seen.corrupted[untouched], tokens[untouched])
    assert torch.equal(seen.targets[seen.chosen], tokens[seen.chosen])
    assert (seen.targets[~seen.chosen] == NOT_CHOSEN).all()
    # The random tokens are drawn uniformly: their mean is the mean of the ids.
    mean = float(seen.corrupted[seen.random].double().mean())
    assert mean == pytest.approx((TYPES - 1) / 2, rel=0.05)


def test_a_row_in_which_chance_chose_none_has_one_and_a_row_that_may_not_has_none():
    maskable = torch.zeros(200, 3, dtype=torch.bool)
    maskable[:100, 1:] = True
    _, seen = corrupted(Rates(chosen=1e-9), maskable=maskable, shape=(200, 3))
    assert seen.chosen.sum(dim=-1).tolist() == [1] * 100 + [0] * 100
    assert not seen.chosen[~maskable].any()
    assert not corrupted(Rates(chosen=0.0))[1].chosen.any()


@pytest.mark.parametrize(
    ("shares", "says"),
    [
        ({"chosen": 1.5}, "the share chosen must be from 0 to 1; got 1.5"),
        ({"masked": -0.1}, "the share masked must be from 0 to 1; got -0.1"),
        ({"random": 0.3}, "masked and random must be at most 1 together; got 1.1"),
    ],
)
def test_shares_that_cannot_be_are_refused(shares, says):
    with pytest.raises(ValueError, match=says):
        Rates(**shares)
