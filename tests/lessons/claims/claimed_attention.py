"""Claims of the pages on how words depend on other words: Attention, Positions, BERT."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import torch
import torch.nn.functional as F
from claim_check import Claim, Page, Scene, number, plain
from claimed_models import close, live_of
from hypothesis import strategies as st

from lessons.attention import attention_figures, flow_picture, flow_text
from lessons.attention.attention_picture import Cell, TableView
from lessons.bert import bert_picture, fill_in_text, game_text, pairs_text, readers_text
from lessons.bert.bert_state import FillInState
from lessons.positions import positions_picture, positions_text
from lmcore.attention import similarity, step_sweep, step_table
from lmcore.attention.permutation import OrderSpec, shuffle_words
from lmcore.attention.step_table import AttentionConfig, AttentionInputs
from lmcore.attention.two_orders import TwoOrders, word_vectors
from lmcore.masked_lm import cloze, game
from lmcore.masked_lm.contest import Contest, ContestResult
from lmcore.masked_lm.next_sentence import NAMES, NextSentenceTrace
from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained.reading import VocabularyModel
from lmcore.training.masked_batches import masked_vocabulary

# --- Attention ------------------------------------------------------------------------------------


@st.composite
def queries_and_keys(draw):
    """Queries, keys and values of small whole numbers, so that some scores are equal."""
    length, wide = draw(st.integers(1, 4)), draw(st.integers(1, 2))
    row = st.lists(st.integers(-2, 2).map(float), min_size=wide, max_size=wide)
    q, k, v = (draw(st.lists(row, min_size=length, max_size=length)) for _ in "qkv")
    config = AttentionConfig(
        draw(st.sampled_from((1, 2, 64))),
        draw(st.booleans()),
        draw(st.sampled_from((1.0, 1.0, 0.5))),
        draw(st.sampled_from(("none", *step_table.MASKS))),
    )
    return q, k, v, config, draw(st.integers(1, length))


def attention_scenes(case):
    q, k, v = (torch.tensor(each, dtype=torch.float64) for each in case[:3])
    config, query = case[3:]
    tokens = tuple("abcd"[: len(q)])
    inputs = AttentionInputs(tokens, q, k, v)
    table = step_table.compute_step_table(inputs, config)
    view = TableView("query", query, Cell("score", query, 1), 2)
    favoured = flow_picture.pair(table, query)
    found = flow_picture.numbers(
        inputs, config, table, view, step_sweep.score_scaling(config), favoured
    )
    live = live_of(dict(zip(found.names, found.values.tolist(), strict=True)))
    said = flow_text.sentence(inputs, config, table, view, favoured, str)
    seen = {
        "none": range(len(q)),
        "causal": range(query),
        "before": range(query - 1),
        "padding": range(len(q) - config.hidden),
    }[config.mask]
    divisor = config.temperature * (math.sqrt(config.d_k) if config.scaled else 1)
    scores = {j: sum(a * b for a, b in zip(case[0][query - 1], case[1][j], strict=True))
              for j in seen}  # fmt: skip
    whole = sum(math.exp(each / divisor) for each in scores.values())
    names = {j: "itself" if j == query - 1 else f"“{tokens[j]}”" for j in seen}
    facts = {
        "weights": {names[j]: math.exp(scores[j] / divisor) / whole for j in seen},
        "scores": {names[j]: scores[j] for j in seen},
        "divisor": divisor,
    }
    yield Scene(plain(live.fill(said)), facts)
    for soft in (True, False):
        found = similarity.attend_by_similarity(q[query - 1], k, v, normalised=soft, d_k=config.d_k)
        low, high = v.amin(dim=0) - 1e-6, v.amax(dim=0) + 1e-6
        outside = {each.name for each in found
                   if bool(((each.context < low) | (each.context > high)).any())}  # fmt: skip
        yield Scene(attention_figures.average_words(found, v), {"outside": outside})


def gap_of(facts):
    """The difference between the two largest scores."""
    first, second = sorted(facts["scores"].values(), reverse=True)[:2]
    return first - second


def ratio_of(facts):
    """The largest weight as a multiple of the second largest."""
    first, second = sorted(facts["weights"].values(), reverse=True)[:2]
    return first / second


ATTENTION = Page(
    queries_and_keys(),
    attention_scenes,
    (
        Claim("a query sees no key", "sees no key", lambda m, f: not f["weights"]),
        Claim(
            "a query sees only this key",
            r"sees only (\S+): it gets all the weight, (\S+)\.$",
            lambda m, f: list(f["weights"]) == [m[1]] and number(m[2]) == 1,
        ),
        Claim(
            "a query looks most at this key",
            r"looks most at ([^:]+): ([^, ]+?)(?:\. |, )",
            lambda m, f: (
                math.isclose(f["weights"][m[1]], max(f["weights"].values()))
                and close(m[2], f["weights"][m[1]])
            ),
        ),
        Claim(
            "as much at another key: the scores are equal",
            r"looks most at ([^:]+): .*as much at ([^:]+): the scores are equal",
            lambda m, f: f["scores"][m[1]] == f["scores"][m[2]] == max(f["scores"].values()),
        ),
        Claim(
            "scores so far apart, divided, are so far apart: so many times the weight",
            r"Scores (\S+) apart, ÷ (\S+), are (\S+) apart: weights (\S+) to 1",
            lambda m, f: (
                close(m[1], gap_of(f))
                and close(m[2], f["divisor"])
                and close(m[3], gap_of(f) / f["divisor"])
                and close(m[4], ratio_of(f))
            ),
        ),
        Claim(
            "not divided, the second key gets so much",
            r"Not divided, scores (\S+) apart make weights (\S+) to 1: (\S+) gets (\S+)\.$",
            lambda m, f: (
                f["divisor"] == 1
                and close(m[1], gap_of(f))
                and close(m[2], ratio_of(f))
                and close(m[4], f["weights"][m[3]])
                and f["weights"][m[3]] == sorted(f["weights"].values())[-2]
            ),
        ),
        Claim(
            "divided by the temperature alone",
            r"Divided by τ = (\S+) alone, scores (\S+) apart make weights (\S+) to 1",
            lambda m, f: (
                close(m[1], f["divisor"]) and close(m[2], gap_of(f)) and close(m[3], ratio_of(f))
            ),
        ),
        Claim(
            "every z lies between the values",
            "Every z lies between the values",
            lambda m, f: not f["outside"],
        ),
        Claim(
            "these z lie outside the values",
            r"not an average: z by (.+)\.$",
            lambda m, f: set(m[1].split(", ")) == f["outside"],
        ),
    ),
    often=4,
)

# --- Positions ------------------------------------------------------------------------------------


@st.composite
def two_orders(draw):
    words = tuple(draw(st.lists(st.sampled_from("abcd"), min_size=2, max_size=5)))
    order = tuple(draw(st.permutations(range(len(words)))))
    causal, added = draw(st.booleans()), draw(st.booleans())
    at = draw(st.integers(0, len(words) - 1))
    where = (at, draw(st.integers(0, 20)), draw(st.sampled_from((4, 16))))
    return (words, order, added, causal), where


def outputs_in_both_orders(spec, placed):
    """How far the outputs of the word in both orders are apart, by softmax(XXᵀ/√d)X in numpy."""
    order, d = list(spec.words.order), spec.width
    e = word_vectors(spec.words.words, d).numpy()
    pos = (spec.start + np.arange(len(order)))[:, None]
    angle = pos / spec.base ** (np.arange(0, d, 2) / d)[None]
    pe = np.stack([np.sin(angle), np.cos(angle)], axis=-1).reshape(len(order), d) * placed

    def attend(x, at):
        scores = x @ x[at] / math.sqrt(d)
        if spec.words.causal:
            scores[at + 1 :] = -np.inf
        weights = np.exp(scores - scores.max())
        return weights / weights.sum() @ x

    moved = order.index(spec.word)
    return float(np.linalg.norm(attend(e + pe, spec.word) - attend(e[order] + pe, moved)))


def positions_scenes(case):
    spec = TwoOrders(OrderSpec(*case[0]), *case[1])
    now = positions_picture.current_numbers(spec, 0)
    said = live_of(now).fill(positions_text.sentence(spec, now, str))
    facts = {
        "plain": outputs_in_both_orders(spec, placed=False),
        "gap": outputs_in_both_orders(spec, placed=True),
        "same": list(spec.words.order) == list(range(len(spec.words.order))),
        "alike": spec.words.shuffled == spec.words.words,
        "moved": spec.words.order.index(spec.word) - spec.word,
        "causal": spec.words.causal,
    }
    yield Scene(plain(said), facts)
    result = shuffle_words(spec.words)
    order, after = list(spec.words.order), result.after.numpy()
    away = {place: float(np.abs(result.before[place].numpy() - after[i]).max())
            for i, place in enumerate(order)}  # fmt: skip
    facts |= {"away": away, "placed": spec.words.positions}
    yield Scene(" ".join(positions_text.verdict(spec.words, result)), facts)


POSITIONS = Page(
    two_orders(),
    positions_scenes,
    (
        Claim(
            "both orders are the same: nothing differs",
            r"Both orders are the same: the outputs of \S+ differ by (\S+)\. ",
            lambda m, f: f["same"] and number(m[1]) == 0 and f["gap"] < 1e-9,
        ),
        Claim(
            "under the causal mask the outputs differ even without positions",
            r"Under the causal mask .* differ by (\S+) even without positions, and by (\S+) with",
            lambda m, f: (
                f["causal"]
                and f["plain"] > 1e-9
                and close(m[1], f["plain"])
                and (close(m[2], f["gap"]) or f["gap"] < 1e-9)
            ),
        ),
        Claim(
            "without positions the output is the same",
            r"the same output: difference 0\.",
            lambda m, f: f["plain"] < 1e-9,
        ),
        Claim(
            "the word stays, others move",
            r"With PE it is (\S+): \S+ stays, but other words move",
            lambda m, f: (
                f["moved"] == 0 and not f["alike"] and (close(m[1], f["gap"]) or f["gap"] < 1e-9)
            ),
        ),
        Claim(
            "the word stays, and only equal words change places",
            "and only equal words change places",
            lambda m, f: f["moved"] == 0 and f["alike"] and not f["same"] and f["gap"] < 1e-9,
        ),
        Claim(
            "with the encoding of one position or another the difference is so large",
            r"With PE\((\d+)\) or PE\((\d+)\) added, the difference is (\S+)\.$",
            lambda m, f: (
                int(m[2]) - int(m[1]) == f["moved"] != 0
                and (close(m[3], f["gap"]) or f["gap"] < 1e-9)
            ),
        ),
        Claim("the order is unchanged", "The order is unchanged", lambda m, f: f["same"]),
        Claim(
            "every word keeps its vector",
            r"every word keeps .* the largest difference is ([^\s,.]+)",
            lambda m, f: max(f["away"].values()) < 1e-9,
        ),
        Claim(
            "a vector differs by up to so much, by positions and the mask",
            r"differs by up to \*\*(\S+)\*\*: .* from (.+?)\.(?: (\d+) of (\d+) words|$| The)",
            lambda m, f: (
                close(m[1], max(f["away"].values()))
                and ("positions" in m[2], "mask" in m[2]) == (f["placed"], f["causal"])
                and int(m[3] or 0) == sum(each < 1e-9 for each in f["away"].values())
            ),
        ),
    ),
    often=2,
)

# --- BERT -----------------------------------------------------------------------------------------


@cache
def small_encoder():
    """An untrained encoder with the vocabulary of the Microworld."""
    vocabulary = masked_vocabulary()
    config = TransformerConfig(len(vocabulary), width=8, heads=2, layers=1, hidden=8, longest=48)
    return VocabularyModel("our small encoder", BERT(config, seed=1), vocabulary)


TEXTS = (
    "the cat is hungry .",
    "today i forgot to make sure that the cat gets fed .",
    "the dog which was raced past the barns sleeps .",
    "the the is cat .",
)


SEEDS = st.integers(0, 99)


def filled_in_scenes(case):
    """Gaps at each word alone, and at some together; `known` is the share of the exact answer."""
    typed, together, known, seed = case
    text = cloze.cloze_text(small_encoder(), typed)
    single = [(place,) for place in text.maskable]
    several = tuple(sorted({text.maskable[i % len(text.maskable)] for i in together}))
    for places in (*single, several):
        yield from gap_scenes(typed, places, known, seed)


@cache
def filled_in(typed, places):
    """A text, and the small encoder's prediction at its gaps with the exact answer."""
    reader = small_encoder()
    text = cloze.cloze_text(reader, typed)
    (found,) = cloze.fill(reader.network, text, [places])
    return text, found


