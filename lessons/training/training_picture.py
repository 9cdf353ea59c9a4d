"""The data of the picture of training, apart from live runs: recordings.

The script `training.js` receives live runs from the server's stream. This module provides what is
shown before any run is started, and the templates from which the script selects later.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from typing_extensions import TypedDict as EventDict

from drawing.events import Name
from drawing.payload import Script
from drawing.run_text import LABELS, RunLabel
from lmcore.models.scoring import perplexity_of_loss, uniform_loss
from lmcore.numbers import format_number
from lmcore.shipped.recordings import Recording
from lmcore.training.spec import RunSpec

MOST = 6
"""The maximum number of runs in the picture."""
RISEN = 0.02
"""A validation loss has risen if it exceeds its minimum by this share."""
OF_THE_BEST = (
    "types", "uniform", "truth", "truth_perplexity", "step", "steps", "final", "perplexity",
    "share", "best", "best_step", "batch", "second", "passes", "rate", "norm", "update",
)  # fmt: skip
CHOSEN = ("@say", "@formula")
NUMBERS = (
    *OF_THE_BEST, *(f"loss{i}" for i in range(MOST)), *(f"at{i}" for i in range(MOST)), *CHOSEN,
)  # fmt: skip
"""The names of the numbers; a number is nan until a run has it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The runs that *Start* would begin, and the recorded runs that are shown before.

    There is a recording for each spec, or none at all. If the recording has other settings,
    `differs` names them. `types` is |V|; `truth` is the grammar's own loss on the validation text,
    in nats per token, if known. `passes` is how often the whole text is read, 0 if it is endless.
    `blocked` is the reason why nothing can be started; empty if something can.
    """

    specs: tuple[RunSpec, ...]
    recordings: tuple[Recording, ...]
    differs: str
    types: int
    truth: float | None
    passes: float
    blocked: str

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each run."""
        return tuple(LABELS[spec.model.kind] for spec in self.specs)

    @property
    def named(self) -> int:
        """The index of the recording that the sentence is about: the lowest final loss."""
        losses = [_final(each) for each in self.recordings]
        return losses.index(min(losses)) if losses else 0

    @property
    def kind(self) -> str:
        """The sentence about what is recorded, by its name in `SENTENCES`."""
        if not self.recordings:
            return "blocked" if self.blocked else "none"
        shown = self.recordings[self.named]
        if self.differs:
            return "differs"
        if len(self.recordings) > 1:
            return "race"
        if shown.why:
            return "diverged" if _final(shown) > uniform_loss(self.types) else "diverged_below"
        return "overfits" if overfits(shown) else "recorded"


def _final(recording: Recording) -> float:
    loss = recording.final_loss
    return math.inf if loss is None else loss


def overfits(recording: Recording) -> bool:
    """Whether the validation loss rose again, while that of the batches fell, and is above it."""
    rows = [(int(step or 0), loss) for step, loss, *_ in recording.evaluations if loss is not None]
    best_step, best = min(rows, key=lambda row: row[1])
    batches = [(step, loss) for step, loss in recording.batches if loss is not None]
    then = [loss for step, loss in batches if step <= best_step][-1:] or [batches[0][1]]
    fell = batches[-1][1] < then[0]
    final = rows[-1][1]
    return not recording.why and fell and batches[-1][1] < final > (1 + RISEN) * best


class RecordedRun(TypedDict):
    """A recorded run: its curves as (step, value), and its texts as (step, text)."""

    label: str
    steps: int
    why: str
    batches: Sequence[tuple[int, float | None]]
    evaluations: Sequence[tuple[int, float | None]]
    samples: Sequence[tuple[int, str]]


class TrainingPayload(TypedDict):
    """What the picture of training draws; everything else comes from the stream of the runs."""

    runs: list[RunLabel]
    recorded: list[RecordedRun]
    longest: int
    """The last step on the axis before a run is started."""
    types: int
    uniform: float
    truth: float | None
    says: Mapping[str, int]
    """The index of each sentence; for a race, of the sentence about its first run."""
    start: str
    blocked: str
    note: Sequence[str]
    """When and on what the recorded runs were made, in lines."""
    rates: Sequence[float]
    """The learning rate of each run."""
    passes: Sequence[float]
    """How often each run reads its text as a whole; 0 if it is endless."""


