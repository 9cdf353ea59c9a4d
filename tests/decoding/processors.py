"""The filters of transformers, by our names, in the order in which they are applied."""

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
"""Their classes are imported when they are used: that takes seconds, and every run collects."""


def processor(name: str, value: float) -> Any:
    """The filter of that name, with its setting."""
    return getattr(transformers, PROCESSORS[name])(value)
