"""Every DataFrame holds its trace's own numbers, under the names that are on screen."""

import ast
import math
import re
from pathlib import Path

import numpy as np
import pandas
import pytest
import torch

import lmcore
from lmcore import dataframes
from lmcore.attention import heads, similarity, step_table
from lmcore.attention.ablation import AblationEffect, ablation_effects
from lmcore.attention.joined_heads import join_heads
from lmcore.attention.learned_positions import likeness
from lmcore.attention.permutation import ShuffleResult, parse_order
from lmcore.attention.saturation import WIDTHS, Saturation, WeightStatistics
from lmcore.attention.two_orders import TwoOrders, compare_two_orders
from lmcore.corpora.microworld import microworld
from lmcore.corruption import bart_noise, full_sentences
from lmcore.corruption.corruption import CorruptionTrace
from lmcore.corruption.draws import CorruptionConfig, draw_for_text
from lmcore.corruption.masked_loss import MaskedLossTrace
from lmcore.corruption.rates import NAMES, repeat_draws
from lmcore.corruption.spans import choose_spans
from lmcore.corruption.text import text_from_words
from lmcore.decoding import beam, beam_tree, bench
from lmcore.decoding.continuations import continue_prompt
from lmcore.decoding.next_token import next_token_model
from lmcore.decoding.stepping import decoding_steps
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.sweeps import FirstTokenOdds, FirstTokenSweep
from lmcore.decoding.token_by_token import SamplingConfig, generate_steps
from lmcore.decoding.tree_paths import SampledShares
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.embeddings import drift, pipeline
from lmcore.embeddings.drift import NearestWords
from lmcore.evaluation import against_grammar, contexts, costs, probes
from lmcore.evaluation.perplexity import perplexity_trace
from lmcore.evaluation.sentence import SentenceAnswer
from lmcore.graph import compare_gradients, descend, leaf_entries, parse_program, trace_graph, walk
from lmcore.graph import sweep as sweep_graph
from lmcore.masked_lm import cloze, contest, next_sentence
from lmcore.masking import mask_pairs, under_mask
from lmcore.masking.leakage import Leakage
from lmcore.models import attention, positions
from lmcore.models.bert import BERT
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.gru import GRUConfig
from lmcore.models.lstm import LSTMConfig
from lmcore.models.ngram import NGramConfig, fit_ngram
from lmcore.models.registry import build
from lmcore.models.rnn import RNNConfig
from lmcore.models.scoring import perplexity, score
from lmcore.models.transformer_config import TransformerConfig
from lmcore.neuron import activations, neuron
from lmcore.pretrained.reading import VocabularyModel
from lmcore.recurrence import gate_clamping, gates, recall, unrolled
from lmcore.recurrence.receptive_field import context_probabilities
from lmcore.recurrence.vanishing import Gains
from lmcore.shipped.models import encoder, load_shipped
from lmcore.tokenization import inputs, library, merges, packing, pieces, rules, split, texts
from lmcore.training.events import History
from lmcore.training.loop import Training
from lmcore.training.spec import ModelSpec, RunSpec

GPT = load_shipped("gpt")[0]
WORDS = GPT.vocabulary
IDS = torch.tensor(WORDS.read("the animal didn't cross the street"))
END = WORDS.ids["</s>"]
WRITER = writer_from_vocabulary("gpt", GPT, WORDS)
SIZES = {"vocabulary": 9, "width": 8, "heads": 2, "layers": 2, "hidden": 12, "longest": 16}
GENERATOR = torch.Generator().manual_seed(0)


def drawn(*shape):
    return torch.rand(shape, generator=GENERATOR, dtype=torch.float64)


def same(column, numbers):
    """Assert that a column equals a tensor or a list, row by row."""
    flat = numbers.detach().flatten().tolist() if torch.is_tensor(numbers) else list(numbers)
    got = column.tolist()
    assert len(got) == len(flat)
    for one, other in zip(got, flat, strict=True):
        missing = one is pandas.NA or (isinstance(one, float) and math.isnan(one))
        assert one == other or (missing and (other is None or other != other)), (one, other)


def check(table, wanted):
    """Assert that a frame has these columns, in this order, with these numbers."""
    assert list(table.columns) == list(wanted)
    for name, numbers in wanted.items():
        same(table[name], numbers)


def index(shape):
    """For each axis, the index of every entry along it."""
    return [each.flatten().tolist() for each in np.indices(shape)]


