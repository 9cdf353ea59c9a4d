"""Claims of examples and beats about translation models and printed results."""

from functools import cache

from lessons.results.cases.in_use_picture import USES, WRITES
from lessons.seq2seq import cross_picture
from lessons.seq2seq.translated import translator
from lmcore.attention.cross_steps import trace_cross_attention
from lmcore.attention.translation_steps import one_place, trace_translation
from lmcore.corpora.translation import parse_source, translate_aligned
from lmcore.results.comparison import error_reduction
from lmcore.results.costs import GREEN_AI, doubling_time
from lmcore.results.recomputed import recompute
from lmcore.results.tables import NAMES, load_results
from lmcore.shipped.models import encoder_decoder
from lmcore.shipped.translation_curves import load_curves
from lmcore.vocabulary import END

# --- Encoder–decoder ------------------------------------------------------------------------------


def source_of(opens):
    return parse_source(opens["s2_source"], "mixture")


def target_of(opens):
    return list(translate_aligned(source_of(opens), "mixture").target)


@cache
def traced(name, source, forced=()):
    model = translator(name)
    alphas = {i: one_place(j, len(source) + 1) for i, j in forced}
    return trace_translation(model.network, model.vocabulary, source, forced=alphas or None)


def translations(opens, forced=()):
    """The translations with attention and with one vector, and the true target."""
    source = source_of(opens)
    steps = (traced("seq2seq_attention", source, forced), traced("seq2seq_vector", source))
    decode = translator("seq2seq_vector").vocabulary.decode
    return *(decode(each.written.tolist())[:-1] for each in steps), target_of(opens)


def swapped(words, one, other):
    return [other if word == one else one if word == other else word for word in words]


def places(opens):
    """At each step, the position of the source word with the largest α."""
    steps = traced("seq2seq_attention", source_of(opens))
    return steps.trace.weights[0].argmax(dim=-1).tolist()


def crosses(opens):
    found = places(opens)
    return found != sorted(found)


def noun_of_article(opens):
    """The article written at the step shown, and the source word with the largest α."""
    step = int(opens["s2_step"]) - 1
    return translations(opens)[0][step], source_of(opens)[places(opens)[step]]


def longest_in_training():
    return translator("seq2seq_attention").spec.corpus.longest


def looked_at(opens):
    """By the chosen head of the Transformer: each written word, and the word it looks at most."""
    source = (*source_of(opens), END)
    network, vocabulary, *_ = encoder_decoder()
    found = trace_cross_attention(network, vocabulary, source[:-1])
    weights = found.of_head(*cross_picture.head_of(opens["s2_head"]))
    return [
        (word, source[int(row.argmax())]) for word, row in zip(found.written, weights, strict=True)
    ]


