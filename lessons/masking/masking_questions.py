"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor

import ui
from lessons.masking import (
    live_leakage_picture,
    masking_picture,
    masking_text,
    noises_picture,
    packed_text,
)
from lessons.masking.corruption_state import CorruptionState
from lessons.masking.fates_picture import ASKED
from lessons.masking.masking_state import MaskingState
from lmcore.corruption.bart_noise import NoiseTrace
from lmcore.corruption.draws import CorruptionConfig
from lmcore.corruption.story_words import WORDS
from lmcore.masking import leakage, mask_pairs
from lmcore.masking.leakage import DEPTH, Leakage
from lmcore.masking.mask_pairs import MaskPair
from lmcore.masking.without_causal_mask import Recording
from lmcore.numbers import format_number

BERTS_TOKENS = 512


def masking_questions(current: MaskingState, query: int) -> list[ui.Question]:
    """The questions: cells that are 0, the weight of later words, and what the cut changes."""
    pair = current.pair
    now = pair.chosen.now
    zeros = ui.Question(
        "zeros",
        f"How many of the {now.mask.numel()} weights does this mask make exactly 0?",
        float((~now.mask).sum()),
        "One for each hatched cell: exp(−∞) = 0.",
        hint="Count the hatched cells on the left.",
    )
    if pair.chosen.name == "cross":
        return [zeros]
    shares = mask_pairs.row_shares(now, masking_picture.watched_keys(pair))
    word = _quoted(pair.queries[query])
    asked = [zeros, _watched_weight(pair, query, word, float(shares.watched[0, query]))]
    if pair.other.name == "bidirectional" and int(shares.sees[0, query]):
        asked.append(_without_mask(pair, query, word))
    return asked


def _quoted(word: str) -> str:
    return f"“{ui.escape_markdown(masking_text.cut_word(word))}”"


def _watched_weight(pair: MaskPair, query: int, word: str, weight: float) -> ui.Question:
    """How much of a word's weight lies on [PAD] or on the words after it."""
    watched = "[PAD]" if pair.chosen.name == "padding" else "words after it"
    n, keys = query + 1, range(1, len(pair.chosen.keys) + 1)
    return ui.Question(
        "ahead",
        f"How much of the weight of {word} lies on {watched}?",
        weight,
        "A hidden score is −∞, so its weight is exactly 0; only what is open shares the 1.",
        hint="Which cells of this row are open, and are any of them on that side?",
        hides=(f"ahead{n}", f"past{n}", f"given{n}", *(f"{x}{n}.{j}" for x in "wk" for j in keys)),
    )


def _without_mask(pair: MaskPair, query: int, word: str) -> ui.Question:
    """What happens to the largest weight of a word once it sees all words."""
    best = int(pair.chosen.now.weights[0, query].argmax())
    one, other = (float(each.now.weights[0, query, best]) for each in (pair.chosen, pair.other))
    return ui.Question(
        "open",
        f"Take the mask away. What happens to the weight of {_quoted(pair.chosen.keys[best])} in "
        f"the row of {word}?",
        masking_text.change_words(one, other),
        f"It goes from {format_number(one)} to {format_number(other)}: each row always sums to 1.",
        hint="More words share the same 1.",
        options=masking_text.CHANGES,
        hides=tuple(f"o{query + 1}.{j}" for j in range(1, len(pair.chosen.keys) + 1)),
    )


def corruption_questions(current: CorruptionState) -> list[ui.Question]:
    """The questions: [MASK] in a text of BERT's length, the terms, and texts with no term."""
    rates, places = current.config.rates, len(current.text.open_places)
    return [
        ui.Question(
            "terms",
            "How many words of the text on screen add a term to the loss?",
            float(current.trace.chosen.sum()),
            "All that are chosen, also those with another word and those left as they were.",
            hint="The replaced ones count too.",
            hides=("n_chosen", "n_masked", "n_random", "n_kept", "n_rest"),
        ),
        ui.Question(
            "masks",
            f"Of {BERTS_TOKENS} tokens, how many become [MASK] on average at these shares?",
            BERTS_TOKENS * rates.chosen * rates.masked,
            f"{BERTS_TOKENS} · {format_number(rates.chosen)} · {format_number(rates.masked)}.",
            hint="First a token is chosen, then it is masked: multiply the shares.",
            hides=("text_masks", "text_masked"),
        ),
        ui.Question(
            "none",
            f"In how many of 100 texts of {places} words is none chosen, if each word is drawn "
            "independently?",
            100 * (1 - rates.chosen) ** places,
            f"100 · (1 − {format_number(rates.chosen)})^{places}.",
            hint="Each word must escape.",
        ),
    ]