def check_numbers(table, wanted):
    """Assert that a frame has one row per number of each tensor, with its index along each axis."""
    assert list(dict.fromkeys(table["quantity"])) == list(wanted)
    for name, (tensor, axes) in wanted.items():
        rows = table[table["quantity"] == name]
        same(rows["value"], tensor.double())
        for axis, places in zip(axes, index(tensor.shape), strict=True):
            same(rows[axis], places)
        others = set(table.columns) - {"quantity", "value", *axes}
        assert rows[[*others]].isna().all(axis=None)


def test_a_neuron():
    unit = neuron.Neuron((1.0, 2.0), (0.5, -1.0), 0.25)
    one = neuron.trace_neuron(unit)
    names = ["x1", "x2", "w1", "w2", "t1", "t2", "s1", "s2", "s3", "z", "y", "b", "dy/dz"]
    table = one.to_frame()
    assert sorted(table.columns) == sorted(names)
    assert table.iloc[0][["t2", "s3", "z"]].tolist() == [-2.0, -1.25, -1.25]
    same(table["dy/dz"], one.derivative)
    many = neuron.trace_rows(unit, drawn(4, 2))
    table = many.to_frame()
    same(table["batch"], range(4))
    same(table["x2"], many.inputs[:, 1])
    same(table["y"], many.output)
    assert list(neuron.sweep(unit, drawn(5, 3)).to_frame().columns[:2]) == ["batch 1", "batch 2"]


def test_an_activation_and_a_surface():
    along = activations.curve(activations.SIGMOID, reach=3.0, points=7)
    check(along.to_frame(), {"z": along.z, "y": along.output, "dy/dz": along.derivative})
    unit = neuron.Neuron((1.0, 2.0), (0.5, -1.0), 0.25)
    over = neuron.surface(unit, low=0.0, high=1.0, side=3)
    for _, row in over.to_frame().iterrows():
        there = neuron.trace_neuron(unit.with_value("x1", row["x1"]).with_value("x2", row["x2"]))
        assert row["y"] == pytest.approx(float(there.output))


GRAPH = parse_program("W = [[1, 2], [3, 4]]; x = [1, -1]; y = W @ x; L = sum(y^2)")


def test_a_graph():
    trace = trace_graph(GRAPH)
    table = trace.to_frame()
    assert list(table.columns) == ["node", "formula", "value", "gradient"]
    assert table["node"].tolist()[:6] == ["W[1,1]", "W[1,2]", "W[2,1]", "W[2,2]", "x[1]", "x[2]"]
    variables = GRAPH.variables
    same(table["value"], torch.cat([trace.values[i].flatten() for i in variables]))
    same(table["gradient"], torch.cat([trace.gradients[i].flatten() for i in variables]))
    assert table["formula"].tolist()[-1] == GRAPH.nodes[GRAPH.result].formula


def test_a_graph_that_is_swept():
    moving = leaf_entries(GRAPH)[:2]
    swept = sweep_graph(GRAPH, moving, drawn(2, 3))
    table = swept.to_frame()
    there = table[(table["slider"] == 1) & (table["position"] == 2) & (table["node"] == "W[2,1]")]
    assert there["gradient"].item() == float(swept.gradients[GRAPH.index("W")][1, 2, 1, 0])


def test_three_gradients_and_the_walk_and_a_descent():
    found = compare_gradients(GRAPH)
    table = found.to_frame()
    assert list(table.columns[:4]) == ["node", "by hand", "autograd", "central difference"]
    for name, field in (("by hand", "hand"), ("|hand − c.d.|", "hand_numeric")):
        same(table[name], torch.cat([getattr(each, field).flatten() for each in found]))
    steps = walk(GRAPH)
    check(steps.to_frame(), {"kind": [s.kind for s in steps], "text": [s.text for s in steps]})
    path = descend(GRAPH, learning_rate=0.001, names=["x"], steps=3)
    check(path.to_frame(), {"step": range(4), "L": path.losses})


def test_an_ngram():
    model = fit_ngram(NGramConfig(3), WORDS, IDS.numpy())
    trace = model.explain(IDS[:2].tolist(), int(IDS[2]))
    fields = ("count", "context_count", "kinds", "kept", "weight", "lower", "probability")
    names = ("c", "C", "kinds", "kept", "λ", "lower", "p")
    numbers = {
        name: [getattr(step, field) for step in trace.steps]
        for name, field in zip(names, fields, strict=True)
    }
    check(trace.to_frame(), {"context": [step.context for step in trace.steps]} | numbers)
    last = trace.to_frame(WORDS)["context"].tolist()[-1]
    assert last == tuple(WORDS.tokens[i] for i in IDS[:2])
    rows = model.table(["the", "animal didn't"], ["cross", "the"])
    table = rows.to_frame()
    check(
        table,
        {
            "context": ["the", "the", "animal didn't", "animal didn't"],
            "word": ["cross", "the"] * 2,
            "c": rows.counts.reshape(-1),
            "p": rows.probabilities.reshape(-1),
        },
    )


