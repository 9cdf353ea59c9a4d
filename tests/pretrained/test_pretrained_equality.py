"""Hidden states, attentions and logits equal those of `transformers`, in every layer."""

import made
import pytest
import torch
from safetensors.torch import load_file, save_file

from lmcore.models.masks import padding
from lmcore.pretrained.loading import load_pretrained

CLOSE = 1e-5


def tokens(types, *shape, seed=3):
    return torch.randint(types, shape, generator=torch.Generator().manual_seed(seed))


def hidden(trace):
    """The residual streams as `transformers` counts them: the input, then each layer's output."""
    if hasattr(trace, "start"):
        return [trace.start, *(block.output for block in trace.blocks)]
    return [trace.embedding.output, *(block.output for block in trace.blocks[:-1]), trace.normed]


@torch.no_grad()
def assert_equal(folder, model, ids, mask=None, **given):
    """Compare what `transformers` returns for a model with our trace of its saved folder."""
    if mask is not None:
        given["attention_mask"] = mask.long()
    expected = model(ids, output_hidden_states=True, output_attentions=True, **given)
    segments = given.get("token_type_ids")
    extra = {} if segments is None else {"segments": segments}
    if mask is not None:
        extra["mask"] = mask[:, None]
    trace = load_pretrained(folder).network(ids, **extra)
    pairs = list(zip(hidden(trace), expected.hidden_states, strict=True))
    weights = [block.attention.weights for block in trace.blocks]
    pairs += list(zip(weights, expected.attentions, strict=True))
    if "logits" in expected:
        pairs.append((trace.logits, expected.logits))
    for ours, other in pairs:
        torch.testing.assert_close(ours, other, rtol=CLOSE, atol=CLOSE)
    return trace


@pytest.mark.parametrize("head", [False, True])
@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"hidden_size": 26, "num_attention_heads": 2, "intermediate_size": 10},
        {"num_hidden_layers": 1, "num_attention_heads": 1, "type_vocab_size": 3},
        {"num_hidden_layers": 7, "num_attention_heads": 24, "layer_norm_eps": 1e-3},
        {"hidden_act": "relu", "max_position_embeddings": 97},
        {"hidden_act": "gelu_new"},
    ],
)
def test_bert(tmp_path, sizes, head):
    model = made.bert(seed=1, head=head, **sizes)
    made.save(model, made.pieces(), tmp_path)
    for length in (1, 2, 7, 40):
        ids = tokens(len(made.PIECES), 3, length)
        trace = assert_equal(tmp_path, model, ids)
    assert (trace.logits is None) == (not head)


@torch.no_grad()
def test_berts_head_for_pairs(tmp_path):
    model = made.bert_for_pairs()
    made.save(model, made.pieces(), tmp_path)
    ids, segments = tokens(len(made.PIECES), 3, 11), tokens(2, 3, 11)
    expected = model(ids, token_type_ids=segments)
    trace = load_pretrained(tmp_path).network(ids, segments=segments)
    close = {"rtol": CLOSE, "atol": CLOSE}
    torch.testing.assert_close(trace.next, expected.seq_relationship_logits, **close)
    torch.testing.assert_close(trace.logits, expected.prediction_logits, **close)
    made.save(made.bert(head=True), made.pieces(), tmp_path)
    assert load_pretrained(tmp_path).network(ids).next is None


def test_bert_with_padding_and_segments(tmp_path):
    model = made.bert(head=True)
    made.save(model, made.pieces(), tmp_path)
    ids, segments = tokens(len(made.PIECES), 3, 11), tokens(2, 3, 11)
    mask = padding([11, 5, 1])[:, 0]
    assert_equal(tmp_path, model, ids, mask, token_type_ids=segments)


@pytest.mark.parametrize(
    "sizes",
    [
        {},
        {"n_embd": 26, "n_head": 2, "n_inner": 30},
        {"n_layer": 1, "n_head": 1, "n_positions": 97},
        {"n_layer": 7, "n_head": 24, "layer_norm_epsilon": 1e-3},
        {"activation_function": "relu"},
        {"activation_function": "gelu"},
        {"tie_word_embeddings": False},
    ],
)
def test_gpt2(tmp_path, sizes):
    model = made.gpt2(seed=2, **sizes)
    made.save(model, made.merges(), tmp_path)
    for length in (1, 2, 7, 40):
        assert_equal(tmp_path, model, tokens(300, 3, length))


