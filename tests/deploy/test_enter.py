"""What a container does before its command, run on this machine with temporary folders."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from tests.browser.serving import ROOT

ENTER = ROOT / "deploy" / "enter.sh"
PROXY = ROOT / "deploy" / "proxy.sh"


def entering(secrets: Path, runs: Path, *command: str, **settings: str) -> subprocess.Popen[str]:
    kept = {name: text for name, text in os.environ.items() if not name.startswith("LMCORE_")}
    return subprocess.Popen(
        [ENTER, *command],
        env=kept | {"SECRETS_FOLDER": str(secrets), "RUNS_VOLUME": str(runs)} | settings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_secret_becomes_the_setting_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "LMCORE_PASSCODE").write_text("gradient $HOME `id` descent\n")
    (tmp_path / "other").write_text("not ours")
    done = entering(tmp_path, tmp_path / "none", "env")
    said, _ = done.communicate(timeout=20)
    assert "LMCORE_PASSCODE=gradient $HOME `id` descent" in said.splitlines()
    assert "not ours" not in said
    assert "LMCORE_RUNS_FOLDER" not in said
    assert done.returncode == 0


def test_replicas_share_the_volume_unless_another_folder_is_set(tmp_path: Path) -> None:
    tell = ("sh", "-c", 'echo "$LMCORE_RUNS_FOLDER"')
    for settings, folder in (({}, str(tmp_path)), ({"LMCORE_RUNS_FOLDER": "/srv"}, "/srv")):
        done = entering(tmp_path / "none", tmp_path, *tell, **settings)
        said, _ = done.communicate(timeout=20)
        assert said.strip() == folder


def test_the_key_of_the_proxys_cookies_stays_and_is_not_the_secret(tmp_path: Path) -> None:
    haproxy = tmp_path / "haproxy"
    haproxy.write_text('#!/bin/sh\necho "${PROXY_STICKY_SECRET-none} $@"\n')
    haproxy.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"

    def key(secret: str, **settings: str) -> str:
        (tmp_path / "STREAMLIT_SERVER_COOKIE_SECRET").write_text(secret)
        said = os.environ | {"PATH": path, "SECRETS_FOLDER": str(tmp_path)} | settings
        done = subprocess.run(
            [PROXY, "-f", "x"], env=said, stdout=subprocess.PIPE, text=True, check=True
        )
        made, *rest = done.stdout.split()
        assert rest == ["-f", "x"]
        return made

    assert key("a" * 64) == key("a" * 64) != key("b" * 64)
    assert len(key("a" * 64)) == 32 and key("a" * 64) != "a" * 32
    assert key("a", PROXY_STICKY_SECRET="mine") == "mine"
    assert key("") == "none"


def test_the_command_takes_the_place_of_the_script_and_hears_its_signals(tmp_path: Path) -> None:
    command = ("python3", "-c", "import os; print(os.getpid())")
    done = entering(tmp_path, tmp_path, *command)
    said, _ = done.communicate(timeout=20)
    assert int(said) == done.pid


def test_a_ray_cluster_is_joined_by_a_node_that_computes_nothing(tmp_path: Path) -> None:
    told, ray = tmp_path / "told", tmp_path / "ray"
    os.mkfifo(told)
    ray.write_text(f'#!/bin/sh\necho "$@" >{told}\nkill $PPID\n')  # ends the retries
    ray.chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = entering(tmp_path, tmp_path / "none", "true", PATH=path, LMCORE_RAY_ADDRESS="head:6379")
    said = told.read_text().split()
    done.communicate(timeout=20)
    assert said[0] == "start" and "--address=head:6379" in said
    assert {"--num-cpus=0", "--num-gpus=0", "--block"} <= set(said)
    (own,) = (each for each in said if each.startswith("--node-ip-address="))
    assert own.count(".") == 3 or ":" in own
    assert done.returncode == 0
