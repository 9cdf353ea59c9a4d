"""The views under the picture of transfer."""

from __future__ import annotations

from collections.abc import Callable

import ui
from lessons.transfer import (
    frozen_view,
    heads_view,
    inputs_view,
    sequences_view,
    small_head_view,
    tune_view,
    two_losses_view,
    weight_view,
)
from lessons.transfer.transfer_state import TransferState
from lessons.transfer.uses import (
    first_vector_view,
    found_view,
    one_prompt_view,
    prompts_view,
    retrieval_view,
    roles_view,
    snippet_view,
)
from lmcore.transfer import heads, tuning

PICTURES: dict[str, Callable[[ui.Rows, TransferState], None]] = {
    small_head_view.NAME: small_head_view.show,
    roles_view.NAME: roles_view.show,
    two_losses_view.NAME: lambda rows, _: two_losses_view.show(rows),
    sequences_view.NAME: lambda rows, _: sequences_view.show(rows),
    found_view.NAME: lambda rows, _: found_view.show(rows),
    one_prompt_view.NAME: lambda rows, _: one_prompt_view.show(rows),
    first_vector_view.NAME: lambda rows, _: first_vector_view.show(rows),
}
"""The views that are pictures of the stage, and what draws each."""


def views(now: TransferState) -> dict[str, Callable[[], None] | None]:
    """The views in the order of the bar."""
    return {
        small_head_view.NAME: None,
        "Four heads": lambda: heads_view.heads_view(now),
        two_losses_view.NAME: None,
        sequences_view.NAME: None,
        "Inputs": ui.SeparateView(inputs_view.inputs_view),
        roles_view.NAME: None,
        "Frozen parts": lambda: frozen_view.frozen_view(now),
        "λ": ui.SeparateView(weight_view.weight_view),
        "Tune it here": lambda: tune_view.tune_view(now),
        one_prompt_view.NAME: None,
        "Prompts": ui.SeparateView(prompts_view.prompts_view),
        found_view.NAME: None,
        "Retrieval": ui.SeparateView(retrieval_view.retrieval_view),
        first_vector_view.NAME: None,
        "Snippet": ui.SeparateView(snippet_view.snippet_view),
        "Code": lambda: source(now),
    }


def source(now: TransferState) -> None:
    """Show the code that ran, and a snippet that prints the numbers of this page."""
    snippet = f"""from lmcore.transfer import curves
from lmcore.transfer.heads import recorded_head, trace_head
from lmcore.transfer.tasks import draw_examples

spec = curves.frozen_spec({now.network!r}, {now.task!r}, {now.labels}, {now.frozen})
print("frozen parts, recorded:", curves.recorded_score(spec))
print("from scratch, recorded:", curves.recorded_curve({now.network!r}, {now.task!r}, "scratch"))
print("what the test texts allow:", curves.test_set(spec))

example = draw_examples({now.task!r}, 1, seed=0, test=True)[0]
head = recorded_head({now.network!r}, {now.task!r})
traced = trace_head(head, {now.network!r}, example).to_frame()
print(traced.round(4))
"""
    ui.show_code(
        tuning.TunedNetwork,
        tuning.tune_network,
        heads.trace_head,
        snippet=snippet,
        name="transfer",
    )
