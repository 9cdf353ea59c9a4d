"""Claims of examples and beats about models of the next word: counts and networks."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import torch

from lessons.feedforward.neighbours import WORDS, own_nearest
from lessons.language_model.language_model_picture import NGRAM_SETTINGS
from lessons.rnn.deep_picture import read_deep
from lmcore.corpora import entropy
from lmcore.corpora.microworld import microworld, training_documents
from lmcore.corpora.microworld_rules import INNER_VERBS, OUTER_VERBS
from lmcore.embeddings import drift
from lmcore.evaluation.against_grammar import test_documents as documents_of_tests
from lmcore.evaluation.contexts import mean_loss
from lmcore.models.ngram import NGramConfig, fit_ngram
from lmcore.recurrence import gate_clamping, recall, unit_probes
from lmcore.recurrence.receptive_field import (
    RecurrentStack,
    parameter_counts,
    receptive_field,
)
from lmcore.recurrence.through_time import gradient_through_time
from lmcore.recurrence.vanishing import VanishingSpec, gains
from lmcore.shipped.models import load_shipped
from ui.models import COUNTED

WORLD = microworld()


@cache
def training_texts():
    """The documents that n-grams are counted on."""
    return training_documents(WORLD.sample(COUNTED, np.random.default_rng(1)))


@cache
def model_of(name):
    if name in NGRAM_SETTINGS:
        return fit_ngram(NGramConfig(*NGRAM_SETTINGS[name]), WORLD.vocabulary, training_texts())
    return load_shipped(name)[0]


@cache
def rows(name, text):
    """p of every word at each position of a text, and after the text."""
    model = WORLD if name == "grammar" else model_of(name)
    ids = WORLD.vocabulary.read(text)
    return torch.as_tensor(model.log_probabilities(torch.tensor(ids))).double().exp()


def after(name, text):
    """The model's next words after a text, the likeliest first, with their p."""
    p = rows(name, text)[-1].sort(descending=True)
    return dict(zip(WORLD.vocabulary.decode(p.indices.tolist()), p.values.tolist(), strict=True))


def likeliest(name, text, count=1):
    return list(after(name, text))[:count]


def p_of(name, text):
    """p of each word of a text."""
    ids = WORLD.vocabulary.read(text)
    return [float(rows(name, text)[i, id_]) for i, id_ in enumerate(ids[1:])]


@cache
def pairs(one, other):
    """How often the second word follows the first in the training texts."""
    tokens = training_texts().tokens
    ids = WORLD.vocabulary.ids
    return int(((tokens[:-1] == ids[one]) & (tokens[1:] == ids[other])).sum())


def cut(text, word):
    """The part of a text before a word."""
    words = text.split()
    return " ".join(words[: words.index(word)])


# --- Language model -------------------------------------------------------------------------------


def backs_off(opens):
    """Whether smoothed counts give “fed” the same p after nouns that never precede “gets”."""
    text = cut(opens["lm_text"], "fed")
    others = [text.replace("dog", noun) for noun in ("king", "horse", "queen")]
    assert not any(pairs(noun, "gets") for noun in ("king", "horse", "queen", "dog"))
    return len({round(after("trigram-kn", each)["fed"], 9) for each in (text, *others)}) == 1


def in_agreement(opens):
    """For each model, p of “sleeps” ÷ p of “sleep”."""
    text = cut(opens["lm_text"], "sleeps")
    found = {name: after(name, text) for name in opens["lm_models"].split(", ")}
    return {name: p["sleeps"] / p["sleep"] for name, p in found.items()}


def sees_last(opens, word, count):
    return opens["lm_text"].split()[-1 - count : -1].count(word) == 1


def above_floors():
    """The floors of each window, and the perplexity of each model ÷ the floor of its window."""
    documents = documents_of_tests(WORLD, 1000)
    floors = [float(each) for each in entropy.perplexity_floors(WORLD, 4)]
    seen = {"trigram-kn": 2, "feedforward": 3, "fivegram-kn": 4}
    found = {name: math.exp(mean_loss(model_of(name), documents)) for name in seen}
    return floors, [found[name] / floors[n] for name, n in seen.items()]


