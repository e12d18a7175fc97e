"""Playouts, uniform or with a policy, many games side by side: a game a lane of the vector registers."""

from refbot.playouts.lanes.batch import run
