"""The Transformer on one screen, against loops, torch's own Adam, and lmcore's GPT."""

import math
from dataclasses import fields
from functools import cache

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from lmcore.models.gpt import GPT
from lmcore.transformer import tiny
from lmcore.transformer.tiny import MATRICES, TinyTrace, WeightEdit, WeightPlace

NAMES = [field.name for field in fields(TinyTrace)]
TEXTS = ("cat near cats runs", "cats", ". run near")


@cache
def run():
    """The run that the page opens on."""
    return tiny.train_tiny()


def loaded(row):
    """A GPT with a row of weights, as torch stores them."""
    network = GPT(tiny.CONFIG, 0).double()
    network.load_state_dict(tiny.named_parameters(row))
    return network


def by_hand(row, ids):
    """The forward pass in loops over numbers."""
    numbers = row.tolist()
    of = {}
    for name, its in MATRICES.items():
        flat = [numbers.pop(0) for _ in range(its.rows * its.columns)]
        of[name] = [flat[i * its.columns : (i + 1) * its.columns] for i in range(its.rows)]
    assert not numbers

    def times(x, weight, bias=None):
        return [
            [
                sum(a * of[weight][c][j] for c, a in enumerate(line))
                + (of[bias][0][j] if bias else 0.0)
                for j in range(len(of[weight][0]))
            ]
            for line in x
        ]

    def norm(x, n):
        found = []
        for line in x:
            mean = sum(line) / len(line)
            variance = sum((a - mean) ** 2 for a in line) / len(line)
            found.append(
                [
                    (a - mean) / math.sqrt(variance + 1e-5) * gain + shift
                    for a, gain, shift in zip(
                        line, of[f"gamma{n}"][0], of[f"beta{n}"][0], strict=True
                    )
                ]
            )
        return found

    def softmax(x):
        powers = [[math.exp(a) for a in line] for line in x]
        return [[a / sum(line) for a in line] for line in powers]

    def plus(x, y):
        return [[a + b for a, b in zip(*lines, strict=True)] for lines in zip(x, y, strict=True)]

    t = range(len(ids))
    of["x"] = plus([of["E"][i] for i in ids], [of["P"][i] for i in t])
    of["n1"] = norm(of["x"], 1)
    for each in "QKV":
        of[each.lower()] = times(of["n1"], f"W{each}", f"b{each}")
    of["s"] = [
        [
            sum(a * b for a, b in zip(of["q"][i], of["k"][j], strict=True)) / 2
            if j <= i
            else -math.inf
            for j in t
        ]
        for i in t
    ]
    of["alpha"] = softmax(of["s"])
    of["z"] = [[sum(of["alpha"][i][j] * of["v"][j][c] for j in t) for c in range(4)] for i in t]
    of["o"] = times(of["z"], "WO", "bO")
    of["r"] = plus(of["x"], of["o"])
    of["n2"] = norm(of["r"], 2)
    of["f"] = times(of["n2"], "W1", "b1")
    of["g"] = [[max(a, 0.0) for a in line] for line in of["f"]]
    of["m"] = times(of["g"], "W2", "b2")
    of["h"] = plus(of["r"], of["m"])
    of["n3"] = norm(of["h"], 3)
    of["logits"] = times(of["n3"], "U")
    of["p"] = softmax(of["logits"])
    return of


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("position", [0, 45, 100])
def test_every_number_is_that_of_a_forward_pass_by_hand(text, position):
    ids = tiny.tiny_ids(text)
    trace = tiny.trace_tiny(run().weights, ids)
    wanted = by_hand(run().weights[position], ids.tolist())
    for name in NAMES:
        np.testing.assert_allclose(
            getattr(trace, name)[position].numpy(), wanted[name], rtol=1e-9, atol=1e-11
        )


