"""Which other models a server may load: the folders under one root, and ids of Hugging Face.

    LMCORE_MODELS=/srv/models                        a folder of models' folders
    LMCORE_MODEL_IDS=openai-community/gpt2,org/name  from the local cache, else downloaded

Without the first no folder is read, and without the second no other host is contacted.
"""

from __future__ import annotations

import re
from pathlib import Path

from lmcore.configuration import configuration
from lmcore.pretrained.folder import (
    CONFIG_FILE,
    INDEX_FILE,
    WEIGHTS_FILE,
    is_inside,
    max_weight_bytes,
)
from lmcore.pretrained.loading import PretrainedModel, load_pretrained

ROOT_VARIABLE, IDS_VARIABLE = "LMCORE_MODELS", "LMCORE_MODEL_IDS"
ID_PATTERN = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")
DOWNLOADED_FILES = [CONFIG_FILE, WEIGHTS_FILE, INDEX_FILE, "model-*.safetensors"]
DOWNLOADED_FILES += [
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.txt",
    "vocab.json",
    "merges.txt",
]
"""The files that are downloaded: none that could be executed."""


def models_root() -> Path | None:
    """The folder of models' folders, if it is configured.

    Raises:
        ValueError: if the variable names none.
    """
    folder = configuration().models
    if not folder:
        return None
    if not Path(folder).is_dir():
        raise ValueError(f"{ROOT_VARIABLE} must be a folder of models' folders; got {folder!r}")
    return Path(folder).resolve()


def allowed_folders() -> tuple[str, ...]:
    """The names of the folders that may be loaded.

    Raises:
        ValueError: as `models_root`.
    """
    here = models_root()
    if here is None:
        return ()
    try:
        there = [path for path in here.iterdir() if _holds_a_model(path) and is_inside(path, here)]
    except OSError as error:
        raise ValueError(f"{ROOT_VARIABLE} must be a folder that can be read; {error}") from error
    return tuple(sorted(path.name for path in there))


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
    """The model of an id: out of the machine's cache, else downloaded into it.

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
