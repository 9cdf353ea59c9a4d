"""The batches of a translation model; the shared engine trains, saves and restores it."""

import dataclasses
import json
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F
from runs_at_hand import TINY, own_pool, until

from lmcore.corpora.translation import PAD, is_held_out, translate, translation_vocabulary
from lmcore.models.encoder_decoder import Transformer
from lmcore.models.recurrent_seq2seq import Seq2Seq
from lmcore.training import checkpoint
from lmcore.training.batches import IGNORE_INDEX, corpus_vocabulary, typical_step_tokens
from lmcore.training.events import Evaluated, Finished, Stepped
from lmcore.training.loop import Training, layer_norms, training_step, validation_loss
from lmcore.training.pool.worker import sample_text
from lmcore.training.precheck import check_runnable, step_tokens
from lmcore.training.spec import CorpusSpec, ModelSpec, RunSpec
from lmcore.training.translation_batches import (
    TranslationFeed,
    decode_greedily,
    encode_sources,
    translation_batch,
    write_translations,
)

SPEC = RunSpec(
    CorpusSpec("translation", task="passive", longest=9),
    ModelSpec("seq2seq", embedding=5, hidden=7, score="dot"),
    batch=6,
    steps=8,
    every=4,
)
STACKS = replace(
    SPEC, model=ModelSpec("encoder_decoder", 6, 7, layers=2, heads=3, positions="sinusoidal")
)
IDS = translation_vocabulary().ids


def words(row):
    return [translation_vocabulary().tokens[i] for i in row.tolist() if i >= 0]


def test_the_decoder_reads_the_target_shifted_by_one():
    source = ("the", "ball", "was", "kicked", "by", "kayla")
    batch = translation_batch([source], "passive")
    assert words(batch.source[0]) == [*source, "</s>"]
    assert words(batch.inputs[0]) == ["<s>", "kayla", "kicked", "the", "ball"]
    assert words(batch.targets[0]) == ["kayla", "kicked", "the", "ball", "</s>"]
    assert batch.read == 7 + 5


@pytest.mark.parametrize("task", ["passive", "translation", "mixture", "copy", "reverse"])
def test_every_row_is_a_pair_of_the_task(task):
    spec = replace(SPEC, corpus=CorpusSpec("translation", task=task, longest=9), batch=12)
    feed = TranslationFeed(spec)
    for batch, held_out in [
        *((feed.batch(n), False) for n in range(2)),
        *((each, True) for each in feed.validation),
    ]:
        for source, read, target in zip(batch.source, batch.inputs, batch.targets, strict=True):
            typed = [word for word in words(source) if word != PAD]
            assert typed[-1] == "</s>" and len(typed) <= 10
            assert is_held_out(typed[:-1]) == held_out
            wanted = [*translate(typed[:-1], task), "</s>"]
            assert words(target) == wanted
            assert words(read)[: len(wanted)] == ["<s>", *wanted[:-1]]
            assert (target[len(wanted) :] == IGNORE_INDEX).all()


def test_a_batch_is_a_function_of_the_spec_and_the_step():
    one, other = TranslationFeed(SPEC), TranslationFeed(SPEC)
    other.batch(50)
    for step in (0, 31, 32, 5):
        assert torch.equal(one.batch(step).source, other.batch(step).source)
    again = TranslationFeed(replace(SPEC, seed=1))
    assert not torch.equal(again.batch(0).source, one.batch(0).source)


def test_a_word_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match=r"word 2 must be one of the 172 words .*; got 'zebra'"):
        encode_sources([("the", "zebra")])


@pytest.mark.parametrize("score", [None, "dot", "cosine", "mlp"])
@pytest.mark.parametrize("cell", ["rnn", "gru", "lstm"])
def test_the_engine_trains_it(cell, score):
    spec = replace(SPEC, model=ModelSpec("seq2seq", 8, 16, cell=cell, score=score), steps=30)
    events = list(Training(replace(spec, every=30, learning_rate=2e-2, clip=1.0)))
    before, after = (event.loss for event in events if isinstance(event, Evaluated))
    assert after < before - 0.5
    assert [event.step for event in events if isinstance(event, Stepped)] == list(range(1, 31))
    assert events[-1] == Finished(30)


