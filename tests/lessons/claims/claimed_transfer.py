"""Claims of the pages on networks used for another task: Transfer, and Encoder–decoder."""

from __future__ import annotations

import math
from functools import cache
from itertools import zip_longest
from unittest.mock import patch

import torch
from claim_check import Claim, Page, Scene, filled, number, plain
from claimed_models import close, live_of
from hypothesis import strategies as st

from lessons.seq2seq import measured_text, search_text, seq2seq_picture, seq2seq_text
from lessons.seq2seq.translated import Translated, translator
from lessons.transfer import frozen_view, inputs_view, transfer_picture, transfer_text, weight_view
from lessons.transfer.uses import prompts_view
from lmcore.attention.translation_steps import one_place, trace_translation
from lmcore.corpora.translation import held_out_sources, translate_aligned
from lmcore.dataframes import Table
from lmcore.decoding.search_errors import Hypothesis
from lmcore.evaluation.exact_match import ExposureBias, LengthScore, PermutationEffect
from lmcore.networks.seeds import share_interval
from lmcore.shipped.translation_curves import RecordedCurve
from lmcore.transfer import curves
from lmcore.transfer.curves import Score
from lmcore.transfer.networks import NETWORKS, part_sizes
from lmcore.transfer.tasks import TASKS

# --- Transfer -------------------------------------------------------------------------------------

SCORES = st.tuples(st.integers(30, 40), st.sampled_from((0, 1, 3))).map(
    lambda each: Score(each[0] / 40, (each[0] - each[1]) / 40, (each[0] + each[1]) / 40, 5, 9, 10)
)


def curve(score=SCORES):
    """Made-up scores at each number of labels; the last ones may be missing."""
    row = st.lists(score, min_size=2, max_size=len(curves.LABELS))
    return row.map(lambda scores: dict(zip(curves.LABELS, scores, strict=False)))


def transfer_scenes(case):
    """What the page says at each number of labels, with made-up scores."""
    tuned, scratch, frozen = case
    with (
        patch.object(curves, "frozen_curve", lambda *_: tuned),
        patch.object(curves, "recorded_curve", lambda *_: scratch),
    ):
        yield from said_at("encoder", "acceptable", frozen, tuned, scratch)


def recorded_scenes(case):
    """What the page says at each number of labels that has recorded scores."""
    network, task, frozen = case
    frozen = min(frozen, len(part_sizes(network)))
    tuned = curves.frozen_curve(network, task, frozen)
    scratch = curves.recorded_curve(network, task, "scratch")
    yield from said_at(network, task, frozen, tuned, scratch)


def said_at(network, task, frozen, tuned, scratch):
    sentences = transfer_text.transfer_sentences(len(part_sizes(network)))
    for labels in transfer_picture.labels_at(network, task, frozen):
        numbers = transfer_picture.numbers_at(network, task, labels, frozen)
        facts = {"tuned": tuned, "scratch": scratch, "frozen": frozen, "labels": labels}
        yield Scene(filled(sentences, live_of(numbers)), facts)


def beats(one, other):
    """Whether one score is clearly above the other: their intervals do not overlap."""
    return one.low > other.high


def view_scenes(case):
    """What the page says about made-up scores by λ, frozen parts, input order, solved examples."""
    weights = dict(zip(curves.AUXILIARY, case, strict=False))
    yield Scene(weight_view.compare_weights(100, weights), {"by": weights})
    depths = dict(enumerate(case[:4]))
    said = frozen_view.describe_depths("task", 100, depths, 3)
    yield Scene(plain(said), {"by": depths})
    yield Scene(plain(inputs_view.compare_orders(*case[:2])), {"orders": case[:2]})
    shots = {name: {0.0: one, 8.0: other} for name, one, other in
             (("GPT", *case[:2]), ("BERT", *case[2:4]))}  # fmt: skip
    with patch.object(prompts_view.prompts, "SHOTS", (0, 8)):
        yield Scene(plain(prompts_view.describe_shots(shots)), {"shots": shots})


