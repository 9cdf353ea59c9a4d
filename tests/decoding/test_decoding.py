"""Decoding with a cache: greedy, sampled and by beam search, against `transformers.generate`."""

import itertools
import math
import random
from collections import Counter

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from lmcore.corpora.microworld import microworld
from lmcore.decoding import beam
from lmcore.decoding.beam import BeamConfig
from lmcore.decoding.beam_explanations import explain_stop
from lmcore.decoding.cached_gpt import CachedGPT
from lmcore.decoding.filters import Filters
from lmcore.decoding.next_token import RecomputingAdapter, RecurrentAdapter, next_token_model
from lmcore.decoding.token_by_token import SamplingConfig, generate, generate_steps
from lmcore.decoding.tree import FIGURE, TreeModel
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained import gpt2
from lmcore.pretrained.loading import fill_weights
from lmcore.shipped.models import load_shipped
from tests.pretrained import made

SEEDS = st.integers(0, 2**31)
END, TYPES, ROOM = 0, 53, 40
THEIRS = made.gpt2(seed=5, vocab_size=TYPES, n_positions=ROOM, n_layer=2, n_embd=16, n_head=2)
THEIRS.generation_config.pad_token_id = END


def ours():
    network, weights = gpt2.build_network(THEIRS.config.to_dict(), THEIRS.state_dict())
    fill_weights(network, weights)
    return network


OURS = ours()


def prompt(rng, batch=1):
    generator = torch.Generator().manual_seed(rng.randrange(2**31))
    return torch.randint(1, TYPES, (batch, rng.randint(1, 8)), generator=generator)


def penalties(rng):
    return Filters(
        repetition=rng.choice([1.0, rng.uniform(0.7, 2)]),
        no_repeat=rng.choice([0, rng.randint(1, 3)]),
    )


def transformers_texts(tokens, filters, stop=(END,), **how):
    """What `transformers` writes after the prompt, up to the end token."""
    with torch.no_grad():
        made_ = THEIRS.generate(
            tokens,
            attention_mask=torch.ones_like(tokens),
            repetition_penalty=filters.repetition,
            no_repeat_ngram_size=filters.no_repeat,
            eos_token_id=list(stop),
            **how,
        )
    texts = []
    for row in made_[:, tokens.shape[1] :].tolist():
        ends = [place for place, token in enumerate(row) if token in stop]
        texts.append(row[: ends[0] + 1] if ends else row)
    return texts


@given(SEEDS)
@settings(max_examples=50)
def test_greedy_is_that_of_transformers(seed):
    rng = random.Random(seed)
    tokens, filters = prompt(rng, rng.randint(1, 3)), penalties(rng)
    length = rng.randint(1, 20)
    theirs = transformers_texts(tokens, filters, max_new_tokens=length, do_sample=False)
    assert generate(CachedGPT(OURS), tokens, SamplingConfig(length, (END,), filters)) == theirs


@given(SEEDS)
@settings(max_examples=100)
def test_beams_are_those_of_transformers(seed):
    rng = random.Random(seed)
    tokens, filters = prompt(rng), penalties(rng)
    stop = rng.choice([(END,), (END, 7), (END, 7, 11)])
    how = BeamConfig(
        rng.choice([2, 3, 5, 8]),
        rng.randint(1, 16),
        stop,
        length_penalty=rng.choice([0.0, 1.0, rng.uniform(-2, 3)]),
        early=rng.random() < 0.5,
        filters=filters,
    )
    theirs = transformers_texts(
        tokens,
        filters,
        stop,
        max_new_tokens=how.length,
        num_beams=how.width,
        num_return_sequences=how.width,
        length_penalty=how.length_penalty,
        early_stopping=how.early,
        do_sample=False,
    )
    best = beam.finished_beams(list(beam.search(CachedGPT(OURS), tokens[0], how)))
    assert [list(each.tokens) for each in best] == theirs[: len(best)]
    assert best


