"""A row for BERT equals the library's template, truncation and padding; the sum is exact."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import processors

from lmcore.models.bert import BERT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained import wheel
from lmcore.pretrained.reading import TokenizedText
from lmcore.tokenization import inputs, library, merges, packing, texts
from lmcore.tokenization.rules import MERGE_RULES

TRACES = {
    name: merges.train(texts.shipped_word_counts("birds"), MERGE_RULES[name], 200)
    for name in MERGE_RULES
}
KNOWN = st.lists(
    st.sampled_from([*texts.shipped_word_counts("birds").counts]), min_size=1, max_size=9
)


def templated(trace, count, length):
    made = library.build_tokenizer(trace, count)
    ids = trace.vocabulary(count)
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, ids[name]) for name in ("[CLS]", "[SEP]")],
    )
    made.enable_truncation(length, strategy="longest_first")
    made.enable_padding(length=length, pad_id=ids["[PAD]"], pad_token="[PAD]")
    return made


@pytest.mark.parametrize("name", ["bpe", "wordpiece"])
@given(first=KNOWN, second=st.one_of(st.just([]), KNOWN), count=st.sampled_from([0, 12, 60]))
@settings(max_examples=60)
def test_a_row_is_the_librarys(name, first, second, count):
    trace, length = TRACES[name], 64
    a, b = " ".join(first), " ".join(second)
    ours = packing.pack(library.build_tokenizer(trace, count), a, b, length)
    encoded = templated(trace, count, length).encode(*([a, b] if b else [a]))
    if ours.cut:  # which sentence is cut first may differ; the length may not
        assert len(encoded.ids) == len(ours.tokens) == length
        return
    assert list(ours.tokens) == encoded.tokens and ours.ids.tolist() == encoded.ids
    assert ours.segments.tolist() == encoded.type_ids
    assert ours.there.tolist() == [bool(each) for each in encoded.attention_mask]
    framed = zip(encoded.special_tokens_mask, encoded.offsets, strict=True)
    assert list(ours.spans) == [None if frame else span for frame, span in framed]


@pytest.mark.parametrize("name", MERGE_RULES)
@given(words=KNOWN, count=st.sampled_from([0, 12, 60]))
@settings(max_examples=60)
def test_ids_give_a_covered_text_back(name, words, count):
    text = " ".join(words)
    reader = library.build_tokenizer(TRACES[name], count)
    assert reader.decode(reader.encode(text).ids, skip_special_tokens=False) == text


def test_offsets_name_the_letters_whatever_they_are():
    text = "the naïve fox,  the 🙂 [MASK] שלום"
    packed = packing.pack(library.build_tokenizer(TRACES["wordpiece"], 60), text, "", 40)
    said = {span: token for span, token in zip(packed.spans, packed.tokens, strict=True) if span}
    assert said[(text.index("naïve"), text.index("naïve") + 5)] == "[UNK]"
    assert said[(text.index("🙂"), text.index("🙂") + 1)] == "[UNK]"
    assert said[(text.index("[MASK]"), text.index("[MASK]") + 6)] == "[MASK]"
    assert packed.decoded[0] != text and packed.decoded[0].count("[UNK]") == 4
    assert packed.segments.sum() == 0 and not packed.cut


def test_a_sentence_after_the_last_is_closed_too():
    packed = packing.pack(
        library.build_tokenizer(TRACES["wordpiece"], 60), "the fox", "the wolf", 9
    )
    assert packed.tokens[:1] == ("[CLS]",) and packed.tokens.count("[SEP]") == 2
    last = int(packed.there.sum()) - 1
    assert packed.tokens[last] == "[SEP]" and packed.segments[last] == 1
    assert packed.tokens[last + 1 :] == ("[PAD]",) * (9 - last - 1)


def test_rows_that_cannot_be_are_refused():
    reader = library.build_tokenizer(TRACES["wordpiece"], 12)
    with pytest.raises(ValueError, match="the length must be from 5 to 64 tokens; got 4"):
        packing.pack(reader, "a", "b", 4)
    with pytest.raises(ValueError, match="from 3 to 64 tokens; got 65"):
        packing.pack(reader, "a", "", 65)
    with pytest.raises(ValueError, match="at least one token"):
        packing.pack(reader, " ", "", 9)
    with pytest.raises(ValueError, match="from 0 to 74; got 75"):
        library.build_tokenizer(TRACES["wordpiece"], 75)


def test_too_short_a_row_keeps_a_token_of_each_and_says_so():
    packed = packing.pack(library.build_tokenizer(TRACES["bpe"], 0), "the fox the fox", "wolf", 5)
    assert packed.cut and packed.there.all() and packed.tokens.count("[SEP]") == 2


@pytest.mark.parametrize("segments", [0, 1, 2, 3])
@pytest.mark.parametrize("positions", ["learned", "sinusoidal", "none"])
def test_the_input_is_exactly_the_sum_of_its_rows(segments, positions):
    config = TransformerConfig(
        vocabulary=11, width=6, heads=2, layers=1, hidden=7, longest=13,
        positions=positions, segments=segments, causal=False,
    )  # fmt: skip
    network = BERT(config, seed=5)
    ids, which = torch.tensor([3, 7, 0, 10, 7]), torch.tensor([0, 0, 0, 1, 1])
    reading = TokenizedText(ids, tuple("abcde"), which, torch.zeros(5, dtype=torch.bool), False)
    found = inputs.trace_inputs(network, reading)
    expected = network.embedding.token.weight[ids]
    assert torch.equal(found.token, expected)
    if positions == "learned":
        assert torch.equal(found.position, network.embedding.position.weight[:5])
    if found.position is not None:
        expected = expected + found.position
    if segments:
        rows = which if segments > 1 else torch.zeros_like(which)
        assert torch.equal(found.segment, network.embedding.segment.weight[rows])
        expected = expected + found.segment
    assert torch.equal(found.output, expected)
    assert [*found.rows][-1] == "input" and ("segment" in found.rows) == bool(segments)


@pytest.mark.skipif(wheel.package_folder() is None, reason="the encoder's package is not installed")
def test_a_real_encoder_has_its_own_pieces_and_its_own_rows():
    model = wheel.minilm()
    read = model.read("he likes flightless [MASK]", "penguins are flightless birds")
    assert read.tokens[3:5] == ("flight", "##less")
    found = inputs.trace_inputs(model.network, read)
    tables = model.network.embedding
    rows = tables.token.weight[read.ids] + tables.position.weight[: len(read.ids)]
    assert torch.equal(found.output, rows + tables.segment.weight[read.segments])


def test_rows_and_tokens_must_be_as_many():
    reading = TokenizedText(
        torch.tensor([1]), ("a",), torch.tensor([0]), torch.tensor([False]), False
    )
    row = torch.zeros(2, 3)
    with pytest.raises(ValueError, match="a row for each of 1 tokens; got 2"):
        inputs.InputTrace(reading, row, None, None, row)
