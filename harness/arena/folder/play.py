"""Runs a whole match as a stream of events: games, audit, verdicts.

`conform match` and the scheduler pass the events to handlers, which print and write the files of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from harness.arena.config.pairs import count_all_games, count_games_left, pairs_of
from harness.arena.config.playable import check_playable
from harness.arena.config.tables import MatchConfig
from harness.arena.folder.audit import audit_store
from harness.arena.folder.folder import open_run
from harness.arena.folder.lock import locked
from harness.arena.folder.presence import games_kept, while_in_place
from harness.arena.judge.judge import judge
from harness.arena.run.cluster import ClusterRunner, cluster_for
from harness.arena.run.events import Event, MatchEnded, MatchFailed, MatchStarted, NoticeGiven, PhaseStarted
from harness.arena.run.runner import Runner
from harness.arena.run.stop import Stop
from harness.arena.store.rows import question_changes
from harness.arena.store.store import Store
from harness.files import timestamp

Events = Generator[Event, None, None]
Handler = Callable[[Event], object]


@dataclass(frozen=True)
class MatchSettings:
    """The config of a match, the folder of its run, and where it is played.

    stop      requests a stop; asked once, the games in flight are finished
    cluster   the address of a dask scheduler whose workers play; None plays on this machine
    """

    config: MatchConfig
    folder: Path
    stop: Stop = field(default_factory=Stop)
    cluster: str | None = None


def run_match(settings: MatchSettings) -> Events:
    """Play and audit the run in its folder until it is complete or stopped. Writes nothing but the store.

    Raises one of USER_ERRORS for what a user can mend, after `MatchFailed` if the match had started.
    """
    config, folder, stop = settings.config, settings.folder, settings.stop
    with (
        _runner(settings) as (runner_of, skipped),
        locked(folder),
        open_run(config, folder) as store,
    ):
        config = store.config() or config  # with the engines that were dropped
        started = _match_started(config, folder, store)
        try:
            yield started
            yield from _notices_of_question(store)
            for line in skipped:
                yield NoticeGiven("opening", f"no opening: {line}")
            runner = runner_of(config, store, stop)
            with games_kept(store):
                complete = yield from while_in_place(store, runner.play())
                yield PhaseStarted("audit")
                audited = audit_store(store, config, config.run.audit, stop=stop)
                if complete and not (yield from while_in_place(store, audited)):
                    complete = False
                    store.note("stop", "during the audit", timestamp())
                yield PhaseStarted("verdicts")
                verdicts = judge(store, config)
                yield from runner.coordinator.report_decided_pairs(verdicts)
                benched = tuple(runner.coordinator.benched)
                yield MatchEnded(verdicts, complete, benched, _games_left(store, config, benched))
        except GeneratorExit:  # nobody takes further events
            raise
        except BaseException as error:
            yield MatchFailed(error)
            raise


def follow(events: Events, *handlers: Handler) -> MatchEnded:
    """Pass each event to each handler, and return `MatchEnded`. Raises the error that ends the match early.

    An exception of a handler ends the match: the handlers after it do not get this event, and all handlers
    then get `MatchFailed`.
    """
    raised: BaseException | None = None
    ended: MatchEnded | None = None
    with closing(events):
        while True:
            try:
                # An exception thrown into `run_match` becomes `MatchFailed`, and is then raised again.
                event = next(events) if raised is None else events.throw(raised)
            except StopIteration:
                assert ended is not None, "a match that does not raise ends with MatchEnded"
                return ended
            raised = None
            try:
                for handle in handlers:
                    handle(event)
            except BaseException as error:
                raised = error
            if isinstance(event, MatchEnded):
                ended = event


def _match_started(config: MatchConfig, folder: Path, store: Store) -> MatchStarted:
    played = store.played()
    total = count_all_games(config, store.engine_names(), played)
    return MatchStarted(folder, config, total, len(played), store)


def _notices_of_question(store: Store) -> Iterator[NoticeGiven]:
    """Yield a notice if this start changed the question of the run: the last event then says so."""
    for change in question_changes(store.events()[-1:]):
        yield NoticeGiven("question", f"the question of the run is changed {change}")


def _games_left(store: Store, config: MatchConfig, engines: Collection[str]) -> int:
    """Number of games of these engines that are not stored. Dropped pairs do not count."""
    pairs = [pair for pair in pairs_of(config, store.engine_names()) if not pair.dropped]
    of_them = [pair for pair in pairs if not {pair.first, pair.second}.isdisjoint(engines)]
    return count_games_left(of_them, store.played())


@contextmanager
def _runner(
    settings: MatchSettings,
) -> Iterator[tuple[Callable[..., Runner | ClusterRunner], Sequence[str]]]:
    """Check that the engines start. Yield (a function that makes the runner, lines about skipped openings).

    The function gets the config, the store and the stop. The workers of a cluster read the files of openings
    on their own machines, and do not report skipped ones.
    """
    if settings.cluster is None:
        yield Runner, check_playable(settings.config).skipped
        return
    with cluster_for(settings.config, settings.cluster, settings.stop) as connected:
        yield partial(ClusterRunner, connected), ()
