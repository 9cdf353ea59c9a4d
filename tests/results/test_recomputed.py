"""Averages, gains and roundings against the numbers of the slides and a second computation."""

import numpy as np
import pytest

from lmcore.results.recomputed import CHECKS, failed_checks, recompute
from lmcore.results.tables import load_results


def by_row(kind, key):
    return {check.row: check for check in recompute(kind) if check.key == key}


def test_the_averages_of_glue_are_means_of_nine_columns():
    frame = load_results("glue").to_frame()
    means = frame.iloc[:, 1:-1].mean(axis=1)
    checks = recompute("glue")
    np.testing.assert_allclose([float(check.value) for check in checks], means)
    np.testing.assert_allclose(means, [74.0, 70.944, 75.133, 79.6, 82.078], atol=5e-4)
    assert [check.agrees for check in checks] == [True, False, True, True, True]
    assert checks[1].arithmetic == "638.5 / 9"
    assert (checks[1].printed, checks[1].rounded) == ("71.0", "70.9")


def test_the_averages_of_albert_take_a_squad_as_one_task():
    table = load_results("albert")
    squads = [
        np.mean([table.values(f"{squad}_{part}") for part in ("f1", "em")], axis=0)
        for squad in ("squad1", "squad2")
    ]
    means = np.mean([*squads, *(table.values(key) for key in ("mnli", "sst", "race"))], axis=0)
    checks = recompute("albert")
    np.testing.assert_allclose([float(check.value) for check in checks], means)
    np.testing.assert_allclose(means, [82.26, 85.19, 76.58, 80.05, 82.36, 85.5, 88.66], atol=5e-4)
    assert all(check.agrees for check in checks)
    assert checks[3].rounded == "80.1"  # 80.05, a tie, is rounded up


def test_elmos_increases_are_points_and_shares_of_the_errors():
    absolute, relative = by_row("elmo", "absolute"), by_row("elmo", "relative")
    points = {"SQuAD": 4.7, "SNLI": 0.7, "SRL": 3.2, "Coref": 3.2, "NER": 2.07, "SST-5": 3.3}
    shares = [24.87, 5.83, 17.20, 9.76, 21.02, 6.79]
    assert {row: float(check.value) for row, check in absolute.items()} == points
    np.testing.assert_allclose([float(c.value) for c in relative.values()], shares, atol=5e-3)
    assert all(check.agrees for check in relative.values())
    assert [row for row, check in absolute.items() if not check.agrees] == ["NER"]


def test_the_rounded_table_is_the_full_one_but_for_one_version():
    wrong = [check for check in recompute("rounding") if not check.agrees]
    assert [(c.row, c.key, c.printed, c.rounded) for c in wrong] == [
        ("Transformer*", "fr", "41.8", "41.0")
    ]
    assert len(recompute("rounding")) == 6


def test_the_abstracts_gains_imply_the_best_before():
    checks = recompute("abstract")
    assert [check.rounded for check in checks] == ["72.8", "82.1", "91.7", "78.0"]
    assert [check.agrees for check in checks] == [None, True, None, None]


def test_numbers_that_are_printed_twice_are_compared():
    wrong = {
        (check.row, check.printed): check.rounded
        for check in recompute("twice")
        if not check.agrees
    }
    assert wrong == {("BERT base", "92.7"): "92.9", ("GLUE", "80.5"): "82.1"}
    assert all(check.elsewhere for check in recompute("twice"))


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("glue", {("BiLSTM+ELMo+Attn", "average")}),
        ("elmo", {("NER", "absolute")}),
        ("wmt_short", {("Transformer*", "fr")}),
        ("albert", set()),
        ("co2", set()),
    ],
)
def test_what_does_not_come_out_is_found_by_its_table(table, found):
    assert set(failed_checks(table)) == found


def test_checks_are_a_frame_and_an_unknown_kind_is_named():
    frame = recompute("glue").to_frame()
    assert frame["agrees"].tolist() == [True, False, True, True, True]
    assert frame["row"].tolist() == [row.name for row in load_results("glue").rows]
    with pytest.raises(ValueError, match=f"the check must be one of {', '.join(CHECKS)}"):
        recompute("squad")
