"""Claims of examples and beats about BERT and contextual vectors."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from texts_of_models import training_texts

from lessons.bert import judged_text
from lmcore.contextual.clouds import (
    OWN,
    english_contexts,
    find_word,
    microworld_contexts,
    trace_clouds,
)
from lmcore.contextual.mixing import TABLE_7
from lmcore.contextual.persons import trace_persons
from lmcore.contextual.reach import bilm_reach, transformer_reach
from lmcore.contextual.record import layered_model, load_record
from lmcore.corpora.microworld import microworld
from lmcore.masked_lm import cloze, game, next_sentence, pretraining
from lmcore.masked_lm.contest import bert_predictor, reader_predictor, shuffle_context
from lmcore.masked_lm.filling_in import GapQuestion
from lmcore.masked_lm.readers import PLACES, load_readers, visible_places
from lmcore.models.registry import build
from lmcore.pretrained import wheel
from lmcore.pretrained.reading import VocabularyModel
from lmcore.shipped.models import encoder, load_shipped
from lmcore.training.masked_batches import masked_vocabulary
from lmcore.vocabulary import END, START
from ui.lessons import lesson

WORLD = microworld()

# --- BERT -----------------------------------------------------------------------------------------


@cache
def our_encoder():
    network, vocabulary, *_ = encoder()
    return VocabularyModel("encoder", network, vocabulary)


def filled(opens, text=None):
    """The text of an example with its gaps, and the encoder's prediction at each gap."""
    found = cloze.cloze_text(our_encoder(), text or opens["fill_text"])
    places = [int(each) for each in opens["fill_at"].split(",") if each]
    (trace,) = cloze.fill(our_encoder().network, found, [cloze.covered_places(found, places)])
    return found, trace


def likeliest(trace, row=0):
    return our_encoder().vocabulary.tokens[int(trace.log_q[row].argmax())]


def only_answer(trace, row=0):
    """The one word that the grammar allows at a gap; empty if it allows several."""
    (allowed,) = np.nonzero(trace.exact[row].numpy())
    return WORLD.vocabulary.tokens[allowed[0]] if len(allowed) == 1 else ""


def from_the_left(opens):
    found = cloze.cloze_text(our_encoder(), opens["fill_text"])
    place = int(opens["fill_at"])
    gpt = load_shipped("gpt")[0].network
    return found.tokens[1:place], cloze.fill_from_left(gpt, found, place).log_q[0].exp()


def one_by_one(opens):
    """The number of terms, and whether L is their mean; a term is −log p of one covered word."""
    _, trace = filled(opens)
    own = trace.corrupted.clone()
    with torch.no_grad():
        logits = our_encoder().network(own[None]).logits[0].double().log_softmax(-1)
    found, _ = filled(opens)
    terms = [-float(logits[place, found.reading.ids[place]]) for place in trace.places]
    return len(terms), math.isclose(trace.loss, sum(terms) / len(terms), rel_tol=1e-5)


def gpt_is_blind_after(opens):
    """Whether other words after the gap change the encoder's prediction, but not the GPT's."""
    found, trace = filled(opens)
    place = trace.places[0]
    before, others = found.reading.ids.clone(), found.reading.ids.clone()
    others[place + 1 : -1] = int(others[1])
    gpt = load_shipped("gpt")[0].network
    rows = [gpt(ids[None, : len(ids) - 1]).logits[0, place - 1] for ids in (before, others)]
    other = trace.corrupted.clone()
    other[place + 1 : -1] = int(other[1])
    both = [our_encoder().network(ids[None]).logits[0, place] for ids in (trace.corrupted, other)]
    return torch.equal(*rows) and not torch.allclose(*both, atol=0.1)


def log_p_of_pair(opens):
    """The grammar's log p of both texts as one document."""
    words = [
        word
        for name in ("first", "second")
        for word in WORLD.vocabulary.split(opens[f"pairs_{name}"])
    ]
    return WORLD.log_probability(WORLD.vocabulary.encode([START, *words, END]))


OPENS_ON_PAIR = lesson("bert").defaults


def logits_of(opens):
    """The two logits of our encoder's head for the pair of a text."""
    reading = our_encoder().read(opens["pairs_first"], opens["pairs_second"])
    return next_sentence.predict_next_sentence(our_encoder().network, reading).logits.tolist()


def judgement_that_loses_most():
    """The judgement whose quoted share falls most without next sentence prediction."""
    found = judged_text.scores(next_sentence.NextSentenceAccuracy(1, 0.5, 0.0))
    return max(found, key=lambda name: found[name].share - found[name].base)


