"""The set-up: what is installed when, what a person is told, and which browser the tests take."""

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tasks
from tests.browser import chromium, nginx

ROOT = Path(tasks.__file__).parent
PROGRAM = ".exe" if os.name == "nt" else ""


def project(folder: Path) -> Path:
    """Make the files that decide what is installed."""
    (folder / "requirements").mkdir(parents=True)
    (folder / "pyproject.toml").write_text("[project]\n")
    (folder / "requirements" / "play.txt").write_text("panel==1.0\n")
    (folder / "requirements" / "test.txt").write_text("panel==1.0\npytest==1.0\n")
    return folder


def program(folder: Path, name: str) -> str:
    """Make a file that passes for a program."""
    path = folder / (name + PROGRAM)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def venv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a folder that passes for a working environment."""
    monkeypatch.setattr(tasks, "venv_version", lambda venv: (3, 11))
    (tmp_path / ".venv").mkdir()
    return tmp_path / ".venv"


@pytest.fixture
def installs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Note what would be installed, and install nothing."""
    calls: list[tuple[str, ...]] = []
    monkeypatch.setattr(tasks, "pip", lambda venv, *arguments: calls.append(arguments))
    return calls


@pytest.fixture
def every_browser_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each program that is found pass for a browser that starts."""
    monkeypatch.setattr(chromium, "runs", lambda path: True)
    monkeypatch.setattr(chromium, "playwrights_own", lambda: None)


def test_an_old_python_can_read_the_file() -> None:
    ast.parse(Path(tasks.__file__).read_text(encoding="utf-8"), feature_version=(3, 6))


@pytest.mark.parametrize("version", [(3, 6, 9), (3, 10, 13)])
def test_an_old_python_is_refused_with_the_version_needed_and_where_to_get_it(version: tuple[int, ...]) -> None:
    with pytest.raises(tasks.Problem, match=r"(?s)needs Python 3\.11 or newer, .* is Python 3\.\d+ .*python\.org"):
        tasks.check_python(version)


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 1), (4, 0, 0)])
def test_a_new_enough_python_is_taken(version: tuple[int, ...]) -> None:
    tasks.check_python(version)


def test_a_python_without_ensurepip_is_refused_with_the_package_to_install() -> None:
    with pytest.raises(tasks.Problem, match=r"(?s)module ensurepip.*apt-get install python3-venv"):
        tasks.check_venv_module(find=lambda name: None if name == "ensurepip" else name)


def test_a_problem_is_told_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 0))
    assert tasks.main(["play"]) == 1
    assert "needs Python 3.11" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "code"), [([], 2), (["dance"], 2), (["--help"], 0)])
def test_without_a_command_the_commands_are_told(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert tasks.main(arguments) == code
    assert "python3 tasks.py play" in capsys.readouterr().out


def test_the_programs_of_an_environment_are_found_on_each_system() -> None:
    assert tasks.venv_python(Path("e"), windows=False) == Path("e/bin/python")
    assert tasks.venv_python(Path("e"), windows=True) == Path("e/Scripts/python.exe")


@pytest.mark.parametrize("file", ["pyproject.toml", "requirements/test.txt"])
def test_a_changed_file_changes_the_fingerprint(tmp_path: Path, file: str) -> None:
    root = project(tmp_path)
    before = tasks.fingerprint("test", (3, 11), root)
    assert tasks.fingerprint("test", (3, 11), root) == before
    (root / file).write_text("changed\n")
    assert tasks.fingerprint("test", (3, 11), root) != before


def test_another_python_changes_the_fingerprint(tmp_path: Path) -> None:
    root = project(tmp_path)
    assert tasks.fingerprint("play", (3, 11), root) != tasks.fingerprint("play", (3, 12), root)


def test_what_is_only_for_tests_does_not_change_what_is_needed_to_play(tmp_path: Path) -> None:
    root = project(tmp_path)
    before = tasks.fingerprint("play", (3, 11), root)
    (root / "requirements" / "test.txt").write_text("changed\n")
    assert tasks.fingerprint("play", (3, 11), root) == before


def test_a_second_time_nothing_is_installed(venv: Path, installs: list[tuple[str, ...]]) -> None:
    tasks.ensure("play", venv)
    assert [arguments[0] for arguments in installs] == ["--require-hashes", "--no-deps"]
    installs.clear()
    tasks.ensure("play", venv)
    assert installs == []


@pytest.mark.parametrize("kind", ["test", "lab", "notebooks"])
def test_any_environment_will_do_to_play(kind: str, venv: Path, installs: list[tuple[str, ...]]) -> None:
    tasks.ensure(kind, venv)
    installs.clear()
    tasks.ensure("play", venv)
    assert installs == []


def test_an_environment_to_play_gets_what_the_tests_need(venv: Path, installs: list[tuple[str, ...]]) -> None:
    tasks.ensure("play", venv)
    installs.clear()
    tasks.ensure("test", venv)
    assert ("--require-hashes", "-r", str(tasks.lock_file("test"))) in installs


def test_an_interrupted_installation_is_begun_anew(venv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(venv: Path, *arguments: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(tasks, "pip", interrupted)
    with pytest.raises(KeyboardInterrupt):
        tasks.ensure("play", venv)
    assert tasks.why_rebuild(venv) == "the last installation did not finish"


def test_a_stamp_that_cannot_be_read_counts_as_unfinished(venv: Path) -> None:
    tasks.stamp_file(venv).write_text('{"pla')
    assert tasks.why_rebuild(venv) == "the last installation did not finish"


def test_an_environment_that_was_moved_is_made_anew(venv: Path) -> None:
    tasks.stamp_file(venv).write_text(json.dumps({"place": "/elsewhere/.venv", "play": "0"}))
    assert tasks.why_rebuild(venv) == "it was made in another place"


def test_an_environment_of_an_old_python_is_made_anew(venv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "venv_version", lambda venv: (3, 10))
    assert tasks.why_rebuild(venv) == "its Python is too old"


def test_an_environment_made_by_hand_is_kept(venv: Path) -> None:
    assert tasks.why_rebuild(venv) == ""


def test_an_environment_whose_python_is_gone_is_made_anew(tmp_path: Path) -> None:
    assert tasks.why_rebuild(tmp_path / ".venv") == "there is none yet"
    (tmp_path / ".venv").mkdir()
    assert tasks.why_rebuild(tmp_path / ".venv") == "its Python or its pip is gone"


def test_the_version_of_a_real_environment_is_told() -> None:
    assert tasks.venv_version(Path(sys.prefix)) == sys.version_info[:2]


@pytest.mark.parametrize(
    ("task", "kind", "command"), [("lab", "lab", "lab"), ("ask", "play", "ask"), ("notebooks", "notebooks", "book")]
)
def test_a_program_is_started_with_what_it_needs(
    task: str, kind: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ensured, run = [], []
    monkeypatch.setattr(tasks, "ensure", ensured.append)
    monkeypatch.setattr(tasks, "summon", lambda command, arguments: run.append((command, arguments)) or 0)
    assert tasks.main([task, "--no-browser"]) == 0
    assert (ensured, run) == ([kind], [(command, ["--no-browser"])])


def locked(kind: str) -> dict[str, str]:
    """Return the packages of a lock file with their versions and markers."""
    pins = re.findall(r"^([a-z0-9-]+)==(.+?) \\$", tasks.lock_file(kind).read_text(), re.MULTILINE)
    return dict(pins)


@pytest.mark.parametrize("kind", ["play", "lab", "notebooks", "test"])
def test_a_lock_file_holds_nothing_but_names_versions_hashes_and_markers(kind: str) -> None:
    allowed = re.compile(r"#.*|[a-z0-9-]+==[\w.]+( ; [\w '<>=!.()]+)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?")
    lines = tasks.lock_file(kind).read_text().splitlines()
    assert [line for line in lines if not allowed.fullmatch(line)] == []


def test_the_lock_files_hold_all_that_the_project_names() -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    to_play = named["project"]["dependencies"] + named["build-system"]["requires"]
    extras = named["project"]["optional-dependencies"]
    kinds = {kind: to_play + extras[kind] for kind in ("test", "lab", "notebooks")}
    for kind, requirements in ({"play": to_play} | kinds).items():
        assert {re.match(r"[\w-]+", requirement)[0] for requirement in requirements} <= set(locked(kind))


@pytest.mark.parametrize(("kind", "other"), [("play", "test"), ("play", "lab"), ("play", "notebooks")])
def test_all_run_with_the_versions_that_are_played(kind: str, other: str) -> None:
    versions, others = ({name: pin.split()[0] for name, pin in locked(each).items()} for each in (kind, other))
    assert versions.items() <= others.items()


def test_every_dependency_has_its_reason() -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = [*named["build-system"]["requires"], *named["project"]["dependencies"]]
    for extra in named["project"]["optional-dependencies"].values():
        requirements += extra
    reasons = re.findall(
        r"^\| ([\w-]+) \| \w", (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted({re.match(r"[\w-]+", each)[0] for each in requirements}) == sorted(set(reasons) - {"package"})


@pytest.mark.usefixtures("every_browser_runs")
def test_the_browser_that_a_person_names_comes_first(tmp_path: Path) -> None:
    program(tmp_path / "path", "chromium")
    mine = program(tmp_path, "mine")
    assert chromium.find({"SUMMON_CHROMIUM": mine, "PATH": str(tmp_path / "path")}) == mine


def test_a_wrong_name_of_a_browser_is_told_and_not_passed_over(tmp_path: Path) -> None:
    program(tmp_path, "chromium")
    with pytest.raises(chromium.NoChromiumError, match=r"SUMMON_CHROMIUM is set to ./no/such.,.*no program"):
        chromium.find({"SUMMON_CHROMIUM": "/no/such", "PATH": str(tmp_path)})


@pytest.mark.usefixtures("every_browser_runs")
def test_chromium_is_taken_before_chrome_and_edge(tmp_path: Path) -> None:
    for name in ("microsoft-edge", "google-chrome", "chromium-browser", "chromium"):
        newest = program(tmp_path, name)
        assert chromium.find({"PATH": str(tmp_path)}) == newest


@pytest.mark.usefixtures("every_browser_runs")
def test_a_browser_that_playwright_downloaded_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = program(tmp_path / "own", "chrome")
    monkeypatch.setattr(chromium, "playwrights_own", lambda: own)
    monkeypatch.setattr(sys, "platform", "linux")
    assert chromium.find({"PATH": str(tmp_path)}) == own
    installed = program(tmp_path, "google-chrome")
    assert chromium.find({"PATH": str(tmp_path)}) == installed


def test_a_browser_that_does_not_start_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "first", "chromium")
    real = program(tmp_path / "second", "google-chrome")
    monkeypatch.setattr(chromium, "runs", lambda path: path == real)
    paths = os.pathsep.join([str(tmp_path / "first"), str(tmp_path / "second")])
    assert chromium.find({"PATH": paths}) == real


@pytest.mark.skipif(os.name == "nt", reason="there, a browser is not asked for its version")
def test_a_browser_starts_if_it_tells_its_version() -> None:
    assert chromium.runs(sys.executable)
    assert not chromium.runs("/no/such")


@pytest.mark.parametrize(
    ("platform", "environ", "place"),
    [
        ("darwin", {"HOME": "/Users/me"}, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("win32", {"PROGRAMFILES": "C:/Programs"}, "C:/Programs/Microsoft/Edge/Application/msedge.exe"),
        ("win32", {"LOCALAPPDATA": "C:/Local"}, "C:/Local/Google/Chrome/Application/chrome.exe"),
    ],
)
def test_the_usual_places_of_each_system_are_looked_at(platform: str, environ: dict[str, str], place: str) -> None:
    assert place in list(chromium.usual_places({"PATH": "", **environ}, platform))


def test_root_on_debian_installs_from_debian_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "is_root", lambda: True)
    monkeypatch.setattr(chromium.shutil, "which", lambda name, path=None: f"/usr/bin/{name}")
    first, second = chromium.ways_to_install()
    assert first == [["apt-get", "update"], ["apt-get", "install", "-y", "chromium"]]
    assert second[0][1:5] == ["-m", "playwright", "install", "chromium"]


def test_without_root_playwright_installs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "is_root", lambda: False)
    assert chromium.ways_to_install() == [[[sys.executable, "-m", "playwright", "install", "chromium"]]]


def test_after_an_installation_the_browser_is_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found = iter([None, "/usr/bin/chromium"])
    commands: list[list[str]] = []
    monkeypatch.setattr(chromium, "find", lambda: next(found))
    monkeypatch.setattr(chromium, "ways_to_install", lambda: [[["first"], ["second"]], [["third"]]])
    monkeypatch.setattr(chromium, "succeeds", lambda command: commands.append(command) or True)
    assert chromium.find_or_install() == "/usr/bin/chromium"
    assert commands == [["first"], ["second"]]


def test_when_no_browser_can_be_had_it_is_told_what_was_tried_and_how_to_get_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chromium, "find", lambda: None)
    monkeypatch.setattr(chromium, "ways_to_install", lambda: [[["apt-get", "update"]], [["playwright"]]])
    monkeypatch.setattr(chromium, "succeeds", lambda command: command == ["playwright"])
    assert chromium.main() == 1
    told = capsys.readouterr().err
    assert "apt-get update (failed, see above)" in told
    assert "playwright (done, but still no browser that starts)" in told
    assert "set SUMMON_CHROMIUM to the path" in told


def test_a_playwright_that_does_not_start_is_told_with_the_library_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(chromium, "PLAYWRIGHT", [sys.executable, "-c", "exit('libatomic.so.1 is missing')"])
    monkeypatch.setattr(chromium, "find", lambda: "/usr/bin/chromium")
    monkeypatch.setattr(chromium, "is_root", lambda: False)
    assert chromium.main() == 1
    told = capsys.readouterr()
    assert "libatomic.so.1 is missing" in told.err
    assert "sudo apt-get install libatomic1" in told.err
    assert told.out == ""


def test_what_a_failed_command_printed_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert chromium.succeeds([sys.executable, "-c", "print('all is well')"])
    assert capsys.readouterr().err.splitlines()[1:] == []
    assert not chromium.succeeds([sys.executable, "-c", "print('disk'); exit('full')"])
    assert {"disk", "full"} <= set(capsys.readouterr().err.splitlines())
    assert not chromium.succeeds(["/no/such"])
    assert "/no/such" in capsys.readouterr().err


def test_the_command_fails_when_a_check_fails_though_the_tests_pass(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = []

    def call(command: list[object], env: dict[str, str]) -> int:
        ran.append(command[2])
        return int(command[2] == "mypy")

    monkeypatch.setattr(tasks, "ensure", lambda kind: None)
    monkeypatch.setattr(tasks, "find_browser", lambda env: True)
    monkeypatch.setattr(tasks, "find_nginx", lambda env: True)
    monkeypatch.setattr(tasks, "call", call)
    assert tasks.test(["-k", "poison"]) == 1
    assert ran == ["ruff", "ruff", "mypy", "pytest"]
    assert "Failed: mypy summon." in capsys.readouterr().out


def test_the_quick_checks_are_those_of_the_commit_hook(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = []
    monkeypatch.setattr(tasks, "ensure", lambda kind: None)
    monkeypatch.setattr(tasks, "call", lambda command, env: ran.append(command[2:]) or int(command[2] != "ruff"))
    assert tasks.main(["check"]) == 1
    assert ran == [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["tests.notebooks", "--check"]]
    assert "Failed: tests.notebooks --check." in capsys.readouterr().out
    assert "entry: python3 tasks.py check\n" in (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")


def test_chapters_are_run_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []
    monkeypatch.setattr(tasks, "ensure", lambda kind: None)
    monkeypatch.setattr(tasks, "call", lambda command, env: ran.append(command[1:]) or 0)
    assert tasks.main(["chapters", "notebooks/05-poison.ipynb"]) == 0
    assert ran == [["-m", "tests.notebooks", "notebooks/05-poison.ipynb"]]


def test_the_browser_that_was_found_is_named_to_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = subprocess.CompletedProcess([], 0, stdout=b"/opt/chromium\n")
    monkeypatch.setattr(tasks.subprocess, "run", lambda *arguments, **options: answer)
    env: dict[str, str] = {}
    assert tasks.find_browser(env)
    assert env == {"SUMMON_CHROMIUM": "/opt/chromium"}


def test_the_nginx_that_was_found_is_named_to_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = subprocess.CompletedProcess([], 0, stdout=b"/usr/sbin/nginx\n")
    monkeypatch.setattr(tasks.subprocess, "run", lambda *arguments, **options: answer)
    env: dict[str, str] = {}
    assert tasks.find_nginx(env)
    assert env == {"SUMMON_NGINX": "/usr/sbin/nginx"}


@pytest.mark.parametrize(("complete", "status"), [("1", 1), ("", 0)])
def test_without_an_nginx_its_tests_are_passed_over_unless_all_must_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], complete: str, status: int
) -> None:
    monkeypatch.setenv("SUMMON_COMPLETE", complete)
    monkeypatch.setattr(tasks, "ensure", lambda kind: None)
    monkeypatch.setattr(tasks, "find_browser", lambda env: True)
    monkeypatch.setattr(tasks, "find_nginx", lambda env: False)
    monkeypatch.setattr(tasks, "call", lambda command, env: 0)
    assert tasks.test([]) == status
    told = capsys.readouterr().out
    assert ("Failed: finding nginx." in told) == (status == 1)
    assert ("test_proxy.py) are passed over" in told) == (status == 0)


def test_in_ci_nothing_is_passed_over() -> None:
    assert "SUMMON_COMPLETE=1 python3 tasks.py test" in (ROOT / ".ci" / "run").read_text().splitlines()


def test_an_nginx_is_looked_for_where_path_lacks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nginx, "FOLDERS", (str(tmp_path / "sbin"),))
    assert nginx.find({"PATH": str(tmp_path / "bin")}) is None
    in_sbin = program(tmp_path / "sbin", "nginx")
    assert nginx.find({"PATH": str(tmp_path / "bin")}) == in_sbin
    on_path = program(tmp_path / "bin", "nginx")
    assert nginx.find({"PATH": str(tmp_path / "bin")}) == on_path
    assert nginx.find({"PATH": "", "SUMMON_NGINX": on_path}) == on_path


def test_a_wrong_name_of_an_nginx_is_told_and_not_passed_over() -> None:
    with pytest.raises(nginx.NoNginxError, match=r"SUMMON_NGINX is set to ./no/such.,.*no program"):
        nginx.find({"SUMMON_NGINX": "/no/such"})


def test_root_on_debian_installs_an_nginx(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found = iter([None, "/usr/sbin/nginx"])
    commands: list[list[str]] = []
    monkeypatch.setattr(nginx, "find", lambda: next(found))
    monkeypatch.setattr(chromium, "may_use_apt", lambda: True)
    monkeypatch.setattr(chromium, "succeeds", lambda command: commands.append(command) or True)
    assert nginx.main() == 0
    assert commands == [["apt-get", "update"], ["apt-get", "install", "-y", "nginx"]]
    assert capsys.readouterr().out == "/usr/sbin/nginx\n"


def test_without_root_it_is_told_how_to_get_an_nginx(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(nginx, "find", lambda: None)
    monkeypatch.setattr(chromium, "may_use_apt", lambda: False)
    assert nginx.main() == 1
    told = capsys.readouterr()
    assert "sudo apt-get install nginx" in told.err
    assert told.out == ""
