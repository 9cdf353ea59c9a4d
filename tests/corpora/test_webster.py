"""Webster's dictionary: which sentences of a made-up file are read."""

import gzip

import pytest

from lmcore.corpora.webster import read_sentences

PAGE = """
Abandon \\A*ban"don\\, v. t. [imp. & p. p. {Abandoned}.]
   1. To give up {absolutely}; to forsake entirely. [Obs.]
      [1913 Webster]

            Hope was overthrown, yet could not be abandoned. --I.
                                                  Taylor.
      [1913 Webster]

   2. A sentence that was added by a later editor.
      [PJC]

   3. OF. abandoner to give up, as one does.
      Of 12 ounces; of some weight or other.
      [1913 Webster]
"""


def test_sentences_of_1913_alone_are_read_without_notes_and_authors(tmp_path):
    file = tmp_path / "gcide.dict.dz"
    file.write_bytes(gzip.compress(PAGE.encode()))
    assert list(read_sentences(file)) == [
        "To give up absolutely; to forsake entirely.",
        "Hope was overthrown, yet could not be abandoned.",
    ]


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"the dictionary must be the file .*none"):
        list(read_sentences(tmp_path / "none"))
