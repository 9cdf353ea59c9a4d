"""Five tasks over the microworld: what to read, what to answer, and the best possible score.

    person        whose story begins like this, A's or B's?       one text   → one of two labels
    acceptable    does the verb agree with its subject?           one text   → one of two labels
    entailment    does the second text follow from the first?     two texts  → one of three labels
    roles         subject, verb and object of every clause        one text   → a tag for each word
    answer        which was tired? the words that answer          two texts  → first and last word

The texts of `person` and `acceptable` are drawn from the microworld's own grammar, once for each
label, so that p(label | text) is exact by Bayes' rule: its mean maximum is the best accuracy that
any model can have. The other three are decided by their texts.

Source: Devlin et al. 2019, section 4 and figure 4 (the four set-ups); Warstadt et al. 2019 (CoLA),
Williams et al. 2018 (MultiNLI) and Rajpurkar et al. 2016 (SQuAD) for what three of them resemble.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np
import torch
from jaxtyping import Float64

from lmcore.checks import check_one_of
from lmcore.corpora import grammar, microworld_rules
from lmcore.corpora.automaton import Automaton, compile_grammar
from lmcore.corpora.microworld import microworld
from lmcore.corpora.microworld_rules import (
    ANIMALS,
    CREATURE_ADJECTIVES,
    CREATURES,
    INNER_VERBS,
    PLACES,
    WAY_ADJECTIVES,
    WAYS,
)
from lmcore.vocabulary import END, START

Reads = Literal["text", "pair", "tags", "span"]
Words = tuple[str, ...]

HELD_OUT_ONE_IN = 4
"""One text in this many is for testing, chosen by a hash of its words."""
NOTHING_NEW = 500
"""After this many texts in a row without a new one, there are taken to be no more."""
DEPTH = 2
"""How deep relative clauses nest."""
CUTS = range(3, 15)
"""After how many words a story of `person` breaks off, each equally often."""


class Labelled(NamedTuple):
    """A text or a pair of texts, and its answer.

    `answer` is the number of a label; for tags one number a word of the first text; for a span the
    places of its first and last word in the first text.
    """

    first: Words
    second: Words
    answer: int | Words | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """A task: its name, what is read, and its labels; a span has none."""

    name: str
    title: str
    reads: Reads
    labels: tuple[str, ...]


TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task("person", "Whose story?", "text", ("A", "B")),
        Task("acceptable", "Does the verb agree?", "text", ("wrong", "right")),
        Task("entailment", "Does it follow?", "pair", ("follows", "contradicts", "neither")),
        Task("roles", "Who does what?", "tags", ("–", "S", "V", "s", "v", "o")),
        Task("answer", "Which was it?", "span", ()),
    )
}


def is_held_out(first: Sequence[str], second: Sequence[str] = ()) -> bool:
    """Whether an example is for testing alone."""
    text = " ".join((*first, "/", *second))
    return zlib.crc32(text.encode()) % HELD_OUT_ONE_IN == 0


def draw_examples(task: str, count: int, seed: int, *, test: bool = False) -> list[Labelled]:
    """`count` examples to train on, or to test: a pure function of its arguments.

    Raises:
        ValueError: if there is no such task.
    """
    check_one_of("the task", task, TASKS)
    rng = np.random.default_rng((seed, test))
    drawn = (each for each in _DRAW[task](rng) if is_held_out(*each[:2]) == test)
    return list(islice(drawn, count))


def draw_different(task: str, count: int, seed: int, *, test: bool = False) -> list[Labelled]:
    """As `draw_examples`, but no two with the same texts, and of each label at most its share.

    Some tasks have fewer than `count`: drawing ends when `NOTHING_NEW` in a row have brought none.

    Raises:
        ValueError: if there is no such task.
    """
    check_one_of("the task", task, TASKS)
    rng = np.random.default_rng((seed, test))
    found, by_label, in_a_row = dict[tuple[Words, Words], Labelled](), Counter[object](), 0
    share = count // (len(TASKS[task].labels) if TASKS[task].reads in ("text", "pair") else 1)
    for each in _DRAW[task](rng):
        if is_held_out(*each[:2]) != test:
            continue
        label = each.answer if isinstance(each.answer, int) else None
        new = each[:2] not in found and by_label[label] < share
        in_a_row = 0 if new else in_a_row + 1
        if new:
            found[each[:2]] = each
            by_label[label] += 1
        if len(found) == count or in_a_row == NOTHING_NEW:
            break
    return list(found.values())


def best_chances(
    task: str, examples: Sequence[Labelled], *, unseen: bool = False
) -> Float64[np.ndarray, " example"]:
    """For each example the highest probability of being right that any model can have.

    For `person` and `acceptable` max p(label | text); 1 where the text decides. `unseen` is for
    `answer` and a model that must choose the noun before it reads the deciding adjective: both
    nouns are then equally likely.
    """
    if task in _CLASSES:
        return np.array([posterior(task, each.first).max() for each in examples])
    return np.full(len(examples), 0.5 if unseen and TASKS[task].reads == "span" else 1.0)


def least_loss(task: str, *, unseen: bool = False) -> float:
    """The expected −log p(answer) of the best possible model, nats an answer; `unseen` as above.

    For `person` and `acceptable` the mean entropy of p(label | text) over 1,000 drawn texts.
    """
    if task not in _CLASSES:
        return float(np.log(2)) if unseen and TASKS[task].reads == "span" else 0.0
    texts = Counter(each.first for each in draw_examples(task, 1000, 0))
    entropies = [count * _entropy(posterior(task, text)) for text, count in texts.items()]
    return float(sum(entropies) / texts.total())


def _entropy(chances: Float64[np.ndarray, " label"]) -> float:
    above = chances[chances > 0]
    return float(-(above * np.log(above)).sum())


def posterior(task: str, text: Sequence[str]) -> Float64[np.ndarray, " label"]:
    """p(label | text), by Bayes' rule from the grammars of the labels.

    Raises:
        ValueError: if no label can have the text.
    """
    ids = microworld().vocabulary.encode([START, *text, END])
    chances = np.array([_chance(task, world, ids) for world in _worlds(task)])
    if not chances.sum() > 0:
        raise ValueError(f"the text must be one of the task {task}; got {' '.join(text)[:60]!r}")
    return np.asarray(chances / chances.sum())


def _chance(task: str, world: Automaton, ids: Sequence[int]) -> float:
    """p(text | label): the text is a whole document, or one that breaks off after a cut."""
    try:
        rows = world.log_probabilities(torch.tensor(ids[:-1]))
    except ValueError:  # the grammar of this label has no such text
        return 0.0
    steps = rows[torch.arange(len(ids) - 1), torch.tensor(ids[1:])]
    whole, begun = float(steps.sum().exp()), float(steps[:-1].sum().exp())
    if task != "person":
        return whole
    length = len(ids) - 2
    longer = sum(cut > length for cut in CUTS)
    return (begun * (length in CUTS) + whole * longer) / len(CUTS)


# --- the grammars of the labels -------------------------------------------------------------------


def _story(person: int) -> str:
    return (
        f"DOC -> STORY_{person} {{5}} | STORY_{person} STORY_{person} {{2}} | "
        f"LINE_{person} STORY_{person} {{2}} | STORY_{person} LINE_{person} {{1}}"
    )


def _sentence(*, right: bool) -> str:
    other = {"one": "one", "many": "many"} if right else {"one": "many", "many": "one"}
    return "DOC -> " + " | ".join(f"NP_{n}_{DEPTH} VERB_{v} ." for n, v in other.items())


_CLASSES: dict[str, tuple[str, ...]] = {
    "person": (_story(0), _story(1)),
    "acceptable": (_sentence(right=False), _sentence(right=True)),
}


@lru_cache(maxsize=2)
def _worlds(task: str) -> tuple[Automaton, ...]:
    rules = microworld_rules.grammar_text(DEPTH, complete=False).splitlines()[1:]
    verbs = [
        f"VERB_{n} -> {be} LOOK | {' | '.join(rest)}"
        for n, (be, *rest) in microworld_rules.OUTER_VERBS.items()
    ]
    vocabulary = microworld().vocabulary
    found = []
    for start in _CLASSES[task]:
        text = "\n".join([start, *rules, *verbs])
        reachable = _needed(text)
        found.append(compile_grammar(grammar.parse(reachable, start="DOC"), vocabulary))
    return tuple(found)


def _needed(text: str) -> str:
    """The rules that the first one leads to: a grammar with others is refused."""
    lines = dict[str, list[str]]()
    for line in text.splitlines():
        lines.setdefault(line.split(" -> ")[0], []).append(line)
    wanted, seen = ["DOC"], list[str]()
    while wanted:
        name = wanted.pop()
        if name in seen or name not in lines:
            continue
        seen.append(name)
        wanted += [word for line in lines[name] for word in line.split(" -> ")[1].split()]
    return "\n".join(line for name in seen for line in lines[name])


def _drawn_documents(task: str, rng: np.random.Generator) -> Iterator[tuple[Words, int]]:
    worlds = _worlds(task)
    vocabulary = microworld().vocabulary
    while True:
        batches = [world.sample(64, rng) for world in worlds]
        for i in range(64):
            label = int(rng.integers(len(worlds)))
            words = vocabulary.decode(batches[label][i].tolist())
            yield tuple(words[1:-1]), label


def _persons(rng: np.random.Generator) -> Iterator[Labelled]:
    for words, label in _drawn_documents("person", rng):
        yield Labelled(words[: int(rng.choice(CUTS))], (), label)


def _sentences(rng: np.random.Generator) -> Iterator[Labelled]:
    for words, label in _drawn_documents("acceptable", rng):
        yield Labelled(words, (), label)


# --- tasks that their texts decide ----------------------------------------------------------------


def _crossing(rng: np.random.Generator) -> tuple[Words, str, str, str]:
    """A sentence of the lecture's kind, the noun that *it* is, the other noun, the adjective."""
    creature, way = (str(rng.choice(nouns)) for nouns in (CREATURES, WAYS))
    tired = bool(rng.integers(2))
    adjective = str(rng.choice(CREATURE_ADJECTIVES if tired else WAY_ADJECTIVES))
    active = f"the {creature} didn't cross the {way}"
    passive = f"the {way} wasn't crossed by the {creature}"
    begin = active if rng.integers(2) else passive
    text = f"{begin} because it was too {adjective} .".split()
    meant, other = (creature, way) if tired else (way, creature)
    return tuple(text), meant, other, adjective


