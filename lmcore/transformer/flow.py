"""The forward pass of a Transformer as named stages, from the ids of a text to probabilities.

    flow["b1.q"].values        Q of block 1, one row per token, the heads side by side
    flow["b1.alpha.2"].values  α of its second head, one row per query

Each stage holds its numbers and the operation that computes them from earlier stages; `operands`
opens one number. The blocks of an encoder–decoder are e1, e2, … and d1, d2, …; of others b1, b2, …

| name | what | name | what |
|---|---|---|---|
| token, position, segment | rows of E, P, S | embedding | their sum |
| b1.ln1, b1.ln2 | LayerNorm before a part | b1.n1, b1.n2 | LayerNorm after the addition |
| b1.q, b1.k, b1.v | Q, K, V | b1.score.1, b1.alpha.1 | QKᵀ/√d_k, α of head 1 |
| b1.z, b1.o | Z of all heads; Z W^O + b^O | b1.r1, b1.r2 | the stream after an addition |
| b1.pre, b1.act, b1.mlp | the MLP | b1.cq … b1.co, b1.lnc, b1.rc, b1.nc | cross-attention |
| final, dense, transformed | what is multiplied with U | logits, p | logits; softmax(logits) |

Source: Vaswani et al. 2017, sections 3.1 to 3.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from lmcore.models.bert import BERT, BERTTrace
from lmcore.models.blocks import Block, BlockTrace, g
from lmcore.models.embedding import Embedding, EmbeddingTrace
from lmcore.models.encoder_decoder import Transformer, TransformerTrace
from lmcore.models.gpt import GPT, GPTTrace
from lmcore.models.multihead import MultiHead, MultiHeadTrace
from lmcore.models.transformer_config import BlockActivation

Sequences = Literal["source", "target"]
Numbers = Float[Tensor, "row column"]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Row `entries[t]` of a table, times `scale`; the table PE is computed, the others learnt."""

    table: str
    entries: tuple[int, ...]
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Add:
    """The sum of stages."""

    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Normalise:
    """LayerNorm of a stage, with γ and β."""

    inputs: str
    norm: nn.LayerNorm


@dataclass(frozen=True, slots=True)
class Project:
    """x W + b: `weight` has a row for each column of the result."""

    inputs: str
    weight: Float[Tensor, "column input"]
    bias: Float[Tensor, " column"] | None
    names: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Score:
    """q_i · k_j · scale over the columns of one head; −∞ where the mask hides j from i."""

    query: str
    key: str
    columns: range
    scale: float


@dataclass(frozen=True, slots=True)
class Softmax:
    """The softmax of each row of a stage."""

    inputs: str


@dataclass(frozen=True, slots=True)
class Mix:
    """Σ_j α_ij v_j: the columns of each head with that head's weights."""

    weights: tuple[str, ...]
    value: str


@dataclass(frozen=True, slots=True)
class Activate:
    """A nonlinearity of each number."""

    inputs: str
    function: BlockActivation | Literal["tanh"]


Operation = Lookup | Add | Normalise | Project | Score | Softmax | Mix | Activate


@dataclass(frozen=True, slots=True)
class Stage:
    """A named tensor of the forward pass, one row per token, and how it is computed."""

    name: str
    symbol: str
    values: Numbers
    operation: Operation
    rows: Sequences = "target"
    """Whose tokens the rows are: an encoder's are the source's."""


@dataclass(frozen=True, slots=True)
class Flow:
    """All stages in the order they are computed."""

    stages: Mapping[str, Stage]
    heads: int
    layers: int

    def __getitem__(self, name: str) -> Stage:
        """A stage by its name.

        Raises:
            ValueError: if there is none of that name.
        """
        if name not in self.stages:
            raise ValueError(f"a stage must be one of {', '.join(self.stages)}; got {name[:40]!r}")
        return self.stages[name]


def model_flow(network: GPT | BERT, ids: Int[Tensor, " time"], trace: GPTTrace | BERTTrace) -> Flow:
    """The stages of a GPT or a BERT over one text, the first row of the trace's batch.

    `p` is in float64; a model without a head for masked tokens ends at its last hidden vectors.
    """
    with torch.no_grad():
        segments = trace.embedding.segment is not None
        found = list(_embedding(network.embedding, trace.embedding, ids, segments=segments))
        stream = found[-1].name
        if isinstance(network, BERT) and network.config.norm == "post":
            assert isinstance(trace, BERTTrace)
            assert isinstance(network.norm, nn.LayerNorm)
            found.append(Stage("ln0", "h⁽⁰⁾", trace.start[0], Normalise(stream, network.norm)))
            stream = "ln0"
        blocks, stream = _blocks(network.blocks, trace.blocks, stream, "b", "target")
        found += blocks
        found += _unembedding(network, trace, stream)
    return Flow({each.name: each for each in found}, network.config.heads, network.config.layers)


