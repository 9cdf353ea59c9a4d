"""Records the training runs that pages show before the visitor starts a run.

    python -m benchmarks.recordings [example …]      all examples, or those of these labels

They are those of the examples of the page “Live training”, “translators” of the page
“Encoder–decoder”, and “switches” of the page “Transformer”. A recording that exists already is made
again only if its example is named.
"""

from __future__ import annotations

import datetime
import sys

import torch

from lessons.training.training_state import LESSON, described_specs
from lmcore.device import device, share_cores
from lmcore.shipped import recordings, switch_runs, translator_runs


def main(labels: list[str]) -> None:
    """Record the runs of the examples of these labels, or of all."""
    share_cores()
    examples = {preset.label: described_specs(preset.settings) for preset in LESSON.presets}
    examples["translators"] = translator_runs.EXAMPLES
    examples["switches"] = switch_runs.EXAMPLES
    for label, specs in examples.items():
        if labels and label not in labels:
            continue
        for spec in specs:
            file = recordings.path(spec)
            if file.exists() and not labels:
                continue
            today = datetime.datetime.now(datetime.UTC).date().isoformat()
            made = recordings.record(spec, today, torch.device(device()))
            file.write_text(made.to_json() + "\n", "utf-8")
            print(f"{file.name}: {label}, {made.final_loss} nats, {made.seconds} s")


if __name__ == "__main__":
    main(sys.argv[1:])
