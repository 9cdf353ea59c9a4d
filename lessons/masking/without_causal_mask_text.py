"""Words for the two runs with and without the causal mask."""

from __future__ import annotations

from lmcore.masking.without_causal_mask import GeneratedTexts
from lmcore.numbers import format_number

COLUMNS = (
    "model",
    "loss in training",
    "loss, future not there",
    "the grammar's",
    "share of texts it could have made",
)


def row(
    label: str, loss: float, honest: float, truth: float, written: GeneratedTexts
) -> tuple[str, *tuple[float, ...]]:
    """What `COLUMNS` names, of one model; losses in nats per token."""
    return (label, loss, honest, truth, written.share)


def verdict(
    loss: float, honest: float, truth: float, written: GeneratedTexts, *, causal: bool
) -> str:
    """What the numbers of one run say, in a sentence or two."""
    share = f"{sum(written.possible)} of its {len(written.possible)} texts"
    if causal:
        return (
            f"With the mask, {format_number(loss)} nats against the grammar's {format_number(truth)}, "
            f"and the grammar could have made {share}."
        )
    against = (
        f"the grammar's {format_number(truth)} divided by {format_number(truth / loss)}, lower than "
        "any model can be that does not see what it predicts"
        if loss < truth
        else f"not yet below the grammar's {format_number(truth)}"
    )
    return (
        f"Without it, {format_number(loss)} nats: {against}. Where the words to come are not there "
        f"yet, the same weights have a loss of {format_number(honest)}, and the grammar could have "
        f"made {share}."
    )


def excerpt(written: GeneratedTexts, most: int = 3) -> list[str]:
    """The first few texts, each in quotation marks; one without a word says so."""
    return [f"“{text}”" if text else "(nothing: it ends at once)" for text in written.texts[:most]]


def snippet(steps: int, seed: int) -> str:
    """A program that makes both runs and says what this view says."""
    return f"""from lmcore.corpora.microworld import microworld
from lmcore.masking.without_causal_mask import prefix_loss, run_specs, generate_texts
from lmcore.training.batches import validation_documents
from lmcore.training.loop import Training, validation_loss

for spec in run_specs(steps={steps}, seed={seed}):
    run = Training(spec)
    for event in run:
        pass
    print("causal mask:", spec.model.causal)
    print("  loss in training       ", validation_loss(run))
    print("  loss, future not there ",
          prefix_loss(run.network, validation_documents()))
    print("  possible texts         ", generate_texts(run.language_model(), microworld()).share)
"""