def translation_flow(
    network: Transformer,
    source: Int[Tensor, " source"],
    target: Int[Tensor, " time"],
    trace: TransformerTrace,
) -> Flow:
    """The stages of an encoder–decoder over one pair of texts, the first row of the batch."""
    with torch.no_grad():
        found = list(
            _embedding(network.embedding, trace.source_embedding, source, prefix="e.", of="source")
        )
        blocks, stream = _blocks(network.encoder, trace.encoder, found[-1].name, "e", "source")
        found += blocks
        if isinstance(network.encoder_norm, nn.LayerNorm):
            how = Normalise(stream, network.encoder_norm)
            found.append(Stage("m", "m", trace.source[0], how, "source"))
            stream = "m"
        found += _embedding(network.embedding, trace.embedding, target)
        blocks, last = _blocks(
            network.decoder, trace.decoder, found[-1].name, "d", "target", source=stream
        )
        found += blocks
        if isinstance(network.decoder_norm, nn.LayerNorm):
            found.append(
                Stage("final", "x", trace.hidden[0], Normalise(last, network.decoder_norm))
            )
            last = "final"
        found += _logits(trace.logits[0], last, network.U, None)
    return Flow({each.name: each for each in found}, network.config.heads, network.config.layers)


def _embedding(
    embedding: Embedding,
    trace: EmbeddingTrace,
    ids: Int[Tensor, " time"],
    *,
    prefix: str = "",
    of: Sequences = "target",
    segments: bool = False,
) -> Iterator[Stage]:
    token = Lookup("E", tuple(ids.tolist()), embedding.scale)
    scaled = "√d E[x]" if embedding.scale != 1 else "E[x]"
    yield Stage(f"{prefix}token", scaled, trace.token[0], token, of)
    parts = [f"{prefix}token"]
    if trace.position is not None:
        learned = embedding.config.positions == "learned"
        table = Lookup("P" if learned else "PE", tuple(range(len(ids))))
        yield Stage(f"{prefix}position", table.table, trace.position[0], table, of)
        parts.append(f"{prefix}position")
    if segments and trace.segment is not None:
        rows = _segment_rows(embedding, trace.segment[0])
        yield Stage(f"{prefix}segment", "S", trace.segment[0], Lookup("S", rows), of)
        parts.append(f"{prefix}segment")
    yield Stage(f"{prefix}embedding", "x", trace.output[0], Add(tuple(parts)), of)


def _segment_rows(embedding: Embedding, found: Numbers) -> tuple[int, ...]:
    """Which row of S each token has: the trace holds the rows themselves."""
    same = (found[:, None] == embedding.segment.weight).all(-1)
    return tuple(same.int().argmax(-1).tolist())


def _blocks(
    blocks: nn.ModuleList,
    traces: Sequence[BlockTrace],
    stream: str,
    letter: str,
    of: Sequences,
    *,
    source: str = "",
) -> tuple[list[Stage], str]:
    """The stages of all blocks, and the name of the stream after the last."""
    found = list[Stage]()
    for n, (block, trace) in enumerate(zip(blocks, traces, strict=True), start=1):
        assert isinstance(block, Block)
        found += _block(block, trace, stream, f"{letter}{n}.", of, source=source)
        stream = found[-1].name
    return found, stream


