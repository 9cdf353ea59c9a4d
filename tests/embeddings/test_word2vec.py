"""Loss and gradients of word2vec and fastText equal autograd's, the first step that of torch.optim.

At the optimum, skip-gram's dot products are PMI − log k (Levy & Goldberg 2014).
"""

import math
from dataclasses import replace
from itertools import islice

import pytest
import torch
import torch.nn.functional as F

from lmcore.embeddings.static import fasttext, skipgram
from lmcore.embeddings.static.counts import count_cooccurrences, mutual_information
from lmcore.embeddings.static.fasttext import FastTextConfig
from lmcore.embeddings.static.negative_sampling import (
    Examples,
    draw_noise,
    noise_distribution,
    table_gradients,
    trace_losses,
)
from lmcore.embeddings.static.pairs import index_sentences, window_pairs
from lmcore.embeddings.static.skipgram import MODELS, Word2VecConfig, train_word2vec
from lmcore.embeddings.static.vectors import collect_snapshots

SENTENCES = [["the", "cat", "sees", "the", "dog"], ["a", "dog", "sees", "a", "cat"], ["stop"]]
PAIRS = window_pairs(index_sentences(SENTENCES), 2)
SMALL = Word2VecConfig(dimensions=3, negatives=2, epochs=4, batch=7, snapshots=6)


