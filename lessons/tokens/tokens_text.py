"""The sentences, formulas and descriptions of the pictures of tokens, and the snippet."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.live import quoted
from lmcore.numbers import format_number, subscript
from lmcore.tokenization.inputs import InputTrace
from lmcore.tokenization.library import Agreement
from lmcore.tokenization.merges import MergesTrace
from lmcore.tokenization.packing import PackedInput
from lmcore.tokenization.pieces import UNKNOWN, MatchTrace
from lmcore.tokenization.rules import CONTINUATION_MARK, LONGEST_WORD, SPECIAL_TOKENS
from lmcore.tokenization.trees import MergeTree

LONG, MANY, SPOKEN_WORDS, MOST_PARTS = 24, 11, 12, 5
"""How many letters of a word, pieces, words of an alt text and parts of a sum are written."""
SYMBOLS = {"token": "E", "position": "P", "segment": "S", "input": "x"}
ROLES = {"token": "input", "position": "key", "segment": "value", "input": "activation"}
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


def sentences(trace: MergesTrace, named: MergeTree, *, hidden: bool) -> list[str]:
    """The finding for each split that the word has at some time; @say is its index.

    With `hidden`, a question hides the pieces.
    """
    word, times = _short(named.word), trace.words.counts.get(named.word, 0)
    opening = (
        f"The text has **{word}** {_times(times)}."
        if times
        else f"The text does not have the word **{word}**."
    )
    if hidden:
        asked = f"{opening} Into how many pieces do {{tokens_n}} merges split it? =={{pieces}}=="
        return [asked] * len(named.tops)
    found = []
    for each in named.tops:
        pieces = [named.nodes[i].piece for i in each.nodes]
        if pieces == [UNKNOWN]:
            found.append(
                f"**{word}** has a letter that the text lacks: the whole word becomes "
                f"=={UNKNOWN}==, after any number of merges."
            )
            continue
        count = "1 piece" if len(pieces) == 1 else f"{len(pieces)} pieces"
        found.append(f"{opening} After {{tokens_n}} merges it is =={count}==: **{_row(pieces)}**.")
    return found


def formulas(trace: MergesTrace) -> list[list[str]]:
    """|V|, the tokens per word, and the count or the gain of the next pair, as templates.

    The second list is for when no pair is left.
    """
    total = f"{trace.words.total:,}"
    size = (
        f"[weight||V|] = {len(SPECIAL_TOKENS)} special + {len(trace.base)} letters + {{made}} made "
        "= **[weight|{types}]**"
    )
    tokens = f"{{tokens}} tokens / {total} words = **[input|{{per_word}}]**"
    pair = "next pair: **[score|{count}]** times"
    if trace.rule.by == "gain":
        pair = "next gain: {count} / ({first}·{second}) = **[score|{gain}]**"
    return [[size, tokens, pair], [size, tokens]]


def describe(trace: MergesTrace, words: Sequence[MergeTree], merges: int, *, hidden: bool) -> str:
    """The alt text of the trees, as a template; with `hidden` it omits their pieces."""
    said = (
        "After {tokens_n} merges the vocabulary has {types} types and the text {tokens} tokens, "
        "{per_word} per word; the words on screen have {sentence} pieces. "
        "The next pair occurs {count} times."
    )
    if hidden:
        return said
    split = "; ".join(
        f"{tree.word[:LONG]}: {' '.join(tree.pieces(merges)[:MANY])}"
        for tree in words[:SPOKEN_WORDS]
    )
    plain = split.replace("{", "brace").replace("}", "brace")
    return f"{said} With {merges:,} merges they are {plain}."


def match_sentence(found: MatchTrace, *, hidden: bool) -> str:
    """The result of a word's lookups, as a template; with `hidden`, a question hides it."""
    word, tries = _short(found.word), len(found.attempts)
    if not tries:
        return (
            f"**{word}** has {len(found.word)} letters, more than WordPiece accepts: =={UNKNOWN}==."
        )
    opening = f"WordPiece looks **{word}** up, the longest piece first"
    if hidden:
        return f"{opening}. How many lookups does it need? =={{tries}}=="
    lookups = "1 lookup" if tries == 1 else f"{tries} lookups"
    if found.unknown and not found.attempts[-1].known:
        last = _short(found.attempts[-1].piece)
        return (
            f"{opening}: after =={lookups}== not even **{last}** is in the vocabulary, so the "
            f"whole word becomes **{UNKNOWN}**."
        )
    return f"{opening}: =={lookups}==, and it is split into **{_row(found.pieces)}**."


def match_formula(found: MatchTrace) -> list[str]:
    """The number of lookups for each piece, and their sum, as a template."""
    parts, since = [], 0
    for i, each in enumerate(found.attempts, start=1):
        if each.known:
            parts.append(f"{i - since} for **{_short(each.piece)}**")
            since = i
    if since < len(found.attempts):
        parts.append(f"{len(found.attempts) - since} in vain")
    if len(parts) > MOST_PARTS:
        parts = [*parts[: MOST_PARTS - 1], "…"]
    return [f"lookups = {' + '.join(parts)} = **[score|{{tries}}]**"] if parts else []


def input_sentence(trace: InputTrace, at: int) -> str:
    """The sum in one dimension of the token `at`, as a template."""
    names = [*trace.rows][:-1]
    parts = " + ".join(f"{name} [{ROLES[name]}|{{{name}:p}}]" for name in names)
    token = _short(trace.reading.tokens[at])
    return f"Dimension {{tokens_dim}} of **{token}**: {parts} = =={{input}}==."


def input_formula(trace: InputTrace, at: int) -> list[str]:
    """The added rows with their tables and numbers, as templates."""
    read, rows = trace.reading, [*trace.rows][:-1]
    indices = {"token": int(read.ids[at]), "position": at, "segment": int(read.segments[at])}
    symbols = " + ".join(f"[{ROLES[name]}|{SYMBOLS[name]}\\[{indices[name]}\\]]" for name in rows)
    added = " + ".join(f"[{ROLES[name]}|{{{name}:p}}]" for name in rows)
    return [
        f"x{subscript(at)} = {symbols}",
        f"dimension {{tokens_dim}}: {added} = **[activation|{{input}}]**",
    ]


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _short(word: str) -> str:
    """The word for a template: shortened if very long, with markup escaped."""
    return quoted(word if len(word) <= LONG else word[: LONG - 1] + "…")


def _row(pieces: Sequence[str]) -> str:
    """The pieces in a row; if there are many, those in the middle are left out."""
    if len(pieces) > MANY:
        pieces = [*pieces[: MANY - 3], "…", *pieces[-2:]]
    return " ".join(_short(piece) for piece in pieces)
