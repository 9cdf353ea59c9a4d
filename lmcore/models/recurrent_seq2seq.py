"""The recurrent encoder–decoder, with one vector for the whole source or with attention.

    h_j = f(E[x_j], h_{j−1})                        encoder, j = 1 … T_x        h_0 = 0
    s_i = f([E′[y_{i−1}]; c_i], s_{i−1})            decoder                     s_0 = h_{T_x}
    p(y_i | y_1 … y_{i−1}, x) = softmax(U [s_i; c_i; E′[y_{i−1}]] + b)          y_0 = <s>

    one vector    c_i = h_{T_x} for every i; without `feed_context` there is no c_i
    attention     e_ij = a(s_{i−1}, h_j)       α_ij = softmax_j(e_ij)       c_i = Σ_j α_ij h_j

f is a plain recurrent cell, a GRU or an LSTM (whose cell is handed over, too). One vector and the
score dot have the same weights: they differ in c_i alone.

Source: Sutskever et al. 2014 (s_0 = h_{T_x}); Cho et al. 2014 (the same c at every step); Bahdanau
et al. 2015; lecture "Soft-Attention". Variants: the encoder reads forwards only; U is applied
without a maxout layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, get_args

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from lmcore.checks import check_one_of
from lmcore.dataframes import Trace
from lmcore.models.layers import (
    Dropout,
    apply_dropout,
    check_size,
    check_sizes,
    initialise,
    known_sources,
    known_texts,
)
from lmcore.models.lstm import set_forget_bias
from lmcore.models.recurrent_cells import (
    Cell,
    CellState,
    build_cell,
    cell_parameters,
    cell_weights,
    read_states,
    step_by_equations,
    step_fused,
)
from lmcore.models.soft_attention import (
    SHARPNESS,
    AttentionStep,
    Order,
    Score,
    SoftAttention,
    check_changes,
)
from lmcore.token_ids import TextsIds

SourcesIds: TypeAlias = (
    Int[Tensor, "batch source"] | Int[Tensor, " source"] | Sequence[Sequence[int]] | Sequence[int]
)
"""Sources of one length, padding included, or a single one."""


@dataclass(frozen=True, slots=True)
class Seq2SeqConfig:
    """The sizes of the model, its cell f and its score a; `score` None is one vector.

    `padding` is the id that fills up short sources, None where there is none.
    """

    source_vocabulary: int
    target_vocabulary: int
    embedding: int = 48
    hidden: int = 128
    cell: Cell = "gru"
    score: Score | None = "dot"
    feed_context: bool = True
    padding: int | None = None

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds, or does not go together."""
        check_sizes(vocabulary=self.source_vocabulary, embedding=self.embedding, hidden=self.hidden)
        check_sizes(vocabulary=self.target_vocabulary, embedding=self.embedding, hidden=self.hidden)
        check_one_of("the cell", self.cell, get_args(Cell))
        if self.score is not None:
            check_one_of("the score", self.score, get_args(Score))
        if self.padding is not None:
            check_size("the padding id", self.padding, self.source_vocabulary - 1)
        if self.score is not None and not self.feed_context:
            raise ValueError(
                "feed_context must be true with attention, whose context c_i is used at every "
                f"step; got {self.feed_context!r}"
            )

    @property
    def vocabulary(self) -> int:
        """The number of types that the model predicts."""
        return self.target_vocabulary

    @property
    def context(self) -> int:
        """The number of values of c_i; 0 where there is no c_i."""
        return self.hidden if self.feed_context else 0

    @property
    def parameters(self) -> int:
        """Numbers in E and E′, in both cells, in the score, in U and b."""
        tables = (self.source_vocabulary + self.target_vocabulary) * self.embedding
        encoder = cell_parameters(self.cell, self.embedding, self.hidden)
        decoder = cell_parameters(self.cell, self.embedding + self.context, self.hidden)
        score = {"mlp": self.hidden * (2 * self.hidden + 1), "cosine": 1}.get(self.score or "", 0)
        output = self.target_vocabulary * (self.hidden + self.context + self.embedding + 1)
        return tables + encoder + decoder + score + output


