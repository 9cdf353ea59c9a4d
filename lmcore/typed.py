"""Typed and pasted text and numbers in one spelling, before they are looked up or parsed.

Phones, word processors and spreadsheets write ’ for ', insert invisible characters, and use the
number signs of their language. The functions below read all of them alike:

    marks      ’ and ‘ and their like become ', “ ” „ become ", typographic hyphens become -
    unseen     soft hyphens, zero-width characters and direction marks are left out
    letters    NFC; ligatures become their letters, full-width letters and signs the usual ones
    blanks     no-break and typographic spaces become a blank
    numbers    –1 is -1, 0,5 is 0.5, and the decimal digits of every script are 0 to 9

A tokenizer that comes with a model (MiniLM, a folder's) gets the text as it was typed: it has a
normaliser of its own, and another spelling could give other tokens than its authors get.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache

_MARKS = {
    "'": "’‘\u201b\u02bc\u02b9\u2032`\u00b4\uff07",
    '"': "“”„\u201f\u2033\uff02",
    "-": "\u2010\u2011\uff0d",
}
_DIRECTIONS = (0x61C, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_UNSEEN = (
    0xAD,
    0x180E,
    0x200B,
    0x200C,
    0x200E,
    0x200F,
    *_DIRECTIONS,
    *range(0x2060, 0x2065),
    0xFEFF,
)
_JOINER_AT_A_LETTER = re.compile("(?<=\\w)\u200d|\u200d(?=\\w)")
"""A zero-width joiner beside a letter or digit; inside an emoji it stays."""
_BLANKS = (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)
_LETTERS = (*range(0xFB00, 0xFB07), *range(0xFF01, 0xFF5F))
SPELLINGS: dict[int, str] = {
    **{code: unicodedata.normalize("NFKC", chr(code)) for code in _LETTERS},
    **{ord(each): mark for mark, alike in _MARKS.items() for each in alike},
    **dict.fromkeys(_UNSEEN, ""),
    **dict.fromkeys(_BLANKS, " "),
}
"""Code point → how it is read; for `str.translate`."""
TYPOGRAPHY = frozenset("".join(_MARKS.values()))
"""The marks that a real tokenizer tells apart from the plain ones."""

_SIGNS = str.maketrans(
    dict.fromkeys("−\u2012–—\u2015\ufe63\u207b", "-")
    | {"\u066b": ".", "\u060c": ",", "\u3001": ",", "\u061b": ";", "\u066c": ""}
)
_DECIMAL = re.compile(r"([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+")
_BETWEEN_DIGITS = re.compile(r"(?<=\d),(?=\d)")
_BRACKETS = "[]() \t\n"


def fold(text: str, keep: Collection[str] = ()) -> str:
    """The text in one spelling; characters of `keep` stay as they are, unless NFC changes them."""
    if text.isascii() and "`" not in text:
        return text
    spellings = _spellings(frozenset(keep)) if keep else SPELLINGS
    plain = unicodedata.normalize("NFC", text).translate(spellings)
    return unicodedata.normalize("NFC", _JOINER_AT_A_LETTER.sub("", plain))


@lru_cache(maxsize=64)
def _spellings(keep: frozenset[str]) -> dict[int, str]:
    return {code: spelt for code, spelt in SPELLINGS.items() if chr(code) not in keep}


def fold_numbers(text: str) -> str:
    """Typed numbers with plain digits and signs; what commas mean is left open."""
    text = fold(text).translate(_SIGNS)
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(each, each)) for each in text)


def fold_number(text: str) -> str:
    """One typed number as Python writes it, its decimal comma a point: –0,5 is -0.5.

    What may be thousands as well as a decimal, 1,500, keeps its comma; 1,000,000 is 1000000.
    """
    text = fold_numbers(text).strip()
    if _THOUSANDS.fullmatch(text):
        return text if is_ambiguous(text) else text.replace(",", "")
    return ".".join(parts.groups()) if (parts := _DECIMAL.fullmatch(text)) else text


def is_ambiguous(text: str) -> bool:
    """Whether the comma of a number may stand after the thousands or before the decimals: 1,500."""
    return text.count(",") == 1 and _THOUSANDS.fullmatch(text) is not None


def split_numbers(text: str, count: int | None = None) -> list[str]:
    """The parts of a typed list of numbers; brackets around it are left out.

    Commas, semicolons and blanks separate. In 0,5; 1,5 and in 0,5 1,5 a comma between two digits is
    a decimal comma, since another sign separates: unless a point stands in the list, or it must
    have `count` numbers and would have more or fewer.
    """
    text = fold_numbers(text).strip(_BRACKETS)
    parts = re.split(r"[;\s]+", text)
    commas = [part.count(",") for part in parts]
    tight = len(_BETWEEN_DIGITS.findall(text)) == sum(commas)
    if len(parts) > 1 and max(commas) == 1 and tight and "." not in text:
        decimal = [_BETWEEN_DIGITS.sub(".", part) for part in parts if part]
        if count in (None, len(decimal)):
            return decimal
    return re.sub(r"[,;]", " ", text).split()
