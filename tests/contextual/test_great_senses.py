"""The seven senses of “great”: one vector at layer 0, then one for each sentence."""

import pytest
import torch
import torch.nn.functional as F

from lmcore.contextual.clouds import english_contexts, trace_clouds
from lmcore.contextual.great_senses import GREAT_SENSES, WORD, trace_great
from lmcore.contextual.record import layered_model
from lmcore.pretrained import wheel

pytestmark = pytest.mark.skipif(wheel.package_folder() is None, reason="MiniLM is not installed")


@pytest.fixture(scope="module")
def model():
    return layered_model("minilm")


@pytest.fixture(scope="module")
def found(model):
    return trace_great(model)


def test_at_layer_0_all_seven_are_one_row_of_the_table(found):
    assert torch.equal(found.vectors[0], found.vectors[0, :1].expand(len(GREAT_SENSES), -1))
    assert float(found.mean[0]) == pytest.approx(1)
    assert float(found.points[0].abs().max()) == 0


def test_the_cosines_are_those_of_the_word_in_each_sentence(model, found):
    for layer in (1, len(found.same) - 1):
        vectors = []
        for _, _, sentence in GREAT_SENSES:
            words = sentence.lower().replace(".", " .").split()
            vectors.append(model.word_vectors([words])[0][layer, words.index(WORD)].double())
        for n in range(len(vectors)):
            for m in range(n):
                cosine = F.cosine_similarity(vectors[n], vectors[m], dim=0)
                assert float(found.cosines[layer, n, m]) == pytest.approx(float(cosine), abs=1e-5)


def test_the_mean_leaves_out_each_sentence_with_itself(found):
    last = found.cosines[-1]
    pairs = [float(last[n, m]) for n in range(len(last)) for m in range(n)]
    assert float(found.mean[-1]) == pytest.approx(sum(pairs) / len(pairs))
    assert found.to_frame()["mean"].iloc[-1] == pytest.approx(float(found.mean[-1]))


def test_two_uses_in_one_sense_are_those_of_the_page(model, found):
    within = trace_clouds(model, english_contexts(WORD).occurrences).within
    torch.testing.assert_close(found.same, within)