def fates_questions(config: CorruptionConfig) -> list[ui.Question]:
    """The questions: how many of the words are masked, kept, or not in the loss."""
    rates = config.rates
    chosen, masked, kept = (
        format_number(each) for each in (rates.chosen, rates.masked, rates.kept)
    )
    return [
        ui.Question(
            "fates-masked",
            f"Of {WORDS:,} words, how many are hidden behind [MASK] on average at these shares?",
            WORDS * rates.chosen * rates.masked,
            f"{WORDS:,} · {chosen} · {masked}.",
            hint="First a word is chosen, then it is hidden: multiply the shares.",
            hides=ASKED,
        ),
        ui.Question(
            "fates-kept",
            f"How many of the {WORDS:,} words are predicted and yet unchanged, on average?",
            WORDS * rates.chosen * rates.kept,
            f"{WORDS:,} · {chosen} · {kept}: the model cannot tell them from words that are only "
            "read.",
            hint="They are chosen, and neither masked nor replaced.",
            hides=ASKED,
        ),
        ui.Question(
            "fates-rest",
            f"How many of the {WORDS:,} words add no term to the loss, on average?",
            WORDS * (1 - rates.chosen),
            f"{WORDS:,} · (1 − {chosen}): all that are not chosen.",
            hint="Random and kept words are predicted, too.",
            hides=("n_chosen", "e_chosen", "n_rest", *ASKED),
        ),
    ]


def noises_questions(traces: Mapping[str, NoiseTrace]) -> list[ui.Question]:
    """The question: which way lets the decoder see least of how many tokens are missing."""
    name = "text_infilling"
    hidden, tokens = len(noises_picture.lost(name, traces[name]).hidden), len(traces[name].tokens)
    n = list(traces).index(name)
    return [
        ui.Question(
            "noises",
            f"Text infilling puts one \\[MASK] in the place of a run of tokens. How many of the "
            f"{tokens} tokens does the encoder not see?",
            float(hidden),
            f"The share is used up whole: {hidden} of {tokens}; a \\[MASK] may stand for several "
            "or for none.",
            hint="In the row of text infilling, count the columns under each \\[MASK].",
            hides=(f"hidden {n}", f"reads {n}"),
        )
    ]


def packed_questions(live: ui.LiveNumbers) -> list[ui.Question]:
    """The question: how much is filled where each document begins an input of its own."""
    length, inputs, read = (live[name] for name in (packed_text.SETTING, "inputs 1", "read 1"))
    return [
        ui.Question(
            "packed",
            "Each document begins an input of its own. How many per cent of all places are filled?",
            live["filled 1"],
            f"{read:g} tokens in {inputs:g} inputs of {length:g}: {read:g} / {inputs * length:g}.",
            hint="Count the places that are not grey, and divide by all places.",
            hides=("filled 1", "read 1"),
        )
    ]


def leakage_questions(
    found: Leakage, mask: Tensor, tokens: tuple[str, ...], at: int, *, blank: bool
) -> list[ui.Question]:
    """The questions: what moves before the change, how far it reaches, what sees itself."""
    effect = leakage.change_effect(found, at)
    word = _quoted(tokens[at])
    asked = [
        ui.Question(
            "reach",
            f"Through {DEPTH} layers, how many tokens can move the last output?",
            float(leakage.receptive_field(mask)),
            "Each layer applies the mask once more to what the layer below has already gathered.",
            hint="Start at the last output and go down, layer by layer, to the words.",
            hides=_moved(len(tokens)),
        )
    ]
    if at:
        asked.insert(0, _before_the_change(word, at, float(effect.before)))
    if blank:
        asked.append(
            ui.Question(
                "own",
                f"After how many layers does {word} move the output that must predict it? "
                "(0: never)",
                float(effect.own_layer),
                "In the first layer no place looks at itself; through another place it can.",
                hint="It needs a way to another place and a way back.",
                hides=(*_moved(at + 1), "ownLayer", "own", "after"),
            )
        )
    return asked


def _before_the_change(word: str, at: int, moved: float) -> ui.Question:
    return ui.Question(
        "before",
        f"Change {word}. How many of the {at} outputs before it move?",
        moved,
        "Follow the beads: they climb only along what the mask leaves open.",
        hint="Can any path lead from the changed word to a place on its left?",
        hides=(*_moved(*range(1, at + 1)), "before"),
    )


def _moved(*places: int) -> tuple[str, ...]:
    """The numbers that say how far the outputs of places move, and how many do, layer by layer."""
    layers = range(1, DEPTH + 1)
    return (*(f"v{n}.{i}" for n in layers for i in places), *(f"n{n}" for n in layers))


def live_leakage_questions(recording: Recording) -> list[ui.Question]:
    """The questions before the curves are shown: the lower loss, and the texts."""
    masked, unmasked = recording.runs
    hides = ("with", "without", "possible", "impossible", "alone")
    return [
        ui.Question(
            "lower",
            "One model is trained with the causal mask, one without. Which has the lower "
            "validation loss?",
            live_leakage_picture.LABELS[unmasked.loss < masked.loss],
            f"It sees the word that it must predict and copies it: {format_number(unmasked.loss)} "
            f"against {format_number(masked.loss)} nats. A low loss is not what we want.",
            hint="What does position t see of word t + 1 where nothing is masked?",
            options=live_leakage_picture.LABELS,
            hides=hides,
        ),
        ui.Question(
            "possible",
            f"Each model writes {recording.written} texts. How many of the model without the mask "
            "does the grammar allow?",
            float(unmasked.possible),
            "When it writes, the next word is not there to be copied.",
            hint="It has only learned to copy the word after this one.",
            hides=("possible", "impossible", "alone"),
        ),
    ]
