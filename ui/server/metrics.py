"""The metrics of the server for Prometheus, at /metrics, which the proxy closes to the outside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import psutil
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from drawing import events
from ui import compute, runs

REGISTRY = CollectorRegistry()
ProcessCollector(registry=REGISTRY)
SECONDS = (0.01, 0.02, 0.04, 0.06, 0.1, 0.15, 0.25, 0.4, 0.6, 1, 2, 4, 8, 15, 30)

SESSIONS = Gauge("lmlive_sessions", "Visitors connected now", registry=REGISTRY)
RERUNS = Histogram(
    "lmlive_rerun_seconds",
    "From a visitor's message to the finished page",
    buckets=SECONDS,
    registry=REGISTRY,
)
ERRORS = Counter("lmlive_errors", "Faults in a page, by kind", ["kind"], registry=REGISTRY)
TURNED_AWAY = Counter(
    "lmlive_turned_away", "Messages and visitors not let in, by reason", ["why"], registry=REGISTRY
)
RECEIVED = Counter("lmlive_received_bytes", "Bytes of visitors' messages", registry=REGISTRY)
SENT = Counter("lmlive_sent_bytes", "Bytes of messages to visitors", registry=REGISTRY)


class CurrentStateCollector(Collector):
    """Collects the metrics that are computed at each request."""

    def collect(self) -> Iterator[Metric]:
        """The computations, cached results, runs, and memory of the other processes."""
        yield _gauge("lmlive_computations", "Heavy computations", "state", computations())
        yield _gauge("lmlive_kept", "Results kept for everybody", "kind", compute.result_counts())
        yield _gauge("lmlive_runs", "Training runs of this server", "state", runs.states())
        children = psutil.Process().children(recursive=True)
        memory = {"workers": sum(_memory(child) for child in children)}
        yield _gauge("lmlive_children_bytes", "Memory of the processes beside it", "of", memory)


def computations() -> dict[str, float]:
    """The computations in progress and since the start."""
    now = compute.shared_executor()
    return {
        "running": now.running,
        "waiting": now.waiting,
        "done": now.done,
        "refused": now.refused,
        "ended": now.ended,
    }


def _gauge(name: str, text: str, label: str, values: Mapping[Any, float]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for each, value in values.items():
        family.add_metric([each], value)
    return family


def _memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:  # it ended meanwhile
        return 0


REGISTRY.register(CurrentStateCollector())
REGISTRY.register(events.REFUSED)
