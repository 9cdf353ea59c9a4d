"""Similarities, softmax saturation, the slide's attention class, and one head of a model."""

import math
import warnings

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from lmcore.attention import one_head, saturation, slide_attention
from lmcore.attention.four_scores import best_pair, score_keys
from lmcore.attention.similarity import attend_by_similarity, similarities
from lmcore.attention.step_table import AttentionConfig, compute_step_table
from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import TokenizedText

SEEDS = st.integers(0, 99)


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


@given(SEEDS)
def test_similarities_are_those_of_their_names(seed):
    query, key = normal(5, seed=seed), normal(3, 5, seed=seed + 100)
    found = similarities(query, key)
    assert tuple(found) == ("dot", "scaled dot", "cosine", "additive")
    for i, k in enumerate(key):
        assert float(found["dot"][i]) == pytest.approx(float((query * k).sum()))
        assert float(found["scaled dot"][i]) == pytest.approx(float(query @ k) / math.sqrt(5))
        cosine = float(query @ k) / float(query.norm() * k.norm())
        assert float(found["cosine"][i]) == pytest.approx(cosine)
    wider = similarities(query, key, d_k=64)["scaled dot"]
    torch.testing.assert_close(wider, found["dot"] / 8)


def test_cosine_knows_no_length_and_of_nothing_is_0():
    query, key = normal(4), normal(2, 4, seed=1)
    once, twice = (similarities(size * query, key)["cosine"] for size in (1, 2))
    torch.testing.assert_close(once, twice)
    assert similarities(torch.zeros(4).double(), key)["cosine"].tolist() == [0, 0]


def test_the_additive_one_is_an_mlp_that_its_seed_draws():
    query, key = normal(4), normal(3, 4, seed=1)
    one, again, other = (similarities(query, key, seed=s)["additive"] for s in (0, 0, 1))
    assert one.equal(again) and not one.equal(other)
    # The order of the keys does not matter, and tanh units bound the similarity by Σ|w|.
    assert similarities(query, key.flip(0))["additive"].flip(0).equal(one)
    huge = similarities(query, 1e6 * key)["additive"]
    assert float(huge.abs().max()) < 8 * 4


@given(SEEDS)
def test_only_with_a_softmax_are_weights_an_average(seed):
    query, key, value = normal(4, seed=seed), normal(3, 4, seed=seed + 1), normal(3, 2, seed=9)
    for one in attend_by_similarity(query, key, value, normalised=True):
        assert one.total == pytest.approx(1)
        assert (one.context <= value.amax(0) + 1e-12).all()
        assert (one.context >= value.amin(0) - 1e-12).all()
        torch.testing.assert_close(one.weights, one.similarities.softmax(0))
    for one in attend_by_similarity(query, key, value, normalised=False):
        assert one.weights.equal(one.similarities)
        torch.testing.assert_close(one.context, one.similarities @ value)


def test_the_variance_of_a_dot_product_is_d_k_and_the_scale_takes_it_back_to_1():
    found = saturation.saturation()
    for width, plain, scaled in zip(
        saturation.WIDTHS, found.variance, found.scaled_variance, strict=True
    ):
        assert float(plain) == pytest.approx(width, rel=0.1)
        assert float(scaled) == pytest.approx(1, rel=0.1)
    assert (found.plain.largest.diff() > 0).all() and float(found.plain.largest[-1]) > 0.9
    assert float(found.plain.gradient[-1]) < 0.1
    assert float(found.scaled.largest.max()) < 0.3
    assert float(found.scaled.gradient[-1]) > 0.25
    assert saturation.saturation(seed=1).variance.tolist() != found.variance.tolist()


@given(st.integers(1, 6), SEEDS)
def test_steepness_is_the_norm_of_the_softmaxs_jacobian(keys, seed):
    scores = normal(keys, seed=seed)
    weights = scores.softmax(0)
    theirs = torch.autograd.functional.jacobian(lambda s: s.softmax(0), scores)
    assert float(saturation.steepness(weights)) == pytest.approx(float(theirs.norm()), abs=1e-9)


