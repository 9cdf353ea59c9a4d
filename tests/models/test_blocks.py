"""Blocks against torch's own layers; whole models against what the papers say about them."""

import itertools
import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from lmcore.models import masks
from lmcore.models.bert import BERT
from lmcore.models.blocks import Block
from lmcore.models.encoder_decoder import EncoderDecoderConfig, Transformer
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig

# A different prime on every axis, except the width, which the heads divide.
CONFIG = TransformerConfig(
    31, width=12, heads=3, layers=5, hidden=17, longest=23, segments=2, epsilon=1e-5
)


def tokens(batch=2, time=7, seed=1):
    return torch.randint(31, (batch, time), generator=torch.Generator().manual_seed(seed))


def shaken(module, seed=0):
    """The module in float64, with every weight random, LayerNorm's and the biases too."""
    module = module.to_empty(device="cpu").double()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in module.parameters():
            weight.normal_(0, 0.5, generator=generator)
    return module


def gradients(values, of):
    target = torch.linspace(-1, 1, values.numel(), dtype=values.dtype).view_as(values)
    return torch.autograd.grad((values * target).sum(), of)


def copied(block, theirs):
    """Copy our weights into torch's layer; the pairs of modules whose parameters must agree."""
    ours = [(block.attention, theirs.self_attn)]
    pairs = [(block.attention_norm, theirs.norm1), (block.mlp.up, theirs.linear1)]
    pairs += [(block.mlp.down, theirs.linear2), (block.mlp_norm, theirs.norm2)]
    if block.cross is not None:
        ours.append((block.cross, theirs.multihead_attn))
        pairs[-1] = (block.mlp_norm, theirs.norm3)
        pairs.append((block.cross_norm, theirs.norm2))
    for mine, other in ours:
        parts = (mine.query, mine.key, mine.value)
        with torch.no_grad():
            other.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
            other.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
        pairs.append((mine.output, other.out_proj))
    for mine, other in pairs:
        other.load_state_dict(mine.state_dict())
    return pairs


@st.composite
def layers(draw):
    """The settings of a config, a seed, and the batch size and lengths of the inputs."""
    heads, d_k = draw(st.integers(1, 4)), draw(st.integers(1, 3)) * 2
    activation = draw(st.sampled_from(["relu", "gelu"]))
    chosen = {
        "width": heads * d_k,
        "heads": heads,
        "hidden": draw(st.integers(1, 9)),
        "norm": draw(st.sampled_from(["pre", "post"])),
        "activation": activation,
        "epsilon": draw(st.sampled_from([1e-5, 1e-12])),
    }
    return chosen, draw(st.integers(0, 2**31)), [draw(st.integers(1, 6)) for _ in range(3)]


def inputs_of(chosen, seed, sizes):
    """The config; a stream, a source, and a mask for each."""
    config = TransformerConfig(31, **chosen)
    generator = torch.Generator().manual_seed(seed)

    def normal(time):
        shape = (sizes[0], time, config.width)
        return torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)

    def mask(keys):
        seen = torch.rand(sizes[1], keys, generator=generator) < 0.6
        seen[:, 0] = True  # torch's layers give nan where every key is hidden
        return seen

    stream, source = normal(sizes[1]), normal(sizes[2])
    return config, stream, source, mask(sizes[1]), mask(sizes[2])


def torchs(kind, config):
    return kind(
        config.width,
        config.heads,
        config.hidden,
        dropout=0.0,
        activation=config.activation,
        layer_norm_eps=config.epsilon,
        batch_first=True,
        norm_first=config.norm == "pre",
        dtype=torch.float64,
    )


def compare(found, expected, inputs, pairs, close=1e-9):
    scale = float(expected.detach().abs().max().clamp(min=1))
    torch.testing.assert_close(found, expected, rtol=0, atol=close * scale)
    mine = [*inputs, *(weight for pair in pairs for weight in pair[0].parameters())]
    theirs = [*inputs, *(weight for pair in pairs for weight in pair[1].parameters())]
    for one, other in zip(gradients(found, mine), gradients(expected, theirs), strict=True):
        scale = float(other.abs().max().clamp(min=1))
        torch.testing.assert_close(one, other, rtol=0, atol=close * scale)


@settings(max_examples=40)
@given(layers())
def test_an_encoders_block_is_torchs_in_values_and_gradients(problem):
    config, stream, _, mask, _ = inputs_of(*problem)
    block, theirs = shaken(Block(config), problem[1]), torchs(nn.TransformerEncoderLayer, config)
    pairs = copied(block, theirs)
    trace = block(stream, mask)
    compare(trace.output, theirs(stream, src_mask=~mask), [stream], pairs)


