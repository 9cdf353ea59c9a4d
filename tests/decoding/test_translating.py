"""The decoders of language models translate: what they write is what the network itself gives."""

import itertools

import pytest
import torch

from lmcore.decoding.beam import BeamConfig, finished_beams, search
from lmcore.decoding.next_token import NextTokenModel, log_p
from lmcore.decoding.translating import TranslationAdapter
from lmcore.decoding.writing import SamplingConfig, generate
from lmcore.models.encoder_decoder import EncoderDecoderConfig, Transformer
from lmcore.models.recurrent_seq2seq import Seq2Seq, Seq2SeqConfig
from lmcore.training.translation_batches import decode_greedily

START, END, LENGTH = 0, 1, 4
SOURCE = torch.tensor([[3, 7, 5, 2, 4]])
CASES = list(itertools.product(("rnn", "gru", "lstm"), (None, "dot", "cosine", "mlp")))


def network(cell="gru", score="dot"):
    """Sharp enough that words differ in probability."""
    made = Seq2Seq(Seq2SeqConfig(11, 5, embedding=4, hidden=6, cell=cell, score=score), seed=3)
    with torch.no_grad():
        made.output.weight.mul_(20)
    return made


def probability(made, words):
    """log p of a whole target under the equations of `forward`."""
    logits = made(SOURCE, [[START, *words[:-1]]]).logits[0].double().log_softmax(dim=-1)
    return float(sum(row[word] for row, word in zip(logits, words, strict=True)).detach())


def targets():
    """Every target: it ends with END, or after LENGTH words."""
    for length in range(1, LENGTH + 1):
        for words in itertools.product(range(5), repeat=length):
            if END not in words[:-1] and (words[-1] == END or length == LENGTH):
                yield words


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_greedy_writing_is_the_networks_own(cell, score):
    made = network(cell, score)
    model = TranslationAdapter(made, SOURCE)
    assert isinstance(model, NextTokenModel)
    (written,) = generate(model, [[START]], SamplingConfig(LENGTH, (END,)))
    (own,) = decode_greedily(made, SOURCE, start=START, end=END, longest=LENGTH)
    assert [word for word in written if word != END] == own


def test_two_stacks_write_and_are_searched_as_seq2seq_is():
    made = Transformer(EncoderDecoderConfig(5, 8, 2, 2, 12, 23), seed=3)
    with torch.no_grad():
        made.embedding.token.weight.mul_(20)
    source = torch.tensor([[3, 2, 4, 2]])
    model = TranslationAdapter(made, source)
    (written,) = generate(model, [[START]], SamplingConfig(LENGTH, (END,)))
    (own,) = decode_greedily(made, source, start=START, end=END, longest=LENGTH)
    assert [word for word in written if word != END] == own
    how = BeamConfig(16, LENGTH, (END,), length_penalty=0.0)
    best = finished_beams(list(search(model, torch.tensor([START]), how)))[0]

    def log_p(words):
        read = torch.tensor([[START, *words[:-1]]])
        rows = made(source, read).logits[0].double().log_softmax(dim=-1)
        return float(sum(row[word] for row, word in zip(rows, words, strict=True)).detach())

    wanted = max(targets(), key=log_p)
    assert best.tokens == wanted
    assert best.log_p == pytest.approx(log_p(wanted), abs=1e-4)


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_a_wide_beam_finds_the_most_probable_of_all_targets(cell, score):
    made = network(cell, score)
    how = BeamConfig(16, LENGTH, (END,), length_penalty=0.0)
    steps = list(search(TranslationAdapter(made, SOURCE), torch.tensor([START]), how))
    best = finished_beams(steps)[0]
    wanted = max(targets(), key=lambda words: probability(made, words))
    assert best.tokens == wanted
    assert best.log_p == pytest.approx(probability(made, wanted), abs=1e-4)


def test_probabilities_after_a_prefix_are_those_of_the_equations():
    made, model = network("lstm", "mlp"), TranslationAdapter(network("lstm", "mlp"), SOURCE)
    texts = [[2, 3, END], [4], [0, 2]]
    for words, found in zip(texts, log_p(model, torch.tensor([START]), texts), strict=True):
        assert float(found.sum()) == pytest.approx(probability(made, words), abs=1e-5)
    scores, _ = model.start(torch.tensor([[START, 2, 3]]))
    rows = made(SOURCE, [[START, 2, 3]]).logits[:, -1]
    torch.testing.assert_close(scores, rows.detach().double())


def test_sampled_translations_depend_on_their_seed():
    model = TranslationAdapter(network(), SOURCE)
    how = SamplingConfig(LENGTH, (END,), seeds=(1, 1, 2, 3, 4, 5))
    written = generate(model, [[START]] * 6, how)
    assert written[0] == written[1]
    assert len({tuple(words) for words in written}) > 1


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([[3, 4], [5, 6]], "a translation must be of one source; got 2"),
        ([3, 11], "a token must be an id from 0 to 10; got 11"),
    ],
)
def test_what_is_no_single_source_is_refused(source, message):
    with pytest.raises(ValueError, match=message):
        TranslationAdapter(network(), source)
