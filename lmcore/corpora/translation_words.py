"""The words of the translation tasks: English nouns, verbs and adjectives with their translations.

The target language is invented, so that no word of it can be wrong:

    noun         stem + o (masculine) or a (feminine), + n in the plural    kelo, kelon; mira, miran
    adjective    after its noun, with the noun's ending                     kelo grano, miran granan
    article      before its noun, with the noun's ending                    lo kelo, unan miran
    verb         stem + e, + n if its subject is plural; ends its clause    vide, viden
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Gender = Literal["o", "a"]
"""The ending of masculine and of feminine words in the singular."""
PLURAL = "n"
"""Added to that ending, and to a verb's."""


class Noun(NamedTuple):
    """A noun in singular and plural, and the stem and the gender of its translation."""

    one: str
    many: str
    stem: str
    gender: Gender


class Verb(NamedTuple):
    """A verb of a singular and of a plural subject, and the stem of its translation."""

    one: str
    many: str
    stem: str


NAMES = ("kayla", "tom", "anna", "ben", "maria", "paul")
"""Proper names are the same in both languages; their verb is singular."""
NOUNS = (
    Noun("dog", "dogs", "kel", "o"),
    Noun("cat", "cats", "mir", "a"),
    Noun("horse", "horses", "tav", "o"),
    Noun("bird", "birds", "pil", "a"),
    Noun("fox", "foxes", "zur", "o"),
    Noun("girl", "girls", "nin", "a"),
    Noun("boy", "boys", "bim", "o"),
    Noun("woman", "women", "sen", "a"),
    Noun("man", "men", "dorr", "o"),
    Noun("ball", "balls", "bal", "a"),
    Noun("book", "books", "lib", "o"),
    Noun("cup", "cups", "tass", "a"),
    Noun("box", "boxes", "kest", "o"),
    Noun("apple", "apples", "pomm", "a"),
)
ADJECTIVES = {
    "big": "gran",
    "small": "pik",
    "red": "rud",
    "old": "vel",
    "young": "jun",
    "white": "alb",
    "black": "nir",
    "happy": "lit",
}
"""Adjective → the stem of its translation."""
ARTICLES = {"the": "l", "a": "un", "some": "un"}
"""Article → the stem of its translation; `a` is singular, `some` plural."""
TRANSITIVE = (
    Verb("sees", "see", "vid"),
    Verb("chases", "chase", "kur"),
    Verb("likes", "like", "am"),
    Verb("finds", "find", "trov"),
    Verb("carries", "carry", "port"),
    Verb("hears", "hear", "oj"),
)
INTRANSITIVE = (
    Verb("sleeps", "sleep", "dorm"),
    Verb("runs", "run", "salt"),
    Verb("waits", "wait", "sper"),
    Verb("sings", "sing", "kant"),
)
PAST = {
    "kicked": "kicked",
    "seen": "saw",
    "taken": "took",
    "found": "found",
    "drawn": "drew",
    "chased": "chased",
    "hidden": "hid",
    "carried": "carried",
}
"""The participle of a passive sentence → the past tense of the active one."""
THAT, AND, BY = "that", "and", "by"
WAS = {False: "was", True: "were"}
"""Whether the subject is plural → the auxiliary."""
TRANSLATED_THAT, TRANSLATED_AND = "ke", "ya"

COPIED = (*NAMES, *(noun.one for noun in NOUNS))
"""The words of the tasks copy and reverse."""
_PHRASES = (*NAMES, *ARTICLES, *ADJECTIVES, *(form for noun in NOUNS for form in noun[:2]))
PASSIVE_WORDS = (*_PHRASES, *WAS.values(), *PAST, BY, AND)
ACTIVE_WORDS = (
    *_PHRASES,
    *(form for verb in (*TRANSITIVE, *INTRANSITIVE) for form in (verb.one, verb.many)),
    THAT,
    AND,
)


def inflect(stem: str, gender: Gender, *, plural: bool) -> str:
    """The form of a translated noun, adjective or article."""
    return stem + gender + PLURAL * plural


def conjugate(stem: str, *, plural: bool) -> str:
    """The form of a translated verb, by the number of its subject."""
    return f"{stem}e" + PLURAL * plural


def source_words() -> tuple[str, ...]:
    """Every word of a source, in alphabetical order."""
    return tuple(sorted({*PASSIVE_WORDS, *ACTIVE_WORDS}))


def target_words() -> tuple[str, ...]:
    """Every word of the invented language and every other word of a target, in order."""
    genders: tuple[Gender, Gender] = ("o", "a")
    numbers = (False, True)
    agreeing = {*ADJECTIVES.values(), *ARTICLES.values()}
    forms = {inflect(s, g, plural=n) for s in agreeing for g in genders for n in numbers}
    nouns = {inflect(noun.stem, noun.gender, plural=n) for noun in NOUNS for n in numbers}
    verbs = {conjugate(v.stem, plural=n) for v in (*TRANSITIVE, *INTRANSITIVE) for n in numbers}
    english = {*NAMES, *ADJECTIVES, *ARTICLES, *PAST.values(), AND, *COPIED}
    english |= {form for noun in NOUNS for form in (noun.one, noun.many)}
    return tuple(sorted(forms | nouns | verbs | english | {TRANSLATED_THAT, TRANSLATED_AND}))
