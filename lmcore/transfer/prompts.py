"""A task put to a model as a text to be completed, with k solved examples in front of it.

    python -m lmcore.transfer.prompts            records recorded/prompts.json anew

No weight changes: the answer is the candidate with the highest probability at the gap.

    who        the microworld: which noun was tired?       mini-GPT, mini-BERT
    feeling    English: was it good or bad?                our English masked model

Source: Brown et al. 2020 (zero-shot and few-shot); Schick & Schütze 2021 (cloze prompts).
"""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float64

from lmcore.checks import check_between, check_one_of
from lmcore.device import share_cores
from lmcore.models.bert import BERT
from lmcore.pretrained.reading import CLS, SEP
from lmcore.shipped import english
from lmcore.training.masked_batches import MASK
from lmcore.transfer.curves import Score
from lmcore.transfer.networks import pretrained_network
from lmcore.transfer.tasks import Labelled, draw_examples
from lmcore.vocabulary import START

FILE = Path(__file__).resolve().parent / "recorded" / "prompts.json"
SHOTS = (0, 1, 2, 4)
"""Numbers of solved examples in front of the text to be completed."""
TESTED = 200
"""The most different prompts for each number of examples."""
MODELS = {"who": ("gpt", "encoder"), "feeling": ("english",)}
THINGS = ("film", "book", "meal", "song", "play", "story", "game", "trip", "room", "concert")
FEELINGS = {
    "good": ("wonderful", "excellent", "beautiful", "delightful", "brilliant", "charming"),
    "bad": ("terrible", "awful", "boring", "horrible", "dreadful", "ugly"),
}
"""The answers of “feeling”, and the words that express each."""


class Prompt(NamedTuple):
    """A text with one gap, the candidates for it, and the right one."""

    words: tuple[str, ...]
    """With [MASK] for the gap."""
    candidates: tuple[str, ...]
    answer: str


def draw_prompts(task: str, shots: int, count: int, seed: int) -> list[Prompt]:
    """Prompts with `shots` solved examples in front; a pure function of its arguments.

    Raises:
        ValueError: if there is no such task, or more examples than can be read.
    """
    check_one_of("the task", task, MODELS)
    check_between("the examples", shots, 0, max(SHOTS))
    rng = np.random.default_rng((seed, shots))
    if task == "feeling":
        return [_feeling(rng, shots) for _ in range(count)]
    drawn = iter(draw_examples("answer", count * (shots + 1), seed, test=True))
    return [_who([next(drawn) for _ in range(shots + 1)]) for _ in range(count)]


def different_prompts(task: str, shots: int, most: int, seed: int) -> list[Prompt]:
    """At most `most` different prompts; short ones may be fewer."""
    drawn = draw_prompts(task, shots, 10 * most, seed)
    return list(dict.fromkeys(drawn))[:most]


def prompt_for(sentence: Sequence[str], examples: Sequence[Prompt]) -> Prompt:
    """A typed sentence as the last of a prompt of “feeling”."""
    words = [word for each in examples for word in solved(each)]
    gap = (*sentence, "it", "was", MASK, ".")
    return Prompt((*words, *gap), tuple(FEELINGS), "")


def solved(prompt: Prompt) -> tuple[str, ...]:
    """The words of a prompt with the right answer in its gap."""
    return tuple(prompt.answer if word == MASK else word for word in prompt.words)


def _who(examples: Sequence[Labelled]) -> Prompt:
    words, candidates, answer = list[str](), ("", ""), ""
    for each in examples:
        if answer:
            words = [answer if word == MASK else word for word in words]
        _, end = (int(place) for place in each.answer)  # type: ignore[union-attr]
        answer, adjective = each.first[end], each.second[-1]
        candidates = _two_nouns(each.first)
        words += [*each.first, "the", MASK, "was", adjective, "."]
    return Prompt(tuple(words), candidates, answer)


def _two_nouns(words: Sequence[str]) -> tuple[str, str]:
    """The nouns of both kinds, in their order: the words after “the”."""
    first, second = (words[i + 1] for i, word in enumerate(words[:-1]) if word == "the")
    return first, second


