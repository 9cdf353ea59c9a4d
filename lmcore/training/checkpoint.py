"""Checkpoints: a run as a safetensors file, with everything but tensors as JSON in its header.

Nothing in such a file is ever executed; a pickle is rejected unread.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load as read_tensors
from safetensors.torch import save as write_tensors
from torch import Tensor

from lmcore.configuration import configuration
from lmcore.models.bert import BERT
from lmcore.models.layers import State
from lmcore.models.registry import NeuralModel, TranslationModel
from lmcore.training.batches import corpus_vocabulary
from lmcore.training.cost_estimate import check_affordable
from lmcore.training.disk import write_atomically
from lmcore.training.loop import WATCHED, AnyNetwork, Training, detach_state, untrained_model
from lmcore.training.spec import RunSpec
from lmcore.vocabulary import Vocabulary

OPTIMIZER_STATE: dict[str, tuple[str, ...]] = {
    "adam": ("step", "exp_avg", "exp_avg_sq"),
    "momentum": ("momentum_buffer",),
    "sgd": (),
}
"""The state of each optimiser per weight, after the first step."""
ARCHIVE_PREFIXES = (b"PK", b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
"""The first bytes of zip archives and pickles."""
FORMAT = "language-models-live 1"
BYTES_EACH = 20
"""The most bytes of a file per weight of the largest model: with Adam's state, and the text."""


@dataclass(frozen=True, slots=True)
class CheckpointHeader:
    """The header of a file: everything about its run but the tensors."""

    spec: RunSpec
    step: int
    recent: list[float]
    why: str
    vocabulary: list[str]

    def __post_init__(self) -> None:
        """Raises ValueError naming a field of the wrong type or value."""
        right = {
            "step": type(self.step) is int and 0 <= self.step <= self.spec.steps,
            "recent": _all_of(self.recent, float) and len(self.recent) <= WATCHED,
            "why": isinstance(self.why, str),
            "vocabulary": _all_of(self.vocabulary, str),
        }
        for name, is_right in right.items():
            if not is_right:
                raise ValueError(f"{name} must be as it was saved; got {getattr(self, name)!r:.80}")


def _all_of(values: object, kind: type) -> bool:
    return isinstance(values, list) and all(isinstance(value, kind) for value in values)


def dump(run: Training, *, weights_only: bool = False) -> bytes:
    """The bytes of a run for `restore`; or of its weights only, for `load_model`."""
    tensors = {f"network.{name}": tensor for name, tensor in run.network.state_dict().items()}
    if not weights_only:
        tensors |= _momentum(run)
    about = {"format": FORMAT, "spec": run.spec.to_json(), "step": run.step, "why": run.why}
    about |= {"recent": list(run.recent), "vocabulary": run.feed.vocabulary.tokens}
    kept = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    return write_tensors(kept, {"about": json.dumps(about)})


def _momentum(run: Training) -> dict[str, Tensor]:
    """The tensors that optimiser and network carry from step to step."""
    tensors = {f"state.{i}": part for i, part in enumerate(_parts(run.state))}
    for place, state in run.optimizer.state_dict()["state"].items():
        tensors |= {
            f"optimizer.{place}.{name}": value
            for name, value in state.items()
            if isinstance(value, Tensor)
        }
    return tensors


def save(run: Training, path: Path) -> None:
    """Write the run to `path` atomically: readers see the old file or the new, never a part."""
    write_atomically(dump(run), path)


def restore(data: bytes, where: torch.device | None = None) -> Training:
    """The run of a file, ready to continue.

    Raises:
        ValueError: if it is not such a file, is truncated, or its weights do not fit its spec.
    """
    about, tensors = parse_checkpoint(data)
    run = Training(about.spec, where)
    if list(run.feed.vocabulary.tokens) != about.vocabulary:
        raise ValueError("the file must be of the text it names; its vocabulary is another one")
    run.step, run.why = about.step, about.why
    run.recent.extend(about.recent)
    fill_weights(run.network, strip_prefix(tensors, "network"))
    _fill_optimizer(run, strip_prefix(tensors, "optimizer"))
    _fill_state(run, strip_prefix(tensors, "state"))
    return run


def load_model(data: bytes) -> tuple[NeuralModel, RunSpec, int]:
    """The language model of a file, its spec, and its number of steps.

    Raises:
        ValueError: as `restore`, or if it is an encoder, or translates.
    """
    network, vocabulary, spec, step = load_network(data)
    if isinstance(network, BERT):
        raise ValueError("This file holds an encoder, not a language model.")
    if isinstance(network, TranslationModel):
        raise ValueError("This file holds a translation model, not a language model.")
    return NeuralModel(network, vocabulary), spec, step


def load_network(data: bytes) -> tuple[AnyNetwork, Vocabulary, RunSpec, int]:
    """The network of a file with its vocabulary, its spec, and its number of steps.

    Raises:
        ValueError: as `restore`.
    """
    about, tensors = parse_checkpoint(data)
    corpus = about.spec.corpus
    vocabulary = Vocabulary(
        tuple(about.vocabulary), corpus.unit, lower=corpus.source == "microworld"
    )
    if corpus.unit == "subword" or corpus.source == "translation":
        vocabulary = corpus_vocabulary(corpus)
        if list(vocabulary.tokens) != about.vocabulary:
            raise ValueError("the file must be of the text it names; its vocabulary is another one")
    check_affordable(about.spec, len(vocabulary), 1, "cpu")
    network = untrained_model(about.spec, len(vocabulary))
    fill_weights(network, strip_prefix(tensors, "network"))
    return network, vocabulary, about.spec, about.step