def test_the_engine_trains_two_stacks():
    model = replace(STACKS.model, embedding=16, hidden=32, heads=4)
    spec = replace(STACKS, model=model, steps=30, every=30, learning_rate=2e-2, clip=1.0)
    before, after = (e.loss for e in Training(spec) if isinstance(e, Evaluated))
    assert after < before - 0.5


@pytest.mark.parametrize("spec", [SPEC, STACKS])
def test_its_losses_are_torchs(spec):
    run = Training(spec)
    batch = run.feed.batch(0)
    logits = run.network.logits(batch.source, batch.inputs)
    expected = F.cross_entropy(logits.flatten(0, 1), batch.targets.flatten())
    assert training_step(run, batch).loss == pytest.approx(float(expected.detach()))


def test_each_part_has_its_own_norm():
    run = Training(replace(SPEC, model=replace(SPEC.model, score="mlp")))
    training_step(run, run.feed.batch(0))
    parts = [name for name, _ in layer_norms(run.network)]
    assert parts == ["embedding", "encoder", "decoder", "attention", "output"]
    run = Training(STACKS)
    training_step(run, run.feed.batch(0))
    parts = [name for name, _ in layer_norms(run.network)]
    stacks = ["encoder 1", "encoder 2", "decoder 1", "decoder 2"]
    assert parts == ["embedding", *stacks, "encoder_norm", "decoder_norm"]


def test_both_embeddings_can_be_frozen():
    run = Training(replace(SPEC, freeze_embedding=True))
    before = {name: each.detach().clone() for name, each in run.network.named_parameters()}
    list(run)
    for name, after in run.network.named_parameters():
        assert torch.equal(before[name], after) == name.startswith("embedding.")


@pytest.mark.parametrize("spec", [SPEC, STACKS])
def test_a_run_goes_on_from_its_file_as_if_it_never_stopped(spec):
    spec = replace(spec, dropout=0.2)
    whole, half = Training(spec), Training(spec)
    expected = [event.loss for event in whole if isinstance(event, Stepped)]
    found = []
    for event in half:
        found += [event.loss] if isinstance(event, Stepped) else []
        if half.step == 5:
            break
    resumed = checkpoint.restore(checkpoint.dump(half))
    found += [event.loss for event in resumed if isinstance(event, Stepped)]
    assert found == expected
    assert checkpoint.dump(resumed) == checkpoint.dump(whole)
    checkpoint.check_checkpoint(checkpoint.dump(whole))


@pytest.mark.parametrize(("wanted", "kind"), [(SPEC, Seq2Seq), (STACKS, Transformer)])
def test_its_file_holds_no_language_model(wanted, kind):
    run = Training(wanted)
    data = checkpoint.dump(run, weights_only=True)
    network, vocabulary, spec, step = checkpoint.load_network(data)
    assert isinstance(network, kind)
    assert (vocabulary, spec, step) == (corpus_vocabulary(wanted.corpus), wanted, 0)
    assert all(map(torch.equal, network.parameters(), run.network.parameters()))
    with pytest.raises(ValueError, match="holds a translation model, not a language model"):
        checkpoint.load_model(data)
    says = f"{wanted.model.kind} translates and is no language model"
    with pytest.raises(ValueError, match=says):
        run.language_model()


@pytest.mark.parametrize("spec", [SPEC, STACKS])
def test_a_report_has_a_held_out_source_and_its_translation(spec):
    run = Training(spec)
    source, _, written = sample_text(run).partition(" → ")
    assert is_held_out(source.split())
    assert " ".join(write_translations(run.network, [source.split()])[0]) == written


def test_a_pool_trains_it(tmp_path):
    with own_pool(tmp_path) as pool:
        name = pool.start(SPEC)
        until(lambda: pool.view(name).state == "finished")
        history = pool.history(name)
    assert history.losses == [e.loss for e in Training(SPEC) if isinstance(e, Stepped)]
    assert "→" in history.samples[-1][1]


