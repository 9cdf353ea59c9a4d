"""What the scripts of the Generation page are told: tokens in their colours, and their numbers."""

import math

import pytest
import torch

from lessons.generation import code
from lessons.generation import picture as figures
from lessons.generation import text as words
from lessons.generation.picture import SteppedBranch
from lessons.shared.theme import probability_colours
from lmcore.corpora.microworld import microworld
from lmcore.decoding.continuations import continue_prompt
from lmcore.decoding.stepping import decoding_steps
from lmcore.decoding.strategies import STRATEGIES, StrategySettings
from lmcore.decoding.sweeps import sweep_first_token
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.writer import writer_from_vocabulary
from lmcore.decoding.writing import SamplingConfig
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


def test_a_card_has_the_texts_tokens_each_in_the_colour_of_its_p():
    found = sweep_first_token(WRITER.model, PROMPT, StrategySettings(), 1, NAMES)
    told = figures.cards(WRITER, "a prompt", found, TEXTS)
    assert [card["name"] for card in told["cards"]] == list(NAMES)
    assert told["rows"] == [GPT.vocabulary.tokens[i] for i in found.tokens.tolist()]
    for name, card in zip(NAMES, told["cards"], strict=True):
        text = TEXTS[name]
        assert [c["text"] for c in card["chips"]] == GPT.vocabulary.decode(text.tokens)
        for chip, log_p in zip(card["chips"], text.log_p.tolist(), strict=True):
            assert chip["p"] == pytest.approx(math.exp(log_p))
            assert (chip["fill"], chip["ink"]) == probability_colours(min(chip["p"], 1))
        facts = dict(card["facts"])
        assert facts["log p"] == format_number(text.total)
        assert facts["perplexity"] == format_number(math.exp(-text.total / len(text.tokens)))
        assert facts["grammar"].endswith(format_number(text.judged.log_p))
        assert not card["beyond"]


def test_what_the_grammar_never_says_is_marked_from_its_first_word_on():
    bad = text_of(WRITER, "greedy", WRITER.read("the the"), length=3)
    assert bad.judged.wrong == -1
    assert dict(words.facts(WRITER, bad))["grammar"] == "excludes the prompt: log p −∞"
    chips = figures.chips(WRITER, [3, 4, 5], [0.1, 0.2, 0.3], wrong=1, forced={2: 5})
    assert [chip["wrong"] for chip in chips] == [False, True, True]
    assert [chip["forced"] for chip in chips] == [False, False, True]


def test_a_step_is_told_with_all_its_numbers():
    strategy = STRATEGIES["together"]
    how = strategy.sampling_config(StrategySettings(), 1, length=40, stop=WRITER.stop)
    made = tuple(decoding_steps(WRITER.model, PROMPT, how))
    other = SamplingConfig(40, WRITER.stop, how.filters, how.seeds, {0: 81})
    forced = SteppedBranch({0: 81}, tuple(decoding_steps(WRITER.model, PROMPT, other)))
    told = figures.stepper(WRITER, "a prompt", [SteppedBranch({}, made), forced], 0, 3)
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
    late = words.branch_title({9: 3}, 4, str)
    assert late == "Forced: token 10 = 3, not reached"


def test_nothing_left_to_choose_is_told_too():
    dead = torch.tensor([0, TreeModel().vocabulary.ids["</s>"]])
    branch = SteppedBranch(
        {}, tuple(decoding_steps(TREE.model, dead, SamplingConfig(4, seeds=(1,))))
    )
    told = figures.stepper(TREE, "", [branch], 0, 0)
    assert told["steps"][0]["chosen"] == told["steps"][0]["free"] == -1
    assert told["branches"][0]["chips"] == []
    none = text_of(TREE, "walk", dead)
    assert words.facts(TREE, none) == [("tokens", "0")]
    assert words.notice({"walk": none}, 1) == [
        "No strategy could write a token here: every token has p = 0."
    ]
    assert math.isnan(words.number_row("walk", none)[2])


def test_a_token_that_cannot_be_seen_has_a_sign_and_a_long_one_is_cut():
    model, _, _ = load_shipped("character_lstm")
    letters = writer_from_vocabulary("letters", model, model.vocabulary)
    seen = [figures.label(letters, model.vocabulary.ids[c]) for c in (" ", "\n", "A")]
    assert seen == ["␣", "⏎", "A"]
    assert "no grammar of this text" in words.numbers_words(letters)


def test_the_notice_compares_what_was_written():
    said = " ".join(words.notice(TEXTS, 1))
    best = max(TEXTS.values(), key=lambda text: text.total)
    assert f"\\log p = {format_number(best.total).replace('−', '-')}" in said
    assert "greedy’s text is the more probable one" in said and "seed 1" in said
    tree = {
        name: continue_prompt(
            TREE, TREE.read(""), STRATEGIES[name], StrategySettings(width=2), seed=1, length=9
        )
        for name in NAMES[:2]
    }
    assert "a text 1.4 times as probable as greedy’s" in " ".join(words.notice(tree, 1))
    alone = {"beam": TEXTS["beam"], "greedy": TEXTS["beam"]}
    assert "the same text" in " ".join(words.notice(alone, 1))


def test_every_stage_end_and_strategy_has_its_words():
    assert set(words.STRATEGY_WORDS) == set(STRATEGIES)
    assert set(words.ENDS) == {"", "stop", "length", "room", "time", "nothing left"}
    assert set(words.STAGES) == {"model", *STRATEGIES["together"].takes}
    assert len(words.number_row("beam", TEXTS["beam"])) == len(words.NUMBERS)


def test_the_decks_functions_are_told_with_what_they_lack():
    told = code.decks()
    assert [each.title for each in told] == ["Greedy search", "Beam search", "Random walk"]
    assert [each.errata for each in told] == [("X41",), ("X42", "X43", "X44"), ("X41",)]
    lacks = " ".join(told[1].lacks)
    assert "1,398,101" in lacks and " 37" in lacks
    assert all(each.does and each.lacks and each.replacement for each in told)


@pytest.mark.parametrize("name", ["gpt", "tree", "grammar", "character_lstm"])
def test_the_script_writes_the_same_texts(name):
    prompt = {"tree": "", "character_lstm": "Ada "}.get(name, "the dog")
    source = code.snippet(name, prompt, StrategySettings(width=3), NAMES, "seed=4, length=12")
    space = {}
    exec(source, space)
    writer = space["writer"]
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
    assert (writer.truth is None) == (name in ("tree", "character_lstm"))


def test_scripts_of_other_models_say_where_they_are_from():
    when = "seed=1, length=4"
    assert "allowed.load_from_hub('org/gpt')" in code.snippet(
        "hub:org/gpt", "", StrategySettings(), NAMES, when
    )
    assert "allowed.load_from_folder('x')" in code.snippet(
        "folder:x", "", StrategySettings(), NAMES, when
    )
    assert "checkpoint.load_model" in code.snippet("run-7", "", StrategySettings(), NAMES, when)
    trigram = code.snippet("trigram", "", StrategySettings(temperature=0.5), NAMES, when)
    assert "ngram.fit_ngram" in trigram and "Settings(temperature=0.5)" in trigram
    for source in (trigram, code.snippet("run-7", "a'\"", StrategySettings(), NAMES, when)):
        compile(source, "snippet", "exec")
