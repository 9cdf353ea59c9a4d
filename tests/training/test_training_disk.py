"""Files of runs on a disk that may be full."""

import errno
import os

import pytest

from lmcore.training import disk
from lmcore.training.disk import save_error_text, used_bytes, write_atomically, write_within_quota


def test_a_file_that_cannot_be_finished_leaves_the_one_before(tmp_path, monkeypatch):
    path = tmp_path / "run.safetensors"
    write_atomically(b"good", path)

    def full(part, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk.Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(b"better", path)
    assert path.read_bytes() == b"good"
    assert list(tmp_path.iterdir()) == [path]


def test_all_runs_together_stay_within_their_bytes(tmp_path):
    write_within_quota(b"12345", tmp_path / "a" / "run", 10)
    write_within_quota(b"12345", tmp_path / "b" / "run", 10)
    with pytest.raises(OSError) as refused:
        write_within_quota(b"123456", tmp_path / "b" / "run", 10)
    assert refused.value.errno == errno.EDQUOT
    assert (tmp_path / "b" / "run").read_bytes() == b"12345"
    write_within_quota(b"54321", tmp_path / "b" / "run", 10)
    assert used_bytes(tmp_path) == 10


def test_what_two_runs_share_counts_once_and_what_is_no_folder_not_at_all(tmp_path):
    write_within_quota(b"12345", tmp_path / "a" / "run", 10)
    (tmp_path / "b").mkdir()
    os.link(tmp_path / "a" / "run", tmp_path / "b" / "run")
    (tmp_path / "lock").write_text("not a run")
    assert used_bytes(tmp_path) == 5
    assert used_bytes(tmp_path / "nowhere") == 0


def test_why_a_run_is_not_saved_is_said_without_a_path():
    full = save_error_text(OSError(errno.ENOSPC, "No space left on device", "/srv/secret"))
    assert full.startswith("the disk for runs is full: the last steps were not saved")
    assert save_error_text(OSError(errno.EIO, "Input/output error", "/srv/secret")).startswith(
        "Input/output error: the last"
    )
    assert "secret" not in full
    assert save_error_text(OSError("odd")).startswith("the disk fails")
