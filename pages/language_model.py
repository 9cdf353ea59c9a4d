"""What a language model is: a sentence under counts and networks, and what each of them costs."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import ui
from lessons.language_model import advantages, counting, model_choices, perplexity_section
from lessons.language_model import context_worth as marks
from lessons.shared import probability_grid as words
from lmcore import parsing
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import costs, sentence
from lmcore.evaluation.sentence import SentenceAnswer, SentenceQuestion
from lmcore.models import ngram, scoring
from lmcore.models.language_model import LanguageModel
from lmcore.models.ngram import NGram
from lmcore.vocabulary import END, START
from ui import models, settings
from ui.models import ModelEntry

LESSON = ui.lesson("language_model")
VIEWS = (
    "Step by step",
    "Next word",
    "Loss and perplexity",
    "Why 0?",
    "Four advantages, one cost",
    "How much context is worth",
    "Training pairs",
    "Check yourself",
    "Code",
    "The slide says",
)
TABLE = 10  # words of the sentence that the bigram table shows
WINDOW = 7
ORDERS = (1, 2, 3, 4, 5)


@st.fragment
def lab() -> None:
    """Sentence and models above, since a sentence is wide; the grid below them."""
    top = st.container(key="presets")
    controls()
    question = ui.validated_or_previous("language_model", read_question, default_question)
    entries = model_choices.entries(question.models)
    answers = answer(question, entries)
    st.session_state["lm_word"] = str(question.place)
    picture(question, entries, answers)
    draw = (
        lambda: step_by_step(question, entries, answers),
        lambda: next_word(question, answers),
        lambda: perplexity_section.show(answers, len(microworld().vocabulary)),
        lambda: why_zero(question, entries),
        lambda: compare(entries),
        context_worth,
        lambda: training_pairs(question),
        lambda: predict(question, answers),
        lambda: source(question, answers),
        lambda: ui.slide_corrections("language_model"),
    )
    ui.sections(dict(zip(VIEWS, draw, strict=True)), key="lm_view")
    with top:
        ui.presets(LESSON)


def controls() -> None:
    """What is read, and who reads it."""
    settings.keep_in_address({**LESSON.defaults, "lm_loss": LESSON.looks["lm_loss"]})
    ui.check_address_value("lm_view", VIEWS)
    ui.check_address_value("lm_end", ("true", "false"))
    ui.check_address_value("lm_model", (*model_choices.labels(), words.GRAMMAR))
    left, right = st.columns([3, 4], gap="medium")
    with left:
        settings.text_field(
            "lm_text", "Sentence", "Change one word and watch which cells turn to 0"
        )
        settings.toggle("lm_end", "End with </s>: the sentence is over")
        known = st.expander("The words that the models know", key="lm_known", bind="query-params")
        if known.open:
            known.markdown(ui.escape_markdown(" ".join(microworld().vocabulary.tokens)))
    with right:
        label = f"Models, up to {sentence.MOST_MODELS}"
        settings.pills("lm_models", label, model_choices.labels(), many=True)


def read_question() -> SentenceQuestion:
    """The sentence and the models, as the controls describe them."""
    state = st.session_state
    names = tuple(name.strip() for name in state["lm_models"].split(",") if name.strip())
    ids = sentence.encode_sentence(
        microworld().vocabulary, state["lm_text"], end=state["lm_end"] == "true"
    )
    place = min(parsing.parse_integer(state["lm_word"], "the place of the word"), len(ids))
    question = SentenceQuestion(
        ids, names, place, parsing.parse_integer(state["lm_order"], "the order N")
    )
    for name in names:
        model_choices.entry(name)
    return question


def default_question() -> SentenceQuestion:
    """What the page opens on, where the address gives no question that can be read."""
    given = LESSON.defaults
    ids = sentence.encode_sentence(microworld().vocabulary, given["lm_text"])
    return SentenceQuestion(ids, tuple(given["lm_models"].split(", ")), int(given["lm_word"]))


def answer(
    question: SentenceQuestion, entries: Mapping[str, ModelEntry]
) -> dict[str, SentenceAnswer]:
    """What each model says, and the grammar; completed as well, where the sentence needs it."""
    every: dict[str, LanguageModel] = {each.label: each.model for each in entries.values()}
    every |= {words.GRAMMAR: microworld(), words.COMPLETED_GRAMMAR: microworld(complete=True)}
    answers = sentence.ask_models(every, question)
    if words.first_grammar_gap(answers) is None:
        del answers[words.COMPLETED_GRAMMAR]
    return answers


def picture(
    question: SentenceQuestion,
    entries: Mapping[str, ModelEntry],
    answers: Mapping[str, SentenceAnswer],
) -> None:
    """One row a model, one column a token; a cell that is pressed is looked at closer."""
    vocabulary = microworld().vocabulary

    def press(at: list[int]) -> None:
        name = [*entries, words.GRAMMAR, words.GRAMMAR][at[0]]
        ui.set_controls({"lm_word": str(at[1] + 1), "lm_model": name})

    looked_at = st.session_state["lm_model"]
    chosen = entries[looked_at].label if looked_at in entries else words.GRAMMAR
    told = words.sentence_grid(answers, question, vocabulary, chosen=chosen)
    ui.probability_grid("sentence", told, on_told=press)
    st.caption(
        "In each cell p(word | the words before it), on one scale from 0, dark, to 1, light; "
        "an empty cell with ✕ is exactly 0. Press a cell to look closer at it below."
    )
    ui.notice(*words.notice(answers, question, vocabulary), kind="measured here")


def place_choice(question: SentenceQuestion, *, after: bool) -> None:
    """The place looked at; with `after`, also what comes after the last word."""
    typed = microworld().vocabulary.decode(question.ids[1:])
    options = {str(place): f"{place} {word}" for place, word in enumerate(typed, start=1)}
    if after:
        options[str(len(question.ids))] = f"{len(question.ids)} next"
    settings.pills("lm_word", "Word", options)


def step_by_step(
    question: SentenceQuestion,
    entries: Mapping[str, ModelEntry],
    answers: Mapping[str, SentenceAnswer],
) -> None:
    """One model, one token a row: the chain rule with its numbers."""
    names = {name: each.label for name, each in entries.items()} | {words.GRAMMAR: words.GRAMMAR}
    if st.session_state["lm_model"] not in names:
        st.session_state["lm_model"] = next(iter(names))
    settings.pills("lm_model", "Model", names)
    name = st.session_state["lm_model"]
    sees = costs.context_length(entries[name].model if name in entries else microworld())
    tokens = microworld().vocabulary.decode(question.ids)
    st.latex(r"P(w_1 \dots w_T) = \prod_{t=1}^{T} p(w_t \mid w_1 \dots w_{t-1})")
    rows = words.step_rows(answers[names[name]], tokens, sees)
    ui.table(
        words.STEP_COLUMNS, rows, name="chain", caption=f"{names[name]}, one predicted token a row"
    )
    st.latex(words.formula(answers[names[name]].score))


def next_word(question: SentenceQuestion, answers: Mapping[str, SentenceAnswer]) -> None:
    """What each model expects at the place looked at, the grammar's expectation beside it."""
    place_choice(question, after=True)
    vocabulary = microworld().vocabulary
    before = " ".join(vocabulary.decode(question.before))
    st.markdown(f"After “{ui.escape_markdown(before)}”, the words that these models expect most:")
    tokens = sentence.likeliest_tokens(answers)
    ui.probability_grid("expected", words.expected_grid(answers, tokens, vocabulary))
    st.caption(words.expected_words(answers))


