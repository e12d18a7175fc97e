"""A run and a check that say a hostile text wherever their status has room for one."""

from __future__ import annotations

from harness.report.status.check import BotProgress, CheckStatus, FailedCheck
from harness.report.status.run import BoardRow, BotRow, EventRow, GameRow, PairRow, PlayoutRow, RunStatus

WHEN = "2026-11-22T08:00:00+00:00"


def run_status(text: str) -> RunStatus:
    """The status of a run between two bots that say this text."""
    return RunStatus(
        writer=None,
        state="playing",
        started=text,
        at=text,
        name=f"{text} again",
        size=9,
        komi=7.5,
        margin=0.03,
        done=3,
        total=8,
        rate=0.5,
        seconds_left=10.0,
        benched={text: text},
        judged=3,
        sound=True,
        decided=False,
        bots=(
            BotRow(
                rank=1,
                bot=text,
                games=3,
                points=1.5,
                score=0.5,
                elo=0.0,
                elo_low=None,
                elo_high=None,
                voids=1,
                failures={text: 2},
                reported=text,
                command=text,
            ),
        ),
        pairs=(
            PairRow(
                bot_a=text,
                bot_b=text,
                games=3,
                score_a=0.5,
                low=0.1,
                high=0.9,
                margin=0.03,
                proved_margin=0.4,
                verdict="undecided",
                games_needed=None,
                trail=((1, 0.5, 0.0, 1.0), (3, 0.5, 0.1, 0.9)),
            ),
        ),
        playouts=(
            PlayoutRow(
                bot=text,
                playouts=100,
                nodes_per_playout=111.0,
                reference=111.0,
                low=-1.0,
                high=1.0,
                verdict="undecided",
            ),
        ),
        boards=(
            BoardRow(
                worker=1,
                game_id=text,
                black=text,
                white=text,
                size=2,
                move=1,
                last=text,
                stones=text[:4].encode("utf-8", "replace").decode(),
                at=text,
            ),
        ),
        recent=(
            GameRow(game_id=text, black=text, white=text, result=text, reason=text, moves=3, finished=text),
        ),
        events=(EventRow(at=text, kind=text, text=text),),
    )


def check_status(text: str) -> CheckStatus:
    """The status of a check of a bot that says this text."""
    bot = BotProgress(
        command=text,
        doing=text,
        searches=7,
        decided=3,
        total=9,
        seconds_left=10.0,
        failed=(FailedCheck(id=text, title=text, outcome=text),),
    )
    return CheckStatus(writer=None, started=text, at=text, budget=text, bots=(bot,))
