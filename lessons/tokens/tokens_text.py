"""Tokens: sentences about what is on screen, and a script that reproduces it."""

from __future__ import annotations

from collections.abc import Sequence

from lmcore.numbers import format_number
from lmcore.tokenization.inputs import InputTrace
from lmcore.tokenization.library import Agreement
from lmcore.tokenization.merges import MergesTrace
from lmcore.tokenization.packing import PackedInput
from lmcore.tokenization.pieces import UNKNOWN
from lmcore.tokenization.rules import CONTINUATION_MARK, LONGEST_WORD

RULE_WORDS = {
    "wordpiece": "Merges the most frequent pair; ## before a piece that does not begin its word. "
    "The paper uses likelihood; this library’s trainer does not.",
    "bpe": "Merges the most frequent pair; </w> ends the last piece of a word.",
    "gain": "Merges the pair with the largest count(a b) / (count(a) · count(b)), as Schuster and "
    "Nakajima 2012 are usually read; Google’s own trainer was never published.",
}
"""What each rule does, in one line."""


def limit_words(trace: MergesTrace, requested: int) -> str:
    """At which size the training ends, and which words were left out."""
    last, size = len(trace.merges), int(trace.types[-1])
    said = (
        f"After {last:,} merges every word is one piece, and |V| stays at {size:,}."
        if trace.exhausted
        else f"After {last:,} merges |V| has reached {size:,}, its limit."
    )
    if requested > last:
        said += f" {requested:,} merges were requested."
    if trace.words.too_long:
        said += f" {trace.words.too_long:,} words of more than {LONGEST_WORD} letters are left out."
    return said


def packed_words(packed: PackedInput, sentences: Sequence[str]) -> list[str]:
    """The contents of the row, and whether its ids decode to the same sentences."""
    there = int(packed.there.sum())
    said = [
        f"{there} tokens and {len(packed.tokens) - there} [PAD]; {packed.tokens.count('[SEP]')} "
        f"[SEP], one after each sentence, also after the last."
    ]
    if packed.cut:
        said.append("The row is too short: the end of the longer sentence was left out.")
    for text, again in zip(sentences, packed.decoded, strict=False):
        if again == text:
            said.append(f"Decoding the ids gives “{again}” again, letter by letter.")
            continue
        why = "spaces next to punctuation are guessed"
        if UNKNOWN in again:
            why = "words that became [UNK] are lost"
        if packed.cut:
            why = "the end is missing"
        said.append(
            f"Decoding the ids gives “{again}”: {why}. The offsets still give the position."
        )
    return said


def input_words(trace: InputTrace, model: str) -> list[str]:
    """The added rows and their mean lengths; not yet escaped for Markdown."""
    rows = trace.rows
    lengths = {name: float(values.norm(dim=1).mean()) for name, values in rows.items()}
    parts = ", ".join(f"{name} {format_number(size)}" for name, size in lengths.items())
    said = [
        f"{len(trace.output)} tokens, each {trace.output.shape[1]} numbers: the sum of "
        f"{len(rows) - 1} rows that {model} learned. Mean length of a row: {parts}."
    ]
    twice = [token for token in trace.reading.tokens if trace.reading.tokens.count(token) > 1]
    if twice:
        said.append(
            f"{twice[0]} occurs twice: the same row of E, different rows of P, so different sums."
        )
    return said


def library_words(agreement: Agreement, *, by_gain: bool, repeatable: bool) -> list[str]:
    """How many merges equal the library's; `repeatable`: its training gives equal results."""
    if by_gain:
        same = (
            f"the first {agreement.same} match those"
            if agreement.same
            else "not even the first matches that"
        )
        return [
            "The library does not use the likelihood, it merges by count: of its "
            f"{agreement.merges} merges {same} above."
        ]
    said = [
        f"Of the library's {agreement.merges} merges the first **{agreement.same}** are the same "
        "here."
    ]
    if agreement.same < agreement.merges:
        said.append(
            "Then two pairs are equally frequent, and the library takes them in the order of its "
            "marked letters, which it numbers in another order at every training. With the letters "
            f"in the order of this training, **{agreement.same_in_its_order} of "
            f"{agreement.merges}** are the same."
        )
    said.append(
        "A second training by the library gave the same vocabulary."
        if repeatable
        else "A second training by the library, on the same words, gave another vocabulary."
    )
    return said


def rule_rows(
    cuts: Sequence[tuple[MergesTrace, int]], read: Sequence[int]
) -> list[tuple[str, float, float, float, float]]:
    """One row per rule: merges, |V|, tokens after training, tokens when the text is split anew.

    `cuts` are trainings, each with a number of merges.
    """
    return [
        (
            trace.rule.label,
            float(merges),
            float(trace.types[merges]),
            float(trace.tokens[merges]),
            float(anew),
        )
        for (trace, merges), anew in zip(cuts, read, strict=True)
    ]


def fewest_words(cuts: Sequence[tuple[MergesTrace, int]], read: Sequence[int]) -> str:
    """Which rule gives the fewest pieces, among those that mark pieces the same way."""
    marked = [
        (anew, trace)
        for (trace, _), anew in zip(cuts, read, strict=True)
        if trace.rule.mark == CONTINUATION_MARK
    ]
    (fewest, best), (most, worst) = min(marked, key=_first), max(marked, key=_first)
    if fewest == most:
        return "Here both ways of training WordPiece give equally many pieces. Drag n to the left."
    return (
        f"At the same |V|, **{best.rule.label}** gives {fewest:,} pieces and "
        f"{worst.rule.label} {most:,}: raising the likelihood does not minimise the pieces, and "
        "merging frequent pairs is greedy, without looking ahead. "
        "“Fewest pieces” is the aim that Wu et al. 2016 name; none of these rules searches for it."
    )


def _first(pair: tuple[int, MergesTrace]) -> int:
    return pair[0]


def snippet(source: str, rule: str, types: int, merges: int, sentence: str) -> str:
    """A script that prints the pieces of the sentence; `source` is the name of a text."""
    counted = (
        'split.count_words(open("your_text.txt", encoding="utf-8").read())'
        if source == "own"
        else f'texts.shipped_word_counts("{source}")'
    )
    return f"""from lmcore.tokenization import library, merges, split, texts
from lmcore.tokenization.rules import merge_rule

trace = merges.train({counted}, merge_rule("{rule}"), {types})
for merge in trace.merges[:{merges}]:
    print(*merge.pair, "→", merge.piece, merge.count)
print("|V|   ", trace.types[{merges}])
print("tokens", trace.tokens[{merges}])
print(library.build_tokenizer(trace, {merges}).encode({sentence!r}).tokens)
"""
