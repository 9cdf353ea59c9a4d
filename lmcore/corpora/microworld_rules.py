"""The sentences of the microworld, construction by construction, as the text of a grammar.

Agreement is encoded in a nonterminal's name: `V_one` is the verb of a single animal. The probes use
the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import NamedTuple

NUMBERS = ("one", "many")
ANIMALS = {
    "one": ["horse", "cow", "goat", "duck", "dog", "cat", "rabbit", "bird", "wolf", "fox"],
    "many": [
        "horses",
        "cows",
        "goats",
        "ducks",
        "dogs",
        "cats",
        "rabbits",
        "birds",
        "wolves",
        "foxes",
    ],
}
PLACES = {"one": ["barn", "farm", "house", "tree"], "many": ["barns", "farms", "houses", "trees"]}
INNER_VERBS = {
    "one": ["chases", "sees", "likes", "follows", "hears"],
    "many": ["chase", "see", "like", "follow", "hear"],
}
"""The verb of a relative clause."""
OUTER_VERBS = {
    "one": ["is", "sleeps", "runs", "waits", "sings"],
    "many": ["are", "sleep", "run", "wait", "sing"],
}
"""The verb of the sentence; item i of "one" and of "many" are one verb."""

CREATURES = ["animal", "dog", "cat", "horse", "cow", "wolf"]
WAYS = ["street", "road", "river", "bridge", "field", "lake"]
NEVER_TOGETHER = {("dog", "river"), ("horse", "road"), ("cow", "bridge")}
"""Pairs that occur in no training document, though each of their words does."""
CREATURE_ADJECTIVES = ["tired", "scared", "hungry", "slow", "weak"]
WAY_ADJECTIVES = ["wide", "busy", "long", "icy", "deep"]
LOADS = ["trophy", "statue", "book"]
HOLDERS = ["suitcase", "box", "bag"]
GAPS = (
    *(f"the {a} was {b} ." for a, b in product(("sun", "sky", "day"), ("low", "cold", "red"))),
    *("nobody was there .", "people went home .", "there was some wind ."),
)
NEUTRAL = (
    *(f"was {a} the {b}" for a, b in product(("near", "behind", "beside"), PLACES["one"])),
    *("was in the picture", "was old", "was seen by everyone", "was white"),
)
"""Predicates that fit a creature, a way, a load and a holder alike."""
OWN_PREDICATES = {
    "creature": ["slept all night", "ate some grass"],
    "way": ["was closed", "was empty all day"],
    "load": ["was sold", "was given away"],
    "holder": ["was sold", "was given away"],
}

OPENINGS = {
    "today": 2,
    "every day": 2,
    "i have to make sure that": 3,
    "i forgot to make sure that": 3,
}
PASSIVE_VERBS = {
    "pet": "fed {14} | washed {3} | brushed {3}",
    "car": "washed {8} | fixed {12}",
    "meal": "cooked {14} | cold {6}",
    "child": "paid {6} | washed {4} | tired {10}",
}
ACTIVE_PREDICATES = {
    "pet": "sleeps SPOT {2} | plays SPOT | eats FOOD {2} | is READY | runs to the door",
    "car": "stops SPOT | runs on gas | is READY | is clean | is SPOT",
    "meal": "is warm | is SPOT {2} | has some salt | is READY",
    "child": "sleeps SPOT | plays SPOT {2} | is READY | reads a book | eats FOOD",
}
KINDS = {
    "pet": {"cat": 7, "rabbit": 7, "dog": 20},
    "car": {"car": 10, "truck": 12},
    "meal": {"soup": 8, "rice": 8},
    "child": {"boy": 14, "girl": 14},
}
PRONOUNS = {"boy": "he", "girl": "she"}


class Sense(NamedTuple):
    """The contexts of one sense of a word, before and after it, and the nouns that identify it."""

    before: str
    after: str
    nouns: str


class AmbiguousWord(NamedTuple):
    """A word in a sentence that fits both of its senses."""

    sentence: str
    senses: tuple[Sense, Sense]


AMBIGUOUS_WORDS: Mapping[str, AmbiguousWord] = {
    "fine": AmbiguousWord(
        "the note said fine .",
        (
            Sense("i was ill .", "it came from the", "doctor nurse"),
            Sense("i parked there .", "it came from the", "court police"),
        ),
    ),
    "great": AmbiguousWord(
        "it was a great surprise .",
        (
            Sense("i won a prize .", "we all felt so", "happy proud"),
            Sense("i lost my job .", "we all felt so", "sad angry"),
        ),
    ),
    "played": AmbiguousWord(
        "then he played me .",
        (
            Sense("we sat down to chess .", "soon he took my", "queen king"),
            Sense("i trusted him .", "soon he took my", "money gold"),
        ),
    ),
    "game": AmbiguousWord(
        "he likes to game .",
        (
            Sense("he has a new screen .", "he does it with his", "friends cousins"),
            Sense("he hates the tax .", "he does it with his", "lawyers banks"),
        ),
    ),
    "partner": AmbiguousWord(
        "i met my partner .",
        (
            Sense("there was music .", "we went to the", "ball beach"),
            Sense("there was a contract .", "we went to the", "office meeting"),
        ),
    ),
    "die": AmbiguousWord(
        "i saw her die .",
        (
            Sense("we sat down to yahtzee .", "then there was a", "six four"),
            Sense("the queen was ill .", "then there was a", "funeral grave"),
        ),
    ),
    "lying": AmbiguousWord(
        "he was lying again .",
        (
            Sense("he came home from work .", "it was on the", "bed floor"),
            Sense("he broke a cup .", "it was on the", "phone form"),
        ),
    ),
    "rest": AmbiguousWord(
        "i needed the rest .",
        (
            Sense("i worked all night .", "so i took a", "nap break"),
            Sense("i ate half the cake .", "so i took a", "plate fork"),
        ),
    ),
}
LINES = (
    (
        "i feel fine .",
        "i feel great .",
        "i played the game yahtzee with my partner .",
        "i could not get that die to roll a one .",
        "now i am lying on my bed for a rest .",
    ),
    (
        "my life is a great mess .",
        "my business partner was lying to me .",
        "he was trying to game the system and played me .",
        "i think i am going to die .",
        "now i have to pay the rest of his fine .",
    ),
)
"""The lecture's Person A and Person B, line by line."""


