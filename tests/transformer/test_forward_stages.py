"""The stages of a forward pass against a forward pass written out in numpy."""

import math

import numpy as np
import pytest
import torch

from lmcore.models.bert import BERT
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.transformer.flow import model_flow, translation_flow

SIZES = TransformerConfig(vocabulary=11, width=8, heads=2, layers=2, hidden=12, longest=9)
IDS = torch.tensor([3, 1, 4, 1, 5])


def shaken(network):
    """The network with random changes, so that biases and β are not 0 and γ is not 1."""
    generator = torch.Generator().manual_seed(5)
    with torch.no_grad():
        for weight in network.parameters():
            weight.add_(torch.randn(weight.shape, generator=generator), alpha=0.3)
    return network.eval().requires_grad_(False)


def gpt():
    network = shaken(GPT(SIZES))
    return network, model_flow(network, IDS, network(IDS[None]))


def bert():
    config = TransformerConfig(
        vocabulary=11, width=8, heads=2, layers=2, hidden=12, longest=9, segments=2, norm="post"
    )
    network = shaken(BERT(config))
    segments = torch.tensor([0, 0, 0, 1, 1])
    return network, model_flow(network, IDS, network(IDS[None], segments=segments[None]))


def translator():
    network = shaken(Transformer(SIZES))
    source, target = torch.tensor([7, 2, 9]), IDS
    return network, translation_flow(network, source, target, network(source[None], target[None]))


class ByHand:
    """A Transformer's operations in float64, from the state dict alone."""

    def __init__(self, network):
        self.state = {n: w.detach().double().numpy() for n, w in network.state_dict().items()}

    def linear(self, x, name):
        bias = self.state.get(f"{name}.bias", 0.0)
        return x @ self.state[f"{name}.weight"].T + bias

    def norm(self, x, name, eps=1e-5):
        mean, spread = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        scaled = (x - mean) / np.sqrt(spread + eps)
        return scaled * self.state[f"{name}.weight"] + self.state[f"{name}.bias"]

    def attention(self, x, memory, name, mask):
        q, k, v = (
            self.linear(a, f"{name}.{part}")
            for a, part in ((x, "query"), (memory, "key"), (memory, "value"))
        )
        found, scores, alphas = [], [], []
        for h in range(2):
            part = slice(4 * h, 4 * h + 4)
            s = q[:, part] @ k[:, part].T / math.sqrt(4)
            s = np.where(mask, s, -np.inf)
            alpha = np.exp(s) / np.exp(s).sum(-1, keepdims=True)
            scores.append(s)
            alphas.append(alpha)
            found.append(alpha @ v[:, part])
        z = np.concatenate(found, axis=1)
        return {"q": q, "k": k, "v": v, "z": z, "o": self.linear(z, f"{name}.output")} | {
            f"{letter}.{h + 1}": row[h]
            for letter, row in (("score", scores), ("alpha", alphas))
            for h in range(2)
        }

    def mlp(self, x, name):
        z = self.linear(x, f"{name}.up")
        g = z * 0.5 * (1 + np.vectorize(math.erf)(z / math.sqrt(2)))
        return {"pre": z, "act": g, "mlp": self.linear(g, f"{name}.down")}


def close(flow, expected):
    for name, values in expected.items():
        np.testing.assert_allclose(
            flow[name].values.detach().double().numpy(), values, atol=2e-5, err_msg=name
        )


def test_a_gpt_by_hand():
    network, flow = gpt()
    by, seen = ByHand(network), {}
    x = by.state["embedding.token.weight"][IDS] + by.state["embedding.position.weight"][:5]
    seen["embedding"] = x
    mask = np.tril(np.ones((5, 5), dtype=bool))
    for n in (0, 1):
        at = f"b{n + 1}."
        normed = by.norm(x, f"blocks.{n}.attention_norm")
        parts = {"ln1": normed, **by.attention(normed, normed, f"blocks.{n}.attention", mask)}
        x = x + parts["o"]
        parts["r1"] = x
        parts["ln2"] = by.norm(x, f"blocks.{n}.mlp_norm")
        parts |= by.mlp(parts["ln2"], f"blocks.{n}.mlp")
        x = x + parts["mlp"]
        parts["r2"] = x
        seen |= {at + name: values for name, values in parts.items()}
    seen["final"] = by.norm(x, "norm")
    seen["logits"] = seen["final"] @ by.state["embedding.token.weight"].T
    powers = np.exp(seen["logits"])
    seen["p"] = powers / powers.sum(-1, keepdims=True)
    close(flow, seen)
    assert set(flow.stages) == {*seen, "token", "position"}


def test_a_bert_by_hand():
    network, flow = bert()
    by, seen = ByHand(network), {}
    x = by.state["embedding.token.weight"][IDS] + by.state["embedding.position.weight"][:5]
    x = by.norm(x + by.state["embedding.segment.weight"][[0, 0, 0, 1, 1]], "norm")
    seen["ln0"] = x
    for n in (0, 1):
        parts = by.attention(x, x, f"blocks.{n}.attention", np.ones((5, 5), dtype=bool))
        parts["r1"] = x + parts["o"]
        parts["n1"] = by.norm(parts["r1"], f"blocks.{n}.attention_norm")
        parts |= by.mlp(parts["n1"], f"blocks.{n}.mlp")
        parts["r2"] = parts["n1"] + parts["mlp"]
        x = parts["n2"] = by.norm(parts["r2"], f"blocks.{n}.mlp_norm")
        seen |= {f"b{n + 1}.{name}": values for name, values in parts.items()}
    dense = by.linear(x, "head.dense")
    active = dense * 0.5 * (1 + np.vectorize(math.erf)(dense / math.sqrt(2)))
    seen |= {"dense": dense, "active": active, "transformed": by.norm(active, "head.norm")}
    seen["logits"] = seen["transformed"] @ by.state["embedding.token.weight"].T
    seen["logits"] += by.state["head.bias"]
    close(flow, seen)
    assert set(flow.stages) == {*seen, "token", "position", "segment", "embedding", "p"}


def test_a_decoder_reads_the_encoder():
    network, flow = translator()
    by = ByHand(network)
    m = flow["m"].values.detach().double().numpy()
    x = flow["d2.r1"].values.detach().double().numpy()
    normed = by.norm(x, "decoder.1.cross_norm")
    parts = by.attention(normed, m, "decoder.1.cross", np.ones((5, 3), dtype=bool))
    expected = {f"d2.c{name}": values for name, values in parts.items()}
    close(flow, expected | {"d2.lnc": normed, "d2.rc": x + parts["o"]})
    assert flow["d2.ck"].rows == flow["e1.q"].rows == flow["e.token"].rows == "source"
    assert flow["d2.calpha.1"].rows == "target"
    assert flow["d2.calpha.1"].values.shape == (5, 3)


@pytest.mark.parametrize("make", [gpt, bert, translator])
def test_every_input_is_a_stage_before(make):
    _, flow = make()
    known = set()
    for name, stage in flow.stages.items():
        inputs = [
            each
            for field in ("inputs", "query", "key", "value", "parts", "weights")
            for each in _names(getattr(stage.operation, field, ()))
        ]
        assert known.issuperset(inputs)
        known.add(name)


def _names(value):
    return (value,) if isinstance(value, str) else value


def test_an_unknown_stage_is_named():
    _, flow = gpt()
    with pytest.raises(ValueError, match=r"a stage must be one of token, .*; got 'b9\.q'"):
        flow["b9.q"]