def test_the_slides_class_put_right_is_torchs_own():
    found = slide_attention.compare_with_pytorch()
    assert 0 <= found.difference < 1e-12
    said = {fault.slide: fault.happened for fault in found.faults}
    for fragment, kind in {
        "import nn.functional": "ModuleNotFoundError: No module named 'nn'",
        "no super().__init__()": "AttributeError: cannot assign module before Module.__init__()",
        "def forward(hidden_states)": "TypeError: ",
        "f.Softmax(attn_scores)": "AttributeError: module 'torch.nn.functional' has no",
        "k.T": "RuntimeError: ",
        "nn.dropout(p=0.1)": "AttributeError: module 'torch.nn' has no attribute 'dropout'",
        "softmax without dim": "It runs, over the batch",
        "no √d_k": "It runs: the output is off by up to",
    }.items():
        assert said[fragment].startswith(kind), said[fragment]


def test_softmax_without_dim_does_run_over_the_batch():
    scores = normal(2, 3, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert F.softmax(scores).equal(scores.softmax(0))
        assert scores.mT.equal(scores.transpose(-2, -1))
        assert scores.permute(2, 1, 0).equal(scores.T)


CONFIG = TransformerConfig(13, width=6, heads=2, layers=3, hidden=10, longest=7)


def read(length=5):
    ids = torch.arange(length)
    return TokenizedText(ids, tuple("abcdefg"[:length]), torch.zeros_like(ids), ids > 99, False)


@pytest.mark.parametrize(
    "network", [BERT(CONFIG, seed=1), GPT(CONFIG, seed=1)], ids=["BERT", "GPT"]
)
def test_a_head_taken_out_of_a_model_is_the_models_own(network):
    reading = read()
    with torch.no_grad():
        trace = network(reading.ids[None])
    for layer in range(3):
        for head in range(2):
            found = one_head.extract_head(network, reading, layer=layer, head=head)
            given, own = found.given, trace.blocks[layer].attention
            W = given.projections
            for letter, matrix, bias in zip("qkv", W[:3], W.biases, strict=True):
                values = {"q": given.query, "k": given.key, "v": given.value}[letter]
                torch.testing.assert_close(given.inputs @ matrix + bias, values, rtol=0, atol=1e-5)
            mask = "causal" if found.causal else "none"
            weights = compute_step_table(given, AttentionConfig(3, mask=mask)).weights
            torch.testing.assert_close(weights, own.weights[0, head].double(), rtol=0, atol=1e-6)
            assert found.max_deviation == pytest.approx(
                float((weights - own.weights[0, head].double()).abs().max())
            )
            assert (found.layers, found.heads) == (3, 2)
    assert found.causal == isinstance(network, GPT)


@pytest.mark.parametrize(("layer", "head", "says"), [
    (3, 0, "the layer must be from 0 to 2; got 3"),
    (0, 2, "the head must be from 0 to 1; got 2"),
    (-1, 0, "the layer must be from 0 to 2; got -1"),
])  # fmt: skip
def test_a_head_that_is_not_there_is_refused(layer, head, says):
    with pytest.raises(ValueError, match=says):
        one_head.extract_head(BERT(CONFIG), read(), layer=layer, head=head)


def test_the_nearest_head_is_the_last_and_never_before_the_first():
    network = BERT(CONFIG)
    assert one_head.nearest_head(network, 9, 1) == (2, 1)
    with pytest.raises(ValueError, match="the head must be 0 or more; got -1"):
        one_head.nearest_head(network, 0, -1)


@given(SEEDS)
def test_four_scores_at_several_positions_are_those_of_each_position(seed):
    query, key = normal(5, seed=seed), normal(3, 5, seed=seed + 100)
    pair = best_pair(query, key)
    dot = key @ query
    assert dot[pair[0]] == dot.max() and dot[pair[1]] == dot.sort().values[-2]
    d_k, stretch = torch.tensor([5.0, 64]).double(), torch.tensor([1, 1.5]).double()
    found = score_keys(query, key, pair, d_k, stretch)
    for i, (width, factor) in enumerate(zip((5, 64), (1, 1.5), strict=True)):
        longer = key.clone()
        longer[pair[1]] *= factor
        for m, (_, expected) in enumerate(similarities(query, longer, d_k=width).items()):
            torch.testing.assert_close(found.scores[i, m], expected)
            torch.testing.assert_close(found.shares[i, m], expected.softmax(0))
    first, second = pair
    torch.testing.assert_close(
        found.shares[..., first] / found.shares[..., second], found.gaps.exp()
    )
    frame = found.to_frame()
    assert list(frame) == ["position", "score", "key", "value", "share"]
    assert frame["value"].tolist() == found.scores.flatten().tolist()


def test_a_single_key_is_a_pair_with_itself():
    assert best_pair(normal(2), normal(1, 2)) == (0, 0)
