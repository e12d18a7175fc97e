"""The commands of `refbot`: the engine, and the tools around its playouts.

Slow imports are inside the commands, so that the help text and the first answers come at once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from refbot.cli.help import HelpfulCommand
from refbot.cli.output import refuse, refusing, say, shown, warn
from refbot.cli.records import refuse_beside_show, show_playouts, write_records
from refbot.cli.speed_tables import HEAD, line_of, say_costs, say_kernels
from refbot.compile.devices import DEVICES, check_device
from refbot.compile.kernels import SIZES_IN_LANES, default_kernel
from refbot.deviations.faults import FAULTS, checked, mask
from refbot.deviations.habits import HABITS, checked_habits
from refbot.deviations.options import NO_OPTIONS, POLICIES, Options, check_policy, features_of
from refbot.deviations.switches import Switch

if TYPE_CHECKING:
    from refbot.rules import Game

DEFAULT_KOMI = 7.5  # chosen; the specification names none
MIN_SIZE, MAX_SIZE = 2, 25
BENCH_SIZES = [9, 13, 19]

app = typer.Typer(
    name="refbot",
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,  # rich costs more time than the whole help
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from refbot.gtp.about import version

        say(f"refbot {version()}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    show_version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Run the reference bot: a GTP engine, and the fastest uniform playouts on a CPU."""
    if context.invoked_subcommand is None:
        say(context.get_help())


def _finite(komi: float | None) -> float | None:
    if komi is not None and not math.isfinite(komi):
        raise typer.BadParameter(f"{komi} is not a finite number of points.")
    return komi


Size = Annotated[int, typer.Option(min=MIN_SIZE, max=MAX_SIZE, help="Board size.")]
Komi = Annotated[float, typer.Option(callback=_finite, help="Points for White.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Seed of the random numbers, for a repeatable run.")]
Threads = Annotated[int, typer.Option(min=1, help="Number of threads.")]
Device = Annotated[
    str,
    typer.Option(
        metavar="|".join(DEVICES),
        help="Where playouts run; auto is a GPU if there is one that can play them.",
    ),
]
Policy = Annotated[str, typer.Option(help=f"How playouts choose moves: {', '.join(POLICIES)}.")]
Mercy = Annotated[
    int | None, typer.Option(help="End a playout when one side leads by more than this number of stones.")
]
EarlyScore = Annotated[
    float | None,
    typer.Option(help="Count stones alone where their difference exceeds this number of points."),
]
Cutoff = Annotated[
    int | None, typer.Option(help="End a playout after this number of moves and score it as it stands.")
]
CapFromRoot = Annotated[
    bool,
    typer.Option(
        "--cap-from-root", help="Let the move cap count the moves of a playout, not those of the game."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@app.command(cls=HelpfulCommand)
def gtp(
    playouts: Annotated[int, typer.Option(min=1, help="Number of playouts per search.")] = 1000,
    seed: Seed = None,
    size: Size = 9,
    komi: Komi = DEFAULT_KOMI,
    threads: Threads = 1,
    device: Device = "cpu",
    policy: Policy = "random",
    mercy: Mercy = None,
    early_score: EarlyScore = None,
    cutoff: Cutoff = None,
    cap_from_root: CapFromRoot = False,
    dynamic_komi: Annotated[
        str | None,
        typer.Option(metavar="MODE", help="searches[:N], playouts[:N] or handicap; see conform docs seeds."),
    ] = None,
    extensions: Annotated[
        bool,
        typer.Option(
            "--extensions", help="Speak the common extensions of GTP too: analysis, records, rules, servers."
        ),
    ] = False,
    fault: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FAULT", help="Break one clause of the specification; see `refbot faults`. Repeatable."
        ),
    ] = None,
    habit: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HABIT",
            help="Use another way of something that GTP leaves open; see `refbot habits`. Repeatable.",
        ),
    ] = None,
) -> None:
    """Speak GTP on standard input and output. Without options: exactly the specification."""
    from refbot.gtp import Settings
    from refbot.gtp.start import serve

    with refusing():
        faults = checked(fault or [])
        habits = checked_habits([*(habit or []), *(["extensions"] if extensions else [])])
        options = Options(mercy=mercy, early_score=early_score, cutoff=cutoff, cap_from_root=cap_from_root)
        features = features_of(policy, options)
        if dynamic_komi is not None:
            from refbot.search.dynamic_komi import parse_mode

            parse_mode(dynamic_komi)
        check_device(device, size, features, faulty=bool(mask(faults)))
    serve(
        Settings(
            size=size,
            komi=komi,
            playouts=playouts,
            seed=seed,
            threads=threads,
            faults=faults,
            habits=habits,
            policy=policy,
            options=options,
            dynamic_komi=dynamic_komi,
            device=device,
        )
    )


