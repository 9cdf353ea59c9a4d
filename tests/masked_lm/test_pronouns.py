"""The measures of a masked model, on networks whose answers are known beforehand."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
import torch

from lmcore.attention.heads import Head
from lmcore.corpora import masked_words, microworld_rules
from lmcore.corpora.microworld import microworld
from lmcore.evaluation import against_grammar
from lmcore.masked_lm import filling_in, next_sentence, pronouns
from lmcore.models.bert import BERT
from lmcore.training.loop import untrained_model
from lmcore.training.masked_batches import MASK, PAD, masked_vocabulary
from lmcore.training.spec import ModelSpec, RunSpec

WORLD, TYPES = microworld(), masked_vocabulary()
DOCUMENTS = against_grammar.test_documents(WORLD, 120)
SPEC = RunSpec(model=ModelSpec("encoder", embedding=12, hidden=16, layers=2, heads=2))


class Knowing(BERT):
    """A BERT that answers with the grammar's exact posterior, a little blurred by `share`."""

    share: ClassVar[float] = 0.0

    def forward(self, tokens, **given):
        said = super().forward(tokens, **given)
        logits = torch.full((*tokens.shape, len(TYPES)), -50.0)
        for row, ids in enumerate(tokens.tolist()):
            whole = [i for i in ids if i != TYPES.ids[PAD]]
            places = [place for place, i in enumerate(whole) if i == TYPES.ids[MASK]]
            exact = masked_words.posteriors(WORLD, whole, places)
            for place, p in zip(places, exact, strict=True):
                blurred = (1 - self.share) * p + self.share / len(p)
                logits[row, place, : len(p)] = torch.from_numpy(np.log(blurred + 1e-300)).float()
        return replace(said, logits=logits)


def network(kind=BERT):
    config = SPEC.model.config(len(TYPES))
    return kind(config, 3, pairs=True)


def test_who_knows_the_posterior_reaches_the_best_with_no_divergence():
    found = filling_in.fill_in(network(Knowing), DOCUMENTS, WORLD)
    assert found.words == len(DOCUMENTS)
    assert found.share == pytest.approx(1)
    assert found.best < 1
    assert found.divergence == pytest.approx(0, abs=1e-4)


def test_the_divergence_of_a_blurred_posterior_is_that_of_its_definition(monkeypatch):
    monkeypatch.setattr(Knowing, "share", 0.3)
    found = filling_in.fill_in(network(Knowing), DOCUMENTS, WORLD, seed=9)
    rng = np.random.default_rng(9)
    total = 0.0
    for document in DOCUMENTS:
        p = masked_words.posterior(WORLD, document, int(rng.integers(1, len(document) - 1)))
        q = 0.7 * p + 0.3 / len(p)
        total += float((p[p > 0] * np.log(p[p > 0] / q[p > 0])).sum())
    assert found.divergence == pytest.approx(total / len(DOCUMENTS), rel=1e-4)
    assert found.share == pytest.approx(1)


def test_who_knows_nothing_is_far_from_the_best_and_guesses_pairs():
    blank = untrained_model(SPEC, len(TYPES))
    assert filling_in.fill_in(blank, DOCUMENTS, WORLD).share < 0.5
    pairs = next_sentence.measure_next_sentence(blank, DOCUMENTS)
    assert 0.3 < pairs.accuracy < 0.7
    assert 40 < pairs.pairs < len(DOCUMENTS)


def test_the_pairs_are_judged_by_the_first_of_the_two_logits(monkeypatch):
    deaf = network()
    torch.nn.init.zeros_(deaf.pairs.output.weight)
    texts = next_sentence.measure_next_sentence(deaf, DOCUMENTS)
    with torch.no_grad():
        deaf.pairs.output.bias.copy_(torch.tensor([0.0, 1.0]))
        other = next_sentence.measure_next_sentence(deaf, DOCUMENTS)
    assert texts.accuracy + other.accuracy == pytest.approx(1)


@pytest.mark.parametrize("without", ["head", "pairs"])
def test_a_model_without_the_head_is_refused(without):
    config = SPEC.model.config(len(TYPES))
    bare = BERT(config, 0, head=without != "head", pairs=without != "pairs")
    ask = next_sentence.measure_next_sentence if without == "pairs" else filling_in.fill_in
    given = (bare, DOCUMENTS) if without == "pairs" else (bare, DOCUMENTS, WORLD)
    with pytest.raises(ValueError, match=r"the model must have a head for .*; it has none"):
        ask(*given)


