"""Rules of the house that the folder listing promises: who imports whom, and one name everywhere."""

import ast
import hashlib
import re
from pathlib import Path

import pytest

from model_serving.resources import RESOURCES
from model_serving.serving.errors import FAILURES
from model_serving.serving.jobs import CLIENT_CLOSED_REQUEST
from model_serving.training.__main__ import TRAINABLE

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "model_serving"


def imports(path):
    """The modules a file imports, in full."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports by a relative path"
            assert node.module is not None
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def importing(folder, *forbidden):
    """Each import below ``folder`` that reaches one of ``forbidden``."""
    return [
        f"{path.relative_to(ROOT)}: {module}"
        for path in folder.rglob("*.py")
        for module in imports(path)
        if any(module == name or module.startswith(f"{name}.") for name in forbidden)
    ]


def test_models_know_nothing_of_http_serving_or_training():
    http = ["flask", "flask_restful", "flask_cors", "werkzeug", "gunicorn"]
    rooms = [f"model_serving.{room}" for room in ("resources", "serving", "training", "app")]
    assert importing(PACKAGE / "models", *http, *rooms) == []


def test_serving_knows_no_model_and_no_resource():
    assert importing(PACKAGE / "serving", "model_serving.models", "model_serving.resources") == []


@pytest.mark.parametrize("room", ["models", "resources", "serving", "utils"])
def test_nothing_that_serves_imports_training(room):
    assert importing(PACKAGE / room, "model_serving.training") == []
    assert not any("training" in module for module in imports(PACKAGE / "app.py") | imports(ROOT / "main.py"))


def test_the_client_knows_the_service_by_its_answers_alone():
    rooms = {path.name.removesuffix(".py") for path in PACKAGE.iterdir()} - {"client", "__init__", "__pycache__"}
    others = [f"model_serving.{room}" for room in rooms]
    assert importing(PACKAGE / "client", "flask", "torch", *others) == []


def test_flask_restful_is_met_in_one_place_only():
    places = {line.partition(":")[0] for line in importing(PACKAGE, "flask_restful")}
    assert places == {"model_serving/serving/restful.py"}


def test_nothing_is_unpickled():
    for path in [*PACKAGE.rglob("*.py"), ROOT / "main.py"]:
        assert not imports(path) & {"pickle", "dill", "joblib"}, path
        for line in path.read_text(encoding="utf-8").splitlines():
            assert "torch.load(" not in line or "weights_only=True" in line, path


def plain(name):
    return name.replace("_", "").lower()


@pytest.mark.parametrize("resource", RESOURCES)
def test_a_model_has_one_name_everywhere(resource):
    slug = resource.slug()
    assert plain(slug) == plain(resource.__name__)
    assert resource.href() == f"/v1/{resource.__name__}"
    assert (PACKAGE / "resources" / f"{slug}.py").is_file()
    assert len(list((PACKAGE / "models").rglob(f"{slug}.py"))) == 1
    assert (ROOT / "conf" / f"{slug}.conf").is_file()
    assert list((ROOT / "data" / slug).glob("*/model.json"))


def test_every_conf_belongs_to_a_served_model_and_every_data_folder_to_one_that_can_be_trained():
    slugs = {resource.slug() for resource in RESOURCES}
    trainable = {plain(name): model for name, model in TRAINABLE.items()}
    assert {path.stem for path in (ROOT / "conf").glob("*.conf")} == slugs | {"server", "logging"}
    assert {path.name for path in (ROOT / "data").iterdir()} <= {model.slug for model in trainable.values()}
    assert all(plain(model.slug) == name for name, model in trainable.items())
    assert slugs <= {model.slug for model in trainable.values()}


def test_trained_files_fit_the_repository():
    files = [path for path in (ROOT / "data").rglob("*") if path.is_file()]
    assert max(path.stat().st_size for path in files) < 30 << 20
    assert sum(path.stat().st_size for path in files) < 150 << 20


def test_every_failure_raised_is_one_of_the_contract():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "ServiceError":
                status, code, *_ = [getattr(argument, "value", None) for argument in node.args]
                if isinstance(status, int) and status != CLIENT_CLOSED_REQUEST:
                    assert code in FAILURES[status], path


def test_vendored_files_are_those_of_the_table_and_have_their_licences():
    vendor = PACKAGE / "static" / "vendor"
    files = {f"./{path.relative_to(vendor)}" for path in vendor.rglob("*") if path.is_file()} - {"./SHA256SUMS"}
    sums = dict(line.split("  ")[::-1] for line in (vendor / "SHA256SUMS").read_text().splitlines())
    assert {name: hashlib.sha256((vendor / name).read_bytes()).hexdigest() for name in files} == sums
    table = (ROOT / "bin" / "vendor-assets.sh").read_text()
    assets = re.findall(r"^(?:@[\w-]+/)?([\w.-]+) [\d.]+ [\w.-]+ [0-9a-f]{64} (?:\S+/)?(\S+)$", table, re.MULTILINE)
    assert {f"./{package}/{file}" for package, file in assets} <= files
    assert {path.split("/")[1] for path in files} == {package for package, _ in assets}
    assert all(any((vendor / package).glob("LICEN*")) for package, _ in assets)
