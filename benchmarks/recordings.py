"""Records the training runs that the examples of the page “Live training” show before Start.

    python -m benchmarks.recordings [example …]      all examples, or those of these labels

A recording that exists already is made again only if its example is named.
"""

from __future__ import annotations

import datetime
import sys

import torch

from lessons.training.state import LESSON, described_specs
from lmcore.device import device, share_cores
from lmcore.shipped import recordings


def main(labels: list[str]) -> None:
    """Record the runs of the examples of these labels, or of all."""
    share_cores()
    for preset in LESSON.presets:
        if labels and preset.label not in labels:
            continue
        for spec in described_specs(preset.settings):
            file = recordings.path(spec)
            if file.exists() and not labels:
                continue
            today = datetime.datetime.now(datetime.UTC).date().isoformat()
            made = recordings.record(spec, today, torch.device(device()))
            file.write_text(made.to_json() + "\n", "utf-8")
            print(f"{file.name}: {preset.label}, {made.final_loss} nats, {made.seconds} s")


if __name__ == "__main__":
    main(sys.argv[1:])
