"""Which patches a server installs: those that are set, on a version they were checked with."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from ui.server import selfcheck
from ui.streamlit_internals import patches
from ui.streamlit_internals.patches import (
    PATCHES,
    install_patches,
    requested_patches,
    streamlit_version,
    unchecked_patches,
)

ROOT = Path(__file__).parents[3]


@pytest.fixture
def installed(monkeypatch):
    """The names of the patches whose `install` was called; no patch is applied."""
    names = []
    for name in PATCHES:
        patch = import_module(f"ui.streamlit_internals.{name}")
        monkeypatch.setattr(patch, "install", lambda name=name: names.append(name))
    monkeypatch.delenv("LMCORE_STREAMLIT_INTERNALS", raising=False)
    return names


@pytest.mark.parametrize(
    ("setting", "names"),
    [
        ("", ("script_scheduler", "message_batching")),
        ("none", ()),
        ("reconnect", ("reconnect",)),
        ("script_scheduler, reconnect,", ("script_scheduler", "reconnect")),
        ("reconnect,reconnect", ("reconnect",)),
    ],
)
def test_the_patches_that_are_set_are_installed(installed, monkeypatch, setting, names):
    monkeypatch.setenv("LMCORE_STREAMLIT_INTERNALS", setting)
    assert requested_patches() == names
    assert install_patches() == names
    assert tuple(installed) == names


@pytest.mark.parametrize("setting", ["parcels", "none,reconnect", "script_scheduler;reconnect"])
def test_an_unknown_patch_keeps_the_server_from_starting(installed, monkeypatch, setting):
    monkeypatch.setenv("LMCORE_STREAMLIT_INTERNALS", setting)
    wanted = (
        "LMCORE_STREAMLIT_INTERNALS must be none, or some of script_scheduler, message_batching, "
        "reconnect "
        "separated by commas; got "
    )
    with pytest.raises(ValueError, match=wanted):
        selfcheck.findings()
    assert installed == []


def test_each_was_checked_with_the_installed_streamlit():
    for name, checked in PATCHES.items():
        assert streamlit_version() in checked, name


def test_a_patch_that_is_off_is_not_even_imported():
    """Another version of Streamlit may lack the private names that a patch imports."""
    script = f"""
import sys, ui.compute, ui.runs, ui.server.selfcheck
from ui.streamlit_internals.patches import install_patches
assert install_patches() == ()
assert not {{f"ui.streamlit_internals.{{name}}" for name in {list(PATCHES)!r}}} & sys.modules.keys()
"""
    environment = os.environ | {"LMCORE_STREAMLIT_INTERNALS": "none"}
    subprocess.run([sys.executable, "-c", script], check=True, env=environment, cwd=ROOT)


def test_on_another_streamlit_none_is_installed_and_the_start_says_so(installed, monkeypatch):
    monkeypatch.setattr(patches, "version", {"streamlit": "99.1"}.__getitem__)
    assert unchecked_patches() == ("script_scheduler", "message_batching")
    assert install_patches() == () and installed == []
    (finding,) = (each for each in selfcheck.findings() if "Streamlit" in each.what)
    (checked,) = PATCHES["script_scheduler"]
    assert finding.what == "patches for Streamlit 99.1"
    assert finding.so == f"off: script_scheduler, message_batching, checked with {checked} alone"
