"""What the Generation page sends to its scripts: tokens with colours, and their numbers."""

import math
import re
from dataclasses import replace
from itertools import chain
from typing import get_args

import pytest
import torch

from drawing.theme import probability_colours
from lessons.generation import (
    generation_code,
    generation_picture,
    generation_state,
    generation_text,
)
from lessons.generation.generation_picture import SteppedBranch
from lmcore.corpora.microworld import microworld
from lmcore.decoding import sweeps
from lmcore.decoding.continuations import GrammarVerdict, continue_prompt
from lmcore.decoding.stepping import decoding_steps
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.sweeps import sweep_first_token
from lmcore.decoding.token_by_token import SamplingConfig
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.numbers import format_number
from lmcore.shipped.models import load_shipped

GPT, _, _ = load_shipped("gpt")
WRITER = writer_from_vocabulary("gpt", GPT, GPT.vocabulary, microworld())
PROMPT = WRITER.read("the animal didn't cross the")
TREE = writer_from_vocabulary("tree", TreeModel(), TreeModel().vocabulary)
NAMES = ("greedy", "beam", "walk")


def text_of(writer, name, prompt=PROMPT, **how):
    told = {"seed": 1, "length": 40} | how
    return continue_prompt(writer, prompt, STRATEGIES[name], StrategySettings(), **told)


TEXTS = {name: text_of(WRITER, name) for name in NAMES}


def read(first, texts, sliders=(), power=1.0):
    now, swept = generation_picture.numbers(first, texts, sliders, power)
    return {name: float(value) for name, value in now.items()}, swept


def test_a_strategy_has_its_texts_tokens_each_in_the_colour_of_its_p():
    first = sweep_first_token(WRITER.model, PROMPT, StrategySettings(), 1, tuple(STRATEGIES))
    told = generation_picture.strategies(WRITER, "a prompt", first, TEXTS, NAMES, "walk", 1)
    assert told["lanes"] == list(NAMES) and told["lane"] == "walk"
    assert [each["name"] for each in told["strategies"]] == list(STRATEGIES)
    assert told["rows"] == [GPT.vocabulary.tokens[i] for i in first.tokens.tolist()]
    assert told["others"] == WRITER.types - len(told["rows"])
    for each in told["strategies"][:3]:
        text = TEXTS[each["name"]]
        assert [c["text"] for c in each["chips"]] == GPT.vocabulary.decode(text.tokens)
        for chip, log_p in zip(each["chips"], text.log_p.tolist(), strict=True):
            assert chip["p"] == pytest.approx(math.exp(log_p))
            assert (chip["fill"], chip["ink"]) == probability_colours(min(chip["p"], 1))
        assert each["sums"][-1] == pytest.approx(text.total)
        assert each["perplexity"] == format_number(math.exp(-text.total / len(text.tokens)))
        assert told["rows"][each["first"]] == each["chips"][0]["text"]
        assert each["note"] == "ends by itself" and not each["beyond"] and not each["same"]
    for each in told["strategies"][3:]:
        assert not each["written"] and each["chips"] == []
    now, swept = read(first, TEXTS, ["top_k", "temperature"])
    for name, text in TEXTS.items():
        assert now[f"{name}.total"] == pytest.approx(text.total)
    assert now["beam.score"] == pytest.approx(TEXTS["beam"].mean)
    assert math.isnan(now["top_k.total"])
    for name, odds in first.now.items():
        assert now[f"@{name}.kept"] == float(odds.kept)
        assert [now[f"{name}.{row}"] for row in range(len(odds.probabilities))] == (
            odds.probabilities.tolist()
        )
    assert torch.equal(swept["top_k.0"][0], first.swept["top_k"]["top_k"].probabilities[:, 0])
    assert set(swept["top_k.0"][1].tolist()) == {now["top_k.0"]}
    assert set(swept) == set(now)


def test_equal_texts_are_named_and_others_by_where_they_differ():
    first = sweep_first_token(WRITER.model, PROMPT, StrategySettings(), 1, tuple(STRATEGIES))
    texts = {**TEXTS, "repetition": TEXTS["greedy"], "typical": TEXTS["beam"]}
    told = generation_picture.strategies(WRITER, "a prompt", first, texts, NAMES, "", 1)
    by = {each["name"]: each for each in told["strategies"]}
    assert by["repetition"]["same"] == "Greedy" and by["typical"]["same"] == "Beam search"
    greedy, walk = TEXTS["greedy"].tokens, TEXTS["walk"].tokens
    place = next(i for i in range(99) if greedy[i] != walk[i])
    assert by["walk"]["differs"] == GPT.vocabulary.tokens[walk[place]]
    assert by["repetition"]["differs"] == ""


