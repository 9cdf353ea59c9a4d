"""Claims of examples and beats about generation and subword tokens."""

import math
from functools import cache
from itertools import pairwise, product

import torch
from texts_of_models import model_of

from lmcore.decoding.beam import BeamConfig, search
from lmcore.decoding.continuations import continue_prompt
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.token_by_token import SamplingConfig, generate_steps
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.shipped.models import load_shipped
from lmcore.tokenization import library, merges, packing, pieces, texts
from lmcore.tokenization.inputs import pad_reading, word_spans
from lmcore.tokenization.rules import MERGE_RULES
from ui import pretrained

# --- Generation -----------------------------------------------------------------------------------

PROMPTS = {"tree": "gen_tree", "character_lstm": "gen_letters", "gpt_prose": "gen_prose"}


@cache
def writer_of(name):
    if name == "tree":
        model = TreeModel()
    else:
        model = model_of("trigram-kn") if name == "trigram" else load_shipped(name)[0]
    return writer_from_vocabulary(name, model, model.vocabulary)


def prompt_of(opens):
    name = opens["gen_model"]
    return writer_of(name), writer_of(name).read(opens[PROMPTS.get(name, "gen_text")])


def settings_of(opens):
    names = {"temperature", "top_p", "min_p", "repetition", "length_penalty"}
    numbers = {name: float(opens[f"gen_{name}"]) for name in names}
    whole = {name: int(opens[f"gen_{name}"]) for name in ("top_k", "width")}
    return StrategySettings(**numbers, **whole)


def written(opens, strategy, **changed):
    """The tokens that a strategy writes, and their total log p under the model."""
    its = {**opens, **changed}
    writer, prompt = prompt_of(its)
    found = continue_prompt(
        writer,
        prompt,
        STRATEGIES[strategy],
        settings_of(its),
        seed=int(its["gen_seed"]),
        length=int(its["gen_length"]),
    )
    return found.tokens, float(found.log_p.sum())


def words_of(opens, strategy, **changed):
    return writer_of(opens["gen_model"]).text(written(opens, strategy, **changed)[0]).split()