def drawn(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def noise_of(examples, count=4, types=6):
    return torch.randint(types, (examples, count), generator=torch.Generator().manual_seed(5))


def bags_of_several_rows():
    rows = torch.randint(8, (9, 3), generator=torch.Generator().manual_seed(1))
    shares = torch.tensor([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [1.0, 1.0, 1.0]]).double()
    targets = torch.randint(6, (9,), generator=torch.Generator().manual_seed(2))
    return Examples(rows, shares.repeat(3, 1), targets)


def test_the_loss_is_the_papers_formula_and_binary_cross_entropy():
    V, U, examples, noise = drawn(8, 3), drawn(6, 3, seed=1), bags_of_several_rows(), noise_of(9)
    trace = trace_losses(V, U, examples, noise)
    for i in range(9):
        h = sum(
            share * V[row] for row, share in zip(examples.bags[i], examples.shares[i], strict=True)
        )
        scores = torch.stack([U[examples.targets[i]] @ h, *(U[k] @ h for k in noise[i])])
        labels = torch.tensor([1.0, 0, 0, 0, 0]).double()
        expected = F.binary_cross_entropy_with_logits(scores, labels, reduction="sum")
        torch.testing.assert_close(trace.losses[i], expected)
    by_formula = -trace.true_probability.log() - (1 - trace.noise_probabilities).log().sum(1)
    torch.testing.assert_close(trace.losses, by_formula)


def test_gradients_by_hand_are_autograds():
    V, U = drawn(8, 3).requires_grad_(), drawn(6, 3, seed=1).requires_grad_()
    examples, noise = bags_of_several_rows(), noise_of(9)
    trace = trace_losses(V, U, examples, noise)
    found = table_gradients(V, U, examples, noise, trace)
    expected = torch.autograd.grad(trace.losses.mean(), [V, U])
    torch.testing.assert_close(found.inputs, expected[0], rtol=0, atol=1e-14)
    torch.testing.assert_close(found.outputs, expected[1], rtol=0, atol=1e-14)


def test_one_pair_by_hand():
    V, U = torch.tensor([[1.0, 2.0]]).double(), torch.tensor([[0.5, 0.0], [0.0, -1.0]]).double()
    one = Examples(torch.tensor([[0]]), torch.ones(1, 1).double(), torch.tensor([0]))
    noise = torch.tensor([[1]])
    trace = trace_losses(V, U, one, noise)
    true, false = 1 / (1 + math.exp(-0.5)), 1 / (1 + math.exp(2))
    assert float(trace.losses) == pytest.approx(-math.log(true) - math.log(1 - false))
    found = table_gradients(V, U, one, noise, trace)
    torch.testing.assert_close(found.inputs, torch.tensor([[(true - 1) / 2, -false]]).double())
    wanted = torch.tensor([[true - 1, 2 * (true - 1)], [false, 2 * false]]).double()
    torch.testing.assert_close(found.outputs, wanted)


def test_huge_scores_keep_the_loss_finite():
    V, U = torch.tensor([[1e4]]).double(), torch.tensor([[-1e4], [1e4]]).double()
    one = Examples(torch.tensor([[0]]), torch.ones(1, 1).double(), torch.tensor([0]))
    trace = trace_losses(V, U, one, torch.tensor([[1]]))
    assert float(trace.losses) == pytest.approx(2e8)


def test_noise_follows_frequency_to_the_three_quarters():
    frequencies = torch.tensor([81, 16, 1, 0])
    distribution = noise_distribution(frequencies)
    torch.testing.assert_close(distribution, torch.tensor([27.0, 8, 1, 0]).double() / 36)
    found = draw_noise(distribution, 20_000, 3, torch.Generator().manual_seed(0))
    shares = torch.bincount(found.flatten(), minlength=4) / found.numel()
    error = (distribution * (1 - distribution) / found.numel()).sqrt()
    assert bool(((shares - distribution).abs() <= 4 * error).all())


def test_skip_gram_has_one_example_per_pair():
    examples = skipgram.skip_gram_examples(PAIRS)
    table = PAIRS.to_frame()
    assert [PAIRS.words[i] for i in examples.bags[:, 0]] == table["word"].tolist()
    assert [PAIRS.words[i] for i in examples.targets] == table["context"].tolist()


def test_cbow_averages_the_window_of_every_token_that_has_one():
    examples = skipgram.cbow_examples(PAIRS)
    expected = [
        (word, sorted(row[max(0, i - 2) : i] + row[i + 1 : i + 3]))
        for row in SENTENCES
        for i, word in enumerate(row)
        if len(row) > 1
    ]
    found = []
    for bag, shares, target in zip(examples.bags, examples.shares, examples.targets, strict=True):
        used = shares > 0
        assert float(shares.sum()) == pytest.approx(1)
        assert torch.unique(shares[used]).numel() == 1
        found.append((PAIRS.words[target], sorted(PAIRS.words[i] for i in bag[used])))
    assert found == expected


@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_the_first_step_is_that_of_torchs_optimiser(optimizer):
    rate = 0.5
    config = replace(SMALL, optimizer=optimizer, learning_rate=rate, batch=1000, epochs=1)
    before, after = train_word2vec(PAIRS, config)
    assert (before.step, after.step, after.seen) == (0, 1, len(PAIRS.centres))
    V, U = before.inputs.clone().requires_grad_(), before.outputs.clone().requires_grad_()
    theirs = {"SGD": torch.optim.SGD, "Adam": torch.optim.Adam}[optimizer]([V, U], lr=rate)
    generator = torch.Generator().manual_seed(config.seed)
    count = len(PAIRS.centres)
    torch.rand(V.shape, generator=generator, dtype=torch.float64)
    torch.randperm(count, generator=generator)
    noise = noise_distribution(PAIRS.text.frequencies)
    draw_noise(noise, count, 2, generator)
    order = torch.randperm(count, generator=generator)
    batch = skipgram.skip_gram_examples(PAIRS).select(order)
    trace_losses(V, U, batch, draw_noise(noise, count, 2, generator)).losses.mean().backward()
    theirs.step()
    torch.testing.assert_close(after.inputs, V.detach())
    torch.testing.assert_close(after.outputs, U.detach())


@pytest.mark.parametrize("model", MODELS)
def test_a_seed_is_a_training_and_snapshots_do_not_change_it(model):
    config = replace(SMALL, model=model)
    one = collect_snapshots(PAIRS.words, train_word2vec(PAIRS, config))
    same = collect_snapshots(PAIRS.words, train_word2vec(PAIRS, replace(config, snapshots=3)))
    other = collect_snapshots(PAIRS.words, train_word2vec(PAIRS, replace(config, seed=1)))
    assert torch.equal(one.vectors[-1], same.vectors[-1])
    assert not torch.equal(one.vectors[-1], other.vectors[-1])
    assert one.seen[-1] == config.epochs * len(
        skipgram.skip_gram_examples(PAIRS)
        if model == "skip-gram"
        else skipgram.cbow_examples(PAIRS)
    )
    assert one.losses[-1] < one.losses[0]
    assert float(one.losses[0]) == pytest.approx(3 * math.log(2))
    assert one.to_frame()["step"].tolist() == one.steps.tolist()
    assert one.word_vectors().words == PAIRS.words


def test_whoever_stops_early_has_the_same_snapshots():
    some = list(islice(train_word2vec(PAIRS, SMALL), 3))
    every = list(train_word2vec(PAIRS, SMALL))
    assert len(every) > len(some) == 3
    for one, other in zip(some, every, strict=False):
        assert one.step == other.step and torch.equal(one.vectors, other.vectors)


def test_at_the_optimum_the_dot_products_are_pmi_less_log_k():
    """Every (word, context) pair and its expected noise as examples, minimised without sampling."""
    sentences = [["a", "b"], ["a", "c"], ["b", "c"], ["a", "b"], ["b", "b"], ["a", "a"], ["c", "c"]]
    counts = count_cooccurrences(window_pairs(index_sentences(sentences), 1)).counts
    k, frequencies = 2, counts.sum(0)
    noise = frequencies / frequencies.sum()
    V, U = drawn(3, 3).requires_grad_(), drawn(3, 3, seed=1).requires_grad_()
    cells = torch.cartesian_prod(torch.arange(3), torch.arange(3))
    examples = Examples(cells[:, :1], torch.ones(9, 1).double(), cells[:, 1])
    optimizer = torch.optim.LBFGS([V, U], max_iter=500, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        trace = trace_losses(V, U, examples, cells[:, 1:])
        expected = k * counts.sum(1)[cells[:, 0]] * noise[cells[:, 1]]
        true, false = F.softplus(-trace.true_score), F.softplus(trace.noise_scores[:, 0])
        loss = (counts.flatten() * true + expected * false).sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    wanted = mutual_information(counts).pmi - math.log(k)
    torch.testing.assert_close((V @ U.T).detach(), wanted, rtol=0, atol=1e-4)


def test_the_subwords_of_where_are_those_of_the_paper():
    assert fasttext.split_word("where", 3, 3) == ("<wh", "whe", "her", "ere", "re>", "<where>")
    assert fasttext.split_word("a") == ("<a>",)
    assert fasttext.split_word("aaaa", 2, 2) == ("<a", "aa", "a>", "<aaaa>")
    whole = fasttext.split_word("where")
    assert len(whole) == 5 + 4 + 3 + 2 + 1 and "her" in whole and "<her>" not in whole


@pytest.mark.parametrize("combination", fasttext.COMBINATIONS)
def test_a_words_vector_is_that_of_its_subwords(combination):
    config = FastTextConfig(combination=combination, dimensions=4)
    table = fasttext.build_subword_table(("where", "her", "a"), config)
    inputs = drawn(len(table.subwords), 4)
    for word, vector in zip(table.words, table.word_vectors(inputs), strict=True):
        rows = inputs[[table.subwords.index(each) for each in fasttext.split_word(word)]]
        expected = rows.mean(0) if combination == "mean" else rows.sum(0)
        torch.testing.assert_close(vector, expected)
        composed = fasttext.compose_vector(table, inputs, word)
        assert composed.seen and all(composed.known)
        torch.testing.assert_close(composed.vector, expected)
    assert table.to_frame().groupby("word").size().to_dict() == {"where": 15, "her": 6, "a": 1}


def test_a_word_never_seen_is_made_of_the_subwords_that_were():
    table = fasttext.build_subword_table(("cat", "dog"), FastTextConfig(dimensions=2))
    inputs = drawn(len(table.subwords), 2)
    composed = fasttext.compose_vector(table, inputs, "cats")
    known = [each for each in fasttext.split_word("cats") if each in table.subwords]
    assert known == ["<ca", "cat", "<cat"] and not composed.seen
    torch.testing.assert_close(
        composed.vector, inputs[[table.subwords.index(each) for each in known]].mean(0)
    )
    assert composed.to_frame()["known"].sum() == 3
    with pytest.raises(ValueError, match=r"share at least one subword .*; got 'zebu'"):
        fasttext.compose_vector(table, inputs, "zebu")


def test_without_n_grams_fasttext_is_skip_gram():
    """N-grams longer than every word leave each word its own row."""
    config = FastTextConfig(
        shortest=10, longest=10, dimensions=3, negatives=2, epochs=4, batch=7, snapshots=6
    )
    table = fasttext.build_subword_table(PAIRS.words, config)
    assert table.subwords == tuple(f"<{word}>" for word in PAIRS.words)
    one = collect_snapshots(PAIRS.words, fasttext.train_fasttext(PAIRS, table))
    other = collect_snapshots(PAIRS.words, train_word2vec(PAIRS, SMALL))
    assert torch.equal(one.vectors, other.vectors)


def test_fasttext_snapshots_hold_the_subwords_and_the_words():
    table = fasttext.build_subword_table(PAIRS.words, FastTextConfig(dimensions=3, epochs=2))
    last = list(fasttext.train_fasttext(PAIRS, table))[-1]
    assert last.inputs.shape == (len(table.subwords), 3)
    torch.testing.assert_close(last.vectors, table.word_vectors(last.inputs))
    with pytest.raises(ValueError, match="must be those of the 6 words of the text; got a table"):
        next(fasttext.train_fasttext(PAIRS, fasttext.build_subword_table(("x",), table.config)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "GloVe"}, "the model must be one of skip-gram, CBOW; got 'GloVe'"),
        ({"dimensions": 0}, "the dimensions d must be from 1 to 300; got 0"),
        ({"negatives": 26}, "the number of noise words k must be from 1 to 25; got 26"),
        ({"optimizer": "LBFGS"}, "the optimiser must be one of SGD, momentum, Adam; got 'LBFGS'"),
        ({"learning_rate": math.nan}, "η must be above 0 and at most 100; got nan"),
        ({"epochs": 0}, "epochs must be from 1 to 100; got 0"),
        ({"batch": 8193}, "the batch must be from 1 to 8192; got 8193"),
        ({"snapshots": 1}, "the number of snapshots must be from 2 to 200; got 1"),
    ],
)
def test_a_setting_out_of_bounds_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        replace(SMALL, **change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shortest": 0}, "the shortest n-gram must be from 1 to 10; got 0"),
        ({"shortest": 5, "longest": 4}, "the longest n-gram must be from 5 to 10; got 4"),
        ({"combination": "max"}, "the combination must be one of mean, sum; got 'max'"),
        ({"batch": 0}, "the batch must be from 1 to 8192; got 0"),
    ],
)
def test_subwords_out_of_bounds_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        FastTextConfig(**change)


def test_a_text_without_pairs_and_a_record_without_snapshots_are_refused():
    alone = window_pairs(index_sentences([["a"], ["b"]]), 2)
    with pytest.raises(ValueError, match="a sentence of at least 2 words; got none"):
        next(train_word2vec(alone, SMALL))
    with pytest.raises(ValueError, match="at least 1 snapshot; got 0"):
        collect_snapshots(("a",), [])


def test_a_training_that_diverges_says_so():
    wild = replace(SMALL, optimizer="SGD", learning_rate=100.0, epochs=100)
    repeated = window_pairs(index_sentences(SENTENCES * 5), 2)
    with pytest.raises(ValueError, match="the loss must stay finite: lower η; got"):
        list(train_word2vec(repeated, wild))