@settings(max_examples=40)
@given(layers())
def test_a_decoders_block_is_torchs_in_values_and_gradients(problem):
    config, stream, source, mask, source_mask = inputs_of(*problem)
    block = shaken(Block(config, cross=True), problem[1])
    theirs = torchs(nn.TransformerDecoderLayer, config)
    pairs = copied(block, theirs)
    trace = block(stream, mask, source, source_mask)
    expected = theirs(stream, source, tgt_mask=~mask, memory_mask=~source_mask)
    compare(trace.output, expected, [stream, source], pairs)


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_parts_of_a_block_add_up(norm):
    config = TransformerConfig(31, width=12, heads=3, hidden=17, norm=norm)
    block = shaken(Block(config, cross=True))
    stream = torch.randn(2, 7, 12, dtype=torch.float64)
    source = torch.randn(2, 5, 12, dtype=torch.float64)
    seen = block(stream, None, source)
    if norm == "pre":
        streams = [stream, seen.attention_sum, seen.cross_sum, seen.mlp_sum]
        inputs = [
            block.attention_norm(streams[0]),
            block.cross_norm(streams[1]),
            block.mlp_norm(streams[2]),
        ]
    else:
        streams = [
            stream,
            block.attention_norm(seen.attention_sum),
            block.cross_norm(seen.cross_sum),
            block.mlp_norm(seen.mlp_sum),
        ]
        inputs = streams[:3]
    found = [seen.attention_inputs, seen.cross_inputs, seen.mlp_inputs]
    parts = [seen.attention.output, seen.cross.output, seen.mlp.output]
    sums = [seen.attention_sum, seen.cross_sum, seen.mlp_sum]
    for given_, expected in zip(found, inputs, strict=True):
        assert torch.equal(given_, expected)
    for before, part, total in zip(streams[:3], parts, sums, strict=True):
        assert torch.equal(before + part, total)
    assert torch.equal(seen.output, streams[3])
    assert torch.equal(seen.mlp.output, block.mlp.down(seen.mlp.hidden))


def switched():
    """Every way to leave parts out, as changes of a config."""
    names = ("norm", "residual", "mlp", "positions")
    choices = (["pre", "post", "none"], [True, False], [True, False], ["learned", "none"])
    return [dict(zip(names, each, strict=True)) for each in itertools.product(*choices)]


@pytest.mark.parametrize("changes", switched())
def test_a_block_obeys_its_switches(changes):
    """Computes the equations part by part, with LayerNorm from its weights."""
    config = TransformerConfig(31, width=12, heads=3, hidden=17, **changes)
    block = shaken(Block(config, cross=True))
    source = torch.randn(2, 5, 12, dtype=torch.float64)
    x = stream = torch.randn(2, 7, 12, dtype=torch.float64)

    def layer_norm(values, norm):
        centred = values - values.mean(-1, keepdim=True)
        scaled = centred / (centred.square().mean(-1, keepdim=True) + 1e-5).sqrt()
        return scaled * norm.weight + norm.bias

    parts = [(block.attention_norm, lambda v: block.attention(v).output)]
    parts += [(block.cross_norm, lambda v: block.cross(v, source).output)]
    if config.mlp:
        parts += [(block.mlp_norm, lambda v: block.mlp(v).output)]
    for norm, part in parts:
        output = part(layer_norm(x, norm) if config.norm == "pre" else x)
        x = x + output if config.residual else output
        x = layer_norm(x, norm) if config.norm == "post" else x
    trace = block(stream, None, source)
    torch.testing.assert_close(trace.output, x)
    assert (trace.mlp is None) == (trace.mlp_sum is None) == (not config.mlp)


@pytest.mark.parametrize("changes", switched())
def test_the_parameters_are_counted_whatever_is_left_out(changes):
    sizes = {"vocabulary": 31, "width": 12, "heads": 3, "layers": 3, "hidden": 17, "longest": 23}
    for tied in (True, False):
        plain = TransformerConfig(**sizes, tied=tied, **changes)
        both = EncoderDecoderConfig(**sizes, tied=tied, **changes)
        for model in (GPT(plain), Transformer(both)):
            assert model.config.parameters == sum(w.numel() for w in model.parameters())


def test_without_layer_norm_no_model_has_one():
    config = TransformerConfig(31, 12, 3, 2, 17, norm="none")
    for model in (GPT(config), BERT(config), Transformer(config)):
        assert not any(isinstance(module, nn.LayerNorm) for module in model.modules())
    trace = GPT(config)(tokens())
    assert torch.equal(trace.normed, trace.blocks[-1].output)