@pytest.mark.parametrize("spec", [SPEC, STACKS])
def test_greedy_decoding_takes_the_most_probable_word_after_its_own(spec):
    run = Training(spec)
    source = run.feed.validation[1].source[:4]
    start, end = IDS["<s>"], IDS["</s>"]
    for row, found in enumerate(
        decode_greedily(run.network, source, start=start, end=end, longest=6)
    ):
        read = [start]
        while len(read) <= 6:
            logits = run.network(source[row : row + 1], torch.tensor([read])).logits[0, -1]
            if int(logits.argmax()) == end:
                break
            read.append(int(logits.argmax()))
        assert found == read[1:]


def test_the_loss_of_validation_is_that_of_all_its_words():
    run = Training(SPEC)
    losses = torch.cat(
        [
            F.cross_entropy(
                run.network.logits(each.source, each.inputs).flatten(0, 1),
                each.targets.flatten(),
                reduction="none",
            )[each.targets.flatten() >= 0]
            for each in run.feed.validation
        ]
    )
    assert validation_loss(run) == pytest.approx(float(losses.mean().detach()), rel=1e-5)
    assert run.feed.truth == 0


def test_its_cost_is_known_before_it_starts():
    check_runnable(SPEC, "cpu")
    drawn = typical_step_tokens(TranslationFeed(SPEC))
    assert step_tokens(SPEC) == pytest.approx(drawn, rel=0.25)
    for model in (ModelSpec("seq2seq", 64, 1024), ModelSpec("encoder_decoder", 128, 1024, 4)):
        large = replace(SPEC, model=model, batch=256)
        with pytest.raises(ValueError, match=r"one step must take at most 0\.2 s|most 5,000,000"):
            check_runnable(large, "cpu")


def test_a_spec_has_its_task_in_json_and_other_specs_do_not_change():
    assert RunSpec.from_json(SPEC.to_json()) == SPEC
    assert json.loads(SPEC.to_json())["corpus"]["task"] == "passive"
    plain = json.loads(TINY.to_json())
    assert not {"cell", "score"} & plain["model"].keys()
    assert not {"task", "longest"} & plain["corpus"].keys()
    keys = {replace(SPEC, model=replace(SPEC.model, score=s)).key for s in (None, "dot", "mlp")}
    assert len(keys) == 3


def test_what_a_spec_leaves_out_has_its_default():
    spec = RunSpec(CorpusSpec("translation"), ModelSpec("seq2seq"))
    assert (spec.corpus.task, spec.corpus.longest) == ("translation", 20)
    assert (spec.model.cell, spec.model.score) == ("gru", None)
    assert spec.model.config(50).parameters == sum(
        weight.numel() for weight in Seq2Seq(spec.model.config(50)).parameters()
    )


@pytest.mark.parametrize(
    ("part", "changes", "message"),
    [
        ("corpus", {"task": "latin"}, "the task must be one of .*; got 'latin'"),
        ("corpus", {"longest": 41}, "the task passive must be from 5 to 40 words; got 41"),
        ("corpus", {"longest": 4}, "the task passive must be from 5 to 40 words; got 4"),
        ("corpus", {"longest": True}, "must be from 5 to 40 words; got True"),
        ("corpus", {"source": "microworld"}, "for the corpus 'translation' only; got 'passive'"),
        ("model", {"score": "sum"}, "the score must be one of dot, cosine, mlp; got 'sum'"),
        ("model", {"cell": "relu"}, "the cell must be one of rnn, gru, lstm; got 'relu'"),
        ("model", {"kind": "lstm", "cell": None}, "must be given for the model 'seq2seq' only"),
        ("model", {"kind": "lstm", "cell": None, "score": None}, "must be trained on the corpus"),
    ],
)
def test_what_does_not_go_together_is_refused(part, changes, message):
    parts = dataclasses.asdict(SPEC)
    parts[part].update(changes)
    with pytest.raises(ValueError, match=message):
        RunSpec.from_json(json.dumps(parts))