def gap_scenes(typed, places, known, seed):
    """What the page says about a mixture of the exact answer and random probabilities."""
    reader = small_encoder()
    text, found = filled_in(typed, places)
    types, draw = len(reader.vocabulary), np.random.default_rng(seed)
    q = torch.from_numpy(draw.dirichlet(np.full(types, 0.02), len(places))).clamp(min=1e-9)
    p = found.exact
    if p is not None:
        q[:, : p.shape[1]] = (1 - known) * q[:, : p.shape[1]] + known * p
    log_q = (q / q.sum(1, keepdim=True)).log()
    own = text.reading.ids[list(places)]
    terms = -log_q.gather(1, own[:, None])[:, 0]
    kl = None
    if p is not None:
        kl = torch.stack(
            [F.kl_div(a[: len(b)], b, reduction="sum") for a, b in zip(log_q, p, strict=True)]
        )
    trace = replace(found, log_q=log_q, terms=terms, divergence=kl)
    scene = FillInState("encoder", reader, reader.network, text, "", trace, trace)
    gaps = bert_picture.gaps(text, trace, trace, scene.word)
    live = live_of(bert_picture.numbers(text, trace, trace, gaps, scene.word))
    told = fill_in_text.texts(scene, gaps, asked=False)
    facts = {"count": len(places), "loss": float(terms.mean())}
    if p is not None:
        facts["exact loss"] = float(-p.gather(1, own[:, None]).log().mean())
    if len(places) == 1:
        names = reader.vocabulary.tokens
        facts["q"] = dict(zip(names, log_q[0].exp().tolist(), strict=True))
        facts["p"] = None if p is None else dict(zip(names, p[0].tolist(), strict=False))
        facts["KL"] = None if kl is None else float(kl[0])
        facts = {name: few(each) if name in "qp" and each else each for name, each in facts.items()}
    yield Scene(plain(live.fill(told.sentence)), facts)


