import io
import json
import os
import pickle
import zipfile
from dataclasses import replace
from functools import lru_cache

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from runs_at_hand import QUOTED, STORY, TINY, of
from safetensors.torch import load, save

from lmcore.training import checkpoint
from lmcore.training.checkpoint import dump, restore
from lmcore.training.events import Diverged, Stepped
from lmcore.training.loop import Training, train

SHORT = replace(TINY, steps=12, every=4)


def at(spec, step):
    """A run that has made `step` steps."""
    run = Training(spec)
    for event in run:
        if isinstance(event, Stepped) and event.step == step:
            break
    return run


def remade(data, tensors=None, metadata=None, **changes):
    """The file with other tensors, or with changes in its header."""
    size = int.from_bytes(data[:8], "little")
    about = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["about"])
    about |= changes
    about = {name: value for name, value in about.items() if value is not ...}
    kept = load(data) if tensors is None else tensors
    return save(kept, {"about": json.dumps(about)} if metadata is None else metadata)


@pytest.fixture(scope="module")
def good():
    return dump(at(SHORT, 5))


VARIETIES = {
    "feedforward": of("feedforward"),
    "rnn": of("rnn", optimizer="momentum"),
    "gru": of("gru", optimizer="sgd"),
    "lstm": of("lstm"),
    "no context": replace(TINY, model=replace(TINY.model, kind="feedforward", context=1)),
    "deep": replace(TINY, model=replace(TINY.model, kind="lstm", layers=2)),
    "dropout": of("gru", dropout=0.3),
    "frozen": of("lstm", freeze_embedding=True, optimizer="momentum"),
    "carried by feedforward": of("feedforward", corpus=QUOTED),
    "carried by lstm": of("lstm", corpus=QUOTED, dropout=0.2),
    "carried by gru": of("gru", corpus=QUOTED, optimizer="momentum"),
    "a person's own text": of("rnn", corpus=STORY),
    "one lane": of("lstm", corpus=QUOTED, batch=1),
}


@pytest.mark.parametrize("variety", VARIETIES)
def test_a_run_restored_after_any_step_goes_on_bit_for_bit(variety):
    spec = replace(VARIETIES[variety], steps=12, every=4)
    run, files, events = Training(spec), [], []
    files.append((0, dump(run)))
    for event in run:
        events.append(event)
        if isinstance(event, Stepped):
            files.append((len(events), dump(run)))
    for place, data in files[::3] + files[-1:]:
        again = restore(data)
        assert list(again) == events[place:]
        assert dump(again) == dump(run)


def test_a_run_restored_just_before_it_says_that_it_diverged_says_so_too():
    run = Training(replace(SHORT, learning_rate=100.0, steps=200, decay=False, clip=0.0))
    *_, last = run
    assert isinstance(last, Diverged)
    assert list(restore(dump(run))) == [last]


def test_restoring_takes_nothing_from_the_file_that_was_saved_later(tmp_path):
    run = Training(SHORT)
    steps = train(run)
    next(steps)
    checkpoint.save(run, tmp_path / "run.safetensors")
    next(steps)
    checkpoint.save(run, tmp_path / "run.safetensors")
    assert restore((tmp_path / "run.safetensors").read_bytes()).step == 1
    assert [path.name for path in tmp_path.iterdir()] == ["run.safetensors"]


def test_the_model_of_a_file_gives_the_probabilities_it_gave(good):
    run = at(SHORT, 5)
    model, spec, step = checkpoint.load_model(good)
    tokens = torch.tensor([0, 5, 9])
    assert (spec, step) == (SHORT, 5)
    assert torch.equal(
        model.log_probabilities(tokens), run.language_model().log_probabilities(tokens)
    )
    assert model.vocabulary == run.feed.vocabulary


def test_a_good_file_whose_header_is_as_long_as_an_archive_begins_is_read(good):
    size = int.from_bytes(b"PK", "little")
    empty = int.from_bytes(remade(good, why="")[:8], "little")
    data = remade(good, why="x" * (size - empty))
    assert data[:2] == b"PK"
    assert restore(data).step == 5


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.001, 0.1, 0.5, 0.9, 0.9999])
def test_a_file_cut_short_is_refused(good, share):
    with pytest.raises(ValueError, match=r"must be a whole \.safetensors file saved here"):
        restore(good[: int(share * len(good))])


