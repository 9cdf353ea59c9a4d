"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st
import torch
from jaxtyping import Float64

import ui
from lessons.bert import (
    bert_picture,
    fill_in_text,
    judged_text,
    pairs_text,
    readers_text,
    sides_text,
)
from lessons.bert.bert_picture import Gap
from lessons.bert.bert_state import AFTER, COSTS, OWN, FillInState
from lessons.bert.judged_text import JUDGEMENTS, Scored
from lessons.bert.pairs_state import VERDICT, PairState, question_key
from lessons.bert.readers_state import ReadersState, vocabulary
from lessons.bert.sides_text import SidesWords
from lmcore.masked_lm import next_sentence
from lmcore.masked_lm.both_sides import SidesTrace
from lmcore.masked_lm.masked_terms import TermsTrace
from lmcore.numbers import format_number
from lmcore.training.masked_batches import masked_vocabulary

OPTIONS = 6


def pretraining_questions() -> list[ui.Question]:
    """What the page asks here: the first loss, of a word and with a pair."""
    types = len(masked_vocabulary())
    return [
        ui.Question(
            "untrained",
            f"The model has {types} types. What is the loss of a word before the first step, in "
            "nats?",
            math.log(types),
            f"Every type is about equally likely: ln {types}.",
            hint="−log of one part in so many.",
        ),
        ui.Question(
            "both",
            "And with pairs added to it, what is the loss of the first step, in nats?",
            math.log(types) + math.log(2),
            f"ln {types} + ln 2.",
            hint="A pair has two answers.",
        ),
    ]


def fill_in_questions(scene: FillInState) -> list[ui.Question]:
    """What the page asks: the covered word, the best guess, the terms of L, and uniform loss."""
    count, types = len(scene.text.tokens), scene.network.config.vocabulary
    return [
        *_gap_questions(scene),
        ui.Question(
            "terms",
            f"Of the {count} places of this text, how many add a term to the loss?",
            float((~scene.trace.terms.isnan()).sum()),
            "Only the covered ones whose word is known.",
            hint="Count the gaps.",
            hides=("loss",),
        ),
        ui.Question(
            "uniform",
            f"The model has {types:,} types. What is the loss of uniform guessing, in nats?",
            float(np.log(types)),
            f"Every type is equally likely: ln {types:,}.",
            hint="The natural logarithm of the number of types.",
        ),
    ]


def _gap_questions(scene: FillInState) -> list[ui.Question]:
    """The word of the first gap, unless several fit alike, and how sure a guess can be."""
    found = bert_picture.gaps(scene.text, scene.trace, scene.both, scene.word)
    if not found:
        return []
    if scene.trace.exact is None:
        return [_covered_word(scene, found, None)]
    exact = scene.trace.exact[found[0].row]
    several = int((exact > float(exact.max()) - fill_in_text.CLOSE).sum()) > 1
    covered = [] if several else [_covered_word(scene, found, exact)]
    return [*covered, _best_guess(scene, found[0], exact)]


def _covered_word(
    scene: FillInState, found: list[Gap], exact: Float64[torch.Tensor, " type"] | None
) -> ui.Question:
    gap = found[0]
    best = int((scene.trace.log_q[gap.row] if exact is None else exact).argmax())
    fit = sorted({scene.word(i) for i in (best, *gap.ids[: OPTIONS - 1])})
    p = "" if exact is None else f", exactly {float(exact.max()):.2g}"
    return ui.Question(
        "covered",
        "Which word fits the gap best?"
        if exact is not None
        else "Which word does the model find likeliest at the gap?",
        scene.word(best),
        f"Given the words that are read it is the likeliest{p}.",
        hint="Only the words before the gap are read."
        if scene.left
        else "Read the words after the gap as well.",
        options=tuple(fit),
        hides=(OWN, *bert_picture.bar_names(found, scene.trace, scene.word)),
    )


