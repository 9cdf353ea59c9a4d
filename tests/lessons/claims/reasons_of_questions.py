"""Claims of the reasons shown after an answer, for reasons without a number of the page."""

import math

import torch
import torch.nn.functional as F

from lessons.lstm import lstm_questions
from lessons.masking import masking_questions
from lessons.results import results_plot, results_questions
from lessons.results.results_picture import Pair
from lessons.training import training_questions
from lessons.training.training_plan import read_plan
from lessons.training.training_state import described_specs
from lmcore.masking.without_causal_mask import load_recording
from lmcore.recurrence import recall
from lmcore.recurrence.recall import RecallSpec
from lmcore.results.recomputed import recompute
from lmcore.results.tables import load_results
from lmcore.shipped.recordings import find_recording
from ui.lessons import lesson

(DIVERGES,) = (
    each.settings
    for each in lesson("training").presets
    if each.label == "Too large a learning rate"
)


def asked(page):
    """The questions of a page at its first example, or at the example that they are about."""
    plot = results_plot.make_plot("glue", results_plot.TASKS, "average")
    return {
        "masking": lambda: masking_questions.live_leakage_questions(load_recording()),
        "lstm": lambda: lstm_questions.recall_questions(recall.load_results()),
        "results": lambda: results_questions.questions(plot, Pair(4, 2, 0)),
        "training": lambda: training_questions.questions(read_plan(described_specs(DIVERGES), "")),
    }[page]()


def arriving(cell, distance):
    """The gradient at the first symbol ÷ the gradient at the last symbol before the question."""
    network, found = recall.network(RecallSpec(cell)), []

    def keep(_, __, output):
        output.retain_grad()
        found.append(output)

    network.embedding.register_forward_hook(keep)
    drawn = recall.sequences(distance, 64, torch.Generator().manual_seed(1))
    F.cross_entropy(network.logits_and_state(drawn.tokens)[0][:, -1], drawn.answers).backward()
    by_place = found[0].grad.norm(dim=(0, 2))
    return float(by_place[0] / by_place[-2])


def diverging():
    return find_recording(described_specs(DIVERGES)[0])


REASONS = {
    ("masking", "lower", "It sees the word that it must predict and copies it"): lambda: (
        (run := load_recording().runs[1]).loss < load_recording().runs[0].loss
        and run.loss < run.grammar_loss < math.log(282) < run.loss_without_future
    ),
    ("masking", "possible", "When it writes, the next word is not there to be copied"): lambda: (
        load_recording().runs[1].possible == 0 < load_recording().runs[0].possible
    ),
    ("lstm", "recalled", "Over so many steps next to no gradient comes back"): lambda: (
        arriving("rnn", 20) < 1e-5 < 100 * arriving("rnn", 20) < arriving("lstm", 20)
    ),
    ("results", "average", "638.5 / 9, so 70.9"): lambda: (
        round(sum(map(float, glue_scores("BiLSTM+ELMo+Attn"))), 1) == 638.5
        and round(638.5 / 9, 1) == 70.9
    ),
    ("results", "average", "Of the 5 averages, 4 come out"): lambda: (
        [
            round(sum(map(float, glue_scores(row.name))) / 9, 1) == float(row.cells[-1])
            for row in load_results("glue").rows
        ].count(True)
        == 4
        and len(recompute("glue")) == 5
    ),
    ("results", "errors", "100 · 4.7 / 18.9: the slide’s 24.9%. The score itself grew by 5.8 %"): (
        lambda: round(100 * (85.8 / 81.1 - 1), 1) == 5.8 and round(100 * 4.7 / 18.9, 1) == 24.9
    ),
    (
        "training",
        "diverges",
        "The steps overshoot: at step 10 the validation loss was 896",
    ): lambda: (
        (run := diverging()).evaluations[-1][0] == 10
        and round(run.evaluations[-1][1]) == 896 > run.evaluations[0][1]
        and min(loss for step, loss in run.batches if step > 1) > math.log(run.types)
    ),
    ("training", "diverges", "and at step 20 the run was stopped"): lambda: (
        diverging().step == diverging().batches[-1][0] == 20
    ),
}
"""(Page, question, what its reason says) → whether the numbers bear it out."""


def glue_scores(row):
    table = load_results("glue")
    return [table.printed(table.row(row), key) for key in table.scores]