def test_a_score():
    found = score(GPT, IDS)
    numbers = {
        "p": found.probabilities,
        "log p": found.log_probabilities,
        "product so far": found.running_product,
        "Σ log p so far": found.running_sum,
        "rank": found.ranks,
    }
    check(found.to_frame(), {"token": found.tokens} | numbers)
    check(found.to_frame(WORDS), {"token": [WORDS.tokens[i] for i in found.tokens]} | numbers)
    whole = perplexity(GPT, microworld().sample(2, np.random.default_rng(0)))
    check(
        whole.to_frame(),
        {"tokens": [whole.predicted], "loss": [whole.loss], "perplexity": [whole.perplexity]},
    )


TOKENS = torch.tensor([[1, 2, 3], [4, 5, 6]])
HIDDEN = ("batch", "time", "hidden")
WIDTH = ("batch", "time", "width")
LOGITS = ("batch", "time", "vocabulary")


def test_the_feedforward_network():
    trace = build(FeedforwardConfig(9, 4, 5, 2))(TOKENS)
    check_numbers(
        trace.to_frame(),
        {
            "window": (trace.window, ("batch", "time", "context")),
            "embedding": (trace.embedding, ("batch", "time", "context", "width")),
            "concatenated": (trace.concatenated, ("batch", "time", "context*width")),
            "pre_activation": (trace.pre_activation, HIDDEN),
            "hidden": (trace.hidden, HIDDEN),
            "state": (trace.state, ("batch", "before")),
            "logits": (trace.logits, LOGITS),
        },
    )


@pytest.mark.parametrize(
    ("config", "letters"),
    [
        (RNNConfig(9, 4, 5, 2), {"z": "pre_activation", "h": "hidden"}),
        (GRUConfig(9, 4, 5, 2), {"r": "reset", "z": "update", "n": "candidate", "h": "hidden"}),
        (
            LSTMConfig(9, 4, 5, 2),
            {
                "f": "forget",
                "i": "input",
                "c̃": "candidate",
                "c": "cell",
                "o": "output",
                "h": "hidden",
            },
        ),
    ],
)
def test_a_recurrent_network(config, letters):
    trace = build(config)(TOKENS)
    first = trace.layers[0]
    shape = dict(zip(("batch", "time", "unit"), index(first.hidden.shape), strict=True))
    check(first.to_frame(), shape | {name: getattr(first, f) for name, f in letters.items()})
    states = trace.state if isinstance(trace.state, tuple) else (trace.state,)
    names = ["state"] if len(states) == 1 else ["state[0]", "state[1]"]
    layers = {
        f"layers.{field}": (
            torch.stack([getattr(layer, field) for layer in trace.layers]),
            ("layer", *HIDDEN),
        )
        for field in letters.values()
    }
    each = ("layer", "batch", "hidden")
    check_numbers(
        trace.to_frame(),
        {
            "embedding": (trace.embedding, WIDTH),
            **layers,
            **{name: (state, each) for name, state in zip(names, states, strict=True)},
            "logits": (trace.logits, LOGITS),
        },
    )


def leaves(trace):
    """Path → the tensors of a trace and of the traces in it, one tensor per layer."""
    found = {}
    for name in trace.__slots__ if hasattr(trace, "__slots__") else trace._fields:
        value = getattr(trace, name)
        if torch.is_tensor(value):
            found.setdefault(name, []).append(value)
        elif isinstance(value, tuple):
            for each in value:
                for path, tensors in leaves(each).items():
                    found.setdefault(f"{name}.{path}", []).extend(tensors)
        elif value is not None:
            for path, tensors in leaves(value).items():
                found.setdefault(f"{name}.{path}", []).extend(tensors)
    return found