def test_a_file_with_something_behind_its_end_is_refused(good):
    with pytest.raises(ValueError, match=r"must be a whole \.safetensors"):
        restore(good + b"\0")


@given(st.binary(max_size=200))
def test_random_bytes_are_refused(data):
    with pytest.raises(ValueError, match="the file must be"):
        restore(data)


@lru_cache(maxsize=1)
def untrained():
    return dump(Training(SHORT))


@given(st.data())
def test_a_file_with_a_byte_changed_is_refused_or_runs(data):
    good = untrained()
    size = 8 + int.from_bytes(good[:8], "little")
    place = data.draw(st.integers(0, size - 1))
    value = data.draw(st.integers(0, 255))
    changed = good[:place] + bytes([value]) + good[place + 1 :]
    try:
        run = restore(changed)
    except ValueError:
        return
    assert run.step <= run.spec.steps


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_refused_and_nothing_in_it_is_run(tmp_path, protocol):
    trap = tmp_path / "sprung"
    data = pickle.dumps(Trap(trap), protocol=protocol)
    with pytest.raises(ValueError, match=r"must be .*\.safetensors"):
        restore(data)
    assert not trap.exists()
    pickle.loads(data)
    assert trap.exists()


@pytest.mark.parametrize("zipped", [True, False])
def test_what_torch_saves_is_refused_and_nothing_in_it_is_run(tmp_path, zipped):
    trap, buffer = tmp_path / "sprung", io.BytesIO()
    torch.save(
        {"weights": torch.ones(3), "trap": Trap(trap)},
        buffer,
        _use_new_zipfile_serialization=zipped,
    )
    with pytest.raises(ValueError, match="a pickle or zip archive, which could run code"):
        restore(buffer.getvalue())
    assert not trap.exists()


def test_a_zip_archive_is_refused(good):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("checkpoint.safetensors", good)
    with pytest.raises(ValueError, match="got a pickle or zip archive"):
        restore(buffer.getvalue())


def test_too_large_a_file_is_refused(good, monkeypatch):
    monkeypatch.setattr(checkpoint, "BYTES_EACH", 1)
    monkeypatch.setenv("LMCORE_WEIGHTS", "1000")
    with pytest.raises(ValueError, match=rf"at most 1,000 bytes; got {len(good):,}"):
        restore(good)


def test_the_largest_run_that_is_allowed_can_be_restored():
    # 3 numbers per weight for Adam, the state of 4 layers, a text of 9 bytes per character.
    numbers = 3 * 5_000_000 + 2 * 4 * 256 * 1024
    assert 4 * numbers + 9 * 1_000_000 < checkpoint.BYTES_EACH * 5_000_000


def test_another_models_weights_are_refused(good):
    other = load(dump(at(replace(SHORT, model=replace(TINY.model, kind="lstm")), 5)))
    with pytest.raises(ValueError, match=r"the weight recurrent.bias_hh_l0 must have shape \(7,\)"):
        restore(remade(good, other))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("network.output.bias", lambda w: w[:-1], r"the weight output.bias must have shape"),
        ("network.output.bias", lambda w: w.to(torch.int32), "must .* of float32; got .* of int32"),
        ("network.output.bias", lambda w: None, "the weight output.bias must .*; got none"),
        ("network.extra", lambda w: torch.ones(2), r"extra must have shape none; got \(2,\)"),
        ("optimizer.0.exp_avg", lambda w: w[:1], "the optimiser's 0.exp_avg must have shape"),
        ("optimizer.1.step", lambda w: None, r"the optimiser's 1.step must .*; got none"),
        ("optimizer.x.step", lambda w: torch.ones(()), "the optimiser's x.step must have shape no"),
        ("optimizer.99.step", lambda w: torch.ones(()), "the optimiser's 99.step must have"),
        ("state.0", lambda w: w[:, :2].contiguous(), r"the state 0 must have shape \(1, 3, 7\)"),
        ("state.0", lambda w: None, "the state 0 must have shape .*; got none"),
        ("state.1", lambda w: torch.ones(2), "the state 1 must have shape none"),
        ("state.x", lambda w: torch.ones(2), "the state x must have shape none"),
    ],
)
def test_numbers_that_do_not_fit_are_refused_by_name(good, name, change, message):
    tensors = load(good)
    changed = change(tensors.get(name))
    tensors = {**tensors, name: changed} if changed is not None else tensors
    if changed is None:
        del tensors[name]
    with pytest.raises(ValueError, match=message):
        restore(remade(good, tensors))


