"""The models of English that ship: their files, and the figures of their cards on a sample."""

import json

import pytest
import torch

from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained import wheel
from lmcore.pretrained.loading import load_pretrained
from lmcore.pretrained.low_rank import low_rank_change
from lmcore.shipped import english, english_gpt
from lmcore.shipped.english_card import gpt_figures, masked_figures
from lmcore.shipped.models import FOLDER, card_path
from lmcore.tokenization.subwords import train_subwords
from tests.pretrained import made

NEEDS_MINILM = pytest.mark.skipif(
    wheel.package_folder() is None, reason="the encoder's package is not installed"
)
CLOSE = 2e-3
"""The tolerance around a card's figure: other processors round differently."""


def card(name):
    return json.loads(card_path(name).read_text("utf-8"))


@pytest.fixture(scope="module")
def masked():
    return english.english()


@NEEDS_MINILM
def test_a_sample_gives_the_masked_models_figures(masked):
    sample = card("english")["sample"]
    found = masked_figures(masked, sample["sentences"])
    assert found["words masked"] == sample["figures"]["words masked"]
    for label in ("masked word: top-1", "masked word: top-5"):
        assert found[label] == pytest.approx(sample["figures"][label], abs=CLOSE), label
    loss = "masked word: loss, nats"
    assert found[loss] == pytest.approx(sample["figures"][loss], abs=CLOSE)


@NEEDS_MINILM
def test_only_the_blocks_and_the_head_are_changed(masked):
    before = wheel.minilm().network
    assert torch.equal(before.embedding.token.weight, masked.network.U)
    changed = masked.network.blocks[0].attention.query.weight
    difference = changed - before.blocks[0].attention.query.weight
    assert 0 < torch.linalg.matrix_rank(difference) <= card("english")["run"]["rank"]


def test_it_is_offered_only_beside_the_package(monkeypatch):
    monkeypatch.setattr(wheel, "package_folder", lambda: None)
    assert not english.is_available()


def test_a_change_without_a_head_is_refused(tmp_path):
    encoder = load_pretrained(made.save(made.bert(), made.pieces(), tmp_path))
    change = low_rank_change(encoder.network, 2)
    with pytest.raises(ValueError, match=r"the change must hold head\.bias; it does not"):
        english.with_change(encoder, change)


def test_a_change_of_nothing_leaves_the_hidden_states(tmp_path):
    encoder = load_pretrained(made.save(made.bert(), made.pieces(), tmp_path))
    head = BERT(encoder.network.config, seed=1).head.state_dict()
    change = low_rank_change(encoder.network, 2) | {f"head.{n}": t for n, t in head.items()}
    ids = encoder.read("the animal").ids[None]
    found = english.with_change(encoder, change).network(ids)
    assert torch.equal(found.hidden, encoder.network(ids).hidden)
    assert found.logits is not None


def test_a_sample_gives_the_gpts_figures():
    sample = card("english_gpt")["sample"]
    found = gpt_figures(english_gpt.english_gpt(), sample["text"])
    assert found == pytest.approx(sample["figures"], abs=CLOSE)


def test_a_gpt_that_was_written_is_the_same_when_loaded(tmp_path, monkeypatch):
    monkeypatch.setattr(english_gpt, "FOLDER", tmp_path)
    pieces = train_subwords("the dog barks. the cat sleeps. " * 20, 30)
    config = TransformerConfig(
        vocabulary=len(pieces), width=16, heads=2, layers=2, hidden=24, longest=12
    )
    network = GPT(config, seed=3)
    english_gpt.write_model(network, pieces, longest=10)
    loaded = english_gpt.english_gpt()
    assert loaded.network.config.longest == 10
    ids = loaded.read("the dog sleeps").ids
    assert ids.tolist() == pieces.read("the dog sleeps")
    expected = network(ids[None]).logits
    torch.testing.assert_close(loaded.network(ids[None]).logits, expected, atol=2e-3, rtol=0)


def test_both_together_are_small():
    files = [*FOLDER.glob("english*.safetensors"), *(FOLDER / "english_gpt").iterdir()]
    assert sum(file.stat().st_size for file in files) <= 12_000_000
