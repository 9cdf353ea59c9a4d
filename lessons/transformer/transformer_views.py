"""The views under the picture of the whole Transformer."""

from __future__ import annotations

from collections.abc import Callable

import ui
from lessons.transformer import (
    cost_view,
    parameters_view,
    switches_view,
    tiny_view,
    transformer_walk,
)
from lessons.transformer.claims import claims_view, hop_view, relations_view, staircase_view
from lessons.transformer.towers import stacks_view, towers_view
from lessons.transformer.transformer_shown import Shown
from lessons.transformer.transformer_state import LESSON, TransformerState
from lmcore.models.blocks import Block
from lmcore.models.multihead import MultiHead
from lmcore.transformer.flow import model_flow, translation_flow
from lmcore.transformer.operands import operands
from ui import guide

STEPS = "Step by step"
"""The view that prints the numbers of a block."""
PICTURES: dict[str, Callable[[ui.Rows], None]] = {
    tiny_view.ONE_SCREEN: tiny_view.show,
    hop_view.ONE_HOP: hop_view.show,
    relations_view.A_HEAD_EACH: relations_view.show,
    staircase_view.IN_A_ROW: staircase_view.show,
    towers_view.TOWERS: towers_view.show,
    stacks_view.STACKS: stacks_view.show,
}
"""The views that are pictures of their own, drawn in place of the page's picture."""


def views(
    now: TransformerState, shown: Shown, live: ui.LiveNumbers
) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
        **dict.fromkeys(PICTURES),
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
