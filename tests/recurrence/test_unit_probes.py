import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lmcore.corpora import quoted_text
from lmcore.models.lstm import LSTM, LSTMConfig
from lmcore.recurrence import unit_probes

NETWORK = LSTM(LSTMConfig(len(quoted_text.VOCABULARY), 5, 11), seed=3)


def brute_auc(values, label):
    """The AUC by its definition, pair by pair."""
    inside, outside = values[label], values[~label]
    wins = [(a > b) + 0.5 * (a == b) for a in inside for b in outside]
    return sum(wins) / len(wins)


@given(
    st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=23).filter(
        lambda rows: 0 < sum(label for _, label in rows) < len(rows)
    )
)
def test_the_auc_is_the_share_of_pairs_that_are_in_order_ties_counted_half(rows):
    values = np.array([value for value, _ in rows], dtype=float)
    label = np.array([label for _, label in rows])
    found = unit_probes.auc(np.stack([values, -values], axis=1), label)
    assert found[0] == pytest.approx(brute_auc(values, label), abs=1e-12)
    assert found[1] == pytest.approx(1 - found[0], abs=1e-12)


def test_a_label_that_is_everywhere_or_nowhere_is_refused():
    for label in (np.ones(7, dtype=bool), np.zeros(7, dtype=bool)):
        with pytest.raises(ValueError, match=r"true at some places and false .* true of 7"):
            unit_probes.auc(np.zeros((7, 3)), label)


def test_ranks_share_their_mean_where_values_are_equal():
    ranks = unit_probes.ranks(np.array([[5.0, 1.0], [2.0, 1.0], [5.0, 1.0], [9.0, 0.0]]))
    assert ranks.T.tolist() == [[2.5, 1.0, 2.5, 4.0], [3.0, 3.0, 3.0, 1.0]]


def test_the_correlation_is_that_of_numpy_and_0_for_a_unit_that_never_moves():
    generator = np.random.default_rng(1)
    values, position = generator.normal(size=(31, 3)), generator.integers(0, 60, 31)
    values[:, 1] = 4.0
    found = unit_probes.correlation(values, position)
    for unit in (0, 2):
        assert found[unit] == pytest.approx(np.corrcoef(values[:, unit], position)[0, 1])
    assert found[1] == 0
    assert (unit_probes.correlation(values, np.full(31, 7)) == 0).all()


def test_a_unit_that_is_the_label_or_its_opposite_is_as_far_as_can_be():
    label = np.array([True, False, True, False, False])
    values = np.stack([label, ~label, np.zeros(5)], axis=1).astype(float)
    scores = unit_probes.unit_scores(values, label)
    assert scores.tolist() == [1, 0, 0.5]
    assert unit_probes.distance_from_chance(scores, "inside quotes").tolist() == [0.5, 0.5, 0]
    position = np.arange(5)
    far = unit_probes.distance_from_chance(
        unit_probes.unit_scores(-position[:, None].astype(float), position), unit_probes.LABELS[2]
    )
    assert far[0] == pytest.approx(1)


def test_what_is_read_is_what_the_network_does_place_by_place():
    texts = [quoted_text.text(seed, 17) for seed in (1, 2, 3)]
    read = unit_probes.record_units(NETWORK, quoted_text.VOCABULARY, texts)
    alone = unit_probes.record_units(NETWORK, quoted_text.VOCABULARY, texts[1:2])
    for kind in unit_probes.KINDS:
        assert read.values[kind].shape == (51, 11)
        np.testing.assert_allclose(read.values[kind][17:34], alone.values[kind], atol=1e-6)
    assert (read.labels.column[17:34] == quoted_text.labels(texts[1]).column).all()


def test_a_search_picks_on_one_text_and_scores_on_another():
    found, unreadable = unit_probes.search(NETWORK, quoted_text.VOCABULARY)
    expected = [(label, kind) for label in unit_probes.LABELS for kind in unit_probes.KINDS]
    assert [(each.label, each.kind) for each in found] == expected
    assert all(0 <= each.unit < 11 for each in found)
    assert 0 <= unreadable <= 11
    picking, scoring = (
        unit_probes.sample_texts(unit_probes.SELECTION_SEED),
        unit_probes.sample_texts(unit_probes.TEST_SEED),
    )
    assert not set(picking) & set(scoring)
    other = unit_probes.record_units(NETWORK, quoted_text.VOCABULARY, scoring)
    best = found[0]
    again = unit_probes.unit_scores(other.values[best.kind], other.labels.inside_quotes)
    assert best.scored == pytest.approx(float(again[best.unit]))


def test_a_unit_that_is_typed_must_be_there():
    assert unit_probes.parse_unit(" 10 ", 11) == 10
    for typed in ("11", "-1"):
        with pytest.raises(ValueError, match="the unit must be from 0 to 10; got"):
            unit_probes.parse_unit(typed, 11)
    with pytest.raises(ValueError, match="the unit must be a whole number such as"):
        unit_probes.parse_unit("best", 11)
