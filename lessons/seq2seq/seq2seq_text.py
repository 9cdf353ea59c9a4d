"""The sentences, the formulas and the description of the translation."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.seq2seq.seq2seq_picture import largest_place
from lessons.seq2seq.translated import Translated
from lmcore.attention.translation_steps import TranslationSteps
from lmcore.numbers import subscript
from lmcore.vocabulary import END


def count_right(shown: Translated, steps: TranslationSteps) -> int:
    """How many words of the true target are written at their place, not counting `</s>`."""
    words = shown.decode(steps.written)
    return sum(a == b for a, b in zip(words, shown.pair.target, strict=False))


def step_sentences(shown: Translated, forced: Mapping[int, int], *, hidden: bool) -> list[str]:
    """The finding at each step of the decoder."""
    return [
        _sentence(shown, i, forced.get(i + 1, 0), hidden=hidden)
        for i in range(len(shown.attention.written))
    ]


def _sentence(shown: Translated, i: int, forced: int, *, hidden: bool) -> str:
    words, vector = shown.decode(shown.attention.written), shown.decode(shown.vector.written)
    word, target = words[i], shown.target_words
    symbol = f"α{subscript(i + 1)}"
    if forced:
        free = shown.decode(shown.free.written)
        without = f" instead of **{free[i]}**" if free[i : i + 1] != [word] else ", too"
        return (
            f"With all of {symbol} **forced** on **{shown.source_words[forced - 1]}**, "
            f"the decoder writes =={word}=={without if i < len(free) else ''}."
        )
    if word == END and not hidden:
        right = [count_right(shown, its) for its in (shown.attention, shown.vector)]
        return (
            f"**{END}** ends it. Of {len(target) - 1} words, attention has "
            f"=={right[0]}== at the right place, one vector {right[1]}."
        )
    at = "?" if hidden else f"**{shown.source_words[largest_place(shown, i)]}**"
    lead = f"To write **{word}**, the decoder attends to {at}: {symbol} = =={{a1}}==."
    if i < len(target) and word != target[i]:
        return f"{lead} The right word is **{target[i]}**."
    if i < len(vector) and vector[i] != word:
        return f"{lead} One vector alone gives **{vector[i]}**."
    return lead


def step_formulas(
    shown: Translated, forced: Mapping[int, int], *, hidden: bool, word_hidden: bool = False
) -> list[list[str]]:
    """The formulas at each step: the weights, the context, and the word's probability."""
    weights = shown.attention.trace.weights
    assert weights is not None
    found = []
    for i, word in enumerate(shown.decode(shown.attention.written)):
        places = weights[0, i].topk(2).indices.tolist()
        n, before = subscript(i + 1), subscript(i)
        mixed = " + ".join(
            f"[weight|{{a{k + 1}}}]·[input|h{'ⱼ' if hidden else subscript(j + 1)}]"
            for k, j in enumerate(places)
        )
        rest = " + …" if weights.shape[2] > len(places) else ""
        weighed = f"[weight|α{n}ⱼ] = softmaxⱼ a([activation|s{before}], [input|hⱼ])"
        context = f"[activation|c{n}] = Σⱼ [weight|α{n}ⱼ] [input|hⱼ] = {mixed}{rest}"
        if place := forced.get(i + 1):
            weighed = f"[weight|α{n}{subscript(place)}] = 1, **forced**"
            context = f"[activation|c{n}] = [input|h{subscript(place)}]"
        chance = f"p(y{n} = {'?' if word_hidden else word}) = **[score|{{p}}]**"
        found.append([weighed, context, chance])
    return found


def describe(shown: Translated) -> str:
    """The alt text of the picture, as a template."""
    return (
        f"The source “{' '.join(shown.pair.source)}”. Attention writes "
        f"“{_text(shown, shown.attention)}”, one vector “{_text(shown, shown.vector)}”. "
        f"Right is “{' '.join(shown.pair.target)}”. At step {{step}} the largest weight is {{a1}}."
    )


def _text(shown: Translated, steps: TranslationSteps) -> str:
    return " ".join(word for word in shown.decode(steps.written) if word != END)
