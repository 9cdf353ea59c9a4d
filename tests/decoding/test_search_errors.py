"""Greedy and beam search of translations; their log p is recomputed with `forward`."""

from functools import cache

import pytest
import torch

from lmcore.corpora.translation import held_out_sources, translate, translation_vocabulary
from lmcore.dataframes import Table
from lmcore.decoding import search_errors
from lmcore.decoding.search_errors import (
    Hypothesis,
    SearchComparison,
    compare_searches,
    find_translations,
    target_log_p,
)
from lmcore.shipped.models import load_translator
from lmcore.training.translation_batches import encode_sources, write_translations
from lmcore.vocabulary import END, START

SOURCES = held_out_sources("mixture", 20, 12)
IDS = translation_vocabulary().ids


@cache
def network(name="seq2seq_vector"):
    return load_translator(name)[0]


@torch.no_grad()
def log_p(source, words, *, ended=True):
    """log p of a target by the forward pass, one term per word."""
    ids = [IDS[word] for word in (*words, *[END] * ended)]
    rows = network()(encode_sources([source]), [[IDS[START], *ids[:-1]]]).logits[0].double()
    return float(sum(row[i] for row, i in zip(rows.log_softmax(dim=-1), ids, strict=True)))


def test_width_1_is_greedy_search_with_any_penalty():
    for source, written in zip(SOURCES, write_translations(network(), SOURCES), strict=True):
        for penalty in (0.0, 1.0, -0.5):
            (found,) = find_translations(network(), source, 1, penalty)
            assert found.words == written and found.ended


@pytest.mark.parametrize("penalty", [0.0, 0.7])
def test_hypotheses_are_ranked_by_log_p_over_the_power_of_their_length(penalty):
    for source in SOURCES[:4]:
        found = find_translations(network(), source, 4, penalty)
        assert len({each.words for each in found}) == len(found) == 4
        for each in found:
            assert each.log_p == pytest.approx(log_p(source, each.words), abs=1e-3)
            length = len(each.words) + 1
            assert each.score == pytest.approx(each.log_p / length**penalty)
        scores = [each.score for each in found]
        assert scores == sorted(scores, reverse=True)


def test_the_true_targets_log_p_is_the_sum_of_its_words():
    for source in SOURCES[:4]:
        wanted = log_p(source, translate(source, "mixture"))
        assert target_log_p(network(), source, "mixture") == pytest.approx(wanted, abs=1e-3)


def test_the_comparison_counts_what_a_loop_counts():
    greedy = write_translations(network(), SOURCES)
    beams = [find_translations(network(), source, 4)[0] for source in SOURCES]
    target = [translate(source, "mixture") for source in SOURCES]
    one = [a == t for a, t in zip(greedy, target, strict=True)]
    many = [b.words == t for b, t in zip(beams, target, strict=True)]
    better = [
        log_p(x, b.words) > log_p(x, g) + 1e-6
        for x, b, g in zip(SOURCES, beams, greedy, strict=True)
    ]
    lost = [
        not right and log_p(x, t) > b.log_p
        for x, b, t, right in zip(SOURCES, beams, target, many, strict=True)
    ]
    found = compare_searches(network(), SOURCES, "mixture", 4)
    assert found == SearchComparison(
        len(SOURCES),
        sum(one),
        sum(many),
        sum(b and not a for a, b in zip(one, many, strict=True)),
        sum(a and not b for a, b in zip(one, many, strict=True)),
        sum(better),
        sum(lost),
    )
    assert 0 < found.greedy < len(SOURCES) and found.more_probable


def test_a_wrong_text_is_a_search_error_only_if_the_true_one_is_more_probable(monkeypatch):
    wrong = Hypothesis(("tom",), True, -3.0, -3.0)
    monkeypatch.setattr(search_errors, "find_translations", lambda *_: Table([wrong]))
    for true, errors in ((-2.9, 1), (-3.0, 0), (-3.1, 0)):
        monkeypatch.setattr(search_errors, "target_log_p", lambda *_, true=true: true)
        found = compare_searches(network(), SOURCES[:1], "mixture", 2)
        assert found == SearchComparison(1, 0, 0, 0, 0, 0, errors)


def test_a_text_that_was_broken_off_is_not_right(monkeypatch):
    target = translate(SOURCES[0], "mixture")
    cut = Hypothesis(target, False, -1.0, -1.0)
    monkeypatch.setattr(search_errors, "find_translations", lambda *_: Table([cut]))
    assert compare_searches(network(), SOURCES[:1], "mixture", 2).beam == 0


def test_a_width_out_of_bounds_is_refused():
    with pytest.raises(ValueError, match="beam width must be from 1 to 16; got 17"):
        find_translations(network(), SOURCES[0], 17)


def test_results_have_frames():
    found = find_translations(network(), SOURCES[0], 2)
    assert found.to_frame()["text"].tolist() == [" ".join(each.words) for each in found]
    table = SearchComparison(50, 10, 20, 11, 1, 5, 2).to_frame()
    assert table["exact"].tolist() == [10, 20]
    assert table["share"].tolist() == [0.2, 0.4]
    assert (table["low"] < table["share"]).all() and (table["share"] < table["high"]).all()