def check_checkpoint(data: bytes) -> CheckpointHeader:
    """The header of a file, after checking that its numbers are finite or the run has diverged.

    Raises:
        ValueError: as `restore`, or if a number is missing, infinite or nan.
    """
    about, tensors = parse_checkpoint(data)
    load_network(data)
    if not about.why and not all(tensor.isfinite().all() for tensor in tensors.values()):
        raise ValueError("the file must hold finite numbers; got inf or nan")
    return about


def parse_checkpoint(data: bytes) -> tuple[CheckpointHeader, dict[str, Tensor]]:
    """The header and the tensors of a file.

    Raises:
        ValueError: as `restore`.
    """
    largest = BYTES_EACH * configuration().weights
    if len(data) > largest:
        raise ValueError(f"the file must be at most {largest:,} bytes; got {len(data):,}")
    try:
        tensors = read_tensors(data)
        size = int.from_bytes(data[:8], "little")
        about = json.loads(json.loads(data[8 : 8 + size])["__metadata__"]["about"])
    except (SafetensorError, KeyError, TypeError, ValueError, RecursionError) as error:
        # A good file may begin like an archive, as it begins with the length of its header.
        if data[:2] in ARCHIVE_PREFIXES:
            raise ValueError(
                "the file must be .safetensors; got a pickle or zip archive, which could run code "
                "and is not opened"
            ) from None
        raise ValueError(
            f"the file must be a whole .safetensors file saved here; {_what_is_wrong(error)}"
        ) from error
    if not isinstance(about, dict) or about.pop("format", None) != FORMAT:
        raise ValueError(f"the file must be of the format {FORMAT!r}; got another")
    try:
        return CheckpointHeader(RunSpec.from_json(about.pop("spec")), **about), tensors
    except (KeyError, TypeError) as error:
        raise ValueError(f"the file must say what run it is of; {error}") from error


def _what_is_wrong(error: Exception) -> str:
    if isinstance(error, KeyError):
        return "this one does not describe its run"
    return str(error)[:200]


def strip_prefix(tensors: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    """The tensors whose name begins with `name`, without it."""
    return {
        key.removeprefix(f"{name}."): tensor
        for key, tensor in tensors.items()
        if key.startswith(f"{name}.")
    }


def fill_weights(network: torch.nn.Module, weights: dict[str, Tensor]) -> None:
    """Put weights into a network.

    Raises:
        ValueError: naming the first that is missing, unknown or of another shape.
    """
    _check_same_form("the weight", network.state_dict(), weights)
    network.load_state_dict(weights)


def _check_same_form(what: str, own: dict[str, Tensor], saved: dict[str, Tensor]) -> None:
    for name in sorted(own.keys() | saved.keys()):
        mine, theirs = (_form(tensors.get(name)) for tensors in (own, saved))
        if mine != theirs:
            raise ValueError(f"{what} {name} must have shape {mine}; got {theirs}")


def _form(tensor: Tensor | None) -> str:
    if tensor is None:
        return "none"
    return f"{tuple(tensor.shape)} of {str(tensor.dtype).removeprefix('torch.')}"


def _parts(state: State) -> tuple[Tensor, ...]:
    if isinstance(state, Tensor):
        return (state,)
    return state or ()


def _fill_optimizer(run: Training, state: dict[str, Tensor]) -> None:
    weights = [weight for group in run.optimizer.param_groups for weight in group["params"]]
    names = OPTIMIZER_STATE[run.spec.optimizer] if run.step else ()
    own = {
        f"{place}.{name}": torch.empty(()) if name == "step" else weight
        for place, weight in enumerate(weights)
        for name in names
    }
    _check_same_form("the optimiser's", own, state)
    whole = run.optimizer.state_dict()
    places: dict[int, dict[str, Tensor]] = {}
    for key, tensor in state.items():
        place, _, name = key.partition(".")
        places.setdefault(int(place), {})[name] = tensor
    whole["state"] = places
    run.optimizer.load_state_dict(whole)


@torch.inference_mode()
def _fill_state(run: Training, state: dict[str, Tensor]) -> None:
    like: State = None
    if run.step and not isinstance(run.network, TranslationModel):
        _, like = run.network.logits_and_state(run.feed.batch(0).inputs.to(run.where))
        like = detach_state(run.network, like)
    own = {str(i): each for i, each in enumerate(_parts(like))}
    _check_same_form("the state", own, state)
    for name, saved in state.items():
        types = len(run.feed.vocabulary)
        if not saved.is_floating_point() and ((saved < 0) | (saved >= types)).any():
            raise ValueError(f"the state {name} must hold ids from 0 to {types - 1}; got another")
    parts = tuple(state[name].to(run.where) for name in own)
    run.state = parts if isinstance(like, tuple) else next(iter(parts), None)
