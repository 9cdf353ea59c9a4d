"""The view *Layer roles*: what each use of a network keeps, leaves out, adds and trains."""

from __future__ import annotations

import ui
from drawing.events import Name
from lessons.transfer.transfer_questions import roles_questions
from lessons.transfer.transfer_state import LESSON, SETTINGS, TransferState
from lessons.transfer.use_state import USES
from lessons.transfer.uses import roles_picture, roles_text
from lessons.transfer.uses.roles_picture import ROLES

NAME = "Layer roles"


def show(rows: ui.Rows, now: TransferState) -> None:
    """Draw the uses on the stage, and the controls beside them."""
    use = SETTINGS.choice("lr_use")
    live = roles_picture.numbers(now.network, now.task, use)
    others = ("tr_network", "tr_task")
    with rows.rail:
        hidden = ui.predict_first(roles_questions(now.network, now.task))
        SETTINGS.draw("lr_use")
        if ui.presenting():
            with ui.more(rows):
                SETTINGS.draw(*others)
        else:
            SETTINGS.draw(*others)
    with rows.picture:
        texts = ui.stage_texts(
            LESSON,
            sentences=roles_text.sentences(now.network, now.task, hidden=bool(hidden)),
            formula=roles_text.formulas(now.network, now.task, hidden=bool(hidden)),
            alt=roles_text.describe(now.network, now.task),
            kind="measured here",
            hidden=hidden,
        )
        how = roles_picture.picture(now.network, now.task)
        ui.main_picture(ROLES, live, how, texts, on_event=store_use)


def store_use(event: Name) -> None:
    """Store the use that was pressed; an unknown one is ignored."""
    if event in USES:
        ui.set_controls({"lr_use": event})
