"""The files beside a vocabulary: all their settings are used, and contradictions are refused."""

import json

import made
import pytest
from tokenizers import AddedToken, processors

from lmcore.decoding.writer import writer_from_pretrained
from lmcore.pretrained.loading import load_pretrained

TYPES = len(made.PIECES)


def write(folder, **files):
    """Write JSON files, named without the ending."""
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value), "utf-8")


@pytest.fixture
def older(tmp_path):
    """A BERT with vocab.txt, and embedding rows for three more tokens."""
    folder = made.save(made.bert(vocab_size=TYPES + 3), made.pieces(), tmp_path)
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.txt").write_text("\n".join(made.PIECES) + "\n", "utf-8")
    return folder


@pytest.fixture
def gpt2(tmp_path):
    """A GPT-2 with tokenizer.json."""
    return made.save(made.gpt2(), made.merges(), tmp_path)


def refused(folder, why):
    with pytest.raises(ValueError, match=why):
        load_pretrained(folder)


def test_added_tokens_are_whole(older):
    added = {"<user>": TYPES, "covid": TYPES + 1}
    write(older, added_tokens=added, special_tokens_map={"additional_special_tokens": ["<user>"]})
    reading = load_pretrained(older).read("<user> did COVID <USER>")
    assert reading.tokens[1:4] == ("<user>", "did", "covid")
    assert reading.tokens.count("<user>") == 1  # a special token matches exactly, case included
    assert reading.special.tolist()[:4] == [True, True, False, False]


def test_the_names_of_special_tokens_are_the_folders(older):
    pieces = ["<s>" if piece == "[CLS]" else piece for piece in made.PIECES]
    (older / "vocab.txt").write_text("\n".join(pieces) + "\n", "utf-8")
    refused(older, r"vocab.txt must hold \[CLS\]; it does not")
    write(older, special_tokens_map={"cls_token": "<s>"})
    assert load_pretrained(older).read("the").tokens == ("<s>", "the", "[SEP]")


def test_a_token_without_a_row_does_no_harm_until_it_is_read(gpt2):
    write(gpt2, special_tokens_map={"pad_token": "[PAD]"})
    model = load_pretrained(gpt2)
    assert model.read("The animal").tokens[0] == "The"
    with pytest.raises(ValueError, match=r"has a vector for; got '\[PAD\]', whose id 300 is"):
        model.read("The [PAD] animal")


def test_a_vocabulary_larger_than_the_model_is_refused(gpt2):
    rules = json.loads((gpt2 / "tokenizer.json").read_text("utf-8"))
    rules["model"]["vocab"]["more"] = 300
    write(gpt2, tokenizer=rules)
    refused(gpt2, "ids must be below 300, the types of the model; got 300")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (
            {"added_tokens": {"<user>": TYPES + 1}},
            f"id of '<user>' in .* must be {TYPES}, its place in the vocabulary; got {TYPES + 1}",
        ),
        ({"added_tokens": {"the": TYPES}}, "id of 'the' in .* must be 5, its place"),
        ({"added_tokens": {"<user>": "1"}}, "added_tokens.json must have tokens and their ids"),
        ({"added_tokens": {"": TYPES}}, "added_tokens.json must have tokens and their ids"),
        ({"added_tokens": [1]}, "added_tokens.json must be a JSON object"),
        ({"added_tokens": {str(n): n for n in range(10_001)}}, "at most 10,000 tokens; got 10,001"),
        ({"special_tokens_map": {"cls_token": 3}}, "cls_token in .*_map.json must be a token"),
        ({"special_tokens_map": {"extra_special_tokens": 3}}, "must be a list of tokens; got 3"),
        (
            {"special_tokens_map": {"cls_token": "a"}, "tokenizer_config": {"cls_token": "b"}},
            "cls_token must be the same in tokenizer_config.json and special_tokens_map.json",
        ),
        (
            {
                "added_tokens": {"<user>": TYPES},
                "tokenizer_config": {"added_tokens_decoder": {"3": {"content": "<user>"}}},
            },
            f"id of '<user>' must be the same in tokenizer_config.json .*; got 3 and {TYPES}",
        ),
        ({"tokenizer_config": {"added_tokens_decoder": 3}}, "must be an object; got 3"),
        ({"tokenizer_config": {"added_tokens_decoder": {"a": "b"}}}, "must have ids and their tok"),
    ],
)
def test_what_contradicts_is_refused(older, files, why):
    write(older, **files)
    refused(older, why)


