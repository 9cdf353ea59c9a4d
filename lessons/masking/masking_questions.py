"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

from torch import Tensor

import ui
from lessons.masking import live_leakage_picture, masking_picture, masking_text
from lessons.masking.corruption_state import CorruptionState
from lessons.masking.masking_state import MaskingState
from lmcore.masking import leakage, mask_pairs
from lmcore.masking.leakage import DEPTH, Leakage
from lmcore.masking.without_causal_mask import Recording
from lmcore.numbers import format_number

BERTS_TOKENS = 512


def masking_questions(current: MaskingState, query: int) -> list[ui.Question]:
    """The questions: cells that are 0, the weight of later words, and what the cut changes."""
    pair, n = current.pair, query + 1
    now = pair.chosen.now
    shares = mask_pairs.row_shares(now, masking_picture.watched_keys(pair))
    word = f"“{ui.escape_markdown(masking_text.cut_word(pair.queries[query]))}”"
    watched = "[PAD]" if pair.chosen.name == "padding" else "words after it"
    keys = range(1, len(pair.chosen.keys) + 1)
    row = (f"ahead{n}", f"past{n}", f"given{n}", *(f"{x}{n}.{j}" for x in "wk" for j in keys))
    found = [
        ui.Question(
            "zeros",
            f"How many of the {now.mask.numel()} weights does this mask make exactly 0?",
            float((~now.mask).sum()),
            "One for each hatched cell: exp(−∞) = 0.",
            hint="Count the hatched cells on the left.",
        )
    ]
    if pair.chosen.name == "cross":
        return found
    found.append(
        ui.Question(
            "ahead",
            f"How much of the weight of {word} lies on {watched}?",
            float(shares.watched[0, query]),
            "A hidden score is −∞, so its weight is exactly 0; only what is open shares the 1.",
            hint="Which cells of this row are open, and are any of them on that side?",
            hides=row,
        )
    )
    best = int(now.weights[0, query].argmax())
    if pair.other.name == "bidirectional" and int(shares.sees[0, query]):
        one, other = (float(each.now.weights[0, query, best]) for each in (pair.chosen, pair.other))
        found.append(
            ui.Question(
                "open",
                "Take the mask away. What happens to the weight of “"
                + ui.escape_markdown(masking_text.cut_word(pair.chosen.keys[best]))
                + f"” in the row of {word}?",
                masking_text.change_words(one, other),
                f"It goes from {format_number(one)} to {format_number(other)}: each row always "
                "sums to 1.",
                hint="More words share the same 1.",
                options=masking_text.CHANGES,
                hides=tuple(f"o{n}.{j}" for j in keys),
            )
        )
    return found


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


def leakage_questions(
    found: Leakage, mask: Tensor, tokens: tuple[str, ...], at: int, *, blank: bool
) -> list[ui.Question]:
    """The questions: what moves before the change, how far it reaches, what sees itself."""
    effect = leakage.change_effect(found, at)
    word = f"“{ui.escape_markdown(masking_text.cut_word(tokens[at]))}”"
    layers = range(1, DEPTH + 1)
    before = tuple(f"v{n}.{i}" for n in layers for i in range(1, at + 1))
    counts = tuple(f"n{n}" for n in layers)
    asked = []
    if at:
        asked.append(
            ui.Question(
                "before",
                f"Change {word}. How many of the {at} outputs before it move?",
                float(effect.before),
                "Follow the beads: they climb only along what the mask leaves open.",
                hint="Can any path lead from the changed word to a place on its left?",
                hides=(*before, *counts, "before"),
            )
        )
    asked.append(
        ui.Question(
            "reach",
            f"Through {DEPTH} layers, how many tokens can move the last output?",
            float(leakage.receptive_field(mask)),
            "Each layer applies the mask once more to what the layer below has already gathered.",
            hint="Start at the last output and go down, layer by layer, to the words.",
            hides=(*(f"v{n}.{len(tokens)}" for n in layers), *counts),
        )
    )
    if blank:
        asked.append(
            ui.Question(
                "own",
                f"After how many layers does {word} move the output that must predict it? "
                "(0: never)",
                float(effect.own_layer),
                "In the first layer no place looks at itself; through another place it can.",
                hint="It needs a way to another place and a way back.",
                hides=(*(f"v{n}.{at + 1}" for n in layers), *counts, "ownLayer", "own", "after"),
            )
        )
    return asked


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
