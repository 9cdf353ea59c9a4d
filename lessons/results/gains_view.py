"""The views “Error reduction”, “Ablations” and “Time line”: what a change is worth, and when."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import streamlit as st

import ui
from lessons.results import results_figures
from lessons.results.quoted_table import check_table, draw_quoted
from lessons.results.results_picture import signed
from lessons.results.results_state import LESSON, LINES, SETTINGS
from lmcore import parsing
from lmcore.numbers import format_number
from lmcore.results.comparison import Comparison, compare, error_reduction
from lmcore.results.recomputed import recompute
from lmcore.results.tables import ResultTable, load_results
from lmcore.shipped.recordings import find_recording, find_recordings
from lmcore.shipped.switch_runs import BASES, LAYERS, WIDTH, switched_run
from ui import contents

SCORES = {
    "bleu": [("wmt", "de")],
    "glue": [("glue", "average")],
    "squad": [("roberta", "squad1"), ("albert", "squad1_f1")],
}
"""Score on the time line → the tables and measures that it is read from."""
YEARS = range(2016, 2021)
HEADS_ALONE = ("6 / 768 / 3", "6 / 768 / 12")
"""Rows of the BERT sizes that differ only in the number of heads."""
ONE_HEAD = switched_run(split=False)
OURS = (ONE_HEAD, *BASES)
"""Recorded runs of a GPT that differ only in the number of heads and the seed."""


# --- error reduction ------------------------------------------------------------------------------


def error_view() -> None:
    """Explain relative error reduction on two scores, and recompute ELMo’s six."""
    before, after = ui.validated_or_previous("re-errors", read_scores, default_scores)
    for column, name in zip(st.columns(2), ("re_before", "re_after"), strict=True):
        with column:
            SETTINGS.draw(name)
    st.markdown(error_finding(compare(before, after, scores=True)))
    checks = recompute("elmo")
    relative = [check for check in checks if check.key == "relative"]
    absolute = [check for check in checks if check.key == "absolute"]
    tasks = tuple(check.row for check in relative)
    points, removed = (tuple(float(each.value) for each in part) for part in (absolute, relative))
    ui.show_figure(
        results_figures.gains_figure(tasks, points, removed, ui.theme_mode()),
        name="elmo-gains",
        reading="Quoted: Peters et al. 2018, table 1; recomputed from its scores. Equal points "
        "(SRL, Coref) remove different shares of the errors.",
        alt="; ".join(
            f"{task}: {format_number(p)} points, {format_number(r)} % of the errors"
            for task, p, r in zip(tasks, points, removed, strict=True)
        ),
    )
    draw_quoted(check_table(checks, "elmo"))


def read_scores() -> tuple[float, float]:
    """Both scores of the controls.

    Raises:
        ValueError: naming what is wrong.
    """
    before = parsing.parse_number(SETTINGS.text("re_before"), "the score before")
    after = parsing.parse_number(SETTINGS.text("re_after"), "the score after")
    error_reduction(before, after)
    return before, after


def default_scores() -> tuple[float, float]:
    """The page's default scores: SQuAD before and after ELMo."""
    return float(LESSON.defaults["re_before"]), float(LESSON.defaults["re_after"])


def error_finding(both: Comparison) -> str:
    """What two scores mean as errors."""
    before, after = (format_number(each) for each in (both.before, both.after))
    wrong, left = (format_number(100 - each) for each in (both.before, both.after))
    share = format_number(100 * abs(both.removed))
    gone = f"removes **{share} %** of the errors" if both.removed >= 0 else f"adds **{share} %**"
    relative = ""
    if both.before:
        grown = format_number(100 * (both.ratio - 1))
        relative = f" The score itself changes by {grown} %, which is another number."
    return (
        f"From {before} to {after}, the distance to 100 is {left} points instead of {wrong}: "
        f"{format_number(both.difference)} / {wrong} {gone}.{relative}"
    )


# --- ablations ------------------------------------------------------------------------------------