def few(row):
    """The three likeliest words, and other words that are as likely as the third."""
    least = sorted(row.values())[-3]
    return {word: each for word, each in row.items() if each >= least - 1e-9 and each > 0}


def alike(row):
    """How many words share the largest probability."""
    return sum(each > max(row.values()) - 2e-9 for each in row.values())


@st.composite
def guesses(draw):
    """Each reader's distribution over three words; the first is the covered word."""
    row = st.lists(st.integers(1, 9), min_size=3, max_size=3)
    rows = {label: draw(row) for label in readers_text.LABELS.values()}
    return {label: [each / sum(row) for each in row] for label, row in rows.items()}


def guesses_scenes(rows):
    tensors = {label: torch.tensor(row, dtype=torch.float64) for label, row in rows.items()}
    found = readers_text.answers(tensors, None, 0, ("own", "b", "c"))
    said = live_of(readers_text.numbers(found)).fill(readers_text.finding(found, "own"))
    facts = {"own": {label: row[0] for label, row in rows.items()}}
    yield Scene(plain(said), facts | {"right": sum(row[0] == max(row) for row in rows.values())})


def measured_scenes(case):
    """Made-up accuracies of the readers, and made-up effects of a shuffle on each reader."""
    accuracy, moves = ({label: n / 8 for label, n in zip(LABELS, row, strict=True)} for row in case)
    results = tuple(ContestResult(label, each, 0.1, 10) for label, each in accuracy.items())
    contest = Contest(100, 0.4, 1.0, results)
    yield Scene(" ".join(readers_text.contest_words(contest)), {"accuracy": accuracy})
    yield Scene(" ".join(readers_text.shuffle_words(moves)), {"moves": moves})


