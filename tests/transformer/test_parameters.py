"""Parameter counts, tensor by tensor, against HuggingFace's models and ours on the meta device."""

import pytest
import torch
import transformers
from torch import nn

from lmcore.models.bert import BERT
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.wheel import minilm, package_folder
from lmcore.shipped.models import encoder, load_shipped
from lmcore.transformer.parameters import (
    PARTS,
    Sizes,
    count_by_part,
    count_parameters,
    sizes_of,
    weight_tree,
)
from lmcore.transformer.published import PUBLISHED

PREFIX = ("bert.", "roberta.", "albert.", "transformer.", "model.")


def config_of(sizes: Sizes):
    """The configuration of HuggingFace's model with these sizes."""
    if sizes.kind in ("gpt", "gpt2"):
        kind = transformers.OpenAIGPTConfig if sizes.kind == "gpt" else transformers.GPT2Config
        return kind(
            vocab_size=sizes.vocabulary,
            n_embd=sizes.width,
            n_layer=sizes.layers,
            n_head=sizes.heads,
            n_positions=sizes.places,
            n_inner=sizes.hidden,
        )
    if sizes.kind == "transformer":
        stacks = {
            f"{stack}_{name}": value
            for stack in ("encoder", "decoder")
            for name, value in (
                ("layers", sizes.layers),
                ("attention_heads", sizes.heads),
                ("ffn_dim", sizes.hidden),
            )
        }
        ends = {"pad_token_id": 0, "decoder_start_token_id": 0}
        return transformers.MarianConfig(
            vocab_size=sizes.vocabulary, d_model=sizes.width, **stacks, **ends
        )
    kind = {
        "bert": transformers.BertConfig,
        "roberta": transformers.RobertaConfig,
        "albert": transformers.AlbertConfig,
    }[sizes.kind]
    more = {"embedding_size": sizes.narrow} if sizes.narrow else {}
    if sizes.kind == "albert" and not sizes.shared:
        more["num_hidden_groups"] = sizes.layers
    return kind(
        vocab_size=sizes.vocabulary,
        hidden_size=sizes.width,
        num_hidden_layers=sizes.layers,
        num_attention_heads=sizes.heads,
        intermediate_size=sizes.hidden,
        max_position_embeddings=sizes.places,
        type_vocab_size=sizes.segments,
        pad_token_id=0,
        **more,
    )


ENCODERS = {
    "bert": (transformers.BertModel, transformers.BertForMaskedLM),
    "roberta": (transformers.RobertaModel, transformers.RobertaForMaskedLM),
    "albert": (transformers.AlbertModel, transformers.AlbertForMaskedLM),
}


def their_tensors(sizes: Sizes) -> dict[str, int]:
    """Name → size of every parameter of HuggingFace's model; sinusoids are left out."""
    config = config_of(sizes)
    with torch.device("meta"):
        if sizes.kind not in ENCODERS:
            model = transformers.AutoModel.from_config(config)
        elif sizes.head:
            model = ENCODERS[sizes.kind][1](config)
        else:
            model = ENCODERS[sizes.kind][0](config, add_pooling_layer=sizes.pooler)
    found = {}
    for name, weight in model.named_parameters():
        if "embed_positions" not in name:
            for each in PREFIX:
                name = name.removeprefix(each)
            found[name] = weight.numel()
    return found


def our_tensors(sizes: Sizes) -> dict[str, int]:
    """HuggingFace's name → size, as lmcore counts it."""
    found: dict[str, int] = {}
    for each in weight_tree(sizes):
        name = each.file.partition(" (")[0]
        found[name] = found.get(name, 0) + each.count
    return found


VARIED = {
    "BERT with its head": Sizes("bert", 999, 48, 3, 4, 100, 77, 2, head=True),
    "RoBERTa with its head": Sizes("roberta", 999, 48, 3, 4, 100, 77, 1, head=True),
    "ALBERT with its head": Sizes(
        "albert", 999, 48, 3, 4, 100, 77, 2, head=True, narrow=20, shared=True
    ),
    "ALBERT without sharing": Sizes("albert", 999, 48, 3, 4, 100, 77, 2, pooler=True, narrow=48),
}
EVERY = {name: model.sizes for name, model in PUBLISHED.items()} | VARIED


@pytest.mark.parametrize("name", EVERY)
def test_every_tensor_is_one_of_huggingface_and_has_as_many_numbers(name):
    ours = our_tensors(EVERY[name])
    assert ours == their_tensors(EVERY[name])
    assert count_parameters(EVERY[name]) == sum(ours.values())


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("bert_base", 109_482_240),
        ("bert_large", 335_141_888),
        ("bert_30000", 108_490_752),
        ("gpt2_small", 124_439_808),
        ("gpt2_xl", 1_557_611_200),
        ("gpt", 116_534_784),
        ("xlm_roberta", 559_890_432),
    ],
)
def test_published_models_have_the_numbers_of_the_course(name, count):
    assert count_parameters(PUBLISHED[name].sizes) == count


def test_bert_with_another_vocabulary_and_pooler():
    with_pooler = Sizes("bert", 30_000, 768, 12, 12, 3072, 512, 2, pooler=True)
    large = Sizes("bert", 30_000, 1024, 24, 16, 4096, 512, 2, pooler=True)
    assert count_parameters(with_pooler) == 109_081_344
    assert count_parameters(large) == 334_607_360
    assert count_parameters(Sizes("bert", 30_522, 768, 12, 12, 3072, 512, 2)) == 108_891_648


