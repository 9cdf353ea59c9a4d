"""Hugging Face's `tokenizers` on the same words, to compare our training and tokenizer with.

The steps that a page shows are from our own implementation.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tokenizers import AddedToken, Tokenizer, decoders, pre_tokenizers, trainers
from tokenizers.models import BPE, WordPiece

from lmcore.tokenization import merges
from lmcore.tokenization.merges import MergesTrace, PiecePair
from lmcore.tokenization.pieces import UNKNOWN
from lmcore.tokenization.rules import (
    CONTINUATION_MARK,
    END_OF_WORD_MARK,
    LONGEST_WORD,
    SPECIAL_TOKENS,
    MergeRule,
)
from lmcore.tokenization.split import normalizer


class LibraryTraining(NamedTuple):
    """The result of the library's training."""

    base: tuple[str, ...]
    """The single letters in the order of their ids, which decides between equal pairs."""
    merges: tuple[PiecePair, ...]
    vocabulary: dict[str, int]
    """Piece → id."""


class Agreement(NamedTuple):
    """How far the library's merges agree with ours."""

    merges: int
    """The library's merges."""
    same: int
    """How many of them, from the first on, equal ours."""
    same_in_its_order: int
    """The same after our letters are put in the library's order."""


def train(counts: Mapping[str, int], rule: MergeRule, types: int) -> LibraryTraining:
    """The library's trainer on these words. `WordPieceTrainer` is this trainer with the mark ##.

    The library has no gain: `rule.by` is ignored.
    """
    made = Tokenizer(BPE())
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    marks: dict[str, Any] = (
        {"continuing_subword_prefix": CONTINUATION_MARK}
        if rule.mark == CONTINUATION_MARK
        else {"end_of_word_suffix": END_OF_WORD_MARK}
    )
    trainer = trainers.BpeTrainer(
        vocab_size=types,
        min_frequency=1,
        show_progress=False,
        special_tokens=list(SPECIAL_TOKENS),
        **marks,
    )
    # The words were split at blanks already: none contains one.
    made.train_from_iterator((" ".join([word] * n) for word, n in counts.items()), trainer)
    return _training_result(json.loads(made.to_str())["model"], rule)


def _training_result(model: Mapping[str, object], rule: MergeRule) -> LibraryTraining:
    vocabulary, merges = model["vocab"], model["merges"]
    assert isinstance(vocabulary, dict) and isinstance(merges, list)
    pairs = tuple((str(first), str(second)) for first, second in merges)
    ranked = sorted(vocabulary, key=vocabulary.__getitem__)[len(SPECIAL_TOKENS) :]
    base = tuple(piece for piece in ranked if len(rule.bare(piece)) == 1)
    return LibraryTraining(base, pairs, vocabulary)


def build_tokenizer(trace: MergesTrace, count: int) -> Tokenizer:
    """A tokenizer of the library that reads with the pieces after `count` merges.

    Raises:
        ValueError: if there are fewer merges.
    """
    ids = trace.vocabulary(count)
    if trace.rule.mark == CONTINUATION_MARK:
        made = Tokenizer(WordPiece(ids, unk_token=UNKNOWN, max_input_chars_per_word=LONGEST_WORD))
        made.decoder = decoders.WordPiece(cleanup=False)
    else:
        pairs = list(dict.fromkeys(merge.pair for merge in trace.merges[:count]))
        made = Tokenizer(BPE(ids, pairs, unk_token=UNKNOWN, end_of_word_suffix=END_OF_WORD_MARK))
        made.decoder = decoders.BPEDecoder(suffix=END_OF_WORD_MARK)
    made.normalizer = normalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens([AddedToken(name, normalized=False) for name in SPECIAL_TOKENS])
    return made


def agreement(trace: MergesTrace, types: int) -> tuple[Agreement, bool]:
    """Compare the library's training with ours on the same words.

    Also tells whether a second training by the library gives the same vocabulary.
    """
    counts, rule = trace.words.counts, trace.rule
    library = train(counts, rule, types)
    reordered = merges.train(trace.words, rule, types, base=library.base)
    again = train(counts, rule, types)
    ours = Agreement(
        len(library.merges),
        _alike(library.merges, [merge.pair for merge in trace.merges]),
        _alike(library.merges, [merge.pair for merge in reordered.merges]),
    )
    return ours, again.vocabulary.keys() == library.vocabulary.keys()


def _alike(one: Sequence[PiecePair], other: Sequence[PiecePair]) -> int:
    """The length of the common prefix."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
