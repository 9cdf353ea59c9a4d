"""The views of a sentence."""

from __future__ import annotations

import time
from collections.abc import Mapping

import streamlit as st
import torch

import ui
from drawing.events import Moved
from lessons.language_model import (
    lanes,
    language_model_figures,
    language_model_picture,
    language_model_text,
    model_choices,
)
from lessons.language_model.language_model_state import SETTINGS
from lmcore import parsing
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import costs, perplexity, sentence
from lmcore.evaluation.costs import ModelCosts
from lmcore.evaluation.sentence import SentenceAnswer, SentenceQuestion
from lmcore.models import ngram, scoring
from lmcore.models.ngram import NGram
from lmcore.models.scoring import uniform_loss
from lmcore.vocabulary import END, START
from ui import models
from ui.models import ModelEntry

TABLE = 10  # words of the sentence that the bigram table shows
WINDOW = 7
SOON = 0.5  # seconds after which the rows measured so far are shown
ORDERS = (1, 2, 3, 4, 5)


def place_choice(question: SentenceQuestion, *, after: bool) -> None:
    """The selected position; with `after`, also the one after the last word."""
    typed = microworld().vocabulary.decode(question.ids[1:])
    options = {str(place): f"{place} {word}" for place, word in enumerate(typed, start=1)}
    if after:
        options[str(len(question.ids))] = f"{len(question.ids)} next"
    SETTINGS.draw("lm_word", options=options)


def step_by_step(
    question: SentenceQuestion,
    entries: Mapping[str, ModelEntry],
    answers: Mapping[str, SentenceAnswer],
) -> None:
    """One model, one row per token: the chain rule with its numbers."""
    named = models.labels(entries) | lanes.TRUTHS
    names = {name: label for name, label in named.items() if label in answers}
    SETTINGS.draw("lm_model", options=names)
    name = SETTINGS.choice("lm_model", names)
    sees = costs.context_length(entries[name].model if name in entries else microworld())
    tokens = microworld().vocabulary.decode(question.ids)
    st.latex(r"P(w_1 \dots w_T) = \prod_{t=1}^{T} p(w_t \mid w_1 \dots w_{t-1})")
    rows = language_model_picture.step_rows(answers[names[name]], tokens, sees)
    ui.table(
        language_model_picture.STEP_COLUMNS,
        rows,
        name="chain",
        caption=f"{names[name]}, one row per predicted token",
    )
    st.latex(language_model_picture.formula(answers[names[name]].score))


def next_word(question: SentenceQuestion, answers: Mapping[str, SentenceAnswer]) -> None:
    """Each model's most probable words at the selected position, beside the grammar's."""
    place_choice(question, after=True)
    vocabulary = microworld().vocabulary
    before = " ".join(vocabulary.decode(question.before))
    st.markdown(f"After “{ui.escape_markdown(before)}”, the words that these models expect most:")
    tokens = sentence.likeliest_tokens(answers)
    ui.probability_grid(
        "expected", language_model_picture.expected_grid(answers, tokens, vocabulary)
    )
    st.caption(language_model_picture.expected_words(answers))


def why_zero(question: SentenceQuestion, entries: Mapping[str, ModelEntry]) -> None:
    """The counts behind one probability, without smoothing and with it; and the bigram table."""
    place_choice(question, after=False)
    place = min(question.place, len(question.ids) - 1)
    shown = {name: each for name, each in entries.items() if isinstance(each.model, NGram)}
    for name, each in (shown or model_choices.entries(("trigram", "trigram-kn"))).items():
        assert isinstance(each.model, NGram)
        trace = each.model.explain(question.ids[:place], question.ids[place])
        st.markdown(language_model_text.explanation(each.model, trace, each.label))
        if each.model.config.interpolates:
            st.latex(language_model_text.smoothing(each.model))
            rows = language_model_text.explained_rows(trace, each.model.vocabulary)
            caption = f"How {each.label} comes to its probability"
            ui.table(
                language_model_text.EXPLAINED_COLUMNS,
                rows,
                name=f"explained-{name}",
                caption=caption,
            )
            st.caption(language_model_text.explained_words(each.model))
    bigrams(question)