def _best_guess(scene: FillInState, gap: Gap, exact: Float64[torch.Tensor, " type"]) -> ui.Question:
    names = [bert_picture.number_name("p", gap.row, scene.word(i), i) for i in gap.ids]
    return ui.Question(
        "best",
        "How likely is the best single guess to be right?",
        float(exact.max()),
        "The exact probability of the likeliest word; no model can do better.",
        hint="The lower bars are exact; those of all words sum to 1.",
        hides=(*names, f"exact cost{gap.row}", f"KL{gap.row}", "exact loss"),
    )


def sides_questions(trace: SidesTrace, words: SidesWords) -> list[ui.Question]:
    """What the page asks here: the probability once both sides are read, and the attention."""
    left, both = (float(trace.log_q[row, words.own_id].exp()) for row in (0, -1))
    asked = []
    if trace.after:
        asked.append(
            ui.Question(
                "sides",
                sides_text.asked_words(words),
                _two_digits(both),
                f"If the text ends at the gap it is {_two_digits(left)}.",
                hint="Which words would you put there yourself?",
                options=_guesses(both),
                hides=(AFTER,),
            )
        )
    looked = float(trace.shares()[-1, 1])
    return [
        *asked,
        ui.Question(
            "looks",
            "Of the gap’s attention, which share goes to the words after it?",
            looked,
            "The sum of the arcs on the right.",
            hint="Add the weights on the right. All weights of the gap sum to 1.",
            hides=("from right",),
        ),
    ]


def masked_loss_questions(trace: TermsTrace, tokens: Sequence[str]) -> list[ui.Question]:
    """What the page asks here: which guess costs most, the mean, and a blind guess."""
    types = trace.log_q.shape[1]
    blind = ui.Question(
        "blind",
        f"The model has {types:,} types. What does a blind guess cost, in nats?",
        math.log(types),
        f"Every type is equally likely: ln {types:,}.",
        hint="The natural logarithm of the number of types.",
        hides=("blind",),
    )
    words = [tokens[place] for place in trace.places]
    if len(set(words)) < 2:
        return [blind]
    row = int(trace.terms.argmax())
    shown = [format_number(term) for term in trace.terms[: fill_in_text.TERMS].tolist()]
    terms = f"({' + '.join(shown)}) / {len(words)}." if len(words) == len(shown) else "Σ / |M|."
    return [
        ui.Question(
            "costliest",
            "Every word is read, and only these are judged. Which guess costs most?",
            words[row],
            f"The model puts it at rank {int(trace.ranks[row]):,}: ŷ = "
            f"{format_number(float((-trace.terms[row]).exp()))}, −log ŷ = "
            f"{format_number(float(trace.terms[row]))}.",
            hint="Which one would you find last, from all the other words?",
            options=tuple(dict.fromkeys(words)),
            hides=(COSTS,),
        ),
        ui.Question(
            "mean",
            f"{len(words)} words are judged. What is L, in nats?",
            trace.loss,
            terms,
            hint="The mean of the costs, over the judged words only.",
            hides=("loss",),
        ),
        blind,
    ]


def _guesses(p: float) -> tuple[str, ...]:
    """A probability among two others, in order."""
    others = (p / 12, p / 2.5) if p > 0.2 else (p / 8, min(6 * p, 0.95))
    return tuple(map(_two_digits, sorted((p, *others))))


def _two_digits(p: float) -> str:
    return format_number(float(f"{p:.2g}"))


def pairs_questions(scene: PairState) -> list[ui.Question]:
    """What the page asks here: what a drawn pair is, a coin toss, and p(IsNext) from the logits."""
    p = float(scene.trace.probabilities[0])
    asked = []
    if scene.label is not None:
        seed = int(st.session_state["pairs_seed"]) - 1
        asked.append(
            ui.Question(
                question_key(seed),
                "Two halves of one document, or halves of two?",
                next_sentence.NAMES[scene.label],
                f"So it was drawn. The model gives IsNext {p:.2g}.",
                hint="Does the second text speak of the same things?",
                options=next_sentence.NAMES,
                hides=VERDICT,
            )
        )
    gap = float(scene.trace.logits[0] - scene.trace.logits[1])
    return [
        *asked,
        ui.Question(
            "coin",
            "What does a coin toss cost for each pair, in nats?",
            pairs_text.CHANCE,
            "Two answers, equally likely: ln 2.",
            hint="−log of one half.",
        ),
        ui.Question(
            "sigma",
            f"The first logit minus the second is {gap:.4g}. What is p(IsNext)?",
            p,
            "Softmax of two is σ of their difference.",
            hint="1 / (1 + exp(−difference)).",
            hides=VERDICT,
        ),
    ]


