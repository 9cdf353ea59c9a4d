"""Sentences and rows of the views on length, permuted weights, and teacher forcing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from drawing.payload import Chip, ChipRow
from lmcore.evaluation.alignment import AlignmentCounts
from lmcore.evaluation.exact_match import ExposureBias, LengthScore, PermutationEffect
from lmcore.networks.seeds import share_interval
from lmcore.numbers import format_number
from lmcore.shipped.translation_curves import RecordedCurve
from lmcore.training.spec import RunSpec
from lmcore.vocabulary import END, START

ATTENTION, VECTOR = "seq2seq_attention", "seq2seq_vector"
LABELS = {ATTENTION: "attention", VECTOR: "one vector"}
"""Model → its name on screen."""
HALF = 0.5
MOST_EXTRA = 3
"""Words beyond the end of the true target that are shown one by one."""
SHARE_COLUMNS = ("sentences", "exact", "share", "low", "high")
SLIDE_PAIR = ("I love hiking .", "Adoro le escursioni .")
"""Stony Brook CSE538, "Training": a sentence and its translation, split into words here."""

Curves = Mapping[str, RecordedCurve]
ShareRow = tuple[float, float, float, float, float]


# --- length ---------------------------------------------------------------------------------------


def first_length(curve: RecordedCurve, share: float) -> LengthScore | None:
    """The score at the first length at which fewer than `share` are exact, or None."""
    return next((each for each in curve.scores if each.exact < share * each.sentences), None)


def score_at(curve: RecordedCurve, length: int) -> LengthScore:
    """The recorded score of one length."""
    return next(each for each in curve.scores if each.length == length)


def length_finding(curves: Curves, trained: int) -> str:
    """From which length each model fails; `trained` is the longest source of training."""
    attention, vector = first_length(curves[ATTENTION], HALF), first_length(curves[VECTOR], HALF)
    said = []
    if vector is None:
        said.append("**One vector** translates at least half of the sentences of every length.")
    else:
        beside = score_at(curves[ATTENTION], vector.length)
        said.append(
            f"**One vector** falls below one half at **{vector.length} words**: {_exact(vector)} "
            f"sentences are right in every word. With **attention**, {_exact(beside)} are."
        )
    if attention is not None:
        where = "longer than" if attention.length > trained else "within"
        too = ", too," if vector is not None else ""
        said.append(
            f"Attention{too} fails on sources {where} the {trained} words of training: it falls "
            f"below one half at **{attention.length} words** ({_exact(attention)})"
            f"{_none_right(curves[ATTENTION])}."
        )
    return " ".join(said)


def _none_right(curve: RecordedCurve) -> str:
    right = max((i for i, score in enumerate(curve.scores) if score.exact), default=-1)
    none = curve.scores[right + 1 :]
    return f", and no sentence is right from {none[0].length} words on" if none else ""


def _exact(score: LengthScore) -> str:
    return f"{score.exact:,} of {score.sentences:,}"


def share_row(exact: int, sentences: int) -> ShareRow:
    """A count as numbers of a table: sentences, exact, share, and its interval."""
    share, low, high = share_interval(exact, sentences)
    # If none or all are exact, that end is 0 or 1; avoid a rounding error.
    low, high = low if exact else 0.0, 1.0 if exact == sentences else high
    return float(sentences), float(exact), share, low, high


def training_words(specs: Mapping[str, RunSpec], weights: Mapping[str, int], trained: int) -> str:
    """The number of weights of both models, and how they were trained."""
    attention, vector = specs[ATTENTION], specs[VECTOR]
    return (
        "Both models have about the same number of weights: attention "
        f"**{weights[ATTENTION]:,}**, one vector **{weights[VECTOR]:,}**. Both were trained for "
        f"{attention.steps:,} steps on sources of at most {trained} words, attention with dropout "
        f"{format_number(attention.dropout)}, one vector with {format_number(vector.dropout)}."
    )


def curve_rows(curves: Curves) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per length: both models side by side."""
    pairs = zip(curves[ATTENTION].scores, curves[VECTOR].scores, strict=True)
    return [
        (
            str(one.length),
            *share_row(one.exact, one.sentences),
            *share_row(two.exact, two.sentences)[1:],
        )
        for one, two in pairs
    ]


def measured_rows(
    measured: Mapping[str, LengthScore], curves: Curves
) -> list[tuple[str, *tuple[float, ...]]]:
    """What was measured now and what is recorded at the same length, model by model."""
    rows = list[tuple[str, *tuple[float, ...]]]()
    for name, score in measured.items():
        recorded = score_at(curves[name], score.length)
        for when, each in (("measured here", score), ("recorded", recorded)):
            rows.append((f"{LABELS[name]}, {when}", *share_row(each.exact, each.sentences)))
    return rows