def test_gpt2_with_padding(tmp_path):
    model = made.gpt2()
    made.save(model, made.merges(), tmp_path)
    ids, seen = tokens(300, 3, 9), padding([9, 4, 1])[:, 0]
    expected = model(ids, attention_mask=seen.long(), output_attentions=True)
    mask = seen[:, None] & torch.ones(9, 9, dtype=torch.bool).tril()
    trace = load_pretrained(tmp_path).network(ids, mask=mask)
    torch.testing.assert_close(trace.logits, expected.logits, rtol=CLOSE, atol=CLOSE)


@pytest.mark.parametrize(("make", "types"), [(made.bert, len(made.PIECES)), (made.gpt2, 300)])
def test_weights_in_several_files_are_the_same(tmp_path, make, types):
    model = make()
    tokenizer = made.pieces() if make is made.bert else made.merges()
    made.save(model, tokenizer, tmp_path, max_shard_size="10KB")
    assert len(list(tmp_path.glob("*.safetensors"))) > 2
    assert not (tmp_path / "model.safetensors").exists()
    assert_equal(tmp_path, model, tokens(types, 2, 9))


@pytest.mark.parametrize("tied", [True, False])
def test_a_bert_whose_output_matrix_is_in_the_file(tmp_path, tied):
    model = made.bert(head=True, tie_word_embeddings=tied)
    made.save(model, made.pieces(), tmp_path)
    path = tmp_path / "model.safetensors"
    decoder = model.cls.predictions.decoder
    file = load_file(path) | {"cls.predictions.decoder.weight": decoder.weight}
    file["cls.predictions.decoder.bias"] = decoder.bias
    save_file({name: tensor.detach().clone() for name, tensor in file.items()}, path)
    assert load_pretrained(tmp_path).network.config.tied == tied
    assert_equal(tmp_path, model, tokens(len(made.PIECES), 2, 9))


def test_a_gpt2_whose_output_matrix_is_in_the_file(tmp_path):
    model = made.gpt2()
    made.save(model, made.merges(), tmp_path)
    path = tmp_path / "model.safetensors"
    save_file(load_file(path) | {"lm_head.weight": model.lm_head.weight.detach().clone()}, path)
    assert_equal(tmp_path, model, tokens(300, 2, 9))


OLDER = {
    "without bert.": lambda name: name.removeprefix("bert."),
    "gamma and beta": lambda name: name.replace("LayerNorm.weight", "LayerNorm.gamma").replace(
        "LayerNorm.bias", "LayerNorm.beta"
    ),
    "without transformer.": lambda name: name.removeprefix("transformer."),
    "with transformer.": lambda name: f"transformer.{name.removeprefix('transformer.')}",
}
LEFT = {"bert": {"bert.embeddings.position_ids", "bert.pooler.dense.bias"}}
LEFT["bert"] |= {"cls.seq_relationship.weight"}
LEFT["gpt2"] = {f"h.{n}.attn.{mask}" for n in range(3) for mask in ("bias", "masked_bias")}


@pytest.mark.parametrize("change", OLDER)
def test_files_as_they_were_written_before(tmp_path, change):
    kind = "gpt2" if "transformer" in change else "bert"
    model = made.gpt2() if kind == "gpt2" else made.bert(head=True)
    made.save(model, made.merges() if kind == "gpt2" else made.pieces(), tmp_path)
    path = tmp_path / "model.safetensors"
    file = {OLDER[change](name): tensor for name, tensor in load_file(path).items()}
    file |= {OLDER[change](name): torch.ones(1, 2) for name in LEFT[kind]}
    save_file(file, path)
    assert_equal(tmp_path, model, tokens(24, 2, 9))


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float64])
def test_weights_of_another_precision_are_read_as_float32(tmp_path, kind):
    model = made.gpt2().to(kind)
    made.save(model, made.merges(), tmp_path)
    network = load_pretrained(tmp_path).network
    assert {weight.dtype for weight in network.parameters()} == {torch.float32}
    torch.testing.assert_close(network.U.to(kind), model.lm_head.weight, rtol=0, atol=0)


def test_a_loaded_network_does_not_learn(tmp_path):
    made.save(made.bert(), made.pieces(), tmp_path)
    network = load_pretrained(tmp_path).network
    assert not any(weight.requires_grad for weight in network.parameters())