SEQ2SEQ = {
    "Step 6 writes *viden*": lambda opens: (
        looked_at(opens)[int(opens["s2_step"]) - 1]
        == (
            "viden",
            "see",
        )
    ),
    "At **see**: in the invented language the verb comes last": lambda opens: (
        looked_at(opens)[5:] == [("viden", "see"), (END, END)]
        and source_of(opens).index("see") < source_of(opens).index(looked_at(opens)[4][1])
    ),
    "The path is the other word order: the, dogs, big, a, cat, see": lambda opens: (
        [word for _, word in looked_at(opens)][:6] == ["the", "dogs", "big", "a", "cat", "see"]
    ),
    "Where one head of a Transformer’s decoder looks, step by step": lambda opens: (
        opens["s2_head"] == "2.2" and len(looked_at(opens)) == 7
    ),
    "One vector swaps two nouns; attention finds each": lambda opens: (
        (found := translations(opens))[0] == found[2]
        and found[1] == swapped(found[2], "man", "cup")
    ),
    "Short enough for one vector: both are right": lambda opens: (
        (found := translations(opens))[0] == found[1] == found[2]
    ),
    "Nouns before adjectives, the verb at the end: the lines cross": lambda opens: (
        crosses(opens)
        and target_of(opens)[:4] == ["lan", "balan", "granan", "rudan"]
        and [source_of(opens)[i] for i in places(opens)[1:4]] == ["balls", "big", "red"]
        and source_of(opens)[places(opens)[-2]] == "sleep"
    ),
    "The article looks at its noun, which decides its gender and number": lambda opens: (
        noun_of_article(opens) == ("lon", "dogs")
        and target_of({"s2_source": opens["s2_source"].replace("dogs", "balls")})[0] == "lan"
        and target_of({"s2_source": "the big dog sees a cat"})[0] == "lo"
    ),
    "17 words in one vector of 128 numbers": lambda opens: (
        len(source_of(opens)) == 17 and translator("seq2seq_vector").network.config.hidden == 128
    ),
    "25 words, trained on 20 at most: attention ends too early": lambda opens: (
        len(source_of(opens)) == 25
        and len((found := translations(opens))[0]) < len(found[2])
        and found[0] == found[2][: len(found[0])]
        and longest_in_training() == 20
    ),
    "All of α₂ on the cup: the decoder writes cup": lambda opens: (
        source_of(opens)[1] == "cup" and translations(opens, ((1, 1),))[0][1] == "cup"
    ),
    "What comes out is its active form": lambda opens: (
        translations(opens)[0] == target_of(opens)
        and "by" in source_of(opens)
        and target_of(opens)[0] == source_of(opens)[source_of(opens).index("by") + 1]
    ),
    "The encoder keeps one state **hⱼ** for each word": lambda opens: (
        traced("seq2seq_attention", source_of(opens)).trace.weights.shape[-1]
        == len(source_of(opens)) + 1  # </s>
    ),
    "The lines cross, for the order changes": crosses,
    "lost who did what: *a cup hid the man*": lambda opens: (
        translations(opens)[1][:5] == ["a", "cup", "hid", "the", "man"]
        and sorted(translations(opens)[1]) == sorted(target_of(opens))
    ),
    "Force all of **α** onto *cup*, and the decoder writes *cup*": lambda opens: (
        translations(opens)[0][1] != "cup" == translations(opens, ((1, 1),))[0][1]
    ),
    "the decoder looks at the noun, which decides gender and number": lambda opens: (
        noun_of_article(opens) == ("lon", "dogs")
    ),
    "by their **length**: 1,000 of each from 5 words on, recorded": lambda _: all(
        (each.sentences == 1000) == (each.length >= 5)
        for curve in load_curves()
        for each in curve.scores
    ),
}

# --- Results --------------------------------------------------------------------------------------


def numbers(table, key):
    """Row → its value of a measure, for the rows that have one."""
    found = load_results(table)
    values = zip(found.rows, found.values(key), strict=True)
    return {row.name: value for row, value in values if value == value}


BIG, BASE, ENSEMBLE = "Transformer (big)", "Transformer (base)", "ConvS2S Ensemble"


def best_before(score):
    """The best system that is not a Transformer."""
    scores = numbers("wmt", score)
    return max((name for name in scores if "Transformer" not in name), key=scores.get)


def on_frontier(score, cost):
    """The systems for which no other scores at least as high at no higher cost."""
    up, down = numbers("wmt", score), numbers("wmt", cost)
    both = [name for name in up if name in down]
    return {
        one
        for one in both
        if not any(
            up[other] >= up[one] and down[other] <= down[one] and other != one for other in both
        )
    }


def gains(opens):
    """By how much the chosen system scores above the other on each task of GLUE."""
    table = load_results("glue")
    one, other = (table.rows[int(opens[f"re_{name}"]) - 1] for name in ("chosen", "with"))
    return {key: table.decimal(one, key) - table.decimal(other, key) for key in table.scores}


def examples_of(*tasks):
    """The numbers of training examples printed below some tasks of GLUE."""
    columns = {each.measures[0].key: each for each in load_results("glue").columns}
    return [columns[task].below for task in tasks]


def out_of_line(table):
    return [each.row for each in recompute(table) if each.agrees is False]


def rises(table, key, by, *, falling=False):
    """Whether a measure rises from row to row as another rises or, with `falling`, falls."""
    rows = sorted(numbers(table, by), key=numbers(table, by).get, reverse=falling)
    found = [numbers(table, key)[name] for name in rows]
    return found == sorted(found) and len(set(found)) == len(found)


def top(key):
    return max(numbers("clip", key), key=numbers("clip", key).get)


def of_pair(opens, key):
    """A measure of the chosen row, and of the row it is compared with."""
    values = load_results(opens["re_table"]).values(key)
    return [values[int(opens[f"re_{name}"]) - 1] for name in ("chosen", "with")]


