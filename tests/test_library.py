"""lmcore as others call it: lists and arrays are accepted, and what is wrong is named."""

import subprocess
import sys

import numpy as np
import pytest
import torch

import lmcore
from lmcore.models.gru import GRUConfig
from lmcore.models.lstm import LSTMConfig
from lmcore.models.ngram import NGramConfig, fit
from lmcore.models.registry import build
from lmcore.models.rnn import RNNConfig
from lmcore.models.scoring import score
from lmcore.vocabulary import Vocabulary


def test_an_order_of_two_and_a_half_is_refused():
    with pytest.raises(ValueError, match=r"the order N must be a whole number; got 2\.5"):
        unchecked = object.__new__(NGramConfig)
        object.__setattr__(unchecked, "order", 2.5)
        unchecked.__post_init__()


@pytest.mark.parametrize("config", [LSTMConfig(5), GRUConfig(5), RNNConfig(5)])
def test_an_empty_text_is_refused(config):
    with pytest.raises(ValueError, match=r"at least one token .*got a batch of shape \(1, 0\)"):
        build(config)(torch.empty(1, 0, dtype=torch.long))


def test_a_list_and_an_array_score_as_a_tensor_does():
    model = fit(NGramConfig(2), Vocabulary(("a", "b")), np.array([0, 1, 0, 1, 1]))
    ids = [0, 1, 1]
    totals = {score(model, each).total for each in (ids, np.array(ids), torch.tensor(ids))}
    assert len(totals) == 1


@pytest.mark.parametrize("name", lmcore.__all__)
def test_every_name_of_the_front_is_there(name):
    assert getattr(lmcore, name).__name__ == name


def test_importing_lmcore_imports_neither_torch_nor_numpy_nor_pandas():
    program = "import sys, lmcore; sys.exit(bool({'torch', 'numpy', 'pandas'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