def changes(facts):
    """The models whose accuracy solved examples clearly change, and in which direction."""
    found = set()
    for name, scores in facts["shots"].items():
        none, most = scores[0.0], scores[8.0]
        if beats(none, most) or beats(most, none):
            found.add(f"{name} has {'more' if most.mean > none.mean else 'fewer'} right")
    return found


def here(facts):
    """The fine-tuned score and the score from scratch, at the number of labels."""
    return facts["tuned"][facts["labels"]], facts["scratch"][facts["labels"]]


def reaching(facts):
    """The numbers of labels at which training from scratch scores at least as high."""
    score, _ = here(facts)
    return [n for n, its in facts["scratch"].items() if its.mean >= score.mean]


TRANSFER = Page(
    st.tuples(st.just(transfer_scenes), st.tuples(curve(), curve(), st.integers(0, 4)))
    | st.tuples(
        st.just(recorded_scenes),
        st.tuples(
            st.sampled_from(sorted(NETWORKS)), st.sampled_from(sorted(TASKS)), st.integers(0, 4)
        ),
    )
    | st.tuples(st.just(view_scenes), st.lists(SCORES, min_size=5, max_size=5)),
    lambda case: case[0](case[1]),
    (
        Claim(
            "so many are right with so many labels, and so many from scratch",
            r"^(\S+) labels, .*: (\S+) right; .*from scratch(?: is better,)? (\S+?)[.,:](?: |$)",
            lambda m, f: (
                number(m[1]) == f["labels"]
                and close(m[2], here(f)[0].mean)
                and close(m[3], here(f)[1].mean)
            ),
        ),
        Claim(
            "from scratch as many are right only with more labels",
            r"as many right only with (\S+) labels",
            lambda m, f: (
                beats(*here(f)) and number(m[1]) == min(reaching(f)) and number(m[1]) > f["labels"]
            ),
        ),
        Claim(
            "from scratch never as many are right, up to the most labels",
            r"never as many up to (\S+) labels",
            lambda m, f: (
                beats(*here(f)) and not reaching(f) and number(m[1]) == max(f["scratch"])
            ),
        ),
        Claim(
            "from scratch is better: its interval is above",
            "from scratch is better",
            lambda m, f: beats(*reversed(here(f))),
        ),
        Claim(
            "no clear difference: the intervals meet",
            "from scratch .*: no clear difference",
            lambda m, f: not beats(*here(f)) and not beats(*reversed(here(f))),
        ),
        Claim(
            "this λ helps: it is clearly better than 0",
            r"λ = (\S+) helps\*\*: (\S+) right, (\S+) without",
            lambda m, f: (
                beats(f["by"][number(m[1])], f["by"][0.0])
                and close(m[2], f["by"][number(m[1])].mean)
                and close(m[3], f["by"][0.0].mean)
            ),
        ),
        Claim(
            "no λ is clearly better than 0",
            "no λ is clearly better than 0",
            lambda m, f: not any(beats(each, f["by"][0.0]) for each in f["by"].values()),
        ),
        Claim(
            "λ = 0 is the best",
            "λ = 0 is the best",
            lambda m, f: f["by"][0.0].mean == max(each.mean for each in f["by"].values()),
        ),
        Claim(
            "most are right with so many parts frozen",
            r"most are right with (\d+) of \d+ parts frozen, (\S+)\. ",
            lambda m, f: f["by"][int(m[1])].mean == max(each.mean for each in f["by"].values()),
        ),
        Claim(
            "no other depth reaches it",
            r"with (\d+) of .* No other depth’s interval reaches it",
            lambda m, f: all(
                depth == int(m[1]) or beats(f["by"][int(m[1])], each)
                for depth, each in f["by"].items()
            ),
        ),
        Claim(
            "these depths reach it",
            r"with (\d+) of .* With (.+) frozen the interval reaches it",
            lambda m, f: {int(each) for each in m[2].split(" or ")}
            == {d for d, each in f["by"].items()
                if d != int(m[1]) and not beats(f["by"][int(m[1])], each)},
        ),
        Claim(
            "one order of two texts has more right",
            r"has more right with the (question|text) first",
            lambda m, f: beats(*(f["orders"] if m[1] == "text" else f["orders"][::-1])),
        ),
        Claim(
            "either order has about as many right",
            "about as many right in either order",
            lambda m, f: not beats(*f["orders"]) and not beats(*f["orders"][::-1]),
        ),
        Claim(
            "solved examples change these, and only these",
            r"With examples (.+); why was not measured",
            lambda m, f: set(m[1].split(" and ")) == changes(f),
        ),
        Claim(
            "solved examples change none clearly",
            "by chance ½. No clear difference",
            lambda m, f: not changes(f),
        ),
    ),
    often=3,
)  # fmt: skip

