"""The files of deploy/: each is valid in its own format, and agrees with the app and the others."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from lmcore.configuration import Configuration, format_default, parse_environment, variable_name
from tests.browser.serving import ROOT
from tests.faults.proxying import HAPROXY, MISSING

DEPLOY = ROOT / "deploy"
BIN = Path(sys.executable).parent
OF_A_SERVER = {DEPLOY / ".env", DEPLOY / "certificates", DEPLOY / "secrets"}
FILES = sorted(
    path
    for path in DEPLOY.rglob("*")
    if path.is_file() and OF_A_SERVER.isdisjoint((path, *path.parents))
)
KUBERNETES = sorted((DEPLOY / "kubernetes").glob("*.yaml"))
DOCKERFILE = (DEPLOY / "Dockerfile").read_text("utf-8")
LAST = DOCKERFILE[DOCKERFILE.rindex("\nFROM ") :]
OF_THE_PROXY = {"PROXY_PAGES": str(DEPLOY)}


def passes(*command: str | Path) -> None:
    """Run a checker; a failure shows its output."""
    done = subprocess.run([str(each) for each in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def compose() -> dict[str, Any]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def documents(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((DEPLOY / "kubernetes" / name).read_text("utf-8")))


def command_of_the_image() -> list[str]:
    found = re.search(r"^CMD (\[.*\])$", LAST, re.MULTILINE)
    assert found is not None
    return json.loads(found[1])


def makefile(name: str) -> str:
    text = (ROOT / "Makefile").read_text("utf-8")
    found = re.search(rf"^{name} := (.*)$", text, re.MULTILINE)
    assert found is not None
    return found[1]


def test_the_dockerfile_has_nothing_to_complain_of() -> None:
    passes(BIN / "hadolint", DEPLOY / "Dockerfile")


def test_the_image_serves_as_make_run_does() -> None:
    # $(KEEP) $(BIN)/uvicorn serve:app --host $(ADDRESS) --port $(PORT) …
    _, program, *flags = shlex.split(makefile("SERVE").replace("$(", "").replace(")", ""))
    said = {"ADDRESS": "0.0.0.0", "PORT": "8501"}
    expected = [Path(program).name, *(said.get(flag, flag) for flag in flags)]
    assert command_of_the_image() == expected
    for setting in shlex.split(makefile("KEEP")):
        assert f" {setting} " in LAST


def test_the_image_needs_no_right() -> None:
    assert re.search(r"^USER [1-9]\d*:[1-9]\d*$", LAST, re.MULTILINE)
    assert not re.search(r"pip|apt-get|curl", LAST.split("\nENTRYPOINT")[0].replace("pip/", ""))
    assert re.search(r"^HEALTHCHECK .*\\\n  CMD \[\"python\"", LAST, re.MULTILINE)


def test_into_the_image_goes_what_the_server_imports() -> None:
    let_in = (ROOT / ".dockerignore").read_text("utf-8").split("\n")
    assert let_in[1] == "*"
    for needed in (
        "app.py",
        "serve.py",
        "assets",
        "drawing",
        "lessons",
        "lmcore",
        "pages",
        "ui",
        "requirements*.txt",
    ):
        assert f"!{needed}" in let_in
    assert "!deploy/enter.sh" in let_in and "!.streamlit/config.toml" in let_in


def test_compose_is_valid() -> None:
    files = [DEPLOY / f"compose{part}.yaml" for part in ("", ".cuda", ".login", ".hub")]
    passes(BIN / "check-jsonschema", "--builtin-schema", "vendor.compose-spec", *files)


@pytest.mark.parametrize("name", sorted(compose()["services"]))
def test_no_container_has_a_right_it_does_not_need(name: str) -> None:
    service = compose()["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["restart"] == "unless-stopped"
    assert {"cpus", "memory", "pids"} <= set(service["deploy"]["resources"]["limits"])


@pytest.mark.parametrize("name", sorted(compose()["services"]))
def test_a_machine_of_two_cores_starts_every_container(name: str) -> None:
    said = compose()["services"][name]["deploy"]["resources"]["limits"]["cpus"]
    by_default = re.sub(r"^\$\{\w+:-(.*)\}$", r"\1", said)
    assert float(by_default) <= 2, "Docker refuses more cores than there are"


def test_nobody_reaches_a_replica_but_through_the_proxy() -> None:
    services, networks = compose()["services"], compose()["networks"]
    assert networks["inside"]["internal"] is True
    assert services["app"]["networks"] == ["inside"]
    assert "ports" not in services["app"]
    assert services["proxy"]["ports"] == ["80:8080", "443:8443"]
    assert all(port.startswith("127.0.0.1:") for port in services["prometheus"]["ports"])


def test_what_compose_mounts_is_there() -> None:
    for config in compose()["configs"].values():
        assert (DEPLOY / config["file"]).is_file()


@pytest.mark.parametrize("path", KUBERNETES, ids=lambda path: path.name)
def test_kubernetes_takes_it(path: Path) -> None:
    if path.name == "kustomization.yaml":
        resources = set(yaml.safe_load(path.read_text("utf-8"))["resources"])
        assert resources == {each.name for each in KUBERNETES} - {path.name}
    else:
        passes(BIN / "kubernetes-validate", "--strict", path)


def test_kubernetes_finds_the_replicas_by_their_label() -> None:
    (deployment,) = documents("deployment.yaml")
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    service = documents("service.yaml")[0]
    assert service["spec"]["selector"] == labels
    assert documents("disruption.yaml")[0]["spec"]["selector"]["matchLabels"] == labels
    assert documents("network.yaml")[0]["spec"]["podSelector"]["matchLabels"] == labels
    assert (
        documents("autoscaler.yaml")[0]["spec"]["scaleTargetRef"]["name"]
        == (deployment["metadata"]["name"])
    )
    paths = documents("ingress.yaml")[0]["spec"]["rules"][0]["http"]["paths"]
    leads = {each["path"]: each["backend"]["service"]["name"] for each in paths}
    assert leads.pop("/") == service["metadata"]["name"]
    assert set(leads) == {"/metrics", "/healthz", "/readyz", "/inside", "/_stcore/metrics"}
    assert set(leads.values()) == {"closed"}
    assert documents("service.yaml")[1]["spec"]["selector"] == labels
    assert "selector" not in documents("service.yaml")[2]["spec"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_setting_that_is_named_is_one(path: Path) -> None:
    assert set(re.findall(r"LMCORE_[A-Z_]*[A-Z]", path.read_text("utf-8"))) <= NAMES


NAMES = {variable_name(name) for name in Configuration.model_fields}
SECRET = {"LMCORE_PASSCODE"}
OF_ITS_OWN = {"LMCORE_REPLICAS"}
"""The settings that each way of deployment sets by itself."""
FOLDERS = {"LMCORE_MODELS", "LMCORE_LECTURES", "LMCORE_RUNS_FOLDER"}
GIVEN = re.compile(r"\$\{(\w+):-(.*)\}")


def of_compose() -> dict[str, str]:
    """Setting → its value by default, as compose.yaml hands it to a replica from .env."""
    app = compose()["services"]["app"]
    found = {}
    for name, value in app["environment"].items():
        if given := GIVEN.fullmatch(value):
            assert given[1] == name
            found[name] = given[2]
    assert {f"{secret}" for secret in app["secrets"]} >= SECRET
    return found


def test_a_setting_of_the_table_is_one_with_docker_too() -> None:
    volumes = compose()["services"]["app"]["volumes"]
    mounted = {
        found[1]: target
        for each in volumes
        if (found := GIVEN.match(each[: each.index(":/")]))
        for target in [each.split(":/")[1]]
    }
    assert set(mounted) == FOLDERS
    assert of_compose().keys() | mounted.keys() | SECRET | OF_ITS_OWN == NAMES
    inside = compose()["services"]["app"]["environment"]
    assert inside["LMCORE_REPLICAS"] == "app:8501"
    assert {inside["LMCORE_MODELS"], inside["LMCORE_LECTURES"]} == {"/models", "/lectures"}


def test_what_docker_is_not_told_of_reaches_the_app_which_refuses_it() -> None:
    (file,) = compose()["services"]["app"]["env_file"]
    assert file == {"path": ".env", "required": False}
    with pytest.raises(ValueError, match="LMCORE_SESSION must be a setting there is"):
        parse_environment({"LMCORE_SESSION": "3"})


def test_a_setting_of_the_table_is_one_in_kubernetes_too() -> None:
    (settings,) = documents("settings.yaml")
    assert settings["data"].keys() | SECRET == NAMES
    parse_environment(settings["data"])
    (deployment,) = documents("deployment.yaml")
    (app,) = deployment["spec"]["template"]["spec"]["containers"]
    assert app["envFrom"] == [
        {"configMapRef": {"name": "settings"}},
        {"secretRef": {"name": "lmlive"}},
    ]
    mounts = {each["mountPath"]: each["name"] for each in app["volumeMounts"]}
    volumes = {each["name"] for each in deployment["spec"]["template"]["spec"]["volumes"]}
    assert {mounts["/models"], mounts["/lectures"], mounts["/runs"]} <= volumes
    assert settings["data"]["LMCORE_MODELS"] == "/models"
    assert settings["data"]["LMCORE_LECTURES"] == "/lectures"


def test_the_example_has_every_setting_as_it_is_by_default() -> None:
    text = (DEPLOY / "example.env").read_text("utf-8")
    said = dict(re.findall(r"^#(LMCORE_\w+)=(.*)$", text, re.MULTILINE))
    assert said.keys() | SECRET | OF_ITS_OWN == NAMES
    parse_environment(said)
    for name, by_default in of_compose().items():
        field = Configuration.model_fields[name.removeprefix("LMCORE_").lower()]
        wanted = by_default or format_default(field.default)
        if wanted and name != "LMCORE_LOGIN":
            assert said[name] == wanted


def test_whoever_runs_the_server_without_docker_has_the_same_file() -> None:
    script = (DEPLOY / "bare.sh").read_text("utf-8")
    assert "set -a\n  . deploy/.env\n  set +a" in script
    assert "export LMCORE_REPLICAS=" in script


def test_the_proxy_takes_its_configuration(tmp_path: Path) -> None:
    if HAPROXY is None:
        pytest.skip(MISSING)
    # Without a certificate, as before the first one is issued.
    done = subprocess.run(
        [HAPROXY, "-c", "-f", str(DEPLOY / "haproxy.cfg")],
        env=os.environ | OF_THE_PROXY | {"PROXY_CERTIFICATES": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if "[WARNING]" in line]
    assert all("no SSL certificate specified" in line for line in warnings), warnings


def test_what_a_comment_promises_of_the_proxys_variables_is_read() -> None:
    text = (DEPLOY / "haproxy.cfg").read_text("utf-8")
    told = set(re.findall(r"PROXY_\w+", text[: text.index("\nglobal")]))
    read = set(re.findall(r"\$\{(PROXY_[A-Z_]+)-", text))
    set_in_compose = set(compose()["services"]["proxy"]["environment"])
    assert told == read
    assert set_in_compose <= read
    told_by_the_example = set(
        re.findall(r"^#(PROXY_\w+)=", (DEPLOY / "example.env").read_text("utf-8"), re.MULTILINE)
    )
    assert told_by_the_example < set_in_compose
