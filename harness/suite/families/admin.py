"""`gtp.admin.*`: the administrative commands of GTP, such as name, known_command and list_commands.

`harness.suite.families` explains the notation of the dialogues.
"""

from __future__ import annotations

from harness.check.model import Ability, Requirements
from harness.check.procedures.command_list import CommandList, KnownCommandsListed, ListedCommandsKnown
from harness.check.procedures.dialogue import dialogue
from harness.check.procedures.script import chased
from harness.commands.argument_walk import ArgumentsRefused, ArgumentWalk
from harness.gtp import REQUIRED_COMMANDS
from harness.suite.statement import having, info, must, relying_on, should

MISSING, WRONG = "gtp.admin.arguments-missing", "gtp.admin.arguments-wrong"


def _after(ability: Ability) -> Requirements:
    """Requirements of a check of known_command: it can answer false, and the engine has the ability.

    The ability is to refuse a command with a wrong name of this kind. A wrong answer to known_command is then
    a mistake of known_command alone.
    """
    return relying_on(Ability.DENIES_COMMANDS, ability)


CHECKS = (
    must("gtp.admin.known-command", "known_command answers true for a command that the engine carries out.",
         dialogue("known_command play -> = true", "known_command boardsize -> = true"),
         hint="look the name up among the commands, and answer with the word true or false",
         kills="known-command-digits"),
    must("gtp.admin.protocol-version", "protocol_version answers 2.",
         dialogue("protocol_version -> = 2"),
         hint="answer the bare number 2", kills="protocol-version-1"),
    must("gtp.admin.name", "name and version answer on one line.",
         dialogue(r"name -> = ~[^\n]*", r"version -> = ~[^\n]*"),
         hint="answer the engine's name and its version, each on one line; either may be empty",
         kills="name-two-lines"),
    must("gtp.admin.required", "known_command answers true for each of the eleven required commands.",
         dialogue(*(f"known_command {name} -> = true" for name in REQUIRED_COMMANDS)),
         hint="known_command answers true for each command that runs, and false for any other name",
         kills="komi-missing"),
    must("gtp.admin.known-false", "known_command succeeds and answers false for an unknown name.",
         dialogue("known_command no_such_command -> = false", "known_command no-such-command -> = false"),
         hint="answer = false for an unknown name; do not refuse known_command", kills="known-command-fails"),
    must("gtp.admin.list-words", "list_commands lists the required commands, one a line.",
         CommandList(REQUIRED_COMMANDS),
         hint="print one command name a line and nothing else", kills="list-on-one-line list-omits-required"),
    must("gtp.admin.list-known-agree",
         "known_command answers true for each command that list_commands lists.",
         ListedCommandsKnown(),
         hint="let list_commands and known_command read the same table", kills="list-names-unknown"),
    must("gtp.admin.listed-works", "undo works where it is listed.",
         dialogue("boardsize {size}", "clear_board", "play b C3", "undo -> ="),
         requires=having("undo"),
         hint="list only commands that are implemented", kills="undo-listed-only"),
    must("gtp.admin.exact-name", "The engine compares whole command names: nam and names are unknown.",
         dialogue("boardsize {size}", "clear_board", chased("nam", "?"), chased("names", "?"),
                  chased("playfoo b C3", "?"), chased("genmove_no_such b", "?"), "play b C3 -> ="),
         hint="compare the whole first word, not its beginning", kills="prefix-matched"),
    must("gtp.admin.known-exact",
         "known_command answers false for a part of a name, and for a longer one, such as playfoo.",
         dialogue("known_command playfoo -> = false", "known_command nam -> = false"),
         requires=_after(Ability.MATCHES_WHOLE_NAMES),
         hint="known_command compares whole names, as the commands themselves are looked up",
         kills="prefix-known"),
    should("gtp.admin.known-listed", "list_commands lists each command of GTP that the engine knows.",
           KnownCommandsListed(), requires=_after(Ability.MATCHES_WHOLE_NAMES),
           hint="let list_commands and known_command read the same table", kills="list-omits-required",
           tolerates="undo-unlisted"),
    must("gtp.admin.name-case",
         "Command names are case-sensitive: “NAME” is refused, though “name” is a command.",
         dialogue(chased("NAME", "?"), chased("Protocol_Version", "?")),
         hint="compare names as they are written", kills="name-case-ignored"),
    must("gtp.admin.known-case", "known_command answers false for a name in capitals.",
         dialogue("known_command NAME -> = false"), requires=_after(Ability.DISTINGUISHES_CASE),
         hint="known_command compares names as they are written", kills="known-case-ignored"),
    must("gtp.admin.time-settings", "time_settings succeeds, also with zeros, if the bot lists it.",
         dialogue("boardsize {size}\nclear_board\ntime_settings 0 30 1 -> =\n"
                  "clear_board\ntime_settings 600 0 0 -> =\n{known} -> *"),
         requires=having("time_settings"),
         hint="accept main time, byo-yomi time and stones, also zeros", kills="time-settings-crashes"),
    must("gtp.admin.missing-argument", "The engine keeps running after known_command without an argument.",
         dialogue("known_command -> *", "{known} -> *"),
         hint="check the number of arguments before using them", kills="known-command-crashes"),
    must(MISSING, "The engine keeps running after each listed command without its arguments.",
         ArgumentWalk(),
         hint="count the arguments before using them",
         kills="rule-without-value-crashes chat-without-words-crashes"),
    must(WRONG, "The engine keeps running after each listed command with wrong arguments.",
         ArgumentWalk(wrong=True),
         hint="read each argument before using it, and refuse a word that is none",
         kills="genmove-ex-colour-crashes"),
    should("gtp.admin.missing-refused", "Listed commands refuse missing arguments.",
           ArgumentsRefused(), shares=MISSING,
           hint="refuse with: syntax error", kills="missing-argument-succeeds"),
    should("gtp.admin.wrong-refused", "Listed commands refuse wrong arguments.",
           ArgumentsRefused(wrong=True), shares=WRONG,
           hint="refuse with: syntax error", kills="numbers-by-atoi colour-any-word"),
    info("gtp.admin.known-none", "known_command answers true or false even without an argument.",
         dialogue("known_command -> = true | false"),
         hint="answer = false when the name is missing; GTP also allows a refusal, which is only noted"),
)  # fmt: skip
