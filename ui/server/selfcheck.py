"""Checks what a server lacks before it starts: `python -m ui.server.selfcheck`.

An error that would make it useless prevents the start; anything else is a `Finding`.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

import psutil
import streamlit as st

from drawing import bertviz
from lmcore.configuration import Configuration, configuration
from lmcore.device import device
from lmcore.pretrained import allowed, wheel
from lmcore.shipped import models
from lmcore.training.replicas.replica import read_addresses
from ui import contents
from ui.lectures import meanings
from ui.lectures.decks import decks
from ui.lectures.files import check_folder, lectures_of_folder
from ui.streamlit_internals import patches
from ui.streamlit_internals.options import is_manually_set

LEAST_MEMORY = 1_500_000_000
"""Bytes: the server's own 300 MB, a training process, and a class of 100 sessions."""
LONG_PASSCODE = 16
"""Characters of a passcode that cannot be guessed within months, at the rate of answers."""
PATIENCE = 2.0
"""Seconds within which a cluster must answer."""


class Finding(NamedTuple):
    """Something missing, and its consequence."""

    what: str
    so: str


def findings() -> tuple[Finding, ...]:
    """All that is missing.

    Raises:
        ValueError: if the server cannot do its work: what is misconfigured or missing.
    """
    said = configuration()
    device()
    allowed.check_root()
    allowed.allowed_folders()
    allowed.allowed_ids()
    check_folder()
    _log_in(said)
    _ray(said)
    _replicas(said)
    return (
        *_passcode(said),
        *_lectures(),
        *_derived_files(),
        *_models(),
        *_packages(),
        *_patches(),
        *_machine(),
        *_cluster(said.ray_address),
    )


def _log_in(said: Configuration) -> None:
    if not said.login:
        return
    if find_spec("authlib") is None:
        raise ValueError(
            "LMCORE_LOGIN must have the package Authlib: pip install -r requirements-login.txt"
        )
    if not st.secrets.load_if_toml_exists() or "auth" not in st.secrets:
        raise ValueError(
            "LMCORE_LOGIN must have an [auth] section in Streamlit's secrets; got none"
        )


def _ray(said: Configuration) -> None:
    if said.ray_address and find_spec("ray") is None:
        raise ValueError(
            "LMCORE_RAY_ADDRESS must have the package ray: pip install -r requirements-ray.txt"
        )


def _replicas(said: Configuration) -> None:
    if read_addresses(said.replicas) and not is_manually_set("server.cookieSecret"):
        raise ValueError(
            "LMCORE_REPLICAS must have STREAMLIT_SERVER_COOKIE_SECRET, the same on every replica; "
            "got none"
        )


def _passcode(said: Configuration) -> Iterator[Finding]:
    if 0 < len(said.passcode) < LONG_PASSCODE:
        yield Finding(
            f"a passcode of {LONG_PASSCODE} or more characters, such as four words",
            "a short one can be guessed",
        )


def _lectures() -> Iterator[Finding]:
    for refusal in lectures_of_folder().refused:
        yield Finding(f"The lecture {refusal}", "It is left out; all others are listed.")


def _derived_files() -> Iterator[Finding]:
    slides = [slide for deck in decks().values() for slide in deck.slides]
    wanted = {slide.still_name() for slide in slides if not slide.still()} - {""}
    if wanted:
        yield Finding(
            f"{len(wanted)} small pictures of slides",
            "their cards have a title alone; python -m benchmarks.lecture_stills takes them",
        )
    if without := meanings.entries_without():
        yield Finding(
            f"vectors of {len(without)} entries of the search",
            "they are found by their words alone; python -m ui.lectures.meanings makes them",
        )


def _models() -> Iterator[Finding]:
    for name in (*models.SHIPPED, *models.TRANSLATORS):
        if not models.has_weights(name):
            yield Finding(
                f"lmcore/shipped/weights/{name}.safetensors", "pages leave this model out"
            )
    for name in allowed.found_folders().outside:
        yield Finding(
            f"{allowed.ROOT_VARIABLE}/{name}",
            "it is a link out of that folder, so pages leave it out; copy the model, or set "
            f"{allowed.ROOT_VARIABLE} to the folder that it leads to",
        )


def _packages() -> Iterator[Finding]:
    if wheel.package_folder() is None:
        yield Finding("the English encoder", "pages use our own small encoder in its place")
    if not bertviz.is_installed():
        yield Finding("BertViz", "its two views are missing")


def _patches() -> Iterator[Finding]:
    if names := patches.unchecked_patches():
        checked = {one: None for name in names for one in patches.PATCHES[name]}
        yield Finding(
            f"patches for Streamlit {patches.streamlit_version()}",
            f"off: {', '.join(names)}, checked with {', '.join(checked)} alone",
        )


def _machine() -> Iterator[Finding]:
    free = psutil.virtual_memory().available
    if free < LEAST_MEMORY:
        yield Finding(f"memory: {free // 1_000_000:,} MB are free", "a class may not fit")


def _cluster(address: str) -> Iterator[Finding]:
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdecimal()):
        return  # none is set, or it is found by its name
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError):
        yield Finding(f"the Ray cluster at {address}", "no run can begin before it answers")


def main() -> int:
    """Print what is missing; 1 if the server would refuse to start."""
    try:
        found = findings()
    except ValueError as error:
        sys.stdout.write(f"The server would not start:\n{error}\n")
        return 1
    built = sum(page.built for page in contents.PAGES)
    sys.stdout.write(f"{built} pages; device {device()}\n")
    sys.stdout.writelines(f"missing: {each.what}; {each.so}\n" for each in found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
