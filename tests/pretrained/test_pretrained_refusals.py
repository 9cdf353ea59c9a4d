"""A folder that is missing, cut short, hostile, or of another model is refused with a reason."""

import json
import os
import time

import made
import pytest
import torch
from safetensors.torch import load_file, save_file

from lmcore.pretrained import folder as files
from lmcore.pretrained import tokenizing
from lmcore.pretrained.loading import load_pretrained


@pytest.fixture
def bert(tmp_path):
    """The folder of a valid BERT, for a test to damage."""
    (tmp_path / "bert").mkdir()
    return made.save(made.bert(), made.pieces(), tmp_path / "bert")


@pytest.fixture
def gpt2(tmp_path):
    """The folder of a valid GPT-2, for a test to damage."""
    (tmp_path / "gpt2").mkdir()
    return made.save(made.gpt2(), made.merges(), tmp_path / "gpt2")


def refused(folder, why):
    with pytest.raises(ValueError, match=why):
        load_pretrained(folder)


def rewrite(folder, change):
    """Change the tensors of a folder."""
    path = folder / "model.safetensors"
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path)


def test_a_missing_folder(tmp_path, bert):
    refused(tmp_path / "none", r"folder must be a directory; got '.*none'")
    refused(bert / "config.json", r"folder must be a directory; got '.*config.json'")


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
def test_a_missing_file(bert, gpt2, name):
    for folder in (bert, gpt2):
        (folder / name).unlink()
        refused(folder, rf"{folder.name} must hold {name}")


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.ckpt", "tf_model.h5"])
def test_pickles_are_not_opened(bert, name):
    (bert / "model.safetensors").rename(bert / name)
    refused(bert, f"must be model.safetensors; got {name}, of a kind that could run code")


@pytest.mark.parametrize("share", [0, 0.0001, 0.01, 0.5, 0.999])
def test_weights_cut_short(bert, share):
    path = bert / "model.safetensors"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    refused(bert, r"bert/model.safetensors must be a whole safetensors file; ")


def test_weights_that_are_something_else(bert):
    torch.save({"a": torch.ones(2)}, bert / "model.safetensors")
    refused(bert, r"bert/model.safetensors must be a whole safetensors file; ")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "must be JSON"),
        ("{", "must be JSON"),
        ("[" * 100_000, "must be JSON"),
        ("[1]", r"must be a JSON object; got \[1\]"),
        (b"\xff\xfe", "must be text in UTF-8"),
        ("{}", "model_type in config.json must be one of bert, gpt2; got None"),
        ('{"model_type": "llama"}', "model_type .* must be one of bert, gpt2; got 'llama'"),
        ('{"model_type": ["bert"]}', r"model_type .* must be one of bert, gpt2; got \['bert'\]"),
    ],
)
def test_a_config_that_says_nothing(bert, text, why):
    (bert / "config.json").write_bytes(text if isinstance(text, bytes) else text.encode())
    refused(bert, why)


@pytest.mark.parametrize(
    ("setting", "value", "why"),
    [
        (
            "position_embedding_type",
            "relative_key",
            "must be 'absolute' or None; got 'relative_key'",
        ),
        ("hidden_act", "silu", "must be 'gelu' or .*; got 'silu'"),
        ("hidden_act", ["gelu"], r"got \['gelu'\]"),
        ("is_decoder", True, "must be False; got True"),
        ("add_cross_attention", True, "must be False; got True"),
        ("quantization_config", {"bits": 4}, r"must be None; got \{'bits': 4\}"),
        ("hidden_size", None, "must be a whole number; got nothing"),
        ("hidden_size", "24", "must be a whole number; got '24'"),
        ("hidden_size", 10**30, "width d must be a whole number from 1 to"),
        ("num_hidden_layers", 1_000_000, "layers must be a whole number from 1 to 64; got 1000000"),
        ("num_hidden_layers", True, "must be a whole number; got True"),
        ("num_attention_heads", 5, "multiple of the number of heads, 5; got 24"),
        ("vocab_size", 10**12, "vocabulary must be a whole number from 1 to 300,000"),
        ("type_vocab_size", -1, "segments must be from 0 to 16; got -1"),
        ("layer_norm_eps", "small", "must be a number from 0 to 1; got 'small'"),
        ("layer_norm_eps", 10**400, "must be a number from 0 to 1; got 1000"),
        ("layer_norm_eps", float("nan"), "must be a number from 0 to 1; got nan"),
    ],
)
def test_a_bert_that_ours_is_not(bert, setting, value, why):
    made.told(bert, **{setting: value})
    refused(bert, why)