def _block(
    block: Block, trace: BlockTrace, stream: str, at: str, of: Sequences, *, source: str
) -> list[Stage]:
    found = list[Stage]()

    def add(name: str, symbol: str, values: Tensor, how: Operation) -> str:
        found.append(Stage(at + name, symbol, values[0], how, of))
        return at + name

    def before(name: str, values: Tensor, norm: nn.Module) -> str:
        if not block.pre:
            return stream
        assert isinstance(norm, nn.LayerNorm)
        return add(name, "LayerNorm", values, Normalise(stream, norm))

    def after(part: str, names: tuple[str, str], values: Tensor, norm: nn.Module) -> str:
        added = add(names[0], "x", values, Add((stream, part))) if block.residual else part
        if not block.post:
            return added
        assert isinstance(norm, nn.LayerNorm)
        return add(names[1], "x", block.normalise_after(values, norm), Normalise(added, norm))

    inputs = before("ln1", trace.attention_inputs, block.attention_norm)
    seen = _attention(block.attention, trace.attention, at, (inputs, inputs), of)
    found += seen
    stream = after(f"{at}o", ("r1", "n1"), trace.attention_sum, block.attention_norm)
    if block.cross is not None and block.cross_norm is not None:
        assert trace.cross is not None
        assert trace.cross_inputs is not None
        assert trace.cross_sum is not None
        inputs = before("lnc", trace.cross_inputs, block.cross_norm)
        found += _attention(block.cross, trace.cross, f"{at}c", (inputs, source), of)
        stream = after(f"{at}co", ("rc", "nc"), trace.cross_sum, block.cross_norm)
    if block.mlp is None or block.mlp_norm is None:
        return found
    assert trace.mlp is not None
    assert trace.mlp_inputs is not None
    assert trace.mlp_sum is not None
    inputs = before("ln2", trace.mlp_inputs, block.mlp_norm)
    up, down = block.mlp.up, block.mlp.down
    pre = Project(inputs, up.weight, up.bias, ("W₁", "b₁"))
    add("pre", "z", trace.mlp.pre_activation, pre)
    add("act", "g(z)", trace.mlp.hidden, Activate(f"{at}pre", block.mlp.activation))
    out = Project(f"{at}act", down.weight, down.bias, ("W₂", "b₂"))
    add("mlp", "MLP(x)", trace.mlp.output, out)
    after(f"{at}mlp", ("r2", "n2"), trace.mlp_sum, block.mlp_norm)
    return found


def _attention(
    module: MultiHead, trace: MultiHeadTrace, at: str, inputs: tuple[str, str], of: Sequences
) -> Iterator[Stage]:
    query, source = inputs
    keys: Sequences = of if query == source else "source"
    parts = (
        ("q", "Q", query, of, trace.query, module.query),
        ("k", "K", source, keys, trace.key, module.key),
        ("v", "V", source, keys, trace.value, module.value),
    )
    for name, symbol, read, rows, values, linear in parts:
        how = Project(read, linear.weight, linear.bias, (f"W^{symbol}", f"b^{symbol}"))
        yield Stage(at + name, symbol, values[0].transpose(0, 1).flatten(1), how, rows)
    d_k = trace.query.shape[-1]
    masked = trace.masked
    for h in range(module.heads):
        columns = range(h * d_k, (h + 1) * d_k)
        score = Score(f"{at}q", f"{at}k", columns, d_k**-0.5)
        yield Stage(f"{at}score.{h + 1}", "QKᵀ/√d", masked[0, h], score, of)
        softmax = Softmax(f"{at}score.{h + 1}")
        yield Stage(f"{at}alpha.{h + 1}", "α", trace.weights[0, h], softmax, of)
    mix = Mix(tuple(f"{at}alpha.{h + 1}" for h in range(module.heads)), f"{at}v")
    yield Stage(f"{at}z", "Z", trace.concatenated[0], mix, of)
    how = Project(f"{at}z", module.output.weight, module.output.bias, ("W^O", "b^O"))
    yield Stage(f"{at}o", "Z W^O", trace.output[0], how, of)


def _unembedding(network: GPT | BERT, trace: GPTTrace | BERTTrace, stream: str) -> Iterator[Stage]:
    if isinstance(network, GPT):
        assert isinstance(trace, GPTTrace)
        if isinstance(network.norm, nn.LayerNorm):
            yield Stage("final", "LayerNorm", trace.normed[0], Normalise(stream, network.norm))
            stream = "final"
        yield from _logits(trace.logits[0], stream, network.U, None)
        return
    assert isinstance(trace, BERTTrace)
    if network.config.norm == "pre":
        assert isinstance(network.norm, nn.LayerNorm)
        yield Stage("final", "LayerNorm", trace.hidden[0], Normalise(stream, network.norm))
        stream = "final"
    head = network.head
    if head is None or trace.transformed is None or trace.logits is None:
        return
    dense = head.dense(trace.hidden)
    how = Project(stream, head.dense.weight, head.dense.bias, ("W", "b"))
    yield Stage("dense", "z", dense[0], how)
    activated = Activate("dense", head.activation)
    yield Stage("active", "g(z)", g(dense, head.activation)[0], activated)
    assert isinstance(head.norm, nn.LayerNorm)
    yield Stage("transformed", "LayerNorm", trace.transformed[0], Normalise("active", head.norm))
    yield from _logits(trace.logits[0], "transformed", network.U, head.bias)


def _logits(
    logits: Numbers,
    inputs: str,
    U: Float[Tensor, "vocabulary width"],
    bias: Float[Tensor, " vocabulary"] | None,
) -> Iterator[Stage]:
    yield Stage("logits", "logits", logits, Project(inputs, U, bias, ("U", "b₂")))
    yield Stage("p", "ŷ", logits.double().softmax(-1), Softmax("logits"))
