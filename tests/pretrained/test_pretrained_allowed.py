"""Which models a server may load: none unless a setting allows it, none outside its root."""

from pathlib import Path

import made
import pytest
from huggingface_hub import constants
from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

from lmcore.pretrained import allowed
from ui import pretrained
from ui.server import selfcheck


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch):
    monkeypatch.delenv(allowed.ROOT_VARIABLE, raising=False)
    monkeypatch.delenv(allowed.IDS_VARIABLE, raising=False)


@pytest.fixture
def root(monkeypatch, tmp_path):
    """A root with one model in it, and another model beside the root."""
    for folder in (tmp_path / "models" / "small", tmp_path / "beside"):
        folder.mkdir(parents=True)
        made.save(made.bert(), made.pieces(), folder)
    (tmp_path / "models" / "empty").mkdir()
    monkeypatch.setenv(allowed.ROOT_VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


def test_nothing_is_allowed_unless_it_is_said(tmp_path):
    assert allowed.allowed_folders() == allowed.allowed_ids() == ()
    with pytest.raises(ValueError, match="LMCORE_MODELS must name a folder for 'small'"):
        allowed.load_from_folder("small")
    with pytest.raises(ValueError, match="one of LMCORE_MODEL_IDS, which names none; got 'gpt2'"):
        allowed.load_from_hub("gpt2")


def test_folders_with_a_model_may_be_loaded(root):
    assert allowed.allowed_folders() == ("small",)
    assert allowed.load_from_folder("small").name == "small"


@pytest.mark.parametrize(
    "name", ["..", "../beside", "", ".", "none", "empty", "small/.", "x" * 999]
)
def test_no_name_leads_out_of_the_root(root, name):
    for wanted in (name, str(root.parent / "beside")):
        with pytest.raises(ValueError, match="one of the folders under LMCORE_MODELS, small; got"):
            allowed.load_from_folder(wanted)


def test_no_link_leads_out_of_the_root(root):
    (root / "linked").symlink_to(root.parent / "beside")
    (root / "alias").symlink_to(root / "small")
    assert allowed.allowed_folders() == ("alias", "small")
    assert allowed.load_from_folder("alias").network.config.width == 24
    (root / "small" / "model.safetensors").unlink()
    (root / "small" / "model.safetensors").symlink_to(root.parent / "beside" / "model.safetensors")
    with pytest.raises(ValueError, match=r"small/model.safetensors must lie in its folder"):
        allowed.load_from_folder("small")


def test_a_root_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setenv(allowed.ROOT_VARIABLE, str(tmp_path / "none"))
    with pytest.raises(ValueError, match="LMCORE_MODELS must be a folder of models' folders"):
        allowed.check_root()
    with pytest.raises(ValueError, match="must be there; it is not any more"):
        allowed.allowed_folders()


def test_a_folder_closed_to_the_server_is_passed_over_and_a_closed_root_is_told(root, monkeypatch):
    of_path = Path.is_file

    def closed(self):
        if self.parent.name == "empty":
            raise PermissionError("closed")
        return of_path(self)

    monkeypatch.setattr(Path, "is_file", closed)
    assert allowed.allowed_folders() == ("small",)
    monkeypatch.setattr(allowed.os, "scandir", lambda path: closed(path / "empty" / "a"))
    with pytest.raises(ValueError, match="must be one that can be read; "):
        allowed.allowed_folders()


def test_a_link_that_is_left_out_is_named(root):
    (root / "linked").symlink_to(root.parent / "beside")
    (root / "broken").symlink_to(root.parent / "none")
    assert allowed.found_folders() == (("small",), ("linked",))
    (named,) = (each for each in selfcheck.findings() if "LMCORE_MODELS" in each.what)
    assert named.what == "LMCORE_MODELS/linked"
    assert named.so.startswith("it is a link out of that folder, so pages leave it out")


def test_ten_thousand_files_hide_no_model_and_are_not_opened(root, monkeypatch):
    for n in range(10_000):
        (root / f"file-{n}").touch()
        (root / "small" / f"file-{n}").touch()
    looked_at = []
    of_path = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda self: looked_at.append(self) or of_path(self))
    assert allowed.allowed_folders() == ("small",)
    assert len(looked_at) == 2
    assert allowed.load_from_folder("small").name == "small"


