"""Subword tokens, trained on the beginning of the story: every text is decoded unchanged."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.corpora import prose
from lmcore.tokenization.own_text import VALIDATION_ONE_IN, OwnText
from lmcore.tokenization.subwords import MERGES, train_subwords
from lmcore.training import checkpoint
from lmcore.training.batches import build_feed, running_text
from lmcore.training.loop import Training
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec

CORPUS = CorpusSpec("prose", "subword")
SPEC = RunSpec(
    CORPUS, ModelSpec("transformer", 12, 16, heads=3), batch=3, length=20, steps=2, every=2
)
PIECES = running_text(CORPUS).vocabulary


def test_there_are_256_bytes_and_the_merges():
    assert len(PIECES) == 256 + MERGES
    assert {"␣the", "␣said", "e", "⏎"} <= set(PIECES.tokens)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_every_text_comes_back_as_it_was(text):
    ids = PIECES.read(text)
    assert PIECES.write(ids) == text.encode("utf-8", "replace").decode("utf-8")
    assert all(0 <= i < len(PIECES) for i in ids)


def test_the_story_is_shorter_in_pieces_than_in_letters_and_longer_than_in_words():
    text = prose.text()
    pieces, words = running_text(CORPUS), OwnText(text, "word")
    assert words.statistics.tokens < len(pieces.ids) < len(text) / 2
    assert PIECES.write(pieces.ids.tolist()) == text
    assert pieces.statistics.unknown == 0


def test_the_merges_have_not_seen_what_is_kept_for_validation():
    text = prose.text()
    kept = len(text) // VALIDATION_ONE_IN
    other = OwnText(text[:-kept] + "zq" * (kept // 2), "subword")
    assert other.vocabulary.tokens == PIECES.tokens
    assert train_subwords("zq " * 500).tokens != PIECES.tokens


def test_a_model_of_subwords_comes_back_from_its_file():
    run = Training(SPEC)
    list(run)
    model, spec, step = checkpoint.load_model(checkpoint.dump(run))
    assert (spec, step) == (SPEC, 2)
    assert model.vocabulary.tokens == PIECES.tokens
    assert (
        model.vocabulary.write(model.vocabulary.read("The sea, she said.")) == "The sea, she said."
    )
    batch = build_feed(SPEC).batch(0)
    assert np.isin(batch.inputs, running_text(CORPUS).training).all()


def test_a_file_of_another_text_is_refused(monkeypatch):
    data = checkpoint.dump(Training(SPEC))
    other = OwnText("zq " * 500 + prose.text(), "subword").vocabulary
    monkeypatch.setattr(checkpoint, "corpus_vocabulary", lambda corpus: other)
    with pytest.raises(ValueError, match="the file must be of the text it names"):
        checkpoint.load_model(data)


@pytest.mark.parametrize("source", ["microworld", "quoted"])
def test_other_texts_are_not_read_in_pieces(source):
    with pytest.raises(ValueError, match=f"the {source} text must be read by .*; got 'subword'"):
        CorpusSpec(source, "subword")
