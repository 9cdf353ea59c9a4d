import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from lmcore.models import masks
from lmcore.models.attention import attention
from lmcore.models.multihead import MultiHead

SIZES = st.integers(1, 7)


@st.composite
def problems(draw, square=False):
    """Queries, keys, values and a mask, in float64, of random shapes."""
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    batch, heads, queries, keys, d_k, width = (draw(SIZES) for _ in range(6))
    keys = queries if square else keys

    def normal(*shape):
        return torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)

    shape = (batch, heads, queries, keys)
    kind = draw(st.sampled_from(["none", "truths", "numbers", "one for all", "padding"]))
    mask = torch.rand(shape, generator=generator) < draw(st.sampled_from([0.2, 0.5, 0.9]))
    if kind == "none":
        mask = None
    if kind == "numbers":
        numbers = torch.randn(shape, generator=generator, dtype=torch.float64)
        mask = numbers.masked_fill(~mask, -math.inf)
    if kind == "one for all":
        mask = mask[0, 0]
    if kind == "padding":
        mask = mask[:, :1, :1]
    query, key = normal(batch, heads, queries, d_k), normal(batch, heads, keys, d_k)
    return query, key, normal(batch, heads, keys, width), mask


def gradients(values, of):
    target = torch.linspace(-1, 1, values.numel(), dtype=values.dtype).view_as(values)
    return torch.autograd.grad((values * target).sum(), of)


def alike(found, expected, close=1e-10):
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=close)


@given(problems(), st.sampled_from([None, 1.0, 0.3]))
def test_attention_is_torchs_in_values_and_gradients(problem, scale):
    query, key, value, mask = problem
    seen = attention(query, key, value, mask, scale=scale)
    # torch's function also gives 0 where every key is hidden.
    expected = F.scaled_dot_product_attention(query, key, value, mask, scale=scale)
    alike([seen.context], [expected])
    inputs = (query, key, value)
    alike(gradients(seen.context, inputs), gradients(expected, inputs))


@given(problems())
def test_every_stage_is_what_its_name_says(problem):
    query, key, value, mask = problem
    seen = attention(query, key, value, mask, temperature=2.5)
    rows = [
        [sum(q * k for q, k in zip(one, other, strict=True)) for other in keys]
        for one, keys in zip(
            query.flatten(0, 1)[0].tolist(),
            [key.flatten(0, 1)[0].tolist()] * query.shape[2],
            strict=True,
        )
    ]
    torch.testing.assert_close(seen.scores[0, 0], torch.tensor(rows, dtype=torch.float64))
    torch.testing.assert_close(seen.scaled, seen.scores / math.sqrt(query.shape[-1]) / 2.5)
    if mask is None:
        assert seen.masked is seen.scaled
    else:
        hidden = ~mask if mask.dtype == torch.bool else mask == -math.inf
        assert torch.equal(seen.masked == -math.inf, hidden.expand_as(seen.masked))
    torch.testing.assert_close(seen.context, seen.weights @ value)
    sums = seen.weights.sum(dim=-1)
    blind = (seen.masked == -math.inf).all(dim=-1)
    torch.testing.assert_close(sums, (~blind).double())


def test_a_query_that_may_look_at_nothing_gets_nothing_and_no_nan():
    query = torch.randn(3, 5, requires_grad=True)
    mask = torch.tensor([[True, True, False], [False, False, False], [False, True, True]])
    seen = attention(query, query, query, mask)
    assert seen.weights[1].tolist() == [0, 0, 0]
    assert seen.context[1].tolist() == [0] * 5
    (gradient,) = torch.autograd.grad(seen.context.square().sum(), query)
    assert gradient.isfinite().all()


def test_thinking_machines_of_the_slide():
    # q·k is 112 and 96, and d_k is 64.
    query = torch.zeros(1, 64, dtype=torch.float64)
    query[0, 0] = 16
    key = torch.zeros(2, 64, dtype=torch.float64)
    key[:, 0] = torch.tensor([7, 6])
    seen = attention(query, key, torch.eye(2, dtype=torch.float64))
    assert seen.scores.tolist() == [[112, 96]]
    assert seen.scaled.tolist() == [[14, 12]]
    expected = torch.tensor([[1 / (1 + math.exp(-2)), 1 / (1 + math.exp(2))]], dtype=torch.float64)
    torch.testing.assert_close(seen.context, expected)


@pytest.mark.parametrize("temperature", [0.0, -1.0, math.nan, math.inf])
def test_a_temperature_is_above_0(temperature):
    with pytest.raises(ValueError, match="the temperature must be a number above 0"):
        attention(torch.ones(1, 1), torch.ones(1, 1), torch.ones(1, 1), temperature=temperature)


