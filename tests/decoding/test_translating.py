"""The decoding strategies of language models, used to translate, agree with the network itself."""

import itertools

import pytest
import torch

from lmcore.decoding.beam import BeamConfig, finished_beams, search
from lmcore.decoding.next_token import NextTokenModel, log_p
from lmcore.decoding.token_by_token import SamplingConfig, generate
from lmcore.decoding.translating import TranslationAdapter
from lmcore.models.encoder_decoder import EncoderDecoderConfig, Transformer
from lmcore.models.recurrent_seq2seq import Seq2Seq, Seq2SeqConfig
from lmcore.training.translation_batches import decode_greedily

START, END, LENGTH = 0, 1, 4
SOURCE = torch.tensor([[3, 7, 5, 2, 4]])
CASES = list(itertools.product(("rnn", "gru", "lstm"), (None, "dot", "cosine", "mlp")))


def network(cell="gru", score="dot"):
    """A network with scores so large that words differ in probability."""
    made = Seq2Seq(Seq2SeqConfig(11, 5, embedding=4, hidden=6, cell=cell, score=score), seed=3)
    with torch.no_grad():
        made.output.weight.mul_(20)
    return made


def probabilities(made, source, targets):
    """Whole target → its log p under the equations of `forward`, all in one batch."""
    longest = max(map(len, targets))
    read = torch.tensor([[START, *words, *[END] * longest][:longest] for words in targets])
    rows = made(source.expand(len(targets), -1), read).logits.detach().double().log_softmax(dim=-1)
    return {
        words: float(sum(row[word] for row, word in zip(its, words, strict=False)))
        for words, its in zip(targets, rows, strict=True)
    }


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
    check_the_most_probable_is_found(model, probabilities(made, source, list(targets())))


def check_the_most_probable_is_found(model, log_ps):
    how = BeamConfig(16, LENGTH, (END,), length_penalty=0.0)
    best = finished_beams(list(search(model, torch.tensor([START]), how)))[0]
    assert best.tokens == max(log_ps, key=log_ps.get)
    assert best.log_p == pytest.approx(max(log_ps.values()), abs=1e-4)


@pytest.mark.parametrize(("cell", "score"), CASES)
def test_a_wide_beam_finds_the_most_probable_of_all_targets(cell, score):
    made = network(cell, score)
    log_ps = probabilities(made, SOURCE, list(targets()))
    check_the_most_probable_is_found(TranslationAdapter(made, SOURCE), log_ps)


def test_probabilities_after_a_prefix_are_those_of_the_equations():
    made, model = network("lstm", "mlp"), TranslationAdapter(network("lstm", "mlp"), SOURCE)
    texts = [(2, 3, END), (4,), (0, 2)]
    log_ps = probabilities(made, SOURCE, texts)
    for words, found in zip(texts, log_p(model, torch.tensor([START]), texts), strict=True):
        assert float(found.sum()) == pytest.approx(log_ps[words], abs=1e-5)
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
