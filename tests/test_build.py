"""The build itself: pins, the two commands, what a person reads when
something is missing."""

import ast
import hashlib
import http.client
import marshal
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest

from make import command_line, setup
from make.command_line import parse
from make.server import make_server

ROOT = Path(__file__).resolve().parents[1]


def build(*arguments, **environment):
    env = dict(os.environ, **environment)
    return subprocess.run(
        [sys.executable, str(ROOT / "build.py"), *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=env,
    )


@pytest.mark.parametrize("group", ["build", "test"])
def test_every_python_package_is_pinned_exactly(group):
    lists = tomllib.loads((ROOT / "pyproject.toml").read_text())["dependency-groups"]
    for entry in lists[group]:
        assert re.fullmatch(r"[\w.\-]+==[\w.]+", entry), entry


def test_missing_node_is_one_clear_line(tmp_path):
    result = build("build", PATH=str(tmp_path))
    assert result.returncode == 1
    assert result.stderr.strip() == (
        "build.py: Node.js was not found: install Node.js 20 or newer with npm."
    )


def test_node_is_looked_for_before_anything_is_installed(monkeypatch, capsys):
    """Nobody waits for Python packages to hear that Node is missing."""
    monkeypatch.setattr(setup.shutil, "which", lambda name: None)
    monkeypatch.setattr(setup, "ensure_venv", lambda groups: pytest.fail("installs already"))
    assert command_line.main(["build"]) == 1
    assert "Node.js was not found" in capsys.readouterr().err


def test_an_interrupt_is_told_once(tmp_path):
    """Ctrl-C reaches every process in the foreground: the one that was called says so."""
    called = tmp_path / "called.py"
    called.write_text(
        "import sys, time\n"
        "try:\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "except KeyboardInterrupt:\n    time.sleep(.5)\n    sys.stderr.write('stopped'); sys.exit(130)\n"
    )
    script = f"from make.command_line import hand_over; import os, sys; sys.exit(hand_over([sys.executable, {str(called)!r}], dict(os.environ)))"
    process = subprocess.Popen(
        [sys.executable, "-c", script], env=dict(os.environ, PYTHONPATH=str(ROOT / "site")),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate()[1]
    assert (process.returncode, said) == (130, "stopped")


def test_the_port_of_serve_is_explained():
    said = " ".join(build("serve", "--help").stdout.split())
    assert "--port N the port to serve it at (default: 8642)" in said


def test_wrong_browser_variable_is_one_clear_line():
    result = build("test", CHROMIUM="no-such-browser")
    assert result.returncode == 1
    assert "CHROMIUM is set to no-such-browser" in result.stderr


@pytest.mark.long
@pytest.mark.timeout(1500)
def test_build_elsewhere_is_the_same_byte_for_byte(tmp_path):
    """Another folder, another time zone, another hash seed, nothing kept from
    before: the same files, the engine's memory snapshot among them."""
    if os.environ.get("SIX_CACHES_BUILT") != "1":
        make_site(ROOT)
    there = tmp_path / "a folder" / "there"
    there.mkdir(parents=True)
    for name in ("build.py", "pyproject.toml", "package.json", "LICENSE", "README.md"):
        shutil.copyfile(ROOT / name, there / name)
    for name in ("simulator", "content", "site", "tests/golden"):
        shutil.copytree(ROOT / name, there / name, ignore=shutil.ignore_patterns("__pycache__"))
    (there / "node_modules").symlink_to(ROOT / "node_modules", target_is_directory=True)
    make_site(there, TZ="Pacific/Kiritimati", PYTHONHASHSEED="2")
    assert tree(ROOT / "dist") == tree(there / "dist")


def make_site(checkout, **environment):
    paths = os.pathsep.join([str(checkout), str(checkout / "site")])
    made = subprocess.run(
        [sys.executable, "-m", "make.tasks", "build"],
        cwd=checkout,
        env=dict(os.environ, PYTHONPATH=paths, **environment),
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stdout[-2000:] + made.stderr[-2000:]


def tree(folder):
    """Every file below a folder, with a hash of what it holds."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_taken_port_is_one_clear_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = build("serve", "--port", str(port))
    assert result.returncode == 1
    assert result.stderr.strip() == (
        f"build.py: Port {port} is taken: stop what uses it, or choose another with --port."
    )


@pytest.mark.parametrize("command", ["test", "mutate"])
def test_other_arguments_are_handed_on_options_first(command):
    assert parse([command, "--workers", "1", "word"]).handed_on == ["--workers", "1", "word"]


def test_an_unknown_argument_of_our_own_is_named():
    done = build("serve", "--prt", "1")
    assert done.returncode == 2
    assert "unrecognized arguments: --prt 1" in done.stderr


def test_an_older_python_is_told_what_to_do(tmp_path):
    """build.py parses under old Pythons; here one is imitated."""
    script = tmp_path / "old.py"
    script.write_text(
        "import sys, runpy\n"
        "sys.version_info = (3, 9, 1)\n"
        f"sys.argv = [{str(ROOT / 'build.py')!r}, 'serve']\n"
        f"runpy.run_path({str(ROOT / 'build.py')!r}, run_name='__main__')\n"
    )
    result = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        env=dict(os.environ, PATH=str(tmp_path)),
    )
    assert result.returncode == 1
    assert result.stderr.strip() == (
        "build.py: this is Python 3.9, the project needs Python 3.13: "
        "install it and run `python3.13 build.py`."
    )
    ast.parse((ROOT / "build.py").read_text(), feature_version=(3, 6))


def test_budgets_are_the_ones_of_the_design():
    from make.sizes import BUDGETS

    of_the_design = {"page": 150_000, "embed": 60_000, "engine": 7_000_000}
    # The playground's editor comes with the first touch, so it has a budget of its own.
    assert BUDGETS == {**of_the_design, "editor": 175_000}


def test_wasm_without_data_keeps_everything_else():
    from make.wasm import without_data

    header = b"\0asm\1\0\0\0"
    types, data, count = b"\x01\x02ab", b"\x0b\x81\x00x", b"\x0c\x01\x01"
    assert without_data(header + types + count + data) == header + types
    with pytest.raises(ValueError):
        without_data(b"no module at all")


def test_slim_bytecode_does_the_same_and_knows_no_lines():
    from make.slim import HEADER, slim_pyc

    code = compile(
        "def f(x):\n    return [g(y) for y in x]\n\ndef g(y):\n    return y + 1\n", "a", "exec"
    )
    slim = marshal.loads(slim_pyc(bytes(HEADER) + marshal.dumps(code), "/lib/a.py")[HEADER:])
    names = {}
    exec(slim, names)
    assert names["f"]([1, 2]) == [2, 3]
    assert names["f"].__code__.co_filename == "/lib/a.py"
    assert {position[0] for position in names["f"].__code__.co_positions()} == {None}


def test_annotations_of_functions_go_and_lines_stay():
    from make.slim import without_annotations

    source = (
        b"y: int = 2\nclass A:\n    x: int = 1\n\ndef f(a: int, *b: str, c: dict[str,\n      int] = {}"
        b") -> list:\n    d: int = a\n    return [lambda e: d, '\xc3\xa9: int -> x']\n"
    )
    chosen = b"@f.register\ndef _(x: int) -> str: pass\n"
    assert without_annotations(chosen) == chosen
    assert without_annotations(source).decode() == (
        "y = 2\nclass A:\n    x: int = 1\n\ndef f(a, *b, c\n = {}) :\n    d: int = a\n"
        "    return [lambda e: d, 'é: int -> x']\n"
    )


def test_headers_file_is_read_like_a_host_reads_it(tmp_path):
    from make.server import read_headers

    path = tmp_path / "_headers"
    path.write_text("# why\n/*\n  A: 1\n  B: x: y\n/assets/*\n  A: 2\n")
    (everything, first), (assets, second) = read_headers(path)
    assert everything.match("/any/thing") and assets.match("/assets/x") and not assets.match("/x")
    assert first == [("A", "1"), ("B", "x: y")] and second == [("A", "2")]


@pytest.mark.parametrize(("path", "status", "location"), [
    ("/", 200, None), ("/lab", 301, "/lab/"), ("//lab", 301, "/lab/"), ("/none", 404, None),
    ("/" + "a" * 5000, 404, None), ("/%00", 404, None), ("/../secret", 404, None),
    ("/%2e%2e/secret", 404, None), ("/_headers", 404, None), ("/lab/?v=1&do=%E0%A4", 200, None),
])
def test_the_server_answers_whatever_is_asked(tmp_path, path, status, location):
    dist = tmp_path / "dist"
    (dist / "lab").mkdir(parents=True)
    (tmp_path / "secret").write_text("not for others")
    for name in ("index.html", "404.html", "lab/index.html", "_headers"):
        (dist / name).write_text(name)
    server = make_server(0, dist)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    connection = http.client.HTTPConnection(*server.server_address)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert (answer.status, answer.headers["Location"]) == (status, location)
        assert b"not for others" not in answer.read()
    finally:
        connection.close()
        server.shutdown()
        server.server_close()
