"""Text → tokens as a model was trained on them, by Hugging Face's `tokenizers`; their display form.

BERT cuts words into pieces and writes ## before all but the first (Wu et al. 2016). GPT-2 merges
bytes (Radford et al. 2019, section 2.2); in its files each byte is written as one printable letter.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Collection, Iterator
from functools import lru_cache
from typing import Any, TypeVar

from tokenizers import AddedToken, Encoding, Tokenizer, decoders, pre_tokenizers, processors
from tokenizers.models import BPE, WordPiece
from tokenizers.normalizers import BertNormalizer

from lmcore.pretrained.folder import Folder
from lmcore.pretrained.reading import VISIBLE_WHITESPACE
from lmcore.pretrained.tokens import SETTINGS_FILE, TokenFiles, add_tokens

TOKENIZER_FILE = "tokenizer.json"
WORD_TOKENS = ("[MASK]", "[UNK]", "<mask>", "<unk>")
"""Tokens that stand for a word of the text, though a tokenizer calls them special."""
END_OF_TEXT = "<|endoftext|>"

LONGEST_WORD = 200
"""Letters of a word that is cut into pieces: the work grows with their square."""
MOST_GROWTH = 8
"""Times that all replacements of a normalizer together may lengthen a text."""

PARTS = ("normalizer", "pre_tokenizer", "post_processor", "decoder")
MOST_STEPS = 64
"""Steps of such a part, each a pass over the text, and entries of a list in it."""
PATTERNS = (
    r"\s+",
    r" {2,}",
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+",
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*"
    r"|\s*[\r\n]|\s+(?!\S)|\s+",
)
"""Regular expressions that may be searched for, the last two those of GPT-2 and GPT-4: any other
may take unbounded time, and the search cannot be interrupted."""

T = TypeVar("T")


def load_tokenizer(folder: Folder, kind: str, types: int, files: TokenFiles) -> Tokenizer:
    """The tokenizer of a folder, for a model of that many types.

    It neither cuts nor pads: a model's limit is not that of its tokenizer, and sessions share it.
    Added tokens may have ids that the model has no row for, as long as no text holds them.

    Raises:
        ValueError: if there is none, it cannot be read, its files contradict each other, or its
            vocabulary has ids that the model does not have.
    """
    rules = folder.json(TOKENIZER_FILE)
    if rules is None:
        made = _from_older_files(folder, kind, files)
    else:
        made = _from_tokenizer_file(folder, rules)
    call_library(folder, lambda: add_tokens(made, files))
    frame = call_library(folder, lambda: frame_ids(made))
    if rules is not None:
        _check_agreement(rules, {made.id_to_token(i) for i in frame}, files, kind)
    made.no_truncation()
    made.no_padding()
    added = made.get_added_tokens_decoder()
    ids = [i for i in made.get_vocab().values() if i not in added]
    if (highest := max([*ids, *frame], default=0)) >= types:
        raise ValueError(
            f"the tokenizer's ids must be below {types:,}, the types of the model; got {highest:,}"
        )
    return made


def frame_ids(made: Tokenizer) -> list[int]:
    """The ids that a tokenizer puts around a text."""
    ids: list[int] = made.encode("").ids
    return ids


def call_library(folder: Folder, ask: Callable[[], T]) -> T:
    """The result of a call to the tokenizers library.

    Raises:
        ValueError: if the call fails: the library raises a bare Exception or, on a file that it
            does not foresee, a PanicException, which is only a BaseException.
    """
    try:
        return ask()
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise ValueError(
            f"the tokenizer of {folder.path.name} must be one that can be read; {error!s:.200}"
        ) from error


def visible_tokens(made: Tokenizer, encoding: Encoding) -> tuple[str, ...]:
    """The tokens as a reader sees them: bytes as text again."""
    if not isinstance(made.decoder, decoders.ByteLevel):
        return tuple(encoding.tokens)
    added = made.get_added_tokens_decoder()
    return tuple(
        token if i in added else visible_text(token)
        for i, token in zip(encoding.ids, encoding.tokens, strict=True)
    )


def visible_text(token: str) -> str:
    r"""The display form of a token of bytes: a blank is ␣, the end of a line ⏎.

    Bytes that are only part of a character are written as \xf0 and the like, invisible
    characters by their numbers.
    """
    letters = _bytes_of_letters()
    raw = b"".join(letters.get(letter, letter.encode()) for letter in token)
    text = raw.decode("utf-8", "backslashreplace")
    return "".join(VISIBLE_WHITESPACE.get(letter) or _seen(letter) for letter in text)


def special_ids(made: Tokenizer) -> frozenset[int]:
    """The ids that stand for no word: [CLS], [SEP], [PAD], <|endoftext|>."""
    return frozenset(
        i
        for i, token in made.get_added_tokens_decoder().items()
        if token.special and token.content not in WORD_TOKENS
    )


def _seen(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


@lru_cache(maxsize=1)
def _bytes_of_letters() -> dict[str, bytes]:
    """Letter → byte: the printable ones of Latin-1 are themselves, the rest follow from 256 on."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1)]
    plain += range(ord("®"), ord("ÿ") + 1)
    others = [byte for byte in range(256) if byte not in plain]
    letters = {chr(byte): bytes([byte]) for byte in plain}
    return letters | {chr(256 + n): bytes([byte]) for n, byte in enumerate(others)}


