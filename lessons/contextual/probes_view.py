"""The views “Probes”, “Which layer?” and “In a tagger”: what was measured once, by a command."""

from __future__ import annotations

import streamlit as st

import ui
from lessons.contextual import contextual_figures, recorded_text
from lessons.contextual.contextual_state import SETTINGS
from lmcore.contextual.mixing import TABLE_7
from lmcore.contextual.record import DOCUMENTS, MODELS, Recorded, load_record
from lmcore.contextual.tasks import TASKS


def probes_view() -> None:
    """Draw the accuracy of linear probes by layer, with controls, and the order of the tasks."""
    record, task = load_record(), SETTINGS.choice("pr_task")
    st.markdown(f"**{TASKS[task].asks}** {recorded_text.finding_of_probes(record, task)}")
    SETTINGS.draw("pr_task")
    ui.show_figure(
        contextual_figures.probes_figure(record, task, ui.theme_mode()),
        name="probes",
        reading="Thick: a linear probe of each layer. Dotted: its control task, a random class "
        "for each word, which a probe can only learn by heart. Selectivity is the difference.",
        alt="; ".join(
            f"{label}: "
            + ", ".join(f"{s.accuracy:.2f}" for s in recorded_text.scores_of(record, model, task))
            for model, label in MODELS.items()
        ),
    )
    scores = [score for score in record.probes if score.task == task]
    ui.table(
        ["model", "layer", "accuracy", "control", "selectivity", "words tested"],
        [(MODELS[s.model], s.layer, s.accuracy, s.control, s.selectivity, s.words) for s in scores],
        name="probes",
        caption=f"Linear probes of {task}, with control tasks",
    )
    _order_of_tasks(record)
    st.caption(
        f"Recorded on {record.date} with {DOCUMENTS:,} documents of the Microworld, one in twenty "
        "held out to test. MiniLM was never trained on them. The sense task has eight words only: "
        "its control is learned by heart everywhere, so read the accuracy, not the selectivity."
    )


def _order_of_tasks(record: Recorded) -> None:
    st.markdown(
        f"**In which order?** BERT, says the slide, rediscovers the pipeline: "
        f"{recorded_text.PIPELINE}. Ours, by expected layer, as it came out:"
    )
    orders = [recorded_text.order_of_tasks(record, model) for model in MODELS]
    st.markdown("\n".join(f"- {order}" for order in orders))
    ui.show_figure(
        contextual_figures.order_figure(record, ui.theme_mode()),
        name="order",
        reading="The expected layer: the mean of the layers, each weighted by what it adds to the "
        "best accuracy below it.",
        alt="; ".join(orders),
    )


def combinations_view() -> None:
    """Draw the six ways to make one vector of the layers: the paper's F1, and ours."""
    record, task = load_record(), SETTINGS.choice("pr_task")
    st.markdown(
        f"{recorded_text.finding_of_combinations(record, task)} The first layer is the embedding."
    )
    SETTINGS.draw("pr_task")
    ui.show_figure(
        contextual_figures.combination_figure(record, task, ui.theme_mode()),
        name="combinations",
        reading=f"Quoted: Devlin et al. 2019, Table 7, with weighted sums. Ours: a linear probe, "
        f"recorded on {record.date}.",
        alt="; ".join(
            f"{name}: F1 {TABLE_7[name]}, ours {record.combinations[task][name]:.3f}"
            for name in TABLE_7
        ),
    )
    ui.table(
        ["vector", "Table 7, F1", *TASKS],
        [
            _row(how, f1, *(record.combinations[name][how] for name in TASKS))
            for how, f1 in TABLE_7.items()
        ],
        name="combinations",
        caption="One vector of all layers: the paper’s scores, and ours for five tasks",
    )


def tagger_view() -> None:
    """Draw what ELMo adds to a tagger with few labels, and what λ does to its shares."""
    record = load_record()
    tasks = tuple(dict.fromkeys(run.task for run in record.taggers))
    st.markdown(recorded_text.finding_of_taggers(record))
    st.markdown(
        "At the **input** the tagger reads [xₖ; ELMoₖ], at the **output** it scores [hₖ; ELMoₖ]. "
        "Its loss is L + λ‖w‖²."
    )
    ui.show_figure(
        contextual_figures.tagger_figure(record, tasks, ui.theme_mode()),
        name="taggers",
        reading="Bars: mean; whiskers: lowest and highest of the seeds. The reader is a GRU from "
        "both sides, trained on these texts alone; the biLM is frozen.",
        alt="; ".join(
            f"{task}, {place}: {middle:.3f}"
            for task in tasks
            for (place, penalty), (middle, *_) in recorded_text.tagger_means(
                record.taggers, task
            ).items()
            if penalty == 0
        ),
    )
    st.markdown("**λ** pulls w to 0, and with it s to the mean of the layers:")
    rows = [run for run in record.taggers if run.placement == "input" and run.seed == 0]
    ui.table(
        ["task, at the input", "λ", "accuracy", *(f"s of layer {j}" for j in range(3))],
        [_row(run.task, run.penalty, run.accuracy, *run.shares) for run in rows],
        name="tagger-penalty",
        caption="Accuracy and shares by λ, seed 0",
    )
    st.caption(
        f"{rows[0].texts} labelled texts, dropout 0.2 on ELMoₖ and hₖ; recorded on {record.date}."
    )


def _row(label: str, *numbers: float) -> tuple[str, *tuple[float, ...]]:
    return label, *numbers