@pytest.mark.parametrize(
    ("network", "given"),
    [
        (build(TransformerConfig(**SIZES)), (TOKENS,)),
        (BERT(TransformerConfig(**SIZES, segments=2, norm="post"), pairs=True), (TOKENS,)),
        (BERT(TransformerConfig(**SIZES, padding=0), head=False), (TOKENS,)),
        (Transformer(TransformerConfig(**SIZES, positions="sinusoidal")), (TOKENS, TOKENS[:, :2])),
    ],
    ids=["GPT", "BERT", "no head", "encoder and decoder"],
)
@torch.no_grad()
def test_a_transformer(network, given):
    trace = network(*given)
    table = trace.to_frame()
    wanted = leaves(trace)
    assert list(dict.fromkeys(table["quantity"])) == list(wanted)
    for path, tensors in wanted.items():
        rows = table[table["quantity"] == path]
        same(rows["value"], torch.cat([each.double().flatten() for each in tensors]))
    stack = "decoder" if "decoder.residual" in wanted else "blocks"
    rows = table[table["quantity"] == f"{stack}.attention.weights"]
    block = getattr(trace, stack)[1]
    there = rows[(rows["layer"] == 1) & (rows["batch"] == 0) & (rows["head"] == 1)]
    there = there[(there["query"] == 1) & (there["key"] == 0)]
    assert there["value"].item() == float(block.attention.weights[0, 1, 1, 0])
    for part in (block, block.attention, block.mlp, trace.embedding):
        assert len(part.to_frame()) == sum(t.numel() for ts in leaves(part).values() for t in ts)


def test_attention():
    found = attention.attention(drawn(2, 3, 4), drawn(2, 5, 4), drawn(2, 5, 6))
    pairs = ("batch", "query", "key")
    check_numbers(
        found.to_frame(),
        {
            "scores": (found.scores, pairs),
            "scaled": (found.scaled, pairs),
            "masked": (found.masked, pairs),
            "weights": (found.weights, pairs),
            "context": (found.context, ("batch", "query", "width")),
        },
    )


def test_the_step_table():
    given = step_table.AttentionInputs(("a", "b", "c"), drawn(3, 2), drawn(3, 2), drawn(3, 2))
    found = step_table.compute_step_table(given, step_table.AttentionConfig(2, mask="causal"))
    query, key = index((3, 3))
    check(
        found.to_frame(),
        {
            "query": query,
            "key": key,
            "s": found.scores,
            "scaled": found.scaled,
            "masked": found.masked,
            "largest": found.largest[:, None].expand(3, 3),
            "exp": found.exponentials,
            "Σ exp": found.sums[:, None].expand(3, 3),
            "α": found.weights,
            "∂α/∂s": found.slopes,
            "z1": found.context[:, None, 0].expand(3, 3),
            "z2": found.context[:, None, 1].expand(3, 3),
        },
    )


READER = VocabularyModel("small", *encoder()[:2])
READING = READER.read("the dog gets fed")


def test_heads():
    seen = heads.trace_heads(READER.network, READING)
    table = seen.to_frame()
    layer, head, query, key = index(seen.weights.shape)
    check(
        table,
        {
            "layer": layer,
            "head": head,
            "query": query,
            "key": key,
            "query token": [READING.tokens[i] for i in query],
            "key token": [READING.tokens[i] for i in key],
            "α": seen.weights,
        },
    )
    found = heads.head_statistics(seen.weights, READING)
    layer, head = index(found.entropy.shape)
    titled = {heads.TITLES[name]: values for name, values in found._asdict().items()}
    check(found.to_frame(), {"layer": layer, "head": head} | titled)
    one = heads.query_scores(seen, heads.Head(0, 1), 2)
    check(
        one.to_frame(),
        {
            "key": range(len(READING.tokens)),
            "q·k": one.scores,
            "q·k/√d_k": one.scaled,
            "α": one.weights,
        },
    )
    joined = join_heads(READER.network, seen, 1, 2)
    added = {f"head {head}": part for head, part in enumerate(joined.parts)}
    number = {"number": range(len(joined.bias))}
    check(joined.to_frame(), number | added | {"bias": joined.bias, "output": joined.output})
    row = heads.row_scores(seen, 2)
    layer, head, key = index(row.scores.shape)
    check(
        row.to_frame(),
        {"layer": layer, "head": head, "key": key, "q·k": row.scores, "q·k/√d_k": row.scaled},
    )
    effects = next(ablation_effects(READER.network, seen, 2, "mute"))
    check(
        effects.to_frame(),
        {
            "head": [str(each.head) for each in effects],
            "1 − cosine": [each.turned for each in effects],
            "moved": [each.moved for each in effects],
            "Δ log p, nats": [each.gained for each in effects],
        },
    )
    assert AblationEffect(heads.Head(0, 0), 0.0, 0.0, None).to_frame()["head"].item() == "0.0"


