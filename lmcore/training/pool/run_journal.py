"""The journal of a run, a file beside its checkpoint: one line of JSON for each change.

The file is append-only, so that writing costs only what is new. A line truncated by a full disk or
a killed server is removed; the lines before it stay valid.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from lmcore.training.events import Evaluated, History
from lmcore.training.pool.control import check_title
from lmcore.training.pool.messages import Began
from lmcore.training.pool.runs import Computation, Run, RunState
from lmcore.training.spec import RunSpec

JOURNAL_FILE = "ledger.jsonl"
"""The name of the file in a run's folder."""
FORMAT = "language-models-live ledger 1"
NAME = re.compile(r"[\w-]{12}", re.ASCII)
SERVER_ENDED = "the server stopped during training; Resume continues from the last checkpoint"
PARSE_ERRORS = (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError)
"""The exceptions that parsing a malformed journal may raise."""


@dataclass(slots=True)
class RunJournal:
    """How much of a computation is on disk: valid bytes, and entries of each list."""

    path: Path
    size: int = 0
    losses: int = 0
    evaluations: int = 0
    samples: int = 0
    said: str = ""

    def write(self, of: Computation, *, curves: bool = True) -> None:
        """Append what is new; a failed write is repeated by the next one.

        Without `curves` only the status is written: state, step and followers.

        Raises:
            OSError: if it cannot be written.
        """
        text = "".join(
            json.dumps(line, ensure_ascii=False) + "\n" for line in self._changes(of, curves)
        )
        if not text:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            file.truncate(self.size)
            file.write(data := text.encode())
        self.size += len(data)
        self.said = _status_text(of)
        if curves:
            self.losses, self.evaluations, self.samples = _counts(of.history)

    def _changes(self, of: Computation, curves: bool) -> list[dict[str, Any]]:
        history = of.history
        lines: list[dict[str, Any]] = []
        if not self.size:
            lines.append({"format": FORMAT, "spec": of.spec.to_json()})
        if _status_text(of) != self.said:
            lines.append(_status(of))
        counts = _counts(history)
        if curves and counts != (self.losses, self.evaluations, self.samples):
            # A copy gets a history that may be shorter than its own so far.
            since = [*map(min, counts, (self.losses, self.evaluations, self.samples))]
            lines.append(
                {
                    "since": since,
                    "losses": _numbers(history.losses[since[0] :]),
                    "norms": _numbers(history.norms[since[0] :]),
                    "evaluations": [_evaluation(e) for e in history.evaluations[since[1] :]],
                    "samples": history.samples[since[2] :],
                    "tokens": history.tokens,
                }
            )
        return lines


def _counts(history: History) -> tuple[int, int, int]:
    return len(history.losses), len(history.evaluations), len(history.samples)


def _status(of: Computation) -> dict[str, Any]:
    began = of.began
    return {
        "names": sorted(of.followers),
        "held": {name: _held(run) for name, run in sorted(of.followers.items())},
        "state": of.state,
        "why": of.why,
        "device": of.device,
        "began": None if began is None else [began.types, began.parameters, began.truth],
    }


def _held(run: Run) -> list[str]:
    known = [run.owner, run.link, run.title]
    return known if run.link or run.title else [run.owner]


def _status_text(of: Computation) -> str:
    return json.dumps(_status(of))


def _numbers(values: Sequence[float]) -> list[float | str]:
    """JSON has no nan and no infinity: they are written as strings."""
    return [value if math.isfinite(value) else str(value) for value in values]


def _evaluation(evaluation: Evaluated) -> list[Any]:
    norms = [[layer, *_numbers([norm])] for layer, norm in evaluation.norms]
    return [evaluation.step, *_numbers([evaluation.loss]), norms]


def read_journal(folder: Path) -> tuple[Computation, RunJournal]:
    """A computation restored from its journal, and the journal, ready for appending.

    A computation that was active when the server ended is marked interrupted.

    Raises:
        ValueError: if the file is not a journal, or has no run.
        OSError: if it cannot be read.
    """
    path = folder / JOURNAL_FILE
    first, *rest = path.read_bytes().splitlines(keepends=True) or [b""]
    try:
        opening = json.loads(first)
        if opening["format"] != FORMAT:
            raise ValueError("another format")
        of = Computation(folder.name, RunSpec.from_json(opening["spec"]), folder, shared=False)
        size = len(first)
        for line in rest:
            if line.endswith(b"\n"):  # else the last line was truncated
                _take(of, json.loads(line))
                size += len(line)
    except PARSE_ERRORS as error:
        # The error's own message might contain a visitor's text.
        raise ValueError(
            f"a journal must have the format it was written in; {type(error).__name__}"
        ) from None
    if not of.followers:
        raise ValueError("a journal must name its runs; got none")
    if of.state in ("queued", "running", "copying", "interrupted"):
        of.state, of.why = "interrupted", SERVER_ENDED
    return of, RunJournal(path, size, *_counts(of.history))


def _take(of: Computation, record: dict[str, Any]) -> None:
    if "state" in record:
        _apply_status(of, **record)
    else:
        _extend_history(of.history, **record)


def _apply_status(
    of: Computation,
    names: list[str],
    state: RunState,
    why: str,
    device: str,
    began: list[Any] | None,
    held: dict[str, list[str]] | None = None,
) -> None:
    """Apply a status; without `held`, as in journals of an earlier version, runs have no owner."""
    if state not in get_args(RunState) or not all(NAME.fullmatch(name) for name in names):
        raise ValueError("no such state, or no name")
    of.followers = {name: _held_run(name, of, *(held or {}).get(name, ())) for name in names}
    of.state, of.why, of.device = state, str(why), str(device)
    if began is not None:
        types, parameters, truth = began
        known = None if truth is None else float(truth)
        of.began = Began(of.name, int(types), int(parameters), known)


def _held_run(name: str, of: Computation, owner: str = "", link: str = "", title: str = "") -> Run:
    return Run(name, of, str(owner), str(link), check_title(str(title)))


def _extend_history(
    history: History,
    since: list[int],
    losses: list[Any],
    norms: list[Any],
    evaluations: list[Any],
    samples: list[Any],
    tokens: int,
) -> None:
    at, known, sample_count = since
    if len(losses) != len(norms) or not 0 <= at <= len(history.losses):
        raise ValueError("a loss for each norm, from where the last line ended")
    history.losses[at:] = [float(loss) for loss in losses]
    history.norms[at:] = [float(norm) for norm in norms]
    history.evaluations[known:] = [_evaluated(*evaluation) for evaluation in evaluations]
    history.samples[sample_count:] = [(int(step), str(text)) for step, text in samples]
    history.tokens = int(tokens)


def _evaluated(step: int, loss: float | str, norms: list[Any]) -> Evaluated:
    return Evaluated(int(step), float(loss), tuple((str(n), float(norm)) for n, norm in norms))