LANGUAGE_MODEL = {
    "unsmoothed counts give it probability 0, networks do not": lambda opens: (
        p_of("trigram", opens["lm_text"])[-1] == 0 < 0.5 < p_of("rnn", opens["lm_text"])[-1]
    ),
    "Frequent in the training texts: now the counts give it a probability too": lambda opens: (
        pairs("cat", "gets") > 100 and min(p_of("trigram", opens["lm_text"])) > 0
    ),
    "the counts expect nothing, smoothed ones “washed”, the network “fed”": lambda opens: (
        max(after("trigram", opens["lm_text"]).values()) == 0
        and likeliest("trigram-kn", opens["lm_text"]) == ["washed"]
        and likeliest("rnn", opens["lm_text"]) == ["fed"]
    ),
    "the window of an n-gram sees only the barns": lambda opens: (
        sees_last(opens, "barns", 4)
        and not sees_last(opens, "horse", 4)
        and (found := in_agreement(opens))["fivegram-kn"] < 2
        and min(found["rnn"], found["lstm"]) > 100
    ),
    "Their product is the sentence’s": lambda opens: math.isclose(
        math.log(math.prod(p_of("trigram", opens["lm_text"]))),
        sum(map(math.log, p_of("trigram", opens["lm_text"]))),
    ),
    "“The dog gets fed” never occurs in the training texts": lambda _: pairs("dog", "gets") == 0,
    "**Exactly 0.** And one 0 makes the whole product 0": lambda opens: (
        p_of("trigram", opens["lm_text"])[-2] == 0 == math.prod(p_of("trigram", opens["lm_text"]))
    ),
    "**Smoothing** asks shorter contexts: above 0, but the estimate has nothing to do with dogs": (
        lambda opens: p_of("trigram-kn", opens["lm_text"])[-1] > 0 and backs_off(opens)
    ),
    "it expects of a **dog** what it has read of a **cat**": lambda opens: (
        likeliest("rnn", cut(opens["lm_text"], "fed"))
        == likeliest("rnn", cut(opens["lm_text"], "fed").replace("dog", "cat"))
        == ["fed"]
    ),
    "A window of N − 1 words puts a **floor** under the perplexity": lambda _: (
        (found := above_floors())[0] == sorted(found[0], reverse=True) and min(found[1]) > 1
    ),
}

# --- Feedforward ----------------------------------------------------------------------------------


def words_back(text, word, of):
    """How many positions the word is before the word `of`."""
    words = text.split()
    return words.index(of) - words.index(word)


def sees_no_more(opens):
    """Whether the last prediction stays the same when every word before the window is “the”."""
    before = cut(opens["ff_text"], "tired").split()
    other = [*["the"] * (len(before) - 3), *before[-3:]]
    return torch.equal(
        rows("feedforward", " ".join(before))[-1], rows("feedforward", " ".join(other))[-1]
    )


def grouped(name, at):
    """The share of the pictured words whose nearest word is in their own group."""
    return own_nearest(drift.load_recorded(name), at) / len(WORDS)


def by_freezing():
    """By what share the last loss is higher with E frozen than with E learned."""
    free, still = (float(drift.load_recorded(name).losses[-1]) for name in ("learned", "frozen"))
    return still / free - 1


FEEDFORWARD = {
    "training texts do contain “the cat gets fed”": lambda _: (
        pairs("cat", "gets") > 0 < pairs("gets", "fed")
    ),
    "no training text has “dog gets”, yet fed is among the likeliest words": lambda opens: (
        pairs("dog", "gets") == 0
        and "fed" in likeliest("feedforward", cut(opens["ff_text"], "fed"), 3)
    ),
    "The animal is outside the window, which holds “it was too”": lambda opens: (
        opens["ff_text"].split()[-4:-1] == ["it", "was", "too"]
        and model_of("feedforward").network.config.context == 3
    ),
    "The verb needs a noun that is seven words back": lambda opens: (
        words_back(opens["ff_text"], "horse", "tripped") == 7
    ),
    "the embedding layer may be kept fixed. Here that hardly raises the loss": lambda _: (
        0 < by_freezing() < 0.02
    ),
    "Three words go in": lambda _: model_of("feedforward").network.config.context == 3,
    "**fed** wins: training texts do contain *the cat gets fed*": lambda opens: (
        likeliest("feedforward", cut(opens["ff_text"], "fed")) == ["fed"]
        and pairs("cat", "gets") > 0 < pairs("gets", "fed")
    ),
    "Words further back **have no effect**, not even *animal*": sees_no_more,
    "so it still expects **washed** or **fed**": lambda opens: (
        {*likeliest("feedforward", cut(opens["ff_text"], "fed"), 2)} == {"washed", "fed"}
    ),
    "Models that count have never seen *dog gets*": lambda _: pairs("dog", "gets") == 0,
    "Words that are used alike move together": lambda _: (
        grouped("learned", -1) > 0.8 > 0.4 > grouped("learned", 0)
    ),
    "the loss is hardly higher, because W learns to read random rows. But now the rows say": (
        lambda _: by_freezing() < 0.02 and grouped("frozen", -1) == grouped("frozen", 0) < 0.4
    ),
    "both are **random**: a few words are nearest to one of their group by chance": lambda opens: (
        opens["drift_at"] == "0" and 0 < grouped("learned", 0) == grouped("frozen", 0) < 0.4
    ),
    "With random rows **W, b and U** still learn to predict": lambda _: (
        (losses := drift.load_recorded("frozen").losses.tolist())[-1] < losses[0] / 5
    ),
}