def _from_tokenizer_file(folder: Folder, config: dict[str, Any]) -> Tokenizer:
    """A tokenizer from tokenizer.json."""
    model = config.get("model")
    merges = model if isinstance(model, dict) and "merges" in model else {}
    if prefix := merges.get("continuing_subword_prefix"):
        # The library cuts the prefix off each merge; if one is shorter, the whole process ends.
        raise ValueError(
            f"continuing_subword_prefix in {folder.path.name}/{TOKENIZER_FILE} must be empty in a "
            f"model of merges; got {prefix!r:.40}"
        )
    _check_bounded(folder, config)
    # Serialised again, so that the library reads what was checked: a file may repeat a name.
    return call_library(folder, lambda: Tokenizer.from_str(json.dumps(config)))


def _check_bounded(folder: Folder, config: dict[str, Any]) -> None:
    """Refuse a file that would keep the library busy for seconds: it cannot be interrupted.

    Raises:
        ValueError: naming the field.
    """
    place = f"{folder.path.name}/{TOKENIZER_FILE}"
    model = config.get("model")
    settings = model if isinstance(model, dict) else {}
    if isinstance(settings.get("vocab"), list):
        raise ValueError(
            f"the model in {place} must be one of pieces or merges; got a unigram model"
        )
    longest = settings.get("max_input_chars_per_word", 100)
    if isinstance(longest, int | float) and longest > LONGEST_WORD:
        raise ValueError(
            f"max_input_chars_per_word in {place} must be at most {LONGEST_WORD:,}; got {longest}"
        )
    for name in PARTS:
        _check_part(f"the {name} in {place}", config.get(name))
    growth = 1
    for each in _objects([config.get("normalizer"), config.get("pre_tokenizer")]):
        growth *= _growth(each)
        if growth > MOST_GROWTH:
            raise ValueError(
                f"the normalizer in {place} must lengthen a text at most {MOST_GROWTH} times; "
                f"got {growth:,} times or more"
            )


def _check_part(name: str, part: Any) -> None:
    """Refuse too many steps, and a pattern whose search may take time without a bound."""
    steps = list(_objects(part))
    lists = [value for each in steps for value in each.values() if isinstance(value, list)]
    most = max([len(steps), *map(len, lists)])
    if most > MOST_STEPS:
        raise ValueError(f"{name} must have at most {MOST_STEPS} steps; got {most:,}")
    for each in steps:
        regex = each.get("Regex")
        if regex is not None and regex not in PATTERNS:
            raise ValueError(f"{name} must have a pattern that is known; got {regex!r:.60}")
        if each.get("String") == "":
            raise ValueError(f"{name} must have no empty pattern; got one")
        if each.get("type") == "Precompiled":
            raise ValueError(f"{name} must have no precompiled table; got one")