@app.command(cls=HelpfulCommand)
def playouts(
    context: typer.Context,
    size: Size = 9,
    komi: Annotated[
        float | None,
        typer.Option(callback=_finite, help="Points for White; the default is the komi of the file, or 7.5."),
    ] = None,
    count: Annotated[int, typer.Option("-n", min=1, help="Number of playouts.")] = 100_000,
    sgf: Annotated[Path | None, typer.Option(help="Start from the end of this game record.")] = None,
    move: Annotated[int | None, typer.Option(min=1, help="Start before this move of the record.")] = None,
    game_number: Annotated[
        int | None, typer.Option("--game", min=1, help="Game of the record file; the default is the first.")
    ] = None,
    seed: Seed = None,
    threads: Threads = 1,
    device: Device = "cpu",
    policy: Policy = "random",
    mercy: Mercy = None,
    early_score: EarlyScore = None,
    cutoff: Cutoff = None,
    cap_from_root: CapFromRoot = False,
    show: Annotated[
        int | None, typer.Option(min=1, help="Print this number of playouts move by move instead.")
    ] = None,
    records: Annotated[
        Path | None, typer.Option(help="Write the length and Black's result of each playout to a CSV file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Play random games from a position and print their statistics."""
    from refbot.measure.bench import summarise
    from refbot.measure.warm import kernels_of, load_kernels
    from refbot.playouts import playouts as play

    with refusing():
        options = Options(
            mercy=mercy,
            early_score=early_score,
            check_early_score=True,  # the statistics show how many results --early-score gets wrong
            cutoff=cutoff,
            cap_from_root=cap_from_root,
        )
        check_policy(policy)
    if show is not None:
        refuse_beside_show(context)
        show_playouts(*_game(size, komi, sgf, move, game_number), show, seed, policy, options)
        return
    game, to_move = _game(size, komi, sgf, move, game_number)
    with refusing():
        kernels = kernels_of(
            game.size,
            count,
            threads,
            amaf=False,
            policy=policy,
            options=options,
            kernel=default_kernel(seed),
            device=device,
        )
    load_kernels(kernels)
    stats = play(
        game.position(to_move),
        count,
        game.komi,
        policy=policy,
        options=options,
        seed=seed,
        threads=threads,
        records=records is not None,
        device=device,
    )
    if records is not None and stats.records is not None:
        write_records(stats.records, records)
    summary = asdict(summarise(stats, game.size, game.komi, threads, policy))
    if as_json:
        say(json.dumps(summary))
        return
    kinds = summary.pop("kinds")
    for name, value in summary.items():
        say(f"{name.replace('_', ' '):18} {shown(value)}")
    for kind, counts in kinds.items():
        each = ", ".join(f"{name} {number / stats.playouts:.4g}" for name, number in counts.items())
        say(f"{kind:18} {each} a playout")


def _game(
    size: int, komi: float | None, sgf: Path | None, move: int | None, number: int | None
) -> tuple[Game, int]:
    """The game whose position the playouts start from, and the colour that moves first.

    Refuses the options --move and --game without a record, and a record that cannot be loaded.
    """
    from refbot.gtp.placing import COLOURS
    from refbot.gtp.record import CannotLoadError, read, replay
    from refbot.rules import BLACK, Game, UnacceptableSizeError

    if sgf is None:
        for option, given in (("--move", move), ("--game", number)):
            if given is not None:
                refuse(f"{option} chooses a place in a game record; give the file by --sgf")
        return Game(size, DEFAULT_KOMI if komi is None else komi), BLACK
    try:
        record = read(str(sgf), move, number or 1)
        komi = record.komi if komi is None else komi
        game = Game(record.size, DEFAULT_KOMI if komi is None else komi)
        replay(game, record)
    except (CannotLoadError, UnacceptableSizeError) as error:
        refuse(f"cannot load {sgf}: {error}")
    for note in record.notes:
        warn(f"{sgf}: {note}")
    return game, COLOURS[record.to_move]


@app.command(cls=HelpfulCommand)
def bench(
    # After one --size, more sizes may follow without it: `--size 9 13 19`. An option takes one value only.
    more: Annotated[list[int] | None, typer.Argument(metavar="SIZE", help="More board sizes.")] = None,
    size: Annotated[list[int] | None, typer.Option(help="Board sizes; 9 13 19 if none is given.")] = None,
    policy: Annotated[list[str] | None, typer.Option(help="Policies; random if none is given.")] = None,
    kernel: Annotated[str, typer.Option(help="auto, fastest, lanes or scalar.")] = "auto",
    count: Annotated[
        int | None,
        typer.Option("-n", min=1, help="Number of playouts; the default is what takes about 2 seconds."),
    ] = None,
    threads: Threads = 1,
    device: Device = "cpu",
    functions: Annotated[
        bool, typer.Option("--functions/--no-functions", help="Print also what each board function costs.")
    ] = True,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of the playouts from the empty board."""
    from refbot.measure.bench import measure
    from refbot.measure.cycles import cycles_per_second

    sizes = [*(size or []), *(more or [])] or BENCH_SIZES
    for each in sizes:
        if not MIN_SIZE <= each <= MAX_SIZE:
            refuse(f"size must be {MIN_SIZE} to {MAX_SIZE}, not {each}")
    policies = policy or ["random"]
    with refusing():
        for name in policies:
            for each in sizes:
                check_device(device, each, features_of(name, NO_OPTIONS))
    speeds = []
    if not as_json:
        say(HEAD)
    for each in sizes:
        for name in policies:
            with refusing():
                speed = measure(each, count, threads, cycles_per_second(), name, kernel, device)
            speeds.append(asdict(speed))
            if not as_json:
                say(line_of(speed))
    if as_json:
        say(json.dumps(speeds))
        return
    if kernel == "auto" and "random" in policies and device == "cpu":
        say_kernels(sizes)
    if functions and device == "cpu":
        say_costs(sizes, policies)


@app.command(cls=HelpfulCommand)
def faults(as_json: AsJson = False) -> None:
    """List the deliberate faults, by the clause that each breaks."""
    if as_json:
        _print_json(FAULTS)
        return
    width = max(map(len, FAULTS))
    for clause in dict.fromkeys(fault.clause for fault in FAULTS.values()):
        say(clause)
        for fault in FAULTS.values():
            if fault.clause == clause:
                say(f"  {fault.name:{width}}  {fault.misconception}")


@app.command(cls=HelpfulCommand)
def habits(as_json: AsJson = False) -> None:
    """List the harmless habits: what a bot may do that breaks no rule, and why no rule forbids it."""
    if as_json:
        _print_json(HABITS)
        return
    width = max(map(len, HABITS))
    for habit in HABITS.values():
        say(f"{habit.name:{width}}  {habit.habit}")
        say(f"{'':{width}}  open because {habit.open_because}")


def _print_json(registry: Mapping[str, Switch]) -> None:
    say(json.dumps([asdict(switch) for switch in registry.values()], ensure_ascii=False, indent=1))


@app.command(cls=HelpfulCommand)
def warm(
    size: Annotated[
        list[int] | None,
        typer.Option(
            min=min(SIZES_IN_LANES),
            max=max(SIZES_IN_LANES),
            help="Only those of this board size (repeatable).",
        ),
    ] = None,
) -> None:
    """Compile the usual kernels and keep them on disk. Others are compiled when they are first used.

    Measures once for each board size which kernel is the fastest on this machine. Searches use that one.
    """
    from refbot.measure.warm import SIZES, compile_missing, measure_missing, usual_kernels

    sets = usual_kernels(size or SIZES)
    compile_missing(sets, lambda number, total, name: say(f"{number:2} of {total}  {name}"))
    measure_missing(size or SIZES)
