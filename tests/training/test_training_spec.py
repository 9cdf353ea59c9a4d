import dataclasses
import json
import math
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs_at_hand import QUOTED, STORY, TINY

from lmcore.training.batches import corpus_vocabulary
from lmcore.training.cost_estimate import (
    MAX_STEP_OPERATIONS,
    OPERATIONS_PER_CALL,
    OPERATIONS_PER_LOGIT,
    check_affordable,
    operations,
    step_seconds,
)
from lmcore.training.loop import Training
from lmcore.training.spec import LARGEST_TEXT, CorpusSpec, MaskSpec, ModelSpec, RunSpec
from lmcore.training.spec_limits import LIMITS

SETTINGS = st.fixed_dictionaries(
    {
        "corpus": st.sampled_from([CorpusSpec(), CorpusSpec(documents=7), QUOTED, STORY]),
        "model": st.sampled_from([ModelSpec("rnn", 3), ModelSpec("rnn", 4), ModelSpec("lstm", 3)]),
        "optimizer": st.sampled_from(["adam", "sgd"]),
        "learning_rate": st.sampled_from([1.0, 0.5]),
        "decay": st.booleans(),
        "clip": st.sampled_from([0.0, -0.0, 1.0]),
        "seed": st.integers(0, 1),
    }
)
IN_THE_MASKING = ("low", "high", "pairs")
IN_THE_MODEL = ("embedding", "hidden", "layers", "context", "heads")


@settings(max_examples=40)
@given(SETTINGS)
def test_a_spec_comes_back_from_json_as_it_was(chosen):
    spec = RunSpec(**chosen)
    assert RunSpec.from_json(spec.to_json()) == spec


@settings(max_examples=40)
@given(SETTINGS, SETTINGS)
def test_keys_are_equal_when_and_only_when_specs_are(chosen, others):
    one, other = RunSpec(**chosen), RunSpec(**others)
    assert (one.key == other.key) == (one == other)


def test_nought_and_minus_nought_are_the_same_run_with_the_same_key():
    assert replace(TINY, clip=-0.0).key == replace(TINY, clip=0.0).key


def test_every_setting_counts_for_the_key():
    changes = {
        "corpus": CorpusSpec(documents=5), "model": ModelSpec("gru"), "optimizer": "sgd",
        "masking": MaskSpec(named=True),
        "learning_rate": 0.5, "decay": False, "batch": 5, "length": 13, "clip": 2.0,
        "dropout": 0.1, "freeze_embedding": True, "steps": 41, "every": 11, "seed": 1,
    }  # fmt: skip
    assert changes.keys() == {field.name for field in dataclasses.fields(RunSpec)}
    keys = {replace(TINY, **{name: value}).key for name, value in changes.items()}
    assert len(keys | {TINY.key}) == len(changes) + 1


def with_setting(name, value):
    if name == "documents":
        return CorpusSpec(documents=value)
    if name in IN_THE_MODEL:
        return ModelSpec("transformer" if name == "layers" else "lstm", **{name: value})
    return replace(TINY, every=1, **{name: value})


@pytest.mark.parametrize("name", [name for name in LIMITS if name not in IN_THE_MASKING])
def test_both_bounds_are_allowed_and_what_lies_beyond_is_named(name):
    low, high = LIMITS[name]
    kind = float if name in ("learning_rate", "clip", "dropout") else int
    for bound in (low, high):
        with_setting(name, kind(bound))
    for beyond in (low - kind(1), high + kind(1)):
        with pytest.raises(ValueError, match=r"must be from .* to .*; got -?[\d,.e+]+"):
            with_setting(name, kind(beyond))


@pytest.mark.parametrize("name", ["learning_rate", "clip", "dropout"])
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_not_a_number_is_refused(name, value):
    with pytest.raises(ValueError, match=r"must be a number; got (nan|-?inf)"):
        replace(TINY, **{name: value})