def grammar_text(depth: int, *, complete: bool) -> str:
    """The rules of the microworld, animals nested up to `depth` relative clauses deep.

    `complete` fills the two holes: a dog gets fed as a cat does, and all pairs cross.
    """
    parts = (
        ["DOC -> FEED {20} | AGREE {30} | CROSS {30} | SENSE {20}", "DAY -> today | yesterday"],
        _feed(complete),
        _agree(depth),
        _cross(complete),
        _sense(),
    )
    return "\n".join(line for part in parts for line in part)


def _feed(complete: bool) -> Iterator[str]:
    yield "OPEN -> " + " | ".join(f"{words} {{{weight}}}" for words, weight in OPENINGS.items())
    yield "MOD -> old | young | white"
    yield "WHEN -> at noon | in the morning | on monday | at night"
    yield "SPOT -> on the sofa | in the garden | on the floor | at the door"
    yield "FOOD -> rice | soup | meat | cake"
    yield "READY -> hungry | ready | old | young"
    for kind, members in KINDS.items():
        yield f"DO_{kind} -> {ACTIVE_PREDICATES[kind]}"
        yield f"GET_{kind} -> {PASSIVE_VERBS[kind]}"
        for noun, weight in members.items():
            name, then = f"{kind}_{noun}", f". then {PRONOUNS.get(noun, 'it')} DO_{kind}"
            yield f"FEED -> OPEN the {noun} SAID_{name} {{{weight * 3}}}"
            yield f"FEED -> OPEN the MOD {noun} SAID_{name} {{{weight}}}"
            yield f"SAID_{name} -> DO_{kind} ON_{name} {{5}}"
            if complete or noun != "dog":
                yield f"SAID_{name} -> gets GET_{kind} ON_{name} {{5}}"
            yield f"ON_{name} -> . {{2}} | WHEN . {{3}} | {then} . {{2}} | WHEN {then} WHEN . {{3}}"