def models():
    yield GPT(CONFIG, seed=3)
    for norm, positions, tied in itertools.product(
        ["pre", "post"], ["learned", "sinusoidal", "none"], [True, False]
    ):
        config = TransformerConfig(
            31, 12, 3, 2, 17, 23, positions=positions, norm=norm, tied=tied, segments=2
        )
        yield BERT(config, seed=3)
        yield GPT(config, seed=3)
        yield Transformer(config, seed=3)


@pytest.mark.parametrize("model", list(models()))
def test_an_untrained_model_knows_nothing_and_is_the_same_every_time(model):
    ids = tokens(8, 11)
    logits = (model(ids, ids) if isinstance(model, Transformer) else model(ids)).logits
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), ids.roll(-1, 1).flatten())
    # The encoder–decoder multiplies rows of E by √d at the input, but not at the output.
    assert float(loss.detach()) == pytest.approx(math.log(31), rel=0.05)
    again = type(model)(model.config, seed=3)
    other = type(model)(model.config, seed=4)
    assert all(map(torch.equal, model.parameters(), again.parameters()))
    assert not all(map(torch.equal, model.parameters(), other.parameters()))
    weights = len(list(model.state_dict()))
    assert weights == len({weight.data_ptr() for weight in model.state_dict().values()})


def test_gpt_sees_nothing_of_the_future_and_all_of_the_past():
    model = shaken(GPT(CONFIG))
    before = model(tokens(1)).logits
    for place in range(7):
        changed = tokens(1).clone()
        changed[0, place] = (changed[0, place] + 1) % 31
        moved = (model(changed).logits != before).any(dim=-1)[0]
        assert moved.tolist() == [False] * place + [True] * (7 - place)


@pytest.mark.parametrize("first", range(1, CONFIG.longest))
def test_gpt_read_in_two_goes_says_what_it_says_in_one(first):
    model = shaken(GPT(CONFIG))
    ids = tokens(2, CONFIG.longest)
    _, state = model.logits_and_state(ids[:, :first])
    logits, _ = model.logits_and_state(ids[:, first:], state)
    torch.testing.assert_close(logits, model(ids).logits[:, first:])


def test_gpt_with_no_room_for_all_reads_the_last_of_it():
    model = shaken(GPT(CONFIG))
    ids = tokens(2, CONFIG.longest + 4)
    _, state = model.logits_and_state(ids[:, : CONFIG.longest])
    logits, state = model.logits_and_state(ids[:, CONFIG.longest :], state)
    assert torch.equal(state, ids[:, 4:])
    torch.testing.assert_close(logits, model(ids[:, 4:]).logits[:, -4:])


@pytest.mark.parametrize("make", [lambda: BERT(CONFIG), lambda: GPT(CONFIG)])
def test_a_mask_says_who_sees_whom(make):
    model = shaken(make())
    mask = masks.sliding(7, 2)
    before = model(tokens(1), mask=mask).blocks[0].output
    changed = tokens(1).clone()
    changed[0, 3] = (changed[0, 3] + 1) % 31
    moved = (model(changed, mask=mask).blocks[0].output != before).any(dim=-1)[0]
    assert moved.tolist() == [False, False, False, True, True, False, False]


def test_padding_changes_nothing_that_is_not_padding():
    model = shaken(BERT(CONFIG))
    alone = model(tokens(1, 5))
    filled = torch.cat([tokens(1, 5), torch.full((1, 2), 9)], dim=1)
    beside = model(filled, mask=masks.padding([5], 7))
    torch.testing.assert_close(beside.hidden[:, :5], alone.hidden)
    assert not torch.allclose(model(filled).hidden[:, :5], alone.hidden)


def test_without_positions_permuted_words_give_permuted_outputs():
    config = TransformerConfig(31, 12, 3, 2, 17, positions="none", norm="post")
    model = shaken(BERT(config))
    order = torch.tensor([3, 0, 6, 1, 5, 2, 4])
    as_is, shuffled = model(tokens(1)).hidden, model(tokens(1)[:, order]).hidden
    torch.testing.assert_close(shuffled, as_is[:, order])


def test_places_may_be_given():
    model = shaken(GPT(CONFIG))
    told = model(tokens(1), places=torch.arange(7)).logits
    assert torch.equal(told, model(tokens(1)).logits)
    assert not torch.allclose(model(tokens(1), places=torch.arange(7).flip(0)).logits, told)


def test_segments_may_be_given():
    model = shaken(BERT(CONFIG))
    told = model(tokens(1), segments=torch.zeros(1, 7, dtype=torch.long)).hidden
    assert torch.equal(told, model(tokens(1)).hidden)
    second = torch.tensor([[0, 0, 0, 1, 1, 1, 1]])
    trace = model(tokens(1), segments=second)
    assert torch.equal(trace.embedding.segment[0], model.embedding.segment.weight[second[0]])


