"""Gradient norms against finite differences, against the engine's norms, and at extremes."""

import pytest
import torch

from lmcore.models.blocks import run_blocks
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.training.loop import Training, training_step
from lmcore.training.loss import UNKNOWN_TARGET, cross_entropy
from lmcore.training.spec import ModelSpec, RunSpec
from lmcore.transformer.gradient_norms import gradient_norms

INPUTS = torch.tensor([[0, 3, 1, 4], [2, 2, 4, 0]])
TARGETS = torch.tensor([[3, 1, 4, 2], [2, 4, UNKNOWN_TARGET, UNKNOWN_TARGET]])
STEP = 1e-5


def tiny(**changes):
    """Two blocks of d = 4 in float64, every weight at random."""
    config = TransformerConfig(5, 4, 2, 2, 3, 4, **changes)
    network = GPT(config).double()
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for weight in network.parameters():
            weight.normal_(0, 0.8, generator=generator)
    return network


def slope(value, numbers):
    """The sum of squared slopes over all numbers of a tensor, by central differences."""
    total, flat = 0.0, numbers.view(-1)
    for i in range(len(flat)):
        kept = float(flat[i])
        flat[i] = kept + STEP
        above = value()
        flat[i] = kept - STEP
        total += ((above - value()) / (2 * STEP)) ** 2
        flat[i] = kept
    return total


@pytest.mark.parametrize(
    "changes",
    [{}, {"norm": "post"}, {"norm": "none", "residual": False}, {"mlp": False}],
)
@torch.no_grad()
def test_the_norms_are_those_of_differences_of_the_loss(changes):
    network = tiny(**changes)
    with torch.enable_grad():
        found = gradient_norms(network, INPUTS, TARGETS)

    def value():
        return float(cross_entropy(network(INPUTS).logits, TARGETS))

    assert found.loss == pytest.approx(value())
    for block, norm in zip(network.blocks, found.blocks.tolist(), strict=True):
        squares = sum(slope(value, weight) for weight in block.parameters())
        assert norm == pytest.approx(squares**0.5, rel=1e-5)
    trace = network(INPUTS)
    streams = [trace.blocks[0].residual, *(block.output for block in trace.blocks)]
    for depth, (stream, norm) in enumerate(zip(streams, found.stream.tolist(), strict=True)):
        moved, rest = stream.clone(), network.blocks[depth:]

        def onwards(moved=moved, rest=rest):
            mask = network.attention_mask(INPUTS)
            last = run_blocks(rest, moved, mask)[1] if len(rest) else moved
            return float(cross_entropy(network.unembed(network.final_hidden(last)), TARGETS))

        assert norm == pytest.approx(slope(onwards, moved) ** 0.5, rel=1e-5)


def test_a_block_has_the_norm_that_the_engine_reports_for_its_layer():
    model = ModelSpec("transformer", 8, 7, layers=3, heads=2, norm="post")
    run = Training(RunSpec(model=model, batch=5, steps=2, every=1))
    batch = run.feed.batch(0)
    found = gradient_norms(run.network, batch.inputs, batch.targets)
    made = training_step(run, batch)
    assert found.loss == pytest.approx(made.loss)
    told = dict(made.layers)
    expected = [told[f"layer {layer}"] for layer in (1, 2, 3)]
    assert found.blocks.tolist() == pytest.approx(expected, rel=1e-4)


def test_without_residuals_and_layer_norm_the_gradient_falls_from_block_to_block():
    config = TransformerConfig(31, 16, 2, 6, 32, 9, norm="none", residual=False)
    ids = torch.randint(31, (4, 9), generator=torch.Generator().manual_seed(2))
    bare = gradient_norms(GPT(config, 1), ids[:, :-1], ids[:, 1:])
    assert (bare.stream[1:] > 3 * bare.stream[:-1]).all()
    whole = gradient_norms(GPT(TransformerConfig(31, 16, 2, 6, 32, 9), 1), ids[:, :-1], ids[:, 1:])
    assert (whole.stream[:-1] > 0.5 * whole.stream[1:]).all()
    frame = bare.to_frame()
    assert list(frame.columns) == ["l", "∂L/∂h", "∂L/∂θ"]
    assert frame["∂L/∂h"].tolist() == bare.stream.tolist()
    assert frame["∂L/∂θ"][1:].tolist() == bare.blocks.tolist()