def agreement(name: str, score: LengthScore, recorded: LengthScore) -> str:
    """Whether the recorded share is in the interval of what was measured now."""
    _, _, share, low, high = share_row(score.exact, score.sentences)
    wanted = recorded.interval[0]
    inside = low <= wanted <= high
    where = "inside it" if inside else "**outside** it"
    chance = "" if inside else " About one interval in 20 misses the share by chance."
    return (
        f"**{LABELS[name].capitalize()}**, {score.length} words, measured here: {_exact(score)}, "
        f"share {format_number(share)}, interval {format_number(low)} to {format_number(high)}. "
        f"The recorded share, {format_number(wanted)}, is {where}.{chance}"
    )


# --- permuted weights -----------------------------------------------------------------------------


def marked_row(title: str, said: str, words: Sequence[str], target: Sequence[str]) -> ChipRow:
    """A text as chips: a wrong word is struck out, with the right one of its place below.

    Of the words beyond the end of the target, the first `MOST_EXTRA` are shown.
    """
    chips: list[Chip] = []
    left = len(words) - len(target) - MOST_EXTRA
    for word, right in zip_longest(words[: len(target) + MOST_EXTRA], target):
        if word is None:
            chips.append({"text": "∅", "kind": "frame", "below": right or ""})
        elif word == right:
            chips.append({"text": word, "kind": "", "below": ""})
        else:
            chips.append({"text": word, "kind": "deleted", "below": right or "no word"})
    if left > 0:
        chips.append({"text": f"… {left} more", "kind": "frame", "below": "no word"})
    return {"title": title, "said": said, "chips": chips}


def count_wrong(words: Sequence[str], target: Sequence[str]) -> int:
    """The number of places at which a text and the target differ, or only one has a word."""
    return sum(word != right for word, right in zip_longest(words, target))


def wrong_places(words: Sequence[str], target: Sequence[str]) -> str:
    """How many words of a text are wrong."""
    wrong = count_wrong(words, target)
    if not wrong:
        return "Right in every word."
    places = max(len(words), len(target))
    return f"{wrong} of {places} places {'is' if wrong == 1 else 'are'} wrong."


def effect_finding(effect: PermutationEffect) -> str:
    """How permuted weights change exact match and loss, and what follows for this model."""
    before = share_interval(effect.exact, effect.sentences)
    after = share_interval(effect.exact_permuted, effect.sentences)
    counts = (
        f"With α as computed, **{effect.exact:,} of {effect.sentences:,}** sentences are right in "
        f"every word; with α permuted, **{effect.exact_permuted:,}**. The loss of the true words "
        f"goes from {format_number(effect.loss)} to {format_number(effect.loss_permuted)} nats "
        "per token."
    )
    if before[1] > after[2] or after[1] > before[2]:
        return f"{counts} So the output of this model **depends on where α points**."
    return (
        f"{counts} The intervals of both shares overlap: at this length, exact match does not show "
        "whether the output depends on where α points."
    )


def effect_rows(effect: PermutationEffect) -> list[tuple[str, *tuple[float, ...]]]:
    """Exact match with its interval, and the loss, for both kinds of weights."""
    return [
        ("as computed", *share_row(effect.exact, effect.sentences), effect.loss),
        ("permuted", *share_row(effect.exact_permuted, effect.sentences), effect.loss_permuted),
    ]


def alignment_finding(counts: Sequence[AlignmentCounts]) -> str:
    """Where the largest α is for all words, for articles, and for verbs of passive sentences."""
    words, at_word = sum(c.words for c in counts), sum(c.at_word for c in counts)
    articles = [c for c in counts if c.kind == "article"]
    said = [
        f"The largest α is at the word that is translated for **{at_word:,} of {words:,}** words "
        "of the true targets"
        + _of_articles(articles, " and for **{at:,} of {all:,}** articles.", ".")
    ]
    said += [
        f"Of the {c.words:,} articles of the invented language, it is at the article for "
        f"{c.at_word:,} and at its **noun** for **{c.at_noun:,}**: the noun decides the article’s "
        "gender and number."
        for c in articles
        if not c.passive
    ]
    said += [
        f"Of the {c.words:,} verbs of passive sentences, it is at the participle for "
        f"{c.at_word:,} and at the word after it, *by*, for **{c.at_next:,}**. *By* is no part of "
        "the target, but its state hⱼ comes after the participle’s and may hold that word, too."
        for c in counts
        if c.passive and c.kind == "verb"
    ]
    return " ".join(said)


