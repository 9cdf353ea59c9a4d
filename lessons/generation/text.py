"""Generation: sentences and table rows about strategies, texts, branches and the bench."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

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
CARDS = (
    "Bars: p of the first token under each strategy; ▸ marks the chosen one, if it is among them. "
    "Text: each token in the colour of the model’s p, from 0, dark, to 1, light."
)
"""Explains the cards."""
UNDERLINED = " What the grammar cannot produce is underlined."
MOST_LISTED = 3
"""Strategies that a sentence names."""

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


def facts(writer: Writer, text: Continuation) -> list[tuple[str, str]]:
    """The numbers of a card."""
    if not text.tokens:
        return [("tokens", "0")]
    said = [
        ("log p", format_number(text.total)),
        ("per token", format_number(text.mean)),
        ("perplexity", format_number(text.perplexity)),
    ]
    return [*said, *_judged(writer, text), ("tokens", str(len(text.tokens)))]


def _judged(writer: Writer, text: Continuation) -> list[tuple[str, str]]:
    found = text.judged
    if found is None:
        return []
    if found.wrong is None:
        so_far = "" if text.why == "stop" else ", so far"
        return [("grammar", f"allows it{so_far}: log p {format_number(found.log_p)}")]
    if found.wrong < 0:
        return [("grammar", "excludes the prompt: log p −∞")]
    word = writer.shown(text.tokens[found.wrong])
    return [("grammar", f"excludes “{word}” there: log p −∞")]


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


def notice(texts: Mapping[str, Continuation], seed: int) -> list[str]:
    """Which text is the most probable, how many differ, and which the grammar excludes."""
    written = {name: text for name, text in texts.items() if text.tokens}
    if not written:
        return ["No strategy could write a token here: every token has p = 0."]
    labels = {name: STRATEGIES[name].label for name in written}
    best = max(written, key=lambda name: written[name].total)
    whose = "The most probable text is that of" if len(written) > 1 else "There is one text, by"
    said = [
        f"{whose} **{labels[best]}**, $\\log p = "
        f"{format_number(written[best].total).replace('−', '-')}$."
    ]
    if {"greedy", "beam"} <= written.keys():
        said.append(_greedy_or_beam(written["greedy"], written["beam"]))
    said.append(_different(written, seed))
    wrong = [labels[n] for n, t in written.items() if t.judged and t.judged.wrong is not None]
    if wrong:
        more = f" and {len(wrong) - MOST_LISTED} more" if len(wrong) > MOST_LISTED else ""
        said.append(
            f"The grammar cannot produce what {', '.join(wrong[:MOST_LISTED])}{more} wrote."
        )
    return said


def _different(written: Mapping[str, Continuation], seed: int) -> str:
    different = len({text.tokens for text in written.values()})
    drawn = sum(STRATEGIES[name].draws for name in written)
    sampled = f"those that draw all use seed {seed}" if drawn else "none of them draws"
    if len(written) == 1:
        return f"Sampled with seed {seed}." if drawn else "Nothing was drawn."
    same = "the same text" if different == 1 else f"**{different}** different texts"
    return f"{len(written)} strategies wrote {same}; {sampled}."


def _greedy_or_beam(greedy: Continuation, beam: Continuation) -> str:
    if greedy.tokens == beam.tokens:
        return "Greedy and beam search found the same text."
    lengths = f"; beam search’s has {len(beam.tokens)} tokens, greedy’s {len(greedy.tokens)}"
    if beam.total > greedy.total:
        times = format_number(math.exp(min(beam.total - greedy.total, LARGEST_LOSS)))
        return f"Beam search found a text {times} times as probable as greedy’s{lengths}."
    return (
        "Here greedy’s text is the more probable one: beam search compares ended texts by log p "
        f"over a power of their length, and keeps only k hypotheses{lengths}."
    )


def number_row(name: str, text: Continuation) -> tuple[str, *tuple[float, ...]]:
    """A strategy's row of that table."""
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