def test_with_two_stop_tokens_as_many_go_on_as_the_width():
    scores = torch.tensor([[3.0, 2.9, 1.0, 0.9, 0.8, 0.7]])
    how = BeamConfig(2, 3, stop=(0, 1))
    two = torch.cat([scores, scores])
    total = two.log_softmax(-1)
    judged = beam.judge_candidates(beam.rank_candidates(total, how, None), how, last=False)
    assert [each.outcome for each in judged] == [
        *("ends", "ends", "pruned", "pruned"),
        *("goes on", "goes on"),
    ]


@given(SEEDS)
@settings(max_examples=50, deadline=None)
def test_width_one_is_greedy_under_penalties_too(seed):
    rng = random.Random(seed)
    tokens, filters = prompt(rng), penalties(rng)
    length = rng.randint(1, 16)
    (greedy,) = generate(CachedGPT(OURS), tokens, SamplingConfig(length, (END,), filters))
    how = BeamConfig(1, length, (END,), filters=filters)
    (best,) = beam.finished_beams(list(beam.search(CachedGPT(OURS), tokens[0], how)))
    assert list(best.tokens) == greedy


@pytest.mark.parametrize("width", [1, 2])
def test_where_every_token_is_forbidden_what_was_written_stays(width):
    tokens = torch.arange(1, 9)
    how = BeamConfig(width, 20, filters=Filters(no_repeat=1))
    network = GPT(TransformerConfig(10, 4, 2, 1, 8, ROOM), seed=1)
    steps = list(beam.search(CachedGPT(network), tokens, how))
    best = beam.finished_beams(steps)
    assert [sorted(each.tokens) for each in best] == [[0, 9]] * min(width, len(best))
    assert best
    assert explain_stop(steps, how, None) == "no hypothesis is left that could go on"


@given(SEEDS)
@settings(max_examples=30, deadline=None)
def test_what_is_kept_gives_the_scores_of_reading_all_again(seed):
    rng = random.Random(seed)
    config = TransformerConfig(
        TYPES,
        12,
        3,
        rng.randint(1, 3),
        17,
        30,
        positions=rng.choice(["learned", "sinusoidal", "none"]),
        norm=rng.choice(["pre", "post"]),
        tied=rng.random() < 0.5,
        segments=rng.choice([0, 2]),
    )
    network = GPT(config, seed=seed % 1000)
    model, texts = CachedGPT(network), prompt(rng, 3)
    scores, memory = model.start(texts)
    for _ in range(8):
        torch.testing.assert_close(scores, network(texts).logits[:, -1].detach())
        rows = torch.randint(3, (3,), generator=torch.Generator().manual_seed(rng.randrange(9)))
        texts, memory = texts[rows], model.select(memory, rows)
        new = prompt(rng, 3)[:, 0]
        texts = torch.cat([texts, new[:, None]], dim=1)
        scores, memory = model.step(new, memory)


@pytest.mark.parametrize("name", ["gpt", "lstm", "gru", "rnn", "feedforward"])
def test_every_model_is_asked_the_quick_way_and_says_the_same(name):
    neural = load_shipped(name)[0]
    quick, slow = next_token_model(neural), RecomputingAdapter(neural)
    assert isinstance(quick, CachedGPT if name == "gpt" else RecurrentAdapter)
    text = torch.tensor([neural.vocabulary.read("the dog"), neural.vocabulary.read("the cat")])
    how = SamplingConfig(12, filters=Filters(temperature=0.8), seeds=(3, 4))
    assert generate(quick, text, how) == generate(slow, text, how)
    one = BeamConfig(4, 10, (neural.vocabulary.ids["</s>"],))
    left, right = (
        beam.finished_beams(list(beam.search(each, text[0], one))) for each in (quick, slow)
    )
    assert [each.tokens for each in left] == [each.tokens for each in right]