@pytest.mark.parametrize(
    ("setting", "value", "why"),
    [
        ("activation_function", "silu", "must be 'gelu_new' or .*; got 'silu'"),
        ("scale_attn_by_inverse_layer_idx", True, "must be False; got True"),
        ("scale_attn_weights", False, "must be True; got False"),
        ("add_cross_attention", True, "must be False; got True"),
        ("n_inner", "big", "n_inner in config.json must be a whole number; got 'big'"),
        ("n_head", 7, "multiple of the number of heads, 7; got 24"),
    ],
)
def test_a_gpt2_that_ours_is_not(gpt2, setting, value, why):
    made.told(gpt2, **{setting: value})
    refused(gpt2, why)


def test_sizes_that_are_not_those_of_the_weights(bert, gpt2):
    made.told(bert, intermediate_size=57)
    refused(bert, r"mlp.up.weight must have shape \(57, 24\), .*; got \(56, 24\)")
    made.told(gpt2, n_positions=41)
    refused(gpt2, r"embedding.position.weight must have shape \(41, 24\), .*; got \(40, 24\)")


def test_weights_that_are_missing_are_named(bert, gpt2):
    rewrite(bert, lambda file: file.pop("encoder.layer.1.attention.self.key.bias"))
    refused(bert, "must hold encoder.layer.1.attention.self.key.bias; the file has no such tensor")
    made.told(gpt2, n_layer=5)
    refused(gpt2, r"must hold h.3.ln_1.weight, h.4.ln_1.weight, h.3.ln_1.bias and 21 more")


def test_weights_that_are_left_over_are_named(bert, gpt2):
    rewrite(bert, lambda file: file.update({"adapter.weight": torch.ones(2)}))
    refused(bert, "those of the model and no others; got adapter.weight besides")
    made.told(gpt2, n_layer=2)
    refused(gpt2, "no others; got h.2.attn.c_attn.bias, .* and 9 more besides")


def test_a_weight_that_is_there_under_two_names(bert):
    rewrite(bert, lambda file: file.update({"bert.embeddings.LayerNorm.gamma": torch.ones(24)}))
    refused(bert, r"must hold embeddings.LayerNorm.weight once; got it twice")


def test_an_output_matrix_that_is_not_the_one_it_is_tied_to(gpt2):
    rewrite(gpt2, lambda file: file.update({"lm_head.weight": torch.ones(300, 24)}))
    refused(gpt2, "lm_head.weight must be equal to wte.weight, as it is tied to it")


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_weights_that_are_no_numbers(bert, bad):
    rewrite(bert, lambda file: file["embeddings.LayerNorm.bias"].__setitem__(3, bad))
    refused(bert, "norm.bias must hold finite numbers; got inf or nan")


def test_weights_that_are_whole_numbers(bert):
    rewrite(bert, lambda file: file.update({"embeddings.LayerNorm.bias": torch.ones(24).int()}))
    refused(bert, "embeddings.LayerNorm.bias must hold floating-point numbers; got torch.int32")


def test_queries_keys_and_values_that_cannot_be_told_apart(gpt2):
    rewrite(gpt2, lambda file: file.update({"transformer.h.0.attn.c_attn.bias": torch.ones(71)}))
    refused(gpt2, r"c_attn.bias must be 3 parts side by side; got \(71,\)")


def test_a_link_that_leads_out_of_the_folder(bert, tmp_path):
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (bert / name).rename(tmp_path / name)
        (bert / name).symlink_to(tmp_path / name)
        refused(bert, f"bert/{name} must lie in its folder; got a link that leads out of it")
        assert load_pretrained(bert, root=tmp_path).network.config.width == 24
        (bert / name).unlink()
        (tmp_path / name).rename(bert / name)


@pytest.mark.parametrize(
    "name", ["../secret.safetensors", "/etc/passwd", "..", "", "a\\b", "sub/a"]
)
def test_an_index_that_leads_out_of_the_folder(bert, name):
    (bert / "model.safetensors").unlink()
    index = {"weight_map": {"embeddings.LayerNorm.bias": name}}
    (bert / "model.safetensors.index.json").write_text(json.dumps(index), "utf-8")
    refused(bert, "bert: a file must lie in its folder; got ")


@pytest.mark.parametrize(
    ("places", "why"),
    [
        (None, "must hold a weight_map; got None"),
        ({}, "must name 1 to 64 files; got 0"),
        ({str(n): f"{n}.safetensors" for n in range(65)}, "must name 1 to 64 files; got 65"),
        ({"a": 3}, "must hold a weight_map"),
        ({"a": "gone.safetensors"}, "must name .safetensors files of the folder; got 'gone"),
        ({"a": "config.json"}, "must name .safetensors files of the folder; got 'config.json'"),
    ],
)
def test_an_index_that_names_no_files(bert, places, why):
    (bert / "model.safetensors").unlink()
    index = json.dumps({"weight_map": places})
    (bert / "model.safetensors.index.json").write_text(index, "utf-8")
    refused(bert, why)


