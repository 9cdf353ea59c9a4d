"""Long computations: shared by all visitors, queued, and run in processes where that is faster.

A page calls `shared_result` for what others may request too, `unshared_result` for what only its
visitor needs, `compute_parts` for a result that grows, and `BackgroundJob` for one that may be
stopped. Read `shared_results`, then `executor` (the queue), `process_pool` and `background_job`.
"""

from ui.compute.background_job import BackgroundJob, JobPart
from ui.compute.executor import ComputationRefused, mark_computation_thread
from ui.compute.process_pool import TimeLimit, call_in_process, send_by_name
from ui.compute.shared_results import (
    clear_results,
    close,
    compute_parts,
    key_of,
    offer_again,
    raise_refusals,
    result_counts,
    shared_executor,
    shared_result,
    shared_results_by_key,
    show_refusal,
    unshared_result,
)

__all__ = [
    "BackgroundJob",
    "ComputationRefused",
    "JobPart",
    "TimeLimit",
    "call_in_process",
    "clear_results",
    "close",
    "compute_parts",
    "key_of",
    "mark_computation_thread",
    "offer_again",
    "raise_refusals",
    "result_counts",
    "send_by_name",
    "shared_executor",
    "shared_result",
    "shared_results_by_key",
    "show_refusal",
    "unshared_result",
]
