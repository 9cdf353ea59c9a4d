"""One number with its operands: they give the number, and come from the right weights."""

import math

import pytest
import torch
from test_forward_stages import bert, gpt, translator

from lmcore.transformer.operands import operands


@pytest.mark.parametrize("make", [gpt, bert, translator])
def test_operands_give_every_number(make):
    _, flow = make()
    for name, stage in flow.stages.items():
        rows, columns = stage.values.shape
        for row in {0, rows - 1}:
            for column in {0, columns // 2, columns - 1}:
                found = operands(flow, name, row, column)
                assert found.value == float(stage.values[row, column])
                if math.isinf(found.value):
                    assert found.computed == found.value
                else:
                    assert found.computed == pytest.approx(found.value, abs=2e-5), name


def test_a_projection_multiplies_a_row_with_a_column():
    network, flow = gpt()
    found = operands(flow, "b2.v", 3, 5)
    layer = network.blocks[1].attention.value
    torch.testing.assert_close(found.right, layer.weight[5].detach().double())
    torch.testing.assert_close(found.left, flow["b2.ln1"].values[3].detach().double())
    assert found.constants == {"b": float(layer.bias[5])}
    assert float((found.left * found.right).sum()) + found.constants["b"] == found.computed


def test_a_score_uses_its_head_alone():
    _, flow = gpt()
    found = operands(flow, "b1.score.2", 4, 1)
    torch.testing.assert_close(found.left, flow["b1.q"].values[4, 4:].detach().double())
    torch.testing.assert_close(found.right, flow["b1.k"].values[1, 4:].detach().double())
    assert found.constants["scale"] == 0.5


def test_a_hidden_key_scores_minus_infinity():
    _, flow = gpt()
    found = operands(flow, "b1.score.1", 1, 3)
    assert found.computed == -math.inf
    assert math.isfinite(found.constants["q·k"])


def test_a_mixture_weighs_the_values_of_its_head():
    _, flow = translator()
    found = operands(flow, "d1.cz", 2, 6)
    assert found.inputs == ("d1.calpha.2", "d1.cv")
    assert float(found.left.sum()) == pytest.approx(1)
    torch.testing.assert_close(found.right, flow["d1.cv"].values[:, 6].detach().double())


def test_layer_norm_has_mean_0_and_variance_1_before_its_gain():
    network, flow = gpt()
    found = [operands(flow, "final", 4, column) for column in range(8)]
    scaled = torch.tensor([(f.constants["x"] - f.constants["μ"]) / f.constants["σ"] for f in found])
    assert float(scaled.mean()) == pytest.approx(0, abs=1e-6)
    assert float(scaled.var(correction=0)) == pytest.approx(1, abs=1e-3)
    assert found[3].constants["γ"] == float(network.norm.weight[3])


@pytest.mark.parametrize(
    ("place", "said"),
    [
        (("b1.q", 5, 0), r"the row of b1\.q must be from 0 to 4; got 5"),
        (("b1.q", 0, 8), r"the column of b1\.q must be from 0 to 7; got 8"),
        (("q", 0, 0), "a stage must be one of"),
    ],
)
def test_a_place_that_is_not_there(place, said):
    _, flow = gpt()
    with pytest.raises(ValueError, match=said):
        operands(flow, *place)


def test_the_terms_as_a_frame():
    _, flow = gpt()
    found = operands(flow, "b1.o", 1, 2)
    frame = found.to_frame()
    assert list(frame.columns) == ["term", "left", "right", "product"]
    assert frame["product"].sum() + found.constants["b"] == pytest.approx(found.value, abs=1e-5)
