"""The sentences and formulas around the pictures of the Tokens page, as templates."""

from __future__ import annotations

from collections.abc import Sequence

from drawing.live import quoted
from lmcore.numbers import subscript
from lmcore.tokenization.inputs import InputTrace
from lmcore.tokenization.merges import MergesTrace
from lmcore.tokenization.pieces import UNKNOWN, MatchTrace
from lmcore.tokenization.rules import SPECIAL_TOKENS
from lmcore.tokenization.trees import MergeTree

LONG, MANY, SPOKEN_WORDS, MOST_PARTS = 24, 11, 12, 5
"""How many letters of a word, pieces, words of an alt text and parts of a sum are written."""

SYMBOLS = {"token": "E", "position": "P", "segment": "S", "input": "x"}
ROLES = {"token": "input", "position": "key", "segment": "value", "input": "activation"}


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
