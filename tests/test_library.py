"""lmcore as other programs call it: lists and arrays are accepted, and errors name what is wrong.

These calls run in a process without run-time type checks, as in another program.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import torch

import lmcore
from lmcore.models.gru import GRUConfig
from lmcore.models.lstm import LSTMConfig
from lmcore.models.registry import build
from lmcore.models.rnn import RNNConfig

ROOT = Path(__file__).resolve().parent.parent
PREPARED = """
import json, sys
from pathlib import Path
import numpy as np
import pandas
import torch
from lmcore import *
from lmcore.models.feedforward import FeedforwardConfig
from lmcore.models.lstm import LSTMConfig
from lmcore.models.transformer_config import TransformerConfig

GRAPH = parse_program("a = 2; W = [1, 2]; L = a*sum(W)")
LETTERS = Vocabulary(("a", "b"))
COUNTED = fit_ngram(NGramConfig(2), LETTERS, [0, 1, 1, 0, 1])
SMALL = RunSpec(model=ModelSpec("rnn", embedding=8, hidden=8), steps=1, every=1)

def numbers(found):
    return found.tolist() if hasattr(found, "tolist") else found

def said(call):
    try:
        return numbers(eval(call))
    except Exception as error:
        return f"{type(error).__name__}: {error}"

print(json.dumps([said(call) for call in json.load(sys.stdin)]))
"""
IDS = ("[0, 1, 1]", "(0, 1, 1)", "np.array([0, 1, 1])", "torch.tensor([0, 1, 1])")
NUMBERS = ("[3, 4]", "(3, 4)", "np.array([3.0, 4.0])", "torch.tensor([3, 4])")
NETWORKS = (
    "FeedforwardConfig(5)",
    "LSTMConfig(5)",
    "TransformerConfig(5, width=8, heads=2, layers=1)",
)
ALIKE = {
    "trace_graph": [f"trace_graph(GRAPH, {{'W': {w}}}).values[-1]" for w in NUMBERS],
    "Neuron": [f"trace_neuron(Neuron({x}, [1, 1], 0)).output" for x in NUMBERS],
    "draw_points": [f"draw_points(PointSet({kind})).labels" for kind in ("", "'XOR'")],
    "train_network": [
        f"train_network(NetworkConfig({hidden}), draw_points(PointSet())).loss"
        for hidden in ("(2,)", "[2]", "np.array([2])")
    ],
    "regression_from_points": [
        f"solve_regression(regression_from_points({points})).solution"
        for points in (
            *("[[0, 1], [1, 2], [2, 2]]", "((0, 1), (1, 2), (2, 2))"),
            "np.array([[0, 1], [1, 2], [2, 2]])",
        )
    ],
    "regression_from_points, a frame": [
        "solve_regression(regression_from_points([[0, 1], [1, 2], [2, 2]])).solution",
        "solve_regression(regression_from_points("
        "pandas.DataFrame({'x': [0, 1, 2], 'y': [1, 2, 2]}))).solution",
    ],
    "Schedule": [f"Schedule({kind}).kind" for kind in ("'step decay'", "'Step Decay'")],
    "TrainingConfig": [f"TrainingConfig({name}).optimizer" for name in ("'Adam'", "'adam'")],
    "RunSpec": [f"RunSpec(optimizer={name}).optimizer" for name in ("'adam'", "'Adam'")],
    "VectorConfig": [
        f"VectorConfig({name}).method" for name in ("'PPMI–SVD'", "'PPMI-SVD'", "'ppmi-svd'")
    ],
    "PointSet": [f"PointSet({name}).kind" for name in ("'XOR'", "'xor'")],
    "NetworkConfig": [f"NetworkConfig((2,), {g}).activations" for g in ("['ReLU']", "('relu',)")],
    "SamplingConfig": [
        f"SamplingConfig(3, seeds={seeds}).seeds"
        for seeds in ("(1, 2)", "[1, 2]", "np.array([1, 2])")
    ],
    "grow_tree": [
        f"grow_tree(load_shipped('gpt')[0], {ids}, BeamConfig(2, 3)).steps" for ids in IDS
    ],
    "descend": [
        f"descend(regression_from_points([[0, 1], [1, 2]]), {start}, DescentConfig(), 3).loss"
        for start in NUMBERS
    ],
    "train_vectors": [
        f"nearest_words(train_vectors({text}, VectorConfig()).record.word_vectors(), 'a', 2).words"
        for text in ("[['a', 'b'] * 9, ['b', 'c'] * 9]", "(('a', 'b') * 9, ('b', 'c') * 9)")
    ],
    "trace_translation": [
        f"trace_translation(*load_translator('seq2seq_vector')[:2], {source}).written"
        for source in ("['tom', 'runs']", "('tom', 'runs')", "np.array(['tom', 'runs'])")
    ],
    "Vocabulary": [
        f"Vocabulary({tokens}).read('b a')"
        for tokens in ("['a', 'b']", "('a', 'b')", "np.array(['a', 'b'])")
    ],
    "NGramConfig": [
        f"fit_ngram(NGramConfig({order}), LETTERS, [0, 1]).after([0])"
        for order in ("2", "np.int64(2)")
    ],
    "fit_ngram": [f"fit_ngram(NGramConfig(2), LETTERS, {ids}).after([0])" for ids in IDS],
    "score": [f"score(COUNTED, {ids}).total" for ids in IDS],
    "score, a network": [f"score(load_shipped('lstm')[0], {ids}).total" for ids in IDS],
    "after": [f"COUNTED.after({ids})" for ids in IDS],
    "log_probabilities": [f"COUNTED.log_probabilities({ids})" for ids in IDS],
    "generate": [
        f"generate(load_shipped('gpt')[0], {ids}, SamplingConfig(3))"
        for ids in (*IDS, *(f"[{ids}]" for ids in IDS[:2]), "np.array([[0, 1, 1]])")
    ],
    "History": [
        f"History({losses}, {losses}).to_frame().to_numpy()[1:, 1]"
        for losses in ("[5.0, 4.0]", "(5.0, 4.0)", "np.array([5.0, 4.0])")
    ],
    "Training": [
        f"next(iter(Training(SMALL, {where}))).loss"
        for where in ("None", "'cpu'", "torch.device('cpu')")
    ],
} | {f"build, {c}": [f"build({c})({ids}).logits.shape" for ids in IDS] for c in NETWORKS}
"""Expressions that must give equal results, whichever type the argument has."""
IN_A_LIST = "tokens must be ids in a list, an array or a tensor, and texts of one length; got "
REFUSED = {
    "parse_program(['a = 1'])": "a program must be text; got ['a = 1']",
    "parse_program('')": "a program must have at least one line, such as L = 3*2; got none",
    "trace_graph('a = 1')": "a graph must be one that parse_program returns; got 'a = 1'",
    "trace_graph(GRAPH, {'W': []})": "W must be a vector of 2; got a vector of 0",
    "trace_graph(GRAPH, {'W': 'x'})": "W must be a number or rows of numbers; got 'x'",
    "Neuron([], [], 0)": "inputs must hold 1 to 8 numbers; got 0",
    "Neuron(3, [1], 0)": "inputs must be numbers in a row; got 3",
    "Neuron([1], [1], [0])": "bias must be a number; got [0]",
    "PointSet('NOR')": "the data must be one of XOR, AND, OR, ",
    "draw_points('XOR')": "which must be a PointSet, such as PointSet('XOR'); got 'XOR'",
    "NetworkConfig(3, 'tanh')": (
        "the hidden layers must be in a list, such as (3,) for one layer of 3 units; got 3"
    ),
    "NetworkConfig((3,), 'tanh')": (
        "activations must be in a list, such as ('tanh',) for one hidden layer; got 'tanh'"
    ),
    "PointSet(count=20.5)": "the number of points must be a whole number; got 20.5",
    "train_network('XOR', draw_points(PointSet()))": "config must be a NetworkConfig; got 'XOR'",
    "train_network(NetworkConfig(), 'XOR')": (
        "points must be a LabelledPoints, such as draw_points gives; got 'XOR'"
    ),
    "TrainingConfig('AdamW')": "the optimiser must be one of SGD, momentum, Adam; got 'AdamW'",
    "TrainingConfig(steps=20.5)": "steps must be a whole number; got 20.5",
    "Schedule('linear')": "the schedule must be one of constant, ",
    "DescentConfig(schedule=0.1)": "the schedule must be a Schedule; got 0.1",
    "descend('L', [0, 0], DescentConfig(), 3)": (
        "a loss must be an Objective, such as regression_from_points gives; got 'L'"
    ),
    "solve_regression([[0, 1], [1, 2]])": "a regression must be a LinearRegression, such as ",
    "regression_from_points(np.ones((2, 5)))": "points must be rows (x, y); got the shape (2, 5)",
    "regression_from_points([[0, 'b'], [1, 2]])": "points must be rows (x, y) of numbers; got [[0",
    "regression_from_points(5)": "points must be in a list, such as [(0, 1), (1, 2)]; got 5",
    "nearest_words(train_vectors([['a', 'b', 'a']], VectorConfig()), 'a')": (
        "vectors must be a WordVectors, such as run.record.word_vectors(); got MethodRun("
    ),
    "train_vectors(['the cat sat', 'the dog'], VectorConfig())": (
        "sentence 1 must be in a list, such as ['the', 'cat', 'sat']; got 'the cat sat'"
    ),
    "train_vectors('the cat sat', VectorConfig())": (
        "sentences must be in a list, such as [['the', 'cat', 'sat']]; got 'the cat sat'"
    ),
    "trace_neuron([0.5, 1])": "a unit must be a Neuron; got [0.5, 1]",
    "fit_ngram(2, LETTERS, [0, 1])": "config must be an NGramConfig; got 2",
    "score('gpt', [0, 1])": "a model must be a LanguageModel; got 'gpt'",
    "load_shipped('gpt')[0].network([])": (
        "a text must have at least one token for a network to read; got a batch of shape (1, 0)"
    ),
    "trace_translation('seq2seq', LETTERS, ['a'])": "the network must be a Seq2Seq, such as ",
    "SamplingConfig(3, seeds=1)": "seeds must be in a list, such as (1,) for one text; got 1",
    "SamplingConfig(3, stop=1)": "stop must be in a list, such as (1,) for one token; got 1",
    "BeamConfig(2.5, 3)": "the beam width must be a whole number; got 2.5",
    "grow_tree(COUNTED, [0], 3)": "how must be a BeamConfig; got 3",
    "grow_tree(COUNTED, [9], BeamConfig(2, 3))": "a token must be an id from 0 to 1; got 9",
    "NetworkConfig((9,))": "the number of units of layer 1 must be from 1 to 8; got 9",
    "regression_from_points([])": "the number of points must be from 1 to ",
    "DescentConfig('Newton')": "the optimiser must be one of ",
    "VectorConfig('LSA')": "the method must be one of skip-gram, CBOW, ",
    "train_vectors([['a']], VectorConfig())": "the text must have a sentence of at least 2 words",
    "load_translator('gpt')": "the translation model must be one of seq2seq_vector, ",
    "trace_translation(*load_translator('seq2seq_vector')[:2], ['xx'])": (
        "word 1 must be one of the 172 words the model knows; got 'xx'"
    ),
    "Vocabulary('ab')": "a vocabulary must be a list of tokens; got 'ab'",
    "Vocabulary([1])": "a token must be text; got 1",
    "Vocabulary([])": "a vocabulary must hold 1 to 10,000 types; got 0",
    "ModelSpec('rnn', hidden=0)": "the hidden size must be from 2 to 1,024; got 0",
    "NGramConfig(2.5)": "the order N must be a whole number; got 2.5",
    "NGramConfig('2')": "the order N must be a whole number; got '2'",
    "NGramConfig(2, k='1')": "k must be a number; got '1'",
    "fit_ngram(NGramConfig(2), LETTERS, [])": (
        "the text must hold at least one token to count; got none"
    ),
    "fit_ngram(NGramConfig(2), LETTERS, [0.5])": "tokens must be whole numbers; got 0.5",
    "fit_ngram(NGramConfig(2), LETTERS, [[0], [1]])": (
        "a text must be ids in a row; got the shape (2, 1)"
    ),
    "fit_ngram(NGramConfig(2), LETTERS, [7])": "token 1 must be an id from 0 to 1; got 7",
    "build('lstm')": "a config must be one of a network, such as LSTMConfig; got 'lstm'",
    "build(LSTMConfig(5))([[9]])": "a token must be an id from 0 to 4; got 9",
    "build(LSTMConfig(5))([])": (
        "a text must have at least one token for a network to read; got a batch of shape (1, 0)"
    ),
    "load_results('squad')": "the table must be one of wmt, glue, elmo, ",
    "load_results(['glue'])": "the table must be one of wmt, glue, elmo, ",
    "load_shipped(Path('gpt'))": "the model must be one of feedforward, rnn, ",
    "load_pretrained('/nowhere')": "a model's folder must be a directory; got '/nowhere'",
    "load_pretrained(Path('/nowhere'))": "a model's folder must be a directory; got '/nowhere'",
    "load_pretrained(3)": "a model's folder must be a path; got 3",
    "score(COUNTED, [])": "a text to score must have at least 2 tokens, <s> included; got 0",
    "score(COUNTED, 'ab')": IN_A_LIST + "'ab'",
    "score(COUNTED, [[0, 1]])": "a text must be ids in a row; got the shape (1, 2)",
    "generate(COUNTED, [], SamplingConfig(3))": (
        "a prompt must have at least one token to go on from; got none"
    ),
    "generate(COUNTED, [[0, 1], [0]], SamplingConfig(3))": IN_A_LIST + "[[0, 1], [0]]",
    "generate(COUNTED, [[9]], SamplingConfig(3))": "a token must be an id from 0 to 1; got 9",
    "generate(COUNTED, [[0]], 3)": "how must be a SamplingConfig; got 3",
    "generate('gpt', [[0]], SamplingConfig(3))": "a model must be a language model; got 'gpt'",
    "SamplingConfig(2.5)": "the length must be from 1 to 1024 tokens; got 2.5",
    "RunSpec(steps=2.5)": "the number of steps must be a whole number; got 2.5",
    "RunSpec(model='lstm')": "model must be a ModelSpec; got 'lstm'",
    "Training('lstm')": "a run must be described by a RunSpec; got 'lstm'",
    "Training(SMALL, 'nowhere')": "a device must be one such as 'cpu' or 'cuda'; got 'nowhere'",
}


@pytest.fixture(scope="module")
def answers():
    """The result of every call above: call → its value or its error."""
    calls = [*(call for calls in ALIKE.values() for call in calls), *REFUSED]
    run = subprocess.run(
        [sys.executable, "-c", PREPARED],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    return dict(zip(calls, json.loads(run.stdout), strict=True))


@pytest.mark.parametrize("name", ALIKE)
def test_lists_arrays_and_tensors_give_the_same(answers, name):
    first, *others = [answers[call] for call in ALIKE[name]]
    assert "Error" not in str(first)
    assert others == [first] * len(others)


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_wrong_is_named(answers, call):
    kind, _, reason = str(answers[call]).partition(": ")
    assert kind in ("ValueError", "UnknownTokenError") and reason.startswith(REFUSED[call])


def test_every_name_of_the_front_is_called():
    asked = " ".join([*(call for calls in ALIKE.values() for call in calls), *REFUSED])
    assert [name for name in lmcore.__all__ if f"{name}(" not in asked] == []


@pytest.mark.parametrize("config", [LSTMConfig(5), GRUConfig(5), RNNConfig(5)])
def test_an_empty_text_is_refused(config):
    with pytest.raises(ValueError, match=r"at least one token .*got a batch of shape \(1, 0\)"):
        build(config)(torch.empty(1, 0, dtype=torch.long))


@pytest.mark.parametrize("name", lmcore.__all__)
def test_every_name_of_the_front_is_there(name):
    assert getattr(lmcore, name).__name__ == name


def test_the_version_is_the_packages():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "lmcore.__version__"}
    assert lmcore.__version__.count(".") == 2


def test_a_package_that_is_missing_is_named():
    program = "import sys; sys.modules['torch'] = None; import lmcore; lmcore.Neuron"
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (
        "lmcore.Neuron must have torch to run, and it is not installed: pip install" in run.stderr
    )


def test_importing_lmcore_imports_neither_torch_nor_numpy_nor_pandas():
    program = "import sys, lmcore; sys.exit(bool({'torch', 'numpy', 'pandas'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