def test_other_tables_of_attention():
    found = similarity.attend_by_similarity(drawn(2), drawn(3, 2), drawn(3, 2), normalised=True)
    check(
        found.to_frame(),
        {
            "similarity": [each.name for each in found for _ in range(3)],
            "key": [0, 1, 2] * len(found),
            "value": torch.cat([each.similarities for each in found]),
            "weight": torch.cat([each.weights for each in found]),
        },
    )
    wide = len(WIDTHS)
    plain, scaled = (WeightStatistics(drawn(wide), drawn(wide)) for _ in range(2))
    at = Saturation(drawn(wide), drawn(wide), plain, scaled)
    check(
        at.to_frame(),
        {
            "d_k": WIDTHS,
            "variance": at.variance,
            "variance, scaled": at.scaled_variance,
            "largest α": plain.largest,
            "largest α, scaled": scaled.largest,
            "‖∂α/∂s‖": plain.gradient,
            "‖∂α/∂s‖, scaled": scaled.gradient,
        },
    )
    moved = ShuffleResult(drawn(3, 2), drawn(3, 2), drawn(3, 2), drawn(3))
    check(moved.to_frame(), {"place": range(3), "largest difference": moved.differences})
    steps = mask_pairs.SoftmaxSteps(*drawn(4, 3))
    names = ("q·k/√d_k", "masked", "e^masked", "α")
    check(steps.to_frame(), {"key": range(3), **dict(zip(names, steps, strict=True))})
    leak = Leakage(drawn(2, 3, 3).float(), drawn(2, 3, 3) < 0.5)
    depth, output, changed = index((2, 3, 3))
    check(
        leak.to_frame(),
        {
            "depth": depth,
            "output": output,
            "changed": changed,
            "moved": leak.moved,
            "may move": leak.reach,
        },
    )


def test_generation():
    how = SamplingConfig(3, seeds=(0, 1))
    model, prompt = next_token_model(GPT), IDS.repeat(2, 1)
    step = next(iter(generate_steps(model, prompt, how)))
    batch, token = index((2, len(WORDS)))
    p = step.stages[0].scores.double().softmax(-1)
    table = step.to_frame(WORDS)
    check(
        table,
        {
            "batch": batch,
            "token": [WORDS.tokens[i] for i in token],
            "model": p,
            "chosen": [token[n] == step.tokens[batch[n]] for n in range(len(batch))],
        },
    )
    first = next(iter(decoding_steps(model, IDS, SamplingConfig(2))))
    check(
        first.to_frame(),
        {
            "token": first.tokens,
            "rank": first.ranks,
            "model": first.probabilities[0],
            "cut": first.why,
            "chosen": first.tokens == first.chosen,
        },
    )
    text = continue_prompt(WRITER, IDS, STRATEGIES["greedy"], StrategySettings(), length=3, seed=0)
    check(text.to_frame(), {"token": text.tokens, "log p": text.log_p})


def test_a_search():
    model, how = next_token_model(GPT), beam.BeamConfig(2, 3, (END,))
    (expansion,) = next(iter(beam.search(model, IDS, how)))
    rows = expansion.candidates
    check(
        expansion.to_frame(),
        {
            "beam": [each.parent for each in rows],
            "token": [each.token for each in rows],
            "Σ log p": [each.log_p for each in rows],
            "outcome": [each.outcome for each in rows],
        },
    )
    tree = beam_tree.grow_tree(model, IDS, how)
    table = tree.to_frame(WORDS)
    same(table["branch"], range(1, len(tree.branches) + 1))
    same(table["token"], [WORDS.tokens[each.token] for each in tree.branches])
    same(table["log p"], [each.log_p for each in tree.branches])
    same(table["Σ log p"], [each.total for each in tree.branches])
    same(table["outcome"], [each.outcome for each in tree.branches])
    again = beam_tree.Reranking(drawn(2, 3), torch.tensor([[1, 2, 3], [3, 2, 1]]))
    power, text = index((2, 3))
    check(
        again.to_frame(),
        {"power": power, "text": text, "score": again.scores, "rank": again.ranks},
    )


def test_strategies():
    found = bench.StrategyResult(
        "greedy", ((1, 2),), 2, -0.5, 1.6, 2.0, 2.0, 1.0, 1.0, (0.5,) * len(bench.GRAMS), 0.0, 0.1
    )
    table = found.to_frame()
    assert table["mean log p"].item() == -0.5
    assert [name for name in table if name.startswith("distinct-")] == [
        f"distinct-{n}" for n in bench.GRAMS
    ]
    one = torch.tensor(0.0, dtype=torch.float64)
    odds = {"greedy": FirstTokenOdds(drawn(3), *[one] * 4)}
    sweep = FirstTokenSweep(torch.tensor([3, 1, 2]), drawn(3), odds, {})
    greedy = odds["greedy"].probabilities
    check(sweep.to_frame(), {"token": [3, 1, 2], "model": sweep.model, "greedy": greedy})


