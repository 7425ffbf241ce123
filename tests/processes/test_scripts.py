"""The scripts in bin/, each run for a server of its own."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = sorted(path.name for path in (Path(__file__).parents[2] / "bin").glob("*.sh"))


class Scripts:
    """Runs scripts from a folder that is not the repository's."""

    def __init__(self, root, folder, port):
        self.bin = root / "bin"
        self.folder = folder
        self.run_dir = folder / "run"
        self.pid_file = self.run_dir / "server.pid"
        self.port = port
        ours = {"VENV": sys.prefix, "RUN_DIR": self.run_dir, "HOST": "127.0.0.1", "PORT": port, "WORKERS": 1}
        self.environment = os.environ | {name: str(value) for name, value in ours.items()}

    def begin(self, name, *arguments, **environment):
        return subprocess.Popen(
            [self.bin / name, *arguments],
            cwd=self.folder,
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, name, *arguments, **environment):
        """The exit status, and what was printed to both outputs."""
        with self.begin(name, *arguments, **environment) as process:
            output, errors = process.communicate(timeout=150)
        return process.returncode, output + errors

    def pid(self):
        return int(self.pid_file.read_text())

    def leave_pid(self, content):
        self.run_dir.mkdir()
        self.pid_file.write_text(content)


@pytest.fixture(scope="module")
def make_scripts(root, find_port, tmp_path_factory):
    made = []

    def make():
        made.append(Scripts(root, tmp_path_factory.mktemp("scripts"), find_port()))
        return made[-1]

    yield make
    for scripts in made:
        if scripts.pid_file.exists():
            scripts.run("stop.sh")


@pytest.fixture
def scripts(make_scripts):
    """Scripts, and no server running."""
    return make_scripts()


@pytest.fixture(scope="module")
def started(make_scripts):
    """Scripts whose server runs, and what starting it printed."""
    scripts = make_scripts()
    scripts.start_status, scripts.start_output = scripts.run("start.sh")
    return scripts


@pytest.fixture
def stranger(root):
    """A process in our folder that is not our server."""
    with subprocess.Popen(["sleep", "60"], cwd=root) as process:
        yield process
        process.kill()


@pytest.fixture
def neighbour(tmp_path):
    """A process with the command line of our server, in another folder."""
    look = [sys.executable, "-c", "input()", "gunicorn", "-c", "conf/gunicorn.conf.py"]
    with subprocess.Popen(look, cwd=tmp_path, stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_start_says_that_it_is_ready_and_where(started):
    assert started.start_status == 0, started.start_output
    assert f"The service is ready (pid {started.pid()}" in started.start_output
    assert f"http://127.0.0.1:{started.port}" in started.start_output


def test_the_line_that_start_prints_can_be_pasted(started):
    (line,) = re.findall(r"^ *(curl .*)$", started.start_output, re.MULTILINE)
    assert re.search("[\u4e00-\u9fff]", line)
    pasted = subprocess.run(["bash", "-c", f"{line} --silent --noproxy '*'"], capture_output=True, text=True)
    assert pasted.stdout.startswith('{"result":{"entities":')


def test_a_second_start_names_the_first_and_leaves_it_alone(started, find_port):
    pid = started.pid()
    status, output = started.run("start.sh", PORT=str(find_port()))
    assert (status, output) == (0, f"Already running (pid {pid}): http://127.0.0.1:{started.port}\n")
    assert started.pid() == pid


def test_status_knows_the_server_that_was_started(started, find_port):
    status, output = started.run("status.sh", PORT=str(find_port()))
    assert (status, output) == (0, f"Running (pid {started.pid()}) at http://127.0.0.1:{started.port}: ready\n")


@pytest.mark.parametrize("model", ["BiLSTMCRF", "HMM"])
def test_the_demo_shows_the_three_answers(started, model):
    status, output = started.run("request-demo.sh", model)
    assert status == 0, output
    assert re.findall(r"^(\d{3}) {$", output, re.MULTILINE) == ["400", "400", "200"]
    assert '"message": "No JSON object"' in output
    assert '"message": "\'text\' is a required property"' in output
    assert '"result": {' in output


def test_the_demo_of_an_unknown_model_fails_with_one_line(started):
    status, output = started.run("request-demo.sh", "Nothing")
    assert status == 1
    assert output.splitlines() == [
        f"http://127.0.0.1:{started.port}/v1/Nothing has no card: No such path; GET /v1 lists the models"
    ]


def test_the_demo_without_a_service_says_so(scripts):
    status, output = scripts.run("request-demo.sh", "BiLSTMCRF")
    assert status == 1
    assert output.startswith("No service runs")
    status, output = scripts.run("request-demo.sh", "BiLSTMCRF", f"http://127.0.0.1:{scripts.port}")
    assert status == 1
    assert "No service answers at http://127.0.0.1" in output


def test_the_client_prints_the_result(started):
    status, output = started.run("client.sh", "BiLSTMCRF", "task=ner", "text=江泽民在北京。")
    assert status == 0, output
    assert [entity["text"] for entity in json.loads(output)["entities"]] == ["江泽民", "北京"]
    status, output = started.run(
        "client.sh", "BiLSTMCRF", "text=好", "text=", "--url", f"http://127.0.0.1:{started.port}"
    )
    assert (status, len(json.loads(output))) == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["BiLSTMCRF", "task=none"], 1, "'text' is a required property at $ (schema, request "),
        (["Nothing", "text=a"], 1, "No such path; GET /v1 lists the models (not_found, request "),
        (["BiLSTMCRF", "text"], 1, "text is no <field=value>"),
        (["BiLSTMCRF", "--lines", "nothing"], 1, "nothing can not be read: No such file or directory"),
        (["BiLSTMCRF", "text=a", "--url", "http://127.0.0.1:1"], 1, "No answer from http://127.0.0.1:1/v1/BiLSTMCRF"),
        ([], 0, "Usage:"),
    ],
)
def test_the_client_fails_with_the_reason(started, arguments, code, told):
    status, output = started.run("client.sh", *arguments)
    assert (status, told in output) == (code, True), output
    assert "Traceback" not in output