def bigrams(question: SentenceQuestion) -> None:
    """The bigram table at the words of the sentence: most cells are 0."""
    typed = list(dict.fromkeys(microworld().vocabulary.decode(question.ids[-TABLE:])))
    rows = model_choices.ngram(2, "none").table(
        [word for word in typed if word != END], [word for word in typed if word != START]
    )
    st.markdown(language_model_text.table_words(rows))
    ui.probability_grid("bigrams", language_model_text.table_grid(rows))


def why_no_comparison(entries: Mapping[str, ModelEntry]) -> str:
    """Why these models show no advantage of networks over counts; empty if they do."""
    counts = sum(isinstance(each.model, NGram) for each in entries.values())
    if counts and counts < len(entries):
        return ""
    return f"choose {'a network' if counts else 'an n-gram'} too, to compare counts with networks"


def compare(entries: Mapping[str, ModelEntry]) -> None:
    """Measure each model's quality and cost, and check the lecture's claims."""
    found: dict[str, ModelCosts] = {}
    so_far, drawn = st.empty(), time.monotonic()
    for each in entries.values():
        found[each.label] = model_choices.measure_model(each)
        last = len(found) == len(entries)
        if last or time.monotonic() - drawn > SOON:
            gives = [language_model_text.benefit_row(label, its) for label, its in found.items()]
            caption = "How well each model predicts" + ("" if last else ", so far")
            label = "gives" if last else f"gives-{len(gives)}"
            with so_far.container():
                ui.table(language_model_text.BENEFIT_COLUMNS, gives, name=label, caption=caption)
            drawn = time.monotonic()
    learned = {each.label: model_choices.learning_cost(each) for each in entries.values()}
    takes = [
        language_model_text.cost_row(label, each, learned[label]) for label, each in found.items()
    ]
    ui.table(language_model_text.COST_COLUMNS, takes, name="takes", caption="What each model costs")
    st.caption(language_model_text.measurement_words(next(iter(found.values()))))
    for claim in language_model_text.claims(found, learned, model_choices.floors(WINDOW)):
        st.markdown(f"**{claim.title}: {claim.verdict}.** {claim.why}")


def context_worth() -> None:
    """Draw the floor for k words of context, and the measured models above it."""
    shown = _models_by_context()
    floors, best = model_choices.floors(WINDOW), entropy.perplexity(microworld())
    found = {
        label: (
            costs.context_length(each.model),
            best * model_choices.relative_perplexity(each),
        )
        for label, each in shown.items()
    }
    ui.show_figure(
        language_model_figures.context_figure(floors, found, best, ui.theme_mode()),
        name="worth",
        reading="Line: no model that sees only that many words gets below it, a theorem. Marks: "
        "Kneser–Ney n-grams and networks, measured.",
        alt=language_model_figures.describe_context_figure(floors, found, best),
    )
    ui.table(
        language_model_figures.FLOOR_COLUMNS,
        language_model_figures.floor_rows(floors, best),
        name="floors",
        caption="The floor under each window",
    )
    ui.table(
        language_model_figures.MARK_COLUMNS,
        language_model_figures.mark_rows(floors, found, best),
        name="marks",
        caption="Models above their floor",
    )
    st.caption(
        "The floor is exp of the grammar's entropy given the last k words: computed. Each mark is "
        "a model's perplexity on test documents, divided by the grammar's on the same documents "
        "and multiplied by the grammar's own. "
        + language_model_figures.below_floor_words(floors, found)
    )


def _models_by_context() -> dict[str, ModelEntry]:
    """The counted n-grams and the shipped networks, by label."""
    shown = {f"{order}-gram": models.counted_ngram(order) for order in ORDERS}
    networks = model_choices.entries(("feedforward", "rnn", "lstm"))
    return shown | {each.label: each for each in networks.values()}


