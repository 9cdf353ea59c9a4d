"""Low-rank changes of weights: what they change, and what is refused."""

import pytest
import torch
from torch import nn

from lmcore.pretrained.low_rank import apply_change, low_rank_change


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(3, 4)
        self.blocks = nn.Sequential(nn.Linear(4, 6))


def test_nothing_changes_before_training():
    network = Small()
    change = low_rank_change(network, 2)
    assert not any(name.startswith("embedding") for name in change)
    changed = apply_change(network.state_dict(), change)
    assert changed.keys() == {"blocks.0.weight", "blocks.0.bias"}
    for name, tensor in changed.items():
        assert torch.equal(tensor, network.state_dict()[name])


def test_the_change_of_a_matrix_is_a_product_of_that_rank():
    network = Small()
    change = low_rank_change(network, 2)
    change["blocks.0.weight.B"] = torch.randn(6, 2)
    by_hand = change["blocks.0.weight.B"].numpy() @ change["blocks.0.weight.A"].numpy()
    changed = apply_change(network.state_dict(), change)["blocks.0.weight"]
    difference = changed - network.state_dict()["blocks.0.weight"]
    assert torch.allclose(difference, torch.from_numpy(by_hand), atol=1e-6)
    assert torch.linalg.matrix_rank(difference, atol=1e-5) == 2


def test_what_does_not_fit_says_so():
    network = Small()
    weights, change = network.state_dict(), low_rank_change(network, 2)
    with pytest.raises(ValueError, match="the rank must be at least 1; got 0"):
        low_rank_change(network, 0)
    lone = {name: each for name, each in change.items() if not name.endswith(".A")}
    with pytest.raises(ValueError, match="both factors"):
        apply_change(weights, lone)
    lone = {name: each for name, each in change.items() if not name.endswith(".B")}
    with pytest.raises(ValueError, match="both factors"):
        apply_change(weights, lone)
    with pytest.raises(ValueError, match=r"must give shape \(6, 4\); got 5 by 4"):
        apply_change(weights, change | {"blocks.0.weight.B": torch.zeros(5, 2)})