def why_zero(question: SentenceQuestion, entries: Mapping[str, ModelEntry]) -> None:
    """The counts behind one probability, without smoothing and with it; and the bigram table."""
    place_choice(question, after=False)
    place = min(question.place, len(question.ids) - 1)
    shown = {name: each for name, each in entries.items() if isinstance(each.model, NGram)}
    for name, each in (shown or model_choices.entries(("trigram", "trigram-kn"))).items():
        assert isinstance(each.model, NGram)
        trace = each.model.explain(question.ids[:place], question.ids[place])
        st.markdown(counting.explanation(each.model, trace, each.label))
        if each.model.config.interpolates:
            st.latex(counting.smoothing(each.model))
            rows = counting.explained_rows(trace, each.model.vocabulary)
            caption = f"How {each.label} comes to its probability"
            ui.table(counting.EXPLAINED_COLUMNS, rows, name=f"explained-{name}", caption=caption)
            st.caption(counting.explained_words(each.model))
    bigrams(question)


def bigrams(question: SentenceQuestion) -> None:
    """The bigram table at the words of the sentence: most cells are 0."""
    typed = list(dict.fromkeys(microworld().vocabulary.decode(question.ids[-TABLE:])))
    rows = model_choices.ngram(2, "none").table(
        [word for word in typed if word != END], [word for word in typed if word != START]
    )
    st.markdown(counting.table_words(rows))
    ui.probability_grid("bigrams", counting.table_grid(rows))