@dataclass(frozen=True, slots=True)
class Seq2SeqTrace(Trace):
    """Every quantity, in the order it is computed; None if the model does not have it."""

    source_embedding: Float[Tensor, "batch source width"]
    encoder_states: Float[Tensor, "batch source hidden"]
    """h_j; what is at padding is not used."""
    mask: Bool[Tensor, "batch source"]
    """Where there is a word of the source."""
    start: Float[Tensor, "batch hidden"]
    """s_0 = h_{T_x}"""
    embedding: Float[Tensor, "batch time width"]
    scores: Float[Tensor, "batch time source"] | None
    """e_ij"""
    weights: Float[Tensor, "batch time source"] | None
    """α_ij, as used: after what is forced or permuted."""
    contexts: Float[Tensor, "batch time hidden"] | None
    """c_i"""
    decoder_states: Float[Tensor, "batch time hidden"]
    """s_i"""
    logits: Float[Tensor, "batch time vocabulary"]
    """Row i is for y_i, from y_0 … y_{i−1}."""


@dataclass(frozen=True, slots=True)
class DecoderState(Trace):
    """What a decoder needs to continue: its state, and the encoder's states."""

    hidden: Float[Tensor, "batch hidden"]
    """s_{i−1}"""
    cell: Float[Tensor, "batch hidden"] | None
    """The cell of an LSTM; None otherwise."""
    encoder_states: Float[Tensor, "batch source hidden"]
    keys: Float[Tensor, "batch source hidden"] | None
    """What `SoftAttention.prepare_keys` makes of the encoder's states."""
    mask: Bool[Tensor, "batch source"]
    vector: Float[Tensor, "batch hidden"]
    """h_{T_x}"""

    @property
    def carried(self) -> CellState:
        """The state of the cell f."""
        return (self.hidden,) if self.cell is None else (self.hidden, self.cell)

    def with_carried(self, carried: CellState) -> DecoderState:
        """The same with another state of the cell f."""
        return replace(self, hidden=carried[0], cell=carried[1] if len(carried) > 1 else None)

    def select(self, rows: Int[Tensor, " kept"]) -> DecoderState:
        """These rows of the batch, in this order; one may occur twice."""
        parts = {
            name: part[rows] for name in self.__slots__ if (part := getattr(self, name)) is not None
        }
        return replace(self, **parts)