LABELS = tuple(readers_text.LABELS.values())
BAG = readers_text.LABELS["bag"]
BEST = readers_text.LABELS["bert"]


def game_scenes(chances):
    """Each answer to a text of the game, and the best one; the first option is the hidden word."""
    words, row = masked_vocabulary().tokens, np.zeros(len(masked_vocabulary()))
    options = tuple(words.index(word) for word in ("cat", "dog", "horse"))
    row[list(options)] = [each / sum(chances) for each in chances]
    item = game.GameItem((0, options[0], 1), 1, row, options)
    log_q = np.log(np.full(len(words), 1 / len(words)))
    facts = {"points": {words[i]: float(row[i]) for i in options}, "hidden": words[item.hidden]}
    for option in options:
        answers = {"You": game.score_answer(item, option), "Best possible": game.best_answer(item)}
        _, numbers = game_text.options(item, answers, log_q)
        yield Scene(plain(live_of(numbers).fill(game_text.finding(item, answers))), facts)


def pair_scenes(logits):
    row = torch.tensor(logits, dtype=torch.float64)
    made = NextSentenceTrace(torch.zeros(2).double(), torch.zeros(2).double(), row, row.softmax(0))
    said = live_of(pairs_text.numbers(made)).fill(pairs_text.finding(made, "our BERT"))
    p = 1 / (1 + math.exp(logits[1] - logits[0]))
    yield Scene(plain(said), {"answers": dict(zip(NAMES, (p, 1 - p), strict=True))})


