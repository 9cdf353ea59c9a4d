"""The three recurrent cells behind one interface, for an encoder and a decoder of any kind.

    rnn     s_t = tanh(W_x e_t + W_h s_{t−1} + b)
    gru     the equations of `gru`
    lstm    those of `lstm`, which carry a cell in addition to s

A state is a tuple: (s,), or (s, cell) for an LSTM. There are two versions of each step: one by the
equations, and one by torch's fused kernel, for training.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import torch
from jaxtyping import Float
from torch import Tensor, nn

from lmcore.models.gru import GRUWeights, gru_layer, gru_step
from lmcore.models.layers import torch_weights
from lmcore.models.lstm import LSTMWeights, lstm_layer, lstm_step
from lmcore.models.rnn import RNNWeights, rnn_layer

Cell = Literal["rnn", "gru", "lstm"]
CellState: TypeAlias = tuple[Float[Tensor, "batch hidden"], ...]
CellWeights: TypeAlias = RNNWeights | GRUWeights | LSTMWeights
CELLS = {"rnn": nn.RNN, "gru": nn.GRU, "lstm": nn.LSTM}


def build_cell(cell: Cell, width: int, hidden: int) -> nn.RNNBase:
    """One layer of torch's cell, not initialised yet."""
    layer: nn.RNNBase = CELLS[cell](width, hidden, batch_first=True, device="meta")
    return layer


def cell_parameters(cell: Cell, width: int, hidden: int) -> int:
    """Numbers in a layer: one, three or four sets of W_x, W_h and torch's two biases."""
    return {"rnn": 1, "gru": 3, "lstm": 4}[cell] * hidden * (width + hidden + 2)


def cell_weights(layer: nn.RNNBase) -> CellWeights:
    """The weights of a layer in the letters of its equations."""
    if isinstance(layer, nn.GRU):
        return GRUWeights.from_torch(layer, 0)
    if isinstance(layer, nn.LSTM):
        return LSTMWeights.from_torch(layer, 0)
    assert isinstance(layer, nn.RNN)
    return RNNWeights.from_torch(layer, 0)


def read_states(
    inputs: Float[Tensor, "batch time width"], weights: CellWeights
) -> tuple[Float[Tensor, "batch time hidden"], ...]:
    """The states after each input, from zeros on, by the equations: s, and the cell of an LSTM."""
    hidden = (weights.W_h if isinstance(weights, RNNWeights) else _recurrent(weights)).shape[0]
    zeros = inputs.new_zeros(len(inputs), hidden)
    if isinstance(weights, RNNWeights):
        return (rnn_layer(inputs, weights, zeros).hidden,)
    if isinstance(weights, GRUWeights):
        return (gru_layer(inputs, weights, zeros).hidden,)
    layer = lstm_layer(inputs, weights, (zeros, zeros))
    return layer.hidden, layer.cell


def _recurrent(weights: GRUWeights | LSTMWeights) -> Tensor:
    return weights.U_n if isinstance(weights, GRUWeights) else weights.W_f


def step_by_equations(
    inputs: Float[Tensor, "batch width"], weights: CellWeights, state: CellState
) -> CellState:
    """The state after one more input, by the equations."""
    if isinstance(weights, RNNWeights):
        (s,) = state
        return (torch.tanh(inputs @ weights.W_x.T + s @ weights.W_h.T + weights.b),)
    if isinstance(weights, GRUWeights):
        return (gru_step(inputs, weights, state[0])[-1],)
    *_, cell, _, s = lstm_step(inputs, weights, *state)
    return s, cell


def step_fused(
    inputs: Float[Tensor, "batch width"], layer: nn.RNNBase, state: CellState
) -> CellState:
    """The state after one more input, by torch's kernel."""
    W_x, W_h, b_x, b_h = torch_weights(layer, 0, reverse=False)
    if isinstance(layer, nn.LSTM):
        return torch.lstm_cell(inputs, state, W_x, W_h, b_x, b_h)
    step = torch.gru_cell if isinstance(layer, nn.GRU) else torch.rnn_tanh_cell
    return (step(inputs, state[0], W_x, W_h, b_x, b_h),)