@pytest.mark.parametrize(
    ("part", "changes", "message"),
    [
        (CorpusSpec, {"source": "changes"}, "corpus must be one of microworld.*; got 'changes'"),
        (CorpusSpec, {"unit": "character"}, "the microworld text must be read by word"),
        (CorpusSpec, {"source": "quoted"}, "the quoted text must be read by character; got 'word'"),
        (CorpusSpec, {"source": "prose", "documents": 5}, "documents must be 0 for the prose"),
        (CorpusSpec, {"source": "own"}, "text must be given for the corpus 'own'"),
        (CorpusSpec, {"text": "hello"}, "text must be given .* only for it"),
        (
            CorpusSpec,
            {"source": "own", "text": "a" * (LARGEST_TEXT + 1)},
            "at most 1,000,000 characters; got 1,000,001",
        ),
        (
            ModelSpec,
            {"layers": 5},
            "must be from 1 to 4 unless the model is a Transformer; got 5 for 'lstm'",
        ),
        (ModelSpec, {"kind": "elman"}, "model must be one of .*; got 'elman'"),
        (
            ModelSpec,
            {"kind": "transformer", "embedding": 30},
            "the embedding size must be a multiple of the number of heads, 4; got 30",
        ),
        (
            RunSpec,
            {
                "model": {"kind": "transformer"},
                "corpus": {"source": "prose"},
                "length": 129,
            },
            "the length read at a time must be at most 128 for a Transformer.*; got 129",
        ),
        (
            RunSpec,
            {"model": {"kind": "encoder"}, "corpus": {"source": "prose"}},
            "the text of an encoder must be the microworld; got 'prose'",
        ),
        (
            ModelSpec,
            {"norm": "post", "mlp": False},
            "norm and mlp must be given for a Transformer only; got 'lstm'",
        ),
        (
            ModelSpec,
            {"kind": "transformer", "norm": "batch"},
            "norm must be one of pre, post, none; got 'batch'",
        ),
        (
            RunSpec,
            {"model": {"kind": "encoder_decoder"}},
            "must be trained on the corpus 'translation', .*; got 'encoder_decoder' and 'micro",
        ),
        (MaskSpec, {"pairs": 1.5}, "the share of pairs must be from 0 to 1; got 1.5"),
        (
            MaskSpec,
            {"low": 0.2},
            "the low share .* above 0 and at most the high one, 0.15; got 0.2",
        ),
        (MaskSpec, {"low": 0.0}, "the low share .* above 0 and at most the high one, 0.15; got 0"),
        (RunSpec, {"optimizer": "adamw"}, "optimiser must be one of .*; got 'adamw'"),
        (RunSpec, {"every": 0}, "every must be from 1 to steps, 1000; got 0"),
        (RunSpec, {"every": 1001}, "every must be from 1 to steps, 1000; got 1001"),
        (RunSpec, {"every": True}, "every must be from 1 .*; got True"),
        (RunSpec, {"batch": True}, "the batch size must be a whole number; got True"),
    ],
)
def test_what_is_out_of_bounds_or_does_not_go_together_is_refused(part, changes, message):
    # Through JSON, so that no types are checked before the spec checks them.
    parts = dataclasses.asdict(RunSpec())
    inner = {
        CorpusSpec: parts["corpus"],
        ModelSpec: parts["model"],
        MaskSpec: parts["masking"],
        RunSpec: parts,
    }[part]
    inner.update(changes)
    with pytest.raises(ValueError, match=message):
        RunSpec.from_json(json.dumps(parts))


WRONG_TYPES = {
    '{"corpus": {"source": "own", "text": ["a"]}, "model": {}}': "text must be given",
    '{"corpus": {"unit": "byte"}, "model": {}}': "word, character, subword; got 'byte'",
    '{"corpus": {"source": []}, "model": {}}': "corpus must be one of",
    '{"corpus": {}, "model": {}, "every": 2.5}': "every must be from 1 to steps, 1000; got 2.5",
    '{"corpus": {}, "model": {"causal": 1}}': "causal must be true or false; got 1",
    '{"corpus": {}, "model": {}, "decay": "yes"}': "decay must be true or false; got 'yes'",
    '{"corpus": {}, "model": {}, "freeze_embedding": 1}': "must be true or false; got 1",
    '{"corpus": {}, "model": {}, "batch": 2.5}': "the batch size must be a whole number; got 2.5",
    '{"corpus": {}, "model": {}, "clip": true}': "the gradient clip must be a number; got True",
    '{"corpus": {}, "model": {}, "seed": "1"}': "seed must be a whole number; got '1'",
    '{"corpus": {}, "model": {"hidden": null}}': "the hidden size must be a whole number; got None",
    '{"corpus": {}, "model": {}, "clip": 1}': '"clip": 1.0',
}
SCRIPT = """
import json, sys
from lmcore.training.spec import RunSpec
for text in json.load(sys.stdin):
    try:
        print(json.dumps(RunSpec.from_json(text).to_json()))
    except ValueError as error:
        print(json.dumps(str(error)))
"""


def test_wrong_types_are_refused_in_words_also_where_no_type_is_checked_before():
    # In another process, because in these tests beartype would refuse the types first.
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(list(WRONG_TYPES)), capture_output=True, text=True, check=True,
    )  # fmt: skip
    told = [json.loads(line) for line in done.stdout.splitlines()]
    for (text, wanted), got in zip(WRONG_TYPES.items(), told, strict=True):
        assert wanted in got, text


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "3", "null", '"run"', "{}", '{"corpus": {}}'),
        '{"corpus": 1, "model": 2}',
        "[" * 100_000,
        '{"corpus": {}, "model": {}, "loss": 0}',
        '{"corpus": {"words": 1}, "model": {}}',
        '{"corpus": {}, "model": {"kind": {}}}',
        f'{{"corpus": {{}}, "model": {{}}, "steps": {"9" * 400}}}',
        '{"corpus": {}, "model": {}, "clip": NaN}',
        '{"corpus": {}, "model": {}, "clip": null}',
    ],
)
def test_strange_json_is_refused_in_words(text):
    with pytest.raises(ValueError, match=r"must (be|have)"):
        RunSpec.from_json(text)


@given(st.text() | st.recursive(st.none() | st.integers(), lambda x: st.lists(x)).map(json.dumps))
def test_any_text_is_a_spec_or_a_value_error(text):
    with pytest.raises(ValueError, match="must be described by its settings"):
        RunSpec.from_json(text)


