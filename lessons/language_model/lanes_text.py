"""The texts around the picture of a sentence: its finding, its formula, its alt text.

All are templates of drawing/rich_text.js, whose numbers are those of `lanes`.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from lessons.language_model.lanes import COMPLETED_GRAMMAR, TRUTHS, SentenceLanes, trace_counts
from lessons.language_model.language_model_picture import FEW, first_grammar_gap
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import costs
from lmcore.models.ngram import NGram
from lmcore.models.registry import NeuralModel

MUCH = 2
"""The least ratio of two probabilities that is mentioned."""


def describe(shown: SentenceLanes) -> str:
    """Alt text of the picture, as a template."""
    said = [f"A bar for p of every word of “{' '.join(shown.words)}”, one lane per model."]
    for lane in shown.lanes:
        each = ", ".join(
            f"{word} {{{lane.name}.{t}}}" for t, word in enumerate(shown.words, start=1)
        )
        said.append(f"{lane.label}: {each}; perplexity {{{lane.name}.perplexity}}.")
    return " ".join(said)


def finding(shown: SentenceLanes) -> str:
    """The finding about the selected word, as a template."""
    lane, label, place = shown.lane, shown.lane.label, shown.question.place
    marked, before = f"=={{{shown.slot}}}==", _context(shown)
    if shown.token is None:
        return (
            f"“{before}” never occurred in training: {label} gives every next word p = ==0==."
            if lane.name not in TRUTHS
            else f"The grammar never says “{before}”: every next word has p = ==0==."
        )
    word = microworld().vocabulary.tokens[shown.token]
    p = shown.p(lane)
    if shown.is_next:
        after = f"After “{before}”" if before else "Whatever came before"
        return f"{after}, {label} expects “**{word}**” most: p = {marked}."
    other = _other(shown)
    if lane.label == COMPLETED_GRAMMAR and _gap(shown) == place:
        return (
            f"The grammar leaves “{before} {word}” out on purpose; filled in, “{word}” would have "
            f"p = {marked}."
        )
    if p > 0 and other and costs.context_length(lane.model) < place:
        seen = f"only “{before}”" if before else "no word before"
        return f"{label} sees {seen} and gives “{word}” p = {marked}.{other}"
    if p > 0:
        return f"{label} gives “{word}” p = {marked}, {_dearest(shown)}"
    why = _why_zero(shown, before, word)
    gives = f"{label} gives {'it' if f'“{word}”' in why else f'“{word}”'} p = {marked}"
    return f"{why}: {gives}, so the product is 0.{other}"


def _why_zero(shown: SentenceLanes, before: str, word: str) -> str:
    """Why the chosen model gives a word p = 0 after `before`."""
    if shown.lane.name in TRUTHS:
        on_purpose = ", on purpose" * (_gap(shown) == shown.question.place)
        return f"The grammar never says “{word}” here{on_purpose}"
    trace = trace_counts(shown)
    if trace is not None and trace.seen:
        return f"“{before}” came {{of}} times, never with “{word}” after it"
    return f"“{before}” never occurred in training"


def _gap(shown: SentenceLanes) -> int | None:
    return first_grammar_gap({lane.label: lane.answer for lane in shown.lanes})


def _context(shown: SentenceLanes) -> str:
    """The words that the chosen model sees, a long context cut to its end."""
    words = ["<s>", *shown.words][: shown.question.place]
    sees = costs.context_length(shown.lane.model)
    if sees <= FEW:
        return " ".join(words[len(words) - min(int(sees), len(words)) :])
    return f"… {' '.join(words[1 - FEW :])}" if len(words) >= FEW else " ".join(words)


def _other(shown: SentenceLanes) -> str:
    """The highest p of the word under any model, if much higher than the chosen model's."""
    models = [lane for lane in shown.lanes if lane.name not in TRUTHS]
    best = max(models, key=shown.p, default=shown.lane)
    if shown.p(best) < MUCH * shown.p(shown.lane) or shown.p(best) == 0:
        return ""
    return f" {best.label} gives it [activation|{{{shown.slot_of(best)}}}]."


def _dearest(shown: SentenceLanes) -> str:
    """The word with the largest share of the chosen model's Σ −log p."""
    score = shown.lane.answer.score
    if not math.isfinite(score.total):
        zero = shown.words[score.probabilities.tolist().index(0.0)]
        return f"yet its product is 0: “{zero}” has p = 0."
    losses = (-score.log_probabilities).tolist()
    if losses[shown.question.place - 1] == max(losses):
        return f"its costliest word: {{cost}} of {{{shown.lane.name}.loss}} nats."
    at = losses.index(max(losses))
    dearest, again = shown.words[at], shown.words.count(shown.words[at]) > 1
    return (
        f"a cost −log p of {{cost}} of {{{shown.lane.name}.loss}} nats; "
        f"“{dearest}”{f' as word {at + 1}' if again else ''} costs most, {{dearest}}."
    )


def formula(shown: SentenceLanes, hidden: Collection[str] = ()) -> list[str]:
    """How the selected number is computed, and the totals of the sentence, as templates."""
    lane, count = shown.lane, len(shown.words)
    ends: tuple[str, ...] = (
        f"perplexity = exp(−Σ log p / {count}) = exp({{{lane.name}.loss}} / {count}) = "
        f"[loss|**{{{lane.name}.perplexity}}**]",
    )
    if not math.isfinite(lane.answer.score.total) and f"{lane.name}.product" not in hidden:
        ends = (
            f"product {{{lane.name}.product}}, perplexity [loss|**{{{lane.name}.perplexity}}**]",
        )
    if shown.token is None:
        return list(ends)
    word, before = microworld().vocabulary.tokens[shown.token], _context(shown)
    asked = f"[activation|p({word}{f' | {before}' if before else ''})]"
    steps = "".join(f" = {step}" for step in _computed(shown, word, before, hidden))
    to = "→" if steps.endswith("(no estimate)") else "="
    return [f"{asked}{steps} {to} **{{{shown.slot}}}**", *ends]


def _computed(shown: SentenceLanes, word: str, before: str, hidden: Collection[str]) -> list[str]:
    """The steps between p(word | context) and its number."""
    trace, model = trace_counts(shown), shown.lane.model
    if trace is None:
        if isinstance(model, NeuralModel):
            return ["exp({logit}) / Σ exp(z) = {exp} / {exps}"]
        return (
            [] if shown.is_next else [f"P({before} {word}) / P({before}) = {{longer}} / {{prefix}}"]
        )
    assert isinstance(model, NGram)
    if model.config.smoothing == "kneser-ney" and len(trace.steps) > 1:
        less = before.split()[1:]
        lower = f"p({word}{f' | {less[0]}' if less else ''})" if len(less) < 2 else "shorter"
        return [f"kept + λ·{lower} = {{kept}} + {{weight}}·{{lower}}"]
    of = f"count({before})" if before else "all words"
    if model.config.smoothing == "add-k":
        more = f"{model.config.k:g}"
        types = len(model.vocabulary) - model.padded
        return [f"({{count}} + {more}) / ({{of}} + {types})"]
    nothing = "" if trace.seen or "of" in hidden else " (no estimate)"
    return [f"count({before} {word})".replace("( ", "(") + f" / {of} = {{count}} / {{of}}{nothing}"]