# --- RNN ------------------------------------------------------------------------------------------


def verbs(number):
    """The verbs that agree only with one subject (“one”), or only with several (“many”)."""
    found = {n: {*INNER_VERBS[n], *OUTER_VERBS[n]} for n in ("one", "many")}
    return found[number] - found["one" if number == "many" else "many"]


def p_of_verbs(opens):
    """p of all singular verbs, and of all plural verbs, at the position of “tripped”."""
    p = after("rnn", cut(opens["rnn_text"], "tripped"))
    return [sum(p[word] for word in verbs(number)) for number in ("one", "many")]


def falls_back(opens):
    """The gradient of the loss at the step shown by each h, from that step back to the start."""
    ids = torch.tensor(WORLD.vocabulary.read(opens["rnn_text"]))
    norms = gradient_through_time(model_of("rnn").network, ids)
    row = int(opens["rnn_step"]) - 1
    return norms[row, : row + 1].flip(0).tolist()


def counts_of_weights():
    found = parameter_counts(model_of("rnn").network.config)
    return [b - a for a, b in pairwise(found.feedforward)]


def both_ways(opens):
    """The grammar's p of “tired” and of “wide” after “it was too”."""
    p = after("grammar", cut(opens["rnn_text"], "tired"))
    return p["tired"], p["wide"]


def share_of_the_last_steps(opens):
    """The share of the norms of the chosen loss that the steps within the cut have."""
    ids = torch.tensor(model_of("rnn").vocabulary.read(opens["rnn_text"]))
    t, cut = int(opens["rnn_step"]), int(opens["rnn_cut"])
    row = gradient_through_time(model_of("rnn").network, ids)[t - 1, :t]
    return float(row[-cut:].sum() / row.sum()), row


RNN = {
    "its gradient flows back through the chain": lambda opens: (
        (row := share_of_the_last_steps(opens)[1])[0] > 0 and row[-1] > 100 * row[0]
    ),
    "only the last three steps are computed": lambda opens: (
        opens["rnn_cut"] == "3" and share_of_the_last_steps(opens)[0] > 0.9
    ),
    "Six words lie between the horse and its verb": lambda opens: (
        words_back(opens["rnn_text"], "horse", "tripped") == 7
    ),
    "The microworld never contains this form: watch the loss at “raced”": lambda opens: (
        p_of("grammar", opens["rnn_text"])[2] == 0 == pairs("horse", "raced")
    ),
    "the model expects “fed” most, and it comes": lambda opens: (
        likeliest("rnn", cut(opens["rnn_text"], "fed")) == ["fed"] and pairs("cat", "gets") > 100
    ),
    "Never in training for dogs": lambda _: pairs("dog", "gets") == 0,
    "Is or are? The cows are eight words back, and a dog stands in between": lambda opens: (
        words_back(f"{opens['rnn_text']} are", "cows", "are") == 8
        and (p := after("rnn", opens["rnn_text"]))["are"] > p["is"]
    ),
    "What “it” refers to becomes clear only later": lambda opens: min(both_ways(opens)) > 0,
    "“which” comes, and was not the likeliest": lambda opens: (
        likeliest("rnn", cut(opens["rnn_text"], "which")) != ["which"]
    ),
    "Six steps later h still holds the one horse: after “barn”, verbs that go with **one**": (
        lambda opens: (found := p_of_verbs(opens))[0] > 100 * found[1]
    ),
    "this sentence never occurs in training: the loss **jumps** to 12 nats": lambda opens: (
        pairs("horse", "raced") == 0
        and round(-math.log((p := p_of("rnn", opens["rnn_text"]))[2])) == 12
        and p[2] < 1e-3 * p[1]
    ),
    "far back, little of it is left": lambda opens: (
        (found := falls_back(opens))[-1] < 0.02 * found[0] and found[0] == max(found)
    ),
    "A longer text needs **no more weights**. A feedforward model needs more for each word": (
        lambda _: min(counts_of_weights()) > 0
    ),
    "A second layer reads no more words; a second direction reads all": lambda opens: (
        (found := words_read(opens["rnn_text"]))[1] == found[0] < found[2] == found[3]
    ),
    "Deeper, not **wider**: layer 2 reads the states of layer 1, and no word to come is in them": (
        lambda opens: (found := words_read(opens["rnn_text"]))[1] == found[0] == opened_word(opens)
    ),
    "all words are read, and the covered *which* becomes certain": lambda opens: (
        (exact := read_deep(tuple(opens["rnn_text"].split())).exact)
        and opens["rnn_text"].split()[(n := opened_word(opens) - 1)] == "which"
        and exact.left[n] < 1 == exact.both[n]
    ),
}