class Seq2Seq(nn.Module):
    """E and E′, the encoder's and the decoder's cell, the score's weights, and U and b."""

    def __init__(self, config: Seq2SeqConfig, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        width, hidden = config.embedding, config.hidden
        self.embedding = nn.ModuleDict(
            {
                "source": nn.Embedding(config.source_vocabulary, width, device="meta"),
                "target": nn.Embedding(config.target_vocabulary, width, device="meta"),
            }
        )
        self.encoder = build_cell(config.cell, width, hidden)
        self.decoder = build_cell(config.cell, width + config.context, hidden)
        self.attention = None if config.score is None else SoftAttention(config.score, hidden)
        features = hidden + config.context + width
        self.output = nn.Linear(features, config.target_vocabulary, device="meta")
        initialise(self, seed)
        self._initialise_parts(seed)

    @property
    def source_embedding(self) -> nn.Embedding:
        """E: one row per type of the source."""
        return self._table("source")

    @property
    def target_embedding(self) -> nn.Embedding:
        """E′: one row per type of the target."""
        return self._table("target")

    def _table(self, language: str) -> nn.Embedding:
        table = self.embedding[language]
        assert isinstance(table, nn.Embedding)
        return table

    @torch.no_grad()
    def _initialise_parts(self, seed: int) -> None:
        """E and E′ from N(0, 1), γ, and the forget gates' bias."""
        generator = torch.Generator().manual_seed(seed + 1)
        for table in (self.source_embedding, self.target_embedding):
            table.weight.normal_(generator=generator)
        if self.attention is not None and self.attention.score == "cosine":
            self.attention.sharpness.fill_(SHARPNESS)
        for layer in (self.encoder, self.decoder):
            if isinstance(layer, nn.LSTM):
                set_forget_bias(layer)

    def forward(
        self,
        source: SourcesIds,
        target: TextsIds,
        *,
        forced: Mapping[int, Sequence[float] | Tensor] | None = None,
        order: Order | None = None,
    ) -> Seq2SeqTrace:
        """The equations, word after word; `target` is y_0 … y_{n−1}, each read as it is given.

        `forced` has, for a step i from 0, the weights α to use there in every row; `order` permutes
        α of each row at every step.

        Raises:
            ValueError: if a token is not an id, a source has no word, or padding before its last
                word, or if weights are forced or permuted in a model without attention.
        """
        x, y = self.read_source(source), known_texts(target, self.config.target_vocabulary)
        mask, alphas = self.source_mask(x), dict[int, Tensor]()
        if forced or order is not None:
            if self.attention is None:
                raise ValueError(
                    "weights α can be changed only in a model with attention; it has none"
                )
            alphas = check_changes(forced or {}, order, tuple(x.shape), y.shape[1])
        embedded, read = self.source_embedding(x), self.target_embedding(y)
        states = read_states(embedded, cell_weights(self.encoder))
        state = self._start(states[0], _last(states, mask), mask)
        weights, start = cell_weights(self.decoder), state.hidden
        attended, contexts, decoded = list[AttentionStep](), list[Tensor](), list[Tensor]()
        for i in range(y.shape[1]):
            step, context = self._context(state, forced=alphas.get(i), order=order)
            inputs = _joined(read[:, i], context)
            state = state.with_carried(step_by_equations(inputs, weights, state.carried))
            attended += [] if step is None else [step]
            contexts += [] if context is None else [context]
            decoded.append(state.hidden)
        e, alpha = (
            _over_time([a.scores for a in attended]),
            _over_time([a.weights for a in attended]),
        )
        c, s = _over_time(contexts), torch.stack(decoded, dim=1)
        logits = self.output(_joined(s, c, read))
        return Seq2SeqTrace(
            embedded, state.encoder_states, mask, start, read, e, alpha, c, s, logits
        )

    def logits(
        self,
        source: Int[Tensor, "batch source"],
        target: Int[Tensor, "batch time"],
        dropout: Dropout | None = None,
    ) -> Float[Tensor, "batch time vocabulary"]:
        """The logits of `forward`, by torch's fused kernels.

        `dropout` applies to the embeddings and to what U is multiplied with.
        """
        state = self.encode(source, dropout)
        read = apply_dropout(self.target_embedding(target), dropout)
        if self.attention is None:
            return self._logits_of_one_vector(state, read, dropout)
        decoded, contexts = [], []
        for i in range(target.shape[1]):
            _, context = self._context(state)
            inputs = _joined(read[:, i], context)
            state = state.with_carried(step_fused(inputs, self.decoder, state.carried))
            decoded.append(state.hidden)
            contexts.append(context)
        c = torch.stack([each for each in contexts if each is not None], dim=1)
        features = _joined(torch.stack(decoded, dim=1), c, read)
        logits: Tensor = self.output(apply_dropout(features, dropout))
        return logits

    def _logits_of_one_vector(
        self,
        state: DecoderState,
        read: Float[Tensor, "batch time width"],
        dropout: Dropout | None,
    ) -> Float[Tensor, "batch time vocabulary"]:
        """All steps in one call: c_i does not depend on s_{i−1}."""
        context = None
        if self.config.feed_context:
            context = state.vector[:, None].expand(-1, read.shape[1], -1)
        carried = tuple(part[None] for part in state.carried)
        start = carried if len(carried) > 1 else carried[0]
        decoded, _ = self.decoder(_joined(read, context), start)
        logits: Tensor = self.output(apply_dropout(_joined(decoded, context, read), dropout))
        return logits

    def encode(
        self, source: Int[Tensor, "batch source"], dropout: Dropout | None = None
    ) -> DecoderState:
        """Read the sources: what the decoder starts from."""
        mask = self.source_mask(source)
        embedded = apply_dropout(self.source_embedding(source), dropout)
        lengths = mask.sum(dim=1).cpu()
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        outputs, last = self.encoder(packed)
        states, _ = pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])
        carried = last if isinstance(last, tuple) else (last,)
        return self._start(states, tuple(part[0] for part in carried), mask)

    def step(
        self,
        tokens: Int[Tensor, " batch"],
        state: DecoderState,
        *,
        forced: Float[Tensor, "*#batch source"] | None = None,
        order: Order | None = None,
    ) -> tuple[Float[Tensor, "batch vocabulary"], AttentionStep | None, DecoderState]:
        """Read y_{i−1}: the logits of y_i, the attention before it, and the state after it.

        `forced` is used as α, the same in every row or one for each; `order` permutes α of each.
        """
        read = self.target_embedding(tokens)
        attended, context = self._context(state, forced=forced, order=order)
        carried = step_fused(_joined(read, context), self.decoder, state.carried)
        logits = self.output(_joined(carried[0], context, read))
        return logits, attended, state.with_carried(carried)

    def logits_of_context(
        self,
        tokens: Int[Tensor, " batch"],
        carried: CellState,
        context: Float[Tensor, "batch hidden"],
    ) -> Float[Tensor, "batch vocabulary"]:
        """The logits of y_i after y_{i−1}, from a state of the cell f and a given c_i."""
        read = self.target_embedding(tokens)
        after = step_fused(_joined(read, context), self.decoder, carried)
        logits: Tensor = self.output(_joined(after[0], context, read))
        return logits

    def read_source(self, source: SourcesIds) -> Int[Tensor, "batch source"]:
        """Sources as a tensor.

        Raises:
            ValueError: if a token is not an id, or a source has no word or padding before its last.
        """
        return known_sources(source, self.config.source_vocabulary, self.config.padding)

    def source_mask(self, source: Int[Tensor, "batch source"]) -> Bool[Tensor, "batch source"]:
        """Where there is a word of the source, and no padding."""
        if self.config.padding is None:
            return torch.ones_like(source, dtype=torch.bool)
        return source != self.config.padding

    def _start(
        self,
        states: Float[Tensor, "batch source hidden"],
        last: CellState,
        mask: Bool[Tensor, "batch source"],
    ) -> DecoderState:
        keys = None if self.attention is None else self.attention.prepare_keys(states)
        cell = last[1] if len(last) > 1 else None
        return DecoderState(last[0], cell, states, keys, mask, last[0])

    def _context(
        self,
        state: DecoderState,
        *,
        forced: Float[Tensor, "*#batch source"] | None = None,
        order: Order | None = None,
    ) -> tuple[AttentionStep | None, Float[Tensor, "batch hidden"] | None]:
        """The attention of one step, and c_i; None if the model does not have it."""
        if self.attention is None or state.keys is None:
            return None, state.vector if self.config.feed_context else None
        step: AttentionStep = self.attention(
            state.hidden, state.encoder_states, state.keys, state.mask, forced=forced, order=order
        )
        return step, step.context


def _last(
    states: tuple[Float[Tensor, "batch source hidden"], ...], mask: Bool[Tensor, "batch source"]
) -> CellState:
    """The states after the last word of each source."""
    rows = torch.arange(len(mask), device=mask.device)
    return tuple(each[rows, mask.sum(dim=1) - 1] for each in states)


def _joined(*parts: Float[Tensor, "*batch _"] | None) -> Float[Tensor, "*batch features"]:
    """The parts that the model has, end to end."""
    return torch.cat([part for part in parts if part is not None], dim=-1)


def _over_time(steps: Sequence[Tensor]) -> Tensor | None:
    """A quantity of all steps, along the time axis; None where there is none."""
    return torch.stack(list(steps), dim=1) if steps else None
