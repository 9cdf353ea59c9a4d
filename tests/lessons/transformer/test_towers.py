"""The towers: their areas are the counts of the tensors, and their sentences say what is drawn."""

from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from lessons.transformer.towers import (
    stacks_text,
    stacks_view,
    towers_state,
    towers_text,
    towers_view,
)
from lessons.transformer.towers.towers_questions import stack_questions, towers_questions
from lmcore.transformer.floors import floors_of
from lmcore.transformer.parameters import Sizes, weight_tree
from lmcore.transformer.published import PUBLISHED

TOTALS = {"bert_base": 109_482_240, "bert_large": 335_141_888, "xlm_roberta": 559_890_432}
ALBERT = 11_683_584
"""The parameters of the released ALBERT base."""


def beside(name, **dragged):
    """BERT base, and another encoder with dragged sizes."""
    first, last = (towers_state.published(each) for each in ("bert_base", name))
    return first, last._replace(sizes=towers_state.resized(last.sizes, dragged))


@pytest.mark.parametrize("name", TOTALS)
def test_the_floors_are_all_tensors_of_the_model(name):
    sizes = PUBLISHED[name].sizes
    floors = floors_of(sizes)
    assert floors.total == TOTALS[name] == sum(each.count for each in weight_tree(sizes))
    assert floors.floor == 12 * sizes.width**2 + 13 * sizes.width
    assert floors.ground == sum(
        each.count
        for each in weight_tree(sizes)
        if not each.layer and each.ours.startswith(("embedding", "norm"))
    )


def test_the_floors_of_an_albert_are_stored_once_or_each():
    shared = PUBLISHED["albert_base"].sizes
    d, e = shared.width, 128
    assert floors_of(shared).total == ALBERT == sum(each.count for each in weight_tree(shared))
    own = floors_of(replace(shared, shared=False))
    floor = 12 * d**2 + 13 * d
    assert own.floor == floors_of(shared).floor == floor
    assert own.total == ALBERT + 11 * floor
    assert own.ground == (30_000 + 512 + 2 + 2) * e + e * d + d  # E, P, S, LayerNorm; e → d
    assert (own.layers, own.stored, floors_of(shared).stored) == (12, 12, 1)


def test_a_model_with_other_layers_has_no_floors():
    with pytest.raises(ValueError, match="a BERT, a RoBERTa or an ALBERT; got the kind gpt2"):
        floors_of(PUBLISHED["gpt2_small"].sizes)


def test_the_numbers_add_up_to_the_total_at_every_position_of_every_slider():
    live = towers_view.live_numbers(beside("bert_large"))
    at = live.names.index
    assert [slider.name for slider in live.sliders] == ["N", "d", "V"]
    for slider, table in zip(live.sliders, live.table, strict=True):
        sums = table[:, at("ground2")] + table[:, at("N2")] * table[:, at("floor2")]
        assert table[:, at("total2")] == pytest.approx(sums + table[:, at("roof2")])
        assert list(table[:, at(f"{slider.name}2")]) == list(slider.positions)
        assert (table[:, at("total1")] == live["total1"]).all()
    assert live["floor2"] * 1e6 == 12 * 1024**2 + 13 * 1024


@pytest.mark.parametrize(
    ("name", "dragged", "ends"),
    [
        ("bert_large", {}, "and ==3.1== times its weights: a floor grows with d²."),
        ("bert_large", {"width": 768}, "and ==1.8== times its weights: every floor is as heavy"),
        ("bert_large", {"width": 512}, "and ==0.84== times its weights: a floor shrinks with d²."),
        ("xlm_roberta", {}, "and ==5.1== times its weights: 46 % of them are in its embeddings."),
    ],
)
def test_the_sentence_says_why_the_second_tower_is_as_heavy_as_it_is(name, dragged, ends):
    towers = beside(name, **dragged)
    live = towers_view.live_numbers(towers)
    said = live.fill(towers_text.sentences(towers)[int(live["@say"])])
    assert said.startswith(f"**{towers[1].name}**: 24 floors where BASE has 12, {ends[:30]}")
    assert ends in said


def test_alone_the_sentence_names_the_share_of_the_mlps():
    towers = towers_state.default_towers()
    live = towers_view.live_numbers(towers)
    (said,) = towers_text.sentences(towers)
    assert live.fill(said) == (
        "**BASE**: 12 floors, ==109.5== M weights; 52 % of them are in the MLPs."
    )
    (part,) = towers_questions(towers, live)
    assert part.answer == "the MLPs"


def test_the_question_offers_the_ratios_that_one_might_guess():
    towers = beside("bert_large")
    heavier, part = towers_questions(towers, towers_view.live_numbers(towers))
    assert heavier.answer == "3.1 ×"
    assert heavier.options == ("2 ×", "2.7 ×", "3.1 ×", "3.6 ×")
    assert "total2" in heavier.hides and "total1" not in heavier.hides
    assert part.answer == "the MLPs"
    same = beside("bert_large", layers=12, width=768)
    assert len(towers_questions(same, towers_view.live_numbers(same))) == 1


