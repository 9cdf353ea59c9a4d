import numpy as np
import pytest

from lmcore.corpora.documents import Documents, concatenate, from_columns

THREE = concatenate([[0, 5, 1], [0, 1], [0, 7, 8, 9, 1]])


def test_documents_are_a_sequence():
    assert len(THREE) == 3
    assert [document.tolist() for document in THREE] == [[0, 5, 1], [0, 1], [0, 7, 8, 9, 1]]
    assert THREE[-1].tolist() == [0, 7, 8, 9, 1]
    assert THREE.lengths.tolist() == [3, 2, 5]
    with pytest.raises(IndexError):
        THREE[3]


def test_some_documents_are_documents():
    assert [document.tolist() for document in THREE[1:]] == [[0, 1], [0, 7, 8, 9, 1]]
    assert [len(d) for d in THREE.where(np.array([True, False, True]))] == [3, 5]
    assert len(THREE[2:2]) == 0
    with pytest.raises(ValueError, match="the step of a slice of documents must be 1; got 2"):
        THREE[::2]


def test_padded_documents_stand_side_by_side():
    assert THREE.padded(-1).tolist() == [[0, 5, 1, -1, -1], [0, 1, -1, -1, -1], [0, 7, 8, 9, 1]]
    assert concatenate([]).padded().shape == (0, 0)


def test_columns_become_documents():
    columns = [([0, 1, 2], [0, 0, 0]), ([0, 1, 2], [5, 1, 7]), ([0, 2], [1, 8]), ([2], [1])]
    arrays = [(np.array(places), np.array(tokens)) for places, tokens in columns]
    documents = from_columns(arrays, 3)
    assert [document.tolist() for document in documents] == [[0, 5, 1], [0, 1], [0, 7, 8, 1]]


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([0, 2], "offsets must run from 0 to 3; got"),
        ([1, 3], "offsets must run from 0 to 3; got"),
        ([], "offsets must run from 0 to 3; got"),
        ([0, 2, 1, 3], "offsets must not fall; got"),
    ],
)
def test_offsets_must_cut_the_tokens_up(offsets, message):
    with pytest.raises(ValueError, match=message):
        Documents(np.arange(3), np.array(offsets, dtype=np.int64))
