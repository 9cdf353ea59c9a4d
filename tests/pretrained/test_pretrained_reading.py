"""Text → tokens: equal to those of `transformers`, cut where there is no room, shown readably."""

import json

import made
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.models.transformer_config import TransformerConfig
from lmcore.pretrained import limits
from lmcore.pretrained.loading import load_pretrained
from lmcore.pretrained.reading import VocabularyModel, trace_text
from lmcore.pretrained.tokenizing import visible_text
from lmcore.vocabulary import Vocabulary

TEXTS = [
    "The animal didn't cross the street.",
    "crossing crossed abc ABC Größe",
    "<script>a</script>",
    "🦙🦙 שלום مرحبا 日本 naïve",
    "two  blanks\tand\nlines",
    "[MASK] crossed [SEP] the street",
    "e\u0301 \u202e \u200d \x00 \x07a",
]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A BERT and a GPT-2 as folders, loaded."""
    found = {}
    for kind, model, tokenizer in (
        ("bert", made.bert(), made.pieces()),
        ("gpt2", made.gpt2(), made.merges()),
    ):
        found[kind] = load_pretrained(made.save(model, tokenizer, tmp_path_factory.mktemp(kind)))
    return found


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_the_tokens_are_those_of_transformers(models, kind, text):
    tokenizer = made.theirs(made.pieces() if kind == "bert" else made.merges())
    assert models[kind].read(text, most=40).ids.tolist() == tokenizer(text)["input_ids"][:40]


@pytest.mark.parametrize("most", range(5, 20))
def test_a_pair_is_cut_as_transformers_cuts_it(models, most):
    first, second = "the animal did cross the street .", "a street"
    for pair in ((first, second), (second, first), (first, first)):
        how = {"truncation": "longest_first", "return_token_type_ids": True}
        expected = made.theirs(made.pieces())(*pair, max_length=most, **how)
        reading = models["bert"].read(*pair, most=most)
        assert reading.ids.tolist() == expected["input_ids"]
        assert reading.segments.tolist() == expected["token_type_ids"]
        whole = len(models["bert"].read(*pair, most=40).ids)
        assert reading.cut == (whole > most)


def test_what_a_model_adds_is_special_and_a_mask_is_not(models):
    reading = models["bert"].read("the [MASK] crossed [UNK] 🦙", "street")
    assert reading.tokens == (
        *("[CLS]", "the", "[MASK]", "cross", "##ed", "[UNK]", "[UNK]", "[SEP]", "street", "[SEP]"),
    )
    assert [t for t, s in zip(reading.tokens, reading.special, strict=True) if s] == [
        *("[CLS]", "[SEP]", "[SEP]"),
    ]
    ends = models["gpt2"].read("a<|endoftext|>the")
    assert ends.special.tolist().count(True) == 1
    assert ends.tokens[ends.special.tolist().index(True)] == "<|endoftext|>"


def test_bytes_are_shown_as_text(models):
    shown = models["gpt2"].read("The animal\n é🦙").tokens
    assert "".join(shown).replace("␣", " ").replace("⏎", "\n").startswith("The animal\n")
    assert not any("Ġ" in token or "Ċ" in token for token in shown)
    assert any(token.startswith("␣a") for token in shown)


def as_letters(raw):
    letters = made.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return letters.pre_tokenize_str(raw.decode("utf-8"))[0][0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" cat", "␣cat"),
        ("  \n", "␣␣⏎"),
        ("\x00\t", "\\x00\\t"),
        ("\u202eabc", "\\u202eabc"),
        ("שלום", "שלום"),
        ("·col·", "·col·"),
        ("🦙", "🦙"),
    ],
)
def test_a_token_of_bytes_can_be_read(text, shown):
    assert visible_text(as_letters(text.encode())) == shown


def test_a_token_that_is_part_of_a_character_is_shown_as_its_bytes():
    letters = as_letters(" 🦙".encode())
    assert [visible_text(letters[:3]), visible_text(letters[3:])] == ["␣\\xf0\\x9f", "\\xa6\\x99"]


LETTERS = sorted(made.pre_tokenizers.ByteLevel.alphabet())


@given(st.lists(st.sampled_from(LETTERS), min_size=1, max_size=12).map("".join))
def test_any_bytes_can_be_read(letters):
    assert len(LETTERS) == 256
    assert visible_text(letters).isprintable()


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_a_book_is_cut_and_says_so(models, kind):
    for text in ("the animal " * 10_000, "x" * 100_000):
        reading = models[kind].read(text)
        assert reading.cut
        assert 1 <= len(reading.ids) <= models[kind].network.config.longest
    assert not models[kind].read("the street").cut


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_half_a_surrogate_is_no_character(models, kind):
    assert models[kind].read("the \ud83e street").tokens == models[kind].read("the ? street").tokens


@pytest.mark.parametrize(("kind", "text"), [("bert", ""), ("bert", " \n"), ("gpt2", "")])
def test_no_token_is_refused(models, kind, text):
    with pytest.raises(ValueError, match="the text must hold at least one token"):
        models[kind].read(text)


def test_a_second_text_without_tokens_is_refused(models):
    with pytest.raises(ValueError, match="the text must hold at least one token"):
        models["bert"].read("the street", "\x00")


def test_room_and_pairs_are_refused(models):
    with pytest.raises(ValueError, match=r"tokens must be from 3 to 40, as 2 are .*; got 2"):
        models["bert"].read("the", most=2)
    with pytest.raises(ValueError, match=r"must be from 4 to 40, as 3 are .*; got 3"):
        models["bert"].read("the", "street", most=3)
    with pytest.raises(ValueError, match="must be given one text, not a pair; got 'b'"):
        models["gpt2"].read("a", "b")


def test_older_files_make_the_same_tokenizer(models, tmp_path):
    folder = made.save(made.bert(), made.pieces(), tmp_path)
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(made.PIECES) + "\n", "utf-8")
    older = load_pretrained(folder)
    for text in TEXTS:
        assert older.read(text, "the street", most=40).tokens == (
            models["bert"].read(text, "the street", most=40).tokens
        )
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}', "utf-8")
    assert load_pretrained(folder).read("THE the").tokens == ("[CLS]", "[UNK]", "the", "[SEP]")


def test_a_piece_may_be_a_sign_that_ends_a_line_elsewhere(tmp_path):
    pieces = (*made.PIECES[:-1], "\u2028")
    folder = made.save(made.bert(), made.pieces(), tmp_path)
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    assert load_pretrained(folder).tokenizer.get_vocab() == {
        piece: i for i, piece in enumerate(pieces)
    }


def test_vocab_and_merges_make_the_same_tokenizer(models, tmp_path):
    folder = made.save(made.gpt2(), made.merges(), tmp_path)
    rules = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.json").write_text(json.dumps(rules["vocab"]), "utf-8")
    pairs = "\n".join(" ".join(pair) for pair in rules["merges"])
    (folder / "merges.txt").write_text(f"#version: 0.2\n{pairs}\n", "utf-8")
    older = load_pretrained(folder)
    for text in [*TEXTS, "a<|endoftext|>b"]:
        assert older.read(text).tokens == models["gpt2"].read(text).tokens
        assert older.read(text).special.tolist() == models["gpt2"].read(text).special.tolist()


def test_a_network_runs_over_what_it_reads(models):
    reading = models["bert"].read("the animal", "a street")
    network = models["bert"].network
    segments = trace_text(network, reading).embedding.segment
    torch.testing.assert_close(segments[0], network.embedding.segment.weight[reading.segments])
    written = trace_text(models["gpt2"].network, models["gpt2"].read("the animal"))
    assert written.logits.shape[2] == 300


WORDS = ("<s>", "</s>", "<unk>", "the", "dog", "sleeps", ".")


def house(words=WORDS, network=BERT, **how):
    sizes = {"width": 12, "heads": 3, "hidden": 20, "longest": 17, "layers": 1}
    vocabulary = Vocabulary(words, **{"lower": True, **how})
    return VocabularyModel("ours", network(TransformerConfig(len(words), **sizes)), vocabulary)


def test_our_own_encoder_reads_a_document():
    reading = house((*WORDS, "[MASK]", "[PAD]")).read("The [mask] sleeps, <b>.")
    assert reading.tokens == (
        *("<s>", "the", "[MASK]", "sleeps", "<unk>", "<unk>", "<unk>", "<unk>", ".", "</s>"),
    )
    assert reading.special.tolist() == [True, *[False] * 8, True]
    assert reading.segments.tolist() == [0] * 10
    assert not reading.cut


def test_our_own_encoder_with_separators_reads_a_pair():
    reader = house((*WORDS, "[CLS]", "[SEP]"))
    reading = reader.read("the dog", "sleeps", most=6)
    assert reading.tokens == ("[CLS]", "the", "dog", "[SEP]", "sleeps", "[SEP]")
    assert reading.segments.tolist() == [0, 0, 0, 0, 1, 1]
    assert reader.read("the dog", "sleeps the dog", most=6).cut
    assert trace_text(reader.network, reading).hidden.shape == (1, 6, 12)


def test_an_unknown_word_is_counted_as_it_was_typed():
    words = tuple(word for word in WORDS if word != "<unk>")
    reader = house((*words, "[CLS]", "[SEP]"))
    with pytest.raises(ValueError, match=r"word 2 must be one of the 3 words .*; got 'cat'"):
        reader.read("the cat")
    with pytest.raises(ValueError, match=r"word 1 of the second text must be .*; got 'c{40}'"):
        reader.read("the dog", "c" * 1000)


def test_our_own_gpt_reads_on_from_the_start():
    reader = house(network=GPT)
    assert reader.read("the dog").tokens == ("<s>", "the", "dog")
    assert len(reader.read("the " * 40).ids) == 17
    with pytest.raises(ValueError, match="ours must be given one text, not a pair; got 'dog'"):
        reader.read("the", "dog")


def test_letters_are_tokens_too_and_blanks_are_seen():
    reader = house(("a", "b", " ", "\n"), GPT, unit="character")
    assert reader.read("a b\n").tokens == ("a", "␣", "b", "⏎")
    with pytest.raises(ValueError, match="character 2 must be one of the 4 characters the model"):
        reader.read("ac")


def test_our_own_reader_refuses_what_it_cannot_read():
    with pytest.raises(ValueError, match="the text must hold at least one token"):
        house().read("  ")
    with pytest.raises(ValueError, match=r"the vocabulary must hold 7 types.*; got 2"):
        VocabularyModel("ours", house().network, Vocabulary(("a", "b")))


def test_a_text_that_there_is_no_room_for_is_refused():
    with pytest.raises(ValueError, match="room for a token of each text; got room for 1"):
        limits.token_shares([3, 4], 1)


@given(st.lists(st.integers(1, 30), min_size=1, max_size=2), st.integers(2, 40))
def test_shares_fill_the_room_and_no_more(lengths, room):
    kept = limits.token_shares(lengths, room)
    assert sum(kept) == min(sum(lengths), room)
    assert all(1 <= keep <= length for keep, length in zip(kept, lengths, strict=True))
