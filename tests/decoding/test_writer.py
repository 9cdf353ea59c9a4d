"""Writers: prompts of every kind, the strategies by name, and the scores of a text."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers

from lmcore.corpora.microworld import microworld, training_documents
from lmcore.decoding import beam, writer
from lmcore.decoding.continuations import continue_prompt, judge_by_grammar
from lmcore.decoding.filters import Filters
from lmcore.decoding.next_token import RecomputingAdapter, log_p
from lmcore.decoding.strategies import FILTERED, STRATEGIES, StrategySettings
from lmcore.decoding.token_by_token import generate
from lmcore.decoding.tree import TreeModel
from lmcore.decoding.writer import (
    DeviceAdapter,
    NGramAdapter,
    writer_from_pretrained,
    writer_from_vocabulary,
)
from lmcore.models import ngram
from lmcore.pretrained.loading import load_pretrained
from lmcore.shipped.models import load_shipped
from lmcore.vocabulary import Vocabulary
from tests.pretrained.made import gpt2, merges, save

GPT, _, _ = load_shipped("gpt")
WRITER = writer_from_vocabulary("gpt", GPT, GPT.vocabulary, microworld())
PROMPT = WRITER.read("the animal didn't cross the")
TREE = writer_from_vocabulary("tree", TreeModel(), TreeModel().vocabulary)
SETTINGS = StrategySettings()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return save(gpt2(3), merges(), tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def pretrained(folder):
    return writer_from_pretrained(load_pretrained(folder))


def test_words_are_read_as_the_vocabulary_has_them():
    assert WRITER.read("The Dog").tolist() == WRITER.read("<s> the dog").tolist()


def test_an_empty_prompt_is_the_beginning_of_a_text():
    assert WRITER.read("").tolist() == [GPT.vocabulary.ids["<s>"]]
    assert WRITER.read("   ").tolist() == [GPT.vocabulary.ids["<s>"]]


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        (
            "the anmal",
            "one of the 279 words the model knows; got 'anmal'; similar words: animal",
        ),
        ("The anmal", "got 'anmal'; similar words: animal"),
        ("the </s>", "a prompt must not have </s>, after which nothing is written; got it"),
        ("the <s> dog", "must have <s> only in front; got it inside"),
        ("the " * 500, "a prompt must have at most 127 tokens, .*; got 501"),
        ("the " * 25_000, "at most 127 tokens, .*; got 25,001"),
        ("zzzzzzz", "got 'zzzzzzz'$"),
    ],
)
def test_a_prompt_that_cannot_be_gone_on_with_is_refused(prompt, says):
    with pytest.raises(ValueError, match=says):
        WRITER.read(prompt)


def test_a_prompt_of_letters_must_have_one():
    model, _, _ = load_shipped("character_lstm")
    letters = writer_from_vocabulary("letters", model, model.vocabulary)
    assert letters.read("Ada").tolist() == [model.vocabulary.ids[c] for c in "Ada"]
    assert letters.stop == ()
    with pytest.raises(ValueError, match="at least one token to go on from; got none"):
        letters.read("")
    with pytest.raises(ValueError, match=r"character 1 must be one of the 38 .* got 'ß'$"):
        letters.read("ß")
    with pytest.raises(ValueError, match="at most 512 tokens"):
        letters.read("a" * 600)


def test_unknown_words_become_unk_where_there_is_one_and_are_told():
    class Flat:
        vocabulary = Vocabulary(("<s>", "</s>", "<unk>", "a"))

        def log_probabilities(self, tokens):
            return torch.full((len(tokens), 4), -math.log(4))

    made = writer_from_vocabulary("flat", Flat(), Flat.vocabulary)
    assert made.read("a b c b").tolist() == [0, 3, 2, 2, 2]
    assert made.unknown("a b c b") == ("b", "c")
    assert WRITER.unknown("the anmal") == ()


def test_a_gpt2_writes_as_transformers_do(folder, pretrained):
    theirs = transformers.GPT2LMHeadModel.from_pretrained(folder)
    prompt = pretrained.read("The animal")
    assert prompt.tolist() == merges().encode("The animal").ids
    text = continue_prompt(pretrained, prompt, STRATEGIES["greedy"], SETTINGS, seed=1, length=8)
    with torch.no_grad():
        made = theirs.generate(
            prompt[None], max_new_tokens=8, do_sample=False, eos_token_id=0, pad_token_id=0
        )[0, len(prompt) :].tolist()
    assert list(text.tokens) == (made[: made.index(0) + 1] if 0 in made else made)
    assert pretrained.text(prompt.tolist()) == "The animal"
    assert pretrained.shown(int(merges().encode(" cross").ids[0])).startswith("␣")
    assert text.judged is None and pretrained.unknown("🦙") == ()


def test_a_gpt2_reads_nothing_as_its_end_and_refuses_what_has_no_room(pretrained):
    assert pretrained.read("").tolist() == [0] == list(pretrained.stop)
    with pytest.raises(ValueError, match=r"at most 39 tokens, .* got more"):
        pretrained.read("x" * 41)
    with pytest.raises(ValueError, match=r"at most 39 tokens, .* got 40"):
        pretrained.read("x" * 40)
    with pytest.raises(ValueError, match="at most 39 tokens"):
        pretrained.read("x" * 100_000)
    assert len(pretrained.read("x" * 39)) == 39


@pytest.mark.parametrize("name", ["walk", "beam", "drawn_beam"])
def test_a_model_on_another_device_writes_the_same(name):
    away = replace(WRITER, model=DeviceAdapter(WRITER.model, torch.device("cpu")))
    here, there = (
        continue_prompt(each, PROMPT, STRATEGIES[name], SETTINGS, seed=2, length=20)
        for each in (WRITER, away)
    )
    assert here.tokens == there.tokens


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_model_on_a_gpu_writes_with_texts_on_the_cpu(folder, name):
    found = load_pretrained(folder)
    found.network.cuda()
    away = writer_from_pretrained(found)
    assert isinstance(away.model, DeviceAdapter)
    text = continue_prompt(
        away, away.read("The animal"), STRATEGIES[name], SETTINGS, seed=2, length=8
    )
    assert text.tokens and not text.log_p.isnan().any()


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_an_n_gram_asked_about_its_window_says_what_it_says_of_the_whole(order, monkeypatch):
    monkeypatch.setattr(writer, "KEPT", 3)
    world = microworld()
    documents = training_documents(world.sample(300, np.random.default_rng(1)))
    model = ngram.fit_ngram(ngram.NGramConfig(order, "kneser-ney"), world.vocabulary, documents)
    quick, slow = NGramAdapter(model), RecomputingAdapter(model)
    texts = torch.stack([torch.tensor(world.vocabulary.read(t)) for t in ("the dog", "the cat")])
    scores, memory = quick.start(texts)
    slow_scores, slow_memory = slow.start(texts)
    for token in world.vocabulary.encode(["was", "tired", ".", "the", "sun"]):
        assert torch.allclose(scores, slow_scores)
        rows = torch.tensor([1, 0])
        memory, slow_memory = quick.select(memory, rows), slow.select(slow_memory, rows)
        scores, memory = quick.step(torch.tensor([token, token]), memory)
        slow_scores, slow_memory = slow.step(torch.tensor([token, token]), slow_memory)
        assert 0 < len(quick.rows) <= 3
    assert isinstance(writer_from_vocabulary("n", model, world.vocabulary).model, NGramAdapter)


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_writes_what_the_engine_does_and_scores_it_by_the_model(name):
    strategy = STRATEGIES[name]
    text = continue_prompt(WRITER, PROMPT, strategy, SETTINGS, seed=3, length=40)
    if strategy.kind in ("greedy", "walk"):
        how = strategy.sampling_config(SETTINGS, 3, length=40, stop=WRITER.stop)
        assert list(text.tokens) == generate(WRITER.model, PROMPT[None], how)[0]
    else:
        how = strategy.search(SETTINGS, 3, 40, WRITER.stop)
        best = beam.finished_beams(list(beam.search(WRITER.model, PROMPT, how)))[0]
        assert text.tokens == best.tokens
    whole = torch.tensor([*PROMPT.tolist(), *text.tokens])
    rows = GPT.log_probabilities(whole)[len(PROMPT) - 1 : -1]
    expected = rows[range(len(text.tokens)), list(text.tokens)]
    assert torch.allclose(text.log_p, expected, atol=1e-4)
    assert torch.allclose(log_p(WRITER.model, PROMPT, [text.tokens])[0], expected, atol=1e-4)
    assert text.why == "stop" and text.tokens[-1] in WRITER.stop
    assert text.perplexity == pytest.approx(math.exp(-float(expected.mean())), rel=1e-4)
    whole_log_p = microworld().log_probability(whole.tolist())
    if math.isfinite(whole_log_p):
        before = microworld().log_probability(PROMPT.tolist())
        assert text.judged.log_p == pytest.approx(whole_log_p - before)
        assert text.judged.wrong is None


def test_the_grammar_names_the_first_word_it_never_says():
    ids = WRITER.read("bridge because the").tolist()[1:]
    assert judge_by_grammar(microworld(), PROMPT, ids).wrong == 2
    assert judge_by_grammar(microworld(), PROMPT, ids).log_p == -math.inf
    assert judge_by_grammar(microworld(), WRITER.read("the the"), ids).wrong == -1
    assert judge_by_grammar(microworld(), PROMPT, ids[:2]).wrong is None


def test_the_slides_tree_yes_yes_and_ok_ok():
    prompt = TREE.read("")
    said = {}
    for name in ("greedy", "beam"):
        text = continue_prompt(
            TREE, prompt, STRATEGIES[name], replace(SETTINGS, width=2), seed=1, length=9
        )
        said[name] = (TREE.text(text.tokens), round(math.exp(text.total), 12))
    assert said == {"greedy": ("yes yes", 0.2), "beam": ("ok ok", 0.28)}
    ok = continue_prompt(TREE, prompt, STRATEGIES["beam"], SETTINGS, seed=1, length=9)
    assert (round(ok.total, 4), round(ok.mean, 4)) == (-1.2730, -0.4243)


def test_why_it_ends_is_told_of_every_kind():
    def why(name, prompt=PROMPT, length=40, **changed):
        strategy, settings = STRATEGIES[name], replace(SETTINGS, **changed)
        return continue_prompt(WRITER, prompt, strategy, settings, seed=1, length=length).why

    assert why("beam") == why("greedy") == "stop"
    assert why("beam", length=3) == why("greedy", length=3) == "length"
    long = torch.full((126,), GPT.vocabulary.ids["the"])
    endless = writer_from_vocabulary("gpt", GPT, Vocabulary(tuple(f"w{n}" for n in range(282))))
    for name in ("greedy", "beam", "walk", "drawn_beam"):
        text = continue_prompt(endless, long, STRATEGIES[name], SETTINGS, seed=1, length=50)
        assert text.why == "room" and len(text.tokens) == 3, name
    dead = torch.tensor([0, TreeModel().vocabulary.ids["</s>"]])
    for name in ("greedy", "beam", "walk", "drawn_beam"):
        text = continue_prompt(TREE, dead, STRATEGIES[name], SETTINGS, seed=1, length=5)
        assert (text.why, text.tokens) == ("nothing left", ()) and math.isnan(text.mean)
    slow = continue_prompt(
        WRITER, PROMPT, STRATEGIES["walk"], SETTINGS, seed=1, length=40, seconds=1e-9
    )
    assert slow.why == "time" and len(slow.tokens) == 1


def test_a_server_may_give_a_text_less_time(monkeypatch):
    monkeypatch.setenv("LMCORE_GENERATION_SECONDS", "1e-9")
    for name in ("walk", "beam"):
        text = continue_prompt(WRITER, PROMPT, STRATEGIES[name], SETTINGS, seed=1, length=40)
        assert len(text.tokens) <= 1, name


def test_the_same_seed_writes_the_same_and_those_that_draw_share_their_luck():
    texts = [continue_prompt(WRITER, PROMPT, STRATEGIES["walk"], SETTINGS, seed=s, length=40).tokens
             for s in (1, 1, 2)]  # fmt: skip
    assert texts[0] == texts[1] != texts[2]
    off = replace(SETTINGS, temperature=1.0, top_k=0, top_p=1.0, min_p=0.0, typical=1.0,
                  repetition=1.0)  # fmt: skip
    for name in ("temperature", "top_k", "top_p", "min_p", "typical", "together"):
        text = continue_prompt(WRITER, PROMPT, STRATEGIES[name], off, seed=1, length=40)
        assert text.tokens == texts[0], name
    cold = replace(SETTINGS, temperature=0.0)
    greedy = continue_prompt(WRITER, PROMPT, STRATEGIES["greedy"], cold, seed=1, length=40).tokens
    cold_in_its_way = {
        "temperature": cold,
        "top_k": replace(off, top_k=1),
        "top_p": replace(off, top_p=0.0),
        "min_p": replace(off, min_p=1.0),
    }
    for name, changed in cold_in_its_way.items():
        assert (
            continue_prompt(WRITER, PROMPT, STRATEGIES[name], changed, seed=1, length=40).tokens
            == greedy
        )


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"temperature": -1.0}, "temperature τ must be from 0 to 1,000,000,000; got -1"),
        ({"top_k": -1}, "k of top-k must be from 0"),
        ({"top_p": 1.5}, "p of top-p must be from 0 to 1; got 1.5"),
        ({"width": 17}, "the beam width must be from 1 to 16; got 17"),
        ({"groups": 3}, "the number of groups must divide the width, 4; got 3"),
        ({"length_penalty": math.inf}, "the length penalty must be .*; got inf"),
        ({"diversity": -1.0}, "the diversity must be from 0 to 100; got -1"),
    ],
)
def test_settings_that_cannot_be_are_refused(changed, says):
    with pytest.raises(ValueError, match=says):
        replace(SETTINGS, **changed)


ENDS_OF_ALL = [
    *({"temperature": value} for value in (0.0, 1e9)),
    *({"top_k": value} for value in (0, 1_000_000)),
    *({"top_p": value} for value in (0.0, 1.0)),
    *({"width": 16}, {"no_repeat": 1}, {"typical": 0.0}),
]


@pytest.mark.parametrize("changed", ENDS_OF_ALL, ids=str)
def test_the_ends_of_every_setting_write_numbers(changed):
    for name in STRATEGIES:
        settings = replace(SETTINGS, **changed)
        text = continue_prompt(WRITER, PROMPT, STRATEGIES[name], settings, seed=1, length=12)
        assert text.tokens and not text.log_p.isnan().any(), name
        prompt = TREE.read("")
        tree = continue_prompt(TREE, prompt, STRATEGIES[name], settings, seed=1, length=12)
        assert not math.isnan(tree.total), name


def test_a_strategy_takes_only_what_it_needs():
    assert STRATEGIES["walk"].filters(SETTINGS) == Filters()
    assert STRATEGIES["top_k"].filters(SETTINGS) == Filters(top_k=10)
    assert STRATEGIES["together"].takes == FILTERED
    drawn = STRATEGIES["drawn_beam"].search(replace(SETTINGS, groups=2, early=True), 5, 9)
    assert (drawn.seed, drawn.groups, drawn.early) == (5, 1, False)
    with pytest.raises(ValueError, match="must be written token by token"):
        STRATEGIES["walk"].search(SETTINGS, 1, 5)
    with pytest.raises(ValueError, match="must be searched for"):
        STRATEGIES["beam"].sampling_config(SETTINGS, 1, length=5)
    assert [s.label for s in STRATEGIES.values() if s.in_the_decks] == [
        "Greedy", "Beam search", "Random walk", "Beam + sampling",
    ]  # fmt: skip