def test_one_set_of_weights_for_all_floors_is_a_tenth_of_the_weights():
    towers = beside("albert_base")
    live = towers_view.live_numbers(towers)
    assert [slider.name for slider in live.sliders] == ["N", "d", "V", "e"]
    said = live.fill(towers_text.sentences(towers)[int(live["@say"])])
    assert said == (
        "**ALBERT**: 12 floors where BASE has 12, and ==0.11== times its weights: one set of "
        "weights serves all floors."
    )
    assert live["ratio"] == float(f"{ALBERT / TOTALS['bert_base']:.2g}")
    at = live.names.index
    more_floors = live.table[0]
    assert len({*more_floors[:, at("total2")]}) == 1, "another floor costs no weight"
    lighter, _ = towers_questions(towers, live)
    assert lighter.answer == "0.11 ×" and lighter.options == ("0.083 ×", "0.11 ×", "0.5 ×", "1 ×")


def test_floors_with_weights_of_their_own_leave_the_narrow_embeddings():
    towers = beside("albert_base", shared=False)
    live = towers_view.live_numbers(towers)
    said = live.fill(towers_text.sentences(towers)[int(live["@say"])])
    assert said.endswith(
        "==0.82== times its weights: its E is 128 wide, and a matrix 128 × 768 widens it."
    )
    assert live["total2"] * 1e6 == pytest.approx(ALBERT + 11 * (12 * 768**2 + 13 * 768))


def test_a_dragged_wall_adds_heads_of_64_and_keeps_the_form_of_the_mlp():
    sizes = towers_state.resized(PUBLISHED["bert_large"].sizes, {"width": 1280})
    assert isinstance(sizes, Sizes)
    assert (sizes.heads, sizes.hidden, sizes.layers) == (20, 5120, 24)


@pytest.mark.parametrize(
    ("name", "typed", "problem"),
    [
        ("N", "99", "the number of floors N must be from 2 to 36; got 99"),
        ("d", "700", "the width d must be a multiple of 64, the width of a head; got 700"),
        ("V", "12", "the vocabulary V must be from 1,000 to 300,000; got 12"),
    ],
)
def test_a_size_that_no_tower_has_is_refused(name, typed, problem):
    with pytest.raises(ValueError, match=problem):
        towers_state.read_size(name, typed)


def test_dragged_sizes_are_those_of_the_last_tower(monkeypatch):
    controls = {"tower_beside": "alone", "tower_n": "6", "tower_d": "", "tower_v": ""}
    monkeypatch.setattr(st, "session_state", controls)
    (alone,) = towers_state.read_towers()
    assert (alone.name, alone.sizes.layers, alone.printed) == ("BASE, changed", 6, "")
    controls["tower_beside"] = "bert_large"
    first, second = towers_state.read_towers()
    assert (first.sizes.layers, second.sizes.layers) == (12, 6)
    assert first.printed == "110M" and second.changed
    controls |= {"tower_beside": "albert_base", "tower_n": "", "tower_e": "", "tower_shared": "own"}
    albert = towers_state.read_towers()[1]
    assert albert.changed and not albert.sizes.shared
    controls |= {"tower_shared": "shared", "tower_e": "256"}
    albert = towers_state.read_towers()[1]
    assert albert.sizes.shared and albert.sizes.narrow == 256


# --- Stacks ---------------------------------------------------------------------------------------


def test_the_stacks_have_the_weights_of_their_tensors():
    live = stacks_view.live_numbers(6, "encoder")
    counts = {kind: sum(1e6 * live[kind] for _ in range(6)) for kind in ("encoder", "decoder")}
    total = sum(each.count for each in weight_tree(stacks_view.BASE))
    embeddings = stacks_view.BASE.vocabulary * stacks_view.BASE.width
    assert sum(counts.values()) == pytest.approx(total - embeddings)
    assert live["stacks"] * 1e6 == pytest.approx(total - embeddings)
    d, hidden = 512, 2048
    attention, mlp = 4 * (d**2 + d), 2 * d * hidden + hidden + d
    assert live["encoder"] * 1e6 == attention + mlp + 4 * d
    assert live["decoder"] * 1e6 == 2 * attention + mlp + 6 * d


def test_the_sentence_and_the_formula_name_the_blocks():
    live = stacks_view.live_numbers(6, "decoder")
    (said,) = stacks_text.sentences()
    assert live.fill(said).startswith("**6 encoders, 6 decoders**: alike in structure")
    assert "==44.14== M in all" in live.fill(said)
    formula = stacks_text.formulas()[int(live["@formula"])]
    assert live.fill(formula[0]).endswith("+ 6d = **4.204** M")
    (question,) = stack_questions(live)
    assert question.answer == "1.33 ×" in question.options
    higher = live.table[0][:, live.names.index("stacks")]
    assert higher == pytest.approx(np.arange(1, 13) * higher[0])


@pytest.mark.parametrize("typed", ["0", "13", "six"])
def test_a_number_of_blocks_that_is_not_drawn_is_refused(typed):
    with pytest.raises(ValueError, match="the number of blocks N"):
        stacks_view.checked(typed)