def test_what_the_grammar_never_says_is_marked_from_its_first_word_on():
    bad = text_of(WRITER, "greedy", WRITER.read("the the"), length=3)
    assert bad.judged.wrong == -1
    assert generation_text.note(bad) == "prompt excluded"
    late = replace(bad, judged=GrammarVerdict(-math.inf, 2))
    assert generation_text.note(late) == "ungrammatical"
    chips = generation_picture.chips(WRITER, [3, 4, 5], [0.1, 0.2, 0.3], wrong=1, forced={2: 5})
    assert [chip["wrong"] for chip in chips] == [False, True, True]
    assert [chip["forced"] for chip in chips] == [False, False, True]


def test_every_strategy_has_a_name_that_the_script_knows():
    assert get_args(generation_picture.StrategyName) == tuple(STRATEGIES)


def test_a_step_is_told_with_all_its_numbers():
    strategy = STRATEGIES["together"]
    how = strategy.sampling_config(StrategySettings(), 1, length=40, stop=WRITER.stop)
    made = tuple(decoding_steps(WRITER.model, PROMPT, how))
    other = SamplingConfig(40, WRITER.stop, how.filters, how.seeds, {0: 81})
    forced = SteppedBranch({0: 81}, tuple(decoding_steps(WRITER.model, PROMPT, other)))
    told = generation_picture.stepper(WRITER, "a prompt", [SteppedBranch({}, made), forced], 0, 3)
    assert len(told["steps"]) == len(made) and told["at"] == 3
    for step, said in zip(made, told["steps"], strict=True):
        assert said["ids"] == step.tokens.tolist() and said["labels"][said["chosen"]]
        assert said["ids"][said["chosen"]] == step.chosen
        assert (said["p"] == step.probabilities.numpy()).all()
        assert all(name in told["stages"] for name in said["names"])
    one, two = told["branches"]
    assert one["title"] == "Nothing forced" and two["title"] == "Forced: token 1 = field"
    assert two["chips"][0]["forced"] and two["chips"][0]["text"] == "field"
    model = [float(s.probabilities[0][s.tokens == s.chosen][0]) for s in forced.steps]
    total = format_number(sum(map(math.log, model)))
    assert two["said"].startswith(f"log p {total}, {len(model)} tokens")
    late = generation_text.branch_title({9: 3}, 4, str)
    assert late == "Forced: token 10 = 3, not reached"


def test_nothing_left_to_choose_is_told_too():
    dead = torch.tensor([0, TreeModel().vocabulary.ids["</s>"]])
    branch = SteppedBranch(
        {}, tuple(decoding_steps(TREE.model, dead, SamplingConfig(4, seeds=(1,))))
    )
    told = generation_picture.stepper(TREE, "", [branch], 0, 0)
    assert told["steps"][0]["chosen"] == told["steps"][0]["free"] == -1
    assert told["branches"][0]["chips"] == []
    none = text_of(TREE, "walk", dead)
    assert generation_text.finding(["walk"], {"walk": none}) == (
        "No strategy could write a token here: every token has p = 0."
    )
    first = sweep_first_token(TREE.model, dead, StrategySettings(), 1, tuple(STRATEGIES))
    told = generation_picture.strategies(TREE, "", first, {"walk": none}, ["walk"], "", 1)
    assert told["strategies"][0]["note"] == "nothing is left" and told["marked"] == ""
    assert generation_text.formulas(["walk"], {"walk": none}, "yes", 1.0, ())[0] == []
    assert "No strategy could write a token" in generation_text.describe(
        ["walk"], {"walk": none}, "", TREE
    )
    assert math.isnan(generation_text.number_row("walk", none)[2])


def test_a_token_that_cannot_be_seen_has_a_sign_and_a_long_one_is_cut():
    model, _, _ = load_shipped("character_lstm")
    letters = writer_from_vocabulary("letters", model, model.vocabulary)
    seen = [generation_picture.label(letters, model.vocabulary.ids[c]) for c in (" ", "\n", "A")]
    assert seen == ["␣", "⏎", "A"]
    assert "no grammar of this text" in generation_text.numbers_words(letters)


def test_the_finding_compares_what_was_written():
    assert generation_text.finding(NAMES, TEXTS).startswith(
        "**Greedy’s** text is more probable here: log p =="
    )
    assert generation_text.marked(NAMES, TEXTS) == "greedy.total"
    tree = {
        name: continue_prompt(
            TREE, TREE.read(""), STRATEGIES[name], StrategySettings(width=2), seed=1, length=9
        )
        for name in NAMES[:2]
    }
    assert generation_text.finding(NAMES[:2], tree).startswith(
        "**Beam search** finds a text {times} times"
    )
    assert generation_text.times(tree["greedy"].total, tree["beam"].total) == pytest.approx(1.4)
    assert generation_text.times(0.0, -1e9) > 0 and math.isfinite(generation_text.times(-1e9, 0.0))
    alone = {"beam": TEXTS["beam"], "greedy": TEXTS["beam"]}
    assert "write **the same text**" in generation_text.finding(NAMES[:2], alone)
    walks = {"walk": TEXTS["walk"], "top_k": TEXTS["walk"]}
    assert generation_text.finding(list(walks), walks).startswith("All 2 write **the same text**")
    walks["top_k"] = TEXTS["greedy"]
    assert generation_text.finding(list(walks), walks).startswith(
        "Of the 2, **Top-k** writes the most"
    )
    assert generation_text.finding(["walk"], walks).startswith(
        "**Random walk** writes a text with log p"
    )


