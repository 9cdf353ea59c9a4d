"""What a server lacks is named at its start; a setting that makes it useless stops the start."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from drawing import bertviz
from lmcore.pretrained import wheel
from lmcore.shipped import models
from ui.lectures import decks, meanings
from ui.server import selfcheck

ROOT = Path(__file__).resolve().parents[3]


def test_each_thing_that_is_missing_is_named_with_what_follows(monkeypatch, tmp_path):
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    monkeypatch.setattr(wheel, "package_folder", lambda: None)
    monkeypatch.setattr(bertviz, "is_installed", lambda: False)
    monkeypatch.setattr(selfcheck, "LEAST_MEMORY", 10**18)
    monkeypatch.setattr(decks, "STILLS", tmp_path)
    monkeypatch.setattr(meanings, "PATH", tmp_path / "meanings.safetensors")
    found = [each.what for each in selfcheck.findings()]
    assert "lmcore/shipped/weights/gpt.safetensors" in found
    assert found[0].endswith(" small pictures of slides")
    assert found[1].endswith(" entries of the search")
    assert found[-3:-1] == ["the English encoder", "BertViz"]
    assert found[-1].startswith("memory: ")


@pytest.mark.parametrize(
    ("passcode", "short"), [("sesame", 1), ("four words one sees", 0), ("", 0)]
)
def test_a_short_passcode_is_named_and_not_told(monkeypatch, passcode, short):
    monkeypatch.setenv("LMCORE_PASSCODE", passcode)
    found = [each for each in selfcheck.findings() if each.what.startswith("a passcode of 16")]
    assert len(found) == short
    assert "sesame" not in str(found)


def test_a_cluster_that_does_not_answer_is_named():
    with socket.socket() as head:
        head.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{head.getsockname()[1]}"
        (found,) = selfcheck._cluster(address)
        assert (found.what, found.so) == (
            f"the Ray cluster at {address}",
            "no run can begin before it answers",
        )
        head.listen()
        for known in (address, f"ray://{address}", "", "auto"):
            assert not list(selfcheck._cluster(known))
    assert len(list(selfcheck._cluster("127.0.0.1:99999"))) == 1


@pytest.mark.parametrize(
    ("name", "value", "refusal"),
    [
        ("LMCORE_RUNS", "none", "LMCORE_RUNS must be a whole number"),
        ("LMCORE_DEVICE", "tpu", "LMCORE_DEVICE must be one of cpu"),
        ("LMCORE_MODELS", "/nowhere", "LMCORE_MODELS must be a folder"),
        ("LMCORE_MODEL_IDS", "a b", "LMCORE_MODEL_IDS must be ids"),
        ("LMCORE_REPLICAS", "app", "LMCORE_REPLICAS must be hosts with their ports"),
        ("LMCORE_REPLICAS", "app:8501", "LMCORE_REPLICAS must have STREAMLIT_SERVER_COOKIE_SECRET"),
        ("LMCORE_LOGIN", "true", r"LMCORE_LOGIN must have an \[auth\] section"),
    ],
)
def test_what_is_set_wrong_is_refused(monkeypatch, name, value, refusal):
    monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=refusal):
        selfcheck.findings()


def started(**environment):
    command = [sys.executable, "-c", "import serve"]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
    )


def test_a_server_that_is_set_wrong_does_not_start_and_says_why():
    done = started(LMCORE_RUNS="0", LMCORE_QUEUES="3")
    assert done.returncode == 1
    assert "LMCORE_RUNS must be a whole number at least 1" in done.stderr
    assert "LMCORE_QUEUES must be a setting there is, such as LMCORE_QUEUE" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_folder_of_runs_that_cannot_be_had_keeps_it_from_starting(tmp_path):
    (tmp_path / "file").touch()
    done = started(LMCORE_RUNS_FOLDER=str(tmp_path / "file"))
    assert done.returncode == 1
    assert "The server does not start" in done.stderr
    assert "Traceback" not in done.stderr


def test_it_can_be_asked_beforehand(monkeypatch, capsys):
    monkeypatch.delenv("LMCORE_RUNS", raising=False)
    assert selfcheck.main() == 0
    assert "pages; device" in capsys.readouterr().out
    monkeypatch.setenv("LMCORE_RUNS", "0")
    assert selfcheck.main() == 1
    assert "would not start" in capsys.readouterr().out
