"""Installs the configured patches of Streamlit, on the versions they were checked with.

`LMCORE_STREAMLIT_INTERNALS` names them, separated by commas; `none` switches all of them off.
Every page works without them: a patch makes the app faster for a class, or saves it a reload.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version

from lmcore.configuration import configuration

NONE = "none"
PATCHES: dict[str, tuple[str, ...]] = {
    "script_scheduler": ("1.67.0",),
    "message_batching": ("1.67.0",),
    "reconnect": ("1.67.0",),
}
"""The module of each patch, and the versions of Streamlit that its tests have passed with. A module
is imported only when it is installed: another Streamlit may lack the names that it imports."""


def requested_patches() -> tuple[str, ...]:
    """The patches that are set.

    Raises:
        ValueError: if a name is not one of `PATCHES`.
    """
    setting = configuration().streamlit_internals
    names = [name.strip() for name in setting.split(",") if name.strip()]
    if names == [NONE]:
        return ()
    for name in names:
        if name not in PATCHES:
            raise ValueError(
                f"LMCORE_STREAMLIT_INTERNALS must be {NONE}, or some of {', '.join(PATCHES)} "
                f"separated by commas; got {name!r:.80}"
            )
    return tuple(dict.fromkeys(names))


def unchecked_patches() -> tuple[str, ...]:
    """The patches set that were not checked with the installed Streamlit, and so stay off."""
    return tuple(name for name in requested_patches() if not _is_checked(name))


def install_patches() -> tuple[str, ...]:
    """Install the patches that are set and checked; returns their names."""
    names = tuple(name for name in requested_patches() if _is_checked(name))
    for name in names:
        import_module(f"ui.streamlit_internals.{name}").install()
    return names


def streamlit_version() -> str:
    """The version of the installed Streamlit."""
    return version("streamlit")


def _is_checked(name: str) -> bool:
    return streamlit_version() in PATCHES[name]