def opened_word(opens):
    """The word that is framed, from 1."""
    return int(opens["rnn_word"])


def words_read(text, k=3):
    """How many words the state at word k has read: one layer, two, both ways; and all of them."""
    count = len(text.split())
    stacks = (RecurrentStack(1), RecurrentStack(2), RecurrentStack(2, True))
    return [*(int(receptive_field(each, count)[k - 1].sum()) for each in stacks), count]


# --- LSTM -----------------------------------------------------------------------------------------


def sigma(z):
    return 1 / (1 + math.exp(-z))


def gates(opens):
    """What an example's cell keeps of its memory, what it writes, and what it outputs."""
    c, z_f, z_i, z_c, z_o = map(float, opens["gates"].split(","))
    kept, written = sigma(z_f) * c, sigma(z_i) * math.tanh(z_c)
    return {
        "before": c,
        "share": sigma(z_f),
        "candidate": math.tanh(z_c),
        "kept": kept,
        "written": written,
        "cell": kept + written,
        "shown": sigma(z_o) * math.tanh(kept + written),
    }


def fifty(opens, **changed):
    """Gains over 50 steps: of the plain RNN, of the LSTM along its memory, and by all its paths."""
    its = {**opens, **changed}
    held = float(its["input_rate"]) if its["input_rate"] else None
    found = gains(
        VanishingSpec(
            float(its["radius"]),
            float(its["forget_rate"]),
            float(its["drive"]),
            "identity" if its["linear"] == "true" else "tanh",
            write=held,
        )
    )
    return [float(each[50]) for each in (found.plain, found.along_cell, found.all_paths)]


def recalled(cell):
    """The share that each network recalls, for networks trained at distance 20 alone."""
    (point,) = (
        each for each in recall.load_results().alone if (each.cell, each.distance) == (cell, 20)
    )
    return np.array(point.accuracies)


def learned_nothing():
    return recalled("rnn").mean() < 2 / 8  # chance is 1 of 8 symbols


@cache
def letter_units():
    """How well each cell of the LSTM of letters follows each property, on other texts."""
    model = load_shipped("character_lstm")[0]
    found = unit_probes.measure_units(model.network, model.vocabulary)
    return {label: its for (label, kind), its in found.items() if kind == "cell c"}


def best_follows(opens):
    """How well the cell that follows the property of the page best does, at most 1."""
    its, label = letter_units()[opens["meaning"]], opens["meaning"]
    best = unit_probes.distance_from_chance(its.picked, label).argmax()
    return float(unit_probes.distance_from_chance(its.scores, label)[best])


UNIT = 29


def is_read(opens, word):
    """Whether the gates of the page are those of the unit when the trained LSTM reads the word."""
    model = load_shipped("lstm")[0]
    tokens = model.vocabulary.read(opens["lstm_text"])
    layer = gate_clamping.trace_clamped(model.network, torch.tensor(tokens)).layer
    at = model.vocabulary.decode(tokens).index(word)
    computed = gates(opens)
    read = {name: float(getattr(layer, name)[0, at, UNIT]) for name in ("cell", "hidden")}
    before = float(layer.cell[0, at - 1, UNIT])
    return (
        opens["gate_word"].replace("’", "'") == word
        and math.isclose(computed["before"], before, abs_tol=2e-3)
        and math.isclose(computed["cell"], read["cell"], abs_tol=2e-3)
        and math.isclose(computed["shown"], read["hidden"], abs_tol=2e-3)
    )


def shows_what_it_keeps(opens):
    found = gates(opens)
    return (
        round(found["share"], 2) == 1
        and abs(found["written"]) < 0.01
        and math.isclose(found["cell"], -1, abs_tol=0.01)
        and abs(found["shown"]) > 0.7
    )