@pytest.mark.parametrize(
    ("settings", "said", "rules"),
    [
        ({"do_lower_case": False}, "do_lower_case", "true"),
        ({"strip_accents": False}, "strip_accents", "true"),
        ({"tokenize_chinese_chars": False}, "tokenize_chinese_chars", "true"),
    ],
)
def test_settings_that_are_not_those_of_a_berts_rules_are_refused(tmp_path, settings, said, rules):
    folder = made.save(made.bert(), made.pieces(), tmp_path)
    write(folder, tokenizer_config=settings)
    refused(folder, f"{said} in .*/tokenizer_config.json must be {rules}, as the rules of")
    write(folder, tokenizer_config={key: not value for key, value in settings.items()})
    assert load_pretrained(folder).read("The").tokens == ("[CLS]", "the", "[SEP]")


@pytest.mark.parametrize("said", ["add_prefix_space", "add_bos_token", "add_eos_token"])
def test_settings_that_are_not_those_of_a_gpt2s_rules_are_refused(gpt2, said):
    write(gpt2, tokenizer_config={said: True})
    refused(gpt2, f"{said} in .*/tokenizer_config.json must be false, as the rules of tokenizer")
    write(gpt2, tokenizer_config={said: False})
    assert load_pretrained(gpt2).read("The").tokens[0] == "The"


def test_a_start_in_the_rules_must_not_be_denied(tmp_path):
    rules = made.merges()
    rules.post_processor = processors.TemplateProcessing(
        single="<|endoftext|> $A", special_tokens=[("<|endoftext|>", 0)]
    )
    folder = made.save(made.gpt2(), rules, tmp_path)
    assert load_pretrained(folder).read("The").ids.tolist()[0] == 0
    write(folder, tokenizer_config={"add_bos_token": False, "eos_token": "T"})
    refused(folder, "add_bos_token in .* must be true, as the rules")


def test_the_first_file_that_names_an_end_counts(gpt2):
    def ends():
        return load_pretrained(gpt2).text_ends

    (gpt2 / "generation_config.json").unlink()
    made.told(gpt2, bos_token_id=None, eos_token_id=None)
    assert ends() == (0, (0,))
    write(gpt2, special_tokens_map={"eos_token": {"content": "T", "special": False}})
    own = load_pretrained(gpt2).tokenizer.token_to_id("T")
    assert ends() == (0, (own,))
    made.told(gpt2, bos_token_id=4, eos_token_id=[5, 6])
    assert ends() == (4, (5, 6))
    write(gpt2, generation_config={"eos_token_id": 7})
    assert ends() == (4, (7,))
    assert writer_from_pretrained(load_pretrained(gpt2), "T").stop == (own,)
    write(gpt2, generation_config={"eos_token_id": 50_256})
    assert ends() == (4, (5, 6))  # GPT-2's default is no id of this vocabulary


def test_a_start_without_a_row_is_none(gpt2):
    (gpt2 / "generation_config.json").unlink()
    made.told(gpt2, bos_token_id=300, eos_token_id=300)
    write(gpt2, special_tokens_map={"bos_token": "<s>", "eos_token": "</s>"})
    model = load_pretrained(gpt2)
    assert model.text_ends == (None, ())
    with pytest.raises(ValueError, match="a prompt must have at least one token to go on from"):
        writer_from_pretrained(model).read("")


@pytest.mark.parametrize("bad", ["a", [1, "a"], True, -1, 1.5])
def test_an_end_that_is_no_id_is_refused(gpt2, bad):
    write(gpt2, generation_config={"eos_token_id": bad})
    refused(gpt2, "eos_token_id in .*/generation_config.json must be an id, or several; got")


def test_a_frame_that_the_vocabulary_lacks_is_refused(gpt2):
    rules = json.loads((gpt2 / "tokenizer.json").read_text("utf-8"))["model"]
    (gpt2 / "tokenizer.json").unlink()
    write(gpt2, vocab={k: i for k, i in rules["vocab"].items() if i}, tokenizer_config={})
    pairs = [" ".join(pair) for pair in rules["merges"]]
    (gpt2 / "merges.txt").write_text("\n".join(pairs), "utf-8")
    assert load_pretrained(gpt2).read("The").tokens[0] == "The"
    write(gpt2, tokenizer_config={"add_bos_token": True})
    refused(gpt2, "which .* puts around a text, must be in its vocabulary; it is not")


def test_rules_of_an_added_token_are_kept(gpt2):
    strip = {"content": "an", "lstrip": True, "special": False, "normalized": False}
    rules = made.merges()
    i = rules.token_to_id("an")
    write(gpt2, tokenizer_config={"added_tokens_decoder": {str(i): strip}})
    text = "The  animal"
    before = rules.encode(text).ids
    rules.add_tokens([AddedToken("an", lstrip=True, normalized=False)])
    assert load_pretrained(gpt2).read(text).ids.tolist() == rules.encode(text).ids != before