RESULTS = {
    "which systems are on the frontier": lambda _: on_frontier("de", "cost_de") == {BIG, BASE},
    "the best ensemble beside the Transformer": lambda _: best_before("fr") == ENSEMBLE,
    "Rounded numbers, and one from a later version": lambda _: (
        out_of_line("rounding") == ["Transformer*"]
    ),
    "Nine scores of five systems": lambda _: (
        len((table := load_results("glue")).scores) == 9 and len(table.rows) == 5
    ),
    "Each average recomputed; one does not come out": lambda _: (
        out_of_line("glue") == ["BiLSTM+ELMo+Attn"]
    ),
    "Six systems, each with ELMo’s vectors added": lambda _: len(load_results("elmo").rows) == 6,
    "Six sizes: the lower the perplexity of masked words, the better the task": lambda _: (
        len(load_results("bert_sizes").rows) == 6
        and all(rises("bert_sizes", task, "ppl", falling=True) for task in ("mnli", "mrpc", "sst"))
    ),
    "Four scores, four gains": lambda _: (
        len(numbers("bert_abstract", "score")) == len(numbers("bert_abstract", "gain")) == 4
    ),
    "The same model on more text, for longer": lambda opens: (
        of_pair(opens, "seen")[0] > of_pair(opens, "seen")[1]
        and of_pair(opens, "data")[0] > of_pair(opens, "data")[1]
    ),
    "Layers that share their parameters: how many fewer": lambda opens: (
        (found := of_pair(opens, "parameters"))[0] < found[1]
    ),
    "Estimates of 2019": lambda _: "2019" in load_results("co2").date + load_results("co2").source,
    "Thirteen tables, as printed": lambda _: len(NAMES) == 13,
    "A paper label turns an apple into an iPod": lambda _: (
        [top("apple"), top("labelled")] == ["Granny Smith", "iPod"]
    ),
    "The big **Transformer** is better than the best ensemble": lambda _: (
        numbers("wmt", "de")[BIG] > numbers("wmt", "de")[best_before("de")]
        and best_before("de") == ENSEMBLE
    ),
    "Less than a third. No other system is as good **and** as cheap as one of the two": lambda _: (
        0.25 < numbers("wmt", "cost_de")[BIG] / numbers("wmt", "cost_de")[ENSEMBLE] < 1 / 3
        and on_frontier("de", "cost_de") == {BIG, BASE}
    ),
    "English to French is closer: the best ensemble scores a little more, at **52 times**": (
        lambda _: (
            best_before("fr") == ENSEMBLE
            and 0 < numbers("wmt", "fr")[ENSEMBLE] - numbers("wmt", "fr")[BIG] < 0.5
            and round(numbers("wmt", "cost_fr")[ENSEMBLE] / numbers("wmt", "cost_de")[BIG]) == 52
        )
    ),
    "Where there is little to learn from: CoLA has 8,500 examples, RTE 2,500": lambda opens: (
        {*sorted(gains(opens), key=gains(opens).get)[-2:]} == {"cola", "rte"}
        and examples_of("cola", "rte") == ["8.5k", "2.5k"]
    ),
    "one of the five printed here does not come out": lambda _: (
        len(out_of_line("glue")) == 1 and len(recompute("glue")) == 5
    ),
    "A point near 100 is worth more than one near 50": lambda _: (
        error_reduction(98.0, 99.0) > 20 * error_reduction(50.0, 51.0)
    ),
    "**ALBERT** shares the parameters of all blocks: fewer to store, though not fewer": (
        lambda opens: (
            (stored := of_pair(opens, "parameters"))[0] < stored[1]
            and (speed := of_pair(opens, "speedup"))[0] < speed[1]
        )
    ),
    "Six labels are printed; all others share the rest": lambda _: (
        len(numbers("clip", "apple")) == 6 and sum(numbers("clip", "apple").values()) < 100
    ),
    "**300,000 times** in six years is a doubling about every **four months**": lambda _: (
        GREEN_AI == (300_000, 6 * 12) and round(doubling_time(*GREEN_AI)) == 4
    ),
    "a decoder, whose words see only what came before, and the language-model head": lambda _: (
        USES["assistant"].model == "decoder" and USES["assistant"].runs["decoder"].head == WRITES
    ),
    "Model and head stay those of the assistant": lambda _: (
        USES["human"].model == USES["assistant"].model == "decoder"
        and USES["human"].runs["decoder"].head == USES["assistant"].runs["decoder"].head
    ),
    "searching an architecture emits as much as **five cars**": lambda opens: (
        opens["re_table"] == "co2"
        and round(of_pair(opens, "co2")[0] / of_pair(opens, "co2")[1]) == 5
    ),
}

CLAIMS = {"seq2seq": SEQ2SEQ, "results": RESULTS}
