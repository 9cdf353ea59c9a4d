"""The texts and the training of the models of English, on made-up files and tiny models."""

import gzip
from itertools import count

import pytest
import torch
from safetensors.torch import save_file

from lmcore.corpora.wordnet import PARTS, read_synsets
from lmcore.masked_lm.sentences import SentencePool
from lmcore.pretrained.loading import load_pretrained
from lmcore.shipped import english_training
from lmcore.shipped.english_text import dictionary_lines, held_out_examples, training_sentences
from lmcore.shipped.english_training import EnglishRun, EnglishTraining
from tests.pretrained import made

PAGE = "\n   To bark at night, as dogs do.\n   [1913 Webster]\n\n   To swim at noon, as fish do.\n"
PAGE += "   [1913 Webster]\n"


@pytest.fixture
def folder(tmp_path):
    """Texts in which a held-out set and a training set have the same example."""
    wordnet = tmp_path / "wordnet"
    wordnet.mkdir()
    for part in PARTS:
        (wordnet / f"data.{part}").write_text("", "utf-8")
    lines = {}
    for n in count():
        line = (
            f'{n:08d} 03 n 01 w{n} 0 000 | thing {n}; "to bark at night, as dogs do"; "e {n}"  \n'
        )
        (wordnet / "data.noun").write_text(line, "utf-8")
        (found,) = read_synsets(wordnet)
        lines.setdefault(found.held_out, line)
        if len(lines) == 2:
            break
    (wordnet / "data.noun").write_text(lines[True] + lines[False], "utf-8")
    (tmp_path / "dictd").mkdir()
    (tmp_path / "dictd" / "gcide.dict.dz").write_bytes(gzip.compress(PAGE.encode()))
    return tmp_path


def test_no_held_out_sentence_is_learnt(folder):
    tested = held_out_examples(folder)
    learnt = training_sentences(folder)
    assert "to bark at night, as dogs do" in tested and len(tested) == 2
    assert learnt["webster"] == ["To swim at noon, as fish do."]
    (own,) = [each for each in learnt["examples"] if not each.endswith(".")]
    assert learnt["examples"] == [own, f"{own}."] and own not in tested
    assert learnt["definitions"] == [f"thing {own.removeprefix('e ')}"]


def test_the_lines_of_the_dictionary_are_split_as_the_sets_are(folder):
    (learnt,), (tested,) = dictionary_lines(folder)
    for line in (learnt, tested):
        n = line.partition(":")[0].removeprefix("w")
        assert line == f'w{n}: thing {n}. "to bark at night, as dogs do" "e {n}"\n'
    assert tested != learnt


def test_training_changes_the_blocks_and_the_head_alone_and_lowers_the_loss(tmp_path):
    encoder = load_pretrained(made.save(made.bert(), made.pieces(), tmp_path))
    before = {name: tensor.clone() for name, tensor in encoder.network.state_dict().items()}
    texts = ["the animal crossed the street", "the animal , the street", "a street , a animal"]
    pool = SentencePool.make(encoder.tokenizer, {"all": texts}, {"all": 1.0})
    training = EnglishTraining(encoder, pool, EnglishRun(rank=2, tokens=120, warm_up=1))
    losses = [training.learn(1.0) for _ in range(40)]
    assert sum(losses[-5:]) < 0.8 * sum(losses[:5])
    assert all(name.startswith(("blocks.", "head.")) for name in training.weights)
    for name, tensor in encoder.network.state_dict().items():
        assert torch.equal(tensor, before[name]), name


def test_a_run_goes_on_from_the_shipped_weights(tmp_path, monkeypatch):
    encoder = load_pretrained(made.save(made.bert(), made.pieces(), tmp_path))
    pool = SentencePool.make(encoder.tokenizer, {"all": ["the animal crossed"]}, {"all": 1.0})
    first, then = (EnglishTraining(encoder, pool, EnglishRun(rank=2, warm_up=4)) for _ in range(2))
    first.learn(1.0)
    weights = {name: each.detach().half() for name, each in first.weights.items()}
    save_file(weights, tmp_path / "shipped.safetensors")
    (tmp_path / "shipped.json").write_text('{"steps": 7, "seconds": 90}', "utf-8")
    monkeypatch.setattr(english_training, "path", lambda _: tmp_path / "shipped.safetensors")
    monkeypatch.setattr(english_training, "card_path", lambda _: tmp_path / "shipped.json")
    then.begin_with_shipped()
    assert (then.step, then.seconds) == (7, 90.0)
    for name, weight in then.weights.items():
        assert torch.equal(weight.detach(), weights[name].float()), name
    then.learn(1.0)  # the learning rate warms up from 0 again
    assert then.optimizer.param_groups[0]["lr"] == then.optimizer.param_groups[0]["base"] / 4