def test_the_hardest_pronouns_are_neutral_gapped_and_of_new_pairs():
    probe = pronouns.hardest_probe(40)
    said = {word for neutral in microworld_rules.NEUTRAL for word in neutral.split()}
    for item in probe.items:
        assert frozenset((item.right, item.wrong)) in {
            frozenset(pair) for pair in microworld_rules.NEVER_TOGETHER
        }
        assert set(item.rest) - {".", "</s>"} <= said
        assert item.prefix.count(".") >= 2
    # The grammar itself has never heard of them, but its complete twin knows them all.
    complete = microworld(complete=True)
    for item in probe.items:
        right, wrong = (
            complete.log_probability(complete.vocabulary.encode([*item.prefix, noun, *item.rest]))
            for noun in (item.right, item.wrong)
        )
        assert right > -np.inf
        assert wrong == -np.inf


class Muted(BERT):
    """Answers a pronoun right unless both heads of layer 1 are muted."""

    def forward(self, tokens, *, edits=(), **given):
        said = super().forward(tokens, **given)
        logits = torch.zeros(*tokens.shape, len(TYPES))
        lost = {edit.head for edit in edits if edit.layer == 1} == {0, 1}
        for row, ids in enumerate(tokens.tolist()):
            place = ids.index(TYPES.ids[MASK])
            words = [TYPES.tokens[i] for i in ids[:place]]
            creature = words[words.index("too") + 1] in microworld_rules.CREATURE_ADJECTIVES
            nouns = microworld_rules.CREATURES if creature != lost else microworld_rules.WAYS
            logits[row, place, TYPES.encode(list(nouns))] = 5.0
        return replace(said, logits=logits)


def test_the_smallest_set_of_heads_that_does_most_is_found():
    probe = pronouns.hardest_probe(20)
    clever = network(Muted)
    assert pronouns.pronoun_accuracy(clever, probe) == 1
    assert pronouns.pronoun_accuracy(clever, probe, [Head(0, 0), Head(1, 1)]) == 1
    found = pronouns.decisive_heads(clever, probe)
    assert found.heads == (Head(1, 0), Head(1, 1))
    assert found.accuracy == 0


def test_minimal_pairs_differ_in_the_adjective_alone():
    pairs = pronouns.minimal_pairs()
    assert len(pairs) == 2 * len(microworld_rules.CREATURES) * len(microworld_rules.WAYS)
    for pair in pairs:
        tired, wide = (TYPES.decode(ids) for ids in (pair.of_creature, pair.of_way))
        differ = [
            place
            for place, words in enumerate(zip(tired, wide, strict=True))
            if len(set(words)) > 1
        ]
        assert [(tired[place], wide[place]) for place in differ] == [("tired", "wide")]
        assert tired[pair.it] == "it"
        assert tired[pair.creature] in microworld_rules.CREATURES
        assert tired[pair.way] in microworld_rules.WAYS


def test_shifts_are_those_of_the_weights():
    some = untrained_model(replace(SPEC, seed=4), len(TYPES))
    with torch.no_grad():
        for weight in some.parameters():
            weight.mul_(2)
    pairs = pronouns.minimal_pairs()[:6]
    found = {shift.head: shift for shift in pronouns.attention_shifts(some, pairs)}
    for head in (Head(0, 0), Head(1, 1)):
        shares = []
        for pair in pairs:
            row = []
            for ids in (pair.of_creature, pair.of_way):
                with torch.no_grad():
                    block = some(torch.tensor([ids])).blocks[head.layer]
                alpha = block.attention.weights[0, head.head]
                animal, way = (float(alpha[pair.it, at]) for at in (pair.creature, pair.way))
                row.append(animal / (animal + way))
            shares.append(row)
        tired, wide = np.array(shares).T
        assert found[head].tired == pytest.approx(tired.mean(), rel=1e-4)
        assert found[head].wide == pytest.approx(wide.mean(), rel=1e-4)
        assert found[head].moved == pytest.approx(np.mean(tired - wide >= 0.05))
