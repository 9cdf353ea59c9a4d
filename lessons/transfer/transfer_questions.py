"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.transfer import transfer_picture
from lessons.transfer.sequences_picture import DELIMITER, EXTRACT, START
from lessons.transfer.small_head_picture import HeadState, depths, followed
from lessons.transfer.transfer_state import NETWORK_NAMES, TASK_NAMES, TransferState
from lessons.transfer.transfer_text import reason_for_scratch
from lessons.transfer.use_state import USES
from lessons.transfer.uses import roles_picture
from lessons.transfer.uses.first_vector_picture import SLIDE, Embedded
from lessons.transfer.uses.found_picture import MOST, Search
from lessons.transfer.uses.one_prompt_picture import NAMES, PromptState
from lmcore.numbers import format_number
from lmcore.transfer.curves import FROZEN_LABELS
from lmcore.transfer.networks import part_sizes
from lmcore.transfer.tasks import TASKS


def questions(now: TransferState, live: ui.LiveNumbers) -> list[ui.Question]:
    """The questions: training from scratch, trained weights, the initial loss, the order."""
    name, title = NETWORK_NAMES[now.network], TASK_NAMES[now.task]
    return [
        ui.Question(
            "scratch",
            f"“{title}” with {now.labels:,} labels: from scratch, what share is right?",
            live["scratch"],
            reason_for_scratch(live),
            hint="The most frequent answer has a dashed line; the pre-trained curve is drawn.",
            hides=("scratch",),
        ),
        ui.Question(
            "learn",
            f"{name}, used as features: only the new head learns. How many weights?",
            float(transfer_picture.head_weights(now.network, now.task)),
            "W has one row a label and one column a number of z; b has one number a label"
            + (", and the mixture w and γ learn too." if now.network == "bilm" else "."),
            hint="Press the top block: everything below the head is frozen.",
            hides=("learn",),
        ),
        ui.Question(
            "start",
            "A new head for three labels starts with almost equal scores. What is its first loss, "
            "in nats?",
            1.0986,
            "−log ⅓ = ln 3.",
            hint="Each label has probability ⅓.",
        ),
        ui.Question(
            "order",
            "A GPT reads a text, then the question. Can the vector of a word of the text depend "
            "on the question?",
            "no",
            "The mask lets a word see what is before it only. Put the question first.",
            options=("yes", "no"),
        ),
    ]


def roles_questions(network: str, task: str) -> list[ui.Question]:
    """The question: how many weights learn where only a head is added."""
    head, old, *sizes = roles_picture.weights_of(network, task)
    top = sizes[0]
    options = [head, head + top, head + sum(sizes), old + sum(sizes)]
    return [
        ui.Question(
            "roles-features",
            f"{NETWORK_NAMES[network]} as features for “{TASK_NAMES[task]}”: how many weights "
            "learn?",
            f"{head:,}",
            "Only the new head learns; every part of the network stays as pre-training left it.",
            hint="A green part learns; count the parts of that column that do.",
            options=tuple(f"{each:,}" for each in dict.fromkeys(options)),
            hides=tuple(f"learn {n}" for n in range(len(USES))),
        )
    ]


def sequences_questions() -> list[ui.Question]:
    """The question: which vector the head of the first GPT reads."""
    return [
        ui.Question(
            "sequences-read",
            "The first GPT reads from the left. Which mark’s vector does its head read?",
            EXTRACT,
            "Only the last token has seen the whole input.",
            hint="What has each mark seen?",
            options=(START, DELIMITER, EXTRACT),
            hides=("read",),
        )
    ]


def prompt_questions(state: PromptState) -> list[ui.Question]:
    """The question: which candidate the model puts into the gap; none where it cannot be asked."""
    if not state.scores:
        return []
    candidates = state.prompt.candidates
    hides = tuple(f"p {m} {c}" for m in range(len(state.scores)) for c in range(len(candidates)))
    return [
        ui.Question(
            "prompt-gap",
            f"Which word does {NAMES[state.model]} put into the gap?",
            candidates[state.best],
            f"Its p is the larger one, {format_number(state.scores[state.model][state.best])}.",
            hint="It has learned which words stand together, and nothing of the task.",
            options=tuple(candidates),
            hides=hides,
        )
    ]


