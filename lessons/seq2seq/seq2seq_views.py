"""The views under the picture of an encoder–decoder."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

import ui
from drawing.steps import StepRow
from lessons.seq2seq import measured_view, search_view, train_view
from lessons.seq2seq.seq2seq_state import LESSON, SETTINGS, TASK, Seq2SeqState
from lessons.seq2seq.translated import Translated, translator
from lmcore.attention import translation_steps
from lmcore.corpora.translation import task_words, translate_aligned
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.models.soft_attention import SoftAttention
from lmcore.numbers import subscript
from ui import guide

TRAIN = "Train it here"
CROSS = "Cross-attention"
SHIFTED = "Shifted by one"
"""The view of an encoder–decoder Transformer, which the page draws as its picture."""


def hidden_by_beat() -> tuple[str, ...]:
    """The names of the numbers that the current beat hides."""
    beat = guide.beat(LESSON)
    return tuple(beat.hide) if beat else ()


def more_controls(now: Seq2SeqState, shown: Translated) -> None:
    """Draw the field of forced α, the forced steps that are not reached, and the known words."""
    SETTINGS.draw("s2_forced")
    steps = len(shown.attention.written)
    if beyond := [str(i) for i in sorted(now.forced) if i > steps]:
        st.caption(f"Not reached: step {', '.join(beyond)}. The translation ends at step {steps}.")
    st.caption(f"The words of a source: {', '.join(sorted(task_words(TASK)))}.")


def views(
    now: Seq2SeqState, shown: Translated, live: ui.LiveNumbers
) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
        CROSS: None,
        "Step by step": lambda: step_by_step(shown, live),
        "Length": ui.SeparateView(measured_view.length_view),
        "Permuted α": lambda: measured_view.permuted_view(shown),
        SHIFTED: None,
        "Teacher forcing": lambda: measured_view.teacher_view(shown),
        "Search": lambda: search_view.search_view(shown),
        TRAIN: train_view.train_view,
        "Code": lambda: source(now),
    }


# --- questions ------------------------------------------------------------------------------------


def named_place(shown: Translated, j: int) -> str:
    """A word of the source, at place j from 0, with its index: a source may have a word twice."""
    return f"x{subscript(j + 1)} {shown.source_words[j]}"


# --- views ----------------------------------------------------------------------------------------


def step_by_step(shown: Translated, live: ui.LiveNumbers) -> None:
    """Spell out one step of the decoder, and its scores and weights for every word."""
    rows = step_rows(shown, forced=shown.attention is not shown.free)
    ui.step_table(rows, live, caption="One step of the decoder, one operation per row")
    i = round(live["step"]) - 1
    st.markdown(f"**Step {i + 1}: every word of the source**")
    ui.table(
        ["word → written if all of αᵢ is on it", "score eᵢⱼ", "weight αᵢⱼ", "probability then"],
        place_rows(shown, i),
        name="weights",
        caption="Scores and weights of one step",
    )


def step_rows(shown: Translated, *, forced: bool) -> tuple[StepRow, ...]:
    """The rows of the step table; its numbers follow the slider."""
    its = translator("seq2seq_attention").network.config
    d, width, types = its.hidden, its.embedding, its.target_vocabulary
    score = {"dot": "sᵢ₋₁ · hⱼ", "cosine": "γ cos(sᵢ₋₁, hⱼ)", "mlp": "v · tanh(Wₐ sᵢ₋₁ + Uₐ hⱼ)"}
    assert its.score is not None
    weighed = "as forced, or exp eᵢⱼ / Σₖ exp eᵢₖ" if forced else "exp eᵢⱼ / Σₖ exp eᵢₖ"
    state, places = f"[{d}]", f"[{len(shown.source_words)}]"
    joined, output = f"[{width + d}] → [{d}]", f"[{2 * d + width}] → [{types}]"
    return (
        StepRow("state before", "", "‖sᵢ₋₁‖ = {before}", "sᵢ₋₁", "activation", state),
        StepRow("scores", score[its.score], "largest {e1}", "eᵢⱼ", "score", places),
        StepRow("weights", weighed, "largest {a1}", "αᵢⱼ", "weight", places),
        StepRow("their sum", "Σⱼ αᵢⱼ", "{sum}", "", "weight"),
        StepRow("context", "Σⱼ αᵢⱼ hⱼ", "‖cᵢ‖ = {context}", "cᵢ", "activation", state),
        StepRow("state", "GRU([E′[yᵢ₋₁]; cᵢ], sᵢ₋₁)", "‖sᵢ‖ = {state}", "sᵢ", "activation", joined),
        StepRow("logit of yᵢ", "U [sᵢ; cᵢ; E′[yᵢ₋₁]] + b", "{logit}", "z", "score", output),
        StepRow("probability", "exp z / Σ exp z", "{p}", "p(yᵢ)", "score"),
        StepRow("one vector", "p of the word that it writes itself", "{pv}", "", "loss"),
    )


def place_rows(shown: Translated, i: int) -> list[tuple[str, float, float, float]]:
    """For each word of the source its score, its weight, and the word that it alone gives."""
    its, trace = shown.attention, shown.attention.trace
    assert trace.scores is not None and trace.weights is not None
    assert its.alternatives is not None and its.alternative_probabilities is not None
    columns = trace.scores[0, i], trace.weights[0, i], its.alternative_probabilities[i]
    labels = [
        f"{named_place(shown, j)} → {word}"
        for j, word in enumerate(shown.decode(its.alternatives[i]))
    ]
    return list(zip(labels, *(column.tolist() for column in columns), strict=True))


def source(now: Seq2SeqState) -> None:
    """Show the code that ran, and a snippet that prints the translations of this page."""
    forced = {i - 1: j - 1 for i, j in sorted(now.forced.items())}
    given = f", forced={{i: one_place(j, len(source) + 1) for i, j in {forced}.items()}}"
    more = ", one_place" if forced else ""
    snippet = f"""from lmcore.attention.translation_steps import trace_translation{more}
from lmcore.corpora.translation import translate
from lmcore.shipped.models import load_translator

source = {" ".join(now.source)!r}.split()
print("true       ", " ".join(translate(source, "mixture")))
for name in ("seq2seq_attention", "seq2seq_vector"):
    network, vocabulary, spec, steps = load_translator(name)
    its = trace_translation(network, vocabulary, source)
    print(name, " ".join(vocabulary.decode(its.written.tolist())))

network, vocabulary, spec, steps = load_translator("seq2seq_attention")
its = trace_translation(network, vocabulary, source{given if forced else ""})
words = vocabulary.decode(its.written.tolist())
for word, weights in zip(words, its.trace.weights[0], strict=True):
    print(f"{{word:10}}", " ".join(f"{{weight:.2f}}" for weight in weights.tolist()))
"""
    ui.show_code(
        translation_steps.trace_translation,
        SoftAttention.forward,
        Seq2Seq.forward,
        translate_aligned,
        snippet=snippet,
        name="seq2seq",
    )
