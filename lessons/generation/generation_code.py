"""Generation: the decks' three functions in our own words, and a script for the texts on screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from lmcore.decoding.frontier import frontier
from lmcore.decoding.strategies import StrategySettings
from lmcore.shipped import english_gpt
from lmcore.shipped.models import SHIPPED

WIDTH, STEPS = 4, 10
"""Beam width and steps of the example in the errata."""


@dataclass(frozen=True, slots=True)
class DeckCode:
    """A function of the decks: what its lines do, what they lack, and what the app runs instead."""

    title: str
    does: tuple[str, ...]
    lacks: tuple[str, ...]
    replacement: str
    errata: tuple[str, ...]
    """The errata that correct each line."""


NEVER_ENDS = (
    "the text is a string, so its last item is one letter and never the end token: the function "
    "calls itself until Python stops it",
    "no maximum length",
)


def decks() -> tuple[DeckCode, ...]:
    """The three functions, in the lecture's order."""
    return (_greedy(), _beam(), _walk())


def _greedy() -> DeckCode:
    return DeckCode(
        "Greedy search",
        (
            "Begin with the start token",
            "Ask the model for p of every next token, take the largest, append it",
            "If the last item is the end token, return the text; else do it again",
        ),
        NEVER_ENDS,
        "`most_probable` takes the token; `generate` is the loop, over lists of ids, with a "
        "maximum length and a time limit.",
        ("X41",),
    )


def _beam() -> DeckCode:
    counts = frontier(WIDTH, STEPS)
    return DeckCode(
        "Beam search",
        (
            "Keep a list of hypotheses, each with its probability; first the start token, 1",
            "For each hypothesis in the list: ask for the k most probable next tokens, and put the "
            "k longer hypotheses, with their products, at the end of the same list",
            "Set aside those that end, and return the most probable of them",
        ),
        (
            f"the list is never cut back to k: with k = {WIDTH} and {STEPS} steps it holds "
            f"{counts.held:,} hypotheses, where beam search expands {counts.expanded}",
            "the line of the loop does not parse, and the second copy uses a name that is not "
            "defined",
            "no maximum length, and the end token is again looked for in a string",
            "probabilities are multiplied: for long texts the product underflows to 0; a sum of "
            "logarithms does not",
            "the formula of the score divides by the length on one side only",
        ),
        "`rank_candidates` looks at all k·|V| candidates, `judge_candidates` lets k go on; log p "
        "is summed.",
        ("X42", "X43", "X44"),
    )


def _walk() -> DeckCode:
    return DeckCode(
        "Random walk",
        (
            "Begin with the start token",
            "Ask the model for p of every next token, draw one, append it",
            "If the last item is the end token, return the text; else do it again",
        ),
        (
            *NEVER_ENDS,
            "the sampling function that it calls does not exist; `torch.multinomial` does",
        ),
        "`sample_tokens` takes the token at which the running sum of p passes u; u comes from the "
        "seed, one for each place.",
        ("X41",),
    )


def snippet(
    name: str, text: str, settings: StrategySettings, shown: Sequence[str], when: str
) -> str:
    """A script that prints the texts on screen; `when` is the seed and the length."""
    changed = ", ".join(
        f"{field.name}={getattr(settings, field.name)!r}"
        for field in fields(StrategySettings)
        if getattr(settings, field.name) != field.default
    )
    return f"""{_model(name)}
from lmcore.decoding.continuations import continue_prompt
from lmcore.decoding.strategies import STRATEGIES, StrategySettings

prompt = writer.read({text!r})
settings = StrategySettings({changed})
texts = {{
    name: continue_prompt(writer, prompt, STRATEGIES[name], settings, {when})
    for name in {tuple(shown)!r}
}}
for name, text in texts.items():
    print(f"{{name:12}} log p {{text.total:9.4f}}  {{writer.text(text.tokens)}}")
"""


MADE = {
    "grammar": "model = microworld()",
    "tree": "from lmcore.decoding.tree import TreeModel\n\nmodel = TreeModel()",
    "trigram": (
        "import numpy as np\n\nfrom lmcore.models import ngram\n"
        "from lmcore.corpora.microworld import training_documents\n\n"
        "sampled = microworld().sample(60_000, np.random.default_rng(1))\n"
        "documents = training_documents(sampled)\n"
        'config = ngram.NGramConfig(3, "kneser-ney")\n'
        "model = ngram.fit_ngram(config, microworld().vocabulary, documents)"
    ),
}
"""Model → the lines that make it, of those that are not loaded."""
SAVED = (
    "from pathlib import Path\n\nfrom lmcore.training import checkpoint\n\n"
    'saved = Path("run.safetensors").read_bytes()  # saved on Training\n'
    "model, _, _ = checkpoint.load_model(saved)"
)


def _model(name: str) -> str:
    """The lines that make the writer of a model."""
    if name.startswith(("folder:", "hub:")):
        kind, _, which = name.partition(":")
        load = "load_from_folder" if kind == "folder" else "load_from_hub"
        return (
            "from lmcore.decoding.writer import writer_from_pretrained\n"
            "from lmcore.pretrained import allowed\n\n"
            f"writer = writer_from_pretrained(allowed.{load}({which!r}))"
        )
    if name == english_gpt.FILE:
        return (
            "from lmcore.decoding.writer import writer_from_pretrained\n"
            "from lmcore.shipped import english_gpt\n\n"
            "model = english_gpt.english_gpt()\n"
            "writer = writer_from_pretrained(model, english_gpt.END_OF_LINE)"
        )
    shipped = (
        f"from lmcore.shipped.models import load_shipped\n\nmodel, _, _ = load_shipped({name!r})"
    )
    return (
        "from lmcore.corpora.microworld import microworld\n"
        "from lmcore.decoding.writer import writer_from_vocabulary\n"
        f"{MADE.get(name, shipped if name in SHIPPED else SAVED)}\n"
        f"writer = writer_from_vocabulary({name!r}, model, model.vocabulary, {_truth(name)})"
    )


def _truth(name: str) -> str:
    return "None" if name in ("tree", "character_lstm", "gpt_prose") else "microworld()"
