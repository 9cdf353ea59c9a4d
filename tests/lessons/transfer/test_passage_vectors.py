"""The vectors of the course's passages, which come with the app."""

import pytest
import torch

from lessons.transfer.uses import passage_vectors
from lessons.transfer.uses.passages import passages
from lmcore.pretrained import wheel
from lmcore.transfer.retrieval import embed_with_minilm
from ui.lectures import vector_file

ENCODER = pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")


@pytest.fixture
def other_file(monkeypatch, tmp_path):
    """A file without vectors; afterwards the app's own is read again."""
    monkeypatch.setattr(passage_vectors, "PATH", tmp_path / "passages.safetensors")
    passage_vectors.kept_vectors.cache_clear()
    yield passage_vectors.PATH
    passage_vectors.kept_vectors.cache_clear()


def test_nearly_every_passage_has_a_vector_of_its_own_text():
    """The vectors of new passages are made before a release; until then a server makes them."""
    missing = passage_vectors.texts_without()
    command = "run python -m lessons.transfer.uses.passage_vectors"
    assert len(missing) <= len(passages()) / 20, command


@ENCODER
def test_a_vector_is_that_of_its_passage():
    kept = vector_file.read_vectors(passage_vectors.PATH)
    some = [each.text for each in passages() if vector_file.key(each.text) in kept][::90]
    for text, wanted in zip(some, embed_with_minilm(some), strict=True):
        vector = torch.from_numpy(kept[vector_file.key(text)]).float()
        assert float(vector @ wanted / vector.norm()) > 0.999999  # half precision


@ENCODER
def test_what_the_file_lacks_is_made_and_written_once(other_file, monkeypatch):
    few = passages()[:3]
    monkeypatch.setattr(passage_vectors, "passages", lambda: few)
    missing = passage_vectors.texts_without()
    assert missing == tuple(each.text for each in few)
    made = embed_with_minilm(missing)
    assert torch.allclose(passage_vectors.completed(made), made, atol=1e-3)
    passage_vectors.main()
    assert other_file.stat().st_mode & 0o044 == 0o044, "others may read it"
    passage_vectors.kept_vectors.cache_clear()
    assert passage_vectors.texts_without() == ()
    assert torch.allclose(passage_vectors.completed(None), made, atol=1e-3)