def stored(network: nn.Module) -> dict[str, tuple[int, ...]]:
    return {name: tuple(weight.shape) for name, weight in network.named_parameters()}


def listed(sizes: Sizes) -> dict[str, tuple[int, ...]]:
    """Our name → shape as torch stores it: W of x W transposed, an embedding as it is."""
    return {
        each.ours: each.shape
        if each.ours.startswith("embedding.") or len(each.shape) < 2
        else each.shape[::-1]
        for each in weight_tree(sizes)
    }


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("heads", [1, 8])
def test_every_tensor_is_one_of_ours_with_its_name_and_shape(tied, heads):
    sizes = {"vocabulary": 301, "width": 64, "heads": heads, "layers": 3, "hidden": 96}
    gpt = TransformerConfig(**sizes, longest=50, tied=tied)
    assert listed(sizes_of(gpt, "gpt2")) == stored(GPT(gpt, None))
    bert = TransformerConfig(**sizes, longest=50, segments=2, norm="post", causal=False, tied=tied)
    assert listed(sizes_of(bert, "bert", head=True)) == stored(BERT(bert, None))
    pooled = stored(BERT(bert, None, head=False, pairs=True))
    both = {name: shape for name, shape in pooled.items() if not name.startswith("pairs.output")}
    assert listed(sizes_of(bert, "bert", pooler=True)) == both
    whole = TransformerConfig(**sizes, positions="sinusoidal", norm="post", tied=tied)
    assert listed(sizes_of(whole, "transformer")) == stored(Transformer(whole, 0))


def test_our_models_that_ship_have_as_many():
    gpt = load_shipped("gpt")[0].network
    assert isinstance(gpt, GPT)
    assert count_parameters(sizes_of(gpt.config, "gpt2")) == 126_336 == gpt.config.parameters
    network = encoder()[0]
    pairs = 2 * network.config.width + 2
    count = count_parameters(sizes_of(network.config, "bert", head=True, pooler=True))
    assert count + pairs == sum(weight.numel() for weight in network.parameters())


@pytest.mark.skipif(package_folder() is None, reason="the package with MiniLM is not installed")
def test_minilm_has_as_many_as_the_published_one_without_its_pooler():
    network = minilm().network
    pooler = 384 * 384 + 384
    count = sum(weight.numel() for weight in network.parameters())
    assert count_parameters(PUBLISHED["minilm"].sizes) == count + pooler


def test_eight_heads_have_as_many_parameters_as_one():
    one, eight = (Sizes("gpt2", 10, 512, 1, heads, 2048, 4) for heads in (1, 8))
    assert count_parameters(one) == count_parameters(eight)
    matrices = [w for w in weight_tree(eight) if w.part == "self-attention" and len(w.shape) == 2]
    assert sum(each.count for each in matrices) == 1_048_576 == 4 * 8 * 512 * 64


def test_sharing_divides_the_layers_by_their_number():
    shared = Sizes("albert", 30_000, 768, 12, 12, 3072, 512, 2, narrow=128, shared=True)
    apart = Sizes("albert", 30_000, 768, 12, 12, 3072, 512, 2, narrow=128)
    one, all_layers = map(count_by_part, (shared, apart))
    assert 12 * one["self-attention"] == all_layers["self-attention"]
    assert 12 * one["MLP"] == all_layers["MLP"]
    assert one["token embedding"] == all_layers["token embedding"]
    assert {each.layer for each in weight_tree(shared)} == {0}


@pytest.mark.parametrize("name", EVERY)
def test_the_parts_add_up_to_the_tensors(name):
    tree, counts = weight_tree(EVERY[name]), count_by_part(EVERY[name])
    for part in PARTS:
        assert counts.get(part, 0) == sum(each.count for each in tree if each.part == part)


def test_a_tensor_has_a_row_with_all_its_names():
    frame = weight_tree(PUBLISHED["transformer_base"].sizes).to_frame()
    assert frame["parameters"].sum() == 63_082_496
    row = frame[frame["lmcore"] == "decoder.5.cross.key.weight"].iloc[0]
    assert (row["part"], row["symbol"], row["layer"]) == ("cross-attention", "W^K", 6)
    assert (row["axes"], row["shape"]) == ("d × d", "512 × 512")
    assert row["HuggingFace"] == "decoder.layers.5.encoder_attn.k_proj.weight"


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"heads": 5}, r"the width d must be a multiple of the number of heads n_h, 5; got 64"),
        ({"vocabulary": 0}, r"the vocabulary V must be a whole number from 1 to 1,000,000; got 0"),
        ({"layers": 201}, r"the number of layers N must be a whole number from 1 to 200; got 201"),
        ({"heads": 65}, r"the number of heads n_h must be a whole number from 1 to 64; got 65"),
        ({"places": -1}, r"the number of positions T_max must be from 0 to 100000; got -1"),
        ({"narrow": 8}, r"must be those of an ALBERT; got a model of the kind gpt2"),
        ({"head": True}, r"must be those of an encoder; got gpt2"),
        ({"kind": "albert"}, r"the embedding's width e must be a whole number from 1 to 20,000"),
    ],
)
def test_sizes_that_do_not_fit_are_named(changed, wrong):
    sizes = {"kind": "gpt2", "vocabulary": 100, "width": 64, "layers": 2, "heads": 4}
    sizes |= {"hidden": 256, "places": 32, **changed}
    with pytest.raises(ValueError, match=wrong):
        Sizes(**sizes)
