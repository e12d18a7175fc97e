"""The reference bot as a GTP engine."""

from refbot.gtp.loop import run
from refbot.gtp.server import Server
from refbot.gtp.session import Session
from refbot.settings import Settings

__all__ = ["Server", "Session", "Settings", "run"]