# --- Encoder–decoder ------------------------------------------------------------------------------


@cache
def sources():
    """Some sources of each length: two short lengths, and one longer than any in training."""
    return [each for length in (5, 8, 24) for each in held_out_sources("mixture", length, 3)]


@cache
def translated(at, forced=()):
    source = sources()[at % len(sources())]
    attention, vector = (
        translator(name) for name in (measured_text.ATTENTION, measured_text.VECTOR)
    )
    alphas = {i: one_place(j % (len(source) + 1), len(source) + 1) for i, j in forced}
    free, alone = (trace_translation(m.network, m.vocabulary, source) for m in (attention, vector))
    its = trace_translation(attention.network, attention.vocabulary, source, forced=alphas)
    return Translated(translate_aligned(source, "mixture"), its, free, alone)


def translation_scenes(case):
    at, step, place = case
    for forced in ((), ((step, place),)):
        shown = translated(at, forced)
        words = {
            name: shown.decode(each.written)
            for name, each in (
                ("attention", shown.attention), ("free", shown.free), ("vector", shown.vector)
            )
        }  # fmt: skip
        target = [*shown.pair.target, "</s>"]
        source = [*shown.pair.source, "</s>"]
        chosen = {i + 1: j % len(source) + 1 for i, j in forced}
        sentences = seq2seq_text.step_sentences(shown, chosen, hidden=False)
        numbers = seq2seq_picture.step_numbers(shown)
        for i in range(len(words["attention"])):
            live = live_of({name: each[i] for name, each in numbers.items()})
            alpha = shown.attention.trace.weights[0, i].tolist()
            facts = {name: each[i : i + 1] for name, each in words.items()}
            facts |= {
                "target": target[i : i + 1],
                "right": {name: sum(a == b for a, b in zip(each, target[:-1], strict=False))
                          for name, each in words.items()},
                "words": len(target) - 1,
                "largest": {source[j] for j, a in enumerate(alpha) if a >= max(alpha) - 1e-9},
                "alpha": max(alpha),
                "forced": source[chosen[i + 1] - 1] if i + 1 in chosen else "",
            }  # fmt: skip
            yield Scene(filled(sentences, live), facts)


COUNT = st.integers(0, 20)


def measured_scenes(case):
    """Made-up exact matches by length and with permuted weights, and made-up losses."""
    attention, vector, two, losses = case
    lengths = (6, 12, 18, 24)
    rows = {measured_text.ATTENTION: attention, measured_text.VECTOR: vector}
    recorded = {
        name: RecordedCurve(name, "", "", 0, Table(LengthScore(n, each, 20)
                            for n, each in zip(lengths, row, strict=True)))
        for name, row in rows.items()
    }  # fmt: skip
    facts = {"attention": dict(zip(lengths, attention, strict=True)),
             "vector": dict(zip(lengths, vector, strict=True))}  # fmt: skip
    yield Scene(plain(measured_text.length_finding(recorded, 12)), facts)
    effect = PermutationEffect(20, *two, *losses)
    one, other = (share_interval(each, 20) for each in two)
    apart = one[1] > other[2] or other[1] > one[2]
    yield Scene(plain(measured_text.effect_finding(effect)), {"apart": apart})
    bias = ExposureBias(*(torch.tensor([each], dtype=torch.float64) for each in losses),
                        torch.tensor([3]))  # fmt: skip
    yield Scene(plain(measured_text.exposure_finding({measured_text.VECTOR: bias}, 1)),
                {"losses": losses})  # fmt: skip


