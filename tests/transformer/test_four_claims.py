"""The four experiments: on small sizes, and against the computations they are made of."""

import pytest
import torch

from lmcore.attention.heads import Head
from lmcore.evaluation.probes import measure_probe, probes
from lmcore.shipped.models import load_shipped
from lmcore.transformer.four_claims import (
    RELATIONS,
    change_order,
    learn_recall,
    mute_heads,
    recall_specs,
)

GPT = load_shipped("gpt")[0]


def test_networks_learn_to_recall_over_a_short_distance_and_attention_over_a_longer_one():
    near = {each.network: each.accuracy for each in learn_recall(distance=1, steps=60)}
    far = {each.network: each.accuracy for each in learn_recall(distance=12, steps=60)}
    assert set(near) == set(recall_specs())
    assert far["attention"] > 0.9 > 0.4 > max(far["RNN"], far["LSTM"])
    assert near["RNN"] > far["RNN"]


def test_recall_is_the_same_for_the_same_seed():
    one, same, other = (learn_recall(distance=3, steps=5, seed=seed) for seed in (0, 0, 1))
    assert one == same != other


def test_a_new_order_changes_vectors_only_where_there_are_positions():
    found = change_order(("a", "b", "c", "d"), (0, 2, 1, 3))
    assert found[False].is_equivariant and not found[True].is_equivariant


def test_with_all_heads_the_probes_are_those_of_the_evaluation():
    found = {each.relation: each.right for each in mute_heads(GPT, items=20) if each.head is None}
    known = {probe.name: probe for probe in probes(count=20)}
    for relation, name in RELATIONS.items():
        assert found[relation] == measure_probe(GPT, known[name]).accuracy


def test_muting_a_head_is_the_model_without_its_columns_of_the_output_matrix():
    table = {(each.relation, each.head): each.right for each in mute_heads(GPT, items=12)}
    copied = load_shipped("gpt")[0]
    output = copied.network.blocks[0].attention.output.weight
    with torch.no_grad():
        output[:, 16:32] = 0  # head 1 of four, 16 wide
    known = {probe.name: probe for probe in probes(count=12)}
    for relation, name in RELATIONS.items():
        assert table[relation, Head(0, 1)] == measure_probe(copied, known[name]).accuracy


def test_only_a_gpt_has_heads_to_mute():
    with pytest.raises(ValueError, match="the model must be a GPT; got a LSTM"):
        mute_heads(load_shipped("lstm")[0])
