import pytest
import torch

from lmcore.device import ENVIRONMENT_VARIABLE, available_devices, device, device_name, share_cores


def test_the_best_device_that_is_there(monkeypatch):
    monkeypatch.delenv(ENVIRONMENT_VARIABLE, raising=False)
    expected = (
        "cuda" if torch.cuda.is_available() else "mps" if "mps" in available_devices() else "cpu"
    )
    assert device().type == expected


def test_the_variable_overrides(monkeypatch):
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, " CPU ")
    assert device() == torch.device("cpu")
    assert device_name(device()) == "CPU"


@pytest.mark.parametrize("wanted", ["cuda:99", "tpu", "cpu; rm -rf /"])
def test_a_device_that_is_not_there_is_refused(monkeypatch, wanted):
    monkeypatch.setenv(ENVIRONMENT_VARIABLE, wanted)
    with pytest.raises(ValueError, match=r"LMCORE_DEVICE must be one of cpu.*; got"):
        device()


def test_a_computation_leaves_cores_to_others():
    before = torch.get_num_threads()
    try:
        share_cores(1)
        assert torch.get_num_threads() == 1
    finally:
        share_cores(before)
