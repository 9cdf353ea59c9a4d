"""Which other models a server may load: the folders under one root, and ids of Hugging Face.

    LMCORE_MODELS=/srv/models                        a folder of models' folders
    LMCORE_MODEL_IDS=openai-community/gpt2,org/name  out of the local cache, else downloaded

Without the first none is read, and without the second no other host is ever asked.
"""

from __future__ import annotations

import re
from pathlib import Path

from lmcore.configuration import configuration
from lmcore.pretrained.folder import CONFIG, INDEX, WHOLE, most_weights, within
from lmcore.pretrained.loading import Pretrained, load

ROOT, IDS = "LMCORE_MODELS", "LMCORE_MODEL_IDS"
ID = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")
WANTED = [CONFIG, WHOLE, INDEX, "model-*.safetensors"]
WANTED += ["tokenizer.json", "tokenizer_config.json", "vocab.txt", "vocab.json", "merges.txt"]
"""What is asked for of a model: nothing that could run."""


def root() -> Path | None:
    """The folder that models may be in, if there is one.

    Raises:
        ValueError: if the variable names none.
    """
    said = configuration().models
    if not said:
        return None
    if not Path(said).is_dir():
        raise ValueError(f"{ROOT} must be a folder of models' folders; got {said!r}")
    return Path(said).resolve()


def folders() -> tuple[str, ...]:
    """The names of the folders that may be loaded.

    Raises:
        ValueError: as `root`.
    """
    here = root()
    if here is None:
        return ()
    try:
        there = [path for path in here.iterdir() if _holds_a_model(path) and within(path, here)]
    except OSError as error:
        raise ValueError(f"{ROOT} must be a folder that can be read; {error}") from error
    return tuple(sorted(path.name for path in there))


def _holds_a_model(path: Path) -> bool:
    try:
        return (path / CONFIG).is_file()
    except OSError:  # a folder that is closed to the server, such as lost+found
        return False


def of_folder(name: str) -> Pretrained:
    """The model of a folder right under the root.

    Raises:
        ValueError: if there is none of that name, or as `loading.load`.
    """
    here = root()
    if here is None:
        raise ValueError(f"{ROOT} must name a folder for {name!r:.80} to be loaded; it is not set")
    if name not in (known := folders()):
        raise ValueError(
            f"the model must be one of the folders under {ROOT}, "
            f"{', '.join(known) or 'of which none holds one'}; got {name!r:.80}"
        )
    return load(here / name)


def ids() -> tuple[str, ...]:
    """The ids that may be loaded.

    Raises:
        ValueError: if one cannot be an id.
    """
    said = [part.strip() for part in configuration().model_ids.split(",") if part.strip()]
    for each in said:
        if not ID.fullmatch(each) or ".." in each:
            raise ValueError(f"{IDS} must be ids such as org/name, with commas; got {each!r:.80}")
    return tuple(dict.fromkeys(said))


def of_id(name: str) -> Pretrained:
    """The model of an id: out of the machine's cache, else downloaded into it.

    Raises:
        ValueError: if it is not allowed, cannot be had, is too large, or as `loading.load`.
    """
    if name not in ids():
        allowed = ", ".join(ids()) or "which names none"
        raise ValueError(f"the id must be one of {IDS}, {allowed}; got {name!r:.80}")
    there = _fetched(name)
    # A snapshot's files are links to those of the cache.
    return load(there, root=there.parent.parent, name=name)


def _fetched(name: str) -> Path:
    # Here and not above: where no id is allowed, nothing that could reach a network is imported.
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    try:
        there = Path(snapshot_download(name, allow_patterns=WANTED, local_files_only=True))
        if (there / WHOLE).exists() or (there / INDEX).exists():
            return there
    except LocalEntryNotFoundError:
        pass
    try:
        planned = snapshot_download(name, allow_patterns=WANTED, dry_run=True)
        size = sum(file.file_size or 0 for file in planned)
        if size > (most := most_weights()):
            raise ValueError(f"{name} must be at most {most:,} bytes; got {size:,}")
        return Path(snapshot_download(name, allow_patterns=WANTED))
    except (HfHubHTTPError, OSError) as error:
        raise ValueError(
            f"{name} must be in the cache or be there to download; {error!s:.200}"
        ) from error
