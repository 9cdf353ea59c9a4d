"""Words for the two runs with and without the causal mask."""

from __future__ import annotations

from lmcore.masking.without_causal_mask import Writing
from lmcore.numbers import significant

COLUMNS = (
    "model",
    "loss in training",
    "loss, future not there",
    "the grammar's",
    "share of texts it could have made",
)


def row(
    label: str, loss: float, honest: float, truth: float, written: Writing
) -> tuple[str, *tuple[float, ...]]:
    """What `COLUMNS` names, of one model; losses in nats per token."""
    return (label, loss, honest, truth, written.share)


def verdict(loss: float, honest: float, truth: float, written: Writing, *, causal: bool) -> str:
    """What the numbers of one run say, in a sentence or two."""
    share = f"{sum(written.possible)} of its {len(written.possible)} texts"
    if causal:
        return (
            f"With the mask, {significant(loss)} nats against the grammar's {significant(truth)}, "
            f"and the grammar could have made {share}."
        )
    against = (
        f"the grammar's {significant(truth)} divided by {significant(truth / loss)}, lower than "
        "any model can be that does not see what it predicts"
        if loss < truth
        else f"not yet below the grammar's {significant(truth)}"
    )
    return (
        f"Without it, {significant(loss)} nats: {against}. Where the words to come are not there "
        f"yet, the same weights have a loss of {significant(honest)}, and the grammar could have "
        f"made {share}."
    )


def excerpt(written: Writing, most: int = 3) -> list[str]:
    """The first few texts, each in quotation marks; one without a word says so."""
    return [f"“{text}”" if text else "(nothing: it ends at once)" for text in written.texts[:most]]


def snippet(steps: int, seed: int) -> str:
    """A program that makes both runs and says what this view says."""
    return f"""from lmcore.corpora.microworld import microworld
from lmcore.masking.without_causal_mask import loss_without_the_future, with_and_without, writing
from lmcore.training.batches import validation_documents
from lmcore.training.loop import Training, validation_loss

for spec in with_and_without(steps={steps}, seed={seed}):
    run = Training(spec)
    for event in run:
        pass
    print("causal mask:", spec.model.causal)
    print("  loss in training       ", validation_loss(run))
    print("  loss, future not there ",
          loss_without_the_future(run.network, validation_documents()))
    print("  possible texts         ", writing(run.language_model(), microworld()).share)
"""
