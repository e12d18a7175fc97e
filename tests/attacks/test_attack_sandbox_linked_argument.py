"""A bot replaces a file in its own folder by a link: the next start would show it what the link names.

Folders in /tmp are hidden, except those of the bot's program and arguments. Before: a link in the place of an
argument was followed, so the folder that it names was shown. After: a path that leads through the bot's own
folder shows nothing more.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.gtp.sandbox_init import HIDDEN
from tests.other_user import open_folder
from tests.sandboxed import every_user, needs_sandbox, succeeds

pytestmark = needs_sandbox

READ = 'open(target["secret"]).close()'


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with a secret, which the sandbox hides, and the own folder of a bot beside it."""
    with open_folder() as folder:
        if not any(folder.is_relative_to(path) for path in HIDDEN):
            pytest.skip(f"{folder} is not hidden")
        (folder / "secret").mkdir()
        (folder / "secret" / "file").write_text("secret")
        (folder / "own" / "inside").mkdir(parents=True)
        (folder / "own").chmod(0o777)
        yield folder


def is_shown(place: Path, user: str, argument: Path) -> bool:
    target = {"secret": str(place / "secret" / "file")}
    return succeeds(READ, target, user=user, folder=place / "own", words=[str(argument)])


@pytest.mark.parametrize(
    ("link", "leads", "argument"),
    [
        ("own/model", "secret/file", "own/model"),
        ("own/model", "secret", "own/model"),
        ("own/model", "secret", "own/model/file"),
        ("own/inside/model", "../../secret/file", "own/inside/model"),
        ("own/inside/up", "../../secret", "own/inside/up/../secret/file"),
    ],
)
@every_user
def test_a_link_of_the_bot_shows_it_nothing(
    place: Path, user: str, link: str, leads: str, argument: str
) -> None:
    (place / link).symlink_to(leads if leads.startswith(".") else place / leads)
    assert not is_shown(place, user, place / argument)


@every_user
def test_neither_does_a_link_of_the_user_that_leads_through_the_own_folder(place: Path, user: str) -> None:
    (place / "own" / "model").symlink_to(place / "secret" / "file")
    (place / "latest").symlink_to("own/model")
    assert not is_shown(place, user, place / "latest")


@every_user
def test_a_link_of_the_user_is_followed(place: Path, user: str) -> None:
    (place / "latest").symlink_to("secret")
    assert is_shown(place, user, place / "latest" / "file")
    assert is_shown(place, user, place / "own" / ".." / "secret" / "file")
