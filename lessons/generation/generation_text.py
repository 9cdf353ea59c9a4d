"""Generation: sentences and table rows about strategies, texts, branches and the bench."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence

from lmcore.decoding.bench import GRAMS, REPEATED, StrategyResult
from lmcore.decoding.continuations import Continuation
from lmcore.decoding.strategies import STRATEGIES
from lmcore.decoding.writer import Writer
from lmcore.models.scoring import LARGEST_LOSS
from lmcore.numbers import format_number

STRATEGY_WORDS = {
    "greedy": "the most probable token, each time",
    "beam": "the k best hypotheses, extended",
    "walk": "a draw from the model’s own p",
    "temperature": "a draw from p^(1/τ), scaled to sum to 1",
    "top_k": "a draw from the k most probable",
    "top_p": "a draw from the fewest tokens that reach p",
    "min_p": "a draw from tokens close to the most probable",
    "typical": "a draw from tokens of about average surprise",
    "repetition": "greedy; repeated tokens are penalised",
    "together": "a draw after every filter in turn",
    "drawn_beam": "k hypotheses, drawn at random",
}
"""Strategy → what it does."""
ENDS = {
    "": "more would follow",
    "stop": "ends with the end token",
    "length": "stopped at the length you set; no end token was reached",
    "room": "stopped at the model’s maximum length",
    "time": "stopped by the time limit",
    "nothing left": "stopped: nothing is left to choose from",
}
"""The reason why a text ended → its wording."""
STAGES = {
    "model": "model",
    "repetition": "÷ repetition",
    "no_repeat": "no repeat",
    "temperature": "temperature",
    "top_k": "top-k",
    "top_p": "top-p",
    "min_p": "min-p",
    "typical": "typical",
}
"""Stage → the title of its column."""
NAMES = {name: each.label.partition(" (")[0] for name, each in STRATEGIES.items()}
"""Strategy → its label without the part in parentheses."""
BRIEF = NAMES | {
    "repetition": "Repetition",
    "drawn_beam": "Beam + draw",
    "beam": "Beam",
    "walk": "Walk",
}
"""Strategy → its label if there is little room."""
NOTES = {
    "": "",
    "stop": "ends by itself",
    "length": "no end token yet",
    "room": "model’s maximum",
    "time": "time limit",
    "nothing left": "nothing is left",
}
"""The reason why a text ended → its wording if there is little room."""
MOST_TERMS = 4
"""Terms of a sum that are written out."""
BRACES = re.compile(r"[{}\\]")
"""The characters with a meaning in a template."""
ROWS_EACH = 3
"""Sentences and formulas of a strategy: at rest, while its slider moves, if its token is cut."""

NUMBERS = (
    "strategy",
    "tokens",
    "log p, nats",
    "log p per token",
    "perplexity",
    "log p, grammar",
    "seconds",
)
"""The columns of the table of all texts."""
GRAMMAR_COLUMNS = ("by grammar", "allowed only", "grammatical")
"""Columns that only a model of the microworld has."""


def note(text: Continuation) -> str:
    """What is wrong with a text under the grammar, or else why it ended."""
    found = text.judged
    if found is None or found.wrong is None:
        return NOTES[text.why]
    if found.wrong < 0:
        return "prompt excluded"
    return "ungrammatical"


def log_p_words(chances: Sequence[float]) -> str:
    """log p of a branch, under the model."""
    total = math.fsum(math.log(p) if p else -math.inf for p in chances)
    return f"log p {format_number(total)}, {len(chances)} tokens"


def branch_title(forced: Mapping[int, int], written: int, shown: Callable[[int], str]) -> str:
    """The tokens forced in a branch of `written` tokens."""
    if not forced:
        return "Nothing forced"
    said = (
        f"token {place + 1} = {shown(token)}{'' if place < written else ', not reached'}"
        for place, token in forced.items()
    )
    return f"Forced: {', '.join(said)}"


def times(greedy: float, beam: float) -> float:
    """How many times as probable as greedy's text beam search's is, from log p of both."""
    return math.exp(min(max(beam - greedy, -LARGEST_LOSS), LARGEST_LOSS))


def marked(lanes: Sequence[str], texts: Mapping[str, Continuation]) -> str:
    """The number that the sentence names: log p of the most probable text of the lanes."""
    written = [name for name in lanes if texts[name].tokens]
    return f"{max(written, key=lambda name: texts[name].total)}.total" if written else ""


def finding(lanes: Sequence[str], texts: Mapping[str, Continuation]) -> str:
    """The finding, as a template: which of the texts is the most probable."""
    best = marked(lanes, texts).removesuffix(".total")
    if not best:
        return "No strategy could write a token here: every token has p = 0."
    log_p = f"log p =={{{best}.total}}=="
    if {"greedy", "beam"} <= {*lanes}:
        greedy, beam = texts["greedy"], texts["beam"]
        if greedy.tokens == beam.tokens and best in ("greedy", "beam"):
            return f"Greedy and beam search write **the same text**: {log_p}."
        if best == "beam":
            return (
                "**Beam search** finds a text {times} times as probable as greedy’s: "
                f"{log_p} against {{greedy.total}}."
            )
        if best == "greedy":
            return (
                f"**Greedy’s** text is more probable here: {log_p}; beam search, which compares "
                "log p / tᵃ, has {beam.total}."
            )
    label = STRATEGIES[best].label
    if len(lanes) == 1:
        return f"**{label}** writes a text with {log_p}: {STRATEGY_WORDS[best]}."
    if len({texts[name].tokens for name in lanes}) == 1:
        return f"All {len(lanes)} write **the same text**: {log_p}."
    return f"Of the {len(lanes)}, **{label}** writes the most probable text: {log_p}."


def describe(
    lanes: Sequence[str], texts: Mapping[str, Continuation], prompt: str, writer: Writer
) -> str:
    """Alt text, as a template: the text of every lane and its log p."""
    said = "; ".join(
        f"{STRATEGIES[name].label}: {_quoted_text(writer, texts[name])}, log p {{{name}.total}}"
        for name in lanes
        if texts[name].tokens
    )
    return f"After “{prompt}”. {said or 'No strategy could write a token'}."


def _quoted_text(writer: Writer, text: Continuation) -> str:
    return BRACES.sub("", writer.text(text.tokens)) or "only the end token"


SYMBOLS = {
    "temperature": "τ",
    "top_k": "k",
    "top_p": "top-p",
    "min_p": "min-p",
    "typical": "typical p",
    "repetition": "ρ",
}
"""A slider's symbol in sentences."""


