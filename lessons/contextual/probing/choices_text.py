"""The sentence, the formula and the description of the six ways to make one vector."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.contextual.probing.choices_picture import (
    BERT_LAYERS,
    BERT_WIDTH,
    WAYS,
    Scores,
    layers_of,
    size_of,
)

SUM, ENDS = WAYS.index("sum of the last four"), WAYS.index("last four, end to end")
SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def reading(date: str) -> str:
    """Where the numbers come from."""
    return (
        "Quoted: Devlin et al. 2019, Table 7, F1 on the development set of CoNLL-2003, BERT base "
        "as features for a BiLSTM; its sums are weighted ones. Measured: a linear probe of "
        f"MiniLM’s vectors on words of the Microworld, recorded on {date}; MiniLM has 6 layers of "
        "384. A broken axis leaves out the stretch between the lowest dot and the others."
    )


def sentence(found: Sequence[Scores], task: str, *, hidden: bool = False) -> str:
    """End to end and the sum compared, in the paper and here, as a template."""
    if hidden:
        return "One vector of a word from all layers of BERT: which layers, summed or end to end?"
    ours = found[1]
    compared = (
        f"End to end ==**{{bert {ENDS}}}**== against {{bert {SUM}}} for the sum of the last four"
    )
    here = f"MiniLM on {task}: {{ours {ENDS}}} against {{ours {SUM}}}"
    more = ours.values[ENDS] - ours.values[SUM]
    if more > 0:
        return f"{compared}; {here}."
    verdict = "no difference" if more == 0 else "the sum is better"
    return f"{compared}; {here}, **{verdict}**."


def formula(way: int, *, hidden: bool = False) -> list[str]:
    """The vector that a way makes, its size, and its two scores."""
    name = WAYS[way]
    layers = [f"h{str(each).translate(SUBSCRIPT)}" for each in layers_of(name, BERT_LAYERS)]
    shown = layers if len(layers) <= 4 else [*layers[:2], "…", layers[-1]]
    size = size_of(name, BERT_WIDTH)
    if way == ENDS:
        made = f"[{'; '.join(shown)}]".replace("[", "\\[").replace("]", "\\]")
        counted = f"4 · {BERT_WIDTH} = {size:,} numbers"
    else:
        made, counted = " + ".join(shown), f"{size:,} numbers"
    parts = [f"{name}: [input|{made}]" if way != ENDS else f"{name}: {made}", counted]
    if hidden:
        return parts
    return [*parts, f"F1 {{bert {way}}}, MiniLM {{ours {way}}}"]


def describe(found: Sequence[Scores]) -> str:
    """The alt text, as a template."""
    each = "; ".join(f"{way}: F1 {{bert {n}}}, ours {{ours {n}}}" for n, way in enumerate(WAYS))
    return f"Six ways to make one vector of the layers. {found[1].title}. {each}."