def test_a_carried_context_must_hold_words_of_the_vocabulary():
    good = dump(at(of("feedforward", corpus=QUOTED, steps=12), 5))
    tensors = load(good)
    tensors["state.0"] = tensors["state.0"] + 37
    with pytest.raises(ValueError, match=r"the state 0 must hold ids from 0 to \d+; got another"):
        restore(remade(good, tensors))


def test_a_run_that_made_no_step_remembers_nothing(good):
    with pytest.raises(ValueError, match=r"the optimiser's 0.exp_avg must have shape none"):
        restore(remade(good, step=0, recent=[]))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "other 1"}, "must be of the format 'language-models-live 1'"),
        ({"format": ...}, "must be of the format"),
        ({"spec": ...}, "the file must say what run it is of; 'spec'"),
        ({"spec": 3}, "."),
        ({"spec": "[]"}, "must be described by its settings in JSON"),
        ({"spec": SHORT.to_json().replace('"batch": 3', '"batch": 0')}, "batch size must be from"),
        ({"spec": SHORT.to_json().replace('"batch": 3', '"batch": 5')}, "the state 0 must have"),
        ({"spec": SHORT.to_json().replace('"hidden": 7', '"hidden": 11')}, "must have shape"),
        ({"spec": SHORT.to_json().replace('"adam"', '"sgd"')}, "the optimiser's .* got"),
        ({"step": ...}, "the file must say what run it is of"),
        ({"step": -1}, "step must be as it was saved; got -1"),
        ({"step": 13}, "step must be as it was saved; got 13"),
        ({"step": "5"}, "."),
        ({"step": 5.0}, "."),
        ({"step": None}, "."),
        ({"step": True}, "step must be as it was saved; got True"),
        ({"recent": 3}, "."),
        ({"recent": ["a"]}, "."),
        ({"recent": [0.5] * 21}, "recent must be as it was saved"),
        ({"why": 3}, "."),
        ({"vocabulary": ["<s>"]}, "its vocabulary is another one"),
        ({"vocabulary": None}, "."),
        ({"vocabulary": {}}, "."),
        ({"more": 1}, "the file must say what run it is of; .*more"),
    ],
)
def test_a_header_that_was_tampered_with_is_refused(good, changes, message):
    with pytest.raises(ValueError, match=message):
        restore(remade(good, **changes))


@pytest.mark.parametrize(
    "metadata", [{}, {"about": ""}, {"about": "[]"}, {"about": "[" * 100_000}, {"about": "{}"}]
)
def test_a_file_that_does_not_say_what_it_is_is_refused(good, metadata):
    with pytest.raises(ValueError, match="the file must be"):
        restore(remade(good, metadata=metadata))


def test_a_file_without_any_number_is_refused(good):
    with pytest.raises(ValueError, match=r"the weight .* must have shape"):
        restore(remade(good, {}))


def test_the_model_of_a_strange_file_is_refused(good):
    with pytest.raises(ValueError, match=r"the weight embedding.weight must have shape \(2, 5\)"):
        checkpoint.load_model(remade(good, vocabulary=["<s>", "</s>"]))
    with pytest.raises(ValueError, match="must hold each type once"):
        checkpoint.load_model(remade(good, vocabulary=["<s>", "<s>"]))
    with pytest.raises(ValueError, match=r"at most 5,000,000 weights"):
        spec = replace(SHORT, model=replace(TINY.model, kind="lstm", hidden=1024, layers=4))
        checkpoint.load_model(remade(good, spec=spec.to_json()))