VIEWS = {
    "One token at a time": "A draw: the model’s p fill the line from 0 to 1, and the random number "
    "u falls on **one token**.",
    "Bench": "One sample proves nothing: every strategy is measured over **many seeds**.",
}
"""The sentence of a view that is not about the texts on the stage."""


def sentences(
    names: Sequence[str], finds: str, top: str, types: int, taken: Mapping[str, Sequence[str]]
) -> list[str]:
    """The sentences of every strategy in turn, `ROWS_EACH` each.

    `top` is the most probable token, quoted for a template; `taken` has each strategy's sliders.
    """
    said = list[str]()
    for name in names:
        sliders = taken[name]
        set_to = f"{SYMBOLS[sliders[0]]} = {{{sliders[0]}}}" if len(sliders) == 1 else "The filters"
        keeps = f"{{@{name}.kept}} of {types:,} tokens may be chosen"
        begins = f"{set_to}: {keeps}" if len(sliders) == 1 else f"After all filters {keeps}"
        if name == "repetition":
            begins = f"{set_to}: tokens that are already in the text are penalised"
        said += [
            finds,
            f"{begins}; “{top}” gets p =={{{name}.0}}==.",
            f"{begins}; “{top}” itself is cut: p =={{{name}.0}}==.",
        ]
    return said


def formulas(
    names: Sequence[str],
    texts: Mapping[str, Continuation],
    top: str,
    power: float,
    sliders: Collection[str],
) -> list[list[str]]:
    """The formulas of every strategy in turn, `ROWS_EACH` each."""
    found = list[list[str]]()
    for name in names:
        moved = _choice_formula(name, top) if {*STRATEGIES[name].takes} & {*sliders} else []
        cut = [f"p′({top}) = 0: it is cut, and the others are scaled to sum to 1"]
        found += [_text_formula(name, texts.get(name), power), moved, cut]
    return found


def _text_formula(name: str, text: Continuation | None, power: float) -> list[str]:
    if text is None or not text.tokens:
        return []
    logs = [f"log {format_number(float(f'{p:.2g}'))}" for p in text.log_p.exp().tolist()]
    terms = logs if len(logs) <= MOST_TERMS else [*logs[:2], "…", logs[-1]]
    summed = " + ".join(terms)
    parts = [
        f"[activation|log p] = Σ log p(wₜ) = {summed} = **[activation|{{{name}.total}}]**",
    ]
    if STRATEGIES[name].kind in ("beam", "drawn beam"):
        count = len(text.tokens)
        exponent = "" if power == 1 else f"^{format_number(power)}"
        parts.append(
            f"[loss|score] = log p / tᵃ = {{{name}.total}} / {count}{exponent} = {{{name}.score}}"
        )
    return parts


def _choice_formula(name: str, top: str) -> list[str]:
    p, now = "[activation|{walk.0}]", f"**[activation|{{{name}.0}}]**"
    match name:
        case "temperature":
            return [
                f"p′({top}) = p^(1/τ) / Σ p^(1/τ) = {p}^(1/[weight|{{temperature}}]) / Σ p^(1/τ) "
                f"= {now}"
            ]
        case "repetition":
            return [f"score ÷ [weight|ρ] of tokens already in the text: p({top}) = {p} → {now}"]
        case "together":
            return [f"p′({top}) after every filter in turn: {p} → {now}"]
    mass = f"{{{name}.mass}}"
    return [f"p′({top}) = p / Σ p of the tokens kept = {p} / {mass} = {now}"]