def test_the_decoder_reads_the_source_that_the_encoder_made():
    config = TransformerConfig(31, 12, 3, 2, 17, 23, positions="sinusoidal", norm="post")
    model = shaken(Transformer(config))
    source, target = tokens(1, 5, seed=2), tokens(1, 7)
    trace = model(source, target)
    assert trace.decoder[0].cross.weights.shape == (1, 3, 7, 5)
    key = model.decoder[0].cross.split(model.decoder[0].cross.key(trace.source))
    assert torch.equal(trace.decoder[0].cross.key, key)
    # Padding of the source is hidden from both the encoder and the decoder.
    filled = torch.cat([source, torch.full((1, 2), 9)], dim=1)
    beside = model(filled, target, source_mask=masks.padding([5], 7))
    torch.testing.assert_close(beside.logits, trace.logits)
    # The decoder is causal.
    changed = target.clone()
    changed[0, 4] = (changed[0, 4] + 1) % 31
    moved = (model(source, changed).logits != trace.logits).any(dim=-1)[0]
    assert moved.tolist() == [False] * 4 + [True] * 3


def translator():
    config = EncoderDecoderConfig(31, 12, 3, 2, 17, 23, positions="sinusoidal", padding=30)
    return shaken(Transformer(config))


def test_the_padding_of_a_config_hides_itself():
    model = translator()
    source, target = tokens(2, 5) % 30, tokens(2, 6, seed=2) % 30
    filled = torch.cat([source, torch.full((2, 3), 30)], dim=1)
    torch.testing.assert_close(model(filled, target).logits, model(source, target).logits)


def test_a_translation_goes_word_by_word_as_in_one_go():
    model = translator()
    source, target = tokens(3, 5) % 30, tokens(3, 6, seed=2) % 30
    source[1, 3:] = 30
    whole, state = model(source, target).logits, model.encode(source)
    for t in range(6):
        logits, _, state = model.step(target[:, t], state)
        torch.testing.assert_close(logits, whole[:, t])
    rows = torch.tensor([2, 0, 2])
    again, _, _ = model.step(target[rows, 5], model.encode(source).select(rows))
    first, _, _ = model.step(target[:, 5], model.encode(source))
    torch.testing.assert_close(again, first[rows])
    assert torch.equal(model.logits(source, target), whole)


def test_a_source_must_be_words_and_then_padding():
    model = translator()
    assert model.read_source([[3, 4, 30]]).shape == (1, 3)
    for source, says in [([[30, 4]], "must begin with a word"), ([[4, 30, 5]], "must come after")]:
        with pytest.raises(ValueError, match=says):
            model.read_source(source)
    with pytest.raises(ValueError, match="weights α can be permuted only in seq2seq"):
        model.step(torch.tensor([3]), model.encode(torch.tensor([[3]])), order=torch.tensor([[0]]))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"width": 10}, "the width d must be a multiple of the number of heads, 3; got 10"),
        ({"vocabulary": 0}, "the vocabulary must be a whole number from 1 to 300,000; got 0"),
        ({"heads": 0}, "the number of heads must be a whole number"),
        ({"layers": 65}, "the number of layers must be a whole number from 1 to 64; got 65"),
        ({"hidden": -1}, "the MLP's width d_ff must be a whole number"),
        ({"longest": 9000}, "the longest text must be a whole number from 1 to 8,192; got 9000"),
        ({"width": 3, "positions": "sinusoidal"}, "the width d must be even for sinusoids; got 3"),
        ({"segments": -1}, "the number of segments must be from 0 to 16; got -1"),
        ({"epsilon": 0.0}, "LayerNorm's ε must be between 0 and 1; got 0"),
    ],
)
def test_a_config_that_cannot_be_is_refused(changes, says):
    chosen = {"vocabulary": 31, "width": 12, "heads": 3} | changes
    with pytest.raises(ValueError, match=says):
        TransformerConfig(**chosen)


def test_ids_that_the_model_does_not_have_are_refused():
    model = BERT(CONFIG)
    with pytest.raises(ValueError, match="a token must be from 0 to 30; got 31"):
        model(torch.tensor([[3, 31]]))
    with pytest.raises(ValueError, match="a place must be from 0 to 22; got 23"):
        model(tokens(1, 24))
    with pytest.raises(ValueError, match="a segment must be from 0 to 1; got 2"):
        model(tokens(1, 2), segments=torch.tensor([[0, 2]]))
