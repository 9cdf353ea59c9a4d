"""One word in many contexts: cosines, the nearest centroid, the planes, and the sentences."""

import itertools

import pytest
import torch
import torch.nn.functional as F

from lmcore.contextual import clouds
from lmcore.contextual.bilm import load_bilm
from lmcore.contextual.clouds import (
    OWN,
    english_contexts,
    find_word,
    microworld_contexts,
    nearest_centroid_accuracy,
    nearest_occurrences,
    trace_clouds,
)
from lmcore.contextual.english_sentences import ENGLISH_SENSES
from lmcore.contextual.layers import BiLMLayers
from lmcore.contextual.persons import WORDS, trace_persons
from lmcore.contextual.record import layered_model, load_record
from lmcore.corpora.microworld import microworld
from lmcore.corpora.microworld_rules import AMBIGUOUS_WORDS, LINES
from lmcore.pretrained import wheel
from lmcore.vocabulary import END, START

MODELS = ("bilm", "gpt", "encoder")


@pytest.fixture(scope="module")
def bilm():
    return BiLMLayers(*load_bilm())


@pytest.mark.parametrize("name", MODELS)
def test_the_static_distance_between_occurrences_is_exactly_0(name):
    found = trace_clouds(layered_model(name), microworld_contexts("fine").occurrences)
    assert torch.equal(found.vectors[0], found.vectors[0, :1].expand_as(found.vectors[0]))
    assert torch.equal(found.points[0], torch.zeros_like(found.points[0]))
    assert float(found.accuracy[0]) == 0.5
    assert not torch.equal(found.vectors[-1, 0], found.vectors[-1, 1])


def test_within_and_between_are_the_means_over_pairs(bilm):
    found = trace_clouds(bilm, microworld_contexts("rest").occurrences)
    senses = found.senses.tolist()
    layer = found.vectors[2]
    pairs = list(itertools.combinations(range(len(senses)), 2))
    cosine = {(i, j): F.cosine_similarity(layer[i], layer[j], dim=0).item() for i, j in pairs}
    for same, told in ((True, found.within), (False, found.between)):
        wanted = [cosine[i, j] for i, j in pairs if (senses[i] == senses[j]) == same]
        assert told[2].item() == pytest.approx(sum(wanted) / len(wanted))


def test_the_nearest_centroid_leaves_the_one_out_that_it_judges():
    generator = torch.Generator().manual_seed(1)
    unit = F.normalize(torch.randn(9, 4, generator=generator, dtype=torch.float64), dim=-1)
    senses = torch.tensor([0, 1, 0, 1, 1, 0, 0, 1, 0])
    right = 0
    for i in range(9):
        rest = torch.arange(9) != i
        means = [unit[rest & (senses == sense)].mean(0) for sense in (0, 1)]
        scores = [F.cosine_similarity(mean, unit[i], dim=0).item() for mean in means]
        right += scores[int(senses[i])] > scores[1 - int(senses[i])]
    assert nearest_centroid_accuracy(unit, senses).item() == pytest.approx(right / 9)


def test_a_plane_keeps_the_distances_it_can_and_is_turned_not_stretched(bilm):
    found = trace_clouds(bilm, microworld_contexts("die").occurrences)
    for layer in (1, 2):
        unit = F.normalize(found.vectors[layer], dim=-1)
        unit = unit - unit.mean(0)
        values = torch.linalg.eigvalsh(unit.mT @ unit)
        kept = found.points[layer].square().sum()
        assert kept.item() == pytest.approx(values[-2:].sum().item())
        assert found.share[layer].item() == pytest.approx((kept / values.sum()).item())


def test_a_lower_plane_cannot_be_turned_to_fit_the_one_above_better(bilm):
    found = trace_clouds(bilm, microworld_contexts("game").occurrences)
    apart = (found.points[1] - found.points[2]).square().sum()
    for angle in torch.linspace(-3, 3, 13).tolist():
        c, s = torch.cos(torch.tensor(angle)), torch.sin(torch.tensor(angle))
        turn = torch.stack([torch.stack([c, -s]), torch.stack([s, c])]).double()
        assert (found.points[1] @ turn - found.points[2]).square().sum() >= apart - 1e-9


def test_a_typed_context_moves_no_other_point_and_no_figure(bilm):
    its = microworld_contexts("fine").occurrences
    typed = find_word("i was ill . the note said fine . it was cold .", "fine")
    without, having = trace_clouds(bilm, its), trace_clouds(bilm, (*its, typed))
    assert int(having.senses[-1]) == OWN
    torch.testing.assert_close(having.points[:, :-1], without.points)
    torch.testing.assert_close(having.within, without.within)
    torch.testing.assert_close(having.accuracy, without.accuracy)
    near = nearest_occurrences(having, 2, len(its))
    cosines = [each.cosine for each in near]
    assert cosines == sorted(cosines, reverse=True)
    assert len(near) == len(its)