def _pairs(rng: np.random.Generator) -> Iterator[Labelled]:
    while True:
        text, meant, other, adjective = _crossing(rng)
        label = int(rng.integers(3))
        rest = [noun for noun in (*CREATURES, *WAYS) if noun not in (meant, other)]
        noun = (meant, other, str(rng.choice(rest)))[label]
        yield Labelled(text, ("the", noun, "was", adjective, "."), label)


def _answers(rng: np.random.Generator) -> Iterator[Labelled]:
    while True:
        text, meant, _, adjective = _crossing(rng)
        place = text.index(meant)
        yield Labelled(text, ("which", "was", adjective), (place - 1, place))


def _roles(rng: np.random.Generator) -> Iterator[Labelled]:
    tags = {tag: i for i, tag in enumerate(TASKS["roles"].labels)}
    while True:
        number = str(rng.choice(microworld_rules.NUMBERS))
        found = [*_noun_phrase(rng, number, DEPTH, "S"), *_main_verb(rng, number), (".", "–")]
        words, marks = zip(*found, strict=True)
        yield Labelled(words, (), tuple(tags[mark] for mark in marks))


def _main_verb(rng: np.random.Generator, number: str) -> list[tuple[str, str]]:
    verb = str(rng.choice(microworld_rules.OUTER_VERBS[number]))
    if verb not in ("is", "are"):
        return [(verb, "V")]
    return [(verb, "V"), (str(rng.choice(["happy", "young", "strong"])), "–")]


