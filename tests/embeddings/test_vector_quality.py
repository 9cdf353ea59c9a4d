"""The comparison of methods: a new measurement gives the recorded quality."""

import pytest

from lmcore.embeddings.static.methods import PPMI_SVD, VectorConfig
from lmcore.embeddings.static.quality import compared_runs, measure_method, recorded_quality


@pytest.mark.parametrize("method", ["CBOW", PPMI_SVD])
def test_a_recorded_run_made_again_is_as_good(method):
    run = next(run for run in compared_runs(VectorConfig()) if run.method == method)
    found, recorded = measure_method(run), recorded_quality().of[run]
    assert found.group == pytest.approx(recorded.group, abs=0.02)
    assert found.slot == pytest.approx(recorded.slot, abs=0.02)