class PressedStart(EventDict):
    """*Start* was pressed in the picture."""

    start: bool


TRAINING = Script(
    "training",
    TrainingPayload,
    (*OF_THE_BEST, "loss#", "at#", "curve", "winner", *CHOSEN),
    PressedStart | list[tuple[Name, Name]],
)
"""`curve` and `winner` are not numbers: a question hides the drawing under these names. In addition
to *Start*, the script reports the names and states of its runs once one has paused or ended.
"""

LOSS = "==[loss|{final}]=="
FLOOR = "[activation|{truth}]"
SENTENCES = {
    "recorded": (
        f"Not started yet. A **recorded** run went from ln |V| = [loss|{{uniform}}] to {LOSS} "
        f"nats; the grammar's own loss is {FLOOR}."
    ),
    "differs": f"No run of these settings is recorded. A run with {{differs}} reached {LOSS} nats.",
    "diverged": (
        "The **recorded** run went from ln |V| = [loss|{uniform}] up to "
        f"{LOSS} nats, and stopped at step {{step}}: η = {{rate}} is too large."
    ),
    "diverged_below": (
        f"The **recorded** run stopped at step {{step}}, after a validation loss of {LOSS} nats: "
        "its loss overflowed, η = {rate} is too large."
    ),
    "overfits": (
        "**Recorded**: the validation loss was lowest at step {best_step}, [loss|{best}]; then it "
        f"rose to {LOSS}, while that of the batches fell to {{batch}} nats."
    ),
    "none": (
        "No run of these settings is recorded. Press **Start**: the loss begins near ln |V| = "
        "==[loss|{uniform}]== nats."
    ),
    "asked": "The end of each line is hidden: predict it before you look.",
    "reading": "The run is being read from the server.",
    "queued": "The run waits for a free processor; it starts by itself.",
    "begins": "The run begins: untrained, its loss is near ln |V| = ==[loss|{uniform}]== nats.",
    "running": (
        f"Step {{step}} of {{steps}}: validation loss {LOSS} nats, which is perplexity "
        "{perplexity}; it began near ln |V| = {uniform}."
    ),
    "paused": f"Paused at step {{step}} of {{steps}}, with a validation loss of {LOSS} nats.",
    "ended": (
        f"From ln |V| = [loss|{{uniform}}] to {LOSS} nats in {{step}} steps: {{share}} % of the "
        f"way to the grammar's own loss, {FLOOR}."
    ),
    "ended_alone": f"From ln |V| = [loss|{{uniform}}] to {LOSS} nats in {{step}} steps.",
    "ended_below": (
        f"After {{step}} steps {LOSS} nats: on this text no more than the grammar's own loss, "
        f"{FLOOR}."
    ),
    "worse": (
        f"After {{step}} steps the validation loss is {LOSS} nats: worse than uniform guessing, "
        "ln |V| = [loss|{uniform}]."
    ),
    "ended_overfits": (
        "Overfitting: lowest at step {best_step}, [loss|{best}]; now the validation loss is "
        f"{LOSS}. The same text was read {{passes}} times, and the model memorises it."
    ),
    "ended_diverged": (
        f"Diverged at step {{step}}: the last validation loss was {LOSS} nats, above ln |V| = "
        "[loss|{uniform}]. η = {rate} is too large."
    ),
    "ended_diverged_below": (
        f"Diverged at step {{step}}, after a validation loss of {LOSS} nats: the loss overflowed. "
        "η = {rate} is too large."
    ),
    "stopped": "The run has ended before its first validation.",
    "failed": "The run could not start; the reason stands in the picture.",
    "gone": "The run is no longer on the server. Start it again.",
    "away": "The run cannot be reached now: its server does not answer.",
}
"""The sentences by name. The sentences about a race follow them, one for each run."""