@pytest.mark.parametrize("changes", [{"norm": "none"}, {"residual": False}, {"mlp": False}])
def test_a_gpt_that_lacks_a_part_is_read_again_and_not_cached(changes):
    network = GPT(TransformerConfig(7, 8, 2, 2, 12, 9, **changes), seed=1)
    with pytest.raises(ValueError, match="must have LayerNorm, residuals and MLPs to be cached"):
        CachedGPT(network)
    model, texts = next_token_model(network), torch.tensor([[3, 1], [0, 5]])
    scores, memory = model.start(texts)
    torch.testing.assert_close(scores, network(texts).logits[:, -1].detach())
    scores, _ = model.step(torch.tensor([2, 4]), memory)
    texts = torch.cat([texts, torch.tensor([[2], [4]])], dim=1)
    torch.testing.assert_close(scores, network(texts).logits[:, -1].detach())


def test_the_grammar_and_tables_write_too():
    world = microworld()
    end = world.vocabulary.ids["</s>"]
    texts = generate(
        next_token_model(world),
        torch.tensor([[world.vocabulary.ids["<s>"]]] * 3),
        SamplingConfig(60, (end,), seeds=(1, 2, 3)),
    )
    for text in texts:
        assert math.isfinite(world.log_probability([world.vocabulary.ids["<s>"], *text]))


def test_a_seed_gives_its_text_whatever_is_beside_it_and_force_leaves_the_luck():
    model, tokens = CachedGPT(OURS), torch.tensor([[7, 8]])
    alone = generate(model, tokens, SamplingConfig(12, (END,), seeds=(11,)))
    beside = generate(model, tokens.expand(3, -1), SamplingConfig(12, (END,), seeds=(5, 11, 9)))
    assert beside[1] == alone[0]
    forced = list(generate_steps(model, tokens, SamplingConfig(12, seeds=(11,), forced={2: 5})))
    free = list(generate_steps(model, tokens, SamplingConfig(12, seeds=(11,))))
    assert [float(a.uniforms) == float(b.uniforms) for a, b in zip(forced, free, strict=True)] == [
        True
    ] * 12
    assert int(forced[2].tokens) == 5
    assert [int(step.tokens) for step in forced[:2]] == [int(step.tokens) for step in free[:2]]


def test_draws_have_the_probabilities():
    tree = RecomputingAdapter(TreeModel())
    ids = TreeModel().vocabulary.ids
    start = torch.full((4000, 1), ids["<s>"])
    texts = generate(tree, start, SamplingConfig(3, (ids["</s>"],), seeds=tuple(range(4000))))
    counts = Counter(TreeModel().vocabulary.write(text) for text in texts)
    truth = {"ok ok": 0.28, "yes yes": 0.2, "yes ok": 0.15, "yes": 0.15}
    truth |= {"": 0.1, "ok yes": 0.08, "ok": 0.04}
    assert counts.keys() == truth.keys()
    for text, p in truth.items():
        assert abs(counts[text] / 4000 - p) < 4 * math.sqrt(p * (1 - p) / 4000), text


@pytest.mark.parametrize(
    ("width", "best", "p"), [(1, "yes yes", 0.2), (2, "ok ok", 0.28), (4, "ok ok", 0.28)]
)
def test_the_figures_tree(width, best, p):
    tree = TreeModel()
    ids = tree.vocabulary.ids
    how = BeamConfig(width, 5, (ids["</s>"],))
    found = beam.finished_beams(
        list(beam.search(RecomputingAdapter(tree), torch.tensor([ids["<s>"]]), how))
    )
    assert tree.vocabulary.write(found[0].tokens) == best
    assert math.exp(found[0].log_p) == pytest.approx(p)


