"""The terms of chosen words, compared with a cross-entropy of the text as it goes in."""

import pytest
import torch
import torch.nn.functional as F

from lmcore.masked_lm import cloze, masked_terms
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder

NETWORK, VOCABULARY, *_ = encoder()
READER = VocabularyModel("small", NETWORK, VOCABULARY)
TEXT = cloze.cloze_text(READER, "the animal didn't cross the street because it was too tired.")


def test_the_terms_are_the_cross_entropy_at_the_chosen_places_only():
    swaps = masked_terms.swapped_ids(READER, {6: "road"})
    found = masked_terms.trace_terms(NETWORK, TEXT, (2, 10), swaps)
    ids = TEXT.reading.ids.clone()
    ids[2] = ids[10] = VOCABULARY.ids["[MASK]"]
    ids[6] = VOCABULARY.ids["road"]
    assert found.places == (2, 6, 10) and torch.equal(found.corrupted, ids)
    with torch.no_grad():
        trace = NETWORK(ids[None])
    rows = trace.logits[0, [2, 6, 10]].double()
    expected = F.cross_entropy(rows, TEXT.reading.ids[[2, 6, 10]], reduction="none")
    assert torch.allclose(found.terms, expected, atol=1e-5)
    assert found.loss == pytest.approx(float(expected.mean()), abs=1e-5)
    assert torch.allclose(found.hidden, trace.hidden[0], atol=1e-5)
    for row, rank, place in zip(rows, found.ranks, (2, 6, 10), strict=True):
        order = row.argsort(descending=True).tolist()
        assert order.index(int(TEXT.reading.ids[place])) + 1 == rank
    assert list(found.to_frame()["place"]) == [2, 6, 10]


def test_a_typed_gap_has_no_term_and_a_text_without_chosen_words_no_loss():
    text = cloze.cloze_text(READER, "the [MASK] didn't cross the street.")
    found = masked_terms.trace_terms(NETWORK, text, (2, 6))
    assert found.places == (6,) and found.corrupted[2] == text.mask
    none = masked_terms.trace_terms(NETWORK, text, ())
    assert none.places == () and torch.tensor(none.loss).isnan()


def test_what_cannot_be_chosen_or_swapped_is_refused():
    with pytest.raises(ValueError, match="a chosen word must be one of"):
        masked_terms.trace_terms(NETWORK, TEXT, (0,))
    with pytest.raises(ValueError, match="must be one token; 'the cat' is 2: the cat"):
        masked_terms.swapped_ids(READER, {2: "the cat"})
    config = TransformerConfig(len(VOCABULARY), 12, 2, 2, 16, 64, segments=2, causal=False)
    with pytest.raises(ValueError, match="must have a head"):
        masked_terms.trace_terms(BERT(config, head=False), TEXT, (1,))