def first_below(row):
    """The first length at which fewer than half of 20 sentences are right."""
    return next((length for length, right in row.items() if right < 10), None)


TARGET = ("x", "y")
LOG_P = st.integers(-6, -2).map(float)


@st.composite
def searches(draw):
    """The texts that greedy and beam search find; a text has the same log p in both searches."""
    texts = st.sampled_from((TARGET, ("x", "z"), ("x",)))
    log_p = {words: draw(LOG_P) for words in (TARGET, ("x", "z"), ("x",))}
    return draw(texts), draw(texts), log_p


def search_scenes(case):
    greedy, best, log_p = case
    one, other = (Hypothesis(words, True, log_p[words], log_p[words]) for words in (greedy, best))
    said = search_text.search_finding(one, (other,), TARGET, log_p[TARGET])
    facts = {"greedy": greedy, "best": best, "log p": log_p}
    yield Scene(plain(said), facts)
    both = (best, greedy)
    for name, words in zip((measured_text.ATTENTION, measured_text.VECTOR), both, strict=True):
        text, target = (*words, "</s>"), (*TARGET, "</s>")
        parts = [i for i, (a, b) in enumerate(zip_longest(text, target), 1) if a != b]
        yield Scene(plain(measured_text.parting(name, text, target)), {"parts": parts})