def test_evaluation():
    world = microworld()
    few = world.sample(4, np.random.default_rng(0))
    found = against_grammar.compare_with_grammar(GPT, few, world)
    check(
        found.to_frame(),
        {
            "tokens": [found.tokens],
            "test perplexity": [math.exp(found.loss)],
            "the grammar's": [math.exp(found.truth)],
            "ratio": [found.ratio],
            "KL, nats per token": [found.divergence],
        },
    )
    judged = against_grammar.construction_results(GPT, items=2)
    check(
        judged.to_frame(),
        {
            "construction": [each.construction for each in judged],
            "share right": [each.accuracy for each in judged],
            "log odds": [each.log_odds for each in judged],
        },
    )
    one = probes.ProbeResult(0.5, 0.1, 4)
    check(one.to_frame(), {"share right": [0.5], "log odds": [0.1], "items": [4]})
    fed = probes.FedProbabilities(0.1, 0.2, 0.3, 0.4)
    check(
        fed.to_frame(),
        {
            "animal": ["dog", "cat"],
            "p(fed | … gets)": [0.1, 0.2],
            "p(gets | the …)": [0.3, 0.4],
        },
    )
    worth = contexts.measure_models([("all", 2, GPT)], few, world)
    assert worth.to_frame()["above its floor"].item() == worth[0].ratio - worth[0].floor
    cost = costs.ModelCosts("network", 2.0, 1.5, 1.2, 0.1, 0.0, 0.3, 0.4, 100, 50, 0.002)
    assert cost.to_frame()["ms per query"].item() == 2.0
    losses = perplexity_trace(drawn(3))
    check(
        losses.to_frame(),
        {
            "batch": range(3),
            "J": losses.loss,
            "perplexity": losses.perplexity,
            "probability": losses.probability,
        },
    )


def test_recurrence():
    cell = gates.trace_gates(gates.GateUnit(0.5, 1.0, -1.0, 0.3, 0.2))
    table = cell.to_frame()
    assert list(table.columns) == list(gates.LETTERS.values())
    for name, letter in gates.LETTERS.items():
        same(table[letter], getattr(cell, name)[None])
    weights = unrolled.RNNMatrices.from_network(build(RNNConfig(9, 4, 5)))
    walked = unrolled.unroll(weights, [1, 2, 3])
    check_numbers(
        walked.to_frame(),
        {
            "embedding": (walked.embedding, ("time", "width")),
            "pre_activation": (walked.pre_activation, ("time", "hidden")),
            "hidden": (walked.hidden, ("time", "hidden")),
            "probabilities": (walked.probabilities, ("time", "vocabulary")),
            "losses": (walked.losses, ("time",)),
        },
    )
    sums = unrolled.summarize_losses(walked.losses[:-1])
    check(
        sums.to_frame(),
        {"time": range(2), "J": sums.each, "mean of J so far": sums.running},
    )
    unit = unrolled.unit_trace(weights, walked, 2)
    parts = dict(zip(("W_x e", "W_h h", "b", "z", "h"), unit[:5], strict=True))
    check(unit.to_frame(), {"time": range(3)} | parts)
    lstm = load_shipped("lstm")[0]
    clamped = gate_clamping.trace_clamped(lstm.network, IDS)
    assert len(clamped.to_frame()) == 6 * clamped.layer.hidden.numel() + len(
        clamped.gradient
    ) + len(clamped.next)
    gains = Gains(*drawn(4, 2, 3))
    row, back = index((2, 3))
    names = ("plain", "ρⁿ", "fⁿ", "all paths")
    check(
        gains.to_frame(),
        {"position": row, "steps_back": back, **dict(zip(names, gains, strict=True))},
    )
    both = context_probabilities(microworld(), IDS.tolist())
    check(both.to_frame(), {"p from the left": both.left, "p from both sides": both.both})
    measured = recall.load_results()
    same(
        measured.to_frame()["accuracy"],
        [a for point in (*measured.points, *measured.alone) for a in point.accuracies],
    )


def test_embeddings():
    feedforward = load_shipped("feedforward")[0]
    trace = pipeline.trace_pipeline(feedforward, IDS)
    table = trace.to_frame()
    same(table[table["quantity"] == "product"]["value"], trace.product)
    same(table[table["quantity"] == "probabilities"]["value"], trace.probabilities)
    path = drift.load_recorded("learned")
    check(path.to_frame(), {"step": path.steps, "validation loss": path.losses})
    near = pipeline.NearestTypes(torch.tensor([4, 2]), drawn(2))
    check(near.to_frame(), {"token": [4, 2], "cosine": near.cosines})


