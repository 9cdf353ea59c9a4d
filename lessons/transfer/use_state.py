"""The settings of the views “Prompts”, “Retrieval” and “Snippet”."""

from ui.settings import Setting

CONTROLS: dict[str, Setting] = {}
