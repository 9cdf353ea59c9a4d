"""Language models from one neuron to generation: tensors in, traces out, no user interface.

One name per quantity, in code, on screen and in the notes (`notation.py` has the letters):

    inputs weights bias → terms → pre_activation → output, derivative        one unit
    value → local derivative, upstream → contribution → gradient             a computation graph

Axes are words, in this order: `batch input`, `slider position`, `row input`. Every computation
returns its trace: a frozen dataclass with its quantities in the order they are computed.
"""

from importlib import import_module
from typing import Any

__version__ = "1.0.0"

_FRONT = {
    "parse_program": "graph",
    "trace_graph": "graph",
    "Neuron": "neuron.neuron",
    "trace_neuron": "neuron.neuron",
    "PointSet": "networks.points",
    "draw_points": "networks.points",
    "NetworkConfig": "networks.network",
    "TrainingConfig": "networks.training",
    "train_network": "networks.training",
    "regression_from_points": "optimization.regression",
    "solve_regression": "optimization.regression",
    "Schedule": "optimization.schedules",
    "DescentConfig": "optimization.paths",
    "descend": "optimization.paths",
    "VectorConfig": "embeddings.static.methods",
    "train_vectors": "embeddings.static.methods",
    "nearest_words": "embeddings.static.neighbours",
    "Vocabulary": "vocabulary",
    "NGramConfig": "models.ngram",
    "fit_ngram": "models.ngram",
    "build": "models.registry",
    "load_shipped": "shipped.models",
    "load_translator": "shipped.models",
    "trace_translation": "attention.translation_steps",
    "load_pretrained": "pretrained.loading",
    "score": "models.scoring",
    "SamplingConfig": "decoding.token_by_token",
    "generate": "decoding.token_by_token",
    "BeamConfig": "decoding.beam",
    "grow_tree": "decoding.beam_tree",
    "ModelSpec": "training.spec",
    "RunSpec": "training.spec",
    "Training": "training.loop",
    "History": "training.events",
    "load_results": "results.tables",
}
"""Name → its module: the names offered by the package itself, each imported at its first use."""

__all__ = list(_FRONT)


def __getattr__(name: str) -> Any:
    """One of the names in `_FRONT`, imported at its first use.

    Raises:
        AttributeError: if `name` is not one of them.
        ModuleNotFoundError: naming the package that is not installed.
    """
    if name not in _FRONT:
        raise AttributeError(f"module 'lmcore' has no attribute {name!r}")
    try:
        found = globals()[name] = getattr(import_module(f"lmcore.{_FRONT[name]}"), name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"lmcore.{name} must have {error.name} to run, and it is not installed: "
            f"pip install {error.name}",
            name=error.name,
        ) from error
    return found
