"""Which other models a server may load: the folders under one root, and ids of Hugging Face.

    LMCORE_MODELS=/srv/models                        a folder of models' folders
    LMCORE_MODEL_IDS=openai-community/gpt2,org/name  from the local cache, else downloaded

Without the first no folder is read, and without the second no other host is contacted.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lmcore.configuration import configuration
from lmcore.pretrained.folder import (
    CONFIG_FILE,
    INDEX_FILE,
    MOST_SETTINGS,
    WEIGHTS_FILE,
    Folder,
    is_inside,
    max_weight_bytes,
)
from lmcore.pretrained.loading import PretrainedModel, load_pretrained
from lmcore.pretrained.tokens import ADDED_FILE, GENERATION_FILE, NAMES_FILE

ROOT_VARIABLE, IDS_VARIABLE = "LMCORE_MODELS", "LMCORE_MODEL_IDS"
ID_PATTERN = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")
DOWNLOADED_FILES = [CONFIG_FILE, WEIGHTS_FILE, INDEX_FILE, "model-*.safetensors"]
DOWNLOADED_FILES += [
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
    ADDED_FILE,
    NAMES_FILE,
    GENERATION_FILE,
]
"""The files that are downloaded: none that could be executed."""
PURPOSES = {
    "ForSequenceClassification": "classification",
    "ForTokenClassification": "tagging",
    "ForQuestionAnswering": "answers",
    "ForMultipleChoice": "multiple choice",
    "DoubleHeadsModel": "multiple choice",
}
"""The ending of a name under `architectures` → what its head is for."""


def check_root() -> None:
    """Check the folder of models' folders at the start of a server, if it is configured.

    Raises:
        ValueError: if the variable does not name a folder that can be read.
    """
    folder = configuration().models
    if folder and not (Path(folder).is_dir() and os.access(folder, os.R_OK | os.X_OK)):
        raise ValueError(
            f"{ROOT_VARIABLE} must be a folder of models' folders that can be read; got {folder!r}"
        )


def models_root() -> Path | None:
    """The folder of models' folders, if it is configured.

    Raises:
        ValueError: if it no longer exists; visitors read the message, so it has no path.
    """
    folder = configuration().models
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise ValueError("the folder of this server’s models must be there; it is not any more")
    return Path(folder).resolve()


class Found(NamedTuple):
    """The folders under the root that have a config.json."""

    inside: tuple[str, ...]
    """Those that may be loaded, by name."""
    outside: tuple[str, ...]
    """Links that lead out of the root, which are left out."""


def found_folders() -> Found:
    """The folders under the root; none if no root is configured.

    Raises:
        ValueError: as `models_root`, or if it cannot be read.
    """
    here = models_root()
    if here is None:
        return Found((), ())
    try:
        with os.scandir(here) as entries:
            # An entry has its type, without a call per file: ten thousand files cost little.
            names = sorted(each.name for each in entries if _may_be_folder(each))
    except OSError as error:
        raise ValueError(
            f"the folder of this server’s models must be one that can be read; {error.strerror}"
        ) from error
    models = [name for name in names if _holds_a_model(here / name)]
    inside = [name for name in models if is_inside(here / name, here)]
    return Found(tuple(inside), tuple(name for name in models if name not in inside))


def allowed_folders() -> tuple[str, ...]:
    """The names of the folders that may be loaded.

    Raises:
        ValueError: as `found_folders`.
    """
    return found_folders().inside


def head_left_out(name: str) -> str:
    """What the head of a folder's model is for, by its config, if the head is not loaded.

    Empty if there is no such head, or the folder or its config.json cannot be read.
    """
    here = models_root()
    if here is None:
        return ""
    file = here / name / CONFIG_FILE
    try:
        return _purpose(file, file.stat().st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=256)
def _purpose(file: Path, changed: int) -> str:
    try:
        config = Folder(file.parent, file.parent).json(CONFIG_FILE, MOST_SETTINGS) or {}
    except ValueError:
        return ""  # loading the model reports what is wrong
    kinds = config.get("architectures")
    kind = str(kinds[0]) if isinstance(kinds, list) and kinds else ""
    return next((words for ending, words in PURPOSES.items() if kind.endswith(ending)), "")


def _may_be_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _holds_a_model(path: Path) -> bool:
    try:
        return (path / CONFIG_FILE).is_file()
    except OSError:  # a folder that is closed to the server, such as lost+found
        return False


def load_from_folder(name: str) -> PretrainedModel:
    """The model of a folder right under the root.

    Raises:
        ValueError: if there is none of that name, or as `loading.load_pretrained`.
    """
    here = models_root()
    if here is None:
        raise ValueError(
            f"{ROOT_VARIABLE} must name a folder for {name!r:.80} to be loaded; it is not set"
        )
    if name not in (known := allowed_folders()):
        raise ValueError(
            f"the model must be one of the folders under {ROOT_VARIABLE}, "
            f"{', '.join(known) or 'of which none holds one'}; got {name!r:.80}"
        )
    return load_pretrained(here / name)


def allowed_ids() -> tuple[str, ...]:
    """The ids that may be loaded.

    Raises:
        ValueError: if one cannot be an id.
    """
    ids = [part.strip() for part in configuration().model_ids.split(",") if part.strip()]
    for each in ids:
        if not ID_PATTERN.fullmatch(each) or ".." in each:
            raise ValueError(
                f"{IDS_VARIABLE} must be ids such as org/name, with commas; got {each!r:.80}"
            )
    return tuple(dict.fromkeys(ids))


def load_from_hub(name: str) -> PretrainedModel:
    """The model of an id: from the machine's cache, else downloaded into it.

    Raises:
        ValueError: if it is not allowed, not available, too large, or as `loading.load_pretrained`.
    """
    if name not in allowed_ids():
        allowed = ", ".join(allowed_ids()) or "which names none"
        raise ValueError(f"the id must be one of {IDS_VARIABLE}, {allowed}; got {name!r:.80}")
    there = _fetched(name)
    # A snapshot's files are links to those of the cache.
    return load_pretrained(there, root=there.parent.parent, name=name)


def _fetched(name: str) -> Path:
    # Here and not above: where no id is allowed, nothing that could reach a network is imported.
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        there = Path(
            snapshot_download(name, allow_patterns=DOWNLOADED_FILES, local_files_only=True)
        )
        if (there / WEIGHTS_FILE).exists() or (there / INDEX_FILE).exists():
            return there
    except LocalEntryNotFoundError:
        pass
    try:
        planned = snapshot_download(name, allow_patterns=DOWNLOADED_FILES, dry_run=True)
        size = sum(file.file_size or 0 for file in planned)
        if size > (most := max_weight_bytes()):
            raise ValueError(f"{name} must be at most {most:,} bytes; got {size:,}")
        return Path(snapshot_download(name, allow_patterns=DOWNLOADED_FILES))
    except (HfHubHTTPError, OSError) as error:
        raise ValueError(
            f"{name} must be in the cache or be there to download; {error!s:.200}"
        ) from error
