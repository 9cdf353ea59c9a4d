"""Shares are thresholds on fixed draws; a choice by hand sets exactly what is shown."""

import pytest
import torch

from lmcore.corruption import corruption
from lmcore.corruption.corruption import (
    KEPT,
    MASKED,
    RANDOM,
    UNTOUCHED,
    Rates,
    apply_draws,
    corrupt,
    draw_corruption,
)
from lmcore.corruption.draws import (
    SLIDERS,
    UNITS,
    CorruptionConfig,
    change_rate,
    corrupt_as_chosen,
    corrupt_at_random,
    draw_for_text,
    visible_tokens,
)
from lmcore.corruption.masked_loss import gradient_at_places, masked_loss
from lmcore.corruption.rates import DRAWS, expected_shares, predicted_counts, repeat_draws, shares
from lmcore.corruption.text import story_types, text_from_model, text_from_words
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import VocabularyModel
from lmcore.vocabulary import Vocabulary

FISH = text_from_words("So long and thanks for all the fish")
SHOWN = ("So", "[MASK]", "and", "[MASK]", "for", "all", "apricot", "fish")
SLIDE = "2:[MASK] 4:[MASK] 7:apricot"
CUT = text_from_words("the man put his basket on phil ##am ##mon ' s head")
WORDS = Vocabulary(("[CLS]", "[SEP]", "the", "dog", "sees", "cat", "[MASK]", "[PAD]"), lower=True)


def encoder(seed=0):
    network = BERT(TransformerConfig(len(WORDS), width=8, heads=2, layers=2, longest=16), seed)
    return VocabularyModel("a small one", network, WORDS)


def as_it_was(tokens, maskable, rates, generator, mask, types):
    """What `corrupt` drew when it knew only single tokens and uniform replacements."""
    chance = torch.rand(tokens.shape, generator=generator).masked_fill(~maskable, 2)
    least = chance == chance.min(dim=-1, keepdim=True).values
    chosen = maskable & ((chance < rates.chosen) | (least & (rates.chosen > 0)))
    way = torch.rand(tokens.shape, generator=generator)
    masked = chosen & (way < rates.masked)
    random = chosen & ~masked & (way < rates.masked + rates.random)
    drawn = torch.randint(types, tokens.shape, generator=generator)
    return torch.where(random, drawn, tokens.masked_fill(masked, mask)), chosen


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rates", [Rates(), Rates(0.3, 0.7, 0.3), Rates(0.01), Rates(0.0)])
def test_training_draws_what_it_always_drew(seed, rates):
    made = torch.Generator().manual_seed(seed)
    tokens = torch.randint(97, (31, 53), generator=made)
    maskable = torch.rand(tokens.shape, generator=made) < 0.8
    one, other = (torch.Generator().manual_seed(seed) for _ in range(2))
    seen = corrupt(tokens, maskable, rates, one, mask=97, types=97)
    wanted, chosen = as_it_was(tokens, maskable, rates, other, 97, 97)
    assert torch.equal(seen.corrupted, wanted)
    assert torch.equal(seen.chosen, chosen)
    assert torch.equal(one.get_state(), other.get_state())


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("least", [True, False])
def test_every_position_of_a_slider_is_what_it_would_be_alone(unit, least):
    config = CorruptionConfig(unit=unit, at_least_one=least, seed=11)
    draws = draw_for_text(CUT, config).draws
    rates = [change_rate(config.rates, name, k / 20) for name in SLIDERS for k in range(21)]
    together = corrupt_at_random(CUT, config, rates, draws)
    for row, each in enumerate(rates):
        alone = corrupt_at_random(CUT, config, [each], draws)
        assert torch.equal(together.outcomes[row], alone.outcomes[0])
        assert torch.equal(together.corrupted[row], alone.corrupted[0])


def test_a_larger_share_keeps_what_a_smaller_one_chose():
    draws = draw_for_text(FISH, CorruptionConfig(seed=4)).draws
    seen = corrupt_at_random(
        FISH, CorruptionConfig(seed=4), [Rates(k / 100) for k in range(101)], draws
    )
    assert (seen.chosen[1:] >= seen.chosen[:-1]).all()
    assert not seen.chosen[0].any() and seen.chosen[-1].all()


@pytest.mark.parametrize(("unit", "least"), [("token", False), ("token", True), ("word", True)])
@pytest.mark.parametrize("rates", [Rates(), Rates(0.4, 0.2, 0.5)])
def test_the_rates_of_many_draws_are_those_expected(unit, least, rates):
    config = CorruptionConfig(rates, unit, seed=3, at_least_one=least)
    found, wanted = repeat_draws(CUT, config), expected_shares(CUT, config)
    assert len(found.shares) == DRAWS
    assert ((found.mean - wanted).abs() < 4 * found.error).all()
    assert (found.error < 0.005).all()