def ablations_view() -> None:
    """Draw BERT’s two ablations, by pre-training task and by size, and compare heads in our GPT."""
    tasks_part(load_results("bert_tasks"))
    sizes_part(load_results("bert_sizes"))
    heads_part(load_results("bert_sizes"))
    page = contents.page("bert")
    st.page_link(
        page.script,
        label="Train a small BERT here",
        icon=page.icon,
        query_params={"see": "Train one"},
    )


def tasks_part(table: ResultTable) -> None:
    """What each change of the pre-training costs on each task."""
    first, *others = table.rows
    tasks = tuple(table.measures[key].label for key in table.scores)
    base, *scores = zip(*(table.values(key) for key in table.scores), strict=True)
    losses = {
        row.name: tuple(after - before for before, after in zip(base, values, strict=True))
        for row, values in zip(others, scores, strict=True)
    }
    st.markdown(
        tasks_finding({name: dict(zip(tasks, v, strict=True)) for name, v in losses.items()})
    )
    ui.show_figure(
        results_figures.losses_figure(tasks, tuple(losses.items()), ui.theme_mode()),
        name="bert-tasks",
        reading=f"Quoted: {table.source}; differences from {first.name} computed.",
        alt="; ".join(
            f"{name}, {task}: {format_number(value)}"
            for name, values in losses.items()
            for task, value in zip(tasks, values, strict=True)
        ),
    )
    ui.table(
        ["against BERT base", *tasks],
        [(name, *values) for name, values in losses.items()],
        name="bert-tasks",
        caption="Points against BERT base by pre-training and task",
    )


def tasks_finding(losses: Mapping[str, Mapping[str, float]]) -> str:
    """The tasks on which each change costs most; `losses` are points against BERT base."""
    without, leftward, stacked = losses.values()
    hurt = min(without, key=without.__getitem__)
    first, second = sorted(leftward, key=leftward.__getitem__)[:2]
    back = {task: stacked[task] - leftward[task] for task in (first, second)}
    return (
        f"**Pre-training tasks.** Without next-sentence prediction, {hurt} loses most: "
        f"**{format_number(without[hurt])}** points. Reading from the left only costs most on "
        f"{first} (**{format_number(leftward[first])}**) and {second} "
        f"({format_number(leftward[second])}). A BiLSTM on top changes these by "
        f"{signed(back[first])} and {signed(back[second])}."
    )


def sizes_part(table: ResultTable) -> None:
    """How the loss and the scores of three tasks change with the size."""
    perplexities = tuple(table.values("ppl"))
    scores = {table.measures[key].label: tuple(table.values(key)) for key in table.scores}
    names = tuple(row.name for row in table.rows)
    st.markdown(
        "**Size.** From 3 blocks to 24 the perplexity of masked words falls from "
        f"**{perplexities[0]}** to **{perplexities[-1]}**, which is "
        f"{format_number(math.log(perplexities[0]) - math.log(perplexities[-1]))} nats, and every "
        "task gains, even MRPC with its 3.5k training examples. The slide adds that depth did not "
        "help ELMo, which hands its vectors on and is not fine-tuned."
    )
    ui.show_figure(
        results_figures.sizes_figure(perplexities, tuple(scores.items()), names, ui.theme_mode()),
        name="bert-sizes",
        reading=f"Quoted: {table.source}. A perplexity of masked words is no perplexity of a "
        "left-to-right model.",
        alt="; ".join(
            f"{name}: perplexity {p}" for name, p in zip(names, perplexities, strict=True)
        ),
    )
    nats = [math.log(each) for each in perplexities]
    ui.table(
        [table.heading, "perplexity", "nats per word", *scores],
        list(zip(names, perplexities, nats, *scores.values(), strict=True)),
        name="bert-sizes",
        caption="BERT by size: perplexity, its logarithm, accuracies in %",
    )


