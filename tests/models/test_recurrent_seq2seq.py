import dataclasses
import itertools
import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from lmcore.models.layers import Dropout
from lmcore.models.recurrent_cells import CELLS
from lmcore.models.recurrent_seq2seq import Seq2Seq, Seq2SeqConfig
from lmcore.models.registry import build, embedding_table
from lmcore.models.soft_attention import check_forced, random_orders

# A different prime on every axis: batch 3, source 7, target 5, width 2, hidden 11, types 17 and 13.
PAD = 16
CONFIG = Seq2SeqConfig(17, 13, embedding=2, hidden=11, padding=PAD)
CASES = list(itertools.product(("rnn", "gru", "lstm"), (None, "dot", "cosine", "mlp")))
GENERATOR = torch.Generator().manual_seed(1)
SOURCE = torch.randint(PAD, (3, 7), generator=GENERATOR)
SOURCE[1, 4:] = PAD
SOURCE[2, 1:] = PAD
TARGET = torch.randint(13, (3, 5), generator=GENERATOR)
LENGTHS = (7, 4, 1)


def network(cell="gru", score="dot", **changes):
    """In float64, with nonzero biases, so that a bias in the wrong place fails a test."""
    made = Seq2Seq(dataclasses.replace(CONFIG, cell=cell, score=score, **changes), seed=2).double()
    with torch.no_grad():
        for weight in made.parameters():
            if weight.ndim == 1 and len(weight) > 1:
                weight.add_(torch.linspace(-0.5, 0.5, len(weight)).cos())
    return made


def read_alone(made, row):
    """One source without padding, by torch's layer: all h, and the last state."""
    words = SOURCE[row : row + 1, : LENGTHS[row]]
    return made.encoder(made.embedding["source"](words))


@pytest.mark.parametrize("cell", CELLS)
def test_encoder_states_are_torchs_and_the_last_starts_the_decoder(cell):
    made = network(cell)
    trace = made(SOURCE, TARGET)
    for row, length in enumerate(LENGTHS):
        states, last = read_alone(made, row)
        torch.testing.assert_close(trace.encoder_states[row, :length], states[0])
        last = last[0] if cell == "lstm" else last
        torch.testing.assert_close(trace.start[row], last[0, 0])


def test_a_score_of_dots_is_torchs_attention():
    made = network()
    trace = made(SOURCE, TARGET)
    before = torch.cat([trace.start[:, None], trace.decoder_states[:, :-1]], dim=1)
    expected = F.scaled_dot_product_attention(
        before,
        trace.encoder_states,
        trace.encoder_states,
        attn_mask=(SOURCE != PAD)[:, None].expand(-1, 5, -1),
        scale=1.0,
    )
    torch.testing.assert_close(trace.contexts, expected)


@torch.no_grad()
@pytest.mark.parametrize("score", ["dot", "cosine", "mlp"])
@pytest.mark.parametrize("cell", CELLS)
def test_scores_weights_and_contexts_are_those_of_a_loop_over_single_numbers(cell, score):
    made = network(cell, score)
    trace = made(SOURCE, TARGET)
    weights = dict(made.attention.named_parameters())
    for row, length in enumerate(LENGTHS):
        s = trace.start[row]
        for i in range(5):
            e = []
            for j in range(length):
                h = trace.encoder_states[row, j]
                if score == "mlp":
                    z = [
                        math.tanh(float(w @ s + u @ h))
                        for w, u in zip(weights["W_a.weight"], weights["U_a.weight"], strict=True)
                    ]
                    e.append(
                        sum(float(v) * y for v, y in zip(weights["v.weight"][0], z, strict=True))
                    )
                else:
                    product = sum(float(a * b) for a, b in zip(s, h, strict=True))
                    if score == "cosine":
                        lengths = math.sqrt(float(s @ s)) * math.sqrt(float(h @ h))
                        product *= float(weights["sharpness"]) / lengths
                    e.append(product)
            alpha = [math.exp(each) / sum(map(math.exp, e)) for each in e]
            c = sum(a * trace.encoder_states[row, j] for j, a in enumerate(alpha))
            assert trace.scores[row, i, :length].tolist() == pytest.approx(e)
            assert trace.weights[row, i, :length].tolist() == pytest.approx(alpha)
            assert (trace.weights[row, i, length:] == 0).all()
            assert (trace.scores[row, i, length:] == -math.inf).all()
            torch.testing.assert_close(trace.contexts[row, i], c)
            s = trace.decoder_states[row, i]


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_decoder_states_and_logits_are_those_of_torchs_layer_given_the_contexts(cell, score):
    made = network(cell, score)
    trace = made(SOURCE, TARGET)
    read = made.embedding["target"](TARGET)
    inputs = torch.cat([read, trace.contexts], dim=-1)
    for row in range(3):
        _, last = read_alone(made, row)
        states, _ = made.decoder(inputs[row : row + 1], last)
        torch.testing.assert_close(trace.decoder_states[row], states[0])
    features = torch.cat([trace.decoder_states, trace.contexts, read], dim=-1)
    logits = features @ made.output.weight.T + made.output.bias
    torch.testing.assert_close(trace.logits, logits)


