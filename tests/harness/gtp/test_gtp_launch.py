import stat
import sys
from pathlib import Path

import pytest

from harness.gtp import Engine, EngineStartError, Launch, Limits, ShortageError, environment
from harness.gtp.errors import MAX_QUOTED
from harness.gtp.launch import resolve, split_command, torn_path


def program(path: Path, text: str = "#!/bin/sh\n", mode: int = 0o755) -> Path:
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    program(tmp_path / "mybot")
    program(tmp_path / "no-permission", mode=0o644)
    program(tmp_path / "script.py", "print()\n", mode=0o644)
    program(tmp_path / "bot.c", "int main;\n", mode=0o644)
    program(tmp_path / "no-shebang", "print('= x')\n")
    program(tmp_path / "no-interpreter", "#!/nowhere/python9 -u\n")
    program(tmp_path / "blank-interpreter", "#! \n")
    program(tmp_path / "dos", "#!/bin/sh\r\nexit 0\r\n")
    program(tmp_path / "elf", "\x7fELF nonsense")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "empty").chmod(0o755)
    (tmp_path / "sub").mkdir()
    program(tmp_path / "sub" / "my bot.py")
    (tmp_path / "my bots").mkdir()
    (tmp_path / "my bots" / "bot.py").write_text("#!/bin/sh\n")
    return tmp_path


@pytest.mark.parametrize(
    ("command", "reason", "hint"),
    [
        ("", "empty", "give a program"),
        ("   ", "empty", "give a program"),
        ("''", "empty", "give a program"),
        ("./mybot 'x", "bad quoting: no closing quotation", "close every quote"),
        ("./mybot \\", "bad quoting: no escaped character", "close every quote"),
        ("./mybot \0", "NUL", ""),
        ("./sub", "is a directory", "program in it"),
        ("./no-permission", "no permission", "chmod +x ./no-permission"),
        ("./script.py", "no permission", 'name its interpreter: "python3 ./script.py"'),
        ("bot.c", "no such program", "it is a source: compile it"),
        ("./bot.c", "no permission", "it is a source: compile it"),
        ("script.py", "no such program", 'name its interpreter: "python3 script.py"'),
        ("./no-shebang", "not a binary, and it has no #! line", "#!"),
        ("./empty", "not a binary, and it has no #! line", "#!"),
        ("./blank-interpreter", "its #! line names no program", "#!"),
        ("./no-interpreter", "its interpreter '/nowhere/python9' does not exist", "#!"),
        ("./dos", "carriage return", "sed -i"),
        ("./elf", "built for another machine", ""),
        ("./mybto", "no such program: './mybto'", "did you mean ./mybot?"),
        ("sub/../mybto", "no such program", "did you mean sub/../mybot?"),
        ("mybot", "no such program: 'mybot'", "did you mean ./mybot?"),
        ("mybto", "no such program", "did you mean ./mybot?"),
        ("qqqqqqqqqqqqqqqq", "no such program", ""),
        ("no/such/folder/bot", "no such program", ""),
        ("my bots/bot.py", "no such program: 'my'", "quotes of its own: \"'my bots/bot.py'\""),
        ("sub/my bot.py", "no such program: 'sub/my'", "quotes of its own: \"'sub/my bot.py'\""),
        ("KOMI=1 ./mybot", "no such program", "no shell reads the command: write env KOMI=1 ./mybot"),
        ("KOMI=1 ./mybot", "no such program", "--env KOMI=1"),
        ("“./mybot”", "no such program", "a typographic quote"),
        ("cd sub && ./mybot", "no such program", "sh -c 'cd sub && ./mybot'"),
    ],
)
def test_start_errors_say_what_to_do(folder: Path, command: str, reason: str, hint: str) -> None:
    with pytest.raises(EngineStartError) as caught:
        Engine(Launch(command, cwd=folder)).start()
    error = caught.value
    assert error.command == command
    assert reason in error.reason
    assert hint in error.hint
    assert bool(hint) == bool(error.hint)
    assert "\n" not in str(error)
    assert error.reason in str(error)


@pytest.mark.parametrize(
    ("command", "whole"),
    [
        ("python3 my bots/bot.py -v", "python3 'my bots/bot.py' -v"),
        ("python3 'my bots/bot.py'", ""),
        ("./mybot", ""),
        ("./mybot no such/file", ""),
    ],
)
def test_a_path_that_its_blanks_cut_is_hinted_at(folder: Path, command: str, whole: str) -> None:
    hint = torn_path(Launch(command, cwd=folder))
    assert (f'"{whole}"' in hint) if whole else not hint


def test_a_working_directory_that_is_not_there(folder: Path) -> None:
    with pytest.raises(EngineStartError, match="working directory"):
        Engine(Launch("./mybot", cwd=folder / "nowhere")).start()


def test_a_working_directory_that_is_a_file(folder: Path) -> None:
    with pytest.raises(EngineStartError, match="is not a directory"):
        Engine(Launch("./mybot", cwd=folder / "mybot")).start()


def test_a_name_close_to_one_on_the_path() -> None:
    with pytest.raises(EngineStartError) as caught:
        Engine("pythn3").start()
    assert "python3" in caught.value.hint


def test_a_relative_program_is_looked_up_in_the_working_directory(folder: Path) -> None:
    words, found, _ = resolve(Launch("./mybot --playouts 10", cwd=folder))
    assert words == ["./mybot", "--playouts", "10"]
    assert found == str(folder / "mybot")


def test_the_current_directory_is_the_default(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert resolve(Launch("./mybot"))[1] == str(folder / "mybot")
    with Engine(Launch("cat mybot"), Limits()) as engine:
        assert engine.receive(60).raw == b"#!/bin/sh\n"


def test_home_is_expanded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(folder))
    assert resolve(Launch("~/mybot"))[1] == str(folder / "mybot")
    assert split_command("java -jar ~/bot.jar") == ["java", "-jar", str(folder / "bot.jar")]


def test_words_are_split_as_a_shell_does() -> None:
    assert split_command("bot 'a b' \"c d\" e\\ f $HOME") == ["bot", "a b", "c d", "e f", "$HOME"]


def test_programs_beside_the_interpreter_and_games_are_found_last(
    monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setenv("PATH", str(folder))
    own = Path(sys.executable)
    assert environment(Launch("x"))["PATH"] == f"{folder}:{own.parent}:/usr/games:/usr/local/games"
    assert resolve(Launch(own.name))[1] == str(own)
    assert own.stat().st_mode & stat.S_IXUSR


def test_the_config_has_the_last_word_on_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANG", raising=False)
    assert environment(Launch("x"))["LANG"] == "C.UTF-8"
    assert environment(Launch("x", env={"LANG": "de_DE"}))["LANG"] == "de_DE"


@pytest.mark.parametrize("env", [{"A=B": "1"}, {"A": "\0"}])
def test_variables_that_cannot_be(env: dict[str, str]) -> None:
    with pytest.raises(EngineStartError):
        Engine(Launch("cat", env=env)).start()


def test_a_message_cuts_a_long_command() -> None:
    command = "bot " + "x" * 10_000
    for error in (EngineStartError(command, "why"), ShortageError(command, "memory", "what to do")):
        assert command[:MAX_QUOTED] + "…" in str(error)
        assert len(str(error)) < MAX_QUOTED + 100
