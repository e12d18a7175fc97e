"""The reference bot as a GTP engine."""

from refbot.gtp.loop import run
from refbot.gtp.searcher import Settings
from refbot.gtp.server import Server
from refbot.gtp.session import Session
