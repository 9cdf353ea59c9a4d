"""The input table of a pretrained BERT-like model, read as static vectors of English words.

The table has one row for each token of the tokenizer. Rows of whole words in lower case are kept:
no pieces (`##ing`), numbers, marks or special tokens. They are what enters the first layer before
a position or a neighbour has been seen, so a word has one vector wherever it occurs.

Variant: the table was trained inside a Transformer by masked-word prediction and distillation, not
as word vectors. Only the neighbours of its words show whether it works as such.

Source: Devlin et al. 2019 (the table); CMU 11-411, "There are Two Benefits to Training a Neural
Language Model" (embeddings reused elsewhere).
"""

from __future__ import annotations

from lmcore.embeddings.static.vectors import WordVectors
from lmcore.models.bert import BERT
from lmcore.models.registry import embedding_table
from lmcore.pretrained.loading import PretrainedModel

FEWEST_LETTERS = 2


def english_vectors(model: PretrainedModel) -> WordVectors:
    """One vector for each whole word of the model's vocabulary, by token id.

    Raises:
        ValueError: if the model is not an encoder, or has fewer than 2 whole words.
    """
    if not isinstance(model.network, BERT):
        raise ValueError(f"the model must be an encoder; got {type(model.network).__name__}")
    table = embedding_table(model.network)
    known = sorted((place, word) for word, place in model.tokenizer.get_vocab().items())
    kept = [(place, word) for place, word in known if is_whole_word(word)]
    if len(kept) < 2:
        raise ValueError(f"the model must have at least 2 whole words; got {len(kept)}")
    places, words = zip(*kept, strict=True)
    return WordVectors(words, table[list(places)].detach().double())


def is_whole_word(token: str) -> bool:
    """Whether a token is a word of lower-case English letters, and not a piece of one."""
    return len(token) >= FEWEST_LETTERS and token.isascii() and token.isalpha() and token.islower()