def gradients(values, of):
    target = torch.linspace(-1, 1, values.numel(), dtype=values.dtype).view_as(values)
    return torch.autograd.grad((values * target).sum(), of)


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_equations_agree_with_the_fused_kernels_in_values_and_gradients(cell, score):
    made = network(cell, score)
    slow, fast = made(SOURCE, TARGET).logits, made.logits(SOURCE, TARGET)
    torch.testing.assert_close(slow, fast, rtol=0, atol=1e-12)
    weights = list(made.parameters())
    for ours, torchs in zip(gradients(slow, weights), gradients(fast, weights), strict=True):
        torch.testing.assert_close(ours, torchs, rtol=0, atol=1e-10)


@pytest.mark.parametrize("score", ["dot", "cosine", "mlp"])
def test_the_gradient_of_the_attention_is_that_of_finite_differences(score):
    made = network("gru", score)
    states = torch.randn(2, 3, 11, dtype=torch.float64, generator=GENERATOR, requires_grad=True)
    query = torch.randn(2, 11, dtype=torch.float64, generator=GENERATOR, requires_grad=True)
    mask = torch.tensor([[True, True, True], [True, False, False]])

    def context(query, states):
        keys = made.attention.prepare_keys(states)
        return made.attention(query, states, keys, mask).context

    assert torch.autograd.gradcheck(context, (query, states))


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_padding_changes_nothing(cell, score):
    made = network(cell, score)
    whole = made.logits(SOURCE, TARGET)
    for row, length in enumerate(LENGTHS):
        alone = made.logits(SOURCE[row : row + 1, :length], TARGET[row : row + 1])
        torch.testing.assert_close(whole[row], alone[0])


def test_weights_are_a_distribution_over_the_words_of_the_source():
    weights = network()(SOURCE, TARGET).weights
    torch.testing.assert_close(weights.sum(dim=-1), torch.ones(3, 5, dtype=torch.float64))
    assert torch.equal(weights > 0, (SOURCE != PAD)[:, None].expand(-1, 5, -1))
    assert torch.equal(weights[2, :, 0], torch.ones(5, dtype=torch.float64))


def test_one_vector_is_the_same_context_at_every_step():
    trace = network(score=None)(SOURCE, TARGET)
    assert trace.scores is None and trace.weights is None
    assert torch.equal(trace.contexts, trace.start[:, None].expand(-1, 5, -1))


def test_without_feeding_the_vector_it_is_only_where_the_decoder_starts():
    made = network(score=None, feed_context=False)
    trace = made(SOURCE, TARGET)
    assert trace.contexts is None
    torch.testing.assert_close(trace.logits, made.logits(SOURCE, TARGET))
    states, _ = made.decoder(made.embedding["target"](TARGET), trace.start[None])
    torch.testing.assert_close(trace.decoder_states, states)


def test_attention_to_a_single_word_is_one_vector():
    attending, vector = network(), network(score=None)
    vector.load_state_dict(attending.state_dict())
    words = SOURCE[:, :1]
    torch.testing.assert_close(
        attending.logits(words, TARGET), vector.logits(words, TARGET), rtol=0, atol=1e-12
    )


