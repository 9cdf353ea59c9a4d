"""Spans have SpanBERT's lengths, are runs of whole words, and stop where the share is used up."""

import pytest
import torch

from lmcore.corruption.corruption import Rates
from lmcore.corruption.draws import CorruptionConfig, corrupt_at_random, draw_for_text
from lmcore.corruption.spans import LONGEST, choose_spans, lengths, mean_length
from lmcore.corruption.text import text_from_words
from lmcore.corruption.whole_words import group_pieces

TEXT = text_from_words("the man jumped up , put his basket on phil ##am ##mon ' s head")


def test_the_lengths_are_the_papers():
    found = lengths()
    assert float(found.sum()) == pytest.approx(1)
    ratios = found[1:] / found[:-1]
    assert torch.allclose(ratios, torch.full_like(ratios, 0.8))
    # The paper says 3.8; the closed form of the truncated geometric distribution says the same.
    p, n = 0.2, LONGEST
    closed = 1 / p - n * (1 - p) ** n / (1 - (1 - p) ** n)
    assert mean_length(found) == pytest.approx(closed)
    assert round(closed, 1) == 3.8


def test_words_are_places_that_belong_together():
    tokens = ("[CLS]", "phil", "##am", "##mon", "##", "[SEP]", "##s", "head")
    maskable = [token not in ("[CLS]", "[SEP]") for token in tokens]
    assert group_pieces(tokens, maskable) == ((1, 2, 3), (4,), (6,), (7,))


@pytest.mark.parametrize("seed", range(20))
def test_spans_take_every_word_once_in_order(seed):
    config = CorruptionConfig(unit="span", seed=seed)
    found = draw_for_text(TEXT, config)
    taken, total = [], len(TEXT.tokens)
    for span in found.spans:
        assert 1 <= span.drawn <= LONGEST
        assert span.words == min(span.drawn, len(TEXT.words) - span.first)
        assert span.places[: len(TEXT.words[span.first])] == TEXT.words[span.first]
        ways = {float(found.draws.way[0, place]) for place in span.places}
        assert len(ways) == 1
        for place in span.places:
            word = next(each for each in TEXT.words if place in each)
            before = len(taken) + span.places.index(word[0])
            assert float(found.draws.chance[0, place]) == pytest.approx(before / total)
        taken += span.places
    assert sorted(taken) == list(range(total))


@pytest.mark.parametrize("share", [0.0, 0.05, 0.15, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(8))
def test_words_are_taken_until_the_budget_is_used_and_no_longer(share, seed):
    config = CorruptionConfig(Rates(share), unit="span", seed=seed)
    drawn = draw_for_text(TEXT, config)
    seen = corrupt_at_random(TEXT, config, [config.rates], drawn.draws).chosen[0].tolist()
    budget, wanted, count = share * len(TEXT.tokens), set(), 0
    for span in drawn.spans:  # as in the paper: span after span, word after word
        for word in TEXT.words:
            if word[0] in span.places and count < budget:
                wanted |= set(word)
                count += len(word)
    assert [n in wanted for n in range(len(seen))] == seen


def test_spans_begin_anywhere_and_are_as_long_as_their_chances_say():
    text = text_from_words("a b c d e f g h i j k l m n o p q r s t")
    first = [
        draw_for_text(text, CorruptionConfig(unit="span", seed=seed)).spans[0]
        for seed in range(1500)
    ]
    drawn = torch.tensor([span.drawn for span in first]).bincount(minlength=LONGEST + 1)[1:]
    assert (drawn / 1500).tolist() == pytest.approx(lengths().tolist(), abs=0.035)
    starts = torch.tensor([span.first for span in first]).bincount(minlength=20)
    assert (starts / 1500).tolist() == pytest.approx([0.05] * 20, abs=0.025)


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="p must be above 0 and below 1; got 1"):
        lengths(1.0)
    with pytest.raises(ValueError, match="1 word or more; got 0"):
        lengths(longest=0)
    draws = draw_for_text(TEXT, CorruptionConfig()).draws
    with pytest.raises(ValueError, match="1 text with 1 word or more; got 1 with 0"):
        choose_spans(draws, (), torch.Generator())
