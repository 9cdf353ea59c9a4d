"""A step as rows: scores as in the engine, the right reasons, and u within the drawn token."""

import random

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.decoding import filter_explanations, stepping
from lmcore.decoding.filters import Filters
from lmcore.decoding.next_token import RecomputingAdapter, next_token_model
from lmcore.decoding.stepping import decoding_steps
from lmcore.decoding.token_by_token import SamplingConfig, generate, generate_steps
from lmcore.decoding.tree import TreeModel
from lmcore.numbers import format_number
from lmcore.shipped.models import load_shipped
from tests.decoding.processors import PROCESSORS, processor

GPT, _, _ = load_shipped("gpt")
MODEL = next_token_model(GPT)
END = GPT.vocabulary.ids["</s>"]
PROMPT = torch.tensor(GPT.vocabulary.read("the animal didn't cross the"))
SEEDS = st.integers(0, 2**31)
ALL = {"repetition": 1.3, "no_repeat": 2, "temperature": 0.7, "top_k": 30, "top_p": 0.95,
       "min_p": 0.001, "typical": 0.9}  # fmt: skip


def some(seed):
    """Random filters, and a sampling configuration with them."""
    rng = random.Random(seed)
    values = {
        "repetition": rng.uniform(0.8, 2),
        "no_repeat": rng.randint(1, 3),
        "temperature": rng.uniform(0.4, 3),
        "top_k": rng.randint(1, 40),
        "top_p": rng.uniform(0.1, 0.99),
        "min_p": rng.uniform(0.01, 0.6),
        "typical": rng.uniform(0.1, 0.99),
    }
    chosen = {name: value for name, value in values.items() if rng.random() < 0.5}
    return chosen, SamplingConfig(8, (END,), Filters(**chosen), seeds=(seed % 1000,))


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_every_stage_is_that_of_transformers_and_the_text_that_of_the_engine(seed):
    chosen, how = some(seed)
    text = PROMPT.tolist()
    made = list(decoding_steps(MODEL, PROMPT, how, shown=500))
    for step in made:
        with torch.no_grad():
            scores = GPT.network(torch.tensor([text])).logits[:, -1]
        assert step.stages == ("model", *(name for name in PROCESSORS if name in chosen))
        for k, name in enumerate(step.stages):
            if k:
                scores = processor(name, chosen[name])(torch.tensor([text]), scores)
            expected = scores[0].double().softmax(-1)[step.tokens]
            assert torch.allclose(step.probabilities[k], expected, atol=1e-6), name
        text.append(step.chosen)
    assert text[len(PROMPT) :] == generate(MODEL, PROMPT[None], how)[0]


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_the_line_is_whole_and_u_falls_on_what_is_drawn(seed):
    _, how = some(seed)
    for step in decoding_steps(MODEL, PROMPT, how, shown=500):
        order = step.tokens.argsort()
        low, high = step.low[order].numpy(), step.high[order].numpy()
        assert low[0] == pytest.approx(0, abs=1e-12) and high[-1] == pytest.approx(1)
        assert np.allclose(low[1:], high[:-1])
        assert torch.allclose(step.high - step.low, step.probabilities[-1], atol=1e-9)
        at = step.tokens.tolist().index(step.chosen)
        assert step.low[at] - 1e-12 <= step.uniform < step.high[at]
        assert step.cut[at] == filter_explanations.NOT_CUT and step.why[at] == ""


@given(SEEDS)
@settings(max_examples=25, deadline=None)
def test_what_is_cut_says_where_and_every_row_sums_with_the_others_to_one(seed):
    _, how = some(seed)
    for step in decoding_steps(MODEL, PROMPT, how):
        total = step.probabilities.sum(dim=1) + step.other_probabilities
        assert torch.allclose(total, torch.ones_like(total))
        assert len(step.tokens) + step.others == len(GPT.vocabulary)
        assert sorted(step.ranks.tolist()) == step.ranks.tolist()
        for row, (at, why) in enumerate(zip(step.cut, step.why, strict=True)):
            assert (
                (at == filter_explanations.NOT_CUT)
                == (step.probabilities[-1, row] > 0)
                == (why == "")
            )
            if at != filter_explanations.NOT_CUT:
                assert (step.probabilities[at:, row] == 0).all()
                assert (step.probabilities[:at, row] > 0).all()
                assert why.startswith(step.stages[at].replace("_", " ").split()[0])