def test_sentences_and_formulas_of_a_drag_are_true_at_each_position():
    first = sweep_first_token(WRITER.model, PROMPT, StrategySettings(), 1, tuple(STRATEGIES))
    sliders = list(sweeps.SLIDER_RANGES)
    now, swept = read(first, TEXTS, sliders)
    names = list(STRATEGIES)
    taken = {name: [t for t in each.takes if t in sliders] for name, each in STRATEGIES.items()}
    said = generation_text.sentences(names, "finding", "street", 282, taken)
    formulas = generation_text.formulas(names, TEXTS, "street", 1.0, sliders)
    assert len(said) == len(formulas) == generation_text.ROWS_EACH * len(names)
    slots = {
        slot for text in (*said, *chain(*formulas)) for slot in re.findall(r"{([^{}]+)}", text)
    }
    assert slots <= {*now, *sliders}
    for name in ("top_k", "top_p", "min_p", "typical"):
        row = sliders.index(name)
        p, mass = swept[f"{name}.0"][row], swept[f"{name}.mass"][row]
        kept = p > 0
        assert torch.allclose(p[kept], (now["walk.0"] / mass)[kept])
        assert (
            "{" + name + ".mass}" in formulas[generation_text.ROWS_EACH * names.index(name) + 1][0]
        )


def test_every_stage_end_and_strategy_has_its_words():
    assert set(generation_text.STRATEGY_WORDS) == set(STRATEGIES)
    assert set(generation_text.ENDS) == set(generation_text.NOTES)
    assert set(generation_text.ENDS) == {"", "stop", "length", "room", "time", "nothing left"}
    assert set(generation_text.BRIEF) == set(generation_text.NAMES) == set(STRATEGIES)
    assert set(generation_text.STAGES) == {"model", *STRATEGIES["together"].takes}
    assert len(generation_text.number_row("beam", TEXTS["beam"])) == len(generation_text.NUMBERS)


def test_the_decks_functions_are_told_with_what_they_lack():
    told = generation_code.decks()
    assert [each.title for each in told] == ["Greedy search", "Beam search", "Random walk"]
    assert [each.errata for each in told] == [("X41",), ("X42", "X43", "X44"), ("X41",)]
    lacks = " ".join(told[1].lacks)
    assert "1,398,101" in lacks and " 37" in lacks
    assert all(each.does and each.lacks and each.replacement for each in told)


@pytest.mark.parametrize("name", sorted(generation_state.OURS.keys() - {"trigram"}))
def test_the_script_writes_the_texts_of_the_page(name):
    prompt = {"tree": "", "character_lstm": "Ada "}.get(name, "the dog")
    source = generation_code.snippet(
        name, prompt, StrategySettings(width=3), NAMES, "seed=4, length=12"
    )
    space = {}
    exec(source, space)
    writer = generation_state.cached_writer(name)
    for strategy in NAMES:
        made = continue_prompt(
            writer,
            writer.read(prompt),
            STRATEGIES[strategy],
            StrategySettings(width=3),
            seed=4,
            length=12,
        )
        assert space["texts"][strategy].tokens == made.tokens
    assert space["writer"].truth == writer.truth


def test_scripts_of_other_models_say_where_they_are_from():
    when = "seed=1, length=4"
    assert "allowed.load_from_hub('org/gpt')" in generation_code.snippet(
        "hub:org/gpt", "", StrategySettings(), NAMES, when
    )
    assert "allowed.load_from_folder('x')" in generation_code.snippet(
        "folder:x", "", StrategySettings(), NAMES, when
    )
    assert "checkpoint.load_model" in generation_code.snippet(
        "run-7", "", StrategySettings(), NAMES, when
    )
    trigram = generation_code.snippet("trigram", "", StrategySettings(temperature=0.5), NAMES, when)
    assert "ngram.fit_ngram" in trigram and "Settings(temperature=0.5)" in trigram
    for source in (
        trigram,
        generation_code.snippet("run-7", "a'\"", StrategySettings(), NAMES, when),
    ):
        compile(source, "snippet", "exec")