def test_berts_rates_are_the_lectures():
    assert shares(Rates(), 0.15).tolist() == pytest.approx([0.15, 0.12, 0.015, 0.015])
    # Of 512 tokens, 76.8 are chosen on average.
    assert predicted_counts(Rates(), 1, 512) == (512, 511, pytest.approx(76.8))


def test_the_standard_error_is_the_spread_of_repeated_measurements():
    means = torch.stack(
        [repeat_draws(FISH, CorruptionConfig(seed=seed), 200).mean for seed in range(60)]
    )
    errors = repeat_draws(FISH, CorruptionConfig(seed=99), 2000).error * 10**0.5
    assert means.std(dim=0).tolist() == pytest.approx(errors.tolist(), rel=0.35)


def test_replacements_are_drawn_evenly_or_by_count():
    counts = torch.tensor([6.0, 0.0, 3.0, 1.0], dtype=torch.float64)
    tokens = torch.zeros(100, 200, dtype=torch.long)
    for given, wanted in ((None, [0.25] * 4), (counts, [0.6, 0.0, 0.3, 0.1])):
        drawn = draw_corruption(tokens, 4, torch.Generator().manual_seed(1), given).drawn
        found = drawn.flatten().bincount(minlength=4) / drawn.numel()
        assert found.tolist() == pytest.approx(wanted, abs=0.015)
    found = repeat_draws(FISH, CorruptionConfig(Rates(1.0, 0.0, 1.0), source="unigram"), 2000).drawn
    wanted = story_types().counts / story_types().counts.sum()
    assert story_types().types[0] == "the" == story_types().types[int(found.argmax())]
    assert float(found[0] / found.sum()) == pytest.approx(float(wanted[0]), rel=0.1)


def test_all_pieces_of_a_word_are_chosen_or_none_and_each_finds_its_own_way():
    lots = [CorruptionConfig(unit="word", seed=seed) for seed in range(80)]
    rates = [Rates(0.5, 0.5, 0.2)]
    seen = [
        corrupt_at_random(CUT, config, rates, draw_for_text(CUT, config).draws) for config in lots
    ]
    pieces = [each.outcomes[0, 6:9].tolist() for each in seen]
    assert CUT.tokens[6:9] == ("phil", "##am", "##mon")
    assert all(len({outcome > 0 for outcome in outcomes}) == 1 for outcomes in pieces)
    assert any(len(set(outcomes)) == 3 for outcomes in pieces)


def test_the_slides_outcome_is_set_by_hand():
    seen = corrupt_as_chosen(FISH, SLIDE)
    assert visible_tokens(FISH, seen, SLIDE) == SHOWN
    outcomes = [UNTOUCHED, MASKED, UNTOUCHED, MASKED, UNTOUCHED, UNTOUCHED, RANDOM, UNTOUCHED]
    assert seen.outcomes[0].tolist() == outcomes
    # Erratum X82: three of eight places have a target, and it is the original word.
    assert (seen.targets[0] != corruption.NOT_CHOSEN).tolist() == [
        outcome > 0 for outcome in outcomes
    ]
    assert torch.equal(seen.targets[seen.chosen], FISH.ids[seen.chosen])
    dog = text_from_words("my dog is hairy")
    for word, outcome in (("[MASK]", MASKED), ("apple", RANDOM), ("hairy", KEPT)):
        seen = corrupt_as_chosen(dog, f"4:{word}")
        assert seen.outcomes[0].tolist() == [0, 0, 0, outcome]
        assert visible_tokens(dog, seen, f"4:{word}")[3] == word


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("7", "a choice by hand must look like 7:apricot; got '7'"),
        ("x:y", "a choice by hand must look like 7:apricot; got 'x:y'"),
        ("²:y", "must look like 7:apricot"),
        ("9:fish", "a place by hand must be from 1 to 8; got 9"),
        ("0:fish", "a place by hand must be from 1 to 8; got 0"),
        ("2:a 2:b", "a place by hand must be chosen once; got 2 twice"),
    ],
)
def test_a_choice_by_hand_that_cannot_be_is_refused(written, says):
    with pytest.raises(ValueError, match=says):
        corrupt_as_chosen(FISH, written)


def test_the_shares_of_masked_and_random_make_room_for_each_other():
    assert change_rate(Rates(), "masked", 0.95).random == pytest.approx(0.05)
    assert change_rate(Rates(), "masked", 0.5).random == 0.1
    assert change_rate(Rates(), "random", 0.7).masked == pytest.approx(0.3)
    for name in ("masked", "random"):
        for k in range(101):
            found = change_rate(Rates(), name, k / 100)
            assert found.masked + found.random + found.kept == pytest.approx(1)
    with pytest.raises(ValueError, match=r"the share chosen must be from 0 to 1; got 1\.5"):
        change_rate(Rates(), "chosen", 1.5)