def test_masked_words_and_pairs():
    text = cloze.cloze_text(READER, "the dog gets fed.")
    (found,) = cloze.fill(READER.network, text, [(1, 2)])
    wanted = {"place": found.places, "−log q, model": found.terms}
    if found.exact_terms is not None:
        wanted |= {"−log p, grammar": found.exact_terms, "KL of q from p": found.divergence}
    check(found.to_frame(), wanted)
    one = contest.ContestResult("bag", 0.4, 0.2, 10)
    check(
        contest.Contest(5, 0.6, 0.8, (one,)).to_frame(),
        {
            "reader": ["bag"],
            "expected accuracy": [0.4],
            "share of the best": [0.5],
            "KL, nats per gap": [0.2],
            "parameters": [10],
        },
    )
    pair = next_sentence.NextSentenceTrace(drawn(3), drawn(3), drawn(2), drawn(2))
    check_numbers(
        pair.to_frame(),
        {
            "start": (pair.start, ("width",)),
            "pooled": (pair.pooled, ("width",)),
            "logits": (pair.logits, ("2",)),
            "probabilities": (pair.probabilities, ("2",)),
        },
    )


def test_corruption():
    yes = drawn(2, 3) < 0.5
    trace = CorruptionTrace(yes, yes, ~yes, torch.arange(6).view(2, 3), torch.ones(2, 3).long())
    batch, time = index((2, 3))
    check(
        trace.to_frame(),
        {
            "batch": batch,
            "time": time,
            "chosen": trace.chosen,
            "[MASK]": trace.masked,
            "random": trace.random,
            "target": trace.targets,
            "corrupted": trace.corrupted,
        },
    )
    terms = MaskedLossTrace(drawn(2, 3), drawn(2, 3), drawn(2))
    check(
        terms.to_frame(),
        {"row": batch, "time": time, "−log p": terms.surprise, "term": terms.terms},
    )
    text = text_from_words("the dog gets fed by the old man")
    often = repeat_draws(text, CorruptionConfig(), 10)
    check(often.to_frame(), {"outcome": NAMES, "mean": often.mean, "error": often.error})
    draws = draw_for_text(text, CorruptionConfig()).draws
    spans = choose_spans(draws, ((0,), (1, 2), (3,)), torch.Generator().manual_seed(1))
    table = spans.to_frame()
    same(table["words drawn"], [each.drawn for each in spans.spans])
    same(table["tokens it takes"], [len(each.places) for each in spans.spans])
    noise = bart_noise.token_masking(text.tokens, torch.Generator().manual_seed(1))
    assert noise.to_frame()["outcome"].tolist() == [piece.what for piece in noise.pieces]
    packed = full_sentences.pack([[["a", "b"]], [["c"]]], 8)
    table = packed.to_frame()
    assert table["token"].tolist() == [each.token for row in packed.inputs for each in row]


def test_tokenization():
    counts = split.count_words(texts.BIRDS)
    trace = merges.train(counts, rules.MERGE_RULES["bpe"], 60)
    made = trace.merges
    check(
        trace.to_frame(),
        {
            "merge": range(1, len(made) + 1),
            "pair": [each.pair for each in made],
            "piece": [each.piece for each in made],
            "count(a b)": [each.count for each in made],
            "|V| after": trace.types[1:],
            "tokens after": trace.tokens[1:],
        },
    )
    match = pieces.longest_match("birds", {"b", "##i", "##r", "##ds"})
    check(
        match.to_frame(),
        {
            "piece": [each.piece for each in match.attempts],
            "from letter": [each.start for each in match.attempts],
            "to letter": [each.end for each in match.attempts],
            "known": [each.known for each in match.attempts],
        },
    )
    cut = pieces.segmentations(["birds", "fly"], trace)
    same(cut.to_frame()["tokens"], [len(word) for each in cut for word in each.words])
    row = packing.pack(library.build_tokenizer(trace, len(made)), "birds", "", 12)
    check(
        row.to_frame(),
        {
            "token": row.tokens,
            "id": row.ids,
            "segment": row.segments,
            "position": range(len(row.tokens)),
            "from letter": [None if span is None else span[0] for span in row.spans],
            "to letter": [None if span is None else span[1] for span in row.spans],
        },
    )
    added = inputs.trace_inputs(READER.network, READING)
    place, dimension = index(added.output.shape)
    check(added.to_frame(), {"place": place, "dimension": dimension} | added.rows)


