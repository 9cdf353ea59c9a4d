"""The picture of packed inputs: every place is what the packing put there, at every length."""

import pytest

from lessons.masking import packed_text
from lessons.masking.corruption_state import PackedDocuments
from lessons.masking.masking_questions import packed_questions
from lessons.masking.packed_text import SETTING
from lessons.masking.packed_view import both_ways
from lmcore.corruption.full_sentences import pack

TEXTS = (
    "The cat sleeps. It is cold. | Nobody was there. The dog gets its food. | A horse tripped.",
    "One document. And no other.",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("across", [True, False])
def test_every_place_is_what_the_packing_put_there(text, across):
    read = PackedDocuments(text, 16, across=across)
    packed = both_ways(read)
    shown = packed_text.picture(packed)
    for way in packed_text.WAYS:
        for length, inputs in zip(packed.lengths, shown[way], strict=True):
            made = pack(read.documents, length, across=way == "across")
            assert [len(row) for row in inputs] == [len(row) for row in made.inputs]
            for row, items in zip(inputs, made.inputs, strict=True):
                for place, item in zip(row, items, strict=True):
                    known = shown["tokens"][place] if place >= 0 else shown["special"][-place - 1]
                    assert known == item.token
                    assert place < 0 or shown["owners"][place] == item.document
                    assert (place == packed_text.BETWEEN) == (item.what == "between")
            flat = [place for row in inputs for place in row if place >= 0]
            assert flat == list(range(len(shown["tokens"])))


@pytest.mark.parametrize("across", [True, False])
def test_the_numbers_are_those_of_the_packing_at_every_length(across):
    packed = both_ways(PackedDocuments(TEXTS[0], 16, across=across))
    live = packed_text.numbers(packed, 16, across=across)
    (table,) = live.table
    for at, values in enumerate(table):
        row = dict(zip(live.names, values, strict=True))
        assert row[SETTING] == packed.lengths[at] and row["at"] == at
        for n, made in enumerate((packed.across[at], packed.alone[at])):
            assert row[f"inputs {n}"] == len(made.inputs)
            assert row[f"filled {n}"] == pytest.approx(100 * made.filled)
            places = row[f"inputs {n}"] * row[SETTING]
            assert row[f"filled {n}"] == pytest.approx(100 * row[f"read {n}"] / places)
    assert live["filled 0"] == 87.5 and live["filled 1"] == pytest.approx(58.3333, abs=1e-3)
    said = live.fill(packed_text.sentence(across=across))
    assert (
        "=={}== filled" in said.replace("87.5 %" if across else "58.33 %", "{}")
    ) and "16" in said
    assert live["chosen"] == int(not across)
    (asked,) = packed_questions(live)
    assert asked.answer == live["filled 1"] and "filled 1" in asked.hides
