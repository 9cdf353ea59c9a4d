"""The logits processors of `transformers`, by our names for them, in the order of application."""

from typing import Any

import transformers

PROCESSORS = {
    "repetition": "RepetitionPenaltyLogitsProcessor",
    "no_repeat": "NoRepeatNGramLogitsProcessor",
    "temperature": "TemperatureLogitsWarper",
    "top_k": "TopKLogitsWarper",
    "top_p": "TopPLogitsWarper",
    "min_p": "MinPLogitsWarper",
    "typical": "TypicalLogitsWarper",
}
"""The classes are imported on use: that takes seconds, and every test run imports this module."""


def processor(name: str, value: float) -> Any:
    """The processor with our name `name` and the setting `value`."""
    return getattr(transformers, PROCESSORS[name])(value)