def number_row(name: str, text: Continuation) -> tuple[str, *tuple[float, ...]]:
    """A strategy's row of the table of all texts."""
    judged = math.nan if text.judged is None else text.judged.log_p
    total = text.total if text.tokens else math.nan
    numbers = (len(text.tokens), total, text.mean, text.perplexity, judged, text.seconds)
    return (STRATEGIES[name].label, *map(float, numbers))


def numbers_words(writer: Writer) -> str:
    """Explains the columns of the table of numbers."""
    grammar = (
        "The grammar’s log p is for the same tokens after the same prompt; −∞ marks what it "
        "cannot produce."
        if writer.truth
        else "There is no grammar of this text to compare with."
    )
    return (
        "log p is the model’s own, before any filter, summed over the tokens written, the end "
        "token among them; divided by their number it is the score of the slide’s formula. "
        f"{grammar} Seconds are measured here, once, while the server also does other work."
    )


def stepping_words(writer: Writer, shown: int) -> str:
    """Explains the columns, and how many of the tokens are listed."""
    return (
        f"Each column is the softmax of the scores after one more filter; the rows are the {shown} "
        f"most probable of {writer.types:,} tokens, and the chosen one. A token that is cut stays "
        f"in its row. ⚑ marks forced tokens; u depends on the place alone, not on the tokens "
        "before it."
    )


def bench_columns(*, with_grammar: bool) -> list[str]:
    """The column titles of the bench; `with_grammar`: whether there is a grammar."""
    return [
        "strategy",
        "texts",
        "tokens",
        "mean log p",
        "perplexity",
        *(GRAMMAR_COLUMNS if with_grammar else ()),
        "ended",
        *(f"distinct-{n}" for n in GRAMS),
        "repeats",
        "seconds",
    ]


def bench_rows(
    results: Sequence[StrategyResult], *, with_grammar: bool
) -> list[tuple[str, *tuple[float, ...]]]:
    """One row per strategy, in the order of the titles."""
    return [
        (
            STRATEGIES[each.strategy].label,
            len(each.texts),
            each.tokens,
            each.mean_log_p,
            each.perplexity,
            *(
                (each.true_perplexity, each.finite_perplexity, each.grammatical)
                if with_grammar
                else ()
            ),
            each.ended,
            *each.distinct,
            each.repetition,
            each.seconds,
        )
        for each in results
    ]


def bench_notice(results: Sequence[StrategyResult], *, with_grammar: bool) -> list[str]:
    """Which strategy has the most probable tokens, and which is most often grammatical.

    Variety is not compared: fewer tokens have more distinct n-grams, and the strategies write
    different numbers of them.
    """
    probable = [each for each in results if math.isfinite(each.mean_log_p)]
    if not probable:
        return ["No strategy could write a single token after this prompt."]
    best = max(probable, key=lambda each: each.mean_log_p)
    said = [
        f"The tokens of **{_label(best)}** are the most probable under the model: mean log p "
        f"**{format_number(best.mean_log_p)}**."
    ]
    drawn = [each for each in results if STRATEGIES[each.strategy].draws]
    if with_grammar and drawn:
        right = max(drawn, key=lambda each: each.grammatical)
        wrong = min(drawn, key=lambda each: each.grammatical)
        among = f", {_percent(wrong.grammatical)} of those of {_label(wrong)}"
        said.append(
            f"The grammar allows {_percent(right.grammatical)} of the texts of {_label(right)}"
            f"{among if wrong.grammatical < right.grammatical else ''}."
        )
    return said


def bench_definitions(*, with_grammar: bool) -> str:
    """Explains the columns, with their sources."""
    said = (
        "Strategies that draw write one text per seed; the others write the same for every seed, "
        "so they write once. Mean log p and perplexity are over all tokens of a strategy "
        "together, under the model that wrote them, before any filter. distinct-n: different "
        "n-grams over all n-grams (Li et al. 2016): it is higher for few or short texts, so "
        "compare only strategies that wrote equally many. Repeats: the share of a text’s "
        f"{REPEATED}-grams that occurred in it before, the mean over texts (Welleck et al. 2020). "
        "Ended: texts that ended before the length was reached. Seconds cover the writing alone, "
        "measured here; all other figures are the same for the same seeds."
    )
    if not with_grammar:
        return said
    return said + (
        " By grammar: the perplexity of the same tokens under the microworld’s own probabilities, "
        "∞ where it excludes one of the texts; allowed only: of those it allows. Grammatical: "
        "the share of texts that ended and that it allows."
    )


def _label(row: StrategyResult) -> str:
    return STRATEGIES[row.strategy].label


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
