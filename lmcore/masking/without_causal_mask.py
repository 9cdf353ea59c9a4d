"""What a language model learns that is shown the words to come: to copy them.

The same small Transformer is trained twice, with the causal mask and without. Without it each place
sees the word it is to predict, and the loss falls below the text's own entropy, which no model that
has to predict can reach. Such a loss is worth nothing: where the future is not there yet, as when a
text is written, the model knows nothing of what comes.

Source: lecture "Decoder: Masked Multi-Head Attention" (CSE538) says that the future is masked; the
experiment is this app's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from lmcore.corpora.automaton import Automaton
from lmcore.models.registry import Network, NeuralModel, device_of, sample
from lmcore.training.spec import ModelSpec, RunSpec
from lmcore.vocabulary import END, START

LONGEST = 60
"""Words of a text by the model; the grammar's longest documents have fewer."""


def run_specs(steps: int, seed: int = 0) -> tuple[RunSpec, RunSpec]:
    """The two runs: all is the same but the mask.

    Raises:
        ValueError: if a run cannot have so many steps, or such a seed.
    """
    model = ModelSpec("transformer", hidden=256, layers=2)
    masked = RunSpec(
        model=model,
        learning_rate=3e-3,
        steps=steps,
        every=max(1, min(10, steps)),
        seed=seed,
    )
    return masked, replace(masked, model=replace(model, causal=False))


@dataclass(frozen=True, slots=True)
class GeneratedTexts:
    """Texts by a model; for each whether the grammar could have made it, whole."""

    texts: tuple[str, ...]
    possible: tuple[bool, ...]

    @property
    def share(self) -> float:
        """The share of texts that the grammar could have made."""
        return sum(self.possible) / len(self.possible)


def generate_texts(
    model: NeuralModel, grammar: Automaton, count: int = 50, seed: int = 0
) -> GeneratedTexts:
    """Let a model write `count` texts, word by word from `<s>`, and put them to the grammar."""
    ids = model.vocabulary.ids
    generator = torch.Generator().manual_seed(seed)
    written = [
        [ids[START], *sample(model.network, [ids[START]], LONGEST, generator, stop=ids[END])]
        for _ in range(count)
    ]
    possible = (
        each[-1] == ids[END] and bool(np.isfinite(grammar.log_probability(each)))
        for each in written
    )
    return GeneratedTexts(tuple(model.vocabulary.write(each) for each in written), tuple(possible))


@torch.inference_mode()
def prefix_loss(network: Network, documents: Sequence[NDArray[np.int64]]) -> float:
    """The mean of −log p(x_{t+1} | x_1 … x_t), nats per token, each prefix read by itself.

    With the causal mask this is the loss that training has; without it, it is not.
    """
    total, tokens = 0.0, 0
    for time in range(1, max(map(len, documents))):
        longer = [document[: time + 1] for document in documents if len(document) > time]
        rows = torch.from_numpy(np.stack(longer)).to(device_of(network))
        logits, _ = network.fused(rows[:, :-1])
        log_p = logits[:, -1].double().log_softmax(dim=-1)
        total -= float(log_p.gather(1, rows[:, -1:]).sum())
        tokens += len(longer)
    return total / tokens
