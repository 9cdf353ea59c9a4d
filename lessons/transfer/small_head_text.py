"""The sentences, the formulas and the description of one small head on a kept network."""

from __future__ import annotations

from drawing.live import quoted
from lessons.transfer import transfer_picture
from lessons.transfer.small_head_picture import LETTERS, HeadState, depths, followed
from lessons.transfer.transfer_state import NETWORK_NAMES
from lmcore.transfer.curves import FROZEN_LABELS
from lmcore.transfer.heads import BATCH, LABELS, STEPS
from lmcore.transfer.networks import part_sizes
from lmcore.transfer.tasks import TASKS

ASKS = {
    "text": "What does it say of the text?",
    "pair": "Does the second text follow?",
    "tags": "Which tag does each word get?",
    "span": "Where does the answer begin and end?",
}
"""How a head reads → what is asked before it answers."""
RECORDED = (
    f"The network is frozen; the head was trained once on {LABELS:,} labels of the Microworld, in "
    f"{STEPS} steps of {BATCH} texts. Its answers are computed now. The accuracies by frozen parts "
    f"are those of recorded runs on {FROZEN_LABELS[0]} labels, five seeds each."
)


def matrix(state: HeadState) -> str:
    """The name of the head's matrix."""
    return f"W_{LETTERS[TASKS[state.now.task].reads]}"


def sentences(state: HeadState) -> list[str]:
    """The findings as templates: with a freeze line, that of no, of some and of all parts."""
    return _of_freezing(state) if state.shown == "freeze" else [_of_head_or_answer(state)]


def _of_head_or_answer(state: HeadState) -> str:
    if state.shown == "head":
        return _of_head(state)
    if state.is_span:
        return _of_span(state)
    return _of_tags(state) if TASKS[state.now.task].reads == "tags" else _of_text(state)


def _of_freezing(state: HeadState) -> list[str]:
    parts = state.now.parts
    ends = f"from {FROZEN_LABELS[0]} labels: =={{mean}}== of the answers are right."
    return [
        f"**All weights** learn {ends}",
        f"**{{frozen}} of {parts} parts** stay as they are, the others learn {ends}",
        f"**All {parts} parts** stay as they are, only the head learns {ends}",
    ]


def _of_head(state: HeadState) -> str:
    reads = TASKS[state.now.task].reads
    head = transfer_picture.head_weights(state.now.network, state.now.task)
    kept = f"{sum(part_sizes(state.now.network)):,}"
    whole = " and ".join(f"**{_token(state, place)}**" for place in _read(state))
    what = whole + " alone" if reads in ("text", "pair") else "**every word**"
    return f"{matrix(state)} reads {what}: =={head}== weights learn, {kept} are kept. {ASKS[reads]}"


def _read(state: HeadState) -> tuple[int, ...]:
    example, tokens = state.reading.example, state.trace.tokens
    now = state.now
    return transfer_picture.read_places(now.network, now.task, example, len(tokens))


def _token(state: HeadState, place: int) -> str:
    return quoted(state.trace.tokens[place])


def _of_text(state: HeadState) -> str:
    best = state.best[0]
    label = f"**{quoted(state.trace.labels[best])}**"
    if state.shown == "scores":
        return (
            f"Each row of {matrix(state)} · z is a score of one label; {label} gets the highest, "
            f"=={{s 0 {best}}}==."
        )
    ends = _verdict(state)
    if state.shown == "shares":
        return f"Softmax makes {len(state.trace.labels)} scores into shares of 1: {label} gets " + (
            f"=={{p 0 {best}}}=={ends}."
        )
    return f"One vector speaks for the whole input: {label}, =={{p 0 {best}}}=={ends}."


def _verdict(state: HeadState) -> str:
    right = state.right[0]
    if right < 0:
        return ""
    if right == state.best[0]:
        return ", and that is right"
    return f", but right is {quoted(state.trace.labels[right])}"


