"""The other views of the Tokens page: steps, a pair as ids, three rules compared, and the code."""

from __future__ import annotations

from functools import partial

import streamlit as st

import ui
from lessons.tokens import tokens_picture, tokens_state, tokens_text
from lessons.tokens.tokens_state import SETTINGS, TokensState, read_pair
from lmcore import parsing
from lmcore.tokenization import inputs, library, merges, packing, pieces, rules
from lmcore.tokenization.merges import MergesTrace
from lmcore.tokenization.packing import PackedInput
from ui import compute, widgets


def step_by_step(scene: TokensState, live: ui.LiveNumbers) -> None:
    """Show the numbers of the vocabulary, the text and the next pair; below, the merges made."""
    ui.step_table(tokens_picture.steps(scene.trace), live, caption="After n merges")
    if not scene.merges:
        st.caption("No pair is merged yet: drag n.")
        return
    ui.table(
        ["merge", "count(a b)", "|V| after", "tokens after"],
        tokens_picture.merge_rows(scene.trace, scene.merges),
        name="tokens-merges",
        caption="The last merges that were made, the pair and its piece",
    )
    if scene.merges > tokens_picture.LISTED:
        st.caption(f"The last {tokens_picture.LISTED} of {scene.merges:,} merges.")


def pack(scene: TokensState) -> None:
    """Show ids, segments, positions and offsets of a sentence or pair, in the vocabulary above."""
    left, middle, right = st.columns([3, 3, 2])
    for place, name in ((left, "first"), (middle, "second"), (right, "length")):
        with place:
            SETTINGS.draw(f"tokens_{name}")

    def typed_row() -> tuple[tuple[str, str], PackedInput]:
        length = parsing.parse_integer(st.session_state["tokens_length"], "the length")
        typed = read_pair()
        return typed, packing.pack(
            library.build_tokenizer(scene.trace, scene.merges), *typed, length
        )

    def default_row() -> tuple[tuple[str, str], PackedInput]:
        typed = ("flightless birds", "")
        return typed, packing.pack(
            library.build_tokenizer(scene.trace, scene.merges), *typed, packing.MAX_LENGTH
        )

    typed, packed = widgets.validated_or_previous("tokens_pack", typed_row, default_row)
    ui.table(
        ["token", "id", "segment", "position", "from letter", "to letter"],
        tokens_picture.packed_rows(packed),
        name="tokens-row",
        caption="The row that enters a BERT",
    )
    view_notice(*map(widgets.escape_markdown, tokens_text.packed_words(packed, typed)))
    st.caption(
        f"With the vocabulary above, after {scene.merges:,} merges, by `tokenizers`. An id is a "
        "position in the vocabulary, fixed once that is learned; it carries no meaning. "
        "[CLS] and [SEP] are not part of the sentences: 0 to 0."
    )


def compare(scene: TokensState) -> None:
    """Compare three rules at the vocabulary size on screen, and `tokenizers` with our training."""
    cuts = rule_cuts(scene)
    read = [pieces.count_tokens(trace, count) for trace, count in cuts]
    ui.table(
        ["rule", "merges", "|V|", "tokens after training", "tokens when split again"],
        tokens_text.rule_rows(cuts, read),
        name="tokens-rules",
        caption=f"The same text under each rule, with at most {vocabulary_size(scene):,} types",
    )
    view_notice(tokens_text.fewest_words(cuts, read))
    train = partial(library.agreement, scene.trace, scene.types)
    agreement, repeatable = compute.unshared_result(
        train, of=(scene.trace.rule, scene.trace.merges), says="Training"
    )
    by_gain = scene.trace.rule.by == "gain"
    sentences = tokens_text.library_words(agreement, by_gain=by_gain, repeatable=repeatable)
    view_notice(
        f"`tokenizers`, trained now on the same words, {scene.trace.rule.label}.",
        *sentences,
        kind="measured here",
    )


def view_notice(*sentences: str, kind: str = "computed") -> None:
    """Draw a view's sentences with the source of their numbers."""
    st.markdown(f"{' '.join(sentences)} :gray-badge[{kind}]")


def vocabulary_size(scene: TokensState) -> int:
    """|V| after the merges on screen, or the minimum that a rule with more letters needs."""
    letters = (
        len(merges.letters(scene.trace.words.counts, rule)) for rule in rules.MERGE_RULES.values()
    )
    fewest = max(letters) + len(rules.SPECIAL_TOKENS)
    return max(int(scene.trace.types[scene.merges]), fewest)


def rule_cuts(scene: TokensState) -> list[tuple[MergesTrace, int]]:
    """The training under each rule, and the number of its merges that fit into that vocabulary."""
    size = vocabulary_size(scene)
    traces = [
        tokens_state.train_merges(scene.source, name, max(scene.types, size))
        for name in rules.MERGE_RULES
    ]
    return [(trace, int((trace.types <= size).sum()) - 1) for trace in traces]


def source(scene: TokensState) -> None:
    """The code that ran, and a script that splits the same sentence."""
    snippet = tokens_text.snippet(
        scene.source,
        scene.trace.rule.name,
        scene.types,
        scene.merges,
        st.session_state["tokens_sentence"],
    )
    widgets.show_code(
        merges.train,
        merges.merge_pair,
        pieces.longest_match,
        pieces.split_by_merges,
        library.train,
        packing.pack,
        inputs.trace_inputs,
        snippet=snippet,
        name="tokens",
    )