def ends_some_document(opens):
    """Whether a training text ends with the second text."""
    ids = WORLD.vocabulary.encode([*WORLD.vocabulary.split(opens["pairs_second"]), END])
    return any(each[-len(ids) :].tolist() == ids for each in training_texts())


@cache
def readers():
    found = {name: reader_predictor(reader) for name, reader in load_readers().items()}
    return found | {"attention": bert_predictor(our_encoder().network)}


def question(opens):
    found = cloze.cloze_text(our_encoder(), opens["readers_text"])
    return found.tokens, tuple(found.reading.ids.tolist()), int(opens["readers_gap"])


def guesses(opens):
    """Each reader's likeliest word for the gap."""
    _, ids, place = question(opens)
    asked = [GapQuestion(ids, place)]
    tokens = our_encoder().vocabulary.tokens
    return {name: tokens[int(ask(asked)[0].argmax())] for name, ask in readers().items()}


def words_before(opens, word):
    """How many positions before the gap a word is, and whether the window includes the word."""
    tokens, ids, place = question(opens)
    at = tokens.index(word)
    return place - at, at in visible_places("window", place, len(ids))


def ignores_order(opens):
    _, ids, place = question(opens)
    rows = [GapQuestion(ids, place)]
    rows += [GapQuestion(shuffle_context(ids, place, seed), place) for seed in range(3)]
    bag, both = readers()["bag"](rows), readers()["birnn"](rows)
    return np.allclose(bag[0], bag[1:]) and not np.allclose(both[0], both[1:], atol=0.1)