def test_a_beam_as_wide_as_all_prefixes_finds_the_best_of_all():
    tree, ids = TreeModel(), TreeModel().vocabulary.ids
    every = {}
    for words in itertools.chain.from_iterable(
        itertools.product(("yes", "ok"), repeat=n) for n in range(3)
    ):
        text = torch.tensor(tree.vocabulary.encode(["<s>", *words, "</s>"]))
        rows = tree.log_probabilities(text)
        every[words] = float(rows[range(len(text) - 1), text[1:]].sum())
    how = BeamConfig(16, 5, (ids["</s>"],), length_penalty=0.0)
    found = beam.finished_beams(
        list(beam.search(RecomputingAdapter(tree), torch.tensor([ids["<s>"]]), how))
    )
    assert len(found) == len(every) == 7
    assert [each.log_p for each in found] == pytest.approx(sorted(every.values(), reverse=True))


def test_what_becomes_of_each_candidate_is_told():
    tree, ids = TreeModel(), TreeModel().vocabulary.ids
    how = BeamConfig(2, 5, (ids["</s>"],))
    steps = list(beam.search(RecomputingAdapter(tree), torch.tensor([ids["<s>"]]), how))
    (first,) = steps[0]
    told = [(tree.vocabulary.tokens[each.token], each.outcome) for each in first.candidates]
    assert told == [("yes", "goes on"), ("ok", "goes on"), ("</s>", "pruned")]
    assert [each.tokens for each in first.go_on] == [(ids["yes"],), (ids["ok"],)]


def test_groups_differ_and_the_first_is_a_search_of_its_own():
    tokens = torch.tensor([4, 9, 2])
    model = CachedGPT(OURS)
    groups = beam.finished_beams(
        list(beam.search(model, tokens, BeamConfig(6, 8, groups=3, diversity=50.0)))
    )
    alone = beam.finished_beams(list(beam.search(model, tokens, BeamConfig(2, 8))))
    assert [each.tokens for each in groups[:2]] == [each.tokens for each in alone]
    firsts = [{each.tokens[0] for each in groups[i : i + 2]} for i in (0, 2, 4)]
    assert not (firsts[0] & firsts[1] or firsts[0] & firsts[2] or firsts[1] & firsts[2])


def test_a_token_costs_a_group_as_often_as_earlier_groups_have_chosen_it():
    tokens, how = torch.tensor([4, 9, 2]), BeamConfig(9, 6, groups=3, diversity=0.02)
    counts = []
    for step in beam.search(CachedGPT(OURS), tokens, how):
        chosen = []
        for group in step:
            for row, under_way in zip(group.scores, group.under_way, strict=True):
                text = torch.cat([tokens, torch.tensor(under_way.tokens, dtype=torch.long)])
                counts += [chosen.count(token) for token in range(TYPES)]
                their = THEIRS(text[None]).logits[0, -1].detach().log_softmax(-1)
                expected = their + under_way.log_p
                expected -= how.diversity * torch.tensor(counts[-TYPES:])
                assert torch.allclose(row.float(), expected, atol=1e-4)
            chosen += [each.tokens[-1] for each in group.go_on]
    assert max(counts) > 2, "groups choose no token often"


def test_drawn_beams_repeat_with_their_seed():
    tokens, model = torch.tensor([4, 9]), CachedGPT(OURS)
    texts = [
        [
            each.tokens
            for each in beam.finished_beams(
                list(beam.search(model, tokens, BeamConfig(3, 8, seed=seed)))
            )
        ]
        for seed in (1, 1, 2)
    ]
    assert texts[0] == texts[1] != texts[2]


def test_it_stops_and_says_why():
    model, tokens = CachedGPT(OURS), torch.tensor([[3, 4]])
    why = lambda how, text=tokens: list(generate_steps(model, text, how))[-1].why  # noqa: E731
    assert why(SamplingConfig(3)) == "length"
    assert why(SamplingConfig(500)) == "room"
    assert len(list(generate_steps(model, tokens, SamplingConfig(500)))) == ROOM - 2 + 1
    assert why(SamplingConfig(500, seconds=1e-9)) == "time"
    assert why(SamplingConfig(500, tuple(range(TYPES)))) == "stop"
    small = RecomputingAdapter(TreeModel())
    ids = TreeModel().vocabulary.ids
    steps = list(
        generate_steps(small, torch.tensor([[ids["<s>"], ids["</s>"]]]), SamplingConfig(5))
    )
    assert steps[-1].why == "nothing left"
    assert generate(small, torch.tensor([[ids["<s>"], ids["</s>"]]]), SamplingConfig(5)) == [[]]