def drawn(scenes, cases):
    return st.tuples(st.just(scenes), cases)


EIGHTHS = st.lists(st.integers(0, 8), min_size=5, max_size=5)
BERT_PAGE = Page(
    drawn(
        filled_in_scenes,
        st.tuples(
            st.sampled_from(TEXTS),
            st.sets(SEEDS, min_size=1, max_size=3),
            st.sampled_from((0.0, 0.5, 0.99)),
            SEEDS,
        ),
    )
    | drawn(guesses_scenes, guesses())
    | drawn(measured_scenes, st.tuples(EIGHTHS, EIGHTHS))
    | drawn(game_scenes, st.lists(st.integers(1, 9), min_size=3, max_size=3))
    | drawn(pair_scenes, st.tuples(st.floats(-3, 3), st.floats(-3, 3))),
    lambda case: case[0](case[1]),
    (
        Claim(
            "the model gives this word most",
            r"our small encoder gives “([^”]+)” ([^.;]\S*?)(?:; |\. )",
            lambda m, f: (
                m[1] in f["q"]
                and math.isclose(f["q"][m[1]], max(f["q"].values()))
                and close(m[2], f["q"][m[1]])
            ),
        ),
        Claim(
            "the exact answer is the same word, as for so many more",
            r"gives “([^”]+)” .*the exact answer is ([^“,]\S*?)(?:, as for (\d+) more)?\. They",
            lambda m, f: (
                math.isclose(f["p"][m[1]], max(f["p"].values()), abs_tol=2e-9)
                and close(m[2], max(f["p"].values()))
                and int(m[3] or 0) == alike(f["p"]) - 1
            ),
        ),
        Claim(
            "the exact answer is another word",
            r"gives “([^”]+)” .*the exact answer is “([^”]+)”, (\S*?)(?:, as for (\d+) more)?\. ",
            lambda m, f: (
                f["p"].get(m[1], 0) < max(f["p"].values()) == f["p"][m[2]]
                and close(m[3], f["p"][m[2]])
                and int(m[4] or 0) == alike(f["p"]) - 1
            ),
        ),
        Claim(
            "they differ by so many nats",
            r"differ by KL = (\S+) nats",
            lambda m, f: close(m[1], f["KL"], rel=1e-2) or f["KL"] < 1e-6,
        ),
        Claim(
            "the grammar never produces this text",
            "The grammar never produces this text",
            lambda m, f: f["p"] is None,
        ),
        Claim(
            "so many words are covered, and L is their mean",
            r"(\d+) words are covered.*L = (\S+) nats, the mean of (\d+) terms",
            lambda m, f: int(m[1]) == int(m[3]) == f["count"] and close(m[2], f["loss"]),
        ),
        Claim(
            "the exact answer has so much loss",
            r"the exact answer’s is (\S+)\.$",
            lambda m, f: close(m[1], f["exact loss"]),
        ),
        Claim(
            "it is the first guess of so many readers",
            r"the first guess of (\d) of (\d) readers; the Transformer gives it ([^,\s]+?)[.,]",
            lambda m, f: (int(m[1]), int(m[2])) == (f["right"], len(f["own"])),
        ),
        Claim(
            "another reader gives it more, and the most",
            r"the Transformer gives it \S+, the (.+) more: (\S+)\.$",
            lambda m, f: (
                f["own"][m[1]] == max(f["own"].values()) > f["own"][BEST]
                and close(m[2], f["own"][m[1]])
            ),
        ),
        Claim(
            "these readers are ahead of the Transformer, by at most so much",
            r"\*\*([^*]+)\*\* (?:is|are) ahead of .*, by at most ([^\s:]+?)[.:](?: |$)",
            lambda m, f: (
                set(m[1].split(", "))
                == {n for n, a in f["accuracy"].items() if a > f["accuracy"][BEST]}
                and close(m[2], max(f["accuracy"].values()) - f["accuracy"][BEST])
            ),
        ),
        Claim(
            "which words occur suffices: the bag of words is ahead",
            "it often suffices which words occur",
            lambda m, f: f["accuracy"][BAG] > f["accuracy"][BEST],
        ),
        Claim(
            "a shuffle changes these predictions by 0",
            r"\*\*([^*]+): by 0, exactly\*\*",
            lambda m, f: set(m[1].split(", ")) == {n for n, far in f["moves"].items() if not far},
        ),
        Claim(
            "the bag of words is among them",
            "A bag of words ignores order",
            lambda m, f: f["moves"][BAG] == 0,
        ),
        Claim(
            "an answer earns so many points, the best so many",
            r"“(.+)”: .*; you earn (\S+) points; the best word here earns (\S+)\.$",
            lambda m, f: (
                close(m[2], f["points"].get(m[1], 0)) and close(m[3], max(f["points"].values()))
            ),
        ),
        Claim(
            "a hit that was lucky: another word is likelier",
            r"“(.+)”: a hit.*lucky: “(.+)” is likelier, (\S+)\.$",
            lambda m, f: (
                m[1] == f["hidden"]
                and f["points"][m[2]] == max(f["points"].values()) > f["points"][m[1]]
            ),
        ),
        Claim(
            "the hidden word is another",
            r"“(.+)”: the hidden word is “(.+)”;",
            lambda m, f: m[1] != m[2] == f["hidden"],
        ),
        Claim(
            "a pair continues, or does not: the likelier answer",
            r"answers “B [^”]+”: (\S+) (\S+?)\. .* loss is (\S+) nats",
            lambda m, f: (
                f["answers"][m[1]] == max(f["answers"].values())
                and ("continues" in m[0]) == (m[1] == NAMES[0])
                and close(m[2], f["answers"][m[1]])
                and close(m[3], -math.log(f["answers"][m[1]]))
            ),
        ),
    ),
    often=1,
)

PAGES = {"attention": ATTENTION, "positions": POSITIONS, "bert": BERT_PAGE}
