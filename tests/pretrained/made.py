"""Small Hugging Face models with random weights, and Hugging Face tokenizers, for the tests."""

import json

import torch
import transformers
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import BPE, WordPiece
from tokenizers.trainers import BpeTrainer

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "animal", "did", "##n", "t", "'"]
PIECES += ["cross", "##ing", "##ed", "street", ".", ",", "<", ">", "/", "script", "a", "##b", "##c"]
PROSE = "The animal didn't cross the street. Größe, naïve: 日本 🦙🦙!\n" * 3


def bert_for_pairs(seed=0):
    """A BERT with both pretraining heads."""
    return filled(transformers.BertForPreTraining(bert().config), seed)


def bert(seed=0, head=False, **sizes):
    """A BERT; with `head`, it has the head that predicts masked tokens."""
    told = {"vocab_size": len(PIECES), "hidden_size": 24, "num_hidden_layers": 3}
    told |= {"num_attention_heads": 4, "intermediate_size": 56, "max_position_embeddings": 40}
    config = transformers.BertConfig(**{**told, **sizes}, attn_implementation="eager")
    return filled((transformers.BertForMaskedLM if head else transformers.BertModel)(config), seed)


def gpt2(seed=0, **sizes):
    """A GPT-2 with the head that predicts the next token."""
    told = {"vocab_size": 300, "n_embd": 24, "n_layer": 3, "n_head": 4, "n_positions": 40}
    told |= {"bos_token_id": 0, "eos_token_id": 0}
    config = transformers.GPT2Config(**{**told, **sizes}, attn_implementation="eager")
    return filled(transformers.GPT2LMHeadModel(config), seed)


@torch.no_grad()
def filled(model, seed):
    """The model with weights so large that attention is sharp, and no two parts are alike."""
    generator = torch.Generator().manual_seed(seed)
    for name, weight in model.named_parameters():
        centre = 1.0 if weight.ndim == 1 and "weight" in name else 0.0
        weight.normal_(centre, 0.25, generator=generator)
    return model.eval()


def pieces(cased=False):
    """A WordPiece tokenizer, as BERT's."""
    made = Tokenizer(WordPiece({p: i for i, p in enumerate(PIECES)}, unk_token="[UNK]"))
    made.add_special_tokens(PIECES[:5])
    made.normalizer = normalizers.BertNormalizer(lowercase=not cased)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.decoder = decoders.WordPiece()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return made


def merges():
    """A byte-level BPE tokenizer, as GPT-2's, with a few learned merges."""
    made = Tokenizer(BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = BpeTrainer(
        vocab_size=300,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=sorted(alphabet),
        show_progress=False,
    )
    made.train_from_iterator([PROSE], trainer)
    return made


def save(model, tokenizer, folder, **how):
    """Write a model's files as Hugging Face does, and the tokenizer; returns the folder."""
    model.save_pretrained(folder, **how)
    (folder / "tokenizer.json").write_text(tokenizer.to_str(), "utf-8")
    return folder


def told(folder, **changes):
    """Change settings in a folder's config.json; None removes a setting."""
    path = folder / "config.json"
    config = {**json.loads(path.read_text("utf-8")), **changes}
    kept = {name: value for name, value in config.items() if value is not None}
    path.write_text(json.dumps(kept), "utf-8")


def theirs(tokenizer):
    """Hugging Face's own tokenizer with the same rules."""
    if isinstance(tokenizer.model, WordPiece):
        names = ("pad", "unk", "cls", "sep", "mask")
        special = {f"{n}_token": piece for n, piece in zip(names, PIECES, strict=False)}
        return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|endoftext|>"
    )