def _of_articles(articles: Sequence[AlignmentCounts], some: str, none: str) -> str:
    words = sum(c.words for c in articles)
    return some.format(at=sum(c.at_word for c in articles), all=words) if words else none


def alignment_rows(counts: Iterable[AlignmentCounts]) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per class of words, in passive sentences and in those that are translated."""
    return [
        (
            f"{'passive → active' if c.passive else 'translation'}: {c.kind}",
            *map(float, (c.words, c.at_word, c.at_noun, c.at_next)),
        )
        for c in counts
    ]


# --- teacher forcing ------------------------------------------------------------------------------


def markdown_table(rows: Mapping[str, Sequence[str]]) -> str:
    """A table with one column per step; the first row is its head. Short rows are filled up."""
    width = max(map(len, rows.values()))
    lines = [
        f"| {title} | {' | '.join([*cells, *[''] * (width - len(cells))])} |"
        for title, cells in rows.items()
    ]
    return "\n".join([lines[0], f"|:--|{':-:|' * width}", *lines[1:]])


def _escaped(word: str) -> str:
    """A word of a vocabulary, escaped: Markdown reads `<s>` as a tag."""
    return word.replace("<", r"\<")


def shifted_rows(target: Sequence[str]) -> dict[str, list[str]]:
    """The decoder's input and the words that it is to predict; `target` is without `</s>`."""
    return {
        "step i": [str(i) for i in range(1, len(target) + 2)],
        "reads yᵢ₋₁": [_escaped(word) for word in (START, *target)],
        "target yᵢ": [f"**{_escaped(word)}**" for word in (*target, END)],
    }


def free_rows(target: Sequence[str], written: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """What each model reads and writes when it runs free; bold: not the true word of that place.

    `target` and the texts end with `</s>`.
    """
    steps = max(len(target), *map(len, written.values()))
    rows = {"step i": [str(i) for i in range(1, steps + 1)]}
    for name, words in written.items():
        for verb, its, right in (
            ("reads", [START, *words[:-1]], [START, *target[:-1]]),
            ("writes", list(words), list(target)),
        ):
            pairs = zip_longest(its, right[: len(its)])
            rows[f"{LABELS[name]} {verb}"] = [_compared(word, wanted) for word, wanted in pairs]
    return rows


def _compared(word: str, wanted: str | None) -> str:
    shown = _escaped(word)
    return shown if word == wanted else f"**{shown}**"


def parting(name: str, words: Sequence[str], target: Sequence[str]) -> str:
    """The first place at which a free-running model reads another word than in training.

    Both texts end with `</s>`.
    """
    label = f"**{LABELS[name].capitalize()}**"
    pairs = enumerate(zip_longest(words, target))
    at = next((i for i, (word, right) in pairs if word != right), None)
    if at is None:
        return f"{label} writes every word right, so it reads what it reads in training."
    wrong = _escaped(words[at])
    right = _escaped(target[at]) if at < len(target) else "nothing"
    said = f"{label} writes “{wrong}” at step {at + 1}, where “{right}” is right"
    if at + 1 == len(words):
        return f"{said}. That is its last word."
    return f"{said}, and reads its own word at step {at + 2}. In training it never does."


def exposure_finding(biases: Mapping[str, ExposureBias], sentences: int) -> str:
    """Both losses of each model, and how many tokens they are of."""
    said = [_both_losses(name, *bias.losses) for name, bias in biases.items()]
    tokens = int(next(iter(biases.values())).tokens.sum())
    return f"{' '.join(said)} All are means over {tokens:,} tokens of {sentences:,} sentences."


def _both_losses(name: str, forced: float, free: float) -> str:
    label = f"**{LABELS[name].capitalize()}**"
    if forced == free:
        return f"{label}: L = {format_number(forced)} with either; its own words are the true ones."
    times = f": {format_number(free / forced)} times as much" if forced else ""
    return (
        f"{label}: L = {format_number(forced)} after the true words, **{format_number(free)}** "
        f"after its own{times}."
    )


def exposure_rows(biases: Mapping[str, ExposureBias]) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per place of the target: tokens, and both losses of each model."""
    columns = [next(iter(biases.values())).tokens.double().tolist()]
    for bias in biases.values():
        columns += [bias.teacher_forced.tolist(), bias.free_running.tolist()]
    return [(str(i), *row) for i, row in enumerate(zip(*columns, strict=True), start=1)]
