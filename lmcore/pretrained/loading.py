"""Loads a model folder in the format of Hugging Face: one of our networks, with its tokenizer.

config.json           the sizes, and which kind of model it is
model.safetensors     the weights, or several files of them with an index
tokenizer.json        or the older vocab.txt, or vocab.json and merges.txt
and what `tokens` reads beside these: added and special tokens, the start and end of a text
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer
from torch import Tensor

from lmcore.models.bert import BERT
from lmcore.models.gpt import GPT
from lmcore.pretrained import bert, gpt2, limits, tokenizing
from lmcore.pretrained.folder import CONFIG_FILE, MOST_SETTINGS, Folder
from lmcore.pretrained.reading import TokenizedText
from lmcore.pretrained.tokens import NO_ENDS, TextEnds, read_text_ends, read_token_files

MODEL_TYPES = ("bert", "gpt2")


@dataclass(frozen=True, slots=True)
class PretrainedModel:
    """A network with the tokenizer it was trained with: a `TokenizingModel`."""

    name: str
    network: BERT | GPT
    tokenizer: Tokenizer
    folder: Folder
    text_ends: TextEnds = NO_ENDS

    def read(self, text: str, pair: str = "", most: int = 128) -> TokenizedText:
        """As the tokenizer puts it: `[CLS] text [SEP] pair [SEP]` for BERT, the text for GPT-2.

        Raises:
            ValueError: as `TokenizingModel.read`.
        """
        if isinstance(self.network, GPT):
            limits.require_single_text(self.name, pair)
        texts, cut = limits.clean_texts(text, pair) if pair else limits.clean_texts(text)
        parts = [self._asked("encode", each, add_special_tokens=False) for each in texts]
        lengths = [len(part.ids) for part in parts]
        frame = self._asked("num_special_tokens_to_add", len(parts) == 2)
        kept = limits.token_shares(lengths, limits.available_tokens(self.network, most, frame))
        for part, keep in zip(parts, kept, strict=True):
            part.truncate(keep)
        whole = self._asked("post_process", parts[0], parts[1] if pair else None, True)
        special = tokenizing.special_ids(self.tokenizer)
        types = self.network.config.vocabulary
        for token, i in zip(whole.tokens, whole.ids, strict=True):
            if i >= types:
                raise ValueError(
                    f"the text must hold only tokens that {self.name} has a vector for; "
                    f"got {token!r:.40}, whose id {i:,} is not below {types:,}"
                )
        return TokenizedText(
            torch.tensor(whole.ids),
            tokenizing.visible_tokens(self.tokenizer, whole),
            torch.tensor(whole.type_ids),
            torch.tensor([i in special for i in whole.ids]),
            cut or kept != lengths,
        )

    def _asked(self, name: str, *given: Any, **how: Any) -> Any:
        method = getattr(self.tokenizer, name)
        return tokenizing.call_library(self.folder, lambda: method(*given, **how))


def load_pretrained(
    folder: str | Path, *, root: str | Path | None = None, name: str = ""
) -> PretrainedModel:
    """The model of a folder, on the CPU.

    Its files must lie in `root`, which is the folder itself unless it is given.

    The weights are mapped from the files where these hold float32: loading copies nothing.

    Raises:
        ValueError: naming what is missing, incomplete, too large, outside the folder, of a kind
            that could run code, or not supported by our networks.
    """
    for path in (folder, root):
        if not isinstance(path, str | Path | None):
            raise ValueError(f"a model's folder must be a path; got {path!r:.60}")
    if folder is None:
        raise ValueError("a model's folder must be a path; got None")
    folder, root = Path(folder), None if root is None else Path(root)
    if not folder.is_dir():
        raise ValueError(f"a model's folder must be a directory; got {str(folder)!r}")
    files = Folder(folder, folder if root is None else root)
    settings = files.json(CONFIG_FILE, MOST_SETTINGS)
    if settings is None:
        raise ValueError(f"{folder.name} must hold {CONFIG_FILE}; it does not")
    kind = settings.get("model_type")
    if kind not in MODEL_TYPES:
        raise ValueError(
            f"model_type in {CONFIG_FILE} must be one of {', '.join(MODEL_TYPES)}; got {kind!r:.40}"
        )
    network, weights = _network(kind, settings, files.weights())
    fill_weights(network, weights)
    said = read_token_files(files)
    types = network.config.vocabulary
    made = tokenizing.load_tokenizer(files, kind, types, said)
    ends = read_text_ends(files, settings, said, made, types, tokenizing.END_OF_TEXT)
    return PretrainedModel(name or folder.name, network, made, files, ends)


def _network(
    kind: str, config: Mapping[str, Any], file: Mapping[str, Tensor]
) -> tuple[BERT | GPT, dict[str, Tensor]]:
    heads = bert.HEADS if kind == "bert" else gpt2.HEADS
    body = {name: each for name, each in file.items() if name.partition(".")[0] not in heads}
    return bert.build_network(config, body) if kind == "bert" else gpt2.build_network(config, body)


def fill_weights(network: BERT | GPT, weights: dict[str, Tensor]) -> None:
    """Make the tensors the network's own weights; they no longer learn.

    Raises:
        ValueError: if one does not have the shape that config.json says, or holds inf or nan, or
            there is one too many.
    """
    places = network.state_dict()
    if left := sorted(weights.keys() - places.keys()):
        raise ValueError(
            f"the weights must be those of {CONFIG_FILE}, which has no {left[0]}; got it"
        )
    for name, own in places.items():
        if own.shape != weights[name].shape:
            raise ValueError(
                f"{name} must have shape {tuple(own.shape)}, as {CONFIG_FILE} says; "
                f"got {tuple(weights[name].shape)}"
            )
        # The sum is quick, but overflows if finite numbers are large: then each is checked.
        if not (weights[name].sum().isfinite() or weights[name].isfinite().all()):
            raise ValueError(f"{name} must hold finite numbers; got inf or nan")
    network.load_state_dict(weights, assign=True)
    network.requires_grad_(False)
