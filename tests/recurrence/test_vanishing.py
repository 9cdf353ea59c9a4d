import dataclasses
import math

import pytest
import torch

from lmcore.recurrence import vanishing
from lmcore.recurrence.through_time import spectral_radius
from lmcore.recurrence.vanishing import STEPS, WIDTH, VanishingSpec

SPEC = VanishingSpec(0.9, 0.95, inputs=0.5, seed=3)


def plain_cell(drawn, radius, state, x):
    return torch.tanh(radius * drawn.W_h @ state + x)


def test_the_drawn_W_h_has_a_spectral_radius_of_1():
    assert spectral_radius(vanishing.draw(SPEC).W_h) == pytest.approx(1)


def test_the_gains_of_the_plain_network_are_those_of_autograd():
    drawn = vanishing.draw(SPEC)
    inputs = drawn.inputs[:, 0]
    h = torch.zeros(WIDTH, dtype=torch.float64)
    states = [h]
    for x in inputs:
        states.append(plain_cell(drawn, 0.9, states[-1], x))

    def from_(k):
        def go(state):
            for x in inputs[k:]:
                state = plain_cell(drawn, 0.9, state, x)
            return state

        return go

    found = vanishing.gains(SPEC).plain
    for back in (0, 1, 7, STEPS):
        J = torch.autograd.functional.jacobian(from_(STEPS - back), states[STEPS - back])
        expected = float(torch.linalg.matrix_norm(J)) / math.sqrt(WIDTH)
        assert float(found[back]) == pytest.approx(expected, rel=1e-9)


def test_a_nudge_of_the_memory_arrives_as_its_gain_says():
    drawn = vanishing.draw(SPEC)
    forget = torch.tensor([0.95], dtype=torch.float64)
    shorter = drawn._replace(inputs=drawn.inputs[:1])
    # h_0 does not depend on c_0, so over one step only the forget gate counts.
    assert vanishing.cell_gains(shorter, forget)[0].tolist() == pytest.approx([1, 0.95])
    two = drawn._replace(inputs=drawn.inputs[-2:])
    _, middle, last = vanishing.cells_over_time(two, forget)
    rows = [torch.autograd.grad(x, middle, retain_graph=True)[0][0] for x in last[0]]
    expected = float(torch.linalg.matrix_norm(torch.stack(rows))) / math.sqrt(WIDTH)
    assert float(vanishing.cell_gains(two, forget)[0, 1]) == pytest.approx(expected)


def test_without_weights_from_h_all_paths_are_the_cell_and_that_is_a_power_of_f():
    drawn = vanishing.draw(SPEC)
    cut = drawn._replace(gates=torch.zeros_like(drawn.gates))
    forgets = torch.tensor([0.0, 0.5, 1.0], dtype=torch.float64)
    powers = forgets[:, None] ** torch.arange(STEPS + 1, dtype=torch.float64)
    torch.testing.assert_close(vanishing.cell_gains(cut, forgets), powers)


def test_with_the_input_gate_shut_only_the_cell_is_left():
    found = vanishing.gains(dataclasses.replace(SPEC, write=0.0))
    torch.testing.assert_close(found.all_paths, found.along_cell)


def test_a_held_input_gate_writes_its_share():
    drawn = vanishing.draw(SPEC)
    first, second = vanishing.cells_over_time(drawn, torch.tensor([0.9]).double(), 0.25)[:2]
    z_c = drawn.inputs[0, 2]
    torch.testing.assert_close(second[0] - 0.9 * first[0], 0.25 * torch.tanh(z_c))


def test_a_rotation_without_tanh_comes_to_the_power_of_the_radius():
    drawn = vanishing.draw(SPEC)
    turn, _ = torch.linalg.qr(drawn.W_h)
    radii = torch.tensor([0.9, 1.1], dtype=torch.float64)
    found = vanishing.plain_gains(drawn._replace(W_h=turn), radii, g="identity")
    assert found[:, 50].tolist() == pytest.approx([0.00515, 117.4], rel=1e-3)


def test_one_control_moves_while_the_other_stays():
    spec = dataclasses.replace(SPEC, g="identity")
    now, moved = vanishing.gains(spec), vanishing.gains_at_positions(spec)
    both = vanishing.by_control(now, moved)
    assert all(curve.shape == (2, 41, STEPS + 1) for curve in both)
    radius, forget = vanishing.POSITIONS[:, 17].tolist()
    by_radius = vanishing.gains(dataclasses.replace(spec, radius=radius))
    by_forget = vanishing.gains(dataclasses.replace(spec, forget=forget))
    for curve, first, second in zip(both, by_radius, by_forget, strict=True):
        torch.testing.assert_close(curve[0, 17], first)
        torch.testing.assert_close(curve[1, 17], second)
    names = both.by_name()
    torch.testing.assert_close(names["plain50"], both.plain[..., 50])


@pytest.mark.parametrize(
    ("setting", "reason"),
    [
        ({"radius": 2.5}, "the spectral radius ρ must be from 0 to 2; got 2.5"),
        ({"forget": -0.1}, "the forget gate f must be from 0 to 1; got -0.1"),
        ({"inputs": math.nan}, "the size of the inputs must be from 0 to 10; got nan"),
        ({"write": 1.5}, "the input gate i must be from 0 to 1; got 1.5"),
        ({"write": math.nan}, "the input gate i must be from 0 to 1; got nan"),
        ({"seed": -1}, "the seed must be from 0 to 999,999; got -1"),
        ({"g": "step"}, "the nonlinearity g must be one of tanh, identity; got 'step'"),
    ],
    ids=str,
)
def test_a_setting_that_cannot_be_is_refused(setting, reason):
    with pytest.raises(ValueError, match=reason):
        dataclasses.replace(SPEC, **setting)
