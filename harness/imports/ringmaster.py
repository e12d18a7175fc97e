"""Translates a control file of gomill's ringmaster: playoffs and all-play-all tournaments.

An example, and the tables of the match config that `import_control_file` makes of it:

    competition_type = "playoff"
    players = {"a": Player("bot-a"), "b": Player("bot-b")}
    board_size, komi = 9, 7.5
    matchups = [Matchup("a", "b", alternating=True, number_of_games=100)]

    [run]       size = 9, komi = 7.5, games = 100, colours = "alternate", scorer = "players", …
    [[engine]]  name = "a", command = "bot-a", …; the same for b
    [[pair]]    black = "a", white = "b"
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from harness.imports.control_file import Definition, read_control_file
from harness.imports.imported import Imported, ImportSettingsError, run_name

PATIENCE = "1h"
"""Time limits of an answer and of a start: the ringmaster has none, and a match needs some. Chosen."""

_MATCHUP = ("player_1", "player_2", "id", "name")
"""The arguments of a Matchup that are no conditions of its games; the first two may be given by position."""

_NOT_KEPT = {
    "allow_claim": "a claim of a win (gomill-genmove_ex) is not known; an engine may resign, or play on",
    "gtp_aliases": "GTP commands are sent by their own names",
    "is_reliable_scorer": "both players are asked for the score; where they disagree, a referee or our count "
    "decides",
    "sgf_player_name_from_gtp": "game records have the name of [[engine]]",
    "discard_stderr": "stderr is kept with failed games only",
    "move_limit": "a game ends after 3·N·N moves, and is then scored",
}
"""By setting that no key of a match config corresponds to: what happens in its place."""

_BONUS = {"full": "N", "short": "N-1", "no": "none"}
"""By internal_scorer_handicap_compensation: the handicap_bonus, White's points for a handicap of N stones."""


def import_control_file(text: str, name: str) -> Imported:
    """Translate the text of the control file `name`. Raises ImportSettingsError."""
    settings = read_control_file(text)
    kind = settings.get("competition_type")
    if kind not in ("playoff", "allplayall"):
        raise ImportSettingsError(
            f"{_shown('competition_type', kind)}: only playoff and allplayall can be translated; "
            "give such a file"
        )
    return _Translation(settings, name).translate(kind)