def found_questions(search: Search) -> list[ui.Question]:
    """The question: how many passages both ways of searching find; none if there is one way."""
    if search.by_meaning is None or search.first is None:
        return []
    return [
        ui.Question(
            "found-both",
            f"Each way finds {MOST} passages. How many do both find?",
            _passages(search.both),
            "A passage may mean the same in other words, or share words and mean something else.",
            hint="Bold words stand in the question.",
            options=tuple(_passages(n) for n in range(MOST + 1)),
            hides=("both",),
        )
    ]


def _passages(count: int) -> str:
    return "1 passage" if count == 1 else f"{count} passages"


def two_losses_questions(live: ui.LiveNumbers) -> list[ui.Question]:
    """The question: the sum of the two losses with the current λ."""
    task, language, weight = (live[name] for name in ("task", "language", "weight"))
    return [
        ui.Question(
            "two-losses",
            f"L₂ = {format_number(task)}, L₁ = {format_number(language)} and λ = "
            f"{format_number(weight)}. What is L₃, the loss that is made smaller?",
            live["total"],
            f"L₂ + λ L₁ = {format_number(task)} + {format_number(weight)}·"
            f"{format_number(language)}.",
            hint="λ weighs the language model’s loss; the task’s counts whole.",
            hides=("total", "product"),
        )
    ]


def small_head_questions(state: HeadState) -> list[ui.Question]:
    """The questions: how many weights learn, what the head answers, and how deep to freeze."""
    return [_weights_that_learn(state), _answer(state), _depth(state)]


def _weights_that_learn(state: HeadState) -> ui.Question:
    now = state.now
    labels, width = state.trace.weights.shape
    sizes = part_sizes(now.network)
    head = f"{transfer_picture.head_weights(now.network, now.task):,}"
    options = (f"{labels}", head, f"{width * width:,}", f"{sum(sizes):,}")
    return ui.Question(
        "head-weights",
        f"“{TASK_NAMES[now.task]}”: {sum(sizes):,} weights are kept. How many must learn?",
        head,
        f"W has one row a label and one column a number of z: {labels} · {width}, and {labels} "
        "for b" + (", besides the mixture’s w and γ." if now.network == "bilm" else "."),
        hint="Only the head is new; it reads vectors of the network.",
        options=options,
        hides=("learn",),
    )


def _answer(state: HeadState) -> ui.Question:
    trace = state.trace
    hides = tuple(
        f"{kind} {place} {label}"
        for kind in "sp"
        for place in range(len(trace.places))
        for label in range(len(trace.labels))
    )
    if state.is_span:
        first, last = state.best
        tokens = [trace.tokens[place] for place in trace.places]
        options = tuple(dict.fromkeys(tokens))
        return ui.Question(
            "head-first",
            "With which word does the answer begin, as the head says?",
            tokens[first],
            f"p(first) is largest there; it ends at “{tokens[last]}”.",
            options=options,
            hides=(*hides, "right"),
        )
    place = followed(state)
    best = state.best[place]
    word = ui.escape_markdown(trace.tokens[trace.places[place]])
    ask = "What does the head answer?"
    if TASKS[state.now.task].reads == "tags":
        ask = f"Which tag does “{word}” get?"
    return ui.Question(
        "head-answer",
        ask,
        trace.labels[best],
        f"Its share is the largest, {format_number(float(trace.probabilities[place, best]))}.",
        options=trace.labels,
        hides=(*hides, "right"),
    )


def _depth(state: HeadState) -> ui.Question:
    found = depths(state.now)
    best = max(range(len(found)), key=lambda depth: found[depth].mean)
    return ui.Question(
        "head-depth",
        f"With {FROZEN_LABELS[0]} labels, how many parts are frozen when most answers are right?",
        float(best),
        f"{found[best].mean:.3f} right; with all parts frozen {found[-1].mean:.3f}.",
        hint="Parts that learn fit the task, and a hundred labels are few for many weights.",
        hides=(
            *("mean", "frozen", "learn"),
            *(f"{name} {depth}" for name in ("mean", "low", "high") for depth in range(len(found))),
        ),
    )


def first_vector_questions(found: Embedded) -> list[ui.Question]:
    """The question: whose vector the slide's snippet prints."""
    tokens = found.tokens
    options = tuple(dict.fromkeys((tokens[1], tokens[0], tokens[-1]))) if len(tokens) > 2 else ()
    if len(options) < 2:
        return []
    return [
        ui.Question(
            "first-vector",
            f"The slide prints {SLIDE}. Whose vector is it?",
            tokens[0],
            f"The tokenizer puts {tokens[0]} in front, so the first word is emb[0][1].",
            hint="What does the tokenizer put around a text?",
            options=options,
            hides=("row",),
        )
    ]