def test_a_step_too_dear_for_the_device_is_refused_with_its_time():
    spec = replace(TINY, corpus=QUOTED, model=ModelSpec("lstm", 64, 512), batch=256, length=512)
    types, tokens = len(corpus_vocabulary(QUOTED)), 256 * 512
    seconds = 0.2 * operations(spec, types, tokens) / MAX_STEP_OPERATIONS["cpu"]
    assert step_seconds(spec, types, tokens, "cpu") == pytest.approx(seconds)
    wanted = f"so that Stop is obeyed; got about {math.ceil(100 * seconds) / 100:g} s: choose"
    with pytest.raises(ValueError, match=rf"at most 0\.2 s on this CPU, {re.escape(wanted)}"):
        Training(spec)
    check_affordable(spec, types, tokens, "cuda")


def test_operations_are_six_for_each_weight_and_token_and_something_for_logits_and_times():
    model = ModelSpec("rnn", embedding=5, hidden=7)
    weights = 7 * 5 + 7 * 7 + 2 * 7 + 13 * 7 + 13
    spec = replace(TINY, model=model, batch=2)
    assert (
        operations(spec, 13, 22)
        == 6 * weights * 22 + OPERATIONS_PER_LOGIT * 13 * 22 + OPERATIONS_PER_CALL * 11
    )
    feedforward = replace(spec, model=ModelSpec("feedforward", 5, 7, context=2))
    weights = 7 * 2 * 5 + 7 + 13 * 7 + 13
    assert operations(feedforward, 13, 22) == 6 * weights * 22 + OPERATIONS_PER_LOGIT * 13 * 22


@pytest.mark.parametrize(
    ("model", "types", "batch", "length"),
    [
        (ModelSpec("rnn", 2, 2), 10_000, 40, 512),
        (ModelSpec("gru", 64, 64, layers=4), 40, 16, 512),
        (ModelSpec("lstm", 64, 512), 40, 256, 512),
    ],
)
def test_a_step_is_refused_for_its_logits_its_times_or_its_weights(model, types, batch, length):
    spec = replace(TINY, model=model, batch=batch, length=length)
    with pytest.raises(ValueError, match=r"one step must take at most 0\.2 s on this CPU"):
        check_affordable(spec, types, batch * length, "cpu")


@pytest.mark.parametrize("kind", ["feedforward", "rnn", "gru", "lstm"])
def test_what_the_page_opens_on_is_far_from_too_dear(kind):
    spec = RunSpec(model=ModelSpec(kind))
    assert operations(spec, 300, 64 * 40) < MAX_STEP_OPERATIONS["cpu"] / 1.3


def test_a_model_too_large_to_be_saved_often_is_refused():
    spec = replace(TINY, model=ModelSpec("lstm", 512, 1024, layers=4), batch=1)
    weights = spec.model.config(300).parameters
    with pytest.raises(ValueError, match=f"at most 5,000,000 weights; got {weights:,}"):
        check_affordable(spec, 300, 2, "cuda")


def test_how_large_a_model_may_be_is_set_for_the_server(monkeypatch):
    weights = TINY.model.config(300).parameters
    assert weights > 1000
    monkeypatch.setenv("LMCORE_WEIGHTS", str(weights))
    check_affordable(TINY, 300, 2, "cpu")
    monkeypatch.setenv("LMCORE_WEIGHTS", str(weights - 1))
    with pytest.raises(ValueError, match=f"at most {weights - 1:,} weights; got {weights:,}"):
        check_affordable(TINY, 300, 2, "cpu")


def test_memory_is_sixteen_bytes_a_weight_and_an_own_text_is_taken_as_rich():
    weights = TINY.model.config(300).parameters
    assert TINY.bytes == 16 * weights
    assert replace(TINY, corpus=STORY).bytes == 16 * TINY.model.config(10_000).parameters


def test_a_persons_text_is_not_shown_when_a_spec_is_printed():
    assert "cats" not in repr(replace(TINY, corpus=STORY))


def test_a_switch_that_is_on_is_left_out_so_that_keys_stay_as_they_were():
    plain = replace(TINY, model=ModelSpec("transformer"))
    usual = ModelSpec("transformer", norm="pre", positions="learned", residual=True, mlp=True)
    assert usual == plain.model
    assert replace(plain, model=usual).key == plain.key
    assert (
        not {"norm", "positions", "residual", "mlp"} & json.loads(plain.to_json())["model"].keys()
    )


def test_the_model_has_what_the_spec_leaves_of_it():
    changes = {"norm": "none", "positions": "sinusoidal", "residual": False, "mlp": False}
    for kind in ("transformer", "encoder"):
        spec = replace(TINY, model=ModelSpec(kind, **changes))
        assert RunSpec.from_json(spec.to_json()) == spec
        config = spec.model.config(31)
        assert {name: getattr(config, name) for name in changes} == changes
    keys = {
        replace(TINY, model=ModelSpec("transformer", **{name: value})).key
        for name, value in changes.items()
    }
    assert len(keys) == 4
