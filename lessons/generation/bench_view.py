"""The bench: strategies measured over many seeds, by the same metrics."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import NamedTuple

import streamlit as st
import torch

from lessons.generation import generation_text
from lessons.generation.generation_state import SETTINGS, GenerationState
from lmcore import parsing
from lmcore.decoding import bench as benches
from lmcore.decoding.bench import StrategyResult
from lmcore.decoding.strategies import STRATEGIES, Strategy, StrategySettings
from lmcore.decoding.writer import Writer
from ui import components, widgets
from ui.compute import BackgroundJob, JobPart, key_of

EVERY = 0.5
"""Seconds between two updates of the progress."""
WAIT = 0.5
"""Seconds to wait for a bench before its progress is shown."""
MOST_LENGTH = 100
"""The longest text on the bench, in tokens."""


class _Plan(NamedTuple):
    """The strategies, seeds and settings to measure."""

    names: tuple[str, ...]
    seeds: tuple[int, ...]
    length: int


def bench(scene: GenerationState) -> None:
    """Draw the benchmark: its controls, its progress and its table."""
    SETTINGS.draw("bench_shown")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        SETTINGS.draw("bench_seeds", "bench_length")
    plan = widgets.validated_or_previous(
        "bench", lambda: _plan(scene.seed), lambda: _opening(scene.seed)
    )
    results = _measured(scene, plan)
    if not results:
        return
    with_grammar = scene.writer.truth is not None
    st.markdown(" ".join(generation_text.bench_notice(results, with_grammar=with_grammar)))
    components.table(
        generation_text.bench_columns(with_grammar=with_grammar),
        generation_text.bench_rows(results, with_grammar=with_grammar),
        name="generation-bench",
        caption=f"Strategies by {len(plan.seeds)} seeds",
    )
    first, last = plan.seeds[0], plan.seeds[-1]
    st.caption(
        widgets.escape_markdown(
            f"{scene.writer.name}; seeds {first} to {last}. "
            f"{generation_text.bench_definitions(with_grammar=with_grammar)}"
        )
    )


def _plan(seed: int) -> _Plan:
    """Read and validate the state of the controls.

    Raises:
        ValueError: naming the setting whose value is invalid.
    """
    state = st.session_state
    typed = SETTINGS.several("bench_shown")
    unknown = [name for name in typed if name not in STRATEGIES]
    if unknown:
        known = ", ".join(STRATEGIES)
        raise ValueError(f"a strategy must be one of {known}; got {unknown[0]!r:.40}")
    names = tuple(name for name in STRATEGIES if name in typed)
    if not names:
        raise ValueError("there must be a strategy on the bench; got none")
    count = parsing.parse_integer(str(state["bench_seeds"]), "the number of seeds")
    length = parsing.parse_integer(str(state["bench_length"]), "the length")
    if not 1 <= length <= MOST_LENGTH:
        raise ValueError(f"the length must be from 1 to {MOST_LENGTH} tokens; got {length}")
    return _Plan(names, benches.seeds_from(seed, count), length)


def _opening(seed: int) -> _Plan:
    given = SETTINGS.defaults
    names = tuple(given["bench_shown"].split(", "))
    seeds = benches.seeds_from(seed, int(given["bench_seeds"]))
    return _Plan(names, seeds, int(given["bench_length"]))


def _measured(scene: GenerationState, plan: _Plan) -> list[StrategyResult]:
    """One row per strategy; a session keeps its rows, and can stop a running bench."""
    state = st.session_state
    keys = {key_of(_measuring(scene, plan, name)): name for name in plan.names}
    rows: dict[Hashable, StrategyResult] = {
        k: v for k, v in state.get("bench-rows", {}).items() if k in keys
    }
    missing = {key: name for key, name in keys.items() if key not in rows}
    job: BackgroundJob | None = state.get("bench-job")
    if job is not None and not (missing and missing.keys() <= job.parts.keys()):
        job.stop()
        job = None
    if missing and job is None:
        job = BackgroundJob({key: _part(scene, plan, name) for key, name in missing.items()})
    if job is not None:
        with st.spinner("Measuring"):
            job.wait(WAIT)
        rows |= {key: row for key, row in job.results.items() if key in keys}
    state["bench-job"], state["bench-rows"] = job, rows
    if job is not None and not job.done:
        _watch(job)
    elif job is not None and len(rows) < len(keys):
        if isinstance(job.error, ValueError):
            widgets.show_error(job.error)
        elif job.error is not None:
            raise job.error
        left = len(keys) - len(rows)
        st.warning(f"Stopped: {left} of {len(keys)} strategies are not measured.")
        st.button("Continue", key="bench-go-on", on_click=_again)
    return [rows[key] for key in keys if key in rows]


def _part(scene: GenerationState, plan: _Plan, name: str) -> JobPart:
    measure = _measuring(scene, plan, name)
    return JobPart(STRATEGIES[name].label, measure, lambda check: measure(on_token=check))


def _measuring(scene: GenerationState, plan: _Plan, name: str) -> partial[StrategyResult]:
    """The call that makes a row; everything that the row depends on is among its arguments."""
    how = STRATEGIES[name], scene.settings
    return partial(_measure, scene.writer, scene.prompt_ids, *how, plan.seeds, plan.length)


def _measure(
    writer: Writer,
    prompt: tuple[int, ...],
    strategy: Strategy,
    settings: StrategySettings,
    seeds: tuple[int, ...],
    length: int,
    on_token: Callable[[], object] | None = None,
) -> StrategyResult:
    ids = torch.tensor(prompt)
    return benches.measure_strategy(writer, ids, strategy, settings, seeds, length, on_token)


@st.fragment(run_every=EVERY)
def _watch(job: BackgroundJob) -> None:
    """Show the progress; when the job is done, draw the page again."""
    if job.done:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.share, job.label)
        st.button("Stop", key="bench-stop", on_click=job.stop)


def _again() -> None:
    """Measure the missing rows."""
    st.session_state["bench-job"] = None
