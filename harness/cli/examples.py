"""The examples at the end of the help of each command."""

from __future__ import annotations

EXAMPLES = {
    "check": (
        ("a bot that makes 1,000 playouts in each search", "conform check ./mybot --playouts 1000"),
        ("in seconds, one clause only", "conform check ./mybot --budget quick --only superko"),
        ("in a CI: nothing but what is already known may fail",
         "conform check ./mybot --known-failures known.txt --junit report.xml"),
    ),
    "explore": (
        ("ten minutes of random sessions and positions", "conform explore ./mybot"),
        ("keep what is found as cases of later checks", "conform explore ./mybot --for 1h --save found.json"),
        ("check with these cases", "conform check ./mybot --with found.json"),
    ),
    "compare": (
        ("three bots, none of which is taken for the truth", "conform compare ./a ./b ./c"),
        ("bots that choose their moves in their own way", "conform compare ./a ./b --profile playouts"),
        ("a page about them", "conform compare ./a ./b --budget thorough --html agreement.html"),
    ),
    "match": (
        ("begin, or continue after a stop", "conform match quick.toml"),
        ("two bots, without a config", "conform match --engine old=./old --engine new=./new --games 400"),
        ("for 8 hours at most; the same command continues later", "conform match quick.toml --for 8h"),
    ),
    "schedule": (
        ("when the configs are due, until stopped", "conform schedule nightly.toml weekly.toml"),
        ("what is next, and how the last run ended", "conform schedule nightly.toml --list"),
        ("one run now, for a timer of the system", "conform schedule nightly.toml --once"),
        ("give up a run that was stopped", "conform schedule nightly.toml --drop"),
    ),
    "seeds": (
        ("the tables and their published figures", "conform seeds"),
        ("one of the tables", "conform seeds dailey-2008"),
        ("with more playouts", "conform seeds dailey-2008 --playouts 1000000"),
    ),
    "selftest": (
        ("the checks on faulty bots: which fault does which check find?", "conform selftest"),
        ("every fault that breaks one clause", "conform selftest --only superko"),
        ("the whole table, as a page", "conform selftest --full --write kill-matrix.md"),
    ),
    "report": (
        ("the files of a run, written anew", "conform report reports/quick"),
        ("into another folder", "conform report reports/quick --out pages"),
        ("the tables of all runs of a schedule", "conform report reports/nightly/2* --format csv --quiet"),
        ("a site of the reports that check --json wrote", "conform report a.json b.json --site site"),
    ),
    "audit": (
        ("all searches of a run", "conform audit reports/quick"),
        ("as many as a tenth of the games' time allows", "conform audit reports/quick --positions auto"),
    ),
    "verify": (("is a run whole, and are its games legal?", "conform verify reports/quick"),),
    "status": (
        ("all runs of a folder", "conform status reports"),
        ("for a program that watches over them", "conform status reports --json"),
    ),
    "serve": (
        ("the runs in reports/, on http://127.0.0.1:8008", "conform serve"),
        ("another port", "conform serve --port 9000"),
    ),
    "init": (
        ("settings of a project, after asking its bot", "conform init --bot ./mybot"),
        ("example configs of matches, in configs/", "conform init"),
        ("from the control file of gomill's ringmaster", "conform init --from old.ctl"),
    ),
    "checks": (
        ("all checks of two clauses", "conform checks superko ko"),
        ("by a part of their names", "conform checks 'gtp.handicap.*'"),
    ),
    "explain": (
        ("a check: its position, and what is expected", "conform explain game.superko.play"),
        ("play what it sends into a bot", "conform explain game.superko.play --gtp | ./mybot"),
    ),
    "spec": (
        ("a clause of the specification", "conform spec superko"),
        ("a command of GTP, as the draft has it", "conform spec gtp undo"),
    ),
    "docs": (("a page of the documentation", "conform docs tutorial"),),
    "vectors": (("test vectors for the tests of a bot", "conform vectors --json > vectors.json"),),
}  # fmt: skip
"""By command: pairs (purpose, shell line)."""


def examples_of(command: str) -> str:
    """Return the examples of a command in EXAMPLES: each purpose as a comment, above its shell line."""
    return "\n".join(f"# {purpose}\n{line}" for purpose, line in EXAMPLES[command])