def test_one_row_is_bit_for_bit_the_trace_of_the_gpt_and_a_batch_is_it_but_for_rounding():
    ids = tiny.tiny_ids(TEXTS[0])
    row = run().weights[60]
    with torch.no_grad():
        of_gpt = loaded(row)([ids.tolist()])
        one = tiny.trace_tiny(row, ids)
    block = of_gpt.blocks[0]
    for mine, theirs in (
        (one.x, of_gpt.embedding.output),
        (one.s, block.attention.masked[:, 0]),
        (one.alpha, block.attention.weights[:, 0]),
        (one.r, block.attention_sum),
        (one.g, block.mlp.hidden),
        (one.h, block.output),
        (one.logits, of_gpt.logits),
    ):
        assert torch.equal(mine, theirs[0])
    batch = tiny.trace_tiny(run().weights[None, 58:62], ids)
    for name in NAMES:
        found = getattr(batch, name)
        assert found.shape[:2] == (1, 4)
        torch.testing.assert_close(found[0, 2], getattr(one, name), rtol=1e-11, atol=1e-13)


def test_the_four_sentences_together_are_each_of_them_alone():
    rows = run().weights[None, 58:62]
    together, losses = tiny.trace_sentences(rows)
    torch.testing.assert_close(losses, tiny.sentence_losses(rows), rtol=1e-12, atol=1e-13)
    for place, sentence in enumerate(tiny.SENTENCES):
        alone = tiny.trace_tiny(rows, tiny.tiny_ids(" ".join(sentence)))
        found = tiny.text_of(together, place)
        for name in NAMES:
            torch.testing.assert_close(
                getattr(found, name), getattr(alone, name), rtol=1e-11, atol=1e-13
            )