def test_the_same_weight_in_two_files(bert):
    whole = bert / "model.safetensors"
    for name in ("a.safetensors", "b.safetensors"):
        (bert / name).write_bytes(whole.read_bytes())
    whole.unlink()
    index = json.dumps({"weight_map": {"x": "a.safetensors", "y": "b.safetensors"}})
    (bert / "model.safetensors.index.json").write_text(index, "utf-8")
    refused(bert, "bert must hold each weight once; got .* twice")


def test_files_too_large_for_the_machine(bert, monkeypatch):
    large = bert / "model.safetensors"
    os.truncate(large, files.max_weight_bytes() + 1)  # sparse: it takes no room on the disk
    refused(bert, r"model.safetensors must be at most 4,000,000,000 bytes; got 4,000,000,001")
    os.truncate(bert / "config.json", files.MOST_SETTINGS + 1)
    refused(bert, r"config.json must be at most 1,000,000 bytes; got 1,000,001")


def test_a_server_may_allow_less(bert, monkeypatch):
    monkeypatch.setenv("LMCORE_MODEL_MB", "1")
    os.truncate(bert / "model.safetensors", 1_000_001)
    refused(bert, r"model.safetensors must be at most 1,000,000 bytes; got 1,000,001")


def test_shards_too_large_together(bert):
    (bert / "model.safetensors").unlink()
    places = {str(n): f"{n}.safetensors" for n in range(3)}
    for name in places.values():
        (bert / name).touch()
        os.truncate(bert / name, files.max_weight_bytes() // 2)
    index = json.dumps({"weight_map": places})
    (bert / "model.safetensors.index.json").write_text(index, "utf-8")
    refused(bert, "weights in bert must be at most 4,000,000,000 bytes; got 6,000,000,000")


def test_what_is_no_file(bert):
    (bert / "config.json").unlink()
    os.mkfifo(bert / "config.json")
    refused(bert, "bert/config.json must be a file; got something else")


@pytest.mark.parametrize(
    "text",
    ["{}", '{"model": {"type": "WordPiece"}}', '{"version": "1.0", "model": null}'],
)
def test_a_tokenizer_that_cannot_be_read(bert, text):
    (bert / "tokenizer.json").write_text(text, "utf-8")
    refused(bert, "the tokenizer of bert must be one that can be read; ")


def test_a_tokenizer_that_is_no_json(bert):
    (bert / "tokenizer.json").write_text("nothing", "utf-8")
    refused(bert, "bert/tokenizer.json must be JSON")


def test_a_prefix_that_would_end_the_process(gpt2):
    rules = json.loads((gpt2 / "tokenizer.json").read_text("utf-8"))
    rules["model"]["continuing_subword_prefix"] = "####"
    (gpt2 / "tokenizer.json").write_text(json.dumps(rules), "utf-8")
    refused(gpt2, "continuing_subword_prefix in gpt2/tokenizer.json must be empty .*; got '####'")


def test_a_panic_of_the_library_is_a_refusal_and_a_stop_of_ours_is_none(bert):
    def panic():
        raise type("PanicException", (BaseException,), {})("byte index 4 is out of bounds")

    def stop():
        raise KeyboardInterrupt

    folder = files.Folder(bert, bert)
    with pytest.raises(ValueError, match=r"the tokenizer of bert must be .*byte index 4"):
        tokenizing.call_library(folder, panic)
    with pytest.raises(KeyboardInterrupt):
        tokenizing.call_library(folder, stop)


def test_a_tokenizer_of_another_model(bert):
    (bert / "tokenizer.json").write_text(made.merges().to_str(), "utf-8")
    refused(bert, f"ids must be below {len(made.PIECES)}, the types of the model; got 2")


def test_older_tokenizer_files_that_are_not_whole(bert, gpt2):
    for folder in (bert, gpt2):
        (folder / "tokenizer.json").unlink()
    (bert / "vocab.txt").write_text("[UNK]\n[CLS]\n", "utf-8")
    refused(bert, r"bert/vocab.txt must hold \[SEP\]; it does not")
    (gpt2 / "vocab.json").write_text('{"a": 0}', "utf-8")
    refused(gpt2, "must hold tokenizer.json, or vocab.json and merges.txt")
    (gpt2 / "merges.txt").write_text("a b\n", "utf-8")
    refused(gpt2, "the tokenizer of gpt2 must be one that can be read; ")
    (gpt2 / "vocab.json").write_text('{"a": "b"}', "utf-8")
    refused(gpt2, "the tokenizer of gpt2 must be one that can be read; ")


def test_a_tokenizer_without_its_unknown_piece_says_so_when_it_is_asked(bert):
    rules = json.loads((bert / "tokenizer.json").read_text("utf-8"))
    rules["model"]["unk_token"] = "[NONE]"
    (bert / "tokenizer.json").write_text(json.dumps(rules), "utf-8")
    with pytest.raises(ValueError, match=r"tokenizer of bert must be .*Missing \[UNK\]"):
        load_pretrained(bert).read("zzz")


def test_large_finite_weights_load(bert):
    def enlarge(tensors):
        next(iter(tensors.values())).fill_(1e38)

    rewrite(bert, enlarge)
    assert load_pretrained(str(bert)).network


def replace(pattern, content="a"):
    return {"type": "Replace", "pattern": pattern, "content": content}


def isolate(pattern):
    return {"type": "Split", "pattern": pattern, "behavior": "Isolated", "invert": False}


def normalizers(*steps):
    return {"normalizer": {"type": "Sequence", "normalizers": list(steps)}}


def pretokenizers(*steps):
    return {"pre_tokenizer": {"type": "Sequence", "pretokenizers": list(steps)}}


A = {"String": "a"}
BYTES = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
FRAME = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}]
BUSY = {
    "Replace a": (normalizers(replace(A, "a" * 1000)), "at most 8 times; got 1,000 times or more"),
    "20 Replace": (normalizers(*[replace(A, "aa")] * 20), "at most 8 times; got 16 times or more"),
    "decomposed": (normalizers(replace(A, "\ufdfa")), "at most 8 times; got 18 times or more"),
    "bytes of bytes": (pretokenizers(*[BYTES] * 8), "at most 8 times; got 16 times or more"),
    "empty": (normalizers(replace({"String": ""})), "must have no empty pattern; got one"),
    "empty match": (normalizers(replace({"Regex": "x*"})), "pattern that is known; got 'x\\*'"),
    "backtracking": (
        pretokenizers(isolate({"Regex": "a*(?=[^a])"})),
        "the pre_tokenizer in bert/tokenizer.json must have a pattern that is known",
    ),
    "2,000 steps": (normalizers(*[replace(A)] * 2000), "at most 64 steps; got 4,001"),
    "2,000 splits": (pretokenizers(*[isolate(A)] * 2000), "at most 64 steps; got 4,001"),
    "a long frame": (
        {"post_processor": {"type": "TemplateProcessing", "single": FRAME * 1000}},
        "the post_processor in bert/tokenizer.json must have at most 64 steps",
    ),
    "a table": (normalizers({"type": "Precompiled"}), "must have no precompiled table; got one"),
    "unigrams": ({"model": {"type": "Unigram", "vocab": []}}, "of pieces or merges; got a unigram"),
}
"""The change in tokenizer.json, and its refusal; most take over 25 seconds on 20,000 letters."""