def heads_part(table: ResultTable) -> None:
    """The effect of the number of heads: two rows of the table, and the recorded runs of a GPT."""
    rows = heads_rows(table)
    st.markdown(heads_finding(rows))
    ui.table(
        ["model", "heads n_h", "perplexity", "nats per word"],
        [(name, heads, each, math.log(each)) for name, heads, each in rows],
        name="heads-alone",
        caption="The same model with fewer and with more heads",
    )
    if run := find_recording(ONE_HEAD):
        st.caption(
            f"Ours: a GPT of {run.parameters:,} weights after {run.step:,} steps on the "
            f"Microworld, recorded on {run.date}. It predicts the next word, BERT a masked one: "
            "compare the heads of a model, not the two models."
        )
    page = contents.page("transformer")
    switches = {"see": "Switches"}
    st.page_link(page.script, label="Switch parts off", icon=page.icon, query_params=switches)


def heads_rows(table: ResultTable) -> list[tuple[str, float, float]]:
    """Name, heads and perplexity of BERT’s two rows, then of our recorded runs, one head first."""
    both = zip(table.rows, table.values("heads"), table.values("ppl"), strict=True)
    quoted = [
        (f"BERT {row.name}, quoted", heads, perplexity)
        for row, heads, perplexity in both
        if row.name in HEADS_ALONE
    ]
    ours = [
        (f"ours, seed {run.spec.seed}", float(run.spec.model.heads), math.exp(run.final_loss))
        for run in find_recordings(OURS)
        if run.final_loss is not None
    ]
    return [*quoted, *ours]


def heads_finding(rows: Sequence[tuple[str, float, float]]) -> str:
    """What the number of heads changes, in BERT’s rows and in our runs."""
    (_, few, high), (_, many, low), (_, _, one), *four = rows
    ends = sorted(each for _, _, each in four)
    inside = ends[0] <= one <= ends[-1]
    return (
        f"**Heads alone.** Two rows of the table differ only in #A: from {few:.0f} heads to "
        f"{many:.0f} the perplexity falls from **{high}** to **{low}**. In our GPT with {LAYERS} "
        f"blocks and d = {WIDTH}, one head ends at **{format_number(one)}**; four heads end, by "
        f"seed, from **{format_number(ends[0])}** to **{format_number(ends[-1])}**. This one run "
        f"shows {'no' if inside else 'a'} difference."
    )


# --- time line ------------------------------------------------------------------------------------


def timeline_view() -> None:
    """Draw a score of the decks’ systems by the month in which they were first public."""
    SETTINGS.draw("re_line")
    name = SETTINGS.choice("re_line")
    marks = timeline_marks(name)
    first, last = marks[0], max(marks, key=lambda mark: mark[2])
    st.markdown(
        f"**{LINES[name]}**: from **{first[2]}** ({first[1]}, {first[0]}) to **{last[2]}** "
        f"({last[1]}, {last[0]})."
    )
    ui.show_figure(
        results_figures.timeline_figure(marks, LINES[name], ui.theme_mode()),
        name="timeline",
        reading="Scores quoted from the tables; months from memory, not checked. "
        f"Read from {', '.join(dict.fromkeys(mark[3] for mark in marks))}.",
        alt="; ".join(f"{label}, {month}: {value}" for month, label, value, _ in marks),
    )
    events = [event for event in contents.TIMELINE if event.year in YEARS]
    st.markdown("**The deck’s timeline in these years**")
    st.markdown("\n".join(f"- **{event.year}** {event.label}: {event.text}" for event in events))


def timeline_marks(name: str) -> tuple[tuple[str, str, float, str], ...]:
    """Month, label, score and source of each system with a month, in order."""
    found = list[tuple[str, str, float, str]]()
    for table, key in ((load_results(table), key) for table, key in SCORES[name]):
        for row, value in zip(table.rows, table.values(key), strict=True):
            if row.month and not math.isnan(value):
                found.append((row.month, row.short, value, table.source))
    return tuple(sorted(found))
