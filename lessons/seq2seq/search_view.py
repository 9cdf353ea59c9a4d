"""The view “Search”: the page's source, and held-out ones, greedily and by beam search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

import ui
from lessons.seq2seq import search_text
from lessons.seq2seq.measured_text import ATTENTION, LABELS, SHARE_COLUMNS, VECTOR
from lessons.seq2seq.measured_view import (
    Sample,
    default_sample,
    draw_sample_controls,
    draw_texts,
    read_sample,
)
from lessons.seq2seq.seq2seq_state import LESSON, SETTINGS, TASK
from lessons.seq2seq.translated import Translated, translator
from lmcore import parsing
from lmcore.checks import check_between
from lmcore.corpora.translation import Words
from lmcore.dataframes import Table
from lmcore.decoding.beam import MAX_DIVERSITY, WIDEST
from lmcore.decoding.search_errors import (
    Hypothesis,
    SearchComparison,
    compare_searches,
    find_translations,
    target_log_p,
)
from lmcore.vocabulary import END
from ui import compute

MODELS = {"attention": ATTENTION, "vector": VECTOR}
"""Value of the setting → model."""
MOST_SENTENCES = 50
KEPT = 64


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """The model that translates, the width k of its beam, and the length penalty a."""

    name: str
    width: int
    penalty: float

    def __post_init__(self) -> None:
        """Raises ValueError naming what is out of bounds."""
        check_between("the beam width k", self.width, 1, WIDEST)
        if not abs(self.penalty) <= MAX_DIVERSITY:
            raise ValueError(
                f"the length penalty a must be from {-MAX_DIVERSITY:g} to {MAX_DIVERSITY:g}; "
                f"got {self.penalty:g}"
            )


def read_choice() -> SearchChoice:
    """The search that the controls describe.

    Raises:
        ValueError: naming what is wrong.
    """
    return SearchChoice(
        MODELS[SETTINGS.choice("s2_model")],
        parsing.parse_integer(SETTINGS.text("s2_width"), "the beam width k"),
        parsing.parse_number(SETTINGS.text("s2_penalty"), "the length penalty a"),
    )


def default_choice() -> SearchChoice:
    """The search that the page opens on."""
    its = LESSON.defaults
    return SearchChoice(MODELS[its["s2_model"]], int(its["s2_width"]), float(its["s2_penalty"]))


def search_view(shown: Translated) -> None:
    """Draw the hypotheses of a beam beside greedy search, and compare both on held-out text."""
    SETTINGS.draw("s2_model")
    left, right = st.columns(2)
    with left:
        SETTINGS.draw("s2_width")
    with right:
        SETTINGS.draw("s2_penalty")
    how = ui.validated_or_previous("s2-search", read_choice, default_choice)
    _on_the_stage(how, shown)
    _held_out(how)


def _on_the_stage(how: SearchChoice, shown: Translated) -> None:
    source, target = shown.pair.source, shown.pair.target
    steps = shown.free if how.name == ATTENTION else shown.vector
    greedy = tuple(word for word in shown.decode(steps.written) if word != END)
    one, found, log_p = _searched(how, source)
    st.markdown(search_text.search_finding(one[0], found, target, log_p))
    draw_texts(search_text.hypothesis_chips(found, target))
    st.caption(
        "Computed: every text that ended, the best score first. Struck out: not the word of the "
        "true target at this place, which is below. "
        f"{search_text.greedy_check(greedy, one[0])}"
    )
    ui.table(
        search_text.HYPOTHESIS_COLUMNS,
        search_text.hypothesis_rows(found, target),
        name="s2-hypotheses",
        caption=f"Ended hypotheses of beam search with k = {how.width}, {LABELS[how.name]}",
    )


def _searched(
    how: SearchChoice, source: Words
) -> tuple[Table[Hypothesis], Table[Hypothesis], float]:
    """The texts of width 1 and of the chosen width, and log p of the true target."""
    make = partial(_search, how, source)
    return compute.shared_result("translation searches", make, most=KEPT, says="Searching")


def _search(how: SearchChoice, source: Words) -> tuple[Table[Hypothesis], Table[Hypothesis], float]:
    network = translator(how.name).network
    return (
        find_translations(network, source, 1),
        find_translations(network, source, how.width, how.penalty),
        target_log_p(network, source, TASK),
    )


def measure_searches(sample: Sample, how: SearchChoice) -> SearchComparison:
    """Greedy against beam search on a sample."""
    return compare_searches(
        translator(how.name).network, sample.sources, TASK, how.width, how.penalty
    )


def read_search_sample() -> Sample:
    """The sample of the controls, limited to `MOST_SENTENCES` sentences.

    Raises:
        ValueError: naming what is wrong.
    """
    return _few(read_sample())


def _few(sample: Sample) -> Sample:
    return Sample(sample.length, min(sample.count, MOST_SENTENCES), sample.seed)


def _held_out(how: SearchChoice) -> None:
    st.markdown(f"**On held-out sentences**, at most {MOST_SENTENCES}")
    draw_sample_controls()

    def take(sample: Sample) -> tuple[SearchChoice, Sample, SearchComparison]:
        compared = compute.shared_result(
            "compared searches",
            partial(measure_searches, sample, how),
            most=KEPT,
            says="Searching both ways",
            apart=True,
        )
        return how, sample, compared

    its, sample, compared = ui.validated_or_previous(
        "s2-searches", lambda: take(read_search_sample()), lambda: take(_few(default_sample()))
    )
    st.markdown(
        f"Measured here on {sample.count} sentences of {sample.length} words. "
        f"{search_text.comparison_finding(compared, LABELS[its.name], its.width)}"
    )
    ui.table(
        ["search", *SHARE_COLUMNS],
        search_text.comparison_rows(compared),
        name="s2-searches",
        caption="Exact match of greedy and beam search; 95 % interval of the share",
    )