def one(filters, **how):
    return next(
        iter(decoding_steps(MODEL, PROMPT, SamplingConfig(1, (END,), filters, seeds=(1,), **how)))
    )


def reason(step, name):
    at = step.stages.index(name)
    row = step.cut.index(at)
    return row, step.why[row]


def test_the_reasons_have_the_numbers_that_decide():
    with torch.no_grad():
        p = GPT.network(PROMPT[None]).logits[0, -1].double().softmax(-1)
    ordered = p.sort(descending=True).values
    step = one(Filters(top_k=3))
    assert step.left == (len(p), 3)
    assert [step.why[row] for row in (3, 4)] == [
        f"top-k: it is number {n}; the first 3 are kept" for n in (4, 5)
    ]
    kept = int((ordered.cumsum(0) < 0.5).sum()) + 1
    _, said = reason(one(Filters(top_p=0.5)), "top_p")
    total = format_number(float(ordered[:kept].sum()))
    assert said == f"top-p: the {kept} kept sum to {total}, enough for 0.5"
    row, said = reason(one(Filters(min_p=0.9)), "min_p")
    assert f"is less than 0.9 × {format_number(float(ordered[0]))}" in said
    assert said.startswith(f"min-p: {format_number(float(ordered[row]))}")
    entropy = float(-(p * p.log()).sum())
    row, said = reason(one(Filters(typical=0.2)), "typical")
    cut = float(-p[one(Filters(typical=0.2)).tokens[row]].log())
    far = format_number(abs(cut - entropy))
    assert (
        f"−log p is {format_number(cut)}, {far} from the entropy {format_number(entropy)};" in said
    )
    _, said = reason(one(Filters(temperature=0.0)), "temperature")
    assert said == "temperature 0: only the most probable is left"
    _, said = reason(one(Filters(no_repeat=1)), "no_repeat")
    assert said == "no repeat: it is already in the text"


def test_a_forced_token_stands_there_and_what_was_free_is_told():
    how = SamplingConfig(12, (END,), seeds=(1,))
    free = [step.chosen for step in decoding_steps(MODEL, PROMPT, how)]
    tired = GPT.vocabulary.ids["tired"]
    made = list(
        decoding_steps(MODEL, PROMPT, SamplingConfig(12, (END,), seeds=(1,), forced={5: tired}))
    )
    assert [step.chosen for step in made[:5]] == free[:5]
    assert made[5].forced and made[5].chosen == tired and made[5].free == free[5] != tired
    assert tired in made[5].tokens
    assert not any(step.forced for n, step in enumerate(made) if n != 5)
    assert [step.uniform for step in made] == [
        float(choice.uniforms[0]) for choice in generate_steps(MODEL, PROMPT[None], how)
    ][: len(made)]


def test_greedy_draws_nothing():
    made = list(decoding_steps(MODEL, PROMPT, SamplingConfig(30, (END,))))
    assert all(step.uniform is None and step.ranks[0] == 1 for step in made)
    assert all(step.chosen == step.tokens[0] for step in made)
    assert made[-1].end == "stop"


def test_what_is_chosen_is_shown_even_if_it_is_improbable():
    how = SamplingConfig(1, (END,), Filters(temperature=1e9), seeds=(5,))
    (step,) = decoding_steps(MODEL, PROMPT, how, shown=2)
    assert step.chosen in step.tokens and len(step.tokens) <= 2 + 1 + stepping.RAISED


def test_the_impossible_has_its_reason_and_no_nan():
    tree, ids = TreeModel(), TreeModel().vocabulary.ids
    (first, *_) = decoding_steps(
        RecomputingAdapter(tree),
        torch.tensor([ids["<s>"]]),
        SamplingConfig(4, (ids["</s>"],), seeds=(1,)),
    )
    row = first.tokens.tolist().index(ids["<s>"])
    assert first.why[row] == "the model gives it p = 0" and first.cut[row] == 0
    (last,) = decoding_steps(
        RecomputingAdapter(tree),
        torch.tensor([ids["<s>"], ids["</s>"]]),
        SamplingConfig(4, seeds=(1,)),
    )
    assert last.end == "nothing left" and last.chosen is None and last.free is None
    assert (last.probabilities == 0).all() and last.left == (0,)


def test_a_forced_id_that_is_none_is_refused():
    with pytest.raises(ValueError, match="forced at 2 must be an id from 0 to 281; got 900"):
        list(decoding_steps(MODEL, PROMPT, SamplingConfig(4, forced={1: 900})))
