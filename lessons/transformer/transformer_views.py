"""The views under the picture of the whole Transformer, and the page's questions."""

from __future__ import annotations

from collections.abc import Callable

import ui
from lessons.transformer import (
    claims_view,
    cost_view,
    parameters_view,
    switches_view,
    tiny_view,
    transformer_picture,
    transformer_walk,
)
from lessons.transformer.transformer_shown import Shown
from lessons.transformer.transformer_state import LESSON, TransformerState
from lmcore.models.blocks import Block
from lmcore.models.multihead import MultiHead
from lmcore.transformer.flow import model_flow, translation_flow
from lmcore.transformer.operands import operands
from ui import guide

STEPS = "Step by step"
"""The view that prints the numbers of a block."""


def views(
    now: TransformerState, shown: Shown, live: ui.LiveNumbers
) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
        tiny_view.ONE_SCREEN: None,
        switches_view.SWITCHES: ui.SeparateView(switches_view.switches_view),
        "Parameters": ui.SeparateView(parameters_view.parameters_view),
        "Cost": ui.SeparateView(cost_view.cost_view),
        "Four claims": ui.SeparateView(claims_view.claims_view),
        STEPS: lambda: step_by_step(now, shown, live),
        "Code": lambda: source(now, shown),
    }


def hidden_by_beat() -> tuple[str, ...]:
    """The names of what the current beat hides."""
    beat = guide.beat(LESSON)
    return tuple(beat.hide) if beat else ()


def step_by_step(now: TransformerState, shown: Shown, live: ui.LiveNumbers) -> None:
    """Show one token through one block, one operation per row."""
    block = transformer_walk.block_of(shown, now.zoom)
    letters = {"b": "Block", "d": "Decoder block"}
    ui.step_table(
        transformer_walk.walk_rows(shown, block),
        live,
        caption=f"{letters[block[0]]} {block[1:]} of {shown.flow.layers}. Drag the token; open a "
        "block in the picture for its numbers. A row opens to the first numbers of its vector.",
    )


def source(now: TransformerState, shown: Shown) -> None:
    """Show the code that ran, and a snippet that prints the predictions of this page."""
    lines = SNIPPETS.get(now.model, SNIPPETS["other"]).format(text=now.text, model=now.model)
    ui.show_code(
        model_flow if shown.kind != "translation" else translation_flow,
        Block.forward,
        MultiHead.forward,
        operands,
        snippet=lines,
        name="transformer",
    )


_FOLLOW = """
trace = trace_text(reader.network, text)
flow = model_flow(reader.network, text.ids, trace)
for name, stage in flow.stages.items():
    print(f"{{name:16}}", tuple(stage.values.shape))
print(operands(flow, "b1.q", row=1, column=0))
"""
_IMPORTS = """from lmcore.pretrained.reading import VocabularyModel, trace_text
from lmcore.transformer.flow import model_flow
from lmcore.transformer.operands import operands
"""
SNIPPETS = {
    "gpt": _IMPORTS
    + """from lmcore.shipped.models import load_shipped

model, *_ = load_shipped("gpt")
vocabulary = model.vocabulary
reader = VocabularyModel("gpt", model.network, vocabulary)
text = reader.read({text!r})"""
    + _FOLLOW
    + """
best = flow["p"].values.argmax(-1).tolist()
for token, word in zip(text.tokens, vocabulary.decode(best), strict=True):
    print(f"{{token:12}} → {{word}}")
""",
    "encoder": _IMPORTS
    + """from lmcore.shipped.models import encoder

network, vocabulary, *_ = encoder()
reader = VocabularyModel("encoder", network, vocabulary)
text = reader.read({text!r})"""
    + _FOLLOW
    + """
best = flow["p"].values.argmax(-1).tolist()
for token, word in zip(text.tokens, vocabulary.decode(best), strict=True):
    print(f"{{token:12}} → {{word}}")
""",
    "other": """from lmcore.pretrained.reading import trace_text
from lmcore.pretrained.wheel import minilm
from lmcore.transformer.flow import model_flow
from lmcore.transformer.operands import operands

reader = minilm()  # or lmcore.pretrained.loading.load_pretrained("the folder of a model")
text = reader.read({text!r})"""
    + _FOLLOW,
    "encoder_decoder": """import torch

from lmcore.shipped.models import encoder_decoder
from lmcore.training.translation_batches import encode_sources
from lmcore.transformer.flow import translation_flow

network, vocabulary, *_ = encoder_decoder()
source = encode_sources([{text!r}.split()])
read = [vocabulary.ids["<s>"]]
while len(read) < 50 and read[-1] != vocabulary.ids["</s>"]:
    trace = network(source, torch.tensor([read]))
    read.append(int(trace.logits[0, -1].argmax()))
print(" ".join(vocabulary.decode(read[1:])))
flow = translation_flow(network, source[0], torch.tensor(read[:-1]), trace)
for name, stage in flow.stages.items():
    print(f"{{name:16}}", tuple(stage.values.shape))
""",
}
"""Model → a script that follows the text through it."""


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