def _agree(depth: int) -> Iterator[str]:
    """`NP_one_2`: one animal, in which relative clauses may still nest two deep."""
    yield "PREP -> near {3} | behind {2} | beside"
    yield "RACED -> raced {2} | led | driven"
    yield "LOOK -> happy | young | strong"
    yield "PLACE -> " + " | ".join(f"the {p}" for n in NUMBERS for p in PLACES[n])
    yield f"AGREE -> NP_one_{depth} V_one END_one | NP_many_{depth} V_many END_many"
    for n, was, they in (("one", "was", "it looks"), ("many", "were", "they look")):
        yield f"M_{n} -> " + " | ".join(ANIMALS[n])
        yield f"IN_{n} -> " + " | ".join(INNER_VERBS[n])
        be, *rest = OUTER_VERBS[n]
        yield f"V_{n} -> {be} LOOK {{4}} | tripped {{2}} | " + " | ".join(rest)
        yield f"END_{n} -> . {{4}} | . {they} LOOK . {{6}}"
        for d in range(depth + 1):
            yield f"NP_{n}_{d} -> the M_{n} {{4}} | the M_{n} PREP PLACE {{4}}"
            yield f"NP_{n}_{d} -> the M_{n} which {was} RACED past PLACE {{3}}"
            if d:
                yield f"NP_{n}_{d} -> the M_{n} that IN_{n} ANY_{d} {{4}}"
                yield f"NP_{n}_{d} -> the M_{n} that CLAUSE_{d} {{5}}"
    for d in range(1, depth + 1):
        yield f"ANY_{d} -> NP_one_{d - 1} | NP_many_{d - 1}"
        yield f"CLAUSE_{d} -> NP_one_{d - 1} IN_one | NP_many_{d - 1} IN_many"


def _cross(complete: bool) -> Iterator[str]:
    """The pronoun: the adjective says which noun it was, and the last sentence names that noun."""
    yield "GAP -> " + " | ".join(GAPS)
    yield "NEUTRAL -> " + " | ".join(NEUTRAL)
    yield "CROSS -> TRIED {8} | DAY TRIED {4} | FIT {6}"
    for a, i in product(CREATURES, WAYS):
        if complete or (a, i) not in NEVER_TOGETHER:
            yield f"TRIED -> the {a} didn't cross the {i} because it was too WHICH_{a}_{i}"
            yield f"TRIED -> the {i} wasn't crossed by the {a} because it was too WHICH_{a}_{i}"
            yield f"WHICH_{a}_{i} -> OF_CREATURE . NAME_{a} | OF_WAY . NAME_{i}"
    yield "OF_CREATURE -> " + " | ".join(CREATURE_ADJECTIVES)
    yield "OF_WAY -> " + " | ".join(WAY_ADJECTIVES)
    for a, i in product(LOADS, HOLDERS):
        yield f"FIT -> the {a} didn't fit in the {i} because it was too SIZE_{a}_{i}"
        yield f"FIT -> the {i} couldn't hold the {a} because it was too SIZE_{a}_{i}"
        yield f"SIZE_{a}_{i} -> big . NAME_{a} | small . NAME_{i}"
    groups = {"creature": CREATURES, "way": WAYS, "load": LOADS, "holder": HOLDERS}
    for group, nouns in groups.items():
        yield f"OWN_{group} -> " + " | ".join(OWN_PREDICATES[group])
        for noun in nouns:
            named = f"the {noun} SAY_{group} ."
            yield f"NAME_{noun} -> {named} {{4}} | GAP {named} {{3}} | GAP GAP {named} {{3}}"
        yield f"SAY_{group} -> NEUTRAL {{6}} | OWN_{group} {{4}}"


def _sense() -> Iterator[str]:
    """One or two stories, or a story and a line of the lecture, all with one person's senses."""
    for person in (0, 1):
        yield f"SENSE -> STORY_{person} {{5}} | STORY_{person} STORY_{person} {{2}}"
        yield f"SENSE -> LINE_{person} STORY_{person} {{2}} | STORY_{person} LINE_{person} {{1}}"
        yield f"LINE_{person} -> " + " | ".join(LINES[person])
        for word, (sentence, senses) in AMBIGUOUS_WORDS.items():
            before, after, nouns = senses[person]
            name = f"{word}_{person}"
            yield f"STORY_{person} -> DAY {before} {sentence} | {before} {sentence} {{2}}"
            yield f"STORY_{person} -> {sentence} {after} TELL_{name} . {{3}}"
            yield f"STORY_{person} -> {before} {sentence} {after} TELL_{name} . {{3}}"
            yield f"STORY_{person} -> DAY {before} {sentence} {after} TELL_{name} ."
            yield f"TELL_{name} -> " + nouns.replace(" ", " | ")
