"""The first token at every position of every slider, and the size of a search without pruning."""

from dataclasses import replace

import pytest
import torch

from lmcore.decoding.continuations import continue_prompt
from lmcore.decoding.frontier import frontier
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.sweeps import (
    NOT_SHOWN,
    POSITIONS,
    SLIDER_RANGES,
    slider_positions,
    sweep_first_token,
)
from lmcore.decoding.token_by_token import filter_stages
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.shipped.models import load_shipped

GPT, _, _ = load_shipped("gpt")
WRITER = writer_from_vocabulary("gpt", GPT, GPT.vocabulary)
PROMPT = WRITER.read("the animal didn't cross the")
TREE = writer_from_vocabulary("tree", TreeModel(), TreeModel().vocabulary)
SETTINGS = StrategySettings()


def test_a_sweep_is_the_engine_at_every_position():
    names = ("greedy", "beam", "temperature", "top_k", "together", "repetition")
    found = sweep_first_token(WRITER.model, PROMPT, SETTINGS, 1, names)
    with torch.no_grad():
        scores = GPT.network(PROMPT[None]).logits[:, -1]
    assert found.tokens.tolist() == scores[0].topk(len(found.tokens)).indices.tolist()
    assert set(found.swept) == set(SLIDER_RANGES)
    assert set(found.swept["top_k"]) == {"top_k", "together"}
    for setting, each in found.swept.items():
        for n, value in enumerate(
            slider_positions(setting, float(getattr(SETTINGS, setting))).tolist()
        ):
            moved = replace(SETTINGS, **{setting: int(value) if setting == "top_k" else value})
            for name, shown in each.items():
                strategy = STRATEGIES[name]
                last = filter_stages(scores, PROMPT[None], strategy.filters(moved),
                            drawing=strategy.draws)[-1].scores  # fmt: skip
                p = last[0].double().softmax(-1)[found.tokens]
                assert torch.allclose(shown.probabilities[n], p, atol=1e-6)
                kept = last[0].isfinite()
                model = scores[0].double().softmax(-1)
                assert shown.kept[n] == kept.sum()
                assert shown.mass[n] == pytest.approx(float(model[kept].sum()), abs=1e-6)
                assert shown.rest[n] == pytest.approx(float(1 - p.sum()), abs=1e-6)
                text = continue_prompt(WRITER, PROMPT, strategy, moved, seed=1, length=1).tokens[0]
                at = found.tokens.tolist().index(text) if text in found.tokens else NOT_SHOWN
                assert shown.chosen[n] == at
    assert found.now["beam"].chosen == NOT_SHOWN
    p = scores[0].double().softmax(-1)[found.tokens]
    assert torch.allclose(found.model, p, atol=1e-6)
    assert torch.allclose(found.now["beam"].probabilities, p, atol=1e-6)


def test_what_was_kept_gives_the_same_for_another_seed_and_another_number():
    held = {}

    def keep(call):
        key = call.func, call.args
        return held[key] if key in held else held.setdefault(key, call())

    for seed, settings in ((1, SETTINGS), (2, SETTINGS), (2, replace(SETTINGS, top_k=2))):
        quick = sweep_first_token(WRITER.model, PROMPT, settings, seed, tuple(STRATEGIES), keep)
        slow = sweep_first_token(WRITER.model, PROMPT, settings, seed, tuple(STRATEGIES))
        for setting, each in slow.swept.items():
            for name, shown in each.items():
                assert torch.equal(quick.swept[setting][name].probabilities, shown.probabilities)
                assert torch.equal(quick.swept[setting][name].chosen, shown.chosen)
    asked = []

    def only(call):
        asked.append(call)
        return held[call.func, call.args]  # a call that is new would be a KeyError

    sweep_first_token(WRITER.model, PROMPT, SETTINGS, 1, tuple(STRATEGIES), only)
    asked_for = {(call.func.__name__, call.args[-1]) for call in asked}
    assert {name for name, _ in asked_for} == {"_read_prompt", "_odds_now", "_odds_along"}
    assert {last for name, last in asked_for if name == "_odds_along"} == {*SLIDER_RANGES}


def test_where_nothing_can_be_chosen_no_row_is_marked():
    dead = torch.tensor([0, TreeModel().vocabulary.ids["</s>"]])
    found = sweep_first_token(TREE.model, dead, SETTINGS, 1, tuple(STRATEGIES))
    assert all(shown.chosen == NOT_SHOWN for shown in found.now.values())
    assert all(not shown.probabilities.isnan().any() for shown in found.now.values())
    assert not found.model.isnan().any()


def test_a_slider_has_its_value_among_its_positions():
    for name, (low, high) in SLIDER_RANGES.items():
        for value in (low, high, 0.33 * high, 1e6):
            places = slider_positions(name, float(value))
            assert value in places and len(places) == POSITIONS
    with pytest.raises(ValueError, match=r"a strategy must be one of greedy.*; got 'best'"):
        sweep_first_token(WRITER.model, PROMPT, SETTINGS, 1, ("best",))


@pytest.mark.parametrize(("width", "steps"), [(1, 1), (2, 3), (3, 4), (4, 6)])
def test_what_is_never_pruned_is_counted_as_the_loop_holds_it(width, steps):
    held = [0]
    for depth in held:
        held += [depth + 1] * width if depth < steps else []
    under_way, expanded = 1, 0
    for _ in range(steps):
        expanded += under_way
        under_way = min(under_way * width, width)
    assert frontier(width, steps) == (len(held), expanded)


def test_the_errata_count_is_right():
    assert frontier(4, 10) == (1_398_101, 37)
    with pytest.raises(ValueError, match="must be 1 or more; got 0 and 3"):
        frontier(0, 3)