def loops(tokens, least=3):
    """Whether a text ends in at least `least` repetitions of one sequence of tokens."""
    return any(
        tokens[-n * least :] == tokens[-n:] * least for n in range(1, len(tokens) // least + 1)
    )


def kept(opens):
    """For each lane, the tokens that its filters keep at the first step."""
    writer, prompt = prompt_of(opens)
    found = {}
    for name in opens["gen_shown"].split(", "):
        how = SamplingConfig(1, filters=STRATEGIES[name].filters(settings_of(opens)), seeds=(0,))
        (step,) = generate_steps(writer.model, prompt[None], how)
        found[name] = frozenset(torch.isfinite(step.stages[-1].scores[0]).nonzero()[:, 0].tolist())
    return found


def first_p(opens, temperature=1.0):
    writer, prompt = prompt_of(opens)
    return (writer.model.start(prompt[None])[0][0].double() / temperature).softmax(dim=-1)


def is_greedy_when_cold(opens):
    """Whether near temperature 0 the first token is nearly always greedy search's token."""
    p = first_p(opens, 0.01)
    return float(p.max()) > 0.999 and int(p.argmax()) == written(opens, "greedy")[0][0]


def improbable(opens, temperature):
    """How often the first token, drawn at a temperature, has p < 1 % at temperature 1."""
    return float(first_p(opens, temperature)[first_p(opens) < 0.01].sum())


def texts_of_the_tree(edges):
    """Each text of the figure with its probability, and the text that greedy search writes."""
    start, yes, ok = ([float(p) for p in row.split()] for row in edges.split(","))
    following = {"yes": dict(zip(("yes", "ok", ""), yes, strict=True))}
    following["ok"] = dict(zip(("yes", "ok", ""), ok, strict=True))
    first = dict(zip(("yes", "ok", ""), start, strict=True))
    p = {(): first[""]}
    for one, other in product(("yes", "ok"), ("yes", "ok", "")):
        p[tuple(word for word in (one, other) if word)] = first[one] * following[one][other]
    one = max(first, key=first.get)
    return p, (one, max(following[one], key=following[one].get))


def widths(opens):
    """How many hypotheses a beam search keeps after each step."""
    writer, prompt = prompt_of(opens)
    how = BeamConfig(int(opens["gen_width"]), int(opens["gen_length"]), writer.stop)
    return [len(step.under_way) for steps in search(writer.model, prompt, how) for step in steps]


def forced_text(opens):
    """The forced position, and the tokens and u of two walks from one seed: free, then forced."""
    writer, prompt = prompt_of(opens)
    place, token = map(int, opens["gen_forced"].split("~")[1].split(":"))
    found = []
    for forced in ({}, {place - 1: token}):
        how = SamplingConfig(
            int(opens["gen_length"]), writer.stop, seeds=(int(opens["gen_seed"]),), forced=forced
        )
        steps = list(generate_steps(writer.model, prompt[None], how))
        tokens = [writer.shown(int(step.tokens[0])) for step in steps]
        found.append((tokens, [float(step.uniforms[0]) for step in steps]))
    return place - 1, *found


def one_walk_two_texts(opens):
    place, (free, u), (forced, v) = forced_text(opens)
    both = min(len(u), len(v))
    return (
        u[:both] == v[:both] and free[:place] == forced[:place] and free[place:] != forced[place:]
    )


GENERATION = {
    "greedy search, beam search of width 4, random walk": lambda opens: (
        opens["gen_width"] == "4" and opens["gen_shown"] == "greedy, beam, walk"
    ),
    "Greedy takes yes, then yes: .20. With two hypotheses, ok ok is found: .28": lambda opens: (
        (found := texts_of_the_tree(opens["tree_edges"]))[1] == ("yes", "yes")
        and math.isclose(found[0]["yes", "yes"], 0.20)
        and words_of(opens, "beam") == ["ok", "ok"]
        and math.isclose(found[0]["ok", "ok"], 0.28)
    ),
    "top-k, top-p and min-p keep different sets of tokens": lambda opens: (
        len({*kept(opens).values()}) == len(kept(opens)) == 3
    ),
    "sums of log p favour short texts; divided by the length, longer ones may win": lambda opens: (
        len(written(opens, "beam")[0]) < len(written(opens, "beam", gen_length_penalty="1")[0])
    ),
    "twenty seeds of every strategy": lambda opens: opens["bench_seeds"] == "20",
    "repeats itself endlessly; the random walk escapes the loop": lambda opens: (
        loops(written(opens, "greedy")[0]) and not loops(written(opens, "walk")[0])
    ),
    "“tired” is forced where “deep” was drawn": lambda opens: (
        (found := forced_text(opens))[1][0][found[0]] == "deep" and found[2][0][found[0]] == "tired"
    ),
    "Near temperature 0 the walk is greedy search; at 2 improbable tokens are drawn often": (
        lambda opens: (
            is_greedy_when_cold(opens)
            and opens["gen_temperature"] == "2"
            and improbable(opens, 2) > 0.15 > 20 * improbable(opens, 1)
        )
    ),
    "trained on a story: its greedy text ends in a loop": lambda opens: loops(
        written(opens, "greedy")[0]
    ),
    "Beam search wins. Greedy takes the **largest bar**": lambda opens: (
        (log_p := {name: written(opens, name)[1] for name in opens["gen_shown"].split(", ")})
        and max(log_p, key=log_p.get) == "beam"
        and written(opens, "greedy")[0][0] == int(first_p(opens).argmax())
    ),
    "Each cuts in its own way": lambda opens: len({*kept(opens).values()}) == 3,
    "near 0 the walk is greedy, above 1 improbable tokens are drawn often": lambda opens: (
        is_greedy_when_cold(opens) and improbable(opens, 2) > 0.15 > 20 * improbable(opens, 1)
    ),
    "Greedy search **loops** where the model forgets. The random walk escapes": lambda opens: (
        loops(written(opens, "greedy")[0]) and not loops(written(opens, "walk")[0])
    ),
    "greedy takes “yes”, “yes”: **.20**. It never looks at “ok ok”: **.28**": lambda opens: (
        words_of(opens, "greedy") == ["yes", "yes"]
        and math.isclose(texts_of_the_tree(opens["tree_edges"])[0]["yes", "yes"], 0.20)
        and math.isclose(texts_of_the_tree(opens["tree_edges"])[0]["ok", "ok"], 0.28)
    ),
    "Beam search keeps **k** hypotheses, and prunes the rest": lambda opens: (
        {*widths(opens)[1:]} == {int(opens["gen_width"])}
    ),
    "the random numbers stay the same, the text after it does not": one_walk_two_texts,
    "**twenty** of each": lambda opens: opens["bench_seeds"] == "20",
}

# --- Tokens ---------------------------------------------------------------------------------------


def trained_on(opens):
    return merged(opens["tokens_text"], opens["tokens_rule"], int(opens["tokens_n"]))


@cache
def merged(text, rule, count):
    """At least the first `count` merges; the merges of a larger vocabulary begin with these."""
    words, how = texts.shipped_word_counts(text), MERGE_RULES[rule]
    return merges.train(words, how, merges.fewest_types(words, how) + max(count, 6))


def split_of(opens, word, merged_so_far=None):
    """The pieces of a word after the example's merges, or after the first `merged_so_far`."""
    trace = trained_on(opens)
    steps = int(opens["tokens_n"]) if merged_so_far is None else merged_so_far
    found = pieces.segmentations([word], trace)
    return [each for each in found if each.merges <= steps][-1].words[0]


def counts(opens):
    return texts.shipped_word_counts(opens["tokens_text"]).counts


def side_by_side(opens):
    """How often two letters are adjacent in the words of the text, counted by hand."""
    found = {}
    for word, count in counts(opens).items():
        letters = MERGE_RULES[opens["tokens_rule"]].letters(word)
        for pair in pairwise(letters):
            found[pair] = found.get(pair, 0) + count
    return found


def pieces_of_frequent(opens):
    """The mean number of pieces of the fifty most frequent words, and of words that occur once."""
    words, rule = texts.shipped_word_counts(opens["tokens_text"]), MERGE_RULES["wordpiece"]
    types = merges.fewest_types(words, rule) + int(opens["tokens_n"])
    known = library.train(words.counts, rule, types).vocabulary
    by_count = sorted(counts(opens), key=counts(opens).get, reverse=True)
    once = [word for word, count in counts(opens).items() if count == 1]
    return [
        sum(len(pieces.longest_match(word, known).pieces) for word in some) / len(some)
        for some in (by_count[:50], once)
    ]


def packed(opens):
    reader = library.build_tokenizer(trained_on(opens), int(opens["tokens_n"]))
    return packing.pack(
        reader, opens["tokens_first"], opens["tokens_second"], int(opens["tokens_length"])
    ).tokens


def read_input(opens):
    """The pair that enters the English encoder, with [PAD] if that is switched on."""
    reader = pretrained.load("minilm")
    read = reader.read(opens["tokens_first"], opens["tokens_second"])
    return pad_reading(read, 0, 4) if opens["tokens_pad"] == "true" else read


def tokens_read(opens):
    return read_input(opens).tokens


def spans_of(opens):
    read = read_input(opens)
    return word_spans(read.tokens, read.special.tolist())


def count_rows(opens):
    """Words, rows, and special tokens."""
    read = read_input(opens)
    return len(spans_of(opens)), len(read.tokens), int(read.special.sum())


def is_framed(opens):
    """Whether the row is [CLS] a [SEP] b [SEP], then [PAD] to its end."""
    row = packed(opens)
    ends = [i for i, token in enumerate(row) if token == "[SEP]"]
    return (
        row[0] == "[CLS]"
        and len(ends) == 2
        and {*row[ends[1] + 1 :]} == {"[PAD]"}
        and "[PAD]" not in row[: ends[1]]
    )


TOKENS = {
    "A word that the text does not have, made of two pieces that it has": lambda opens: (
        "flightless" not in counts(opens)
        and split_of(opens, "flightless") == ("flight", "##less")
        and split_of(opens, "flight") == ("flight",)
    ),
    "flight\\</w\\> is a piece, and flightless does not begin with it": lambda opens: (
        "flight</w>" in trained_on(opens).vocabulary(int(opens["tokens_n"]))
        and not split_of(opens, "flightless")[0].startswith("flight")
    ),
    "BERT tries the longest piece first: ten letters, nine, eight": lambda opens: (
        [
            len(each.piece)
            for each in pieces.longest_match(
                opens["tokens_sentence"], trained_on(opens).vocabulary(int(opens["tokens_n"]))
            ).attempts[:3]
        ]
        == [10, 9, 8]
    ),
    "low 5, lower 2, newest 6, widest 3": lambda opens: (
        dict(counts(opens)) == {"low": 5, "lower": 2, "newest": 6, "widest": 3}
    ),
    "frequent words become one piece, rare ones stay in several": lambda opens: (
        (found := pieces_of_frequent(opens))[0] < 1.2 and found[1] > 2
    ),
    "Three ways to train, compared": lambda _: len(MERGE_RULES) == 3,
    "[CLS] first, a [SEP] after each sentence, [PAD] to the end, [UNK] for words": lambda opens: (
        is_framed(opens) and "[UNK]" in packed(opens)
    ),
    "One unknown letter turns the whole word into [UNK]": lambda opens: (
        pieces.longest_match(
            opens["tokens_word"], trained_on(opens).vocabulary(int(opens["tokens_n"]))
        ).pieces
        == ("[UNK]",)
    ),
    "**##e ##s** stand side by side 15 times. No pair is more frequent": lambda opens: (
        (found := side_by_side(opens))["##e", "##s"] == 15 == max(found.values())
    ),
    "So they become one piece: **##es**, the first merge": lambda opens: (
        trained_on(opens).merges[0].piece == "##es"
    ),
    "after six merges there is **##less**": lambda opens: (
        "##less" in trained_on(opens).vocabulary(6)
        and "##less" not in trained_on(opens).vocabulary(5)
    ),
    "Two: **flight ##less**. The text does not have the word, but it has its parts": (
        lambda opens: (
            split_of(opens, "flightless") == ("flight", "##less")
            and "flightless" not in counts(opens)
            and min(counts(opens)[word] for word in ("flight", "less")) > 0
        )
    ),
    "It has learned **flight\\</w\\>**, and flightless does not begin with that": lambda opens: (
        "flight</w>" in trained_on(opens).vocabulary(int(opens["tokens_n"]))
        and not split_of(opens, "flightless")[0].startswith("flight")
    ),
    "by the **longest** piece first, then one letter less": lambda opens: (
        (
            found := pieces.longest_match(
                opens["tokens_sentence"], trained_on(opens).vocabulary(int(opens["tokens_n"]))
            ).attempts
        )[0].end
        == len(opens["tokens_sentence"])
        == found[1].end + 1
    ),
    "the **whole word** becomes [UNK]": lambda opens: (
        pieces.longest_match(
            opens["tokens_word"], trained_on(opens).vocabulary(int(opens["tokens_n"]))
        ).pieces
        == ("[UNK]",)
    ),
    "**frequent words** become one piece; rare ones stay in several": lambda opens: (
        (found := pieces_of_frequent(opens))[0] < 1.2 and found[1] > 2
    ),
    "**[CLS]** a **[SEP]** b **[SEP]**, then [PAD]": is_framed,
    "A second sentence: **eight words**": lambda opens: count_rows(opens)[0] == 8,
    "**Twelve**, three of them for special tokens. In each column **three rows**": lambda opens: (
        count_rows(opens) == (8, 12, 3)
    ),
    "A word without a row of its own becomes two pieces": lambda opens: (
        [len(span) for span in spans_of(opens)].count(2) == 1
    ),
    "[CLS], [SEP], [MASK], [PAD], and [UNK] for ☃": lambda opens: (
        {"[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]"} <= {*tokens_read(opens)}
        and "☃" in opens["tokens_second"]
    ),
    "**[CLS]** opens, **[SEP]** closes, **[MASK]** hides, **[UNK]** is unknown": lambda opens: (
        tokens_read(opens)[0] == "[CLS]" and tokens_read(opens)[-1] == "[PAD]"
    ),
}

CLAIMS = {"generation": GENERATION, "tokens": TOKENS}
