"""The table of commands: its entries agree with each other, and with the engine that speaks them."""

from __future__ import annotations

from harness.check.clauses import CLAUSES
from harness.gtp import REQUIRED_COMMANDS
from harness.gtp.commands import COMMANDS, Kind, Origin
from refbot.deviations.habits import Habits
from refbot.gtp import commands as refbot
from tests.harness.gtp.command_words import fewest_words, most_words


def test_names_are_unique_words() -> None:
    assert all(
        name == command.name and name.isascii() and " " not in name for name, command in COMMANDS.items()
    )


def test_required_commands_are_the_eleven_of_the_draft() -> None:
    required = [name for name, command in COMMANDS.items() if command.required]
    assert required == list(REQUIRED_COMMANDS)
    assert len(required) == 11
    assert {COMMANDS[name].origin for name in required} == {Origin.DRAFT}
    assert set(required) < refbot.REQUIRED


def test_an_entry_is_sound() -> None:
    for name, command in COMMANDS.items():
        assert command.clause in CLAUSES, name
        *before, _ = (*command.arguments, None)
        assert not any(argument.repeated for argument in before[:-1]), (
            f"{name}: only the last may be repeated"
        )
        most = most_words(command)
        assert most is None or fewest_words(command) <= most, name
        assert command.usage.split()[0] == command.name == name


def test_numbers_of_words() -> None:
    def words(name: str) -> tuple[int, int | None]:
        return fewest_words(COMMANDS[name]), most_words(COMMANDS[name])

    assert words("quit") == (0, 0)
    assert words("play") == (2, 2)
    assert words("loadsgf") == (1, 2)
    assert words("set_free_handicap") == (1, None)
    assert words("set_position") == (0, None)
    assert Kind.MOVE.words == 2


def test_every_command_of_the_model_engine_is_listed() -> None:
    """The model engine speaks the draft and the extensions, and its own four private commands."""
    spoken = set(refbot.names(frozenset({Habits.EXTENSIONS})))
    private = {name for name in spoken if name.startswith("ref-")}
    assert spoken - private <= set(COMMANDS)