def untrained_loss(opens):
    """The mean −log p that an untrained BERT gives random words, and ln |V|."""
    spec = pretraining.run_spec(int(opens["pretrain_steps"]), float(opens["pretrain_share"]))
    types = len(masked_vocabulary())
    network = build(spec.model.config(types), seed=int(opens["pretrain_seed"]))
    ids = torch.randint(types, (20, 12), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        log_q = network(ids).logits.double().log_softmax(dim=-1)
    return -float(log_q.gather(2, ids.roll(1, 0)[..., None]).mean()), math.log(types)


BERT = {
    "Which noun is old? Only “tired” decides": lambda opens: (
        likeliest(filled(opens)[1]) == only_answer(filled(opens)[1]) == "animal"
        and only_answer(filled(opens, opens["fill_text"].replace("tired", "wide"))[1]) == "street"
    ),
    "One adjective changes, and the answer becomes the street": lambda opens: (
        likeliest(trace := filled(opens)[1]) == only_answer(trace) == "street"
    ),
    "so both sides together leave one word": lambda opens: (
        likeliest(trace := filled(opens)[1]) == only_answer(trace) == "animal"
    ),
    "A GPT reads only the words before the gap: here one. Many words may follow it": lambda opens: (
        len((found := from_the_left(opens))[0]) == 1 and int((found[1] > 0.005).sum()) > 20
    ),
    "Three words covered: each is predicted on its own, and L is the mean of three terms": (
        lambda opens: one_by_one(opens) == (3, True)
    ),
    "The grammar cannot produce this text: no exact answer": lambda opens: (
        filled(opens)[1].exact is None
    ),
    "its words are MiniLM’s 30,522": lambda _: minilm().model.network.config.vocabulary == 30_522,
    "The word behind a typed [MASK] is unknown: probabilities, but no loss": lambda opens: (
        math.isnan((trace := filled(opens)[1]).loss)
        and math.isclose(float(trace.log_q.exp().sum()), 1)
    ),
    "in a BERT and in a GPT: the GPT’s is 0 after the gap": gpt_is_blind_after,
    "Eight gaps: you, the small BERT": lambda opens: (
        len(game.game(int(opens["game_seed"]))) == game.ROUNDS == 8
    ),
    "The second text is the second half of the same document": lambda opens: (
        log_p_of_pair(opens) > -math.inf
    ),
    "The second text ends another document": lambda opens: (
        log_p_of_pair(opens) == -math.inf and ends_some_document(opens)
    ),
    "A sentence about a bridge, and not about the road": lambda opens: (
        log_p_of_pair(opens)
        == -math.inf
        < log_p_of_pair({**opens, "pairs_second": opens["pairs_second"].replace("bridge", "road")})
    ),
    "most where B must **answer** A": lambda _: judgement_that_loses_most() == "answers",
    "[CLS] has other numbers, and the two sums part the other way": lambda opens: (
        logits_of(opens)[0] < logits_of(opens)[1]
        and logits_of(OPENS_ON_PAIR)[0] > logits_of(OPENS_ON_PAIR)[1]
    ),
    "one word, and the head no longer sees a continuation": lambda opens: (
        logits_of(opens)[0] < logits_of(opens)[1]
        and opens["pairs_second"].replace("bridge", "road") == OPENS_ON_PAIR["pairs_second"]
    ),
    "A bag of words does not know, and the RNN stops at the gap": lambda opens: (
        (found := guesses(opens))["bag"] != "is" != found["rnn"]
        and found["birnn"] == found["attention"] == "is"
        and visible_places("rnn", (q := question(opens))[2], len(q[1])) == tuple(range(q[2]))
    ),
    "“bird” decides between is and are; it stands nine words before the gap": lambda opens: (
        words_before(opens, "bird") == (9, False)
    ),
    "shuffle the words, and its prediction does not change at all": ignores_order,
    "in every order the sum, and so the answer, is the same": ignores_order,
    "has six places, however long the text is: “slow” and the first “dog” stand outside": (
        lambda opens: (
            len(PLACES) == 6
            and not words_before(opens, "slow")[1]
            and not words_before(opens, "dog")[1]
        )
    ),
    "“slow” and the first “dog” lie outside the window. The bag finds them, the BiRNN has lost": (
        lambda opens: (
            not words_before(opens, "slow")[1]
            and not words_before(opens, "dog")[1]
            and (found := guesses(opens))["bag"] == "dog" != found["birnn"]
        )
    ),
    "From the left it could be any animal or thing. The BiRNN also reads the words after": (
        lambda opens: (found := guesses(opens))["birnn"] == "book" != found["rnn"]
    ),
    "Half of the words chosen: more terms per batch": lambda opens: (
        float(opens["pretrain_share"]) == 0.5
    ),
    "only an animal can be *tired*. The model nearly agrees with the exact answer": lambda opens: (
        likeliest(trace := filled(opens)[1]) == "animal" and float(trace.divergence[0]) < 0.1
    ),
    "*tired* becomes *wide*, and the answer becomes the **street**": lambda opens: (
        likeliest(filled(opens)[1]) == "street"
    ),
    "Here only *the* stands before the gap. From **both sides** the word is certain": (
        lambda opens: (
            from_the_left(opens)[0] == ("the",)
            and float((trace := filled(opens)[1]).log_q.exp().max()) > 0.99
            and only_answer(trace) == "animal"
        )
    ),
    "after *the*, many words are possible": lambda opens: (
        int((from_the_left(opens)[1] > 0.005).sum()) > 20
    ),
    "Each gap is predicted on its own, and the loss is the **mean over the gaps only**": (
        lambda opens: one_by_one(opens) == (3, True)
    ),
    "**you**: eight gaps": lambda opens: len(game.game(int(opens["game_seed"]))) == 8,
    "A **bag of words** has lost the order; an RNN from the left stops at the gap": lambda opens: (
        ignores_order(opens) and guesses(opens)["rnn"] != "is"
    ),
    "The subject is nine words away: out of the **window**. Only the BiRNN and **attention**": (
        lambda opens: (
            words_before(opens, "bird") == (9, False)
            and {name for name, word in guesses(opens).items() if word == "is"}
            == {"birnn", "attention"}
        )
    ),
    "Train one from scratch. It starts at **ln |V|**": lambda opens: math.isclose(
        *untrained_loss(opens), rel_tol=0.02
    ),
}

# --- Contextual vectors ---------------------------------------------------------------------------


@cache
def minilm():
    if wheel.package_folder() is None:
        pytest.skip("the encoder is not installed")
    return layered_model("minilm")


@cache
def clouds_of(word, typed=()):
    """MiniLM's vectors of a word, in the built-in texts and in the typed texts."""
    texts = english_contexts(word).occurrences
    return trace_clouds(minilm(), (*texts, *(find_word(text, word) for text in typed)))


def layer_of(opens):
    clouds, at = clouds_of(opens["ct_word"]), int(opens["ct_layer"])
    return {
        name: float(getattr(clouds, name)[at]) for name in ("within", "between", "accuracy", "p")
    }


def in_two_clouds(opens):
    found = layer_of(opens)
    return found["accuracy"] == 1 and found["p"] < 0.05 and found["within"] > found["between"] + 0.2


def is_one_point(opens):
    vectors = clouds_of(opens["ct_word"]).vectors[0]
    return torch.allclose(vectors, vectors[:1].expand_as(vectors))


def gap(word, layer):
    clouds = clouds_of(word)
    return float(clouds.within[layer] - clouds.between[layer])


def eight_and_sixteen():
    found = trace_persons(minilm()).cosines
    return found.shape[1] == 8 and bool((found[0] > 1 - 1e-6).all() and (found[-1] < 0.99).all())


def sentences_with(word):
    """The sentences with the word, by the sense that the word has in the text."""
    found = {0: set(), 1: set()}
    for words, at, sense in microworld_contexts(word).occurrences:
        start = max((i + 1 for i in range(at) if words[i] == "."), default=0)
        found[sense].add(" ".join(words[start : words.index(".", at)]))
    return found


def moves_the_word(model):
    """Whether the words after “game” change its vector."""
    begin = ["he", "likes", "to", "game", "."]
    texts = [[*begin, *after.split()] for after in ("he is young .", "it was too icy .")]
    one, other = layered_model(model).word_vectors(texts)
    return not torch.allclose(one[:, 3], other[:, 3], atol=1e-5)


def read_senses(opens):
    """For each typed sentence, the sense with the nearest centre in the last layer."""
    typed = tuple(opens["ct_own"].splitlines())
    clouds = clouds_of(opens["ct_word"], typed)
    unit = F.normalize(clouds.vectors[-1], dim=-1)
    centres = torch.stack([unit[clouds.senses == sense].mean(dim=0) for sense in (0, 1)])
    nearest = (unit[clouds.senses == OWN] @ F.normalize(centres, dim=-1).T).argmax(dim=-1)
    glosses = english_contexts(opens["ct_word"]).glosses
    return {text.split()[1]: glosses[i] for text, i in zip(typed, nearest.tolist(), strict=True)}


def reaches(opens):
    """The models whose last vector of “it” depends on words on both sides, in one pass."""
    words = opens["bi_text"].split()
    at = words.index("it") + 1
    bilm, vocabulary = layered_model("bilm").network, layered_model("bilm").vocabulary
    ids = torch.tensor(vocabulary.encode([START, *words, END]))
    left, right = bilm_reach(bilm, ids)
    found = {"ELMo, one side": left[at], "ELMo, other side": right[at]}
    found["GPT"] = transformer_reach(load_shipped("gpt")[0].network, ids)[at]
    mine = our_encoder().read(opens["bi_text"]).ids
    found["BERT"] = transformer_reach(our_encoder().network, mine)[at]
    return {
        name
        for name, row in found.items()
        if bool(row[1:at].any()) and bool(row[at + 1 : -1].any())
    }


def leant_on(opens):
    """For each task, the layer with the largest share in the mixture."""
    mixtures = load_record().mixtures[opens["ct_model"]].values()
    return [int(each.shares.argmax()) for each in mixtures]


def right_in_tagger(task, place):
    """The mean accuracy of the recorded taggers of a task, with ELMo at a place, without λ."""
    runs = [
        run.accuracy
        for run in load_record().taggers
        if (run.task, run.placement, run.penalty) == (task, place, 0)
    ]
    return sum(runs) / len(runs)


def gains_of(model, task):
    """What each layer from 1 adds to the best accuracy below it, as a share of all gains."""
    probed = (s for s in load_record().probes if (s.model, s.task) == (model, task))
    right = [score.accuracy for score in sorted(probed, key=lambda score: score.layer)]
    best = [max(right[: n + 1]) for n in range(len(right))]
    gains = [after - before for before, after in pairwise(best)]
    return [gain / sum(gains) for gain in gains] if sum(gains) > 0.05 else []


def combined(task):
    """MiniLM’s accuracy with each way to make one vector of its layers."""
    return load_record().combinations[task]


CONTEXTUAL = {
    "the second to last, is nearly as good: no four layers, and a vector a quarter as long": (
        lambda opens: (
            TABLE_7["last four, end to end"] - TABLE_7[opens["pr_way"]] <= 0.5
            and combined("number")["last four, end to end"] - combined("number")[opens["pr_way"]]
            < 0.03
        )
    ),
    "**end to end** is best again, and the last layer alone is worse than its sums": lambda opens: (
        (found := combined(opens["pr_task"]))["last four, end to end"] == max(found.values())
        and found["last layer"] < min(found[way] for way in found if way.startswith("sum of"))
        and opens["pr_task"] == "depth"
    ),
    "most of *reference* is gained in **one layer**, while *number* still gains in the third": (
        lambda opens: (
            opens["ct_model"] == "encoder"
            and gains_of("encoder", "reference")[0] > 0.8
            and gains_of("encoder", "number")[2] > 0.1
        )
    ),
    "**MiniLM** gains every task mostly in its **first layer**": lambda opens: (
        opens["ct_model"] == "minilm"
        and all(
            gains_of("minilm", task)[0] > 0.8 for task in ("number", "depth", "sense", "reference")
        )
    ),
    "At the output ELMo takes away fewer errors than at the input": lambda opens: (
        opens["tg_place"] == "output"
        and all(
            right_in_tagger(task, "output") < right_in_tagger(task, "input")
            for task in ("part of speech", "sense", "number")
        )
    ),
    "*number* is nearly always right; *sense* is better with ELMo at the input alone": lambda _: (
        right_in_tagger("number", "both") > 0.99
        and right_in_tagger("sense", "input") > right_in_tagger("sense", "both")
    ),
    "Drag the layer from 0: one point becomes two clouds": lambda opens: (
        is_one_point(opens) and in_two_clouds(opens)
    ),
    "At layer 0 a word has one vector, wherever it stands": is_one_point,
    "Two senses that are close in meaning overlap more": lambda opens: (
        layer_of(opens)["accuracy"] < 1 == layer_of({**opens, "ct_word": "fine"})["accuracy"]
    ),
    "Eight words: one direction each, or two": lambda _: eight_and_sixteen(),
    "The same sentence in both senses; another sentence tells which is meant": lambda opens: (
        (found := sentences_with(opens["ct_word"]))[0] & found[1] != set()
    ),
    "What comes after the word cannot move its vector": lambda opens: (
        not moves_the_word("gpt") and moves_the_word("encoder") and opens["ct_model"] == "gpt"
    ),
    "MiniLM reads “paid the fine” right, and the note on the car wrong": lambda opens: (
        "penalty" in (found := read_senses(opens))["paid"] and "penalty" not in found["note"]
    ),
    "Forward and backward, summed; 2L + 1 vectors of a word": lambda _: (
        2 * layered_model("bilm").depth + 1 == 5
    ),
    "*fine* from the doctor and *fine* from the police are one point": is_one_point,
    "After six layers: **two clouds**": lambda opens: minilm().depth == 6 and in_two_clouds(opens),
    "dark within a sense, pale between them": lambda opens: (
        layer_of(opens)["within"] > layer_of(opens)["between"] + 0.2
    ),
    "Senses that are **close in meaning** lie closer": lambda opens: (
        gap("great", layer := int(opens["ct_layer"]))
        < 0.5 * min(gap("fine", layer), gap("die", layer))
    ),
    "two LSTM language models, one from each side": lambda _: (
        {"left_to_right", "right_to_left"}
        <= {name for name, _ in layered_model("bilm").network.named_children()}
    ),
    "Here four of five tasks lean most on layer 1": lambda opens: (
        len(found := leant_on(opens)) == 5 and found.count(1) == 4
    ),
    "the adjective **after**, at once. Only one of the three can combine them": lambda opens: (
        reaches(opens) == {"BERT"}
    ),
    "From the **right**, other words surprise. Both sums belong to the same text, so they nearly": (
        lambda opens: (
            (found := costs_of(opens))[0].argmax() + 1 != found[1].argmax()
            and abs(found[0].sum() / found[1].sum() - 1) < 0.02
        )
    ),
    "*number* takes layer 1 alone": lambda opens: (
        opens["mx_task"] == "number" and learned_shares(opens).round(decimals=3).tolist()[1] == 1
    ),
    "*reference* takes most of **layer 2**, yet is hardly better than guessing": lambda opens: (
        opens["mx_task"] == "reference"
        and int(learned_shares(opens).argmax()) == 2
        and load_record().mixtures["bilm"]["reference"].accuracy < 0.6
    ),
    "A word has **2L + 1 = 5** vectors": lambda _: 2 * layered_model("bilm").depth + 1 == 5,
}


def costs_of(opens):
    """−ln p of each token but the first from the left, and but the last from the right."""
    model = layered_model("bilm")
    ids = torch.tensor(model.vocabulary.encode([START, *opens["bi_text"].split(), END]))
    trace = model.network(ids[None])
    rows = (trace.next_logits[0, :-1], ids[1:]), (trace.previous_logits[0, 1:], ids[:-1])
    return [F.cross_entropy(logits, goal, reduction="none") for logits, goal in rows]


def learned_shares(opens):
    """What was learned for the task of the page."""
    return load_record().mixtures[opens["ct_model"]][opens["mx_task"]].shares


CLAIMS = {"bert": BERT, "contextual": CONTEXTUAL}