def test_the_client_runs_a_file_and_tells_which_lines_failed(started, tmp_path):
    lines = tmp_path / "lines.txt"
    texts = [f"第{number}天我在北京。" for number in range(200)]
    texts[70] = "好" * 20_001
    lines.write_text("\n".join(texts), encoding="utf-8")
    status, output = started.run("client.sh", "HMM", "task=seg", "--lines", str(lines))
    assert status == 1
    assert output.splitlines()[-2:] == [
        "line 71: must have at most 20000 characters, not 20001 (schema)",
        f"{lines}.HMM.jsonl: all lines, 1 of them failed",
    ]
    answers = [json.loads(line) for line in Path(f"{lines}.HMM.jsonl").read_text(encoding="utf-8").splitlines()]
    written = [
        "".join(token["text"] for token in answer["result"]["tokens"]) for answer in answers if "result" in answer
    ]
    assert written == texts[:70] + texts[71:]


def test_a_client_that_is_killed_goes_on_where_it_stopped(started, tmp_path, wait_until):
    lines, output = tmp_path / "lines.txt", tmp_path / "lines.txt.BiLSTMCRF.jsonl"
    lines.write_text("\n".join("今天我在北京。" * 9 + str(number) for number in range(300)), encoding="utf-8")
    with started.begin("client.sh", "BiLSTMCRF", "--lines", str(lines), "--under-way", "1") as client:
        wait_until(lambda: output.exists() and output.stat().st_size)
        client.kill()
    begun = output.read_bytes()
    assert 0 < begun.count(b"\n") < 300
    status, told = started.run("client.sh", "BiLSTMCRF", "--lines", str(lines))
    assert status == 0, told
    assert output.read_bytes().startswith(begun[: begun.rindex(b"\n")])
    assert output.read_bytes().count(b"\n") == 300


def test_two_starts_at_once_make_one_server_which_stop_ends(scripts, stranger):
    """They find the number of a living stranger in the pid file."""
    scripts.leave_pid(str(stranger.pid))
    with scripts.begin("start.sh") as one, scripts.begin("start.sh") as other:
        outputs = sorted(start.communicate(timeout=150)[0] for start in (one, other))
    assert (one.returncode, other.returncode) == (0, 0)
    pid = scripts.pid()
    assert pid != stranger.pid
    assert outputs[0] == f"Already running (pid {pid}): http://127.0.0.1:{scripts.port}\n"
    assert outputs[1].startswith(f"The service is ready (pid {pid}")

    status, output = scripts.run("stop.sh")
    assert status == 0
    assert output.endswith("Stopped. Start it again with bin/start.sh.\n")
    assert not Path(f"/proc/{pid}/exe").exists()
    assert not scripts.pid_file.exists()
    socket.create_server(("127.0.0.1", scripts.port)).close()
    assert scripts.run("stop.sh") == (0, "Not running. Start it with bin/start.sh.\n")
    assert stranger.poll() is None


def test_stop_ends_a_server_that_is_still_starting(scripts, wait_until):
    with scripts.begin("start.sh") as start:
        wait_until(scripts.pid_file.exists)
        pid = scripts.pid()
        status, output = scripts.run("stop.sh")
        assert (status, output.splitlines()[-1]) == (0, "Stopped. Start it again with bin/start.sh.")
        _, errors = start.communicate(timeout=60)
    assert start.returncode == 1
    assert "ended before it was ready" in errors
    assert not Path(f"/proc/{pid}/exe").exists()


def test_a_start_that_is_interrupted_leaves_nothing(scripts, wait_until):
    with scripts.begin("start.sh") as start:
        wait_until(scripts.pid_file.exists)
        pid = scripts.pid()
        start.terminate()
    assert start.returncode != 0
    assert not scripts.pid_file.exists()
    assert not Path(f"/proc/{pid}/exe").exists()