def test_nothing_comes_from_later_words_of_the_target():
    made = network("lstm", "mlp")
    before = made.logits(SOURCE, TARGET)
    for place in range(5):
        changed = TARGET.clone()
        changed[:, place] = (changed[:, place] + 1) % 13
        assert torch.equal(made.logits(SOURCE, changed)[:, :place], before[:, :place])


def test_forced_weights_choose_the_context_of_their_step_and_change_none_before():
    made = network()
    words, plain = SOURCE[:1], made(SOURCE[:1], TARGET[:1])
    wanted = [0.0, 0.25, 0.0, 0.75, 0.0, 0.0, 0.0]
    trace = made(words, TARGET[:1], forced={2: wanted})
    assert trace.weights[0, 2].tolist() == wanted
    states = trace.encoder_states[0]
    torch.testing.assert_close(trace.contexts[0, 2], 0.25 * states[1] + 0.75 * states[3])
    assert torch.equal(trace.logits[:, :2], plain.logits[:, :2])
    assert not torch.equal(trace.logits[:, 2], plain.logits[:, 2])


def test_forcing_what_the_network_computes_changes_nothing():
    made = network("lstm", "mlp")
    plain = made(SOURCE[:1], TARGET[:1])
    forced = {i: plain.weights[0, i].detach() for i in range(5)}
    torch.testing.assert_close(made(SOURCE[:1], TARGET[:1], forced=forced).logits, plain.logits)


def test_permuted_weights_are_the_networks_own_at_other_places():
    made = network()
    order = torch.tensor([[6, 5, 4, 3, 2, 1, 0], [3, 0, 1, 2, 4, 5, 6], [0, 1, 2, 3, 4, 5, 6]])
    plain, trace = made(SOURCE, TARGET), made(SOURCE, TARGET, order=order)
    torch.testing.assert_close(trace.weights[0, 0], plain.weights[0, 0].flip(0))
    assert trace.weights[1, 0, 1:4].tolist() == plain.weights[1, 0, :3].tolist()
    torch.testing.assert_close(trace.logits[2], plain.logits[2])
    still = torch.arange(7).expand(3, 7)
    torch.testing.assert_close(made(SOURCE, TARGET, order=still).logits, plain.logits)


def test_random_orders_permute_words_and_leave_padding():
    mask = SOURCE != PAD
    order = random_orders(mask, torch.Generator().manual_seed(4))
    for row, length in enumerate(LENGTHS):
        assert sorted(order[row, :length].tolist()) == list(range(length))
        assert order[row, length:].tolist() == list(range(length, 7))


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_step_by_step_gives_the_logits_of_the_whole(cell, score):
    made = network(cell, score)
    whole, state = made(SOURCE, TARGET), made.encode(SOURCE)
    for i in range(5):
        logits, attended, state = made.step(TARGET[:, i], state)
        torch.testing.assert_close(logits, whole.logits[:, i])
        if score is not None:
            torch.testing.assert_close(attended.weights, whole.weights[:, i])


def test_rows_of_a_decoder_state_can_be_repeated():
    made = network("lstm", "mlp")
    state = made.encode(SOURCE).select(torch.tensor([2, 0, 0]))
    logits, _, _ = made.step(TARGET[[0, 0, 1], 0], state)
    torch.testing.assert_close(logits, made(SOURCE[[2, 0, 0]], TARGET[[0, 0, 1]]).logits[:, 0])
    assert made.encode(SOURCE).to_frame()["value"].notna().all()


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_parameters_are_counted_right(cell, score):
    config = dataclasses.replace(CONFIG, cell=cell, score=score)
    assert config.parameters == sum(weight.numel() for weight in Seq2Seq(config).parameters())


