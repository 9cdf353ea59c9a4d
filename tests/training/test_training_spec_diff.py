from dataclasses import replace

from runs_at_hand import TINY, of

from lmcore.training.spec_diff import difference_labels


def test_a_run_alone_needs_no_words():
    assert difference_labels([]) == []
    assert difference_labels([TINY]) == [""]


def test_runs_are_told_apart_by_the_settings_in_which_they_differ():
    runs = [TINY, replace(TINY, learning_rate=0.5), replace(TINY, decay=False)]
    assert difference_labels(runs) == [
        "η 0.01, η falls yes",
        "η 0.5, η falls yes",
        "η 0.01, η falls no",
    ]


def test_equal_runs_are_counted_and_other_models_need_nothing():
    assert difference_labels([TINY, of("lstm"), TINY]) == ["no. 1", "", "no. 2"]
    assert difference_labels([TINY, of("lstm")]) == ["", ""]
    wide = replace(TINY, model=replace(TINY.model, hidden=9))
    assert difference_labels([TINY, wide, wide]) == [
        "hidden 7",
        "hidden 9, no. 1",
        "hidden 9, no. 2",
    ]


def test_a_part_that_is_left_out_is_named_beside_what_a_model_usually_has():
    whole = of("transformer")
    bare = replace(whole, model=replace(whole.model, norm="none", residual=False))
    assert difference_labels([whole, bare]) == [
        "LayerNorm pre, residuals yes",
        "LayerNorm none, residuals no",
    ]