def _feeling(rng: np.random.Generator, shots: int) -> Prompt:
    words, answer = list[str](), ""
    for _ in range(shots + 1):
        if answer:
            words = [answer if word == MASK else word for word in words]
        answer = str(rng.choice(list(FEELINGS)))
        thing, feeling = str(rng.choice(THINGS)), str(rng.choice(FEELINGS[answer]))
        words += ["the", thing, "was", feeling, ".", "it", "was", MASK, "."]
    return Prompt(tuple(words), tuple(FEELINGS), answer)


def score_candidates(model: str, prompt: Prompt) -> Float64[np.ndarray, " candidate"]:
    """log p of each candidate at the gap, given what the model reads: left of it, or all.

    Raises:
        ValueError: if a word is not known, or a candidate is not one token.
    """
    with torch.no_grad():
        if model == "english":
            return _english(prompt)
        network, vocabulary = pretrained_network(model)
        candidates = vocabulary.encode(prompt.candidates)
        at = prompt.words.index(MASK)
        if isinstance(network, BERT):
            ids = vocabulary.encode([CLS, *prompt.words, SEP])
            row = network(torch.tensor([ids])).logits[0, at + 1]
        else:
            ids = vocabulary.encode([START, *prompt.words[:at]])
            row = network(torch.tensor([ids])).logits[0, -1]
        return np.asarray(row.double().log_softmax(-1)[candidates])


def _english(prompt: Prompt) -> Float64[np.ndarray, " candidate"]:
    model = _english_model()
    mask, *rest = (_one_token(model, word) for word in (MASK, *prompt.candidates))
    ids = model.read(" ".join(prompt.words)).ids
    places = (ids == mask).nonzero()[:, 0]
    if len(places) != 1:
        raise ValueError(f"the prompt must have one {MASK}; got {len(places)}")
    logits = model.network(ids[None]).logits[0, int(places[0])]
    return np.asarray(logits.double().log_softmax(-1)[rest])


@lru_cache(maxsize=1)
def _english_model() -> Any:
    return english.english()


@lru_cache(maxsize=64)
def _one_token(model: Any, word: str) -> int:
    reading = model.read(word)
    found = reading.ids[~reading.special].tolist()
    if len(found) != 1:
        raise ValueError(f"a candidate must be one token; got {len(found)} in {word!r}")
    return int(found[0])


def measure(model: str, task: str, shots: int) -> Score:
    """The share of prompts whose right candidate is the likeliest, with Wilson's interval."""
    right = [
        prompt.candidates[int(score_candidates(model, prompt).argmax())] == prompt.answer
        for prompt in different_prompts(task, shots, TESTED, seed=0)
    ]
    return wilson_score(sum(right), len(right))


def wilson_score(right: int, count: int) -> Score:
    """A share with its 95 % interval, which has a width even where all or none are right.

    Source: Wilson 1927.
    """
    share, z = right / count, 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    spread = share * (1 - share) / count + z * z / (4 * count * count)
    reach = z * spread**0.5 / (1 + z * z / count)
    low, high = (min(max(end, 0.0), 1.0) for end in (middle - reach, middle + reach))
    return Score(share, min(low, share), max(high, share), count)


def recorded_shots(model: str, task: str) -> dict[float, Score]:
    """The recorded scores, by the number of examples in front."""
    kept = _recorded()["scores"].get(f"{model} {task}", {})
    return {float(shots): Score(*score) for shots, score in kept.items()}


def recorded_on() -> tuple[str, str]:
    """The date of the recording and the version of torch."""
    return str(_recorded()["date"]), str(_recorded()["torch"])


@lru_cache(maxsize=1)
def _recorded() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return found


def main() -> None:
    """Measure every model on its tasks, and write the scores."""
    share_cores()
    scores = dict[str, dict[str, Score]]()
    for task, models in MODELS.items():
        for model in models:
            scores[f"{model} {task}"] = {}
            for shots in SHOTS:
                score = measure(model, task, shots)
                scores[f"{model} {task}"][str(shots)] = score
                sys.stdout.write(f"{model} {task} {shots}: {score.mean:.3f}\n")
    kept = {"date": datetime.date.today().isoformat(), "torch": torch.__version__, "scores": scores}
    FILE.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