def test_one_vector_and_dots_have_the_same_weights():
    vector, dots = (dataclasses.replace(CONFIG, score=score) for score in (None, "dot"))
    assert vector.parameters == dots.parameters
    bare = dataclasses.replace(vector, feed_context=False)
    assert bare.parameters == sum(weight.numel() for weight in Seq2Seq(bare).parameters())


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_an_untrained_model_guesses_uniformly(cell, score):
    config = Seq2SeqConfig(200, 150, embedding=32, hidden=64, cell=cell, score=score)
    source = torch.randint(200, (20, 9), generator=GENERATOR)
    target = torch.randint(150, (20, 8), generator=GENERATOR)
    logits = Seq2Seq(config, seed=1).logits(source, target)
    found = float(F.cross_entropy(logits.flatten(0, 1), target.flatten()).detach())
    assert found == pytest.approx(math.log(150), rel=0.04)


def test_a_seed_is_a_network_and_dropout_only_applies_when_asked():
    one, same, other = (Seq2Seq(CONFIG, seed) for seed in (1, 1, 2))
    assert all(map(torch.equal, one.parameters(), same.parameters()))
    assert not torch.equal(one.output.weight, other.output.weight)
    dropout = Dropout(0.5, torch.Generator().manual_seed(1))
    assert torch.equal(one.logits(SOURCE, TARGET), same.logits(SOURCE, TARGET))
    assert not torch.equal(one.logits(SOURCE, TARGET), one.logits(SOURCE, TARGET, dropout))


def test_its_table_is_the_targets_and_it_is_no_language_model():
    made = Seq2Seq(CONFIG)
    assert embedding_table(made) is made.embedding["target"].weight
    with pytest.raises(ValueError, match="a config must be one of a network"):
        build(CONFIG)


def test_a_trace_as_a_frame_has_every_quantity_with_its_axes():
    trace = network()(SOURCE, TARGET)
    found = trace.to_frame()
    for name in ("weights", "scores"):
        rows = found[found["quantity"] == name]
        assert rows["value"].tolist() == getattr(trace, name).flatten().tolist()
        assert rows["source"].max() == 6 and rows["time"].max() == 4
    assert "scores" not in set(network(score=None)(SOURCE, TARGET).to_frame()["quantity"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hidden": 0}, "the hidden size must be a whole number .*; got 0"),
        ({"target_vocabulary": 0}, "the vocabulary must be a whole number .*; got 0"),
        ({"padding": 17}, "the padding id must be a whole number from 1 to 16; got 17"),
        ({"feed_context": False}, "feed_context must be true with attention"),
    ],
)
def test_a_config_out_of_bounds_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(CONFIG, **changes)


@pytest.mark.parametrize(
    ("source", "target", "changes", "message"),
    [
        ([[1, PAD, 2]], [[0]], {}, "padding must come after the last word of a source"),
        ([[PAD, PAD]], [[0]], {}, "a source must begin with a word; got padding"),
        ([[1, 17]], [[0]], {}, "a token must be an id from 0 to 16; got 17"),
        ([[1, 2]], [[13]], {}, "a token must be an id from 0 to 12; got 13"),
        ([[1, 2]], [[0]], {"forced": {1: [0.5, 0.5]}}, "must be from 0 to 0; got 1"),
        ([[1, 2]], [[0]], {"forced": {0: [1.0]}}, r"must be 2, one per place .* shape \(1,\)"),
        ([[1, 2]], [[0]], {"forced": {0: [1.5, -0.5]}}, "must be 0 or more, with the sum 1"),
        ([[1, 2]], [[0]], {"forced": {0: [0.5, 0.6]}}, "with the sum 1; got 1.1"),
        ([[1, 2]], [[0]], {"order": torch.tensor([[0, 0]])}, "the places 0 to 1 once in each"),
    ],
)
def test_what_cannot_be_read_or_changed_is_refused(source, target, changes, message):
    with pytest.raises(ValueError, match=message):
        network()(source, target, **changes)


def test_weights_that_are_not_there_cannot_be_changed():
    with pytest.raises(ValueError, match="only in a model with attention; it has none"):
        network(score=None)(SOURCE, TARGET, order=torch.arange(7).expand(3, 7))
    with pytest.raises(ValueError, match="with the sum 1; got nan"):
        check_forced([math.nan, 1.0], 2)


def test_a_layer_of_every_cell_is_torchs():
    assert {name: type(network(name).encoder) for name in CELLS} == {
        "rnn": nn.RNN,
        "gru": nn.GRU,
        "lstm": nn.LSTM,
    }