def test_eight_words_by_two_persons_meet_in_layer_0_alone(bilm):
    found = trace_persons(bilm)
    torch.testing.assert_close(found.cosines[0], torch.ones(len(WORDS)).double())
    torch.testing.assert_close(found.points[0, 0], found.points[0, 1])
    (one,), (other,) = (bilm.word_vectors([line.split()]) for line in (LINES[0][0], LINES[1][4]))
    fine = [each[:, at].double() for each, at in ((one, 2), (other, 9))]
    assert LINES[0][0].split()[2] == LINES[1][4].split()[9] == WORDS[0] == "fine"
    for layer in (1, 2):
        wanted = F.cosine_similarity(fine[0][layer], fine[1][layer], dim=0)
        torch.testing.assert_close(found.cosines[layer, 0], wanted)
        assert float(found.cosines[layer].max()) < 1


@pytest.mark.parametrize("word", AMBIGUOUS_WORDS)
def test_the_texts_of_the_microworld_are_its_documents(word):
    world = microworld()
    for text in microworld_contexts(word).occurrences:
        assert text.words[text.at] == word
        ids = world.vocabulary.encode((START, *text.words, END))
        assert world.log_probability(ids) > -torch.inf


@pytest.mark.parametrize("word", ENGLISH_SENSES)
def test_every_english_sentence_has_its_word_once(word):
    found = english_contexts(word)
    assert [each.sense for each in found.occurrences] == [0] * 7 + [1] * 7
    assert len({each.words for each in found.occurrences}) == 14
    for each in found.occurrences:
        assert each.words.count(word) == 1


@pytest.mark.skipif(wheel.package_folder() is None, reason="the encoder is not installed")
def test_the_senses_of_the_eight_english_words_part_as_recorded():
    model = layered_model("minilm")
    record = load_record().english
    for word in ("fine", "die"):
        found = trace_clouds(model, english_contexts(word).occurrences)
        assert found.accuracy.tolist() == pytest.approx(record[word])
        assert float(found.accuracy[0]) == 0.5
    separable = [word for word in AMBIGUOUS_WORDS if max(record[word]) >= 0.8]
    assert len(separable) >= 6, record


def test_what_cannot_be_is_refused(bilm):
    with pytest.raises(ValueError, match="must have the word 'fine'; got 'i was ill"):
        find_word("i was ill .", "fine")
    with pytest.raises(ValueError, match="the word must be one of fine"):
        microworld_contexts("cat")
    with pytest.raises(ValueError, match="at least 2 occurrences"):
        trace_clouds(bilm, microworld_contexts("fine").occurrences[:9])
    with pytest.raises(ValueError, match="must be one of the 279 words the model knows"):
        trace_clouds(bilm, [clouds.Occurrence(("xylophone",), 0, sense) for sense in (0, 0, 1, 1)])
    found = trace_clouds(bilm, microworld_contexts("fine").occurrences)
    with pytest.raises(ValueError, match="the layer must be from 0 to 2; got 3"):
        nearest_occurrences(found, 3, 0)


def test_shuffled_senses_give_about_a_half_and_the_gap_of_noise_is_not_unlikely():
    generator = torch.Generator().manual_seed(4)
    senses = torch.arange(14) % 2
    noise = F.normalize(torch.randn(14, 384, generator=generator).double(), dim=-1)
    apart = noise.clone()
    apart[senses == 1] += 0.2
    both = torch.stack([noise, F.normalize(apart, dim=-1)])
    chance, p = clouds.shuffled_senses(both @ both.mT, senses)
    assert 0.4 < clouds.noise_accuracy(14, 384, 20) < 0.55 and 0.4 < float(chance[0]) < 0.55
    assert float(p[0]) > 0.05 and float(p[1]) == 1 / (clouds.SHUFFLES + 1)


def test_the_accuracy_of_shuffled_senses_is_that_of_nearest_centroids(bilm):
    found = trace_clouds(bilm, microworld_contexts("fine").occurrences)
    generator = torch.Generator().manual_seed(0)
    unit = F.normalize(found.vectors[-1], dim=-1)
    senses = found.senses
    dealt = [
        senses[torch.randperm(len(senses), generator=generator)] for _ in range(clouds.SHUFFLES)
    ]
    wanted = torch.stack([nearest_centroid_accuracy(unit, each) for each in dealt]).mean()
    assert float(found.chance[-1]) == pytest.approx(float(wanted))
