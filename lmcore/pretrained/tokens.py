"""The tokens that a folder's files add to a vocabulary, and those that begin and end a text.

tokenizer.json             its `added_tokens`
tokenizer_config.json      `added_tokens_decoder`, and the names: `bos_token`, `eos_token`, …
special_tokens_map.json    the names again, in older folders
added_tokens.json          tokens beside vocab.txt or merges.txt, in older folders
generation_config.json     the ids that begin and end a generated text; else config.json has them

Two files that contradict each other are refused. Source: `transformers`, which reads the same files
in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tokenizers import AddedToken, Tokenizer

from lmcore.pretrained.folder import CONFIG_FILE, MOST_SETTINGS, Folder

SETTINGS_FILE = "tokenizer_config.json"
NAMES_FILE = "special_tokens_map.json"
ADDED_FILE = "added_tokens.json"
GENERATION_FILE = "generation_config.json"
NAMES = (
    *("bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"),
)
MORE = ("additional_special_tokens", "extra_special_tokens")
"""Special tokens without a name of their own, under their older and their newer key."""
MOST_ADDED = 10_000
"""Added tokens of a folder, each of which is searched for in every text."""
FLAGS = ("single_word", "lstrip", "rstrip", "normalized")


@dataclass(frozen=True, slots=True)
class TokenFiles:
    """The settings for tokens in the files beside a vocabulary."""

    place: str
    """The folder's name, for messages."""
    settings: Mapping[str, Any]
    """tokenizer_config.json"""
    added: Mapping[str, tuple[int, AddedToken]]
    """Content → its id and its rules; in the order of the ids."""
    names: Mapping[str, AddedToken]
    """`eos_token` and the like → the token; only those that a file names."""
    more: tuple[AddedToken, ...]
    """Special tokens without a name."""

    def name(self, which: str, usual: str | None = None) -> str | None:
        """The content of a named token, or what is usual where no file names one."""
        found = self.names.get(which)
        return usual if found is None else found.content


def read_token_files(folder: Folder) -> TokenFiles:
    """The tokens in the files beside a vocabulary.

    Raises:
        ValueError: naming a file that cannot be read or two that contradict each other.
    """
    place = folder.path.name
    settings = folder.json(SETTINGS_FILE, MOST_SETTINGS) or {}
    named = folder.json(NAMES_FILE, MOST_SETTINGS) or {}
    names: dict[str, AddedToken] = {}
    more: dict[str, AddedToken] = {}
    for file, said in ((SETTINGS_FILE, settings), (NAMES_FILE, named)):
        for key in NAMES:
            token = _token(f"{key} in {place}/{file}", said.get(key))
            if token is None:
                continue
            if (other := names.get(key, token)).content != token.content:
                raise ValueError(
                    f"{key} must be the same in {SETTINGS_FILE} and {NAMES_FILE} of {place}; "
                    f"got {other.content!r:.40} and {token.content!r:.40}"
                )
            names[key] = token
        for key in MORE:
            for token in _listed(f"{key} in {place}/{file}", said.get(key)):
                more.setdefault(token.content, token)
    special = {token.content for token in (*names.values(), *more.values())}
    added = _numbered(folder, settings, special)
    return TokenFiles(place, settings, added, names, tuple(more.values()))


def add_tokens(made: Tokenizer, files: TokenFiles) -> None:
    """Give a tokenizer the tokens of these files that it does not have yet.

    Raises:
        ValueError: if a token cannot have the id that its file says.
    """
    there = {token.content for token in made.get_added_tokens_decoder().values()}
    wanted = [token for content, (_, token) in files.added.items() if content not in there]
    known = there | files.added.keys()
    wanted += [
        token
        for content, token in _unique((*files.names.values(), *files.more))
        if content not in known
    ]
    made.add_tokens(wanted)
    for content, (i, _) in files.added.items():
        if (got := made.token_to_id(content)) != i:
            raise ValueError(
                f"the id of {content!r:.40} in {files.place} must be {got}, its place in the "
                f"vocabulary; got {i}"
            )


class TextEnds(NamedTuple):
    """The ids that begin and end a generated text, as the folder says."""

    start: int | None
    """What an empty prompt becomes."""
    ends: tuple[int, ...]
    """Each of them ends the text."""


NO_ENDS = TextEnds(None, ())