def pair_head_questions(scene: PairState) -> list[ui.Question]:
    """What the page asks here: the share that softmax makes of the two sums."""
    p, logits = float(scene.trace.probabilities[0]), scene.trace.logits.tolist()
    one, two = map(format_number, logits)
    best = next_sentence.NAMES[int(scene.trace.logits.argmax())]
    return [
        ui.Question(
            "pair-head",
            f"The two sums are {one} for IsNext and {two} for NotNext. What is p(IsNext)?",
            p,
            f"e^{one} / (e^{one} + e^{two}); the larger sum is that of {best}.",
            hint="Softmax of two is σ of their difference: 1 / (1 + exp(−difference)).",
            hides=VERDICT,
        )
    ]


def judged_questions(found: dict[str, Scored]) -> list[ui.Question]:
    """What the page asks here: which judgement loses most without next sentence prediction."""
    quoted = [name for name, each in JUDGEMENTS.items() if each.measure]
    lost = {name: found[name].share - found[name].base for name in quoted}
    most = max(lost, key=lambda name: lost[name])
    hides = (f"{kind} {n}" for n in range(len(JUDGEMENTS)) for kind in ("share", "base", "gain"))
    return [
        ui.Question(
            "judged",
            "Pre-trained without next sentence prediction, BERT is right less often. In which "
            "judgement does it lose most?",
            JUDGEMENTS[most].asks,
            f"Points lost: {judged_text.losses(found, quoted)}.",
            hint="Single words help least there: what matters is how B relates to A.",
            options=tuple(JUDGEMENTS[name].asks for name in quoted),
            hides=tuple(hides),
        )
    ]


def readers_questions(
    scene: ReadersState, answers: dict[str, Float64[torch.Tensor, " vocabulary"]]
) -> list[ui.Question]:
    """What the page asks here: who is right, what shuffling changes, what the RNN reads."""
    own = int(scene.text.reading.ids[scene.question.place])
    right = [name for name, row in answers.items() if int(row.argmax()) == own]
    count = len(scene.text.tokens) - scene.question.place - 1
    return [
        ui.Question(
            "right",
            f"How many of the {len(answers)} readers guess “{vocabulary()[own]}” first?",
            float(len(right)),
            f"They are: {', '.join(right)}." if right else "None does.",
            hint="Which words decide, and who reads them in their order?",
            hides=tuple(readers_text.number(name) for name in answers),
        ),
        ui.Question(
            "bag",
            "By how much does the prediction of the bag of words change when the other words are "
            "shuffled?",
            0.0,
            "The sum of the same vectors is the same: see Another order.",
            hint="It adds the vectors of all words.",
        ),
        ui.Question(
            "rnn",
            f"How many of the {count} tokens after the gap does the RNN from the left read?",
            0.0,
            "Its state before the gap depends only on the words before it.",
            hint="It runs from the left and stops at the gap.",
        ),
    ]


def order_questions(readers: Sequence[str], live: ui.LiveNumbers) -> list[ui.Question]:
    """How many readers keep their answer when the words are shuffled."""
    still = [name for n, name in enumerate(readers) if not live[f"moved {n}"]]
    count = range(len(readers))
    return [
        ui.Question(
            "order-still",
            f"The same words in another order: how many of the {len(readers)} readers keep their "
            "answer, to the last digit?",
            float(len(still)),
            f"These do: {', '.join(still)}." if still else "None does.",
            hint="Which of them adds the vectors of all words?",
            hides=("still", "least", *(f"{name} {n}" for name in ("p", "moved") for n in count)),
        )
    ]
