"""Writes the files of runs atomically and within a quota, on a disk that may be full."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

PART_SUFFIX = ".part"
DISK_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)


def write_atomically(data: bytes, path: Path) -> None:
    """Write a file atomically: readers see the old one or the new, never a part.

    The temporary file is named after the process, so that processes do not disturb each other.

    Raises:
        OSError: if it cannot be written; the old file is then unchanged.
    """
    part = path.with_suffix(f".{os.getpid()}{PART_SUFFIX}")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def write_within_quota(data: bytes, path: Path, most: int) -> None:
    """Write a file of a run atomically, if all runs together stay within `most` bytes.

    Raises:
        OSError: as `write_atomically`; or if the runs would exceed `most` bytes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.stat().st_size if path.exists() else 0
    if used_bytes(path.parent.parent) - before + len(data) > most:
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))
    write_atomically(data, path)


def used_bytes(folder: Path) -> int:
    """Bytes of all files in the folders of the runs; a hard-linked file counts once."""
    return sum({entry.inode(): size for entry, size in _files(folder)}.values())


def _files(folder: Path) -> Iterator[tuple[os.DirEntry[str], int]]:
    for run in _entries(folder):
        for entry in _entries(run.path):
            try:
                yield entry, entry.stat(follow_symlinks=False).st_size
            except FileNotFoundError:
                continue  # a temporary file that was just renamed


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []


def save_error_text(error: OSError) -> str:
    """Why a run is not saved, for its viewers: without paths of the server."""
    why = (
        "the disk for runs is full"
        if error.errno in DISK_FULL_ERRORS
        else error.strerror or "the disk fails"
    )
    return f"{why}: the last steps were not saved; Resume repeats them"
