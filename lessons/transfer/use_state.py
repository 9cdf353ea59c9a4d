"""The settings of the views “Layer roles”, “Prompts”, “Retrieval” and “Snippet”."""

from __future__ import annotations

from lmcore.transfer import prompts
from ui.settings import Between, Choice, Setting, Text

PROMPT_TASKS = {"who": "Who was tired?", "feeling": "Good or bad? (English)"}
LONGEST = 200
USES = (
    "Zero-shot", "Embeddings", "Features", "Few layers", "Fine-tuning", "LM fine-tuning",
)  # fmt: skip
"""What a pre-trained network is used for, in the order of the columns of “Layer roles”."""

HEAD_SHOWN = {
    "head": "Head",
    "scores": "Scores",
    "shares": "Softmax",
    "answer": "Answer",
    "freeze": "Freeze line",
}
"""What the view “One small head” shows."""

CONTROLS: dict[str, Setting] = {
    "lr_use": Choice(USES),
    "hd_shown": Choice(HEAD_SHOWN, "Show"),
    "pm_task": Choice(PROMPT_TASKS, "Task"),
    "pm_shots": Choice([str(n) for n in prompts.SHOTS], "Solved examples, k"),
    "pm_own": Text("Own sentence", "Of the English task: the model says good or bad", LONGEST),
    "rt_question": Text("Question", "Answered by passages of this course", LONGEST),
    "sn_text": Text("Text", "What the snippet reads", LONGEST),
    "sn_row": Between(0, LONGEST, whole=True),
}