@pytest.mark.parametrize("content", ["", "1", "text", "-1", "0", "12 34", "99999999", "99999999999999999999", "\0\0"])
def test_a_pid_file_of_no_use_means_not_running(scripts, content):
    scripts.leave_pid(content)
    assert scripts.run("status.sh") == (3, "Not running. Start it with bin/start.sh.\n")
    assert scripts.run("stop.sh") == (0, "Not running. Start it with bin/start.sh.\n")


@pytest.mark.parametrize("process", ["stranger", "neighbour"])
def test_a_pid_file_that_names_another_process_does_it_no_harm(scripts, request, process):
    other = request.getfixturevalue(process)
    scripts.leave_pid(str(other.pid))
    assert scripts.run("status.sh")[0] == 3
    assert scripts.run("stop.sh")[0] == 0
    assert other.poll() is None


def test_a_port_that_something_else_holds_is_named(scripts):
    with socket.create_server(("127.0.0.1", scripts.port)):
        status, output = scripts.run("start.sh")
    assert status == 1
    assert f"127.0.0.1 port {scripts.port}: Address already in use" in output
    assert not scripts.pid_file.exists()


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"PORT": "eighty"}, "environment variable PORT port = 'eighty'"),
        ({"GUNICORN_CMD_ARGS": "--nonsense"}, "unrecognized arguments: --nonsense"),
    ],
)
def test_a_start_that_fails_says_why_and_leaves_nothing(scripts, environment, expected):
    status, output = scripts.run("start.sh", **environment)
    assert status == 1
    assert expected in output
    assert scripts.run("status.sh")[0] == 3


def test_a_folder_that_can_not_be_written_is_named(scripts):
    scripts.run_dir.write_text("a file, no folder")
    status, output = scripts.run("start.sh")
    assert status == 1
    assert output == f"The folder {scripts.run_dir} can not be written; set RUN_DIR to one that can.\n"


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_has_help(scripts, name):
    status, output = scripts.run(name, "--help")
    assert status == 0
    assert f"\nUsage: bin/{name}" in output
    assert "set -" not in output


@pytest.mark.parametrize("name", ["start.sh", "stop.sh", "status.sh", "fetch-data.sh"])
def test_an_argument_too_many_is_answered_with_the_usage(scripts, name):
    status, output = scripts.run(name, "--port", "1")
    assert status == 2
    assert f"Usage: bin/{name}" in output


class Environment:
    """A folder that passes for a virtual environment, whose Python notes how pip is called."""

    def __init__(self, folder, root):
        self.folder = folder
        self.calls = folder / "calls"
        self.root = root
        python = folder / "bin" / "python"
        python.parent.mkdir()
        python.write_text(
            f'#!/bin/sh\necho "$*" >>{self.calls}\nif [ "$3" = index ]; then echo "Available versions: $TORCH"; fi\n'
        )
        python.chmod(0o755)

    def setup(self, requirements, torch=""):
        """How often pip installed, and what was said."""
        self.calls.write_text("")
        lines = f"set -euo pipefail; source bin/lib/setup.sh; setup {requirements}"
        result = subprocess.run(
            ["bash", "-c", lines],
            cwd=self.root,
            env=os.environ | {"VENV": str(self.folder), "TORCH": torch},
            capture_output=True,
            text=True,
            check=True,
        )
        return self.calls.read_text().count("pip install"), result.stderr


@pytest.fixture
def environment(tmp_path, root):
    """A copy of the scripts with requirements of their own, and an environment for them."""
    copy = tmp_path / "copy"
    shutil.copytree(root / "bin", copy / "bin")
    (copy / "requirements.txt").write_text("torch==2.0.0\n")
    (copy / "requirements-dev.txt").write_text("-r requirements.txt\n")
    (tmp_path / "venv").mkdir()
    return Environment(tmp_path / "venv", copy)


def test_requirements_are_installed_when_they_changed_and_not_again(environment):
    assert environment.setup("requirements.txt")[0] == 1
    assert environment.setup("requirements.txt") == (0, "")
    assert environment.setup("requirements-dev.txt")[0] == 1
    assert environment.setup("requirements-dev.txt")[0] == environment.setup("requirements.txt")[0] == 0
    with (environment.root / "requirements.txt").open("a") as file:
        file.write("flask\n")
    assert environment.setup("requirements.txt")[0] == 1
    assert environment.setup("requirements-dev.txt")[0] == 1
    assert environment.setup("requirements.txt")[0] == 0


def test_before_torch_is_fetched_with_cuda_the_way_to_a_cpu_build_is_told(environment):
    assert "CUDA" not in environment.setup("requirements.txt", torch="2.1.0, 2.0.0+cpu, 2.0.0")[1]
    (environment.folder / "requirements.sha256").unlink()
    told = environment.setup("requirements.txt", torch="2.1.0+cpu, 2.0.0")[1]
    assert "PIP_EXTRA_INDEX_URL" in told
    assert "PIP_FIND_LINKS" in told
    assert told.index("CUDA") < told.index("Installing")
    (environment.folder / "requirements.sha256").unlink()
    (environment.folder / "lib/python3.11/site-packages/torch-2.0.0.dist-info").mkdir(parents=True)
    assert "CUDA" not in environment.setup("requirements.txt", torch="2.0.0")[1]
