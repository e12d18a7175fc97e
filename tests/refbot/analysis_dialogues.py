"""Dialogues that show the faults and habits of analyses.

Each has what is sent, what an engine with --extensions writes, and what one with the fault or habit writes.
"""

from __future__ import annotations

Dialogues = dict[str, tuple[str, str, str]]

OK = "= \n\n"
NAME = "= refbot\n\n"
CRASH = "<crash>"

# Black A1 B1 A2 on 2x2: White's only move is B2, which captures all; Black must pass, and loses.
CORNER = "boardsize 2\nplay b A1\nplay b B1\nplay b A2\n"
CORNER_OK = OK * 4


def info(fields: str, vertex: str = "B2", order: int = 0) -> str:
    return f"info move {vertex} {fields} order {order} pv {vertex}"


SURE = info("visits 10 winrate 10000 prior 10000 lcb 10000")
LINE = f"{SURE}\n"
PASS = info("visits 10 winrate 0 prior 10000 lcb 0", "pass") + "\n"
KATAGO = info("visits 10 utility 1.000000 winrate 1.000000 prior 1.000000 lcb 1.000000")
STONES = "".join(
    " " + info("visits 0 winrate 5000 prior 10000 lcb 0", vertex, order)
    for order, vertex in enumerate(("A1", "B1", "A2"), 1)
)


def corner(sent: str, right: str, other: str) -> tuple[str, str, str]:
    """A dialogue after CORNER."""
    return CORNER + sent, CORNER_OK + right, CORNER_OK + other


def analysed(other: str) -> tuple[str, str, str]:
    """An analysis for White, ended by a command with another id, and a command after it."""
    right = f"=7\n{LINE}\n=8 refbot\n\n{NAME}"
    return corner("7 lz-analyze w 50\n8 name\nname\n", right, other)


TWO = "lz-analyze w\nkata-analyze w\nname\n"
TWO_RIGHT = f"=\n{LINE}\n=\n{KATAGO}\n\n{NAME}"

FAULTS: Dialogues = {
    "analysis-sign-missing": analysed(f"{LINE}\n=8 refbot\n\n{NAME}"),
    "analysis-id-dropped": analysed(f"=\n{LINE}\n=8 refbot\n\n{NAME}"),
    "analysis-two-empty-lines": analysed(f"=7\n{LINE}\n\n=8 refbot\n\n{NAME}"),
    "analysis-next-glued": analysed(f"=7\n{LINE}=8 refbot\n\n{NAME}"),
    "analysis-empty-line-between": analysed(f"=7\n{LINE}\n\n=8 refbot\n\n{NAME}"),
    "analysis-ender-unanswered": analysed(f"=7\n{LINE}\n{NAME}"),
    "analysis-goes-on": analysed(f"=7\n{LINE}\n=8 refbot\n\n{LINE}{NAME}"),
    "analysis-without-visits": analysed(
        f"=7\n{LINE}\n=8 refbot\n\n{NAME}".replace("visits 10 ", "")
    ),
    "analysis-names-stones": analysed(f"=7\n{SURE}{STONES}\n\n=8 refbot\n\n{NAME}"),
    "analysis-not-by-another": corner(TWO, TWO_RIGHT, f"=\n{LINE}\n? analysis is running\n\n{NAME}"),
    "analysis-not-ended-by-another": corner(TWO, TWO_RIGHT, f"=\n{LINE}=\n{KATAGO}\n\n{NAME}"),
    "analysis-plays": corner(
        "lz-analyze w\nplay w B2\n", f"=\n{LINE}\n{OK}", f"=\n{LINE}\n? illegal move\n\n"
    ),
    "analysis-interval-crashes": corner(
        "lz-analyze w abc\nname\n", f"? expected a number\n\n{NAME}", CRASH
    ),
    "analysis-without-move-crashes": corner("lz-analyze b\nname\n", f"=\n{PASS}\n{NAME}", CRASH),
    "analysis-colour-any": corner(
        "lz-analyze x 50\nname\n", f"? invalid color\n\n{NAME}", f"=\n{PASS}\n{NAME}"
    ),
    "analysis-genmove-not-played": corner(
        "lz-genmove_analyze w\nplay w B2\n",
        f"= \n{LINE}play B2\n\n? illegal move\n\n",
        f"= \n{LINE}play B2\n\n{OK}",
    ),
    "analysis-genmove-bare": corner(
        "lz-genmove_analyze w\n", f"= \n{LINE}play B2\n\n", f"= \n{LINE}B2\n\n"
    ),
    "analysis-search-plays": corner(
        "kata-search_analyze w\nplay w B2\n",
        f"= \n{KATAGO}\nplay B2\n\n{OK}",
        f"= \n{KATAGO}\nplay B2\n\n? illegal move\n\n",
    ),
}  # fmt: skip

HABITS: Dialogues = {
    "analysis-extra-fields": analysed(
        f"=7\n{LINE}\n=8 refbot\n\n{NAME}".replace(
            "order 0", "order 0 edgeVisits 10 isSymmetryOf B2 mood good"
        )
    ),
    "analysis-without-colour": corner(
        "lz-analyze w 50\nname\n",
        f"=\n{LINE}\n{NAME}",
        f"? cannot parse the arguments: expected [interval] [KEY VALUE ...], no colour\n\n{NAME}",
    ),
    "analysis-silent-without-move": corner(
        "lz-analyze b\nname\n", f"=\n{PASS}\n{NAME}", f"=\n\n{NAME}"
    ),
    "analysis-genmove-without-lines": corner(
        "lz-genmove_analyze w\n", f"= \n{LINE}play B2\n\n", "= \nplay B2\n\n"
    ),
}  # fmt: skip