SEQ2SEQ = Page(
    st.tuples(
        st.just(translation_scenes),
        st.tuples(st.integers(0, 8), st.integers(0, 3), st.integers(0, 5)),
    )
    | st.tuples(
        st.just(measured_scenes),
        st.tuples(
            *[st.lists(COUNT | st.just(10), min_size=4, max_size=4)] * 2,
            st.tuples(COUNT, COUNT),
            st.tuples(*[st.sampled_from((0.5, 1.0, 2.0))] * 2),
        ),
    )
    | st.tuples(st.just(search_scenes), searches()),
    lambda case: case[0](case[1]),
    (
        Claim(
            "the decoder attends most to this word",
            r"To write (\S+), the decoder attends to (\S+): \S+ = (\S+?)\.(?: |$)",
            lambda m, f: (
                m[1] == f["attention"][0] and m[2] in f["largest"] and close(m[3], f["alpha"])
            ),
        ),
        Claim(
            "the right word is another",
            r"To write (\S+),.* The right word is (\S+)\.$",
            lambda m, f: m[1] != m[2] == f["target"][0],
        ),
        Claim(
            "one vector alone gives another word",
            r"To write (\S+),.* One vector alone gives (\S+)\.$",
            lambda m, f: m[1] != m[2] == f["vector"][0] and f["target"] in ([], [m[1]]),
        ),
        Claim(
            "forced on a place, the decoder writes another word, or the same",
            r"forced on (\S+), the decoder writes (\S+?)(?: instead of (\S+)|, too)\.$",
            lambda m, f: (
                m[1] == f["forced"]
                and m[2] == f["attention"][0]
                and f["free"][0] == (m[3] or m[2])
                and m[3] != m[2]
            ),
        ),
        Claim(
            "of so many words, attention and one vector have so many at their place",
            r"Of (\d+) words, attention has (\d+) at the right place, one vector (\d+)",
            lambda m, f: (
                [int(each) for each in m.groups()]
                == [f["words"], f["right"]["attention"], f["right"]["vector"]]
            ),
        ),
        Claim(
            "one vector falls below one half at this length",
            r"One vector falls below one half at (\d+) words: (\d+) of 20 .* attention, (\d+) of",
            lambda m, f: (
                int(m[1]) == first_below(f["vector"])
                and int(m[2]) == f["vector"][int(m[1])]
                and int(m[3]) == f["attention"][int(m[1])]
            ),
        ),
        Claim(
            "one vector translates at least half of every length",
            "at least half of the sentences of every length",
            lambda m, f: first_below(f["vector"]) is None,
        ),
        Claim(
            "attention fails at this length, longer than or within those of training",
            r"Attention(, too,)? fails on sources (longer than|within) the 12 .* at (\d+) words",
            lambda m, f: (
                int(m[3]) == first_below(f["attention"])
                and (int(m[3]) > 12) == (m[2] == "longer than")
                and bool(m[1]) == (first_below(f["vector"]) is not None)
            ),
        ),
        Claim(
            "no sentence is right from a length on",
            r"no sentence is right from (\d+) words on",
            lambda m, f: (
                (not any(right for n, right in f["attention"].items() if n >= int(m[1]))
                and any(right for n, right in f["attention"].items() if n == int(m[1]) - 6))
                or int(m[1]) == 6
            ),
        ),
        Claim(
            "the output depends on where α points: the intervals do not meet",
            "So the output of this model depends on where α points",
            lambda m, f: f["apart"],
        ),
        Claim(
            "the intervals of both shares overlap",
            "The intervals of both shares overlap",
            lambda m, f: not f["apart"],
        ),
        Claim(
            "its own words are the true ones: both losses are equal",
            "its own words are the true ones",
            lambda m, f: f["losses"][0] == f["losses"][1],
        ),
        Claim(
            "after its own words so many times the loss",
            r"after its own: (\S+) times as much",
            lambda m, f: close(m[1], f["losses"][1] / f["losses"][0]),
        ),
        Claim(
            "beam search finds greedy search's text",
            "the text that greedy search writes",
            lambda m, f: f["best"] == f["greedy"],
        ),
        Claim(
            "beam search's text is so many times as probable",
            r"finds a text that is (\S+) times as probable",
            lambda m, f: close(m[1], math.exp(f["log p"][f["best"]] - f["log p"][f["greedy"]])),
        ),
        Claim(
            "beam search's text is another, less probable or as probable",
            r"ranks first another text, (less probable than|as probable as)",
            lambda m, f: (
                f["best"] != f["greedy"]
                and (f["log p"][f["best"]] < f["log p"][f["greedy"]]) == ("less" in m[1])
                and f["log p"][f["best"]] <= f["log p"][f["greedy"]]
            ),
        ),
        Claim(
            "it is right in every word, or wrong",
            "It is (right in every word|wrong)",
            lambda m, f: (f["best"] == TARGET) == m[1].startswith("right"),
        ),
        Claim(
            "a search error: the true target is more probable",
            "which is higher: a search error",
            lambda m, f: f["log p"][TARGET] > f["log p"][f["best"]],
        ),
        Claim(
            "the model's error: the true target is less probable, or no more",
            "which is (lower|no higher): the model’s error",
            lambda m, f: (
                f["log p"][TARGET] <= f["log p"][f["best"]]
                and (f["log p"][TARGET] < f["log p"][f["best"]]) == (m[1] == "lower")
            ),
        ),
        Claim(
            "every word is right",
            "writes every word right",
            lambda m, f: not f["parts"],
        ),
        Claim(
            "the first wrong word is at this step",
            r"writes “\S+” at step (\d+), where “[^”]+” is right",
            lambda m, f: int(m[1]) == f["parts"][0],
        ),
    ),
    often=2,
)  # fmt: skip

PAGES = {"transfer": TRANSFER, "seq2seq": SEQ2SEQ}