@st.composite
def multihead_problems(draw):
    heads, d_k, batch, queries, keys = (draw(st.integers(1, 5)) for _ in range(5))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    ours = filled(MultiHead(heads * d_k, heads), generator)
    inputs = torch.randn(batch, queries, heads * d_k, generator=generator, dtype=torch.float64)
    source = torch.randn(batch, keys, heads * d_k, generator=generator, dtype=torch.float64)
    mask = torch.rand(batch, queries, keys, generator=generator) < 0.6
    mask[..., 0] = True  # torch's own module gives nan where every key is hidden
    return ours, inputs.requires_grad_(), source.requires_grad_(), mask


def filled(module, generator):
    module = module.to_empty(device="cpu").double()
    with torch.no_grad():
        for weight in module.parameters():
            weight.normal_(generator=generator)
    return module


@given(multihead_problems())
def test_multi_head_attention_is_torchs_in_values_and_gradients(problem):
    ours, inputs, source, mask = problem
    width = inputs.shape[-1]
    theirs = nn.MultiheadAttention(width, ours.heads, batch_first=True, dtype=torch.float64)
    parts = (ours.query, ours.key, ours.value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
        theirs.out_proj.weight.copy_(ours.output.weight)
        theirs.out_proj.bias.copy_(ours.output.bias)
    seen = ours(inputs, source, mask)
    output, weights = theirs(
        inputs,
        source,
        source,
        attn_mask=~mask.repeat_interleave(ours.heads, dim=0),
        average_attn_weights=False,
    )
    alike([seen.output, seen.weights], [output, weights])
    weights = [weight for part in parts for weight in part.parameters()]
    mine = gradients(seen.output, [inputs, source, *weights])
    expected = gradients(output, [inputs, source, theirs.in_proj_weight, theirs.in_proj_bias])
    alike([*mine[:2], torch.cat(mine[2::2]), torch.cat(mine[3::2])], expected, 1e-9)


@given(multihead_problems())
def test_the_trace_of_many_heads_holds_each_heads_own_attention(problem):
    ours, inputs, source, mask = problem
    seen = ours(inputs, source, mask)
    for head in range(ours.heads):
        alone = attention(seen.query[:, head], seen.key[:, head], seen.value[:, head], mask)
        alike(
            [getattr(seen, name)[:, head] for name in ("scores", "scaled", "weights", "context")],
            [alone.scores, alone.scaled, alone.weights, alone.context],
        )
        torch.testing.assert_close(seen.masked[:, head], alone.masked)
        d_k = seen.query.shape[-1]
        columns = seen.concatenated[..., head * d_k : (head + 1) * d_k]
        assert torch.equal(columns, seen.context[:, head])


def test_masks_are_those_of_their_names():
    assert masks.causal(3).tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert masks.bidirectional(2, 3).tolist() == [[True] * 3] * 2
    assert masks.prefix(3, 2).tolist() == [[True, True, False], [True, True, False], [True] * 3]
    assert masks.sliding(4, 2).long().tolist() == [
        [1, 0, 0, 0],
        [1, 1, 0, 0],
        [0, 1, 1, 0],
        [0, 0, 1, 1],
    ]
    assert masks.sliding(3, 2, ahead=True).long().tolist() == [[1, 1, 0], [1, 1, 1], [0, 1, 1]]
    assert masks.padding([2, 3]).long().tolist() == [[[1, 1, 0]], [[1, 1, 1]]]
    # In the order 2, 0, 1, position 2 comes first and sees itself; 1 comes last and sees all.
    assert masks.permutation([2, 0, 1]).long().tolist() == [[1, 0, 1], [1, 1, 1], [0, 0, 1]]
    query_stream = masks.permutation([2, 0, 1], content=False)
    assert query_stream.long().tolist() == [[0, 0, 1], [1, 0, 1], [0, 0, 0]]
    assert masks.permutation(range(5)).equal(masks.causal(5))
    assert masks.prefix(5, 0).equal(masks.causal(5))
    assert masks.sliding(5, 5).equal(masks.causal(5))


@given(problems(square=True))
def test_a_mask_of_truths_and_of_numbers_are_the_same(problem):
    query, key, value, _ = problem
    mask = masks.causal(query.shape[2])
    truths = attention(query, key, value, mask)
    additive = torch.zeros(mask.shape, dtype=torch.float64).masked_fill(~mask, -math.inf)
    numbers = attention(query, key, value, additive)
    assert torch.equal(truths.weights, numbers.weights)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: masks.prefix(3, 4), r"the prefix must be from 0 to 3; got 4"),
        (lambda: masks.sliding(3, 0), r"the window must be from 1 to 3; got 0"),
        (lambda: masks.padding([2, 0]), r"a text's length must be from 1 to 2; got 0"),
        (lambda: masks.permutation([0, 2]), r"an order must hold each place from 0 to 1 once"),
    ],
)
def test_a_mask_that_cannot_be_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()