def _of_tags(state: HeadState) -> str:
    place = followed(state)
    best = state.best[place]
    word, tag = _token(state, state.trace.places[place]), quoted(state.trace.labels[best])
    if state.shown == "scores":
        return (
            f"{matrix(state)} gives “{word}” {len(state.trace.labels)} scores, one for each tag. "
            f"**{tag}** has the highest, =={{s {place} {best}}}==."
        )
    if state.shown == "shares":
        return (
            f"Each word takes its likeliest tag: “{word}” is **{tag}**, =={{p {place} {best}}}==."
        )
    count = len(state.trace.places)
    if state.right[0] < 0:
        return f"One {matrix(state)} tags =={count}== words, each from its own vector."
    return f"One {matrix(state)} tags {count} words, each from its own vector: =={{right}}== right."


def _of_span(state: HeadState) -> str:
    first, last = state.best
    begin, end = (_token(state, state.trace.places[place]) for place in (first, last))
    if state.shown == "scores":
        return (
            f"Two scores a word: as the **first** of the answer “{begin}” gets =={{s {first} 0}}==."
        )
    return (
        f"The answer begins at “**{begin}**” with =={{p {first} 0}}== and ends at “**{end}**” with "
        f"{{p {last} 1}}."
    )


def formulas(state: HeadState, *, hidden: bool = False) -> list[list[str]]:
    """What is computed at this step, or what learns and what is kept at each depth.

    With `hidden`, a question hides how many weights learn.
    """
    if hidden and state.shown in ("head", "freeze"):
        return []
    now, name = state.now, matrix(state)
    sizes = part_sizes(now.network)
    head = transfer_picture.head_weights(now.network, now.task)
    if state.shown == "freeze":
        return [
            [
                f"learn **[weight|{sum(sizes[depth:]) + head:,}]** weights",
                f"keep [mask|{sum(sizes[:depth]):,}]",
                f"95 %: {score.low:.3f} to {score.high:.3f}",
            ]
            for depth, score in enumerate(depths(now))
        ]
    labels, width = state.trace.weights.shape
    z = "z" if len(state.trace.places) == 1 else "zᵢ"
    if state.shown == "head":
        more = " + w, γ of the mixture" if now.network == "bilm" else ""
        return [[f"{name}, b: {labels}·({width} + 1){more} = **[weight|{head}]** weights"]]
    score = f"s = {name} {z} + b" if z == "z" else f"sᵢ = {name} {z} + b"
    share = f"softmax({name} {z} + b)"
    if state.is_span:
        return [[f"p(first = i) = softmaxᵢ(w · {z} + b)", "the same for the last word"]]
    if z == "z":
        scores = ", ".join(f"{{s 0 {k}}}" for k in range(labels))
        shares = ", ".join(f"{{p 0 {k}}}" for k in range(labels))
        if state.shown == "scores":
            return [[f"{score} = [score|({scores})]"]]
        return [[f"ŷ = {share} = softmax([score|{scores}]) = **[activation|({shares})]**"]]
    if state.shown == "scores":
        place = followed(state)
        scores = ", ".join(f"{{s {place} {k}}}" for k in range(labels))
        return [[f"{score} = [score|({scores})]"]]
    return [[f"ŷᵢ = {share}", "tᵢ = argmax ŷᵢ"]]


def describe(state: HeadState) -> str:
    """The alt text, as a template."""
    task = TASKS[state.now.task]
    name = NETWORK_NAMES[state.now.network]
    text = quoted(" ".join(state.trace.tokens))
    begin = f"{name} as a slab above the tokens {text}."
    if state.shown == "freeze":
        return f"{begin} Its {{frozen}} lowest parts are frozen, right are {{mean}}."
    reads = transfer_picture.READS[task.reads]
    said = f"{begin} {matrix(state)} on it, for “{task.title}”, reads {reads}."
    if state.shown == "head":
        return said
    return f"{said} It answers: {quoted(state.trace.answer)}."