LSTM = {
    "the old memory goes, −1 comes in, nothing is shown": lambda opens: (
        is_read(opens, "didn't")
        and abs((found := gates(opens))["kept"]) < 0.01
        and math.isclose(found["written"], -1, abs_tol=0.01)
        and abs(found["shown"]) < 0.01
    ),
    "The same unit one word later: the memory stays, and now h shows it": lambda opens: (
        is_read(opens, "fit") and shows_what_it_keeps(opens)
    ),
    "f = 1 and i ≈ 0. The −1 of “didn’t” goes **along the top line unchanged**": lambda opens: (
        is_read(opens, "fit") and shows_what_it_keeps(opens)
    ),
    "the **output gate** is open: tanh of the memory, times o, is the h that all other units": (
        lambda opens: is_read(opens, "fit") and shows_what_it_keeps(opens)
    ),
    "One of 96 cells of a character LSTM knows whether a quotation is open": lambda opens: (
        len(letter_units()[opens["meaning"]].scores) == 96 and best_follows(opens) > 0.49
    ),
    "it rises along the line, and falls at the line break": lambda opens: (
        opens["meaning"] == "position in line"
        and best_follows(opens) > 0.9
        and letter_units()[opens["meaning"]].picked.max() > 0.9
    ),
    "Cell 0 is no better than a guess about the quotes": lambda opens: (
        abs(letter_units()["inside quotes"].scores[int(opens["cell_unit"])] - 0.5) < 0.05
    ),
    "**Most cells** follow nothing that we asked for": lambda _: (
        sum(
            max(
                unit_probes.distance_from_chance(its.picked, label)[unit]
                for label, its in letter_units().items()
            )
            < unit_probes.UNREADABLE
            for unit in range(96)
        )
        > 96 / 2
    ),
    "the memory does not change": lambda opens: math.isclose(
        (found := gates(opens))["cell"], found["before"], rel_tol=0.005
    ),
    "the memory becomes the candidate": lambda opens: math.isclose(
        (found := gates(opens))["cell"], found["candidate"], rel_tol=0.005
    ),
    "Both gates shut: nothing is kept and nothing is written": lambda opens: (
        abs((found := gates(opens))["kept"]) < 0.005 > abs(found["written"])
    ),
    "The candidate enters the memory, and the output gate hides it": lambda opens: (
        (found := gates(opens))["written"] > 0.99 * found["candidate"]
        and abs(found["shown"]) < 0.005 < 1 < found["cell"]
    ),
    "50 steps back: the plain RNN's gradient vanishes, the LSTM's stays": lambda opens: (
        (found := fifty(opens))[0] < 0.01 and 0.5 < found[2] < 2
    ),
    "ρ = 1.1: its gradient grows 59-fold, and the LSTM's stays": lambda opens: (
        opens["radius"] == "1.1" and round((found := fifty(opens))[0]) == 59 and 0.5 < found[2] < 2
    ),
    "the LSTM's gradient grows along its other paths": lambda opens: (
        (found := fifty(opens))[1] < 1 and found[2] > 2
    ),
    "trained across 20 symbols, the plain RNN learns next to nothing": lambda _: learned_nothing(),
    "0.9975 of it is kept, and next to nothing is written": lambda opens: (
        round((found := gates(opens))["share"], 4) == 0.9975 and abs(found["written"]) < 0.005
    ),
    "the old memory is gone, the candidate is in": lambda opens: (
        abs((found := gates(opens))["kept"]) < 0.005
        and math.isclose(found["written"], found["candidate"], rel_tol=0.005)
    ),
    "decides what the rest of the network sees. Here: next to nothing": lambda opens: (
        abs(gates(opens)["shown"]) < 0.005
    ),
    "With f near 1 it **survives** 50 steps": lambda opens: (
        float(opens["forget_rate"]) > 0.95 and fifty(opens)[1] > 0.5
    ),
    "at every step: it **vanishes**": lambda opens: fifty(opens)[0] < 0.01,
    "now it **grows**, 59-fold. A little more, and it **explodes**": lambda opens: (
        round(fifty(opens)[0]) == 59 and fifty(opens, radius="1.15")[0] > 100
    ),
    "across 20 symbols a plain RNN learns next to nothing; an LSTM mostly does": lambda _: (
        learned_nothing() and (recalled("lstm") > 0.5).mean() > 0.5
    ),
}

CLAIMS = {
    "language_model": LANGUAGE_MODEL,
    "feedforward": FEEDFORWARD,
    "rnn": RNN,
    "lstm": LSTM,
}
