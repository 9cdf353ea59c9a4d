"""The questions of the Live training page about its stage."""

from __future__ import annotations

import ui
from lessons.training.training_picture import MOST, Plan, overfits, spread
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld
from lmcore.models.scoring import perplexity_of_loss, uniform_loss
from lmcore.numbers import format_number
from lmcore.shipped.recordings import Recording

GRAMMAR, GUESSING, ZERO = "the grammar's own loss", "ln |V|", "0 nats"
RISES, FALLS, STAYS = "it rises", "it falls faster", "it stays at ln |V|"
BATCHES, VALIDATION, NEITHER = "that of the batches", "that of the validation text", "neither"

LOSSES = tuple(f"loss{i}" for i in range(MOST))
"""The names of the losses of all lines, which the alt text of the picture prints."""


def questions(plan: Plan) -> list[ui.Question]:
    """The questions about the recorded runs, or about the text if there are none."""
    asked = [*_about_the_end(plan), _untrained(plan)]
    if plan.truth is not None:
        asked.append(_lowest(plan.truth, plan.specs[0].corpus.source))
    return asked


def _about_the_end(plan: Plan) -> list[ui.Question]:
    if not plan.recordings or plan.differs:
        return []
    shown = plan.recordings[plan.named]
    if len(plan.recordings) > 1:
        return [_winner(plan)]
    if shown.why:
        return [_diverges(shown)]
    if overfits(shown):
        return [_overfits(plan)]
    final = shown.final_loss or 0.0
    return [
        ui.Question(
            "perplexity",
            f"The loss ends at {format_number(final)} nats. Which perplexity is that?",
            perplexity_of_loss(final),
            f"Perplexity is exp of the loss: exp({format_number(final)}).",
            hint="exp(0.7) is about 2.",
            hides=("perplexity",),
        )
    ]


def _diverges(shown: Recording) -> ui.Question:
    return ui.Question(
        "diverges",
        f"η is {shown.spec.learning_rate:g}. What does the loss do?",
        RISES,
        f"The steps overshoot: at step {shown.evaluations[-1][0]} the validation loss was "
        f"{format_number(shown.final_loss or 0.0)} nats, and at step {shown.step} the run was "
        "stopped.",
        hint="A step is η times the gradient: how far does it go?",
        options=(FALLS, STAYS, RISES),
        hides=("curve", "final", "perplexity", "step", "norm", "update", *LOSSES),
    )


def _overfits(plan: Plan) -> ui.Question:
    return ui.Question(
        "overfits",
        f"The text is read {format_number(plan.passes)} times. Which loss rises again?",
        VALIDATION,
        "The model memorises these documents; the validation text is a different one.",
        hint="Which of the two texts does the model never learn from?",
        options=(BATCHES, VALIDATION, NEITHER),
        hides=("curve", "final", "best", "best_step", "batch", "perplexity", *LOSSES),
    )


def _winner(plan: Plan) -> ui.Question:
    finals = [each.final_loss or 0.0 for each in plan.recordings]
    return ui.Question(
        "winner",
        f"Which model has the lowest loss after {plan.specs[0].steps:,} steps?",
        plan.labels[plan.named],
        f"In ascending order: {spread(finals)} nats. Measured with one seed.",
        hint="Which of them can still use a word from far back in the text?",
        options=plan.labels,
        hides=("winner", "final", "second", "perplexity", *LOSSES),
    )


def _untrained(plan: Plan) -> ui.Question:
    return ui.Question(
        "untrained",
        f"The text has {plan.types:,} types. What is the loss before the first step, in nats?",
        uniform_loss(plan.types),
        f"Every type is about equally likely: ln {plan.types}.",
        hint="−ln p, where each type has p = 1/|V|.",
        hides=("uniform",),
    )


def _lowest(truth: float, source: str) -> ui.Question:
    over_all = (
        f", and {format_number(entropy.entropy_rate(microworld()))} over all its texts"
        if source == "microworld"
        else ""
    )
    return ui.Question(
        "lowest",
        "Which loss does no model get below, on a long text that it has not read?",
        GRAMMAR,
        f"The grammar itself leaves a choice at many places: on the validation text its loss is "
        f"{format_number(truth)} nats{over_all}.",
        hint="Could even the author of the text be certain of every next word?",
        options=(ZERO, GRAMMAR, GUESSING),
        hides=("truth", "truth_perplexity"),
    )