@pytest.mark.parametrize("name", BUSY)
def test_a_tokenizer_that_would_be_busy_for_minutes(bert, name):
    change, why = BUSY[name]
    told = json.loads((bert / "tokenizer.json").read_text()) | change
    (bert / "tokenizer.json").write_text(json.dumps(told))
    refused(bert, why)


def test_a_wordpiece_that_would_be_busy_for_minutes(bert):
    told = json.loads((bert / "tokenizer.json").read_text())
    told["model"]["max_input_chars_per_word"] = 10**9
    (bert / "tokenizer.json").write_text(json.dumps(told))
    refused(bert, "in bert/tokenizer.json must be at most 200; got 1000000000")


@pytest.mark.parametrize(
    "change",
    [
        normalizers(*[replace(A)] * 31),
        normalizers(replace(A, "aa"), {"type": "NFKD"}, replace(A, "aa"), replace(A, "aa")),
        pretokenizers(*[isolate(A)] * 31),
        pretokenizers(*[BYTES] * 3),
        *(pretokenizers(isolate({"Regex": pattern})) for pattern in tokenizing.PATTERNS),
        *(normalizers(replace({"Regex": pattern})) for pattern in tokenizing.PATTERNS),
    ],
)
def test_a_tokenizer_at_the_limits_answers_within_two_seconds(bert, change):
    told = json.loads((bert / "tokenizer.json").read_text()) | change
    (bert / "tokenizer.json").write_text(json.dumps(told))
    model = load_pretrained(bert)
    for text in ("a" * 20_000, " " * 20_000, "a " * 10_000, "\ufdfa" * 20_000, "!" * 20_000 + "a"):
        started = time.thread_time()
        model._asked("encode", text, add_special_tokens=False)
        assert time.thread_time() - started < 2