def places(plan: Plan, runs: Sequence[RunLabel]) -> dict[str, int]:
    """The index of each sentence in `sentences`; for a race, of the one about its first run."""
    names = [*SENTENCES, "blocked", "race"]
    found = {name: place for place, name in enumerate(names)}
    leads = found["race"] + len(plan.labels)
    return found | {"leads": leads, "won": leads + len(runs)}


def numbers(plan: Plan) -> dict[str, float]:
    """Each of `NUMBERS` before anything is started: from the recorded runs, or nan."""
    found = dict.fromkeys(NUMBERS, math.nan)
    found |= {
        "types": float(plan.types),
        "uniform": uniform_loss(plan.types),
        "steps": float(plan.specs[0].steps),
        "passes": plan.passes,
        "rate": plan.specs[0].learning_rate,
        "@formula": 0.0,
    }
    if plan.truth is not None:
        found |= {"truth": plan.truth, "truth_perplexity": perplexity_of_loss(plan.truth)}
    found["@say"] = places(plan, ())[plan.kind]
    if plan.recordings:
        found |= recorded_numbers(plan.recordings, plan.named)
        diverged = plan.kind == "diverged"
        found["@say"] += plan.named if plan.kind == "race" else 0
        found["@formula"] = 2 if diverged else 1
    return {name: float(value) for name, value in found.items()}


def recorded_numbers(recordings: Sequence[Recording], named: int) -> dict[str, float]:
    """The numbers of recorded runs; those without an index belong to the run `named`."""
    shown = recordings[named]
    rows = [(int(step or 0), loss) for step, loss, *_ in shown.evaluations if loss is not None]
    best_step, best = min(rows, key=lambda row: row[1])
    _, final = rows[-1]
    others = [_final(each) for i, each in enumerate(recordings) if i != named]
    norms = [norm for _, norm in shown.norms if norm is not None]
    rate = shown.spec.learning_rate
    found = {
        "step": float(shown.step),
        "rate": rate,
        "final": final,
        "perplexity": perplexity_of_loss(final),
        "best": best,
        "best_step": float(best_step),
        "batch": next((loss for _, loss in shown.batches[::-1] if loss is not None), math.nan),
        "second": min(others, default=math.nan),
        "norm": max(norms, default=math.nan),
        "update": rate * max(norms, default=math.nan),
    }
    for i, each in enumerate(recordings):
        found |= {f"loss{i}": _final(each), f"at{i}": float(each.step)}
    return found


def training_picture(
    plan: Plan, runs: Sequence[RunLabel], rates: Sequence[float], passes: Sequence[float]
) -> TrainingPayload:
    """The payload of `lessons/training/training.js` without the live numbers.

    `rates` and `passes` have one entry per run.
    """
    return {
        "runs": list(runs),
        "recorded": [
            {
                "label": LABELS[each.spec.model.kind],
                "steps": each.spec.steps,
                "why": each.why,
                "batches": each.batches,
                "evaluations": [(int(step or 0), loss) for step, loss, *_ in each.evaluations],
                "samples": each.samples,
            }
            for each in plan.recordings
        ],
        "longest": plan.specs[0].steps,
        "types": plan.types,
        "uniform": uniform_loss(plan.types),
        "truth": plan.truth,
        "says": places(plan, runs),
        "start": f"Start {len(plan.specs)} runs" if len(plan.specs) > 1 else "Start",
        "blocked": plan.blocked,
        "note": note(plan),
        "rates": rates,
        "passes": passes,
    }


def note(plan: Plan) -> list[str]:
    """When, on what and with which seed the recorded runs were made."""
    if not plan.recordings:
        return [] if plan.blocked else ["no run of these settings is recorded"]
    first = plan.recordings[0]
    date = datetime.date.fromisoformat(first.date)
    return [
        f"recorded on {date.day} {date:%B %Y}" + (f", {plan.differs}" if plan.differs else ""),
        f"{first.device}, seed {first.spec.seed}",
    ]


def spread(losses: Sequence[float]) -> str:
    """Losses in ascending order, in words."""
    return ", ".join(format_number(loss) for loss in sorted(losses))
