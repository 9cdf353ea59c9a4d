"""Published Transformers by their sizes, each with the number of parameters that its paper prints.

Where a paper's number differs from the count, it is rounded, or counts other tensors: with V of
30,000 instead of 30,522, or without the pooler.

Source: Vaswani et al. 2017, table 3; Radford et al. 2018 and 2019; Devlin et al. 2019, section 3;
Liu et al. 2019; Conneau et al. 2020, table 5; Lan et al. 2020, table 1; Wang et al. 2020. What the
papers leave out (V to the unit, the rows of P) is in the configurations that were released.
"""

from __future__ import annotations

from typing import NamedTuple

from lmcore.transformer.parameters import Sizes


class PublishedModel(NamedTuple):
    """A model, and what is printed about it."""

    label: str
    sizes: Sizes
    printed: str
    """The number of parameters in the paper or on a slide; empty if none is printed."""
    source: str


_BERT_BASE = Sizes("bert", 30_522, 768, 12, 12, 3072, 512, 2, pooler=True)


def _albert(width: int, layers: int, heads: int) -> Sizes:
    sizes = (30_000, width, layers, heads, 4 * width, 512, 2)
    return Sizes("albert", *sizes, pooler=True, narrow=128, shared=True)


def _gpt2(width: int, layers: int, heads: int) -> Sizes:
    return Sizes("gpt2", 50_257, width, layers, heads, 4 * width, 1024)


PUBLISHED: dict[str, PublishedModel] = {
    "bert_base": PublishedModel("BERT base", _BERT_BASE, "110M", "Devlin et al. 2019; UW, Feng"),
    "bert_large": PublishedModel(
        "BERT large",
        Sizes("bert", 30_522, 1024, 24, 16, 4096, 512, 2, pooler=True),
        "340M",
        "Devlin et al. 2019; UW, Feng",
    ),
    "bert_30000": PublishedModel(
        "BERT base, V = 30,000",
        Sizes("bert", 30_000, 768, 12, 12, 3072, 512, 2),
        "108M",
        "Lan et al. 2020; UW slide “A Lite BERT (ALBERT)”",
    ),
    "roberta_base": PublishedModel(
        "RoBERTa base",
        Sizes("roberta", 50_265, 768, 12, 12, 3072, 514, 1, pooler=True),
        "125M",
        "fairseq’s list of models",
    ),
    "xlm_roberta": PublishedModel(
        "XLM-RoBERTa large",
        Sizes("roberta", 250_002, 1024, 24, 16, 4096, 514, 1, pooler=True),
        "550M",
        "Conneau et al. 2020; Bidirectional Encoders",
    ),
    "albert_base": PublishedModel("ALBERT base", _albert(768, 12, 12), "12M", "Lan et al. 2020"),
    "albert_large": PublishedModel("ALBERT large", _albert(1024, 24, 16), "18M", "Lan et al. 2020"),
    "albert_xlarge": PublishedModel(
        "ALBERT xlarge", _albert(2048, 24, 16), "60M", "Lan et al. 2020"
    ),
    "albert_xxlarge": PublishedModel(
        "ALBERT xxlarge", _albert(4096, 12, 64), "235M", "Lan et al. 2020"
    ),
    "gpt": PublishedModel(
        "GPT", Sizes("gpt", 40_478, 768, 12, 12, 3072, 512), "", "Radford et al. 2018"
    ),
    "gpt2_small": PublishedModel("GPT-2 small", _gpt2(768, 12, 12), "117M", "Radford et al. 2019"),
    "gpt2_medium": PublishedModel(
        "GPT-2 medium", _gpt2(1024, 24, 16), "345M", "Radford et al. 2019"
    ),
    "gpt2_large": PublishedModel("GPT-2 large", _gpt2(1280, 36, 20), "762M", "Radford et al. 2019"),
    "gpt2_xl": PublishedModel("GPT-2 XL", _gpt2(1600, 48, 25), "1542M", "Radford et al. 2019"),
    "transformer_base": PublishedModel(
        "Transformer base",
        Sizes("transformer", 37_000, 512, 6, 8, 2048, 0),
        "65M",
        "Vaswani et al. 2017",
    ),
    "transformer_big": PublishedModel(
        "Transformer big",
        Sizes("transformer", 37_000, 1024, 6, 16, 4096, 0),
        "213M",
        "Vaswani et al. 2017",
    ),
    "minilm": PublishedModel(
        "MiniLM, 6 layers",
        Sizes("bert", 30_522, 384, 6, 12, 1536, 512, 2, pooler=True),
        "22M",
        "Wang et al. 2020",
    ),
}
