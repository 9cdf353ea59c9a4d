"""What the page asks before it shows; the answers are computed from what is shown."""

from __future__ import annotations

import ui
from lessons.transformer import transformer_picture
from lessons.transformer.transformer_shown import Shown


def questions(shown: Shown, place: int) -> list[ui.Question]:
    """The questions about a token, from 0: its word, its keys, the shapes, the weights."""
    found = [_keys_question(shown, place), _shape_question(shown), _weights_question(shown)]
    return [_word_question(shown, place), *found] if shown.probabilities is not None else found


def _word_question(shown: Shown, place: int) -> ui.Question:
    words = transformer_picture.predicted_words(shown)
    assert words is not None
    four = list(dict.fromkeys(words["words"][place]))[:4]
    return ui.Question(
        "word",
        f"The vector of “{shown.tokens[place]}” leaves the last block. Which word gets the largest "
        "ŷ?",
        four[0],
        f"Its logit is {words['logits'][place][0]:.3f}, the largest of {shown.config.vocabulary:,}."
        " The softmax turns logits into ŷ and keeps their order.",
        hint="Read the text: which word could stand next, and agree with what came before?"
        if shown.kind == "gpt"
        else "Which word fits both sides?",
        options=tuple(sorted(four)),
        hides=("p", "logit", "id", "words"),
    )


def _keys_question(shown: Shown, place: int) -> ui.Question:
    seen = place + 1 if shown.kind != "bert" else len(shown.tokens)
    why = (
        "A causal mask hides every later token: its score is −∞, and its α is 0."
        if shown.kind != "bert"
        else "An encoder has no causal mask: every token attends to all."
    )
    return ui.Question(
        "keys",
        f"How many of the {len(shown.tokens)} tokens can the query of “{shown.tokens[place]}”, "
        f"token {place + 1}, attend to?",
        float(seen),
        why,
        hint="Look at the triangle of α." if shown.kind != "bert" else "Is there a mask?",
    )


def _shape_question(shown: Shown) -> ui.Question:
    d, heads, d_k = shown.config.width, shown.config.heads, shown.config.d_k
    time = len(shown.tokens)
    return ui.Question(
        "shape",
        f"The stream is {time} × {d}: a row for each token. Which shape has Q of one of the "
        f"{heads} heads?",
        f"{time} × {d_k}",
        f"The {heads} heads share the width: d_k = d / n_h = {d} / {heads} = {d_k}. "
        "Beside one another their Z are as wide as the stream again.",
        hint="All heads together are as wide as the stream.",
        options=tuple(
            dict.fromkeys((f"{time} × {d_k}", f"{time} × {d}", f"{d} × {d_k}", f"{time} × {time}"))
        ),
    )


def _weights_question(shown: Shown) -> ui.Question:
    d, hidden = shown.config.width, shown.config.hidden
    return ui.Question(
        "weights",
        f"One block has W^Q, W^K, W^V and W^O of {d} × {d}, W₁ of {d} × {hidden} and W₂ of "
        f"{hidden} × {d}. How many weights are in these six matrices?",
        float(4 * d * d + 2 * d * hidden),
        f"4·{d}² + 2·{d}·{hidden}. With d_ff = 4d it is 12 d² a block, whatever the number of "
        "heads and however long the text.",
        hint="Four squares and two rectangles.",
    )
