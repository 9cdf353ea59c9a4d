"""Model folders of the kinds that people have, made at random: their files and the contents."""

import json
import random
from dataclasses import dataclass, field

import made
import transformers
from tokenizers import AddedToken

BERT_HEADS = ("", "MaskedLM", "PreTraining", "NextSentencePrediction")
BERT_HEADS += ("SequenceClassification", "TokenClassification", "QuestionAnswering")
GPT2_HEADS = ("LMHeadModel", "ForSequenceClassification", "ForTokenClassification")
GPT2_HEADS += ("ForQuestionAnswering", "DoubleHeadsModel")
ADDED = ("<user>", "covid19", "[E1]", "Größe")
TEXTS = ("<user> has covid19 .", "The animal[E1]did  cross<user>", "Größe the Street, abc <User>")


@dataclass
class Drawn:
    """The random choices that describe a folder."""

    kind: str
    head: str
    files: str
    """older, fast, or saved (by a tokenizer's `save_pretrained`)"""
    cased: bool
    added: dict[str, bool] = field(default_factory=dict)
    """Token → whether it is special."""
    frame: bool = False
    """Whether a GPT-2's texts begin with its start token."""
    ends: tuple[int, ...] = ()
    ends_in: str = ""
    pad: bool = False
    """Whether a padding token was added for which the model has no row."""


def draw(seed):
    """The description of folder number `seed`."""
    rng = random.Random(seed)
    kind = ("bert", "gpt2")[seed % 2]
    drawn = Drawn(
        kind,
        rng.choice(BERT_HEADS if kind == "bert" else GPT2_HEADS),
        rng.choice(("older", "fast", "saved")),
        rng.random() < 0.5,
        {token: rng.random() < 0.5 for token in rng.sample(ADDED, rng.randrange(4))},
    )
    if kind == "gpt2":
        drawn.frame = drawn.files != "fast" and rng.random() < 0.5
        drawn.ends = tuple(rng.sample(range(1, 300), rng.choice((1, 1, 2, 3, 40))))
        drawn.ends_in = rng.choice(("config.json", "generation_config.json", "tokenizer"))
    drawn.pad = rng.random() < 0.3
    return drawn


def make(folder, drawn, seed):
    """Write the folder; returns the model of `transformers`."""
    base = made.pieces(cased=drawn.cased) if drawn.kind == "bert" else made.merges()
    types = base.get_vocab_size() + len(drawn.added)
    model = _model(drawn, types, seed)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    _write_tokenizer(folder, drawn, base)
    _write_ends(folder, drawn)
    return model


def _model(drawn, types, seed):
    if drawn.kind == "bert":
        config = made.bert().config
        config.vocab_size, config.num_labels, config.pad_token_id = types, 3, 0
        name = f"BertFor{drawn.head}" if drawn.head else "BertModel"
        model = getattr(transformers, name)(config)
    else:
        config = made.gpt2().config
        config.vocab_size, config.bos_token_id, config.eos_token_id = types, 0, 0
        config.pad_token_id = 0
        if drawn.head != "DoubleHeadsModel":
            config.num_labels = 3
        model = getattr(transformers, f"GPT2{drawn.head}")(config)
    return made.filled(model, seed)


def _write_tokenizer(folder, drawn, base):
    settings = _names(drawn)
    settings["tokenizer_class"] = "BertTokenizer" if drawn.kind == "bert" else "GPT2Tokenizer"
    if drawn.kind == "bert":
        settings["do_lower_case"] = not drawn.cased
    if drawn.frame:
        settings["add_bos_token"] = True
    {"older": _older, "fast": _fast, "saved": _saved}[drawn.files](folder, drawn, base, settings)


def _names(drawn):
    names = {} if drawn.kind == "bert" else {"bos_token": "<|endoftext|>"}
    if drawn.ends_in == "tokenizer":
        special = [token for token, is_special in drawn.added.items() if is_special]
        names["eos_token"] = special[0] if special else "<|endoftext|>"
    return names


def _numbered(drawn, base):
    return {token: base.get_vocab_size() + n for n, token in enumerate(drawn.added)}


def _older(folder, drawn, base, settings):
    """A vocabulary, `added_tokens.json` and `special_tokens_map.json`."""
    _write_vocabulary(folder, drawn, base)
    if drawn.added:
        _write(folder / "added_tokens.json", _numbered(drawn, base))
    special = [token for token, is_special in drawn.added.items() if is_special]
    # Not under the older key, which transformers 5 ignores beside added_tokens.json.
    names = _names(drawn) | {"extra_special_tokens": special}
    if drawn.pad:
        names["pad_token"] = "<padding>"
    _write(folder / "special_tokens_map.json", names)
    _write(folder / "tokenizer_config.json", settings)


def _fast(folder, drawn, base, settings):
    """`tokenizer.json`, and settings that list the added tokens again."""
    table = {}
    for token, i in _numbered(drawn, base).items():
        special = drawn.added[token]
        flags = {"lstrip": False, "rstrip": False, "single_word": False}
        table[str(i)] = {"content": token, "normalized": not special, "special": special, **flags}
    base.add_tokens([_added(*each) for each in drawn.added.items()])
    (folder / "tokenizer.json").write_text(base.to_str(), "utf-8")
    if drawn.pad:
        settings["pad_token"] = "<padding>"
    _write(folder / "tokenizer_config.json", settings | {"added_tokens_decoder": table})


def _saved(folder, drawn, base, settings):
    """The files that `transformers` itself writes."""
    _write_vocabulary(folder, drawn, base)
    _write(folder / "tokenizer_config.json", settings)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    tokenizer.add_tokens([_added(*each) for each in drawn.added.items()])
    if drawn.pad:
        tokenizer.add_special_tokens({"pad_token": "<padding>"})
    for name in ("vocab.txt", "vocab.json", "merges.txt"):
        (folder / name).unlink(missing_ok=True)
    tokenizer.save_pretrained(folder)


def _write(path, value):
    path.write_text(json.dumps(value), "utf-8")


def _added(token, special):
    return AddedToken(token, special=special, normalized=not special)


def _write_vocabulary(folder, drawn, base):
    rules = json.loads(base.to_str())["model"]
    if drawn.kind == "bert":
        rows = sorted(rules["vocab"], key=rules["vocab"].__getitem__)
        (folder / "vocab.txt").write_text("\n".join(rows) + "\n", "utf-8")
        return
    (folder / "vocab.json").write_text(json.dumps(rules["vocab"]), "utf-8")
    pairs = "\n".join(" ".join(pair) for pair in rules["merges"])
    (folder / "merges.txt").write_text(f"#version: 0.2\n{pairs}\n", "utf-8")


def _write_ends(folder, drawn):
    if drawn.kind == "bert":
        return
    ends = drawn.ends[0] if len(drawn.ends) == 1 else list(drawn.ends)
    if drawn.ends_in == "config.json":
        made.told(folder, eos_token_id=ends, bos_token_id=7)
    elif drawn.ends_in == "generation_config.json":
        _write(folder / "generation_config.json", {"eos_token_id": ends, "bos_token_id": 9})
    else:
        made.told(folder, eos_token_id=None, bos_token_id=None)