def read_text_ends(
    folder: Folder,
    config: Mapping[str, Any],
    files: TokenFiles,
    made: Tokenizer,
    types: int,
    usual: str,
) -> TextEnds:
    """The start and the ends of a text: from generation_config.json, config.json or the tokenizer.

    For each of the two, the first of these that has it counts. An id for which the model, of
    `types` types, has no row is ignored. `usual` is the token if no file names one.

    Raises:
        ValueError: if one of them is not a whole number, or several.
    """
    generation = folder.json(GENERATION_FILE, MOST_SETTINGS) or {}
    found: list[tuple[int, ...]] = []
    for key, name in (("bos_token_id", "bos_token"), ("eos_token_id", "eos_token")):
        ids: tuple[int, ...] = ()
        for file, said in ((GENERATION_FILE, generation), (CONFIG_FILE, config)):
            place = f"{key} in {files.place}/{file}"
            ids = ids or tuple(i for i in _ids(place, said.get(key)) if i < types)
        own = made.token_to_id(files.name(name) or usual)
        found.append(ids or (() if own is None or own >= types else (own,)))
    starts, ends = found
    return TextEnds(starts[0] if starts else None, ends)


def _numbered(
    folder: Folder, settings: Mapping[str, Any], special: set[str]
) -> dict[str, tuple[int, AddedToken]]:
    """The added tokens of tokenizer_config.json and added_tokens.json, by their ids."""
    place = folder.path.name
    found: dict[str, tuple[int, AddedToken]] = {}
    table = settings.get("added_tokens_decoder") or {}
    older = folder.json(ADDED_FILE, MOST_SETTINGS) or {}
    if not isinstance(table, dict):
        raise ValueError(f"added_tokens_decoder in {place} must be an object; got {table!r:.40}")
    if max(len(table), len(older)) > MOST_ADDED:
        raise ValueError(
            f"{place} must add at most {MOST_ADDED:,} tokens; got {max(len(table), len(older)):,}"
        )
    for number, said in table.items():
        token = _token(f"token {number!r:.20} of added_tokens_decoder in {place}", said)
        if token is None or not number.isdecimal():
            raise ValueError(
                f"added_tokens_decoder in {place} must have ids and their tokens; "
                f"got {number!r:.20}: {said!r:.40}"
            )
        found[token.content] = int(number), token
    for content, i in older.items():
        if isinstance(i, bool) or not isinstance(i, int) or not content:
            raise ValueError(
                f"{place}/{ADDED_FILE} must have tokens and their ids; got {content!r:.40}: {i!r}"
            )
        if content in found and found[content][0] != i:
            raise ValueError(
                f"the id of {content!r:.40} must be the same in {SETTINGS_FILE} and {ADDED_FILE} "
                f"of {place}; got {found[content][0]} and {i}"
            )
        plain = AddedToken(content, normalized=content not in special, special=content in special)
        found.setdefault(content, (i, plain))
    return dict(sorted(found.items(), key=lambda each: each[1][0]))


def _token(place: str, said: Any) -> AddedToken | None:
    """A token as files write it: its content, or an object with its rules; None for none."""
    if said is None:
        return None
    if isinstance(said, str) and said:
        return AddedToken(said, special=True, normalized=False)
    content = said.get("content") if isinstance(said, dict) else None
    if not isinstance(content, str) or not content:
        raise ValueError(f"{place} must be a token; got {said!r:.60}")
    flags = {flag: said[flag] for flag in FLAGS if isinstance(said.get(flag), bool)}
    return AddedToken(content, special=said.get("special", True) is True, **flags)


def _listed(place: str, said: Any) -> Iterator[AddedToken]:
    if said is None:
        return
    values = list(said.values()) if isinstance(said, dict) else said
    if not isinstance(values, list) or len(values) > MOST_ADDED:
        raise ValueError(f"{place} must be a list of tokens; got {said!r:.60}")
    for each in values:
        token = _token(place, each)
        if token is not None:
            yield token


def _unique(tokens: tuple[AddedToken, ...]) -> Iterator[tuple[str, AddedToken]]:
    yield from {token.content: token for token in reversed(tokens)}.items()


def _ids(place: str, said: Any) -> tuple[int, ...]:
    if said is None:
        return ()
    values = said if isinstance(said, list) else [said]
    if not all(isinstance(i, int) and not isinstance(i, bool) and i >= 0 for i in values):
        raise ValueError(f"{place} must be an id, or several; got {said!r:.60}")
    return tuple(values)
