"""The sentence, the formula and the description of a step of beam search."""

from __future__ import annotations

import re
from collections.abc import Callable

from lessons.generation.beam_picture import OUTCOMES, BeamSearchState
from lmcore.numbers import format_number, operand

BRACES = re.compile(r"[{}\\]")
"""The characters with a meaning in a template."""
MOST_TERMS = 4
"""Terms of a sum that are written out."""
MOST_QUOTED = 4
"""Tokens of a hypothesis that the formula quotes."""
Quote = Callable[[str], str]
"""Escapes a text for a template."""


def describe(shown: BeamSearchState, step: int) -> str:
    """Alt text: the candidates of the step and their outcomes."""
    candidates = [
        f"{shown.writer.shown(b.token)} {format_number(b.total)}: {b.outcome}"
        for b in shown.tree.of_step(step)
    ]
    said = (
        f"Step {step} of {shown.tree.steps}. Candidates, the best first: {'; '.join(candidates)}."
    )
    return BRACES.sub("", said)


def finding(shown: BeamSearchState, step: int) -> str:
    """The outcome of a step; at the last step, whether the beam beats greedy search."""
    tree = shown.tree
    if step == tree.steps and tree.ended:
        return _outcome(shown)
    here = tree.of_step(step)
    counts = {outcome: sum(b.outcome == outcome for b in here) for outcome in OUTCOMES}
    drawn = "drawn" if tree.how.seed is not None else "best"
    said = (
        f"Step {step}: of the {len(here)} {drawn} candidates =={counts['goes on']}== "
        f"{'goes' if counts['goes on'] == 1 else 'go'} on, {counts['ends']} "
        f"{'ends' if counts['ends'] == 1 else 'end'}, {counts['pruned']} "
        f"{'is' if counts['pruned'] == 1 else 'are'} pruned."
    )
    if step == tree.steps:
        return f"{said} The search stops: {tree.why}."
    most = max(tree.under_way)
    if most < tree.how.width and tree.steps > 1:
        return (
            f"There are never more than =={most}== hypotheses with a probability above 0: a beam "
            f"of {tree.how.width} is wider than needed, and prunes none."
        )
    return said


def formula(shown: BeamSearchState, step: int, quote: Quote) -> list[str]:
    """Σ log p and the score of the best candidate of a step."""
    here = shown.tree.of_step(step)
    if not here:
        return []
    best = max(here, key=lambda branch: branch.total)
    tokens = shown.tree.tokens(best.number)
    logs, number = list[float](), best.number
    while number:
        branch = shown.tree.branches[number - 1]
        logs.append(branch.log_p)
        number = branch.parent
    terms = [operand(round(each, 3)) for each in reversed(logs)]
    if len(terms) > MOST_TERMS:
        terms = [*terms[:2], "…", terms[-1]]
    words = tokens[-2:] if len(tokens) > MOST_QUOTED else tokens
    text = ("… " if words != tokens else "") + shown.writer.text(words)
    power = shown.tree.how.length_penalty
    exponent = "" if power == 1 else f"^{operand(power)}"
    return [
        f"“{quote(text)}”: Σ log p = {' + '.join(terms)} = "
        f"**[activation|{format_number(best.total)}]**",
        f"[loss|score] = Σ / tᵃ = {format_number(best.total)} / {best.step}{exponent} "
        f"= {format_number(best.score)}",
    ]


def _outcome(shown: BeamSearchState) -> str:
    tree = shown.tree
    kept = [each for each in tree.ended if each.kept]
    power = tree.how.length_penalty
    best = max(kept, key=lambda each: each.total / len(each.tokens) ** power)
    ends = f"The search stops: {tree.why}."
    if best.tokens == tree.greedy.tokens:
        return f"{ends} Its best text is greedy’s too: log p =={format_number(best.total)}==."
    verdict = "more" if best.total > tree.greedy.total else "less"
    return (
        f"{ends} Its best text is {verdict} probable than greedy’s: log p "
        f"=={format_number(best.total)}== against {format_number(tree.greedy.total)}."
    )