def training_pairs(question: SentenceQuestion) -> None:
    """List the training pairs that the text provides for an N-gram."""
    SETTINGS.draw("lm_order", options=[str(n) for n in ORDERS])
    tokens = microworld().vocabulary.decode(question.ids)
    st.latex(r"P(w_t \mid w_1 \dots w_{t-1}) \approx P(w_t \mid w_{t-N+1} \dots w_{t-1})")
    st.markdown(language_model_text.contexts_words(tokens, question.order))
    rows = language_model_text.pair_rows(tokens, model_choices.ngram(question.order, "none"))
    caption = f"Training pairs of order {question.order}, and how often each was counted"
    ui.table(language_model_text.PAIRED, rows, name="pairs", caption=caption)


def source(question: SentenceQuestion, answers: Mapping[str, SentenceAnswer]) -> None:
    """Show the code that ran, and a snippet that prints the grid on screen."""
    completed = lanes.COMPLETED_GRAMMAR in answers
    snippet = language_model_text.snippet(question, microworld().vocabulary, completed=completed)
    ui.show_code(
        sentence.ask_models,
        scoring.score,
        ngram.NGramConfig.share,
        snippet=snippet,
        name="sentence",
    )


def loss_and_perplexity(answers: Mapping[str, SentenceAnswer], types: int) -> None:
    """Draw loss and perplexity; opens at the loss of the best model, for `types` types."""
    found = language_model_figures.model_losses(answers)
    opens = found[0].loss if found else uniform_loss(types)
    left, right = st.columns(2, gap="medium")
    with left:
        loss = ui.validated_or_previous("surprise", lambda: read_loss(opens), lambda: opens)
        live = perplexity_slider_numbers(loss, uniform_loss(types))
        ui.sliders(live, on_settled=store_perplexity_slider)
        ui.step_table(
            language_model_figures.PERPLEXITY_STEPS,
            live,
            caption="From loss to perplexity and back",
        )
    with right:
        ui.show_figure(
            language_model_figures.perplexity_curve(found, loss, ui.theme_mode()),
            name="surprise",
            reading="A certain word has loss 0; the less likely the word, the higher the loss.",
            alt=language_model_figures.describe_perplexity_curve(found, loss),
        )
    st.markdown(language_model_figures.loss_words(found, types))


def read_loss(opens: float) -> float:
    """The loss last set by the sliders, or the view's default."""
    typed = st.session_state["lm_loss"]
    return perplexity.loss_from("loss", parsing.parse_number(typed, "the loss")) if typed else opens


def perplexity_slider_numbers(loss: float, highest: float) -> ui.LiveNumbers:
    """The numbers now and at every position of either slider: a loss, or a perplexity."""
    along = perplexity.slider_positions(loss, highest)
    now = perplexity.perplexity_trace(torch.tensor(loss, dtype=torch.float64)).by_name()
    sliders = [
        ui.Slider(
            name,
            label,
            spoken,
            perplexity.round_for_slider(float(now[name])),
            row.numpy(),
            help=look_for,
            role=role,
        )
        for (name, label, spoken, look_for, role), row in zip(
            language_model_figures.PERPLEXITY_SLIDERS, along, strict=True
        )
    ]
    swept = perplexity.perplexity_trace(torch.stack([along[0], along[1].log()]))
    return ui.live_numbers("surprise", now, sliders, swept.by_name())


def store_perplexity_slider(moved: Moved) -> None:
    """Store a released slider's value, or the number typed beside it."""
    name = moved["name"]
    try:
        loss = perplexity.loss_from(name, parsing.parse_number(moved["typed"], f"the {name}"))
        st.session_state["lm_loss"] = f"{loss:.12g}"
    except ValueError as error:
        ui.show_error_later(error)