def test_a_training_curve():
    run = Training(RunSpec(model=ModelSpec("rnn", hidden=8, embedding=8), steps=4, every=2))
    history = History()
    for event in run:
        history.record(event)
    table = history.to_frame()
    assert list(table.columns) == ["step", "loss", "gradient norm", "validation loss"]
    same(table["step"], range(5))
    same(table["loss"][1:], history.losses)
    same(table["gradient norm"][1:], history.norms)
    known = table.dropna(subset="validation loss")
    assert [tuple(row) for row in known[["step", "validation loss"]].to_numpy()] == [
        (each.step, each.loss) for each in history.evaluations
    ]


def test_two_places_of_a_sinusoid():
    pair = positions.compare_places(torch.tensor([5, 50]), torch.tensor([3, 3]), 4)
    table = pair.to_frame()
    same(table[table["quantity"] == "dot"]["value"], pair.dot)
    same(table[table["quantity"] == "turn"]["value"], pair.turn)


def test_a_word_in_two_orders():
    words = parse_order("the dog bit the man", "0 4 2 3 1")
    starts, bases = torch.tensor([0, 9]), torch.tensor([10.0, 1e4], dtype=torch.float64)
    pair = compare_two_orders(TwoOrders(words, width=4), starts, bases)
    table = pair.to_frame()
    same(table[table["quantity"] == "placed"]["value"], pair.placed.flatten())
    same(table[table["quantity"] == "plain"]["value"], pair.plain)


def test_the_likeness_of_learned_positions():
    table = likeness(drawn(6, 4)).to_frame()
    assert list(table.columns) == ["offset", "mean", "low", "high"]
    assert (table["low"] <= table["mean"]).all() and len(table) == 3


def test_next_tokens_under_two_masks():
    found = under_mask.compare_next_tokens(drawn(9), drawn(9), 3)
    check(found.to_frame(), {"token": found.ids, "one": found.one, "other": found.other})
    assert found.to_frame(WORDS)["token"].tolist() == [WORDS.tokens[each] for each in found.ids]


def test_a_models_answer_to_a_sentence():
    expected = drawn(len(WORDS.tokens))
    table = SentenceAnswer(score(GPT, IDS), expected).to_frame(WORDS)
    check(table, {"token": WORDS.tokens, "p": expected})


def test_the_words_nearest_to_each_word():
    found = NearestWords(torch.arange(12).reshape(2, 3, 2), drawn(2, 3, 2))
    snapshot, word, neighbour = index(found.ids.shape)
    wanted = {"snapshot": snapshot, "word": word, "neighbour": neighbour}
    check(found.to_frame(), wanted | {"id": found.ids, "cosine": found.cosines})


def test_the_shares_of_sampled_texts():
    found = SampledShares(drawn(4), drawn(4))
    check(found.to_frame(), {"text": range(4), "share": found.shares, "error": found.errors})


GIVEN_OR_PART = {
    *("AttentionInputs", "Projections", "Automaton", "Documents", "CharacterLabels"),
    *("CorruptionDraws", "ReplacementTypes", "CorruptText", "KVCache", "Affine", "NGramAdapter"),
    *("GameItem", "MaskSweep", "GRUWeights", "LSTMWeights", "RNNWeights", "RNNMatrices"),
    *(
        "Patch",
        "ForceWeights",
        "ReplaceResidual",
        "NGramTable",
        "TokenStream",
        "Activation",
        "Layer",
    ),
    *("TokenizedText", "Sequences", "UnitActivations", "DrawnWeights", "Batch", "BatchLosses"),
    *("TokenPrediction", "WeightStatistics", "ScoreScaling", "FirstTokenOdds", "SearchResults"),
    *("Plane", "AllMatrices", "EncodingFacts", "Truncation", "LargestTerms"),
    *("Project", "TaskBatch"),
    *("LayerSplit", "LinearProbe", "TaggedTexts", "SavedRun", "TimedRun", "MaskedSentences"),
    "SentencesOfLength",
}
"""Types with tensors that are inputs of a computation, or parts of a type that one returns."""
TENSORS = re.compile(r"Tensor|ndarray|NDArray")


def test_every_result_with_tensors_has_a_frame():
    lacking = set()
    for path in Path(lmcore.__file__).parent.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                held = [each for each in node.body if isinstance(each, ast.AnnAssign)]
                tensors = any(TENSORS.search(ast.unparse(each.annotation)) for each in held)
                own = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                bases = {ast.unparse(base) for base in node.bases} & {"Trace", "nn.Module"}
                if tensors and "to_frame" not in own and not bases:
                    lacking.add(node.name)
    assert lacking == GIVEN_OR_PART


def test_an_empty_table_has_no_rows():
    assert len(dataframes.Table(()).to_frame()) == 0
