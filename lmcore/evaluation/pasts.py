"""How often the words before each word of a text occur in documents: contexts of every length."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int64

from lmcore.corpora.documents import Documents

PastCounts = tuple[Int64[np.ndarray, "time context"], Int64[np.ndarray, "time context"]]


def count_pasts(documents: Documents, ids: Int64[np.ndarray, " token"]) -> PastCounts:
    """Count the contexts of each token after the first, alone and with the token behind.

    Row t − 1 is about token t. Its column k counts the places of the documents that the k tokens
    before token t precede; column 0 counts every place. Columns beyond t repeat the whole past,
    which begins with the first token. A document's first token is no place.

    Raises:
        ValueError: if the text has fewer than two tokens.
    """
    if len(ids) < 2:
        raise ValueError(f"the text must hold at least two tokens; got {len(ids)}")
    tokens = documents.tokens
    inside = np.arange(len(tokens)) - np.repeat(documents.offsets[:-1], documents.lengths)
    contexts = np.zeros((len(ids) - 1, len(ids)), dtype=np.int64)
    pairs = np.zeros_like(contexts)
    for t in range(1, len(ids)):
        places = np.flatnonzero(inside > 0)
        for k in range(len(ids)):
            if 0 < k <= t:
                places = places[inside[places] >= k]
                places = places[tokens[places - k] == ids[t - k]]
            contexts[t - 1, k] = len(places)
            pairs[t - 1, k] = np.count_nonzero(tokens[places] == ids[t])
    return contexts, pairs