def _noun_phrase(
    rng: np.random.Generator, number: str, depth: int, role: str
) -> list[tuple[str, str]]:
    """A noun phrase as the grammar of the microworld has it, each word with its role."""
    head = [("the", "–"), (str(rng.choice(ANIMALS[number])), role)]
    weights = np.array([4, 4, 3, *([4, 5] if depth else [])], dtype=float)
    kind = int(rng.choice(len(weights), p=weights / weights.sum()))
    place = f"the {rng.choice(PLACES[str(rng.choice(microworld_rules.NUMBERS))])}"
    if kind == 1:
        return head + _plain(f"{rng.choice(['near', 'behind', 'beside'])} {place}")
    if kind == 2:
        was = "was" if number == "one" else "were"
        return head + _plain(f"which {was} {rng.choice(['raced', 'led', 'driven'])} past {place}")
    if not kind:
        return head
    inner = str(rng.choice(microworld_rules.NUMBERS))
    if kind == 3:
        verb = (str(rng.choice(INNER_VERBS[number])), "v")
        return [*head, ("that", "–"), verb, *_noun_phrase(rng, inner, depth - 1, "o")]
    clause = _noun_phrase(rng, inner, depth - 1, "s")
    return [*head, ("that", "–"), *clause, (str(rng.choice(INNER_VERBS[inner])), "v")]


def _plain(text: str) -> list[tuple[str, str]]:
    """Words without a role."""
    return [(word, "–") for word in text.split()]


_DRAW: dict[str, Callable[[np.random.Generator], Iterator[Labelled]]] = {
    "person": _persons,
    "acceptable": _sentences,
    "entailment": _pairs,
    "roles": _roles,
    "answer": _answers,
}