class _Translation:
    """The translation of the settings of one control file into the config `made`."""

    def __init__(self, settings: Mapping[str, Any], name: str) -> None:
        self.settings = settings
        self.made = Imported(name)
        stem = name.rsplit("/", 1)[-1].removesuffix(".ctl")
        self.made.run |= {"name": run_name(stem), "restart": "game", "timeout": PATIENCE}
        self.made.note(
            "the ringmaster waits for an answer without a limit: timeout and startup are an hour; set them"
        )

    def translate(self, kind: str) -> Imported:
        """Translate all settings of a competition of this kind: playoff or allplayall."""
        if kind == "playoff":
            matchups = _list(self.settings, "matchups", '[Matchup("a", "b")]')
            pairs = self._played([self._matchup(number, matchup) for number, matchup in enumerate(matchups)])
            used = dict.fromkeys(name for pair in pairs for name in (pair["black"], pair["white"]))
            order = list(self._players())  # [[engine]] tables are in the order of `players`
            self._add_engines(
                sorted(used, key=lambda name: order.index(name) if name in order else len(order))
            )
            self._share_conditions(pairs)
        else:
            self._translate_all_play_all()
        for setting in ("gtp_aliases", "allow_claim"):
            if setting in self.settings:
                self._note_not_kept(setting)
        self.made.description = str(self.settings.get("description") or "")
        return self.made

    # --- players -------------------------------------------------------------------------------------------

    def _players(self) -> Mapping[str, Definition]:
        """Return the players by name. Raises ImportSettingsError without players, and if one is no Player."""
        players = self.settings.get("players")
        if not isinstance(players, dict) or not players:
            example = 'players = {"a": Player("command"), "b": Player("command")}'
            raise ImportSettingsError(f"{_shown('players', players)}: write them such as {example}")
        for name, player in players.items():
            if not isinstance(player, Definition) or player.kind != "Player":
                raise ImportSettingsError(
                    f'players[{name!r}] is no Player(…): write {name!r}: Player("command")'
                )
        return players

    def _add_engines(self, names: Sequence[str]) -> None:
        """Add an [[engine]] table for each of these players."""
        players = self._players()
        if unused := [name for name in players if name not in names]:
            self.made.note(f"players that take no part are left out: {', '.join(unused)}")
        for name in names:
            if name not in players:
                raise ImportSettingsError(f"players has no {name!r}, which plays in this competition")
            self.made.engines.append(self._engine(name, players[name]))

    def _engine(self, name: str, player: Definition) -> dict[str, Any]:
        """Return the [[engine]] table of a player."""
        given = dict(player.named)
        if player.positional:
            given["command"] = player.positional[0]
        command = given.pop("command", None)
        engine: dict[str, Any] = {"name": name}
        if isinstance(command, str) and command.strip():
            engine["command"] = command.strip()
        elif isinstance(command, (list, tuple)) and command:
            first, *others = map(str, command)
            engine["command"] = shlex.quote(first)
            if others:
                engine["args"] = others
        else:
            raise ImportSettingsError(
                f'line {player.line}: the player {name!r} has no command: write Player("command")'
            )
        if "/" in engine["command"].split()[0] and not engine["command"].startswith(("/", "~")):
            self.made.note(
                "paths of commands are relative to the working directory, not to the control file: start "
                "conform where the control file is, or write whole paths"
            )
        if (cwd := given.pop("cwd", None)) is not None:
            engine["cwd"] = str(cwd)
        if environ := given.pop("environ", None):
            variables = _checked("environ", environ, dict, "a dictionary")
            engine["env"] = {str(key): str(value) for key, value in variables.items()}
        engine["inherit_env"] = True
        if commands := given.pop("startup_gtp_commands", None):
            lines = _checked("startup_gtp_commands", commands, (list, tuple), "a list")
            engine["gtp"] = [own if isinstance(own, str) else _joined(own) for own in lines]
        engine["startup"] = PATIENCE
        for setting, value in given.items():
            if value not in (None, False) or setting == "is_reliable_scorer":
                self._note_not_kept(setting, name)
        return engine

    def _note_not_kept(self, setting: str, player: str = "") -> None:
        whose = f" of {player}" if player else ""
        known = _NOT_KEPT.get(setting, "this setting is not known")
        self.made.note(f"{setting}{whose}: {known}")

    # --- matchups ------------------------------------------------------------------------------------------

    def _matchup(self, number: int, matchup: Any) -> dict[str, Any]:
        """Return one [[pair]], with every condition of its games, for the item `number` of matchups."""
        if not isinstance(matchup, Definition) or matchup.kind != "Matchup":
            raise ImportSettingsError(f'matchups[{number}] is no Matchup(…): write Matchup("a", "b")')
        given = dict(zip(_MATCHUP[:2], matchup.positional, strict=False)) | dict(matchup.named)
        missing = [key for key in _MATCHUP[:2] if key not in given]
        if missing or len(matchup.positional) > 2:
            raise ImportSettingsError(
                f'line {matchup.line}: a Matchup needs two players: write Matchup("a", "b")'
            )
        setting = {**self.settings, **given}
        black, white = (_checked("a player of a Matchup", given[key], str, "a name") for key in _MATCHUP[:2])
        pair = {"black": black, "white": white, **self._games(setting)}
        alternating = bool(setting.get("alternating", False))
        pair["colours"] = "alternate" if alternating else "fixed"
        games = setting.get("number_of_games")
        pair["games"] = self._number(games, even=alternating)
        pair |= self._handicap(setting, pair["scorer"])
        if "move_limit" in setting:
            self._note_not_kept("move_limit")
        for key in ("id", "name"):
            if key in given:
                self.made.note(f"the {key} of a matchup is not kept: pairs are named by their engines")
        return pair

    def _games(self, setting: Mapping[str, Any]) -> dict[str, Any]:
        """Return the board size, the komi and the scorer of games with these settings."""
        for key in ("board_size", "komi"):
            if not isinstance(setting.get(key), (int, float)):
                raise ImportSettingsError(f"{_shown(key, setting.get(key))}: write it as a number")
        scorer = "area" if setting.get("scorer", "players") == "internal" else "players"
        return {"size": setting["board_size"], "komi": float(setting["komi"]), "scorer": scorer}

    def _handicap(self, setting: Mapping[str, Any], scorer: str) -> dict[str, Any]:
        """Return the handicap of games with these settings, and its bonus; empty without a handicap."""
        if not (handicap := setting.get("handicap")):
            return {}
        made: dict[str, Any] = {"handicap": _checked("handicap", handicap, int, "a whole number")}
        style = setting.get("handicap_style", "fixed")
        if style != "fixed":
            made["handicap_style"] = _checked("handicap_style", style, str, "a word")
        if scorer == "area":
            bonus = setting.get("internal_scorer_handicap_compensation", "full")
            made["handicap_bonus"] = _BONUS.get(str(bonus), "N")
        return made

    def _number(self, games: Any, *, even: bool) -> int | None:
        """Return the number of games of a pair, made even if `even`; None for a match without an end."""
        if games is None:
            self.made.note(
                "without a number of games a match has no end: end it with Ctrl-C, and go on later"
            )
            return None
        _checked("the number of games", games, int, "a whole number")
        if even and games % 2:
            self.made.note(f"{games} games became {games + 1}, so that both engines have Black equally often")
            return int(games) + 1
        return int(games)

    def _played(self, pairs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the pairs with games. Raises ImportSettingsError if there is none."""
        played = [pair for pair in pairs if pair["games"] != 0]
        if len(played) < len(pairs):
            self.made.note("matchups of 0 games are left out")
        if not played:
            raise ImportSettingsError("all matchups have 0 games: set number_of_games")
        return played

    def _share_conditions(self, played: Sequence[dict[str, Any]]) -> None:
        """Move the commonest value of each condition to [run]. A pair with another value keeps its own.

        The scorer has no place in a pair: the commonest one is that of all games.
        """
        scorers = [pair.pop("scorer") for pair in played]
        scorer = max(scorers, key=scorers.count)
        if len(set(scorers)) > 1:
            self.made.note(f"all games have one scorer, {scorer}: some matchups had another one")
        for key in ("size", "komi", "games", "colours"):
            values = [pair[key] for pair in played]
            common = max(values, key=values.count)
            if key == "games" and None in values:
                common = None  # only [run] can be without an end
            elif key == "games" and common == 1:
                continue  # [run] has 0, for no end, or at least two games
            self.made.run[key] = 0 if common is None else common
            for pair in played:
                if pair[key] == common:
                    del pair[key]
        self.made.run["scorer"] = scorer
        self.made.pairs = [dict(pair) for pair in played]

    def _translate_all_play_all(self) -> None:
        """Translate a tournament in which all competitors play each other: a round robin."""
        names = []
        for competitor in _list(self.settings, "competitors", '["a", "b"]'):
            if isinstance(competitor, Definition):
                given = dict(competitor.named)
                names.append(competitor.positional[0] if competitor.positional else given.get("player"))
            else:
                names.append(competitor)
        self._add_engines([str(name) for name in names])
        games = self._number(self.settings.get("rounds"), even=True)
        if games == 0:  # [run] has 0 for no end
            raise ImportSettingsError("rounds is 0, so that there is no game: write a larger number")
        conditions = self._games(self.settings)
        conditions |= self._handicap(self.settings, conditions["scorer"])
        self.made.run |= {"format": "round-robin", **conditions, "games": games or 0}
        if "move_limit" in self.settings:
            self._note_not_kept("move_limit")


def _list(settings: Mapping[str, Any], name: str, example: str) -> list[Any]:
    value = settings.get(name)
    if not isinstance(value, (list, tuple)) or not value:
        raise ImportSettingsError(f"{_shown(name, value)}: write a list such as {name} = {example}")
    return list(value)


def _shown(name: str, value: Any) -> str:
    """Return the beginning of a message: a setting is missing, or has a value that cannot be used."""
    return f"{name} is missing" if value is None else f"{name} is {value!r:.60}"


def _joined(command: Any) -> str:
    """Return a GTP command that is given as a list of its words."""
    return " ".join(map(str, _checked("a command of startup_gtp_commands", command, (list, tuple), "a list")))


def _checked(what: str, value: Any, kinds: type | tuple[type, ...], wanted: str) -> Any:
    """Return a value of one of these types. Raises ImportSettingsError for any other value."""
    if isinstance(value, kinds):
        return value
    raise ImportSettingsError(f"{what} is {value!r:.60}, not {wanted}")