def test_what_is_special_is_never_chosen():
    text = text_from_words("[CLS] a dog [MASK] [SEP]")
    assert text.maskable[0].tolist() == [False, True, True, False, False]
    seen = corrupt_at_random(
        text, CorruptionConfig(), [Rates(1.0)], draw_for_text(text, CorruptionConfig()).draws
    )
    assert seen.chosen[0].tolist() == text.maskable[0].tolist()
    with pytest.raises(ValueError, match="1 word or more that may be chosen; got none"):
        text_from_words("[CLS] [SEP]")


def test_a_models_text_is_framed_and_its_types_are_its_own():
    text = text_from_model(encoder(), "The dog sees the cat")
    assert text.tokens == ("[CLS]", "the", "dog", "sees", "the", "cat", "[SEP]")
    assert text.stock.types == WORDS.tokens[:6] and text.mask == WORDS.ids["[MASK]"]
    assert text.open_places == (1, 2, 3, 4, 5)
    assert corrupt_as_chosen(text, "2:cat").corrupted[0].tolist() == WORDS.encode(
        ["[CLS]", "the", "cat", "sees", "the", "cat", "[SEP]"]
    )
    with pytest.raises(ValueError, match="one that the model knows; got 'apricot'"):
        corrupt_as_chosen(text, "2:apricot")


def test_the_loss_is_cross_entropy_over_the_chosen_places():
    reader = encoder()
    text = text_from_model(reader, "the dog sees the cat")
    rates = [Rates(k / 10, 0.5, 0.3) for k in range(11)]
    seen = corrupt_at_random(
        text, CorruptionConfig(seed=2), rates, draw_for_text(text, CorruptionConfig(seed=2)).draws
    )
    found = masked_loss(reader.network, text.ids, seen.corrupted, seen.chosen)
    assert found.loss[0].isnan() and found.terms[0].isnan().all()
    for row in range(1, 11):
        with torch.no_grad():
            logits = reader.network(seen.corrupted[row : row + 1]).logits.double()
        wanted = torch.nn.functional.cross_entropy(
            logits[0], seen.targets[row], ignore_index=corruption.NOT_CHOSEN
        )
        if seen.chosen[row].any():
            assert float(found.loss[row]) == pytest.approx(float(wanted), rel=1e-5)


def test_gradient_arrives_where_no_term_is():
    reader = encoder()
    reader.network.double()
    text = text_from_model(reader, "the dog sees the cat")
    seen = corrupt_as_chosen(text, "2:[MASK]")
    before = {name: each.clone() for name, each in reader.network.state_dict().items()}
    norms = gradient_at_places(reader.network, text.ids, seen.corrupted, seen.chosen)
    assert norms.shape == (7,) and (norms > 0).all()
    for name, each in reader.network.state_dict().items():
        assert torch.equal(each, before[name])
    # Finite differences: a step along one number of P changes the loss as its gradient predicts.
    weight = reader.network.embedding.position.weight
    step, found = 1e-5, []
    with torch.no_grad():
        for number in range(weight.shape[1]):
            losses = []
            for sign in (1, -1):
                weight[5, number] += sign * step
                got = masked_loss(reader.network, text.ids, seen.corrupted, seen.chosen)
                losses.append(float(got.loss[0]))
                weight[5, number] -= sign * step
            found.append((losses[0] - losses[1]) / (2 * step))
    assert float(torch.tensor(found, dtype=torch.float64).norm()) == pytest.approx(
        float(norms[5]), rel=1e-5
    )
    with pytest.raises(ValueError, match="1 chosen place or more; got none"):
        none = torch.zeros_like(seen.chosen)
        gradient_at_places(reader.network, text.ids, text.ids, none)


def test_counts_must_be_there_and_fit():
    tokens = torch.zeros(1, 3, dtype=torch.long)
    wrong = torch.ones(3, dtype=torch.float64)
    with pytest.raises(ValueError, match="the counts must be 4 numbers of 0 or more, not all 0"):
        draw_corruption(tokens, 4, torch.Generator(), wrong)
    with pytest.raises(ValueError, match="2 draws or more"):
        repeat_draws(FISH, CorruptionConfig(), 1)
    with pytest.raises(ValueError, match="the draws must be those of 1 text; got 2"):
        draw_corruption(tokens.expand(2, -1), 4, torch.Generator()).repeated(3)


def test_without_the_rule_a_text_may_have_none():
    maskable = torch.ones_like(FISH.maskable)
    draws = draw_corruption(FISH.ids, 5, torch.Generator().manual_seed(0))
    for least, count in ((True, 1), (False, 0)):
        seen = apply_draws(FISH.ids, maskable, [Rates(1e-9)], draws, mask=5, at_least_one=least)
        assert int(seen.chosen.sum()) == count