def test_the_training_is_that_of_torch_with_edits_in_between():
    edits = tiny.parse_edits("4: WQ[2,3] = 1.5; 10: U[1,6] = -2")
    mine = tiny.train_tiny(seed=3, rate=0.05, edits=edits, steps=20).weights
    network = GPT(tiny.CONFIG, 3).double()
    adam = torch.optim.Adam(network.parameters(), lr=0.05)
    inputs, targets = tiny.sentence_ids()
    for step in range(21):
        if step == 4:
            network.blocks[0].attention.query.weight.data[2, 1] = 1.5
        if step == 10:
            network.output.weight.data[5, 0] = -2
        if step % 2 == 0:
            wanted = torch.cat([each.detach().reshape(-1) for each in _shown(network)])
            torch.testing.assert_close(mine[step // 2], wanted, rtol=1e-7, atol=1e-8)
        adam.zero_grad()
        F.cross_entropy(network(inputs).logits.flatten(0, 1), targets.flatten()).backward()
        adam.step()


def _shown(network):
    named = dict(network.named_parameters())
    for its in MATRICES.values():
        yield named[its.parameter].T if its.transposed else named[its.parameter]


def test_before_an_edit_the_run_is_as_it_was_and_afterwards_another():
    place = WeightPlace("W2", 7, 3)
    edits = [WeightEdit(12, place, -1.0), WeightEdit(20, place, 9.0)]
    edited = tiny.train_tiny(edits=edits, steps=20).weights
    before = run().weights
    assert torch.equal(edited[:6], before[:6])
    others = torch.arange(244) != place.offset
    assert edited[6, place.offset] == -1.0
    assert torch.equal(edited[6, others], before[6, others])
    assert not torch.isclose(edited[7, others], before[7, others]).all()
    assert edited[10, place.offset] == 9.0  # the last step: no update follows the edit


def test_the_losses_are_those_of_each_sentence_and_never_below_the_floor():
    for i, sentence in enumerate(tiny.SENTENCES):
        ids = tiny.tiny_ids(" ".join(sentence))
        chances = tiny.trace_tiny(run().weights, ids).p
        following = [tiny.WORDS.index(word) for word in (*sentence[1:], ".")]
        wanted = -chances[:, range(4), following].log().mean(dim=-1)
        torch.testing.assert_close(run().losses[:, i], wanted)
    mean = run().losses.mean(dim=-1)
    assert (mean >= tiny.FLOOR).all()
    assert mean[-1] < tiny.FLOOR + 0.002


def test_the_word_before_the_verb_does_not_tell_it_and_the_first_word_does():
    verbs = {(sentence[0], sentence[2]): sentence[3] for sentence in tiny.SENTENCES}
    for first in ("cat", "cats"):
        assert {verbs[first, other] for other in ("cat", "cats")} == {
            "runs" if first == "cat" else "run"
        }


def test_a_sweep_changes_one_weight():
    place = tiny.parse_place("bK[1,3]")
    rows = tiny.sweep_weight(run().weights[5], place, torch.tensor([0.5, 2.0], dtype=torch.float64))
    assert rows[:, place.offset].tolist() == [0.5, 2.0]
    others = torch.arange(244) != place.offset
    assert (rows[:, others] == run().weights[5, others]).all()


def test_every_weight_has_a_place_of_its_own_and_is_read_as_it_is_written():
    places = [
        WeightPlace(name, i, j)
        for name, its in MATRICES.items()
        for i in range(its.rows)
        for j in range(its.columns)
    ]
    assert [each.offset for each in places] == list(range(244))
    assert [tiny.parse_place(str(each)) for each in places] == places
    chain = tuple(WeightEdit(2 * n, each, n / 8) for n, each in enumerate(places[::7]))
    assert tiny.parse_edits("; ".join(map(str, chain))) == chain


def test_of_two_edits_of_a_weight_at_a_step_the_last_is_kept():
    found = tiny.parse_edits("4: P[1,1] = 1; 2: P[1,1] = 3; 4: P[1,1] = 2;")
    assert [(each.step, each.value) for each in found] == [(2, 3.0), (4, 2.0)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("3: WQ[1,1] = 1", "the step of an edit must be one of 0, 2, …, 200; got 3"),
        ("202: WQ[1,1] = 1", "the step of an edit must be one of 0, 2, …, 200; got 202"),
        ("x: WQ[1,1] = 1", "the step of an edit must be a whole number such as 100; got"),
        ("2: WQ[1,5] = 1", "the column of WQ must be from 1 to 4; got 5"),
        ("2: WQ[0,1] = 1", "the row of WQ must be from 1 to 4; got 0"),
        ("2: WX[1,1] = 1", "the matrix of a weight must be one of E, P, gamma1, beta1, WQ"),
        ("2: WQ = 1", "a weight must be a matrix, row and column, such as WQ[1,2]; got"),
        ("2: WQ[1,1] = 101", "an edited weight must be from -100 to 100; got 101"),
        ("2: WQ[1,1]", "an edited weight must be a number such as 0.4; got"),
        (
            "; ".join(f"{2 * n}: WQ[1,1] = 1" for n in range(41)),
            "the number of edits must be from 0 to 40; got 41",
        ),
    ],
)
def test_an_edit_that_cannot_be_is_refused(text, says):
    with pytest.raises(ValueError, match="must be") as refused:
        tiny.parse_edits(text)
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: tiny.tiny_ids("cat dog"), "a word must be one of cat, cats, near, runs, run, ."),
        (lambda: tiny.tiny_ids(""), "the number of words must be from 1 to 4; got 0"),
        (lambda: tiny.tiny_ids("cat " * 5), "the number of words must be from 1 to 4; got 5"),
        (lambda: tiny.train_tiny(rate=2.0), "the learning rate η must be from 0 to 1; got 2"),
        (lambda: tiny.train_tiny(rate=math.nan), "the learning rate η must be from 0 to 1"),
        (
            lambda: tiny.trace_tiny(torch.zeros(3).double(), tiny.tiny_ids("cat")),
            "there must be 244 weights; got 3",
        ),
    ],
)
def test_what_is_out_of_bounds_is_refused(make, says):
    with pytest.raises(ValueError, match="must be") as refused:
        make()
    assert str(refused.value).startswith(says)
