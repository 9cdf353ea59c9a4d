"""Predicted operations and memory against torch's own counter and the tensors of a trace."""

from dataclasses import fields, is_dataclass

import pytest
import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

from lmcore.models.bert import BERT
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.transformer.flops import BYTES, forward_flops, forward_memory, quadratic_from
from lmcore.transformer.parameters import Sizes, sizes_of
from lmcore.transformer.published import PUBLISHED

WITHIN = 0.02


def counted(call) -> int:
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        call()
    return counter.get_total_flops()


def numbers(trace) -> int:
    """The numbers that a trace keeps, each storage once; a mask is not counted."""
    kept: dict[int, int] = {}

    def look(value) -> None:
        if isinstance(value, torch.Tensor):
            if value.is_floating_point():
                storage = value.untyped_storage()
                kept[storage.data_ptr()] = storage.nbytes() // BYTES
        elif isinstance(value, tuple):
            for each in value:
                look(each)
        elif is_dataclass(value):
            for field in fields(value):
                look(getattr(value, field.name))

    look(trace)
    return sum(kept.values())


def ours(kind: str, width: int, heads: int, layers: int, hidden: int):
    """A network of lmcore, its sizes, and how many texts it reads at a time."""
    common = {"vocabulary": 211, "width": width, "heads": heads, "layers": layers}
    common |= {"hidden": hidden, "longest": 160}
    if kind == "gpt2":
        config = TransformerConfig(**common)
        return GPT(config), sizes_of(config, "gpt2"), 1
    if kind == "bert":
        config = TransformerConfig(**common, segments=2, norm="post", causal=False)
        return BERT(config), sizes_of(config, "bert", head=True), 1
    config = TransformerConfig(**common, norm="post", positions="sinusoidal")
    return Transformer(config), sizes_of(config, "transformer"), 2


@pytest.mark.parametrize("kind", ["gpt2", "bert", "transformer"])
@pytest.mark.parametrize(
    ("width", "heads", "layers", "hidden", "time"),
    [(64, 4, 2, 256, 32), (32, 8, 3, 100, 128), (96, 1, 1, 64, 9)],
)
def test_operations_and_memory_are_those_of_our_models(kind, width, heads, layers, hidden, time):
    network, sizes, texts = ours(kind, width, heads, layers, hidden)
    read = [torch.randint(211, (1, time)) for _ in range(texts)]
    predicted = sum(forward_flops(sizes, time).values())
    assert predicted == pytest.approx(counted(lambda: network(*read)), rel=WITHIN)
    with torch.no_grad():
        trace = network(*read)
    memory = forward_memory(sizes, time)
    assert memory.linear + memory.squared == pytest.approx(BYTES * numbers(trace), rel=WITHIN)
    assert memory.weights == BYTES * sum(each.numel() for each in network.parameters())
    assert memory.total == sum(memory)


@pytest.mark.parametrize("time", [16, 128, 512])
def test_operations_are_those_of_huggingfaces_bert_base_and_gpt2(time):
    tokens = torch.zeros(1, time, dtype=torch.long, device="meta")
    with torch.device("meta"):
        bert = transformers.BertModel(transformers.BertConfig(attn_implementation="eager"))
        gpt = transformers.GPT2LMHeadModel(transformers.GPT2Config(attn_implementation="eager"))
    for name, model in (("bert_base", bert), ("gpt2_small", gpt)):
        predicted = sum(forward_flops(PUBLISHED[name].sizes, time).values())
        assert predicted == pytest.approx(counted(lambda m=model: m(tokens)), rel=WITHIN)


def test_operations_are_those_of_huggingfaces_albert():
    sizes = Sizes("albert", 999, 48, 3, 4, 100, 77, 2, head=True, narrow=20, shared=True)
    config = transformers.AlbertConfig(
        vocab_size=999,
        embedding_size=20,
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=100,
        max_position_embeddings=77,
        attn_implementation="eager",
    )
    model = transformers.AlbertForMaskedLM(config)
    found = counted(lambda: model(torch.zeros(1, 40, dtype=torch.long)))
    assert sum(forward_flops(sizes, 40).values()) == pytest.approx(found, rel=WITHIN)


def test_twice_the_text_costs_four_times_the_scores_and_twice_the_rest():
    sizes = PUBLISHED["bert_base"].sizes
    short, long = forward_flops(sizes, 256), forward_flops(sizes, 512)
    assert long["scores and αV"] == 4 * short["scores and αV"]
    assert long["MLP"] == 2 * short["MLP"]
    assert forward_memory(sizes, 512).squared == 4 * forward_memory(sizes, 256).squared


@pytest.mark.parametrize("name", ["bert_base", "transformer_base", "gpt2_xl"])
def test_the_squared_part_leads_from_the_length_that_is_named(name):
    sizes = PUBLISHED[name].sizes

    def leads(time: int) -> bool:
        cost = forward_flops(sizes, time)
        return cost["scores and αV"] > cost["Q, K, V, O"] + cost["MLP"]

    place = quadratic_from(sizes)
    assert leads(int(place) + 1)
    assert not leads(int(place))
