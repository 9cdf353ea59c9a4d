"""The texts around the picture of a gap: its finding, its formula, its alt text.

All are templates of drawing/rich_text.js, whose numbers are those of `picture.numbers`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from drawing.live import quoted
from lessons.bert.bert_picture import Gap, chance, number_name
from lessons.bert.bert_state import FillInState

CLOSE = 1e-9
"""Probabilities that differ by no more are treated as equal."""
TERMS = 4
"""Terms of a loss that are written out."""
ASKED = "All other words are in view. Which word is **covered**? The **?** are shown once you have answered."  # noqa: E501


class GapTexts(NamedTuple):
    """The sentence, the parts of the formula, the alt text, and the number that is marked."""

    sentence: str
    formula: list[str]
    alt: str
    marked: str


def texts(scene: FillInState, found: Sequence[Gap], *, asked: bool) -> GapTexts:
    """The texts about the gaps on screen, which give nothing away while these are asked for."""
    if not found:
        return GapTexts(
            "Nothing is covered, so there is nothing to predict: **press a word**.",
            [LOSS],
            f"“{_text(scene)}”. No word is covered.",
            "",
        )
    if asked:
        return GapTexts(ASKED, [ASKS, LOSS], f"“{_text(scene)}”. What fits?", "")
    if len(found) > 1:
        return _several(scene, found)
    return _left(scene, found[0]) if scene.left else _single(scene, found[0])


LOSS = "L = −(1/|M|) Σ log ŷᵢ[xᵢ], i in M, the covered places"
ASKS = "[activation|ŷ(w | the words on both sides)] = exp(z_w) / Σ exp(z)"


def _single(scene: FillInState, gap: Gap) -> GapTexts:
    trace, best = scene.trace, int(scene.trace.log_q[gap.row].argmax())
    name, q = _word(scene, best), _name(scene, "q", gap, best)
    sentence = f"From both sides, {quoted(scene.name)} gives “**{name}**” =={{{q}}}=="
    if trace.exact is None:
        why = UNGRAMMATICAL if scene.text.in_microworld else REAL_ENGLISH
        return GapTexts(f"{sentence}. {why}", _terms(scene, gap, best), _alt(scene, [gap]), q)
    exact = trace.exact[gap.row]
    first = int(exact.argmax())
    alike = int((exact > float(exact[first]) - CLOSE).sum()) - 1
    p = f"[weight|{{{_name(scene, 'p', gap, first)}}}]"
    equals = f", as for {alike} more" if alike else ""
    if first == best or (alike and chance(exact, best) > float(exact[first]) - CLOSE):
        sentence += f"; the exact answer is {p}{equals}"
    else:
        sentence += f"; the exact answer is “{_word(scene, first)}”, {p}{equals}"
    return GapTexts(
        f"{sentence}. They differ by KL = [loss|{{KL{gap.row}}}] nats.",
        _terms(scene, gap, best),
        _alt(scene, [gap]),
        q,
    )


UNGRAMMATICAL = "The grammar never produces this text, so there is no exact answer."
REAL_ENGLISH = "For real English there is no exact answer."


def _left(scene: FillInState, gap: Gap) -> GapTexts:
    own = gap.own if gap.own is not None else int(scene.both.log_q[gap.row].argmax())
    q, both = _name(scene, "q", gap, own), _name(scene, "both", gap, own)
    name = _word(scene, own)
    formula = [f"[activation|q({name} | the words before)] = **{{{q}}}**"]
    if scene.trace.exact is not None:
        formula.append(f"[weight|exactly {{{_name(scene, 'p', gap, own)}}}]")
    formula.append(f"[activation|q({name} | both sides)] = **{{{both}}}**")
    return GapTexts(
        f"From the words before alone, our small GPT gives “**{name}**” =={{{q}}}==; "
        f"{quoted(scene.reader.name)}, from both sides, [activation|{{{both}}}].",
        formula,
        _alt(scene, [gap]),
        q,
    )


def _several(scene: FillInState, found: Sequence[Gap]) -> GapTexts:
    count = len(found)
    known = [gap.row for gap in found if gap.own is not None]
    sentence = f"{count} words are covered, and each is predicted without the others"
    if not known:
        return GapTexts(
            f"{sentence}. None of them is known, so there is no loss.",
            [LOSS],
            _alt(scene, found),
            "",
        )
    mean = f"the mean of {len(known)} terms" if len(known) > 1 else "one term"
    sentence += f": L = =={{loss}}== nats, {mean}"
    if scene.trace.exact is not None:
        sentence += "; the exact answer’s is [weight|{exact loss}]"
    sum_ = " + ".join(f"{{cost{row}:p}}" for row in known[:TERMS])
    sum_ += " + …" if len(known) > TERMS else ""
    formula = f"L = ({sum_}) / {len(known)} = [loss|**{{loss}}**] nats"
    if len(known) == 1:
        formula = f"L = −log q = [loss|**{{cost{known[0]}}}**] nats"
    return GapTexts(f"{sentence}.", [formula], _alt(scene, found), "loss")


def _terms(scene: FillInState, gap: Gap, best: int) -> list[str]:
    """The loss of the covered word, and the divergence."""
    q = _name(scene, "q", gap, best)
    parts = [f"[activation|q({_word(scene, best)} | both sides)] = **{{{q}}}**"]
    if gap.own is not None:
        own = f"{{{_name(scene, 'q', gap, gap.own)}}}"
        parts.append(
            f"L = −log q({_word(scene, gap.own)}) = −log {own} = [loss|**{{cost{gap.row}}}**] nats"
        )
    if scene.trace.divergence is not None:
        parts.append(f"Σ p·log(p / q) = [loss|**{{KL{gap.row}}}**] nats")
    return parts


def _alt(scene: FillInState, found: Sequence[Gap]) -> str:
    """Alt text: the text with its gaps, and the bars."""
    said = [f"“{_text(scene)}”."]
    for gap in found:
        bars = "; ".join(
            f"{_word(scene, i)} {{{_name(scene, 'q', gap, i)}}}"
            + (
                f", exactly {{{_name(scene, 'p', gap, i)}}}"
                if scene.trace.exact is not None
                else ""
            )
            for i in gap.ids
        )
        covered = "" if gap.own is None else f" covers “{_word(scene, gap.own)}”"
        said.append(f"Gap {gap.place}{covered}, by {quoted(scene.name)}: {bars}.")
    return " ".join(said)


def _text(scene: FillInState) -> str:
    """The text with its gaps."""
    hidden = set(scene.places)
    tokens = scene.text.tokens
    return quoted(" ".join("____" if i in hidden else token for i, token in enumerate(tokens)))


def _word(scene: FillInState, i: int) -> str:
    return quoted(scene.word(i))


def _name(scene: FillInState, kind: str, gap: Gap, i: int) -> str:
    return number_name(kind, gap.row, scene.word(i), i)