@pytest.mark.parametrize("seeds", [None, (4,)])
@pytest.mark.parametrize("temperature", [1.0, 0.0])
def test_a_text_ends_where_every_token_is_forbidden(seeds, temperature):
    """Four types, none of which may come twice: one is the prompt, three follow, none is left."""
    config = TransformerConfig(4, 8, 2, 1, 16, 64)
    how = SamplingConfig(9, filters=Filters(no_repeat=1, temperature=temperature), seeds=seeds)
    steps = list(generate_steps(CachedGPT(GPT(config, 0)), torch.tensor([[2]]), how))
    assert steps[-1].why == "nothing left" and len(steps) == 4
    assert {2, *(int(step.tokens[0]) for step in steps[:-1])} == {0, 1, 2, 3}
    for step in steps:
        assert not any(stage.scores.isnan().any() for stage in step.stages)


def test_one_prompt_of_many_texts_is_read_once_and_gives_each_what_it_would_alone():
    class Counting:
        longest, rows = ROOM, []

        def start(self, tokens):
            self.rows.append(len(tokens))
            return model.start(tokens)

        step, select = (
            (lambda self, *given: model.step(*given)),
            (lambda self, *a: model.select(*a)),
        )

    model, tokens = CachedGPT(OURS), torch.tensor([[3, 4, 5]])
    together = generate(Counting(), tokens.expand(3, -1), SamplingConfig(6, seeds=(1, 2, 3)))
    assert Counting.rows == [1]
    assert together == [
        generate(model, tokens, SamplingConfig(6, seeds=(seed,)))[0] for seed in (1, 2, 3)
    ]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: BeamConfig(4, 3, seconds=math.nan), "the time must be above 0 .*; got nan"),
        (lambda: SamplingConfig(0), "the length must be from 1 to 1024 tokens; got 0"),
        (lambda: SamplingConfig(3, seconds=0.0), "the time must be above 0 .*; got 0"),
        (lambda: BeamConfig(17, 3), "the beam width must be from 1 to 16; got 17"),
        (lambda: BeamConfig(4, 3, groups=3), "groups must divide the width, 4; got 3"),
        (lambda: BeamConfig(4, 3, length_penalty=math.nan), "length penalty must be .*; got nan"),
        (lambda: BeamConfig(4, 3, diversity=-1.0), "the diversity must be from 0 to 100; got -1"),
        (
            lambda: list(
                generate_steps(CachedGPT(OURS), torch.zeros(1, 0).long(), SamplingConfig(2))
            ),
            "at least one token",
        ),
        (
            lambda: list(
                generate_steps(CachedGPT(OURS), torch.ones(1, 41).long(), SamplingConfig(2))
            ),
            "1 tokens too long",
        ),
        (
            lambda: list(
                generate_steps(
                    CachedGPT(OURS), torch.ones(2, 3).long(), SamplingConfig(2, seeds=(1,))
                )
            ),
            "a seed for each of 2",
        ),
        (
            lambda: list(beam.search(CachedGPT(OURS), torch.ones(0).long(), BeamConfig(2, 2))),
            "at least one token",
        ),
        (
            lambda: TreeModel({**FIGURE, (): (0.5, 0.4, 0.2)}),
            "the edges of <s> must sum to 1; got 1.1",
        ),
        (lambda: TreeModel({(): (0.5, 0.4, 0.1)}), "the tree must have the nodes"),
        (
            lambda: CachedGPT(GPT(TransformerConfig(5, 4, 1, 1, 4, causal=False))),
            "a GPT must be causal",
        ),
    ],
)
def test_what_cannot_be_is_refused(make, says):
    with pytest.raises(ValueError, match=says):
        make()