def compare(entries: Mapping[str, ModelEntry]) -> None:
    """What each model gives and takes, measured; what the lecture claims, and whether it holds."""
    found = {each.label: model_choices.measure_model(name, each) for name, each in entries.items()}
    learnt = {each.label: model_choices.learning_cost(each) for each in entries.values()}
    gives = [advantages.benefit_row(label, each) for label, each in found.items()]
    ui.table(advantages.BENEFIT_COLUMNS, gives, name="gives", caption="What each model gives")
    takes = [advantages.cost_row(label, each, learnt[label]) for label, each in found.items()]
    ui.table(advantages.COST_COLUMNS, takes, name="takes", caption="What each model takes")
    st.caption(advantages.measurement_words(next(iter(found.values()))))
    try:
        said = advantages.claims(found, learnt, model_choices.floors(WINDOW))
    except ValueError as error:
        ui.show_error(error)
        return
    for claim in said:
        st.markdown(f"**{claim.title}: {claim.verdict}.** {claim.why}")


def context_worth() -> None:
    """The floor under every model that sees k words, and where models stand above it."""
    shown = {f"{order}-gram": models.counted_ngram(order) for order in ORDERS}
    networks = model_choices.entries(("feedforward", "rnn", "lstm"))
    shown |= {each.label: each for each in networks.values()}
    floors, best = model_choices.floors(WINDOW), entropy.perplexity(microworld())
    found = {
        label: (
            costs.context_length(each.model),
            best * model_choices.relative_perplexity(label, each),
        )
        for label, each in shown.items()
    }
    ui.show_figure(
        marks.context_figure(floors, found, best, ui.theme_mode()),
        name="worth",
        reading="Line: no model that sees so few words gets below it, a theorem. Marks: "
        "Kneser–Ney n-grams and networks, measured.",
        alt=marks.describe_context_figure(floors, found, best),
    )
    rows = marks.floor_rows(floors, best)
    ui.table(marks.FLOORS, rows, name="floors", caption="The floor under each window")
    rows = marks.mark_rows(floors, found, best)
    ui.table(marks.MARKS, rows, name="marks", caption="Models above their floor")
    st.caption(
        "The floor is exp of the grammar's entropy given the last k words: computed. The marks are "
        "perplexities on test documents over the grammar's on the same, times the grammar's own. "
        + marks.below_floor_words(floors, found)
    )


def training_pairs(question: SentenceQuestion) -> None:
    """The text as its own labelled examples, through the window of an N-gram."""
    settings.pills("lm_order", "Order N", {str(n): str(n) for n in ORDERS})
    tokens = microworld().vocabulary.decode(question.ids)
    st.latex(r"P(w_t \mid w_1 \dots w_{t-1}) \approx P(w_t \mid w_{t-N+1} \dots w_{t-1})")
    st.markdown(counting.contexts_words(tokens, question.order))
    rows = counting.pair_rows(tokens, model_choices.ngram(question.order, "none"))
    caption = f"Training pairs of order {question.order}, and how often each was counted"
    ui.table(counting.PAIRED, rows, name="pairs", caption=caption)


def predict(question: SentenceQuestion, answers: Mapping[str, SentenceAnswer]) -> None:
    label, best = min(answers.items(), key=lambda each: each[1].score.perplexity)
    ui.check_yourself(
        f"Σ log p of {label} over the {len(question.ids) - 1} tokens is "
        f"{best.score.total:.4g}. What is its perplexity?",
        answer=best.score.perplexity,
        because="exp(−Σ log p / T): the mean surprise, as a number of equally likely words.",
        key="lm-perplexity",
    )
    trigram = model_choices.ngram(3, "none")
    ui.check_yourself(
        "Without smoothing, what is a trigram's p(fed | dog gets)?",
        answer=costs.fed_probability(trigram, "dog"),
        because="“dog gets” was never counted. After “cat gets” it is "
        f"{costs.fed_probability(trigram, 'cat'):.4g}.",
        key="lm-zero",
    )


def source(question: SentenceQuestion, answers: Mapping[str, SentenceAnswer]) -> None:
    completed = words.COMPLETED_GRAMMAR in answers
    snippet = counting.snippet(question, microworld().vocabulary, completed=completed)
    ui.show_code(
        sentence.ask_models,
        scoring.score,
        ngram.NGramConfig.share,
        snippet=snippet,
        name="sentence",
    )


ui.open_page("language_model")
lab()
ui.neighbour_links("language_model")