@pytest.mark.parametrize(
    ("kinds", "head"),
    [
        (["BertForTokenClassification"], ", without its head for tagging"),
        (["BertForMaskedLM"], ""),
        (["<b>"], ""),
        ([], ""),
        (3, ""),
    ],
)
def test_the_label_of_a_folder_names_a_head_that_is_left_out(root, kinds, head):
    made.told(root / "small", architectures=kinds)
    label = pretrained.available_models()["folder:small"]
    assert label == f"small, from this server's folder{head}"


def test_ids_are_read_in_their_order(monkeypatch):
    monkeypatch.setenv(allowed.IDS_VARIABLE, " gpt2, org/a.b-c ,gpt2,")
    assert allowed.allowed_ids() == ("gpt2", "org/a.b-c")


@pytest.mark.parametrize("bad", ["../x", "a/b/c", "a b", "/etc", "http://host/x", "a/..", "-x"])
def test_what_can_be_no_id(monkeypatch, bad):
    monkeypatch.setenv(allowed.IDS_VARIABLE, f"gpt2,{bad}")
    with pytest.raises(ValueError, match="LMCORE_MODEL_IDS must be ids such as org/name, with"):
        allowed.allowed_ids()


def test_an_id_is_read_out_of_the_cache(monkeypatch, tmp_path):
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setenv(allowed.IDS_VARIABLE, "org/small")
    there = tmp_path / "models--org--small"
    (there / "refs").mkdir(parents=True)
    (there / "refs" / "main").write_text("abc", "utf-8")
    (there / "blobs").mkdir()
    made.save(made.gpt2(), made.merges(), there / "blobs")
    snapshot = there / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    for blob in (there / "blobs").iterdir():
        (snapshot / blob.name).symlink_to(blob)
    found = allowed.load_from_hub("org/small")
    assert (found.name, found.network.config.width) == ("org/small", 24)


class Hub:
    """A replacement for `snapshot_download` that records its calls."""

    def __init__(self, folder, sizes=(), error=None):
        self.folder, self.sizes, self.error, self.asked = folder, sizes, error, []

    def __call__(self, name, *, allow_patterns, local_files_only=False, dry_run=False):
        self.asked.append((name, tuple(allow_patterns), local_files_only, dry_run))
        if local_files_only:
            raise LocalEntryNotFoundError("not here")
        if self.error:
            raise self.error
        if dry_run:
            return [type("File", (), {"file_size": size}) for size in self.sizes]
        return str(self.folder)


def test_what_is_not_in_the_cache_is_fetched_without_what_could_run(monkeypatch, tmp_path):
    folder = made.save(made.bert(), made.pieces(), tmp_path)
    hub = Hub(folder, sizes=(1000, None))
    monkeypatch.setattr("huggingface_hub.snapshot_download", hub)
    monkeypatch.setenv(allowed.IDS_VARIABLE, "org/small")
    assert allowed.load_from_hub("org/small").network.config.width == 24
    assert [(local, dry) for _, _, local, dry in hub.asked] == [
        (True, False),
        (False, True),
        (False, False),
    ]
    endings = {pattern.rsplit(".", 1)[1] for _, patterns, _, _ in hub.asked for pattern in patterns}
    assert endings == {"json", "txt", "safetensors"}


def test_a_model_too_large_is_not_fetched(monkeypatch, tmp_path):
    hub = Hub(tmp_path, sizes=(3_000_000_000, 2_000_000_000))
    monkeypatch.setattr("huggingface_hub.snapshot_download", hub)
    monkeypatch.setenv(allowed.IDS_VARIABLE, "org/large")
    with pytest.raises(ValueError, match="org/large must be at most 4,000,000,000 bytes; got 5,0"):
        allowed.load_from_hub("org/large")
    assert len(hub.asked) == 2


@pytest.mark.parametrize("error", [OSError("no network"), LocalEntryNotFoundError("offline")])
def test_what_cannot_be_fetched_says_why(monkeypatch, tmp_path, error):
    monkeypatch.setattr("huggingface_hub.snapshot_download", Hub(tmp_path, error=error))
    monkeypatch.setenv(allowed.IDS_VARIABLE, "org/small")
    with pytest.raises(ValueError, match=f"org/small must be in the cache .* download; {error}"):
        allowed.load_from_hub("org/small")
    assert issubclass(HfHubHTTPError, OSError)