def _growth(step: dict[str, Any]) -> int:
    """How many times a step may lengthen a text; other steps may decompose what it puts in."""
    content = step.get("content")
    if isinstance(content, str):
        return max(len(unicodedata.normalize("NFKD", content).lower()), 1)
    return 2 if step.get("type") == "ByteLevel" else 1


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every JSON object inside a value, itself included."""
    unread = [value]
    while unread:
        each = unread.pop()
        if isinstance(each, dict):
            yield each
            unread += each.values()
        elif isinstance(each, list):
            unread += each


def _check_agreement(
    rules: dict[str, Any], frame: Collection[str | None], files: TokenFiles, kind: str
) -> None:
    """Refuse settings beside tokenizer.json that contradict its rules.

    `frame` has the tokens that these rules put around a text.

    Raises:
        ValueError: naming the setting.
    """
    steps = {key: list(_objects(rules.get(key))) for key in PARTS}
    found: dict[str, object] = {}
    if kind == "bert":
        types = {each.get("type"): each for each in steps["normalizer"]}
        own = types.get("BertNormalizer", {})
        lower = bool(own.get("lowercase", "Lowercase" in types))
        accents = own.get("strip_accents")
        found["do_lower_case"] = lower
        if own:
            found["strip_accents"] = lower if accents is None else bool(accents)
            found["tokenize_chinese_chars"] = bool(own.get("handle_chinese_chars", True))
    else:
        blanks = [
            each.get("add_prefix_space")
            for each in steps["pre_tokenizer"]
            if each.get("type") == "ByteLevel"
        ]
        if blanks:
            found["add_prefix_space"] = bool(blanks[0])
        for key, name in (("add_bos_token", "bos_token"), ("add_eos_token", "eos_token")):
            found[key] = files.name(name, END_OF_TEXT) in frame
    for key, value in found.items():
        said = files.settings.get(key)
        if isinstance(said, bool) and said is not value:
            raise ValueError(
                f"{key} in {files.place}/{SETTINGS_FILE} must be {str(value).lower()}, as the "
                f"rules of {TOKENIZER_FILE} are; got {str(said).lower()}"
            )


def _from_older_files(folder: Folder, kind: str, files: TokenFiles) -> Tokenizer:
    """A tokenizer from the older files."""
    if kind == "bert":
        return _wordpiece_tokenizer(folder, files)
    return _bpe_tokenizer(folder, files)


def _wordpiece_tokenizer(folder: Folder, files: TokenFiles) -> Tokenizer:
    text = folder.text("vocab.txt")
    if text is None:
        raise ValueError(f"{folder.path.name} must hold {TOKENIZER_FILE} or vocab.txt; got neither")
    # Not splitlines: a piece may be a sign, such as U+2028, that ends a line elsewhere.
    ids = {piece: i for i, piece in enumerate(text.removesuffix("\n").split("\n"))}
    unknown, first, last, pad, mask = (
        files.name(f"{which}_token", f"[{which.upper()}]") or ""
        for which in ("unk", "cls", "sep", "pad", "mask")
    )
    for needed in (unknown, first, last):
        if needed not in ids:
            raise ValueError(f"{folder.path.name}/vocab.txt must hold {needed}; it does not")
    made = Tokenizer(WordPiece(ids, unk_token=unknown))
    made.add_special_tokens([name for name in (pad, unknown, first, last, mask) if name in ids])
    settings = files.settings
    made.normalizer = BertNormalizer(
        clean_text=True,
        handle_chinese_chars=settings.get("tokenize_chinese_chars") is not False,
        strip_accents=settings.get("strip_accents"),
        lowercase=settings.get("do_lower_case") is not False,
    )
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}",
        pair=f"{first} $A {last} $B:1 {last}:1",
        special_tokens=[(name, ids[name]) for name in (first, last)],
    )
    return made


def _bpe_tokenizer(folder: Folder, files: TokenFiles) -> Tokenizer:
    ids, merges = folder.json("vocab.json"), folder.text("merges.txt")
    if ids is None or merges is None:
        raise ValueError(
            f"{folder.path.name} must hold {TOKENIZER_FILE}, or vocab.json and merges.txt; "
            "got neither"
        )
    pairs = [
        (first, second)
        for line in merges.split("\n")
        if not line.startswith("#version") and len(parts := line.split(" ")) == 2
        for first, second in [parts]
    ]
    made = call_library(folder, lambda: Tokenizer(BPE(vocab=ids, merges=pairs)))
    settings = files.settings
    blank = settings.get("add_prefix_space") is True
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=blank)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=False)
    if END_OF_TEXT in ids:
        made.add_special_tokens([AddedToken(END_OF_TEXT, normalized=False)])
    call_library(folder, lambda: add_tokens(made, files))
    first = files.name("bos_token", END_OF_TEXT) if settings.get("add_bos_token") is True else None
    last = files.name("eos_token", END_OF_TEXT) if settings.get("add_eos_token") is True else None
    if frame := [each for each in (first, last) if each is not None]:
        numbers = [(each, made.token_to_id(each)) for each in dict.fromkeys(frame)]
        for each, number in numbers:
            if number is None:
                raise ValueError(
                    f"{each!r:.40}, which {folder.path.name} puts around a text, must be in its "
                    "vocabulary; it is not"
                )
        single = [*([first] if first else []), "$A", *([last] if last else [])]
        made.post_processor = processors.TemplateProcessing(single=single, special_tokens=numbers)
    return made
